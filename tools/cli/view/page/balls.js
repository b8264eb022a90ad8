// Balls of a frame. The graphics processor gets the visible balls as texels. It draws them as exact balls or,
// from a distance, as points.

const CULL_FROM = 3000; // above this number of balls, hidden balls are left out
const POINT_PIXELS = 1.5; // largest radius of balls that are drawn as points [pixels]

// Returns the number that colours a body, -1e30 if it has none.
function shownValue(of, frame, row) {
  const value = of ? of(frame, row) : NaN;
  return value === value ? value : -1e30;
}

// Balls of one material. The texels of one texture contain centre and radius, those of the other value and
// row.
class Cloud {
  // materials: {solid, points}
  constructor(materials) {
    this.materials = materials;
    this.solid = new THREE.Mesh(new THREE.BufferGeometry(), materials.solid);
    this.points = new THREE.Points(new THREE.BufferGeometry(), materials.points);
    this.meshes = [this.solid, this.points];
    for (const part of this.meshes) part.frustumCulled = part.visible = false;
    this.cull = new Cull();
    this.rows = new Uint32Array(0);
    this.count = this.drawn = this.room = 0;
    this.seenFrom = "";
  }

  // Reserves the rows of `count` balls. The caller writes them to this.rows and sets this.count to their number.
  begin(count) {
    this.count = 0;
    if (count > this.rows.length) this.rows = new Uint32Array(Math.ceil(1.1 * count));
  }

  // Sets the frame of the balls in this.rows, and the function that returns the number that colours a body. show: {whole: no ball hides another, turns: the balls have marks, scale}
  take(frame, of, show) { this.frame = frame, this.of = of, this.show = show; }

  // Ends a change of this.rows: the next picture shows its first this.count balls.
  end() { this.seenFrom = ""; }

  // Grows the textures to `count` texels.
  grow(count) {
    if (count <= this.room) return;
    const lines = Math.ceil(count * 1.1 / 2048), room = this.room = 2048 * lines, corners = new Int8Array(12 * room);
    for (let k = 0; k < corners.length; k += 12) corners.set([-1, -1, 0, 0, 1, -1, 0, 0, 0, 2, 0, 0], k);
    const put = (part, array, components) => {
      part.geometry.dispose();
      part.geometry = new THREE.BufferGeometry();
      part.geometry.setAttribute("position", new THREE.BufferAttribute(array, components));
    };
    put(this.solid, corners, 4), put(this.points, new Int8Array(4 * room), 4);
    for (const [name, uniform] of [["place", "uPlaces"], ["value", "uValues"], ["turn", "uTurns"]]) {
      if (this[name + "s"]) this[name + "s"].dispose();
      this[name] = new Float32Array(4 * room);
      this[name + "s"] = this.materials.solid.uniforms[uniform].value = new THREE.DataTexture(this[name], 2048, lines, THREE.RGBAFormat, THREE.FloatType);
    }
  }
  // Chooses the balls that a camera sees, and how they are drawn. pixels: height of the picture.
  see(camera, pixels) {
    const from = [...camera.matrixWorldInverse.elements, camera.fov, camera.aspect].join();
    if (from !== this.seenFrom) this.fill(camera);
    this.seenFrom = from;
    const scale = pixels / (2 * Math.tan(camera.fov * Math.PI / 360));
    this.materials.solid.uniforms.uPixels.value = scale;
    this.showAs(this.largest * scale <= POINT_PIXELS);
  }

  // Chooses how balls are drawn: as points, or as exact balls.
  showAs(points) {
    this.isPoints = points;
    this.points.visible = points && this.drawn > 0, this.solid.visible = !points && this.drawn > 0;
  }

  fill(camera) {
    const { rows, count, frame, show, cull } = this, culled = count > CULL_FROM && !show.whole;
    this.drawn = !culled ? count : cull.find(rows, count, frame.position, frame.roster.radius, show.scale, camera.matrixWorldInverse.elements,
      Math.tan(camera.fov * Math.PI / 360), camera.aspect);
    this.largest = culled ? cull.largest : 1;
    if (this.room > 4 * this.drawn + 16384) this.room = 0;
    this.grow(this.drawn);
    for (let k = 0; k < this.drawn; k++) this.put(k, culled ? cull.found[k] : rows[k]);
    this.solid.geometry.setDrawRange(0, 3 * this.drawn), this.points.geometry.setDrawRange(0, this.drawn);
    this.places.needsUpdate = this.values.needsUpdate = true;
    if (show.turns) this.turns.needsUpdate = true;
  }

  // Writes the texels of one ball.
  put(k, row) {
    const { place, value, frame } = this, p = frame.position;
    place[4 * k] = p[3 * row], place[4 * k + 1] = p[3 * row + 1], place[4 * k + 2] = p[3 * row + 2], place[4 * k + 3] = frame.roster.radius[row];
    value[4 * k] = shownValue(this.of, frame, row), value[4 * k + 1] = row;
    if (this.show.turns && frame.turn) for (let c = 0; c < 4; c++) this.turn[4 * k + c] = frame.turn[4 * row + c];
  }
}
