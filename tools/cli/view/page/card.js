// The card of a selected body: its numbers, and a plot of its history.

const HISTORY_COLUMNS = [["speed", "m/s"], ["x", "m"], ["y", "m"], ["z", "m"], ["vx", "m/s"], ["vy", "m/s"], ["vz", "m/s"], ["spin", "rad/s"]];

class Card {
  constructor(viewer) {
    this.viewer = viewer;
    this.box = find("#card");
    this.id = -1;
    find("#card-field").append(...HISTORY_COLUMNS.map(([name, unit]) => element("option", { value: name, textContent: `${name} [${unit}]` })));
    find("#card-field").addEventListener("change", () => this.plot());
    find("#card-close").addEventListener("click", () => viewer.change({ chosen: -1 }));
    find("#card-follow").addEventListener("change", (event) => viewer.change({ follow: event.target.checked }));
  }

  // row: row of the body in the frame; -1: the body is not in this frame
  show(row) {
    const { state, frame } = this.viewer;
    this.box.hidden = state.chosen < 0;
    if (state.chosen < 0) return this.id = -1;
    find("#card h2").textContent = `body ${state.chosen}`;
    find("#card-follow").checked = state.follow;
    find("#card table").replaceChildren(...(row < 0 ? [["", "not in this frame"]] : this.numbers(frame, row)).map(([name, text]) =>
      element("tr", {}, element("td", { textContent: name }), element("td", { textContent: text }))));
    if (this.id !== state.chosen) this.fetch(state.chosen);
    else this.plot();
  }

  numbers(frame, i) {
    const roster = frame.roster, three = (array, shift) => [0, 1, 2].map((c) => numberText(array[3 * i + c] + (shift ? shift[c] : 0))).join("  ");
    const list = [["kind", ["free", "moved", "fixed"][roster.kind[i]]], ["group", String(roster.group[i])], ["shape", this.shapes(roster, i)], ["position [m]", three(frame.position, frame.origin)]];
    if (isFinite(roster.radius[i])) list.push(["radius [m]", numberText(roster.radius[i])]);
    if (isFinite(roster.mass[i])) list.push(["mass [kg]", numberText(roster.mass[i])]);
    if (frame.velocity) list.push(["velocity [m/s]", three(frame.velocity)], ["speed [m/s]", numberText(length3(frame.velocity, i))]);
    if (frame.spin) list.push(["spin [rad/s]", three(frame.spin)]);
    if (frame.force) list.push(["contacts", String(contactSums(frame).count[i])], ["force [N]", numberText(contactSums(frame).force[i])]);
    const field = this.viewer.field;
    if (field.values && !Object.hasOwn(FIELDS, field.text)) list.push([field.text, numberText(field.values(frame)[i])]);
    return list;
  }

  shapes(roster, i) {
    if (roster.ball[i]) return "sphere";
    const names = [];
    for (let k = 0; k < roster.shape.count; k++) if (roster.shape.body[k] === i) names.push(this.viewer.about.shapes[roster.shape.type[k]]);
    return names.length > 3 ? `${names.length} shapes` : names.join(", ");
  }

  // Fetches at most 400 frames of the run in pieces, so that the plot grows.
  async fetch(id) {
    const frames = this.viewer.times.length, step = Math.max(1, Math.ceil(frames / 400)), piece = 40;
    this.id = id, this.rows = [];
    for (let from = 0; from < frames && this.id === id; from += piece * step) {
      const more = await this.viewer.source.history(id, from, piece, step);
      if (this.id !== id) return;
      for (let k = 0; k < more.length; k += 12) if (more[k + 11]) this.rows.push(more.subarray(k, k + 12));
      this.plot();
    }
  }

  plot() {
    const name = find("#card-field").value, at = { x: 2, y: 3, z: 4, vx: 5, vy: 6, vz: 7 }[name];
    const value = (row) => name === "speed" ? Math.hypot(row[5], row[6], row[7]) : name === "spin" ? Math.hypot(row[8], row[9], row[10]) : row[at];
    const unit = HISTORY_COLUMNS.find(([other]) => other === name)[1];
    drawPlot(find("#card .plot"), [{ label: `${name} [${unit}]`, x: (this.rows || []).map((row) => row[1]), y: (this.rows || []).map(value) }], { mark: this.viewer.frame.time });
  }
}
