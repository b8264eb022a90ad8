// The view in the address, after the #: key=value pairs joined by &. docs/view.md lists them; unknown keys are ignored.

// key: [member of the state, conversion to text, conversion from text (undefined: not understood)]
const flag = [(on) => on ? "1" : "", (text) => text === "1"];
const whole = [(value) => String(value), (text) => Number.isSafeInteger(Number(text)) && text !== "" ? Number(text) : undefined];
const number = [(value) => String(Number(value.toPrecision(6))), (text) => isFinite(Number(text)) && text !== "" ? Number(text) : undefined];
const numbers = [(list) => list.map((x) => Number(x.toPrecision(6))).join(","), (text) => { const all = text.split(",").map(Number); return all.every(isFinite) ? all : undefined; }];
const word = [(text) => text, (text) => text];
const ADDRESS = {
  frame: ["frame", ...whole], color: ["color", ...word], palette: ["map", ...word], range: ["fixedRange", ...numbers], each: ["eachFrame", ...flag],
  cut: ["cut", ...numbers], slice: ["slice", ...flag], hide: ["hiddenGroups", ...numbers], kinds: ["hiddenKinds", ...numbers], walls: ["walls", ...number], bodies: ["bodies", ...number],
  forces: ["forces", ...flag], trails: ["trails", ...whole], spots: ["spots", ...flag], theme: ["theme", ...word], plots: ["plots", ...flag],
  body: ["chosen", ...whole], follow: ["follow", ...flag], speed: ["speed", ...number], joints: ["joints", ...flag], plain: ["plain", ...flag], axes: ["axes", ...number],
};

// Writes only what differs from the defaults.
function writeAddress(state, defaults, eye) {
  const parts = eye.texts();
  for (const key in ADDRESS) {
    const [member, toText] = ADDRESS[key], value = state[member];
    if (value === undefined || value === null || JSON.stringify(value) === JSON.stringify(defaults[member])) continue;
    parts.push(key + "=" + encodeURIComponent(toText(value)));
  }
  return "#" + parts.join("&");
}

function readAddress(text, state, eye) {
  const camera = {};
  for (const part of text.replace(/^#/, "").split("&")) {
    const at = part.indexOf("="), key = part.slice(0, at);
    let value;
    try { value = decodeURIComponent(part.slice(at + 1)); } catch (error) { continue; }
    if (Object.hasOwn(eye.view(), key)) camera[key] = numbers[1](value);
    if (!Object.hasOwn(ADDRESS, key) || at < 0) continue;
    const [member, , fromText] = ADDRESS[key], read = fromText(value);
    if (read !== undefined) state[member] = read;
  }
  return eye.take(camera);
}
