// Programs of the graphics processor. All lighting is here: a key light over the viewer's left shoulder, a soft sky, a small gloss.

const LIGHT_GLSL = `
uniform vec3 uUp, uKey;
uniform float uPick;
vec3 lit(vec3 base, vec3 n, vec3 toEye) {
  float diffuse = max(dot(n, uKey), 0.0), sky = 0.5 + 0.5 * dot(n, uUp), edge = min(1.8 * dot(n, toEye), 1.0);
  float gloss = max(dot(n, normalize(uKey + toEye)), 0.0);
  gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss;
  return base * ((0.30 + 0.22 * sky + 0.60 * diffuse) * (0.72 + 0.28 * edge)) + vec3(0.16 * gloss);
}
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }
vec4 rowColour(float row) {
  float id = row + 1.0;
  return vec4(mod(id, 256.0), mod(floor(id / 256.0), 256.0), floor(id / 65536.0), 255.0) / 255.0;
}`;

// Colour of a value. Values beyond the range get the end colours; NaN (sent as -1e30) and bodies without a value are grey.
const COLOUR_GLSL = `
uniform sampler2D uMap;
uniform vec2 uRange;
uniform float uCategories, uPlain;
uniform vec3 uOne;
vec3 colourOf(float value) {
  if (uPlain > 0.5) return uOne;
  if (value < -0.9e30) return vec3(0.55);
  float at = uCategories > 0.5 ? (mod(floor(value + 0.5), 8.0) + 0.5) / 8.0 : (clamp((value - uRange.x) / max(uRange.y - uRange.x, 1e-30), 0.0, 1.0) * 255.0 + 0.5) / 256.0;
  return texture2D(uMap, vec2(at, 0.5)).rgb;
}`;

// Balls come as texels, 2048 in a row, and their corners by number. Instances would cost more per ball without a graphics
// processor.
// A ball is one triangle that covers its silhouette as seen from the eye; each pixel then intersects the ball exactly.
// Distances are relative to the ball's centre, so that single precision suffices for small balls in large scenes. Cuts through
// bodies and marks that rotate are compiled in only if they are wanted.
const BALL_VERTEX = `
uniform highp sampler2D uPlaces, uValues, uTurns;
uniform float uShrink;
varying vec3 vOff, vDir, vCentre, vColour;
varying float vRadius, vRow, vDeep;
varying vec4 vTurn;
${COLOUR_GLSL}
void main() {
  int ball = gl_VertexID / 3;
  ivec2 texel = ivec2(ball & 2047, ball >> 11);
  vec4 place = texelFetch(uPlaces, texel, 0), other = texelFetch(uValues, texel, 0);
  vec3 centre = place.xyz;
  float radius = uShrink * place.w, value = other.x, row = other.y;
#ifdef SPOTS
  vTurn = texelFetch(uTurns, texel, 0);
#endif
  vec3 c = (viewMatrix * vec4(centre, 1.0)).xyz;
  float d2 = dot(c, c), r2 = radius * radius;
  vec3 n = c * inversesqrt(max(d2, 1e-30));
  vec3 u = normalize(cross(n, abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0))), v = cross(n, u);
  float reach = d2 > r2 * 1.0001 ? radius * sqrt(d2 / (d2 - r2)) : 0.0;
  vec3 off = reach * (1.7320509 * position.x * u + position.y * v);
  mat3 back = mat3(viewMatrix);
  vOff = off * back;
  vDir = (c + off) * back;
  vCentre = centre; vRadius = radius; vColour = colourOf(value); vRow = row; vDeep = c.z;
  gl_Position = reach > 0.0 ? projectionMatrix * vec4(c + off, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const BALL_FRAGMENT = `
