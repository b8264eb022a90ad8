// Strips with a width: forces between bodies, trails of bodies, joints.

const STRIP_PARTS = { from: 3, to: 3, wide: 1, value: 1 };

class Strips {
  constructor(stage, order) {
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, -1, 0, 1, 1, 0, 0, 1, 0]), 3));
    this.own = {
      uLeast: { value: 0.8 }, uPixels: { value: new THREE.Vector2(1, 1) }, uOpacity: { value: 1 }, uMap: { value: stage.map("magma") },
      uRange: { value: new THREE.Vector2(0, 1) }, uPlain: { value: 0 }, uCategories: { value: 0 }, uOne: { value: new THREE.Color("#e07b39") },
    };
    const material = new THREE.ShaderMaterial({ vertexShader: STRIP_VERTEX, fragmentShader: STRIP_FRAGMENT, uniforms: this.own, side: THREE.DoubleSide });
    this.batch = new Batch(geometry, material, STRIP_PARTS, order);
    stage.scene.add(this.batch.mesh);
  }

  begin(count) { this.batch.begin(count); }
  end() { this.batch.end(); }

  add(array, from, to, wide, value) {
    const at = this.batch.count++, a = this.batch.array;
    for (let c = 0; c < 3; c++) a.from[3 * at + c] = array[from + c], a.to[3 * at + c] = array[to + c];
    a.wide[at] = wide, a.value[at] = value;
  }

  // Sets the number of pixels that a length of 1 has at distance 1.
  measure(stage) {
    const half = Math.tan(stage.camera.fov * Math.PI / 360);
    this.own.uPixels.value.set(1, stage.height / (2 * half));
  }
}

// Returns the median radius of the moving bodies.
function usualRadius(roster) {
  if (roster.usual === undefined) {
    const all = roster.radius.filter((r, i) => roster.kind[i] === 0 && isFinite(r)).sort();
    roster.usual = all.length ? all[all.length >> 1] : 1;
  }
  return roster.usual;
}

// Returns the image of a point that is nearest to another point.
function nearestImage(cell, at, other) {
  return cell ? cell.near(Array.from(at), Array.from(other)) : at;
}

// Draws a line between the centres of two bodies for each force; to the contact point if one body is fixed or driven.
function putForces(strips, frame, pass, most) {
  strips.begin(frame.force ? frame.contacts : 0);
  if (!frame.force) return strips.end();
  const kind = frame.roster.kind, widest = 0.5 * usualRadius(frame.roster);
  strips.own.uRange.value.set(0, most);
  for (let k = 0; k < frame.contacts; k++) {
    const size = length3(frame.force, k), a = frame.pair[2 * k], b = frame.pair[2 * k + 1];
    if (!(size > 0.002 * most) || (a >= 0 && !pass[a] && kind[a] === 0) || (b >= 0 && !pass[b] && kind[b] === 0)) continue;
    const wide = widest * Math.min(1, size / most);
    const end = (row) => row >= 0 && kind[row] === 0 ? [frame.position, 3 * row] : [frame.point, 3 * k];
    const [from, at] = end(a), [to, where] = end(b), i = strips.batch.count;
    strips.add(from, at, at, wide, size);
    strips.batch.array.to.set(nearestImage(frame.cell, to.subarray(where, where + 3), from.subarray(at, at + 3)), 3 * i);
  }
  strips.end();
}

// Returns the 99th percentile of the magnitudes of forces [N]. The maximum would make all other lines thin after one impact.
function usualForce(frame) {
  const sizes = [];
  for (let k = 0; frame.force && k < frame.contacts; k++) {
    const size = length3(frame.force, k);
    if (size > 0) sizes.push(size);
  }
  sizes.sort((a, b) => a - b);
  return sizes.length ? sizes[Math.floor(0.99 * (sizes.length - 1))] : 1;
}

// Draws the trails of the bodies that pass over the given frames, oldest first; bodies in other rosters are found by id.
function putTrails(strips, frames, pass, chosen, value, extent) {
  const now = frames[frames.length - 1], rows = [];
  strips.begin(0);
  if (frames.length < 2) return strips.end();
  for (let i = 0; i < now.count; i++) if (now.roster.kind[i] === 0 && pass[i] && (chosen < 0 || chosen === i)) rows.push(i);
  strips.begin(rows.length * (frames.length - 1));
  const wide = Math.min(0.12 * usualRadius(now.roster), 0.003 * extent);
  for (let k = 0; k + 1 < frames.length; k++) {
    const a = frames[k], b = frames[k + 1], fade = (k + 1) / (frames.length - 1);
    for (const i of rows) {
      const id = now.roster.id[i], from = a.roster === now.roster ? i : a.roster.find(id), to = b.roster === now.roster ? i : b.roster.find(id);
      if (from < 0 || to < 0) continue;
      const at = strips.batch.count, ends = strips.batch.array;
      strips.add(a.path, 3 * from, 3 * from, wide * fade, value ? value[i] : fade);
      for (let c = 0; c < 3; c++) {
        const shown = now.position[3 * i + c] - now.path[3 * i + c];
        ends.from[3 * at + c] += shown, ends.to[3 * at + c] = b.path[3 * to + c] + shown;
      }
    }
  }
  strips.end();
}
