// The panel on the right: every row shows a member of the state and changes it.

function element(name, members, ...children) {
  const made = Object.assign(document.createElement(name), members);
  made.append(...children);
  return made;
}
const find = (selector) => document.querySelector(selector);

class Panel {
  constructor(viewer) {
    this.viewer = viewer;
    this.box = find("#panel");
    this.shown = [];
    this.build();
  }

  // Sets the controls to the state.
  refresh() { for (const show of this.shown) show(this.viewer.state); }

  heading(text) { this.box.append(element("h3", { textContent: text })); }
  row(label, ...controls) {
    const row = element("div", { className: "row" }, element("span", { textContent: label }), ...controls);
    this.box.append(row);
    return row;
  }

  check(label, member, title) {
    const box = element("input", { type: "checkbox", onchange: () => this.viewer.change({ [member]: box.checked }) });
    this.shown.push((state) => { box.checked = Boolean(state[member]); });
    return element("label", { title: title || "" }, box, label);
  }

  choice(member, options, take) {
    const list = element("select", { onchange: () => (take || ((value) => this.viewer.change({ [member]: value })))(list.value) });
    list.append(...options.map(([value, text]) => element("option", { value, textContent: text })));
    this.shown.push((state) => { if (list.value !== String(state[member])) list.value = String(state[member]); });
    return list;
  }

  slider(member, low, high, step) {
    const slider = element("input", { type: "range", min: low, max: high, step, oninput: () => this.viewer.change({ [member]: Number(slider.value) }) });
    this.shown.push((state) => { slider.value = state[member]; });
    return slider;
  }

  build() {
    this.buildColour();
    this.buildShow();
    this.buildCut();
    this.buildGroups();
    this.buildView();
    this.refresh();
  }

  buildColour() {
    const names = FIELD_NAMES.map((name) => [name, FIELDS[name].label || name]);
    this.heading("colour");
    const list = this.choice("listed", [["none", "one colour"], ...names, ["expression", "expression …"]], (value) => this.takeField(value));
    this.row("by", list);
    this.expression = element("input", {
      type: "text", placeholder: "e.g. radius > 1e-3 and speed or 0", spellcheck: false, onchange: () => this.viewer.change({ color: this.expression.value || "speed" }),
    });
    const row = this.row("", this.expression), error = element("div", { className: "error" });
    this.box.append(error);
    this.shown.push((state) => {
      const plain = state.color === "none" || Object.hasOwn(FIELDS, state.color);
      list.value = plain ? (state.color === "radius" ? "size" : state.color) : "expression";
      row.hidden = plain, row.style.display = plain ? "none" : "";
      if (!plain && document.activeElement !== this.expression) this.expression.value = state.color;
      error.textContent = this.viewer.trouble;
    });
    this.row("map", this.choice("map", Object.keys(COLOUR_MAPS).map((name) => [name, name])));
    const end = (k) => element("input", { type: "number", step: "any", onchange: () => this.takeRange() });
    this.ends = [end(0), end(1)];
    this.row("range", ...this.ends);
    this.shown.push(() => this.ends.forEach((box, k) => { if (document.activeElement !== box) box.value = Number(this.viewer.range[k].toPrecision(4)); }));
    const auto = element("button", { textContent: "fit", title: "to this frame", onclick: () => this.viewer.fitRange() });
    this.row("", this.check("of each frame", "eachFrame", "the range is that of the frame shown; else it stays"), auto);
  }

  takeField(value) {
    if (value !== "expression") return this.viewer.change({ color: value });
    this.viewer.change({ color: "vx^2 + vy^2" });
    this.expression.focus();
  }

  takeRange() {
    const range = this.ends.map((box) => Number(box.value));
    if (range.every(isFinite)) this.viewer.change({ fixedRange: range, eachFrame: false });
  }

  buildShow() {
    this.heading("show");
    this.row("bodies", this.slider("bodies", 0.02, 1, 0.02));
    this.row("walls", this.slider("walls", 0, 1, 0.02));
    this.row("trails", this.slider("trails", 0, 60, 1));
    this.box.append(
      this.check("forces", "forces", "contact forces as lines, as wide as the force is large (k, with small bodies)"), this.check("rotation", "spots", "marks on balls, which turn with them (o)"),
      this.check("joints", "joints", "joints of the scene (j)"), this.check("axes", "axes", "axes and scale bar (a)"));
    this.note = element("div", { className: "error" });
    this.box.append(this.note);
    this.shown.push((state) => { this.note.textContent = state.forces && !(this.viewer.about.fields & 16) ? "the run kept no contacts: output.trajectory.fields must name them" : ""; });
  }

