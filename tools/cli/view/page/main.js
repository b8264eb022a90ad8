// The viewer: its state, and the reactions to changes of the state.

const DEFAULTS = {
  frame: 0, color: "speed", map: "viridis", fixedRange: null, eachFrame: false, cut: null, slice: false, hiddenGroups: [], hiddenKinds: [], walls: 0.3, bodies: 1, forces: false,
  trails: 0, spots: false, theme: "dark", plots: false, chosen: -1, follow: false, speed: 10, joints: true, plain: false, axes: 1,
};
const STORE_BYTES = 1.5e8; // memory for frames [bytes]
const WHOLE_BODIES = 20000; // up to this number of bodies a frame comes with all its fields, so that another colour needs no new frame
const SAMPLE_FROM = 100000; // above this number of bodies the box and the range of colours come from samples
const SPEEDS = [0.5, 1, 2, 5, 10, 15, 25, 30, 60];

class Viewer {
  constructor(source) {
    this.source = source;
    this.state = Object.assign({}, DEFAULTS);
    this.eye = new Eye();
    this.store = new FrameStore(source, STORE_BYTES);
    this.range = [0, 1];
    this.trouble = "";
    this.groups = this.kinds = [];
    this.times = new Float64Array(0);
    this.playing = false;
    this.errors = 0;
  }

  // ---- start ----

  async start() {
    this.about = await this.source.about();
    try { this.meta = JSON.parse(this.about.meta); } catch (error) { this.meta = {}; }
    this.defaults = Object.assign({}, DEFAULTS, this.sceneView());
    Object.assign(this.state, this.defaults);
    this.stage = new Stage(find("#scene"), this.source);
    this.stage.changed = () => this.show();
    this.forceStrips = new Strips(this.stage, 0);
    this.trailStrips = new Strips(this.stage, 0);
    this.jointStrips = new Strips(this.stage, 0);
    this.cellStrips = new Strips(this.stage, 0);
    this.placed = readAddress(location.hash, this.state, this.eye) || this.placed;
    this.live = !this.about.complete;
    await this.takeTimes();
    while (!this.times.length) {
      this.tell("The run has not written a frame yet.");
      await new Promise((done) => setTimeout(done, 500));
      await this.look();
    }
    this.tell("");
    this.card = new Card(this);
    this.tables = new Tables(this);
    this.wire();
    document.body.dataset.theme = this.state.theme;
    document.body.classList.toggle("plain", this.state.plain);
    this.resize();
    await this.goTo(this.live && !location.hash.includes("frame=") ? this.times.length - 1 : this.state.frame);
    if (!this.frame) return;
    this.panel = new Panel(this);
    await this.tables.update();
    requestAnimationFrame(() => this.tick());
    if (this.live) this.watch();
  }

  // Returns the settings in the scene's table `view`.
  sceneView() {
    const view = this.meta.view || {}, out = {};
    if (view.color) out.color = view.color;
    if (view.range) out.fixedRange = view.range;
    if (view.palette && Object.hasOwn(COLOUR_MAPS, view.palette)) out.map = view.palette;
    if (view.walls >= 0) out.walls = view.walls;
    this.eye.up = this.up();
    this.placed = this.eye.take(view);
    this.sight = view;
    return out;
  }

  // Returns the direction against gravity; +z without gravity.
  up() {
    if (this.meta.view && this.meta.view.up) return vec.unit(this.meta.view.up);
    const g = this.meta.gravity || [0, 0, 0];
    return Math.hypot(...g) > 0 ? vec.unit(vec.scale(g, -1)) : [0, 0, 1];
  }

