// The viewer's position: rotates about a target and keeps its upward direction.

const vec = {
  add: (a, b) => a.map((x, i) => x + b[i]), sub: (a, b) => a.map((x, i) => x - b[i]), scale: (a, s) => a.map((x) => x * s),
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2], length: (a) => Math.hypot(...a),
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  unit: (a) => { const size = Math.hypot(...a) || 1; return a.map((x) => x / size); },
};
// Returns v rotated by an angle about a unit axis.
function turnAbout(v, axis, angle) {
  const c = Math.cos(angle), s = Math.sin(angle), along = vec.dot(v, axis), side = vec.cross(axis, v);
  return v.map((x, i) => x * c + side[i] * s + axis[i] * along * (1 - c));
}

class Eye {
  constructor() { this.set({ position: [0, -1, 0], target: [0, 0, 0], up: [0, 0, 1], fov: 35 }); }

  set(view) {
    Object.assign(this, { position: [...view.position], target: [...view.target], up: vec.unit(view.up), fov: view.fov });
    const ahead = vec.unit(vec.sub(this.target, this.position));
    if (Math.abs(vec.dot(ahead, this.up)) > 0.9999) this.up = vec.unit(vec.cross(vec.cross(ahead, Math.abs(ahead[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0]), ahead));
  }

  get distance() { return vec.length(vec.sub(this.position, this.target)); }
  get ahead() { return vec.unit(vec.sub(this.target, this.position)); }
  get right() { return vec.unit(vec.cross(this.ahead, this.up)); }
  get above() { return vec.cross(this.right, this.ahead); }

  // Rotates about the target: angles about the upward direction, and up or down [rad].
  orbit(around, upwards) {
    let back = turnAbout(vec.sub(this.position, this.target), this.up, -around);
    const angle = Math.acos(Math.min(1, Math.max(-1, vec.dot(vec.unit(back), this.up))));
    const change = Math.min(Math.max(upwards, angle - Math.PI + 0.01), angle - 0.01);
    const side = vec.unit(vec.cross(back, this.up));
    back = turnAbout(back, side, change);
    this.position = vec.add(this.target, back);
  }

  // Shifts the view by fractions of the picture's height.
  pan(x, y) {
    const unit = 2 * this.distance * Math.tan(this.fov * Math.PI / 360);
    const shift = vec.add(vec.scale(this.right, -x * unit), vec.scale(this.above, y * unit));
    this.position = vec.add(this.position, shift), this.target = vec.add(this.target, shift);
  }

  // Moves nearer by a factor below 1; (x, y): point of the picture that stays in place, from the middle in fractions of its height.
  zoom(factor, x = 0, y = 0) {
    this.pan(-x, -y);
    this.position = vec.add(this.target, vec.scale(vec.sub(this.position, this.target), factor));
    this.pan(x, y);
  }

  // Places the viewer in a direction so that a whole box is visible.
  fit({ low, high, middle }, from, up, aspect) {
    const tall = Math.tan(this.fov * Math.PI / 360) / 1.12, back = vec.unit(from);
    this.set({ target: middle, position: vec.add(middle, back), up, fov: this.fov });
    const right = this.right, above = this.above;
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const corner = middle.map((x, c) => (k >> c & 1 ? high[c] : low[c]) - x);
      distance = Math.max(distance, vec.dot(corner, back) + Math.max(Math.abs(vec.dot(corner, right)) / (tall * aspect), Math.abs(vec.dot(corner, above)) / tall));
    }
    this.position = vec.add(middle, vec.scale(back, distance));
  }

  // Returns the view as in the address and in a scene's table `view`: lists of numbers.
  view() { return { position: this.position, target: this.target, up: this.up, angle: [this.fov] }; }
  texts() { return Object.entries(this.view()).map(([key, list]) => `${key}=${list.map((x) => Number(x.toPrecision(6))).join(",")}`); }

  // Sets the given parts of a view. Returns true if it has a position; uses its up and angle in any case.
  take(view) {
    const three = (list) => Array.isArray(list) && list.length === 3 && list.every(isFinite), angle = Number(view.angle);
    const fov = angle > 0 && angle < 170 ? angle : this.fov, up = three(view.up) && vec.length(view.up) > 0 ? view.up : this.up;
    const placed = three(view.position) && three(view.target) && vec.length(vec.sub(view.position, view.target)) > 0;
    this.set(Object.assign({}, this, { fov, up }, placed ? { position: view.position, target: view.target } : {}));
    return placed;
  }
}

// Mouse and touch on an element: left button or one finger rotates, right or middle button or shift shifts, wheel or two
// fingers zoom. on: {moved(), clicked(x, y), twice(x, y)}
function steerBy(element, eye, on) {
  const down = new Map();
  let way = 0, spread = 0, last = 0;
  const height = () => element.clientHeight;
  const middle = () => {
    const all = [...down.values()];
    return [all.reduce((sum, p) => sum + p.x, 0) / all.length, all.reduce((sum, p) => sum + p.y, 0) / all.length];
  };
  const apart = () => { const [a, b] = [...down.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };

  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    down.set(event.pointerId, { x: event.offsetX, y: event.offsetY, shift: event.button > 0 || event.shiftKey });
    if (down.size === 1) way = 0;
    if (down.size === 2) spread = apart();
  });
  element.addEventListener("pointermove", (event) => {
    const point = down.get(event.pointerId);
    if (!point) return;
    const before = middle();
    way += Math.abs(event.offsetX - point.x) + Math.abs(event.offsetY - point.y);
    point.x = event.offsetX, point.y = event.offsetY;
    const [x, y] = middle().map((value, i) => (value - before[i]) / height());
    if (down.size === 1 && !point.shift) eye.orbit(x * 4, y * 4);
    else eye.pan(x, y);
    if (down.size === 2 && spread > 0) eye.zoom(spread / apart()), spread = apart();
    on.moved();
  });
  const up = (event) => {
    if (!down.delete(event.pointerId) || way > 4 || down.size || event.type !== "pointerup" || event.button > 0) return;
    if (event.timeStamp - last < 350) on.twice(event.offsetX, event.offsetY);
    else on.clicked(event.offsetX, event.offsetY);
    last = event.timeStamp;
  };
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", up);
  element.addEventListener("wheel", (event) => {
    event.preventDefault();
    const factor = Math.exp(Math.max(-0.4, Math.min(0.4, event.deltaY * (event.deltaMode ? 0.05 : 0.0015))));
    eye.zoom(factor, (event.offsetX - element.clientWidth / 2) / height(), (event.offsetY - height() / 2) / height());
    on.moved();
  }, { passive: false });
}
