// Finds the balls that other balls hide, so that only the balls in sight reach the graphics processor.
//
// The picture is divided into cells. Balls are visited from front to back. The circle in which the plane through the centre
// of a ball meets the ball covers the cells that lie inside it: every ray through such a cell meets the ball at the depth of
// its centre or before. A ball is hidden if each cell that its outline touches is covered at a smaller depth than that of its
// nearest point. So no ball that would change a pixel is left out.

const CULL_BINS = 4096; // steps of depth in which balls are sorted
const CULL_CELLS = 1 << 20; // cells of the picture, at most
const CULL_ACROSS = 3.5; // cells in the radius of a usual ball

class Cull {
  constructor() {
    this.room = 0;
    this.cells = new Float32Array(0);
    this.bins = new Uint32Array(CULL_BINS + 2);
  }

  // Makes room for the places of `count` balls as the eye sees them.
  grow(count) {
    if (count <= this.room) return;
    this.room = Math.ceil(1.2 * count);
    this.seen = new Float32Array(3 * this.room);
    this.bin = new Uint16Array(this.room);
    this.order = new Uint32Array(this.room);
    this.found = new Uint32Array(this.room);
  }

  // Returns the number of balls in sight. this.found holds their places in `rows`, the nearest first; this.largest is the
  // largest radius of a ball as a share of its distance. rows: [count] rows of the balls in `position` and `radius`; scale:
  // factor of the radii; view: 16 numbers of the matrix from the scene to the eye; high: tangent of half the vertical angle.
  find(rows, count, position, radius, scale, view, high, aspect) {
    this.grow(count);
    const usual = this.place(rows, count, position, radius, scale, view);
    this.divide(usual, high, aspect);
    this.sort(count);
    return this.visit(rows, count, radius, scale);
  }

  // Places of the balls as the eye sees them: right, up and ahead. Returns the usual share of radius to distance.
  place(rows, count, p, radius, scale, m) {
    const seen = this.seen;
    let near = Infinity, far = -Infinity, sum = 0, parts = 0;
    for (let k = 0; k < count; k++) {
      const at = 3 * rows[k], x = p[at], y = p[at + 1], z = p[at + 2], ahead = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
      seen[3 * k] = m[0] * x + m[4] * y + m[8] * z + m[12];
      seen[3 * k + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
      seen[3 * k + 2] = ahead;
      if (ahead > 0) {
        if (ahead < near) near = ahead;
        if (ahead > far) far = ahead;
        sum += scale * radius[rows[k]] / ahead, parts++;
      }
    }
    this.near = near, this.far = far > near ? far : near + 1;
    return parts ? sum / parts : 1;
  }

  // Chooses the size of the cells, in tangents of the angle from the middle of the picture.
  divide(usual, high, aspect) {
    const most = Math.sqrt(4 * high * high * aspect / CULL_CELLS), edge = Math.max(usual / CULL_ACROSS, most);
    this.edge = edge;
    this.columns = Math.ceil(2 * high * aspect / edge), this.rows = Math.ceil(2 * high / edge);
    this.left = high * aspect, this.top = high;
    const cells = this.columns * this.rows;
    if (this.cells.length < cells) this.cells = new Float32Array(cells);
    this.cells.fill(Infinity, 0, cells);
  }

  // Sorts the balls by depth: a counting sort over bins.
  sort(count) {
    const { seen, bin, bins, order, near, far } = this, factor = (CULL_BINS - 1) / (far - near);
    bins.fill(0);
    for (let k = 0; k < count; k++) {
      const at = (seen[3 * k + 2] - near) * factor, b = at > 0 ? Math.min(at, CULL_BINS - 1) | 0 : 0;
      bin[k] = b, bins[b + 1]++;
    }
    for (let b = 0; b < CULL_BINS; b++) bins[b + 1] += bins[b];
    for (let k = 0; k < count; k++) order[bins[bin[k]]++] = k;
  }

  visit(rows, count, radius, scale) {
    const { seen, order, found, edge, left, top } = this;
    let shown = 0, largest = 0;
    for (let o = 0; o < count; o++) {
      const k = order[o], x = seen[3 * k], y = seen[3 * k + 1], z = seen[3 * k + 2], r = scale * radius[rows[k]];
      if (z < -r) continue;
      if (z < 1.5 * r) { // the eye is in the ball or close to it
        largest = 1, found[shown++] = k;
        continue;
      }
      const u = x / z, v = y / z, off = Math.sqrt(u * u + v * v), d2 = z * z * (1 + off * off), open = r / Math.sqrt(d2 - r * r);
      // a circle about the centre that holds the outline: the outline reaches farthest away from the middle of the picture
      const reach = 1 - off * open > 1e-3 ? open * (1 + off * off) / (1 - off * open) : 1e3;
      if (!this.isOpen((u + left) / edge, (v + top) / edge, reach / edge, z - r)) continue;
      if (r > largest * z) largest = r / z;
      found[shown++] = k;
      this.cover((u + left) / edge, (v + top) / edge, r / z / edge, z);
    }
    this.largest = largest;
    return shown;
  }

  // Whether a cell that a circle touches is not covered before a depth.
  isOpen(u, v, reach, depth) {
    const { cells, columns, rows } = this, last = Math.min(rows - 1, Math.floor(v + reach));
    for (let j = Math.max(0, Math.floor(v - reach)); j <= last; j++) {
      const off = v < j ? j - v : v > j + 1 ? v - j - 1 : 0, half = Math.sqrt(Math.max(0, reach * reach - off * off));
      const to = j * columns + Math.min(columns - 1, Math.floor(u + half));
      for (let at = j * columns + Math.max(0, Math.floor(u - half)); at <= to; at++) if (cells[at] > depth) return true;
    }
    return false;
  }

  // Covers the cells inside a circle.
  cover(u, v, reach, depth) {
    const { cells, columns, rows } = this, last = Math.min(rows - 1, Math.floor(v + reach));
    for (let j = Math.max(0, Math.ceil(v - reach)); j <= last; j++) {
      const off = Math.max(v - j, j + 1 - v);
      if (off >= reach) continue;
      const half = Math.sqrt(reach * reach - off * off), to = j * columns + Math.min(columns, Math.floor(u + half));
      for (let at = j * columns + Math.max(0, Math.ceil(u - half)); at < to; at++) if (cells[at] > depth) cells[at] = depth;
    }
  }
}
