// Periodic cells. Bodies are shown inside the cell, and its edges as lines.

class Cell {
  // matrix: edges as columns, row by row; origin: relative to the frame's origin; periodic: one flag per edge; gradient: of the cell's velocity, row by row
  constructor(matrix, origin, periodic, gradient) {
    const m = matrix, minor = (i, j) => m[3 * ((j + 1) % 3) + (i + 1) % 3] * m[3 * ((j + 2) % 3) + (i + 2) % 3] - m[3 * ((j + 1) % 3) + (i + 2) % 3] * m[3 * ((j + 2) % 3) + (i + 1) % 3];
    const volume = m[0] * minor(0, 0) + m[1] * minor(1, 0) + m[2] * minor(2, 0);
    this.matrix = m, this.origin = origin, this.periodic = periodic, this.gradient = gradient;
    this.inverse = Array.from({ length: 9 }, (_, k) => minor(Math.floor(k / 3), k % 3) / volume);
  }

  // Returns the vector minus whole edges; `whole` rounds its coordinates in the cell to their numbers.
  less(d, whole) {
    const n = [0, 1, 2].map((e) => this.periodic[e] ? whole(this.inverse[3 * e] * d[0] + this.inverse[3 * e + 1] * d[1] + this.inverse[3 * e + 2] * d[2]) : 0);
    return d.map((x, c) => x - this.matrix[3 * c] * n[0] - this.matrix[3 * c + 1] * n[1] - this.matrix[3 * c + 2] * n[2]);
  }

  // Returns the image of a point that is nearest to another point.
  near(at, other) { return vec.add(other, this.less(vec.sub(at, other), Math.round)); }

  // Returns the images of points that lie in the cell.
  wrapAll(points) {
    const out = new Float32Array(points.length), { matrix: m, inverse: n, periodic, origin: o } = this;
    for (let i = 0; i < points.length; i += 3) {
      const x = points[i] - o[0], y = points[i + 1] - o[1], z = points[i + 2] - o[2];
      const a = periodic[0] ? Math.floor(n[0] * x + n[1] * y + n[2] * z) : 0, b = periodic[1] ? Math.floor(n[3] * x + n[4] * y + n[5] * z) : 0, c = periodic[2] ? Math.floor(n[6] * x + n[7] * y + n[8] * z) : 0;
      out[i] = o[0] + (x - m[0] * a - m[1] * b - m[2] * c);
      out[i + 1] = o[1] + (y - m[3] * a - m[4] * b - m[5] * c);
      out[i + 2] = o[2] + (z - m[6] * a - m[7] * b - m[8] * c);
    }
    return out;
  }

  // Returns velocities of the images at `points` of bodies at `path`: an image moves with the cell relative to its body.
  carried(velocity, path, points) {
    const out = new Float32Array(velocity.length), L = this.gradient;
    for (let i = 0; i < out.length; i += 3) {
      const x = path[i] - points[i], y = path[i + 1] - points[i + 1], z = path[i + 2] - points[i + 2];
      for (let c = 0; c < 3; c++) out[i + c] = velocity[i + c] - (L[3 * c] * x + L[3 * c + 1] * y + L[3 * c + 2] * z);
    }
    return out;
  }

  // Returns the edges along periodic directions, repeated at each corner of the other periodic directions.
  edges() {
    const edge = (e) => [0, 1, 2].map((c) => this.matrix[3 * c + e]), along = [0, 1, 2].filter((e) => this.periodic[e]), lines = [];
    for (const e of along) {
      const others = along.filter((o) => o !== e);
      for (let corner = 0; corner < 1 << others.length; corner++) {
        const from = others.reduce((at, o, i) => corner >> i & 1 ? vec.add(at, edge(o)) : at, this.origin);
        lines.push([from, vec.add(from, edge(e))]);
      }
    }
    return lines;
  }
}

// Returns the cell in a frame's columns; null if there is none.
function readCell(columns, shift) {
  const part = (name) => Array.from(columns["cell." + name].array);
  return columns["cell.matrix"] ? new Cell(part("matrix"), vec.sub(part("origin"), shift), part("periodic"), part("gradient")) : null;
}

function putCell(strips, cell, extent) {
  const lines = cell ? cell.edges() : [];
  strips.begin(lines.length);
  strips.own.uPlain.value = 1;
  for (const [from, to] of lines) {
    const k = strips.batch.count;
    strips.add(from, 0, 0, 0.002 * extent, 0);
    for (let c = 0; c < 3; c++) strips.batch.array.to[3 * k + c] = to[c];
  }
  strips.end();
}
