// Small plots on canvases: columns of tables and a body's history.

const PLOT_COLOURS = ["#4e9bd4", "#e69f00", "#2ca58d", "#d1495b", "#9a7fd1", "#7a8793"];

// curves: [{label, x, y}]; mark: position on the x axis, drawn as a line
function drawPlot(canvas, curves, options) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight, pen = canvas.getContext("2d");
  canvas.width = Math.round(width * ratio), canvas.height = Math.round(height * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const ink = getComputedStyle(canvas).color, box = { left: 46, right: width - 8, top: 16, bottom: height - 20 };
  pen.font = "10.5px system-ui, sans-serif";
  pen.fillStyle = ink, pen.strokeStyle = ink;
  const finite = curves.map((curve) => curve.y.reduce((list, y, i) => (isFinite(y) && isFinite(curve.x[i]) && list.push([curve.x[i], y]), list), []));
  const all = finite.flat();
  let across = 6;
  pen.textBaseline = "middle", pen.textAlign = "left";
  curves.forEach((curve, i) => {
    pen.fillStyle = curves.length > 1 ? PLOT_COLOURS[i % 6] : ink;
    pen.fillText(curve.label, across, 7);
    across += pen.measureText(curve.label).width + 12;
  });
  if (!all.length) return;
  const ends = (k) => all.reduce(([low, high], point) => [Math.min(low, point[k]), Math.max(high, point[k])], [Infinity, -Infinity]);
  let [x0, x1] = options.span || ends(0), [y0, y1] = ends(1);
  if (!(x1 > x0)) x1 = x0 + 1;
  if (!(y1 > y0)) y0 -= Math.abs(y0) / 2 || 0.5, y1 += Math.abs(y1) / 2 || 0.5;
  const X = (x) => box.left + (x - x0) / (x1 - x0) * (box.right - box.left), Y = (y) => box.bottom - (y - y0) / (y1 - y0) * (box.bottom - box.top);
  drawGrid(pen, box, ink, roundSteps(x0, x1, Math.max(2, width / 90)), roundSteps(y0, y1, Math.max(2, height / 34)), X, Y);
  finite.forEach((points, i) => {
    pen.strokeStyle = PLOT_COLOURS[i % 6], pen.lineWidth = 1.5;
    pen.beginPath();
    thin(points, 2 * width).forEach(([x, y], k) => k ? pen.lineTo(X(x), Y(y)) : pen.moveTo(X(x), Y(y)));
    pen.stroke();
  });
  if (!(options.mark >= x0 && options.mark <= x1)) return;
  pen.strokeStyle = "#e15759", pen.lineWidth = 1;
  pen.beginPath(), pen.moveTo(X(options.mark), box.top), pen.lineTo(X(options.mark), box.bottom), pen.stroke();
}

function drawGrid(pen, box, ink, xs, ys, X, Y) {
  pen.lineWidth = 1, pen.strokeStyle = ink, pen.fillStyle = ink;
  pen.globalAlpha = 0.14;
  pen.beginPath();
  for (const x of xs) pen.moveTo(X(x), box.top), pen.lineTo(X(x), box.bottom);
  for (const y of ys) pen.moveTo(box.left, Y(y)), pen.lineTo(box.right, Y(y));
  pen.stroke();
  pen.globalAlpha = 0.8;
  pen.textAlign = "center";
  for (const x of xs) pen.fillText(numberText(x), Math.min(X(x), box.right - 8), box.bottom + 10);
  pen.textAlign = "right";
  for (const y of ys) pen.fillText(numberText(y), box.left - 4, Y(y));
  pen.globalAlpha = 1;
}

// Returns at most `most` points: the smallest and the largest value of each piece of the curve.
function thin(points, most) {
  if (points.length <= most) return points;
  const out = [], piece = Math.ceil(2 * points.length / most);
  for (let i = 0; i < points.length; i += piece) {
    const part = points.slice(i, i + piece);
    const low = part.reduce((a, b) => b[1] < a[1] ? b : a), high = part.reduce((a, b) => b[1] > a[1] ? b : a);
    out.push(...(low[0] <= high[0] ? [low, high] : [high, low]));
  }
  return out;
}

// Returns {names, every, columns: name -> Float64Array}. every: factor by which the table was thinned. Leaves out an incomplete last row, which the run may be writing.
function readTable(text) {
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n").filter((line) => line && line[0] !== "#"), names = (lines.shift() || "").split(",");
  const rows = lines.map((line) => line.split(",")).filter((row) => row.length === names.length);
  const every = Number((/^# every (\d+)\n/.exec(text) || [0, 1])[1]);
  return { names, every, columns: Object.fromEntries(names.map((name, k) => [name, Float64Array.from(rows, (row) => row[k] === "" ? NaN : Number(row[k]))])) };
}
