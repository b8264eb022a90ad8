"use strict";
// Frames as they are received: a head, then named columns of numbers (docs/view.md describes the bytes).

const WIRE_TYPES = [null, Uint8Array, Uint32Array, Int32Array, Float32Array, Float64Array];

// {time, step, number, roster, origin, bodies, contacts, columns: {name: {array, components, packed, quantum}}}
function readWire(buffer) {
  const head = new DataView(buffer);
  if (buffer.byteLength < 80 || head.getUint32(0, true) >>> 24 === 0) throw new Error("the answer is no frame");
  const whole = (at) => Number(head.getBigInt64(at, true));
  const out = {
    time: head.getFloat64(8, true), step: whole(16), number: whole(24),
    roster: head.getBigUint64(32, true).toString(16),
    origin: [40, 48, 56].map((at) => head.getFloat64(at, true)),
    bodies: head.getUint32(64, true), contacts: head.getUint32(72, true), columns: {},
  };
  let at = 80;
  for (let i = head.getUint32(76, true); i > 0; i--) {
    const bytes = whole(at + 24);
    out.columns[readName(buffer, at)] = {
      array: new WIRE_TYPES[head.getUint8(at + 16)](buffer, at + 40, bytes / WIRE_TYPES[head.getUint8(at + 16)].BYTES_PER_ELEMENT),
      components: head.getUint8(at + 17), packed: head.getUint8(at + 18), quantum: head.getFloat64(at + 32, true),
    };
    at += 40 + Math.ceil(bytes / 8) * 8;
  }
  return out;
}

function readName(buffer, at) {
  const bytes = new Uint8Array(buffer, at, 16);
  return String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0) < 0 ? 16 : bytes.indexOf(0)));
}

// Returns the quanta of a packed column: byte planes, zigzag coded, differences from the frame before (packed 2) or from the row before.
function unpackQuanta(column, before) {
  const count = column.array.length, bytes = new Uint8Array(column.array.buffer, column.array.byteOffset, 4 * count);
  const quanta = new Int32Array(count), step = column.components;
  for (let i = 0; i < count; i++) {
    const rest = bytes[i] | bytes[count + i] << 8 | bytes[2 * count + i] << 16 | bytes[3 * count + i] << 24;
    const guess = column.packed === 2 ? before[i] : i < step ? 0 : quanta[i - step];
    quanta[i] = guess + ((rest >>> 1) ^ -(rest & 1));
  }
  return quanta;
}

// Converts packed columns to plain columns. memory: by name, the quanta of the frame before.
function unpackWire(wire, memory) {
  for (const name in wire.columns) {
    const column = wire.columns[name];
    if (!column.packed) continue;
    const quanta = memory[name] = unpackQuanta(column, memory[name]);
    const values = new Float32Array(quanta.length);
    for (let i = 0; i < values.length; i++) values[i] = quanta[i] * column.quantum;
    wire.columns[name] = { array: values, components: column.components };
  }
}

// Returns the roster of a frame: its bodies, sizes and shapes. Ids beyond 2^53 are shown by their low digits only.
function readRoster(columns) {
  const array = (name) => columns[name] && columns[name].array, words = array("id");
  const id = new Float64Array(words.length / 2);
  for (let i = 0; i < id.length; i++) id[i] = words[2 * i] + words[2 * i + 1] * 4294967296;
  const row = new Map();
  return {
    id, group: array("group"), kind: array("kind"), ball: array("ball"), radius: array("radius"), mass: array("mass"),
    shape: {
      body: array("shape.body"), type: array("shape.type"), geometry: array("shape.geometry"), radius: array("shape.radius"),
      length: array("shape.length"), size: array("shape.size"), normal: array("shape.normal"), position: array("shape.position"),
      turn: array("shape.turn"), count: array("shape.body").length,
    },
    // returns the row of a body by its id; -1: not in the frame
    find(wanted) {
      if (!row.size) id.forEach((value, i) => row.set(value, i));
      return row.has(wanted) ? row.get(wanted) : -1;
    },
  };
}

// Returns a frame for the page: motion and contacts in arrays, with its roster. `position` and `velocity` are those of the images in the cell; `path` has unwrapped positions.
function makeFrame(wire, roster) {
  const array = (name) => wire.columns[name] ? wire.columns[name].array : null, cell = readCell(wire.columns, wire.origin), path = array("position"), velocity = array("velocity");
  const position = cell && path ? cell.wrapAll(path) : path, turn = array("turn"), shapeTurn = array("shape.now");
  return {
    time: wire.time, step: wire.step, number: wire.number, origin: wire.origin, count: wire.bodies, roster, cell, path,
    position, turn, velocity: cell && path && velocity ? cell.carried(velocity, path, position) : velocity, spin: array("spin"),
    contacts: wire.contacts, pair: array("contact.bodies"), point: array("contact.point"), force: array("contact.force"), gap: array("contact.gap"),
    derived: {},
    // returns the orientation of the body of shape k
    turnOfShape(k) {
      const all = shapeTurn || turn, at = 4 * (shapeTurn ? k : roster.shape.body[k]);
      return all ? [all[at], all[at + 1], all[at + 2], all[at + 3]] : [1, 0, 0, 0];
    },
  };
}
