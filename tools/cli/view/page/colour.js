// Colour maps: a few colours each, interpolated linearly in sRGB. All but grey suit every common colour blindness: viridis,
// magma and cividis increase in lightness, diverging is purple to orange, groups are the eight colours of Okabe and Ito.

const COLOUR_MAPS = {
  viridis: ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"],
  cividis: ["00224e", "123570", "3b496c", "575d6d", "707173", "8a8678", "a59c74", "c3b369", "e1cc55", "fee838"],
  magma: ["000004", "1c1044", "4f127b", "812581", "b5367a", "e55064", "fb8761", "fec287", "fcfdbf"],
  diverging: ["542788", "998ec3", "d8daeb", "f7f7f7", "fee0b6", "f1a340", "b35806"],
  grey: ["262626", "f2f2f2"],
};
const GROUP_COLOURS = ["0072b2", "e69f00", "009e73", "d55e00", "56b4e9", "cc79a7", "f0e442", "8c8c8c"];

const hexColour = (text) => [0, 2, 4].map((at) => parseInt(text.slice(at, at + 2), 16));

// Returns the colour at a share in 0..1 of a map, components in 0..255.
function mapColour(stops, share) {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2);
  const a = hexColour(stops[k]), b = hexColour(stops[k + 1]);
  return a.map((value, c) => Math.round(value + (b[c] - value) * (at - k)));
}

// Returns the texture of a map; a minus before the name reverses it.
function mapTexture(name) {
  const bytes = new Uint8Array(4 * 256), turned = name[0] === "-", stops = COLOUR_MAPS[turned ? name.slice(1) : name];
  for (let i = 0; i < 256; i++) bytes.set([...mapColour(stops, turned ? 1 - i / 255 : i / 255), 255], 4 * i);
  return smallTexture(bytes, 256, THREE.LinearFilter);
}

function groupTexture() {
  const bytes = new Uint8Array(4 * 8);
  GROUP_COLOURS.forEach((text, i) => bytes.set([...hexColour(text), 255], 4 * i));
  return smallTexture(bytes, 8, THREE.NearestFilter);
}

function smallTexture(bytes, width, filter) {
  const texture = new THREE.DataTexture(bytes, width, 1, THREE.RGBAFormat);
  texture.minFilter = texture.magFilter = filter;
  texture.needsUpdate = true;
  return texture;
}
