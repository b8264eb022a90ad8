// Quantities by which bodies are coloured. Every field is an array with one number per body, computed once per frame.

const length3 = (a, i) => Math.sqrt(a[3 * i] * a[3 * i] + a[3 * i + 1] * a[3 * i + 1] + a[3 * i + 2] * a[3 * i + 2]);
const component = (name, c) => ({
  need: name === "position" ? 1 : name === "velocity" ? 4 : 8,
  unit: name === "position" ? "m" : name === "velocity" ? "m/s" : "rad/s",
  of: (frame, i) => frame[name] ? frame[name][3 * i + c] + (name === "position" ? frame.origin[c] : 0) : NaN,
});

// need: bits of the trajectory's fields; categories: true: values are names, not a scale
const FIELDS = {
  speed: { unit: "m/s", need: 4, label: "speed", of: (f, i) => f.velocity ? length3(f.velocity, i) : NaN },
  spin: { unit: "rad/s", need: 8, label: "spin", of: (f, i) => f.spin ? length3(f.spin, i) : NaN },
  group: { unit: "", need: 0, label: "group", categories: true, of: (f, i) => f.roster.group[i] },
  size: { unit: "m", need: 0, label: "size (radius)", of: (f, i) => f.roster.radius[i] },
  contacts: { unit: "", need: 16, label: "contacts", of: (f, i) => contactSums(f).count[i] },
  force: { unit: "N", need: 16, label: "force", of: (f, i) => contactSums(f).force[i] },
  id: { unit: "", need: 0, label: "id", of: (f, i) => f.roster.id[i] },
  kind: { unit: "", need: 0, label: "kind", categories: true, of: (f, i) => f.roster.kind[i] },
  mass: { unit: "kg", need: 0, label: "mass", of: (f, i) => f.roster.mass[i] },
  x: component("position", 0), y: component("position", 1), z: component("position", 2),
  vx: component("velocity", 0), vy: component("velocity", 1), vz: component("velocity", 2),
  wx: component("spin", 0), wy: component("spin", 1), wz: component("spin", 2),
};
const FIELD_NAMES = Object.keys(FIELDS);
FIELDS.radius = FIELDS.size;

// Returns the number of touching contacts of each body, and the sum of the magnitudes of their forces [N].
function contactSums(frame) {
  if (frame.derived.sums) return frame.derived.sums;
  const count = new Float32Array(frame.count), force = new Float32Array(frame.count);
  if (!frame.force) count.fill(NaN), force.fill(NaN);
  for (let k = 0; frame.force && k < frame.contacts; k++) {
    const size = length3(frame.force, k);
    if (!(size > 0)) continue;
    for (let side = 0; side < 2; side++) {
      const row = frame.pair[2 * k + side];
      if (row >= 0) count[row]++, force[row] += size;
    }
  }
  return frame.derived.sums = { count, force };
}

// Returns a field or an expression by its text: {text, label, unit, need, categories, of(frame, row), values(frame)}. Throws if there is none.
function findField(text) {
  if (text === "none") return { text, label: "one colour", unit: "", need: 0, of: null, values: null };
  if (Object.hasOwn(FIELDS, text)) {
    const field = FIELDS[text];
    return { text, label: field.label || text, unit: field.unit, need: field.need, categories: field.categories, of: field.of, values: (frame) => fieldValues(frame, text, field.of) };
  }
  const names = Object.keys(FIELDS).concat("t"), made = compileExpression(text, names);
  const need = made.used.reduce((bits, name) => bits | (FIELDS[name] ? FIELDS[name].need : 0), 0);
  const one = (frame, i) => {
    const value = made.value((name) => name === "t" ? frame.time : FIELDS[name].of(frame, i));
    return value === true ? 1 : typeof value === "number" ? value : 0;
  };
  return { text, label: text, unit: "", need, of: one, values: (frame) => fieldValues(frame, text, one) };
}

function fieldValues(frame, text, of) {
  const key = "field " + text;
  if (frame.derived[key]) return frame.derived[key];
  const values = new Float32Array(frame.count);
  for (let i = 0; i < values.length; i++) values[i] = of(frame, i);
  return frame.derived[key] = values;
}

// Returns [smallest, largest] value over the moving bodies; null without finite values. Omits bodies for
// which skip(row) is true and, if there are many bodies, the largest 0.5 %.
function fieldRange(field, frame, skip = () => false) {
  if (!field.of) return null;
  const kind = frame.roster.kind, step = Math.max(1, Math.floor(frame.count / 50000)), some = new Float32Array(Math.ceil(frame.count / step));
  let count = 0;
  for (let i = 0; i < frame.count; i += step) {
    const value = kind[i] === 0 ? field.of(frame, i) : NaN;
    if (isFinite(value) && !skip(i)) some[count++] = value;
  }
  if (!count) return null;
  const finite = some.subarray(0, count).sort();
  const low = finite[0], high = finite[Math.floor((finite.length - 1) * (finite.length > 400 ? 0.995 : 1))];
  const fromZero = low > 0 && low < 0.3 * high && field.text !== "id";
  return [fromZero ? 0 : low, high];
}
