// Finds the balls that other balls hide, so that only the balls in sight reach the graphics processor.
//
// The picture is divided into cells. The plane through the centre of a ball, parallel to the picture, cuts the ball in a
// circle. The ball covers the cells inside this circle, because every ray through such a cell hits the ball at the depth of
// its centre or before. A ball is hidden if every cell that its outline touches is covered at a smaller depth than the depth
// of the ball's nearest point. Therefore no ball that would change a pixel is left out.
//
// The balls that were in sight last time cover the cells first. If there are few such balls, all balls are tested from near
// to far. Most hidden balls are found by tiles of cells, without tests of single cells.

const CULL_BINS = 4096; // bins of depth by which balls are sorted
const CULL_CELLS = 1 << 20; // largest number of cells of the picture
const CULL_ACROSS = 3.5; // cells in the radius of a mean ball
const CULL_TILE = 8; // cells along the edge of a tile

class Cull {
  constructor() {
    this.room = 0;
    this.cells = new Float32Array(0);
    this.tiles = new Float32Array(0);
    this.bins = new Uint32Array(CULL_BINS + 2);
    this.seeds = new Uint8Array(0);
    this.shown = 0;
  }

  // Grows the arrays for `count` balls.
  grow(count) {
    if (count <= this.room) return;
    this.room = Math.ceil(1.2 * count);
    this.seen = new Float32Array(4 * this.room);
    this.order = new Uint32Array(this.room);
    this.found = new Uint32Array(this.room);
    this.shown = 0;
  }

  // Returns the number of balls in sight. this.found holds their rows; this.largest is the largest radius of a ball as a
  // share of its distance. rows: [count] rows of the balls in `position` and `radius`; scale: factor of the radii; view: 16
  // numbers of the matrix from the scene to the eye; high: tangent of half the vertical angle.
  find(rows, count, position, radius, scale, view, high, aspect) {
    this.grow(count);
    const usual = this.place(rows, count, position, radius, scale, view), last = this.takeSeeds(rows, count, position.length / 3);
    this.divide(usual, high, aspect);
    this.shown = this.largest = 0;
    if (last) this.coverSeeds(last);
    else this.sort(count);
    this.measureTiles();
    for (let o = 0; o < count; o++) {
      const k = last ? o : this.order[o];
      if (last && this.seeds[rows[k]]) continue;
      if (this.see(k, true)) this.found[this.shown++] = rows[k];
    }
    for (let k = 0; k < count && last; k++) if (this.seeds[rows[k]] && this.see(k, false)) this.found[this.shown++] = rows[k];
    return this.shown;
  }

  // Computes the positions of the balls relative to the eye: right, up, ahead, and the radius. Returns the mean of radius over distance.
  place(rows, count, p, radius, scale, m) {
    const seen = this.seen;
    let near = Infinity, far = -Infinity, sum = 0, parts = 0;
    for (let k = 0; k < count; k++) {
      const at = 3 * rows[k], x = p[at], y = p[at + 1], z = p[at + 2], ahead = -(m[2] * x + m[6] * y + m[10] * z + m[14]), r = scale * radius[rows[k]];
      seen[4 * k] = m[0] * x + m[4] * y + m[8] * z + m[12];
      seen[4 * k + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
      seen[4 * k + 2] = ahead, seen[4 * k + 3] = r;
      if (ahead > 0) {
        if (ahead < near) near = ahead;
        if (ahead > far) far = ahead;
        sum += r / ahead, parts++;
      }
    }
    this.near = near, this.far = far > near ? far : near + 1;
    return parts ? sum / parts : 1;
  }

  // Marks the rows that were visible last time, and lists those among `rows` in this.order. Returns their number, or 0 if there are few.
  takeSeeds(rows, count, bodies) {
    if (this.seeds.length < bodies) this.seeds = new Uint8Array(bodies);
    this.seeds.fill(0);
    for (let s = 0; s < this.shown; s++) if (this.found[s] < bodies) this.seeds[this.found[s]] = 1;
    let last = 0;
    for (let k = 0; k < count; k++) if (this.seeds[rows[k]]) this.order[last++] = k;
    return last > 0.01 * count ? last : 0;
  }

  // Chooses the size of the cells, in tangents of the angle from the middle of the picture. usual: mean of radius over distance.
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
    const { seen, bins, order, near, far } = this, factor = (CULL_BINS - 1) / (far - near);
    const binOf = (k) => Math.max(0, Math.min((seen[4 * k + 2] - near) * factor, CULL_BINS - 1)) | 0;
    bins.fill(0);
    for (let k = 0; k < count; k++) bins[binOf(k) + 1]++;
    for (let b = 0; b < CULL_BINS; b++) bins[b + 1] += bins[b];
    for (let k = 0; k < count; k++) order[bins[binOf(k)]++] = k;
  }

