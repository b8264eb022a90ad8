// The view in the address, behind the #: key=value pairs joined by &. docs/view.md lists them; unknown keys are left alone.

// key: [member of the state, to text, from text (undefined: not understood)]
const flag = [(on) => on ? "1" : "", (text) => text === "1"];
const number = [(value) => String(Number(value.toPrecision(6))), (text) => isFinite(Number(text)) && text !== "" ? Number(text) : undefined];
const numbers = [(list) => list.map((x) => Number(x.toPrecision(6))).join(","), (text) => { const all = text.split(",").map(Number); return all.every(isFinite) ? all : undefined; }];
const word = [(text) => text, (text) => text];
const ADDRESS = {
  frame: ["frame", ...number], color: ["color", ...word], map: ["map", ...word], range: ["fixedRange", ...numbers], each: ["eachFrame", ...flag],
  cut: ["cut", ...numbers], slice: ["slice", ...flag], hide: ["hiddenGroups", ...numbers], kinds: ["hiddenKinds", ...numbers], walls: ["walls", ...number],
  forces: ["forces", ...flag], trails: ["trails", ...number], spots: ["spots", ...flag], theme: ["theme", ...word], plots: ["plots", ...flag],
  body: ["chosen", ...number], follow: ["follow", ...flag], speed: ["speed", ...number], joints: ["joints", ...flag], plain: ["plain", ...flag], axes: ["axes", ...number],
};

// Only what differs from the defaults is written.
function writeAddress(state, defaults, eye) {
  const parts = ["cam=" + eye.text()];
  for (const key in ADDRESS) {
    const [member, toText] = ADDRESS[key], value = state[member];
    if (value === undefined || value === null || JSON.stringify(value) === JSON.stringify(defaults[member])) continue;
    parts.push(key + "=" + encodeURIComponent(toText(value)));
  }
  return "#" + parts.join("&");
}

function readAddress(text, state, eye) {
  let placed = false;
  for (const part of text.replace(/^#/, "").split("&")) {
    const at = part.indexOf("="), key = part.slice(0, at);
    let value;
    try { value = decodeURIComponent(part.slice(at + 1)); } catch (error) { continue; }
    if (key === "cam") placed = eye.read(value) || placed;
    if (!Object.hasOwn(ADDRESS, key) || at < 0) continue;
    const [member, , fromText] = ADDRESS[key], read = fromText(value);
    if (read !== undefined) state[member] = read;
  }
  return placed;
}