uniform mat4 projectionMatrix;
uniform vec3 uLow, uHigh, uChosen;
varying vec3 vOff, vDir, vCentre, vColour;
varying float vRadius, vRow, vDeep;
varying vec4 vTurn;
${LIGHT_GLSL}
void main() {
  vec3 dir = normalize(vDir);
  float b = dot(vOff, dir), disc = b * b - dot(vOff, vOff) + vRadius * vRadius;
  if (disc < 0.0) discard;
  float root = sqrt(disc), near = -b - root;
  vec3 hit = vOff + near * dir, n = hit / vRadius;
  float whole = 1.0;
#ifdef SLICE
  {
    vec3 start = vCentre + vOff, step = 1.0 / (dir + vec3(equal(dir, vec3(0.0))) * 1e-9);
    vec3 a = (uLow - start) * step, z = (uHigh - start) * step, first = min(a, z), last = max(a, z);
    float enter = max(max(first.x, first.y), first.z), leave = min(min(last.x, last.y), last.z);
    if (max(enter, near) > min(leave, -b + root)) discard;
    if (enter > near) {
      hit = vOff + enter * dir;
      whole = 0.0;
      n = -sign(dir) * vec3(greaterThanEqual(first, vec3(enter)));
    }
  }
#endif
  float deep = vDeep + dot(vec3(viewMatrix[0].z, viewMatrix[1].z, viewMatrix[2].z), hit);
  gl_FragDepthEXT = 0.5 - 0.5 * (projectionMatrix[2].z + projectionMatrix[3].z / deep);
  if (uPick > 0.5) { gl_FragColor = rowColour(vRow); return; }
  vec3 base = vColour;
#ifdef SPOTS
  vec3 own = turned(vec4(vTurn.x, -vTurn.yzw), n);
  base *= mix(1.0, own.x * own.y * own.z > 0.0 ? 0.72 : 1.08, whole);
#endif
  if (abs(vRow - uChosen.x) < 0.5) base = mix(base, vec3(1.0, 0.25, 0.1), 0.65);
  gl_FragColor = vec4(lit(base, n, -dir), 1.0);
}`;

// Balls of at most a few pixels: one point each, at one depth. A point of less than two pixels has the mean colour of four places of the ball.
const POINT_VERTEX = `
uniform highp sampler2D uPlaces, uValues;
uniform float uShrink, uPixels;
varying vec3 vColour, vMean, vToEye;
varying float vRow, vSize;
${LIGHT_GLSL}
${COLOUR_GLSL}
void main() {
  ivec2 texel = ivec2(gl_VertexID & 2047, gl_VertexID >> 11);
  vec4 place = texelFetch(uPlaces, texel, 0), other = texelFetch(uValues, texel, 0);
  vec3 c = (viewMatrix * vec4(place.xyz, 1.0)).xyz;
  float radius = uShrink * place.w;
  mat3 back = mat3(viewMatrix);
  vToEye = normalize(-c) * back;
  vColour = colourOf(other.x); vRow = other.y;
  vMean = vec3(0.0);
  for (int k = 0; k < 4; k++) vMean += 0.25 * lit(vColour, vec3(float(k & 1) - 0.5, float(k >> 1) - 0.5, 0.70710678) * back, vToEye);
  vSize = 2.0 * radius * uPixels / max(-c.z, 1e-30);
  gl_PointSize = max(vSize, 1.0);
  c.z += 0.7 * radius;
  gl_Position = projectionMatrix * vec4(c, 1.0);
}`;

const POINT_FRAGMENT = `
uniform vec3 uChosen;
varying vec3 vColour, vMean, vToEye;
varying float vRow, vSize;
${LIGHT_GLSL}
void main() {
  vec2 at = vec2(2.0, -2.0) * (gl_PointCoord - 0.5);
  float left = 1.0 - dot(at, at);
  if (vSize > 2.0 && left < 0.0) discard;
  vec3 colour = vSize > 2.0 ? lit(vColour, vec3(at, sqrt(max(left, 0.0))) * mat3(viewMatrix), vToEye) : vMean;
  if (abs(vRow - uChosen.x) < 0.5) colour = vec3(1.0, 0.25, 0.1);
  gl_FragColor = vec4(colour, 1.0);
}`;

// Every other shape: one mesh of unit size, scaled and rotated for each instance. The caps of a capsule move apart by size.w.
const SHAPE_VERTEX = `
attribute vec3 centre;
attribute vec4 turn, size;
attribute float value, row, end;
uniform float uShrink;
varying vec3 vNormal, vPlace, vUnit;
varying float vValue, vRow;
${LIGHT_GLSL}
void main() {
  vec3 local = position * size.xyz + vec3(0.0, 0.0, end * size.w);
  vPlace = centre + uShrink * turned(turn, local);
  vNormal = turned(turn, normal / size.xyz);
  vUnit = position; vValue = value; vRow = row;
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}`;

const SHAPE_FRAGMENT = `
uniform vec3 uLow, uHigh, uChosen;
uniform float uSlice, uOpacity;
varying vec3 vNormal, vPlace;
varying float vValue, vRow;
${LIGHT_GLSL}
${COLOUR_GLSL}
void main() {
  if (uSlice > 0.5 && (any(lessThan(vPlace, uLow)) || any(greaterThan(vPlace, uHigh)))) discard;
  if (uPick > 0.5) { gl_FragColor = rowColour(vRow); return; }
  vec3 toEye = normalize(cameraPosition - vPlace), n = normalize(vNormal), base = colourOf(vValue);
  bool behind = dot(n, toEye) < 0.0;
  if (behind) n = -n;
  if (abs(vRow - uChosen.x) < 0.5) base = mix(base, vec3(1.0, 0.25, 0.1), 0.65);
  vec3 colour = behind && uOpacity > 0.99 ? base * 0.55 : lit(base, n, toEye);
  float edge = 1.0 - abs(dot(n, toEye));
  gl_FragColor = vec4(colour, uOpacity > 0.99 ? 1.0 : mix(uOpacity, min(1.0, 2.2 * uOpacity), edge * edge));
}`;

// Planes: a square about the middle of the scene with a grid of lines that fades outwards.
const PLANE_FRAGMENT = `
uniform vec3 uLow, uHigh;
uniform float uSlice, uOpacity, uGrid;
uniform vec3 uInk;
varying vec3 vPlace, vUnit, vNormal;
varying vec4 vSize;
void main() {
  if (uSlice > 0.5 && (any(lessThan(vPlace, uLow)) || any(greaterThan(vPlace, uHigh)))) discard;
  vec2 at = vUnit.xy * vSize.x / uGrid, wide = fwidth(at), off = abs(fract(at - 0.5) - 0.5) / max(wide, vec2(1e-6));
  float line = 1.0 - min(min(off.x, off.y), 1.0);
  line *= 1.0 - smoothstep(0.15, 0.5, max(wide.x, wide.y));
  float fade = 1.0 - smoothstep(0.45, 1.0, 2.0 * length(vUnit.xy));
  float front = dot(vNormal, cameraPosition - vPlace) > 0.0 ? 1.0 : 0.45;
  gl_FragColor = vec4(uInk, fade * front * uOpacity * (0.30 + 0.55 * line));
}`;

// Lines with a width: a strip from a to b that faces the eye.
const STRIP_VERTEX = `
attribute vec3 from, to;
attribute float wide, value, side;
uniform float uLeast;
uniform vec2 uPixels;
varying float vValue, vAcross;
void main() {
  vec4 a = viewMatrix * vec4(from, 1.0), b = viewMatrix * vec4(to, 1.0), p = mix(a, b, position.x);
  vec3 across = cross(b.xyz - a.xyz, p.xyz);
  float one = max(length(across), 1e-30), least = -p.z * uLeast / uPixels.y;
  p.xyz += across / one * position.y * max(wide, least);
  vValue = value; vAcross = position.y;
  gl_Position = projectionMatrix * p;
}`;

const STRIP_FRAGMENT = `
uniform float uOpacity;
varying float vValue, vAcross;
${COLOUR_GLSL}
void main() {
  float round = sqrt(max(1.0 - vAcross * vAcross, 0.0));
  gl_FragColor = vec4(colourOf(vValue) * (0.55 + 0.5 * round), uOpacity);
}`;
