// Unit meshes of the shapes as flat arrays: position, normal and, for capsules, the end that a corner belongs to.

// Numbers of the kinds that are drawn with unit meshes; other kinds come as triangles.
const SPHERE = 0, CAPSULE = 1, HALFSPACE = 2, BOX = 3, CYLINDER = 4, CONE = 5, ELLIPSOID = 6;

function unitGeometry(corners) {
  const geometry = new THREE.InstancedBufferGeometry();
  const flat = (name) => Float32Array.from(corners.flatMap((corner) => corner[name]));
  geometry.setAttribute("position", new THREE.BufferAttribute(flat("at"), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(flat("normal"), 3));
  geometry.setAttribute("end", new THREE.BufferAttribute(Float32Array.from(corners.map((corner) => corner.end || 0)), 1));
  return geometry;
}

// Returns the corners of a surface of revolution about z: profile points [r, z, normal r, normal z, end], joined in pairs.
function turnedCorners(bands, around) {
  const corners = [];
  const corner = ([r, z, nr, nz, end], k) => {
    const angle = 2 * Math.PI * k / around, c = Math.cos(angle), s = Math.sin(angle);
    return { at: [r * c, r * s, z], normal: [nr * c, nr * s, nz], end };
  };
  for (const [low, high] of bands)
    for (let k = 0; k < around; k++) {
      const a = corner(low, k), b = corner(low, k + 1), c = corner(high, k + 1), d = corner(high, k);
      corners.push(a, b, c, a, c, d);
    }
  return corners;
}

// Returns the bands of a unit sphere; ends: the caps belong to the ends of a capsule, with a tube between.
function sphereBands(count, ends) {
  const point = (i, end) => {
    const angle = Math.PI * (i / count - 0.5), r = Math.cos(angle), z = Math.sin(angle);
    return [r, z, r, z, end];
  };
  const bands = [];
  for (let i = 0; i < count; i++) {
    const end = ends ? (i < count / 2 ? -1 : 1) : 0;
    bands.push([point(i, end), point(i + 1, end)]);
  }
  if (ends) bands.push([[1, 0, 1, 0, -1], [1, 0, 1, 0, 1]]);
  return bands;
}

function boxCorners() {
  const corners = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-0.5, 0.5]) {
      const corner = (u, v) => {
        const at = [0, 0, 0], normal = [0, 0, 0];
        at[axis] = side, at[(axis + 1) % 3] = u, at[(axis + 2) % 3] = v;
        normal[axis] = 2 * side;
        return { at, normal };
      };
      const [a, b, c, d] = [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)];
      corners.push(a, b, c, a, c, d);
    }
  return corners;
}

function shapeGeometry(type) {
  switch (type) {
    case SPHERE:
    case ELLIPSOID: return unitGeometry(turnedCorners(sphereBands(20), 36));
    case CAPSULE: return unitGeometry(turnedCorners(sphereBands(12, true), 24));
    case BOX: return unitGeometry(boxCorners());
    case CYLINDER: return unitGeometry(turnedCorners([[[0, -0.5, 0, -1], [1, -0.5, 0, -1]], [[1, -0.5, 1, 0], [1, 0.5, 1, 0]], [[1, 0.5, 0, 1], [0, 0.5, 0, 1]]], 48));
    case CONE: return unitGeometry(turnedCorners([[[0, -0.5, 0, -1], [1, -0.5, 0, -1]], [[1, -0.5, 1, 1], [0, 0.5, 1, 1]]], 48));
    default: return unitGeometry(turnedCorners(sphereBands(8), 12));
  }
}

function planeGeometry() {
  const corner = (x, y) => ({ at: [x, y, 0], normal: [0, 0, 1] });
  return unitGeometry([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(([x, y]) => corner(x, y)));
}

// Returns the flat faces of a hull or mesh.
function facetGeometry(points, triangles) {
  const corners = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => Array.from(points.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3)));
    const u = b.map((x, i) => x - a[i]), v = c.map((x, i) => x - a[i]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], size = Math.hypot(...n) || 1;
    for (const at of [a, b, c]) corners.push({ at, normal: n.map((x) => x / size) });
  }
  return unitGeometry(corners);
}

// Returns the scale of the unit mesh for shape k of a roster: x, y, z and half the length of a capsule.
function shapeSize(shape, k) {
  const r = shape.radius[k], s = shape.size;
  if (shape.geometry[k] >= 0) return [1, 1, 1, 0];
  switch (shape.type[k]) {
    case SPHERE: return [r, r, r, 0];
    case CAPSULE: return [r, r, r, shape.length[k] / 2];
    case BOX: return [s[3 * k], s[3 * k + 1], s[3 * k + 2], 0];
    case CYLINDER:
    case CONE: return [r, r, shape.length[k], 0];
    case ELLIPSOID: return [s[3 * k] / 2, s[3 * k + 1] / 2, s[3 * k + 2] / 2, 0];
    default: return [1, 1, 1, 0];
  }
}
