// The scene that three.js draws: balls, other shapes, planes. Also decides what is shown of a frame, and finds the body under the mouse.

function turnVector(q, v) {
  const [w, x, y, z] = q, tx = y * v[2] - z * v[1] + w * v[0], ty = z * v[0] - x * v[2] + w * v[1], tz = x * v[1] - y * v[0] + w * v[2];
  return [v[0] + 2 * (y * tz - z * ty), v[1] + 2 * (z * tx - x * tz), v[2] + 2 * (x * ty - y * tx)];
}
const turnProduct = (a, b) => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]];
// Returns the rotation that maps +z to the unit vector n.
function turnFromZ(n) {
  if (n[2] < -0.999999) return [0, 1, 0, 0];
  const q = [1 + n[2], -n[1], n[0], 0], size = Math.hypot(...q);
  return q.map((x) => x / size);
}

// Instances of one mesh: named arrays that grow.
class Batch {
  constructor(geometry, material, parts, order) {
    this.geometry = geometry;
    this.parts = parts;
    this.room = 0;
    this.count = 0;
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order || 0;
    this.mesh.visible = false;
    this.array = {};
  }

  // Reserves `count` instances; their arrays are in this.array.
  begin(count) {
    this.count = 0;
    if (count <= this.room) return;
    this.room = Math.ceil(count * 1.2) + 16;
    for (const name in this.parts) {
      this.array[name] = new Float32Array(this.room * this.parts[name]);
      const attribute = new THREE.InstancedBufferAttribute(this.array[name], this.parts[name]);
      attribute.setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
    }
  }

  // Shows the first this.count instances from now on.
  end() {
    this.mesh.visible = this.count > 0;
    this.geometry.instanceCount = this.geometry.maxInstancedCount = this.count;
    for (const name in this.parts) {
      const attribute = this.geometry.getAttribute(name);
      if (!attribute) continue;
      attribute.updateRange.count = this.count * this.parts[name];
      attribute.needsUpdate = true;
    }
  }
}

const SHAPE_PARTS = { centre: 3, turn: 4, size: 4, value: 1, row: 1 };

