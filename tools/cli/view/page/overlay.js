// Two-dimensional parts over the scene: axes, scale bar, colour bar, time. One function draws them on the screen and on saved pictures.

const SI_LENGTHS = [[1e3, "km"], [1, "m"], [1e-3, "mm"], [1e-6, "µm"], [1e-9, "nm"]];
function lengthText(metres) {
  const [unit, name] = SI_LENGTHS.find(([size]) => metres >= size * 0.9999) || SI_LENGTHS[4];
  return `${Number((metres / unit).toPrecision(3))} ${name}`;
}
function numberText(value) {
  if (!isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return value.toExponential(2).replace("e+", "e").replace(/\.?0+e/, "e");
  return String(Number(value.toPrecision(4)));
}
// Returns the largest of 1, 2, 5 times a power of ten that is at most x.
function roundBelow(x) {
  const power = 10 ** Math.floor(Math.log10(x)), share = x / power;
  return (share >= 5 ? 5 : share >= 2 ? 2 : 1) * power;
}
function roundSteps(low, high, count) {
  const step = roundBelow((high - low) / count * 1.0001) || 1, steps = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && steps.length < 40; k++) steps.push(k * step);
  return steps;
}

// info: {eye, theme, field, range, map, time, far, title, groups, axes}
function drawOverlay(pen, width, height, info) {
  pen.clearRect(0, 0, width, height);
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.fillStyle = pen.strokeStyle = info.theme === "dark" ? "#d6dbe1" : "#22272d";
  pen.shadowColor = info.theme === "dark" ? "#14171b" : "#ffffff", pen.shadowBlur = 5;
  if (info.axes) drawAxes(pen, 46, height - info.below - 46, info.eye);
  if (info.axes) drawScaleBar(pen, 100, height - info.below - 22, height, info.eye);
  if (info.field.values) (info.field.categories ? drawNames : drawColourBar)(pen, info.left, 60, info);
  pen.textAlign = "left";
  pen.font = "600 14px system-ui, sans-serif";
  pen.fillText(info.title, 16, 20);
  pen.font = "12px system-ui, sans-serif";
  pen.fillText(info.time, 16, 39);
  if (info.far) pen.fillText(info.far, 16, 57);
}

function drawAxes(pen, x, y, eye) {
  const colours = ["#e15759", "#59a14f", "#4e79a7"], right = eye.right, above = eye.above;
  const axes = [0, 1, 2].map((k) => ({ k, x: right[k], y: -above[k], depth: eye.ahead[k] })).sort((a, b) => b.depth - a.depth);
  pen.save();
  pen.lineWidth = 2.5, pen.textAlign = "center", pen.font = "600 11px system-ui, sans-serif";
  for (const axis of axes) {
    pen.strokeStyle = pen.fillStyle = colours[axis.k];
    pen.beginPath(), pen.moveTo(x, y), pen.lineTo(x + 27 * axis.x, y + 27 * axis.y), pen.stroke();
    pen.fillText("xyz"[axis.k], x + 36 * axis.x, y + 36 * axis.y);
  }
  pen.restore();
}

// Draws the scale bar; it is exact at the distance of the target.
function drawScaleBar(pen, x, y, height, eye) {
  const metresPerPixel = 2 * eye.distance * Math.tan(eye.fov * Math.PI / 360) / height, metres = roundBelow(140 * metresPerPixel);
  const wide = metres / metresPerPixel;
  pen.lineWidth = 2, pen.textAlign = "center";
  pen.beginPath(), pen.moveTo(x, y - 4), pen.lineTo(x, y + 4), pen.moveTo(x, y), pen.lineTo(x + wide, y), pen.moveTo(x + wide, y - 4), pen.lineTo(x + wide, y + 4), pen.stroke();
  pen.fillText(lengthText(metres), x + wide / 2, y - 12);
}

function drawColourBar(pen, x, y, info) {
  const tall = 160, wide = 14, stops = COLOUR_MAPS[info.map], [low, high] = info.range;
  const ramp = pen.createLinearGradient(0, y + tall, 0, y);
  for (let i = 0; i <= 16; i++) ramp.addColorStop(i / 16, `rgb(${mapColour(stops, i / 16)})`);
  pen.save();
  pen.textAlign = "left";
  pen.fillText(info.field.label + (info.field.unit ? ` [${info.field.unit}]` : ""), x, y - 14);
  pen.fillStyle = ramp;
  pen.fillRect(x, y, wide, tall);
  pen.restore();
  pen.lineWidth = 1, pen.textAlign = "left";
  if (!(high > low)) return pen.fillText(numberText(low), x + wide + 6, y + tall);
  for (const value of roundSteps(low, high, 5)) {
    const at = y + tall * (1 - (value - low) / (high - low));
    pen.beginPath(), pen.moveTo(x + wide, at), pen.lineTo(x + wide + 4, at), pen.stroke();
    pen.fillText(numberText(value), x + wide + 8, at);
  }
}

function drawNames(pen, x, y, info) {
  pen.textAlign = "left";
  const ink = pen.fillStyle;
  pen.fillText(info.field.label, x, y - 14);
  info.categories.slice(0, 12).forEach((value, i) => {
    pen.fillStyle = "#" + GROUP_COLOURS[((value % 8) + 8) % 8];
    pen.fillRect(x, y + 20 * i, 13, 13);
    pen.fillStyle = ink;
    pen.fillText(info.field.text === "kind" ? ["free", "moved", "fixed"][value] : String(value), x + 20, y + 20 * i + 7);
  });
}