  wire() {
    const canvas = find("#scene");
    steerBy(canvas, this.eye, {
      moved: () => { this.dirty = true; this.moving = performance.now(); this.remember(); },
      clicked: (x, y) => this.pickAt(x, y),
      twice: (x, y) => this.turnAboutAt(x, y),
    });
    new ResizeObserver(() => { this.resized = true; }).observe(find("#stage"));
    this.resized = true;
    for (const [id, act] of Object.entries({
      first: () => this.goTo(0), last: () => this.goTo(this.times.length - 1), back: () => this.step(-1), forth: () => this.step(1), play: () => this.play(),
      "panel-toggle": () => this.change({ plain: !this.state.plain }), "plots-toggle": () => this.change({ plots: !this.state.plots }), "help-toggle": () => find("#help").showModal(), stop: () => this.stopRun(),
    })) find("#" + id).addEventListener("click", act);
    find("#time").addEventListener("input", (event) => this.goTo(Number(event.target.value)));
    find("#speed").append(...SPEEDS.map((speed) => element("option", { value: speed, textContent: speed + "/s" })));
    find("#speed").addEventListener("change", (event) => this.change({ speed: Number(event.target.value) }));
    find("#stop").hidden = !this.about.can_stop;
    fillHelp(find("#help"));
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.takeAddress());
  }

  tell(text) {
    find("#notice").textContent = text;
    find("#notice").hidden = !text;
  }

  // ---- the run: existing and new frames ----

  async takeTimes() {
    const more = await this.source.times(this.times.length), all = new Float64Array(this.times.length + more.length);
    all.set(this.times), all.set(more, this.times.length);
    this.times = all;
  }

  // Fetches new times and frames. If the last frame is shown, shows the new last frame.
  async look() {
    const atEnd = this.frame && this.state.frame === this.times.length - 1, before = this.times.length;
    this.about = await this.source.about();
    if (this.about.frames < before) {
      this.times = new Float64Array(0);
      this.store = new FrameStore(this.source, STORE_BYTES);
    }
    if (this.about.frames !== this.times.length) await this.takeTimes();
    if (atEnd && this.times.length > before && !this.playing) await this.goTo(this.times.length - 1);
    this.live = !this.about.complete; // set after all that it describes has been fetched
  }

  async watch() {
    for (let quiet = 0; this.live && quiet < 20;) {
      await new Promise((done) => setTimeout(done, 700));
      try {
        await this.look();
        quiet = 0;
      } catch (error) {
        quiet++;
      }
      this.showBar();
      await this.tables.update();
    }
    await this.tables.update(true);
    if (this.live) this.tell("The program that serves this page has ended.");
    find("#stop").hidden = true;
    this.showBar();
  }

  async stopRun() {
    find("#stop").disabled = true;
    try { find("#stop").textContent = await this.source.stop(); } catch (error) { this.tell(error.message); }
  }

  // ---- frames ----

  // Returns the bits of the fields that are shown.
  fields() {
    const { state, about, field } = this;
    if (about.most_bodies <= WHOLE_BODIES) return 15 | (field ? field.need : 0) | (state.forces ? 16 : 0);
    return 1 | (field ? field.need : 4) | (state.spots ? 2 : 0) | (state.chosen >= 0 ? 12 : 0) | (state.forces ? 16 : 0);
  }

  // Returns a frame for the box and the range of colours: the frame itself, or for many bodies a sample of a
  // key frame near it.
  sample(number) {
    const fields = this.fields();
    return this.about.most_bodies > SAMPLE_FROM && !(fields & 16) ? this.source.sample(number, fields) : this.store.get(number, fields);
  }

  async goTo(number) {
    number = Math.max(0, Math.min(number, this.times.length - 1));
    const wanted = this.wanted = number;
    try {
      this.takeField();
      const frame = await this.store.get(number, this.fields());
      if (wanted !== this.wanted) return;
      this.frame = frame;
      this.state.frame = number;
      if (!this.bounds) await this.measure();
      await this.followChosen();
      if (!this.range.of || this.range.of !== this.field.text) await this.chooseRange();
      this.prefetch(number);
      await this.show();
      this.remember();
      this.failed = 0;
    } catch (error) {
      this.errors++;
      this.playing = false;
      this.tell(error.message);
      console.error(error);
    }
  }

  prefetch(number) {
    for (let k = 1; this.playing && k <= 3; k++)
      if (number + k < this.times.length) this.store.get(number + k, this.fields()).catch(() => {});
  }

  step(by) {
    this.playing = false;
    this.goTo(this.state.frame + by);
  }

  play() {
    this.playing = !this.playing;
    if (this.playing && this.state.frame === this.times.length - 1) this.goTo(0);
    this.due = performance.now();
    this.showBar();
  }

  // ---- the content ----

  // Finds the box, the groups and the kinds. The box bounds the moving bodies in this frame and in the last
  // frame of the run, or all bodies if nothing moves.
  async measure() {
    this.bounds = this.boxOf([this.frame, await this.sample(this.times.length - 1)]);
    if (!this.placed) this.fit();
    else if (this.placed !== "moved") this.eye.set({ position: vec.sub(this.eye.position, this.frame.origin), target: vec.sub(this.eye.target, this.frame.origin), up: this.eye.up, fov: this.eye.fov });
    this.placed = "moved";
    this.takeGroups();
  }

  boxOf(frames) {
    const low = [Infinity, Infinity, Infinity], high = low.map((x) => -x);
    for (const frame of frames) this.addBodies(frame, low, high);
    if (!(high[0] >= low[0])) low.fill(-1), high.fill(1);
    this.addHeld(low, high);
    return { low, high, middle: low.map((x, c) => (x + high[c]) / 2), extent: Math.max(Math.hypot(...low.map((x, c) => high[c] - x)) / 2, 1e-12) };
  }

  // Extends a box. Leaves out bodies far from the middle three fifths of all bodies, and the outermost half percent if there are many.
  addBodies({ position: p, count, roster }, low, high) {
    const moving = roster.kind.some((kind, i) => kind === 0 && isFinite(roster.radius[i])), ends = [], step = Math.max(1, Math.floor(count / 50000));
    let rows = [];
    for (let i = 0; i < count; i += step) if (isFinite(roster.radius[i]) && (!moving || roster.kind[i] === 0)) rows.push(i);
    const sort = () => [0, 1, 2].forEach((c) => { ends[c] = [-1, 1].map((side) => Float64Array.from(rows, (i) => p[3 * i + c] + side * roster.radius[i]).sort()); });
    sort();
    if (rows.length >= 5) {
      const spare = Math.floor(rows.length / 5), from = ends.map(([below]) => below[spare]), to = ends.map(([, above]) => above[above.length - 1 - spare]);
      const reach = (rows.length < 100 ? 5 : 3) * Math.hypot(...to.map((x, c) => x - from[c])), before = rows.length;
      rows = rows.filter((i) => [0, 1, 2].every((c) => p[3 * i + c] - roster.radius[i] > from[c] - reach && p[3 * i + c] + roster.radius[i] < to[c] + reach));
      if (rows.length < before) sort();
    }
    const strays = rows.length > 200 ? Math.ceil(rows.length / 200) : 0;
    for (let c = 0; c < 3 && rows.length; c++) low[c] = Math.min(low[c], ends[c][0][strays]), high[c] = Math.max(high[c], ends[c][1][rows.length - 1 - strays]);
  }

  // Returns whether a free body lies farther outside the box than half its diagonal.
  isFar({ position: p, roster }, i) {
    const { low, high, extent } = this.bounds, rim = extent + roster.radius[i], x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2];
    return roster.kind[i] === 0 && !(x > low[0] - rim && x < high[0] + rim && y > low[1] - rim && y < high[1] + rim && z > low[2] - rim && z < high[2] + rim);
  }

  // Returns a text such as "1 of 10 bodies is far away and not shown"; "" if there is none.
  tellFar(frame) {
    let free = 0, far = 0;
    for (let i = 0; i < frame.count; i++) if (frame.roster.kind[i] === 0) free++, far += this.isFar(frame, i);
    return far ? `${far} of ${free} bodies ${far === 1 ? "is" : "are"} far away and not shown` : "";
  }

  // Uses the box of the present frame from now on.
  fitFrame() {
    this.bounds = this.boxOf([this.frame]);
    this.fit();
    this.show();
  }

  // Extends the box by fixed and driven bodies that are not much larger than the moving bodies.
  addHeld(low, high) {
    const { position: p, count, roster } = this.frame, size = Math.hypot(...low.map((x, c) => high[c] - x)), middle = low.map((x, c) => (x + high[c]) / 2);
    for (let i = 0; i < count; i++) {
      const r = roster.radius[i];
      if (roster.kind[i] === 0 || !(r < 0.8 * size) || Math.hypot(...middle.map((x, c) => p[3 * i + c] - x)) > size) continue;
      for (let c = 0; c < 3; c++) low[c] = Math.min(low[c], p[3 * i + c] - 0.6 * r), high[c] = Math.max(high[c], p[3 * i + c] + 0.6 * r);
    }
  }

  takeGroups() {
    const roster = this.frame.roster;
    if (roster === this.groupsOf) return;
    this.groupsOf = roster;
    this.groups = [...new Set(roster.group)].sort((a, b) => a - b);
    this.kinds = [...new Set(roster.kind)].sort();
    if (this.panel) this.panel.refresh();
  }

  fit() {
    const { azimuth, elevation, zoom } = this.sight, angle = (degrees) => degrees * Math.PI / 180;
    if (azimuth !== undefined || elevation !== undefined) {
      const up = this.up(), a = vec.unit(vec.cross(Math.abs(up[1]) < 0.9 ? [0, 1, 0] : [0, 0, 1], up)), around = turnAbout(a, up, angle(azimuth === undefined ? -60 : azimuth));
      this.lookFrom(turnAbout(around, vec.cross(around, up), angle(elevation === undefined ? 25 : elevation)));
      if (zoom > 0) this.eye.zoom(1 / zoom);
      return;
    }
    this.lookFrom(vec.add(vec.add(vec.scale(this.sideways()[0], 0.45), vec.scale(this.sideways()[1], -1)), vec.scale(this.up(), 0.5)));
  }

  // Returns two directions perpendicular to the upward one; the scene is thinner along the second.
  sideways() {
    const up = this.up(), a = vec.unit(vec.cross(Math.abs(up[1]) < 0.9 ? [0, 1, 0] : [0, 0, 1], up)), b = vec.cross(up, a), size = vec.sub(this.bounds.high, this.bounds.low);
    const wide = (d) => vec.dot(d.map(Math.abs), size);
    return wide(a) >= wide(b) ? [a, b] : [b, vec.scale(a, -1)];
  }

  lookFrom(direction) {
    const up = this.up(), along = Math.abs(vec.dot(vec.unit(direction), up)) > 0.999;
    this.eye.fit(this.bounds, direction, along ? vec.scale(this.sideways()[1], direction[2] < 0 ? 1 : 1) : up, this.stage.camera.aspect || 1.6);
    if (along) this.eye.up = vec.unit(vec.scale(vec.cross(this.eye.ahead, this.sideways()[0]), -1));
    this.dirty = true;
    this.remember();
  }

  cutShares() {
    const { low, high } = this.bounds, cut = this.state.cut, pad = 0.02 * this.bounds.extent;
    if (!cut) return [0, 1, 0, 1, 0, 1];
    return cut.map((value, i) => { const c = i >> 1, a = low[c] - pad, b = high[c] + pad; return Math.min(1, Math.max(0, (value - this.frame.origin[c] - a) / (b - a))); });
  }

  cutFrom(shares) {
    const { low, high } = this.bounds, pad = 0.02 * this.bounds.extent;
    if (shares.every((share, i) => share === i % 2)) return null;
    return shares.map((share, i) => { const c = i >> 1, a = low[c] - pad, b = high[c] + pad, open = share === i % 2 ? (i % 2 ? 1 : -1) * 20 * this.bounds.extent : 0; return this.frame.origin[c] + a + share * (b - a) + open; });
  }

  // ---- colour ----

  takeField() {
    if (this.field && this.field.text === this.state.color) return;
    try {
      this.field = findField(this.state.color);
      this.trouble = "";
    } catch (error) {
      this.trouble = error.message;
      if (!this.field) this.field = findField("none");
    }
  }

  // Sets a fixed range: that of the state, else that of a few frames of the run.
  async chooseRange() {
    const field = this.field, given = this.state.fixedRange;
    if (given && given.length === 2) return this.range = Object.assign([...given], { of: field.text });
    const few = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (this.times.length - 1)));
    let range = this.rangeOf(this.frame);
    for (const number of new Set(few)) {
      const other = this.rangeOf(await this.sample(number), field);
      if (other) range = range ? [Math.min(range[0], other[0]), Math.max(range[1], other[1])] : other;
    }
    this.range = Object.assign(range && isFinite(range[0]) ? range : [0, 1], { of: field.text });
  }

  // Returns the range of a field in a frame without bodies that are far away.
  rangeOf(frame, field = this.field) { return fieldRange(field, frame, (i) => this.isFar(frame, i)); }

  // While a run is at work its range grows with the values shown.
  widenRange() {
    const range = this.rangeOf(this.frame), now = this.range;
    if (range) this.range = Object.assign([Math.min(range[0], now[0]), Math.max(range[1], now[1])], { of: now.of });
  }

  fitRange() {
    const range = this.rangeOf(this.frame);
    if (range) this.change({ fixedRange: range, eachFrame: false });
  }

  // ---- a body ----

  pickAt(x, y) {
    const row = this.stage.pick(x, y);
    this.dirty = true;
    this.change({ chosen: row < 0 ? -1 : this.frame.roster.id[row] });
  }

  turnAboutAt(x, y) {
    const row = this.stage.pick(x, y);
    this.dirty = true;
    if (row < 0) return;
    const place = Array.from(this.frame.position.subarray(3 * row, 3 * row + 3));
    this.eye.set({ position: vec.add(this.eye.position, vec.sub(place, this.eye.target)), target: place, up: this.eye.up, fov: this.eye.fov });
    this.remember();
  }

  followChosen() {
    const row = this.state.chosen >= 0 ? this.frame.roster.find(this.state.chosen) : -1;
    if (!this.state.follow || row < 0) return;
    const place = Array.from(this.frame.position.subarray(3 * row, 3 * row + 3)), shift = vec.sub(place, this.eye.target);
    this.eye.position = vec.add(this.eye.position, shift), this.eye.target = place;
  }

  // ---- changes of the state ----

  // Sets new values of the state and shows the effect.
  async change(values) {
    const colour = "color" in values && values.color !== this.state.color;
    Object.assign(this.state, values);
    if (colour && !("fixedRange" in values)) this.state.fixedRange = null;
    if (colour || "fixedRange" in values) this.range = Object.assign([...this.range], { of: null });
    document.body.dataset.theme = this.state.theme;
    document.body.classList.toggle("plain", this.state.plain);
    if (colour || "forces" in values || "spots" in values || "fixedRange" in values || "chosen" in values || "follow" in values) await this.goTo(this.state.frame);
    else await this.show();
    this.remember();
    if (this.panel) this.panel.refresh();
    await this.tables.update();
  }

  async show() {
    if (!this.frame) return;
    const state = this.state, frame = this.frame, far = 1e30;
    this.takeGroups();
    if (this.live && !state.fixedRange) this.widenRange();
    if (state.eachFrame) this.range = Object.assign(this.rangeOf(frame) || [0, 1], { of: this.field.text });
    const cut = state.cut && state.cut.length === 6 ? state.cut : null;
    const low = cut ? [0, 2, 4].map((i, c) => cut[i] - frame.origin[c]) : [-far, -far, -far], high = cut ? [1, 3, 5].map((i, c) => cut[i] - frame.origin[c]) : [far, far, far];
    this.stage.shared.uUp.value.set(...this.up());
    this.stage.gridStep.value = roundBelow(this.bounds.extent / 4);
    const chosen = state.chosen >= 0 ? frame.roster.find(state.chosen) : -1;
    this.stage.put(frame, {
      field: this.field, range: this.range, map: state.map, kinds: new Set(state.hiddenKinds), groups: new Set(state.hiddenGroups), low, high, cut: Boolean(cut), slice: state.slice, spots: state.spots,
      walls: state.walls, bodies: state.bodies, chosen, middle: this.bounds.middle, extent: this.bounds.extent,
    });
    // large forces must stand out: light on dark, dark on light
    this.forceStrips.own.uMap.value = this.stage.map(state.theme === "dark" ? "magma" : "-magma");
    putForces(this.forceStrips, frame, this.stage.pass, state.forces ? usualForce(frame) : 1);
    if (!state.forces) this.forceStrips.begin(0), this.forceStrips.end();
    await this.showTrails(chosen);
    putCell(this.cellStrips, frame.cell, this.bounds.extent);
    putJoints(this.jointStrips, frame, state.joints ? this.meta.joints || [] : [], this.bounds.extent);
    this.card.show(chosen);
    this.far = this.tellFar(frame);
    this.showBar();
    this.dirty = true;
  }

  async showTrails(chosen) {
    const count = Math.min(this.state.trails, this.state.frame), most = chosen >= 0 ? 1 : this.frame.count;
    const steps = Math.min(count, Math.max(2, Math.floor(4e5 / most))), frames = [], frame = this.frame;
    for (let k = steps; k > 0; k--) frames.push(await this.store.get(this.state.frame - k, this.fields()));
    if (frame !== this.frame) return;
    frames.push(frame);
    const colour = steps > 0 && this.field.values && !this.field.categories && chosen < 0 ? this.field.values(frame) : null;
    this.trailStrips.own.uMap.value = this.stage.map(this.state.map);
    this.trailStrips.own.uRange.value.set(...(colour ? this.range : [0, 1]));
    this.trailStrips.own.uPlain.value = colour ? 0 : 1;
    putTrails(this.trailStrips, steps > 0 ? frames : [frame], this.stage.pass, chosen, colour, this.bounds.extent);
  }

  showBar() {
    const last = this.times.length - 1;
    Object.assign(find("#time"), { max: last, value: this.state.frame });
    find("#count").textContent = `${this.state.frame} / ${last}    ${numberText(this.times[this.state.frame])} s`;
    find("#play").textContent = this.playing ? "❚❚" : "▶";
    find("#speed").value = String(this.state.speed);
    find("#live").hidden = !this.live;
  }

  // ---- drawing ----

  tick() {
    requestAnimationFrame(() => this.tick());
    const now = performance.now();
    if (this.playing && now >= this.due && !this.busy) this.playOn(now);
    if (this.resized) this.resize();
    this.refine(now);
    if (this.dirty) this.draw();
  }

  // Without a graphics processor, pictures in motion are coarse: a third of the pixels in each direction if there are many bodies.
  refine(now) {
    const box = find("#stage"), ratio = window.devicePixelRatio || 1, moving = this.playing || now - (this.moving || 0) < 250;
    const wanted = this.stage.slow && moving && this.frame && this.frame.count > 1000 ? ratio * (this.frame.count > 8000 ? 0.34 : 0.5) : ratio;
    if (wanted === this.stage.ratio) return;
    this.stage.resize(box.clientWidth, box.clientHeight, wanted);
    this.dirty = true;
  }

  async playOn(now) {
    this.busy = true;
    this.due = Math.max(this.due + 1000 / this.state.speed, now - 1000 / this.state.speed);
    const atEnd = this.state.frame >= this.times.length - 1;
    if (!atEnd) await this.goTo(this.state.frame + 1);
    else if (!this.live) this.playing = false, this.showBar();
    this.busy = false;
  }

  resize() {
    const box = find("#stage"), ratio = window.devicePixelRatio || 1, overlay = find("#overlay");
    this.resized = false;
    this.stage.resize(box.clientWidth, box.clientHeight, ratio);
    overlay.width = Math.round(box.clientWidth * ratio), overlay.height = Math.round(box.clientHeight * ratio);
    this.dirty = true;
  }

  draw() {
    this.dirty = false;
    const overlay = find("#overlay"), ratio = overlay.width / overlay.clientWidth;
    this.stage.look(this.eye, this.bounds.extent + vec.length(vec.sub(this.bounds.middle, this.eye.target)));
    this.stage.planeInk.value.set(this.state.theme === "dark" ? "#9fb0c2" : "#6b7a8a");
    for (const strips of [this.forceStrips, this.trailStrips, this.jointStrips, this.cellStrips]) strips.measure(this.stage);
    this.stage.draw(this.state.theme === "dark" ? "#14171b" : "#ffffff");
    this.drawn = (this.drawn || 0) + 1;
    const pen = overlay.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawOverlay(pen, overlay.width / ratio, overlay.height / ratio, {
      eye: this.eye, theme: this.state.theme, field: this.field, range: this.range, map: this.state.map, axes: this.state.axes, left: overlay.width / ratio - 112, below: 0,
      title: this.meta.title || this.about.name, time: `${numberText(this.frame.time)} s    ${this.frame.count} bodies`, far: this.far,
      categories: this.field.text === "kind" ? this.kinds : this.groups,
    });
  }

  // Returns scene and overlay in one picture, with `times` the pixels of the screen in each direction.
  picture(times = 2) {
    const scene = find("#scene"), overlay = find("#overlay"), ratio = times * (window.devicePixelRatio || 1);
    this.stage.resize(scene.clientWidth, scene.clientHeight, ratio);
    overlay.width = Math.round(overlay.clientWidth * ratio), overlay.height = Math.round(overlay.clientHeight * ratio);
    this.draw();
    const out = element("canvas", { width: scene.width, height: scene.height }), pen = out.getContext("2d");
    pen.drawImage(scene, 0, 0);
    pen.drawImage(overlay, 0, 0);
    this.resize();
    return out;
  }

  savePicture() {
    this.picture().toBlob((blob) => {
      const link = element("a", { href: URL.createObjectURL(blob), download: `${this.about.name}-${this.state.frame}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  // ---- the address ----

  remember() {
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      this.own = writeAddress(this.state, this.defaults, this.absoluteEye());
      history.replaceState(null, "", this.own);
    }, 150);
  }

  // Returns the eye in the scene's coordinates.
  absoluteEye() {
    const eye = new Eye(), origin = this.frame ? this.frame.origin : [0, 0, 0];
    eye.set({ position: vec.add(this.eye.position, origin), target: vec.add(this.eye.target, origin), up: this.eye.up, fov: this.eye.fov });
    return eye;
  }

  async takeAddress() {
    if (location.hash === this.own) return;
    const eye = new Eye(), values = Object.assign({}, this.defaults);
    if (readAddress(location.hash, values, eye))
      this.eye.set({ position: vec.sub(eye.position, this.frame.origin), target: vec.sub(eye.target, this.frame.origin), up: eye.up, fov: eye.fov });
    await this.goTo(values.frame);
    values.frame = this.state.frame;
    await this.change(values);
  }

  copyAddress() {
    const text = location.href.split("#")[0] + writeAddress(this.state, this.defaults, this.absoluteEye());
    if (navigator.clipboard) navigator.clipboard.writeText(text).catch(() => {});
  }

  // ---- keys ----

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range" && event.target.type !== "checkbox") return;
    const state = this.state, next = (list, value) => list[(list.indexOf(value) + 1) % list.length], axis = "xyz".indexOf(event.key.toLowerCase());
    const faster = (by) => SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(state.speed) + by))];
    const acts = {
      " ": () => this.play(), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.goTo(0), End: () => this.goTo(this.times.length - 1),
      "+": () => this.change({ speed: faster(1) }), "-": () => this.change({ speed: faster(-1) }), r: () => this.fitFrame(), c: () => this.change({ color: next(FIELD_NAMES, state.color) }),
      m: () => this.change({ map: next(Object.keys(COLOUR_MAPS), state.map) }), f: () => this.change({ eachFrame: !state.eachFrame, fixedRange: null }), w: () => this.change({ walls: next([0, 0.3, 1], state.walls) }),
      k: () => this.change({ forces: !state.forces, bodies: state.forces ? 1 : 0.3 }), t: () => this.change({ trails: state.trails ? 0 : 12 }), o: () => this.change({ spots: !state.spots }), j: () => this.change({ joints: !state.joints }),
      a: () => this.change({ axes: state.axes ? 0 : 1 }), l: () => this.change({ theme: state.theme === "dark" ? "light" : "dark" }), g: () => this.change({ plots: !state.plots }), s: () => this.savePicture(),
      h: () => this.change({ plain: !state.plain }), Escape: () => this.change({ chosen: -1 }), "?": () => find("#help").showModal(),
    };
    if (axis >= 0) this.lookFrom([0, 1, 2].map((c) => c === axis ? (event.shiftKey ? -1 : 1) * (axis === 1 ? -1 : 1) : 0));
    else if (Object.hasOwn(acts, event.key)) acts[event.key]();
    else return;
    event.preventDefault();
  }
}

document.addEventListener("DOMContentLoaded", async () => {
  const data = find("#data").textContent.trim();
  try {
    window.viewer = new Viewer(data ? new FileSource(JSON.parse(data)) : new ServerSource());
    await window.viewer.start();
    document.body.dataset.ready = "1";
  } catch (error) {
    console.error(error);
    Object.assign(find("#notice"), { textContent: error.message, hidden: false });
  }
});