// Returns whether there is no graphics processor: then edges are not smoothed, and pictures in motion are coarse.
function drawnByProcessor() {
  const context = document.createElement("canvas").getContext("webgl2"), names = context && context.getExtension("WEBGL_debug_renderer_info");
  const name = names ? context.getParameter(names.UNMASKED_RENDERER_WEBGL) : "";
  if (context) context.getExtension("WEBGL_lose_context").loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

class Stage {
  constructor(canvas, source) {
    this.slow = drawnByProcessor();
    const context = canvas.getContext("webgl2", { antialias: !this.slow, alpha: false });
    if (!context) throw new Error("this browser has no WebGL 2, which draws the page");
    this.renderer = new THREE.WebGLRenderer({ canvas, context });
    this.renderer.sortObjects = true;
    this.source = source;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
    this.maps = { groups: groupTexture() };
    this.shared = {
      uUp: { value: new THREE.Vector3(0, 0, 1) }, uKey: { value: new THREE.Vector3(0, 0, 1) }, uPick: { value: 0 }, uLow: { value: new THREE.Vector3() }, uHigh: { value: new THREE.Vector3() },
      uShrink: { value: 1 }, uSlice: { value: 0 }, uChosen: { value: new THREE.Vector3(-1, 0, 0) }, uMap: { value: this.map("viridis") },
      uRange: { value: new THREE.Vector2(0, 1) }, uCategories: { value: 0 }, uPlain: { value: 0 }, uOne: { value: new THREE.Color("#7d9cc0") },
    };
    this.wallOpacity = { value: 0.3 };
    this.planeInk = { value: new THREE.Color("#888") };
    this.gridStep = { value: 1 };
    this.batches = new Map();
    this.facets = new Map();
    this.ballRows = new Uint32Array(0);
    this.picked = new THREE.WebGLRenderTarget(1, 1);
    this.makeMaterials();
  }

  map(name) { return this.maps[name] || (this.maps[name] = mapTexture(name)); }

  material(vertexShader, fragmentShader, own, more) {
    return new THREE.ShaderMaterial(Object.assign({
      vertexShader, fragmentShader, defines: {}, uniforms: Object.assign({}, this.shared, own), extensions: { fragDepth: true, derivatives: true }, side: THREE.DoubleSide,
    }, more));
  }

  makeMaterials() {
    const glass = { transparent: true, depthWrite: false };
    const full = { uShrink: { value: 1 } };
    const still = Object.assign({ uPlain: { value: 1 }, uOne: { value: new THREE.Color("#9aa3ad") } }, full);
    this.ballMaterials = [this.ballMaterial(), this.ballMaterial(still)];
    this.shapeMaterial = this.material(SHAPE_VERTEX, SHAPE_FRAGMENT, { uOpacity: { value: 1 } });
    this.wallMaterial = this.material(SHAPE_VERTEX, SHAPE_FRAGMENT, Object.assign({ uOpacity: this.wallOpacity, uSlice: this.shared.uWallSlice = { value: 0 } }, still), glass);
    const vertex = SHAPE_VERTEX.replace("varying float vValue", "varying vec4 vSize;\nvarying float vValue").replace("vUnit = position;", "vUnit = position; vSize = size;");
    this.planeMaterial = this.material(vertex, PLANE_FRAGMENT, { uOpacity: this.wallOpacity, uSlice: this.shared.uWallSlice, uInk: this.planeInk, uGrid: this.gridStep, uShrink: full.uShrink }, glass);
  }

  // Returns the materials of exact balls (solid) and of balls from a distance (points), which share their uniforms.
  ballMaterial(own) {
    const solid = this.material(BALL_VERTEX, BALL_FRAGMENT,
      Object.assign({ uPlaces: { value: null }, uValues: { value: null }, uTurns: { value: null }, uPixels: { value: 1 } }, own));
    const points = new THREE.ShaderMaterial({
      vertexShader: POINT_VERTEX, fragmentShader: POINT_FRAGMENT, defines: {}, uniforms: solid.uniforms,
    });
    return { solid, points };
  }

  batch(key, make) {
    let batch = this.batches.get(key);
    if (!batch) {
      this.batches.set(key, batch = make());
      this.scene.add(...(batch.meshes || [batch.mesh]));
    }
    return batch;
  }

  balls(still) {
    return this.batch(still ? "still balls" : "balls", () => new Cloud(this.ballMaterials[still ? 1 : 0]));
  }

  // Returns the batch of a shape's mesh; null while the triangles of a hull or mesh are being fetched.
  shapes(type, number, wall) {
    if (type === HALFSPACE) return this.batch("planes", () => new Batch(planeGeometry(), this.planeMaterial, SHAPE_PARTS, 2));
    const facets = number >= 0, key = `${type}/${facets ? number : ""}/${wall}`;
    if (facets && !this.facets.has(number)) return this.fetchFacets(number), null;
    if (facets && this.facets.get(number) instanceof Promise) return null;
    return this.batch(key, () => new Batch(
      facets ? facetGeometry(...this.facets.get(number)) : shapeGeometry(type), wall ? this.wallMaterial : this.shapeMaterial, SHAPE_PARTS, wall ? 1 : 0));
  }

  fetchFacets(number) {
    const coming = this.source.geometry(number).then((columns) => {
      this.facets.set(number, [columns.points.array, columns.triangles.array]);
      this.changed();
    });
    this.facets.set(number, coming);
  }

  // Waits for triangles that are being fetched.
  async settled() { await Promise.all([...this.facets.values()].filter((entry) => entry instanceof Promise)); }
  changed() {}

  // ---- visibility ----

  // Returns for each body whether it is shown: not in a hidden group or kind, and not cut off by its centre.
  filter(frame, show) {
    const roster = frame.roster, pass = new Uint8Array(frame.count), p = frame.position;
    const [low, high] = [show.low, show.high], cut = show.cut && !show.slice;
    if (!cut && !show.kinds.size && !show.groups.size) return pass.fill(1);
    for (let i = 0; i < frame.count; i++) {
      if (show.kinds.has(roster.kind[i]) || show.groups.has(roster.group[i])) continue;
      if (cut && roster.kind[i] === 0 && !(p[3 * i] >= low[0] && p[3 * i] <= high[0] && p[3 * i + 1] >= low[1] && p[3 * i + 1] <= high[1] && p[3 * i + 2] >= low[2] && p[3 * i + 2] <= high[2])) continue;
      pass[i] = 1;
    }
    return pass;
  }

  // show: {field, range, map, kinds, groups, low, high, cut, slice, spots, walls, bodies, chosen, middle, extent}
  put(frame, show) {
    const value = show.field.of, shared = this.shared;
    shared.uPlain.value = value ? 0 : 1;
    shared.uCategories.value = show.field.categories ? 1 : 0;
    shared.uMap.value = show.field.categories ? this.maps.groups : this.map(show.map);
    shared.uRange.value.set(show.range[0], show.range[1]);
    shared.uLow.value.set(...show.low);
    shared.uHigh.value.set(...show.high);
    shared.uSlice.value = show.cut && show.slice ? 1 : 0;
    shared.uWallSlice.value = show.cut ? 1 : 0;
    this.define({ SLICE: show.cut && show.slice, SPOTS: show.spots && frame.turn });
    shared.uChosen.value.x = show.chosen;
    this.wallOpacity.value = show.walls;
    shared.uShrink.value = show.bodies;
    const pass = this.pass = this.filter(frame, show);
    for (const batch of this.batches.values()) batch.begin(0);
    this.putBalls(frame, pass, value, show);
    this.putShapes(frame, pass, value, show);
    for (const batch of this.batches.values()) batch.end();
  }

  // Sets the macros with which the shaders of balls are compiled.
  define(wanted) {
    for (const { solid } of this.ballMaterials)
      for (const name in wanted) {
        if (Boolean(solid.defines[name]) === Boolean(wanted[name])) continue;
        if (wanted[name]) solid.defines[name] = 1;
        else delete solid.defines[name];
        solid.needsUpdate = true;
      }
  }

  putBalls(frame, pass, value, show) {
    const { ball, kind } = frame.roster;
    if (this.ballRows.length < frame.count) this.ballRows = new Uint32Array(frame.count);
    for (const still of [false, true]) {
      const rows = this.ballRows;
      let count = 0;
      for (let i = 0; i < frame.count; i++) if (ball[i] && pass[i] && (kind[i] !== 0) === still) rows[count++] = i;
      if (!count) continue;
      const cloud = this.balls(still);
      cloud.begin(count);
      cloud.rows.set(rows.subarray(0, count)), cloud.count = count;
      cloud.take(frame, value, { whole: Boolean(show.cut && show.slice), turns: Boolean(show.spots), scale: still ? 1 : show.bodies });
    }
  }

  putShapes(frame, pass, value, show) {
    const roster = frame.roster, shape = roster.shape, wanted = new Map();
    for (let k = 0; k < shape.count; k++) {
      if (!pass[shape.body[k]]) continue;
      const batch = this.shapes(shape.type[k], shape.geometry[k], roster.kind[shape.body[k]] !== 0);
      if (!batch) continue;
      if (!wanted.has(batch)) wanted.set(batch, []);
      wanted.get(batch).push(k);
    }
    for (const [batch, list] of wanted) {
      batch.begin(list.length);
      for (const k of list) this.putShape(batch, frame, k, value, show);
    }
  }

  putShape(batch, frame, k, value, show) {
    const shape = frame.roster.shape, i = shape.body[k], at = batch.count++, a = batch.array;
    const turn = frame.turnOfShape(k);
    const off = turnVector(turn, shape.position.subarray(3 * k, 3 * k + 3));
    let centre = [0, 1, 2].map((c) => frame.position[3 * i + c] + off[c]), whole = turnProduct(turn, shape.turn.subarray(4 * k, 4 * k + 4)), size = shapeSize(shape, k);
    if (shape.type[k] === HALFSPACE) {
      const n = turnVector(whole, shape.normal.subarray(3 * k, 3 * k + 3)), high = n[0] * (show.middle[0] - centre[0]) + n[1] * (show.middle[1] - centre[1]) + n[2] * (show.middle[2] - centre[2]);
      centre = show.middle.map((x, c) => x - high * n[c]);
      whole = turnFromZ(n);
      size = [3 * show.extent, 3 * show.extent, 1, 0];
    }
    a.centre.set(centre, 3 * at), a.turn.set(whole, 4 * at), a.size.set(size, 4 * at);
    a.row[at] = i;
    a.value[at] = shownValue(value, frame, i);
  }

  // ---- drawing ----

  resize(width, height, ratio) {
    this.width = width, this.height = height, this.ratio = ratio;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  look(view, extent) {
    const c = this.camera, distance = Math.hypot(...view.position.map((x, i) => x - view.target[i]));
    c.position.set(...view.position);
    c.up.set(...view.up);
    c.lookAt(...view.target);
    c.fov = view.fov;
    c.near = Math.max(distance - 4 * extent, 0.004 * distance);
    c.far = distance + 6 * extent;
    c.updateProjectionMatrix();
    c.updateMatrixWorld();
    this.shared.uKey.value.set(-0.35, 0.62, 0.70).normalize().transformDirection(c.matrixWorld);
  }

  // Fills the clouds with the balls that the camera sees.
  seeBalls() { for (const cloud of this.clouds()) cloud.see(this.camera, this.height * this.ratio); }

  clouds() { return ["balls", "still balls"].map((key) => this.batches.get(key)).filter((cloud) => cloud && cloud.frame); }

  draw(background) {
    this.seeBalls();
    this.renderer.setRenderTarget(null);
    this.renderer.setClearColor(background, 1);
    this.renderer.render(this.scene, this.camera);
  }

  // Returns the row of the body at a point of the canvas, -1 if there is none. Ignores walls.
  pick(x, y) {
    const pixel = new Uint8Array(4), hidden = [];
    const kept = new Set([this.shapeMaterial, ...this.ballMaterials.flatMap(({ solid, points }) => [solid, points])]);
    for (const batch of this.scene.children) if (!kept.has(batch.material) && batch.visible) hidden.push(batch), batch.visible = false;
    this.seeBalls();
    for (const cloud of this.clouds()) cloud.showAs(false);
    this.camera.setViewOffset(this.width, this.height, x, y, 1, 1);
    this.shared.uPick.value = 1;
    this.renderer.setRenderTarget(this.picked);
    this.renderer.setClearColor("#000000", 0);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    this.renderer.readRenderTargetPixels(this.picked, 0, 0, 1, 1, pixel);
    this.renderer.setRenderTarget(null);
    this.shared.uPick.value = 0;
    this.camera.clearViewOffset();
    for (const batch of hidden) batch.visible = true;
    return pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
  }
}
