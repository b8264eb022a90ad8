// Sources of frames: the server that sent the page, or the data in the page itself.

class ServerSource {
  constructor() {
    this.base = location.pathname.replace(/\/+$/, "");
    this.rosters = new Map();
    this.latest = "0";
  }

  async get(path, options) {
    const answer = await fetch(this.base + "/" + path, options);
    if (!answer.ok) throw new Error((await answer.text()).trim() || "the server answers " + answer.status);
    return answer;
  }

  async about() { return (await this.get("about")).json(); }
  async times(from) { return new Float64Array(await (await this.get("times?from=" + from)).arrayBuffer()); }
  async table(name) { return (await this.get("table/" + name)).text(); }
  async stop() { return (await this.get("stop", { method: "POST" })).text(); }
  async geometry(number) { return readWire(await (await this.get("geometry?number=" + number)).arrayBuffer()).columns; }

  async frame(number, fields) {
    const query = `frame?number=${number}&fields=${fields}&roster=${this.latest}`;
    const wire = readWire(await (await this.get(query)).arrayBuffer());
    if (wire.columns.id) {
      this.rosters.set(wire.roster, readRoster(wire.columns));
      if (this.rosters.size > 64) this.rosters.delete(this.rosters.keys().next().value);
    }
    const roster = this.rosters.get(wire.roster);
    if (!roster) return this.latest = "0", this.frame(number, fields);
    this.latest = wire.roster;
    return makeFrame(wire, roster);
  }

  // Returns at most 50000 bodies of the last key frame at or before `number`.
  async sample(number, fields) {
    const wire = readWire(await (await this.get(`sample?number=${number}&fields=${fields}&most=50000`)).arrayBuffer());
    return makeFrame(wire, readRoster(wire.columns));
  }

  // Returns rows [number, time, x, y, z, vx, vy, vz, wx, wy, wz, present] of one body in `count` frames.
  async history(id, from, count, step) {
    const body = Math.floor(id / 4294967296).toString(16) + (id % 4294967296 >>> 0).toString(16).padStart(8, "0");
    return new Float64Array(await (await this.get(`history?body=${body}&from=${from}&count=${count}&step=${step}`)).arrayBuffer());
  }
}

async function inflateText(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

// The element #data contains JSON: {about, times, frames: [base64 of zlib], geometries, tables: {name: base64 of zlib}}.
class FileSource {
  constructor(data) {
    this.data = data;
    this.rosters = new Map();
    this.memory = {};
    this.last = -1;
    this.ready = Promise.resolve();
  }

  async about() { return Object.assign(this.data.about, { frames: this.data.times.length, complete: true, can_stop: false }); }
  async times(from) { return Float64Array.from(this.data.times.slice(from)); }
  async table(name) { return new TextDecoder().decode(await inflateText(this.data.tables[name])); }
  async geometry(number) { return readWire(await inflateText(this.data.geometries[number])).columns; }

  sample(number) { return this.frame(number); }

  // Frames are stored as differences from the frame before, so they are unpacked in order, from an independent frame on; one call at a time.
  frame(number) {
    const turn = this.ready.then(() => this.unpack(number));
    this.ready = turn.catch(() => {});
    return turn;
  }

  async unpack(number) {
    const every = this.data.fresh_every;
    let from = number - number % every;
    if (this.last >= from && this.last < number) from = this.last + 1;
    for (let i = from; i < number; i++) await this.unpackOne(i);
    return this.unpackOne(number);
  }

  async unpackOne(number) {
    const wire = readWire(await inflateText(this.data.frames[number]));
    unpackWire(wire, this.memory);
    if (wire.columns.id) this.rosters.set(wire.roster, readRoster(wire.columns));
    this.last = number;
    return makeFrame(wire, this.rosters.get(wire.roster));
  }

  async history(id, from, count, step) {
    const rows = [];
    for (let i = from; i < Math.min(from + count * step, this.data.frames.length); i += step) {
      const frame = await this.frame(i), row = frame.roster.find(id), there = row >= 0;
      const part = (array, shift) => [0, 1, 2].map((c) => there && array ? array[3 * row + c] + (shift ? shift[c] : 0) : NaN);
      rows.push(i, frame.time, ...part(frame.path, frame.origin), ...part(frame.velocity), ...part(frame.spin), there ? 1 : 0);
    }
    return Float64Array.from(rows);
  }
}

// Stores the most recently used frames, up to a limit of bytes.
class FrameStore {
  constructor(source, budget) {
    this.source = source;
    this.budget = budget;
    this.bytes = 0;
    this.kept = new Map();
  }

  static bytesOf(frame) {
    return ["position", "turn", "velocity", "spin", "pair", "point", "force", "gap"].reduce((sum, name) => sum + (frame[name] ? frame[name].byteLength : 0), 0) +
      30 * frame.count;
  }

  has(number, fields) { return this.kept.has(number) && (this.kept.get(number).fields & fields) === fields; }

  // fields: bits as in the trajectory
  async get(number, fields) {
    const kept = this.kept.get(number);
    if (kept && (kept.fields & fields) === fields) {
      this.kept.delete(number);
      this.kept.set(number, kept);
      return kept.frame;
    }
    const entry = { fields, frame: this.source.frame(number, fields), bytes: 0 };
    if (kept) this.bytes -= kept.bytes;
    this.kept.set(number, entry);
    try {
      entry.bytes = FrameStore.bytesOf(await entry.frame);
    } catch (error) {
      this.kept.delete(number);
      throw error;
    }
    this.bytes += entry.bytes;
    for (const [old, other] of this.kept) {
      if (this.bytes <= this.budget || old === number) break;
      this.kept.delete(old);
      this.bytes -= other.bytes;
    }
    return entry.frame;
  }
}