  buildCut() {
    this.heading("cut");
    for (let axis = 0; axis < 3; axis++) {
      const ends = [0, 1].map((side) => element("input", { type: "range", min: 0, max: 1, step: 0.002, oninput: () => this.takeCut(axis, side, Number(ends[side].value)) }));
      this.row("xyz"[axis], ...ends);
      this.shown.push(() => {
        const share = this.viewer.cutShares();
        ends.forEach((box, side) => { box.value = share[2 * axis + side]; });
      });
    }
    this.row("", this.check("through bodies", "slice", "bodies are sliced; else those whose centre is cut off go"), element("button", { textContent: "none", onclick: () => this.viewer.change({ cut: null }) }));
  }

  takeCut(axis, side, share) {
    const shares = this.viewer.cutShares();
    shares[2 * axis + side] = side ? Math.max(share, shares[2 * axis]) : Math.min(share, shares[2 * axis + 1]);
    this.viewer.change({ cut: this.viewer.cutFrom(shares) });
  }

  buildGroups() {
    this.heading("groups and kinds");
    const groups = element("div"), kinds = element("div");
    this.box.append(kinds, groups);
    const toggle = (member, value, text, colour) => {
      const hidden = this.viewer.state[member], box = element("input", { type: "checkbox", checked: !hidden.includes(value) });
      box.onchange = () => this.viewer.change({ [member]: box.checked ? hidden.filter((x) => x !== value) : [...hidden, value] });
      const swatch = colour ? [element("span", { className: "swatch", style: `background:#${colour}` })] : [];
      return element("label", {}, box, ...swatch, text);
    };
    this.shown.push(() => {
      const all = this.viewer.groups;
      kinds.replaceChildren(...this.viewer.kinds.map((kind) => toggle("hiddenKinds", kind, ["free", "moved", "fixed"][kind])));
      groups.replaceChildren(...(all.length > 1 ? all.slice(0, 48).map((value) => toggle("hiddenGroups", value, `group ${value}`, GROUP_COLOURS[((value % 8) + 8) % 8])) : []));
    });
  }

  buildView() {
    this.heading("view");
    const from = (text, ...direction) => element("button", { textContent: text, title: "seen from there", onclick: () => this.viewer.lookFrom(direction) });
    this.row("from", from("+x", 1, 0, 0), from("−y", 0, -1, 0), from("+z", 0, 0, 1), element("button", { textContent: "fit", title: "all of this frame in sight (r)", onclick: () => this.viewer.fitFrame() }));
    this.row("theme", this.choice("theme", [["dark", "dark"], ["light", "light"]]));
    this.row("", element("button", { textContent: "save PNG", title: "s", onclick: () => this.viewer.savePicture() }),
      element("button", { textContent: "copy link", onclick: () => this.viewer.copyAddress() }));
  }
}

const KEYS = [
  ["space", "plays or stops"], ["← →", "a frame back, on"], ["Home End", "first, last frame"], ["+ −", "faster, slower"], ["r", "all of this frame in sight"], ["x y z", "seen along an axis; with shift from the other side"],
  ["c", "next field of colour"], ["m", "next colour map"], ["f", "range of each frame, or fixed"], ["w", "walls: clear, half, solid"], ["k", "forces"], ["t", "trails"], ["o", "marks that turn"], ["j", "joints"],
  ["a", "axes and scale bar"], ["l", "light or dark"], ["g", "plots"], ["s", "saves a PNG"], ["h", "panel"], ["Esc", "lets a body go"], ["?", "this list"],
];

function fillHelp(dialog) {
  const keys = element("div", { className: "keys" });
  for (const [key, text] of KEYS) keys.append(element("div", {}, ...key.split(" ").map((part) => element("kbd", { textContent: part })), " " + text));
  dialog.replaceChildren(element("h2", { textContent: "Mouse and keys" }), element("p", {
    textContent: "Drag turns, right button or shift and drag shifts, the wheel comes nearer; one finger turns, two shift and come nearer. A click picks a body, a double click turns about it.",
  }), keys, element("form", { method: "dialog" }, element("button", { textContent: "close" })));
}
