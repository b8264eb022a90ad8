--- Quaternions w, x, y, z of rotations.

local vector = require "scree.math.vector"

-- Returns the product p q: first the rotation q, then the rotation p.
local function multiply(p, q)
  return {
    p[1] * q[1] - p[2] * q[2] - p[3] * q[3] - p[4] * q[4],
    p[1] * q[2] + p[2] * q[1] + p[3] * q[4] - p[4] * q[3],
    p[1] * q[3] - p[2] * q[4] + p[3] * q[1] + p[4] * q[2],
    p[1] * q[4] + p[2] * q[3] - p[3] * q[2] + p[4] * q[1],
  }
end

-- Returns the inverse of a rotation.
local function inverse(q) return { q[1], -q[2], -q[3], -q[4] } end

-- Returns the rotation by an angle about a unit vector.
local function about(axis, angle)
  local s = math.sin(angle / 2)
  return { math.cos(angle / 2), s * axis[1], s * axis[2], s * axis[3] }
end

local function normalised(v)
  local sum = 0
  for i = 1, #v do
    sum = sum + v[i] * v[i]
  end
  local n, out = math.sqrt(sum), {}
  for i = 1, #v do
    out[i] = v[i] / n
  end
  return out, n
end

-- Returns the quaternion of the smallest rotation from z to a direction.
local function z_to(d)
  local n = normalised(d)
  if n[3] < -1 + 1e-12 then return { 0, 1, 0, 0 } end
  return (normalised { 1 + n[3], -n[2], n[1], 0 })
end

-- Returns the quaternion of the rotation matrix with the columns x, y, z.
local function from_axes(x, y, z)
  local trace = x[1] + y[2] + z[3]
  local candidates = { 1 + trace, 1 + x[1] - y[2] - z[3], 1 - x[1] + y[2] - z[3], 1 - x[1] - y[2] + z[3] }
  local best = 1
  for i = 2, 4 do
    if candidates[i] > candidates[best] then best = i end
  end
  local a, b, c = y[3] - z[2], z[1] - x[3], x[2] - y[1]
  local d, e, f = y[1] + x[2], z[1] + x[3], z[2] + y[3]
  local k = candidates[best]
  local q = ({ { k, a, b, c }, { a, k, d, e }, { b, d, k, f }, { c, e, f, k } })[best]
  return (normalised(q))
end

-- Returns the vector v rotated by q.
local function turn(q, v)
  local s = multiply(multiply(q, { 0, v[1], v[2], v[3] }), inverse(q))
  return { s[2], s[3], s[4] }
end

-- Returns the frame `inner`, which is given relative to `outer`, relative to the parent frame of `outer`. A
-- frame is { position =, orientation = }; without these keys inner has the pose of outer.
local function compose(outer, inner)
  return {
    position = vector.add(outer.position, turn(outer.orientation, inner.position or { 0, 0, 0 })),
    orientation = multiply(outer.orientation, inner.orientation or { 1, 0, 0, 0 }),
  }
end

return {
  about = about,
  compose = compose,
  from_axes = from_axes,
  inverse = inverse,
  multiply = multiply,
  normalised = normalised,
  turn = turn,
  z_to = z_to,
}
