// Plots of the tables beside the trajectory: the run's series and its measurements.

class Tables {
  constructor(viewer) {
    this.viewer = viewer;
    this.box = find("#plots");
    this.name = "";
    this.columns = [];
    this.read = 0;
  }

  // Fetches the table if it may have grown, or if `again`, and draws it.
  async update(again) {
    const shown = this.viewer.state.plots, names = this.viewer.about.tables || [];
    if (this.box.hidden === shown) this.box.hidden = !shown, this.viewer.resized = true;
    if (!shown) return;
    if (!names.length) return this.box.replaceChildren("There are no tables beside this trajectory.");
    if (!names.includes(this.name)) this.name = names.includes("series.csv") ? "series.csv" : names[0];
    if (again || this.fetched !== this.name || (this.viewer.live && performance.now() - this.read > 1500)) await this.fetch();
    this.draw();
  }

  async fetch() {
    this.read = performance.now();
    try {
      this.table = readTable(await this.viewer.source.table(this.name));
    } catch (error) {
      this.table = { names: [], columns: {} };
    }
    if (this.fetched === this.name) return;
    this.fetched = this.name;
    const usual = ["kinetic", "residual", "contacts"].filter((name) => this.table.names.includes(name)), own = this.table.names.filter((name) => !this.viewer.about.report.includes(name)).slice(0, 2);
    this.columns = this.name === "series.csv" ? usual.slice(0, own.length ? 2 : 3).concat(own) : this.table.names.slice(1, 4);
    this.build();
  }

  // Returns the label of a column. Columns of the report get their unit; other names contain theirs.
  label(name) {
    const { report, units } = this.viewer.about, unit = this.name === "series.csv" ? units[report.indexOf(name)] : "";
    return unit ? `${name} [${unit}]` : name;
  }

  build() {
    const list = element("select", { onchange: () => { this.name = list.value; this.update(); } });
    list.append(...this.viewer.about.tables.map((name) => element("option", { value: name, textContent: name.replace(/\.csv$/, ""), selected: name === this.name })));
    const boxes = this.table.names.filter((name) => name !== "time").map((name) => {
      const box = element("input", { type: "checkbox", checked: this.columns.includes(name) });
      box.onchange = () => { this.columns = box.checked ? [...this.columns, name] : this.columns.filter((other) => other !== name); this.build(); this.draw(); };
      return element("label", {}, box, " " + name);
    });
    this.canvases = this.columns.slice(0, 6).map(() => element("canvas"));
    const every = this.table.every > 1 ? [element("div", { textContent: `The table is large: every ${this.table.every} rows, one is plotted.` })] : [];
    this.box.replaceChildren(element("div", { className: "choice" }, list, ...boxes), ...every, ...this.canvases);
  }

  draw() {
    const over = this.table.names.includes("time") ? "time" : this.table.names[0];
    (this.canvases || []).forEach((canvas, i) => {
      const name = this.columns[i];
      drawPlot(canvas, [{ label: this.label(name), x: this.table.columns[over], y: this.table.columns[name] }], { mark: over === "time" && this.viewer.frame ? this.viewer.frame.time : NaN });
    });
  }
}