  coverSeeds(last) {
    const { seen, order, edge, left, top } = this;
    for (let s = 0; s < last; s++) {
      const at = 4 * order[s], z = seen[at + 2], r = seen[at + 3];
      if (z >= 1.5 * r) this.cover((seen[at] / z + left) / edge, (seen[at + 1] / z + top) / edge, r / z / edge, z);
    }
  }

  // Computes the largest depth of the cells in each tile.
  measureTiles() {
    const { cells, columns, rows } = this, across = this.across = Math.ceil(columns / CULL_TILE), count = across * Math.ceil(rows / CULL_TILE);
    if (this.tiles.length < count) this.tiles = new Float32Array(count);
    this.tiles.fill(0, 0, count);
    for (let j = 0, at = 0; j < rows; j++)
      for (let i = 0, line = Math.floor(j / CULL_TILE) * across; i < columns; i++, at++) {
        const tile = line + (i >> 3);
        if (cells[at] > this.tiles[tile]) this.tiles[tile] = cells[at];
      }
  }

  // Returns whether a ball is in sight. If `covers`, a ball in sight then covers its cells.
  see(k, covers) {
    const { seen, edge, left, top } = this, z = seen[4 * k + 2], r = seen[4 * k + 3];
    if (z < -r) return false;
    if (z < 1.5 * r) return this.largest = 1, true; // the eye is in the ball or close to it
    const x = seen[4 * k] / z, y = seen[4 * k + 1] / z, off2 = x * x + y * y, off = Math.sqrt(off2), open = r / Math.sqrt(z * z * (1 + off2) - r * r);
    // a circle about the centre that encloses the outline, which extends farthest away from the middle of the picture
    const reach = (1 - off * open > 1e-3 ? open * (1 + off2) / (1 - off * open) : 1e3) / edge, u = (x + left) / edge, v = (y + top) / edge;
    if (!this.isOpenTile(u, v, reach, z - r) || !this.isOpen(u, v, reach, z - r)) return false;
    if (r > this.largest * z) this.largest = r / z;
    if (covers) this.cover(u, v, r / z / edge, z);
    return true;
  }

  // Returns whether the square about a circle touches a tile that has a cell not covered before `depth`.
  isOpenTile(u, v, reach, depth) {
    const { tiles, across, columns, rows } = this;
    const low = Math.max(0, Math.floor((v - reach) / CULL_TILE)), high = Math.floor(Math.min(rows - 1, v + reach) / CULL_TILE);
    const from = Math.max(0, Math.floor((u - reach) / CULL_TILE)), to = Math.floor(Math.min(columns - 1, u + reach) / CULL_TILE);
    for (let j = low; j <= high; j++) for (let i = from; i <= to; i++) if (tiles[j * across + i] > depth) return true;
    return false;
  }

  // Returns whether a circle touches a cell that is not covered before `depth`.
  isOpen(u, v, reach, depth) {
    const { cells, columns, rows } = this, last = Math.min(rows - 1, Math.floor(v + reach));
    for (let j = Math.max(0, Math.floor(v - reach)); j <= last; j++) {
      const off = v < j ? j - v : v > j + 1 ? v - j - 1 : 0, half = Math.sqrt(Math.max(0, reach * reach - off * off));
      const to = j * columns + Math.min(columns - 1, Math.floor(u + half));
      for (let at = j * columns + Math.max(0, Math.floor(u - half)); at <= to; at++) if (cells[at] > depth) return true;
    }
    return false;
  }

  // Covers the cells inside a circle at `depth`.
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
