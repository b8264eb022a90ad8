-- A joint breaks in the first step in which its load exceeds its strength. For every kind of strength it holds at (1 - 1e-6) times the strength, and
-- breaks after one step at (1 + 1e-6) times. Tests the cause, all ways in which mechanisms are integrated, and a lever.
local scree = require "scree"
local near = require "check".within
local function world(correct, touched)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, correct_joints = correct, solver = { tolerance = 1e-12 } }
  if touched then w:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, -0.1 } } end
  return w
end

-- strength of the joint, and the action on the body at the load s
local bound = 40
local kinds = {
  { "break_force", "force", function(s) return { force = { 0.6 * s, -0.8 * s, 0 } } end },
  { "break_torque", "torque", function(s) return { torque = { 0.48 * s, 0.6 * s, -0.64 * s } } end },
  { "break_tension", "tension", function(s) return { force = { s, 3, 0 } } end, true },
  { "break_compression", "compression", function(s) return { force = { -s, 0, 3 } } end, true },
  { "break_shear", "shear", function(s) return { force = { 100, 0.6 * s, 0.8 * s } } end, true },
  { "break_bending", "bending", function(s) return { torque = { 100, 0.6 * s, 0.8 * s } } end, true },
  { "break_twist", "twist", function(s) return { torque = { s, 3, 3 } } end, true },
}
for _, kind in ipairs(kinds) do
  for _, way in ipairs { { true, false }, { false, false }, { true, true }, { false, true } } do
    local w = world(table.unpack(way))
    local b = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0 } }
    -- the joint's force on a is opposite to the load
    local joint = w:fixed { a = b, at = { 0, 0, 0 }, axis = kind[4] and { -1, 0, 0 } or nil, [kind[1]] = bound }
    for _ = 1, 20 do
      b:apply(kind[3](bound * (1 - 1e-6)))
      w:step()
      assert(not joint:broken(), kind[2] .. " breaks below its load")
    end
    b:apply(kind[3](bound * (1 + 1e-6)))
    w:step()
    local what = assert(joint:broken(), kind[2] .. " holds above its load")
    assert(what.cause == kind[2], what.cause .. " for " .. kind[2])
    near(what.time, 0.021, 1e-12, "time")
    if kind[2] == "force" or kind[2] == "torque" then near(what[kind[2]], bound * (1 + 1e-6), 1e-9, "load") end
  end
end

-- energy: a spring in balance with a force, stretched to it
for _, share in ipairs { -1e-6, 1e-6 } do
  for _, correct in ipairs { true, false } do
    local w = world(correct)
    local force = math.sqrt(2 * 1e4 * 3 * (1 + share)) -- stores 3 (1 + share) J at 1e4 N/m
    local b = w:sphere { radius = 0.1, mass = 1, position = { 1 + force / 1e4, 0, 0 } }
    local spring = w:spring { a = b, at = { 1 + force / 1e4, 0, 0 }, at_b = { 0, 0, 0 }, stiffness = 1e4, length = 1, break_energy = 3 }
    for step = 1, 20 do
      b:apply { force = { force, 0, 0 } }
      w:step()
      assert((spring:broken() ~= nil) == (share > 0), "energy in step " .. step)
      if share > 0 then break end
    end
    if share > 0 then
      assert(spring:broken().cause == "energy")
      near(spring:broken().energy, 3 * (1 + share), 1e-9, "energy")
    end
  end
end

-- a lever: the weight at the end of an arm breaks the fixed joint at its root by its moment
for _, share in ipairs { -1e-6, 1e-6 } do
  local w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-3 }
  local arm = w:box { size = { 1, 0.1, 0.1 }, mass = 2, position = { 0.5, 0, 0 } }
  local tip = w:sphere { radius = 0.1, mass = 3, position = { 1, 0, 0 } }
  w:fixed { a = tip, b = arm, at = { 1, 0, 0 } }
  local weld = w:fixed { a = arm, at = { 0, 0, 0 }, axis = { -1, 0, 0 }, break_bending = 40 / (1 + share) }
  w:step(share > 0 and 1 or 50)
  assert((weld:broken() ~= nil) == (share > 0), "the lever at " .. share)
end
print("breaks: ok")
