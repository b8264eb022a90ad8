-- Errors of joints, drives, bonds and measurements; trajectories that differ; tostring of objects.
local scree = require "scree"
local fails = require("check").fails

local w, other = scree.world { dt = 1e-3 }, scree.world { dt = 1e-3 }
local a, b = w:sphere { name = "one", radius = 0.1 }, w:sphere { radius = 0.1, position = { 0.2, 0, 0 } }
local plane = w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, -5 } }
local gone = w:sphere { radius = 0.1, position = { 9, 0, 0 } }
gone:remove()
local alien = other:sphere { radius = 0.1 }

-- joints: words, mistake
local function hinge(more)
  local def = { a = a, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
  for key, value in pairs(more) do def[key] = value end
  return w:hinge(def)
end
for _, row in ipairs {
  { "hinge.limits[2]: 'x' is no number", { limits = { 1, "x" } } }, { "limits", { limits = 3 } }, { "limits", { limits = { 2, 1 } } },
  { "image", { image = { 1, 2 } } }, { "image", { image = { 0.5, 0, 0 } } }, { "image", { image = 7 } }, { "motor", { motor = 3 } },
  { "speed", { motor = { speed = 1 / 0 } } }, { "force", { motor = { speed = 1, force = -1 } } }, { "servo", { servo = { stiffness = -1 } } },
  { "axis", { axis = { 0, 0, 0 } } }, { "hinge.axes", { axes = 1 } }, { "a", { a = plane } }, { "another world", { a = alien } }, { "removed", { b = gone } },
  { "itself", { b = a } }, { "motor", { motor = { speed = 1 }, servo = { position = 1, stiffness = 1 } } },
} do fails(row[1], hinge, row[2]) end
local joint = hinge { b = b, stiffness = 1 }
assert(tostring(joint):find "hinge joint" and joint:id() > 0 and joint:type() == "hinge")
joint:set_spring { stiffness = 5, damping = 0.1, rest = 0.2 }
joint:set_spring { damping = 0.2 }
w:step(2)
fails("stiffness", joint.set_spring, joint, { stiffness = -1 })
fails("set_spring.stiffnes", joint.set_spring, joint, { stiffnes = 1 })
fails("another world", w.hinge, other, { a = a, at = { 0, 0, 0 }, axis = { 0, 0, 1 } })
joint:remove()
assert(tostring(joint):find "removed joint")
fails("removed", joint.position, joint)
fails("removed", joint.set_motor, joint, { speed = 1 })

-- bonds
local strong = { pairs = { { a, b } }, young = 1e6 }
local function bond(key, value)
  local def = { pairs = strong.pairs, young = strong.young }
  def[key] = value
  return w:bond_pairs(def)
end
for _, row in ipairs {
  { "bond.young is missing", "young", 0 }, { "young", "young", -1 }, { "ratio", "ratio", -1 }, { "tension", "tension", -1 }, { "shear", "shear", 0 / 0 },
  { "pairs", "pairs", 3 }, { "pairs", "pairs", { a } }, { "itself", "pairs", { { a, a } } }, { "half-space", "pairs", { { a, plane } } },
  { "body of this world", "pairs", { { a, alien } } }, { "removed", "pairs", { { a, gone } } }, { "radius", "radius", -1 },
} do fails(row[1], bond, row[2], row[3]) end
assert(#w:bond_pairs(strong) == 1)
for _, row in ipairs {
  { "take no bonds", { sleep = 1e-3 } }, { "planar", { plane = { 0, 1, 0 } } }, { "semi_implicit", { stepper = "penalty" } }, { "takes no bonds", { solver = { name = "pgs" } } },
} do
  row[2].dt = 1e-3
  local v = scree.world(row[2])
  local list = { { v:sphere { radius = 0.1 }, v:sphere { radius = 0.1, position = { 0.2, 0, 0 } } } }
  fails(row[1], v.bond_pairs, v, { pairs = list, young = 1e6 })
end

-- measurements
local box = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }
fails("must be a body or its name", w.force, w, { body = 3 })
fails("no body is called", w.force, w, { body = "nobody" })
fails("another world", w.force, w, { body = alien })
fails("removed", w.force, w, { body = gone })
fails("removed", w.forces_on, w, gone)
fails("measure.type must be the name", w.measure, w, { type = 3 })
fails("did you mean 'rdf'", w.measure, w, { type = "rdff" })
fails("cells", w.profile, w, { region = box, cells = { 0, 1, 1 } })
fails("region", w.profile, w, { region = 3, cells = { 1, 1, 1 } })
fails("list of diameters", w.grading, w, { diameters = 3 })
local moved = w:displacement {}
moved:add()
moved:reset()
assert(tostring(w:view "position"):find "view .position. of %d rows")

-- trajectories: contacts in frames, and what differs
local folder = os.tmpname()
os.remove(folder)
local scene = os.tmpname()
local file = assert(io.open(scene .. ".lua", "w"))
file:write [[return { params = { v = { default = 0.1, doc = "speed" } }, world = { dt = 1e-3 }, stop = { time = 0.02 },
  setup = function(w, p) w:halfspace { normal = { 0, 0, 1 } } w:sphere { radius = 0.1, position = { 0, 0, 0.0999 }, velocity = { p.v, 0, 0 } } end,
  output = { trajectory = { every = 0.01, fields = { "orientation", "velocity", "contacts" } } } }]]
file:close()
local pipe = io.popen "readlink /proc/$PPID/exe"
local program = pipe:read "l"
pipe:close()
local function run(name, options)
  assert(os.execute(("%s run %s.lua -o %s/%s --quiet %s >/dev/null"):format(program, scene, folder, name, options or "")))
  return scree.open(("%s/%s/trajectory.scree"):format(folder, name))
end
local first, second = run "a", run("b", "v=0.2")
local contact = first:frame(-1).contacts[1]
assert(contact.body1 ~= contact.body2 and math.abs(contact.normal[3]) == 1 and contact.impulse[3] ~= 0 and math.abs(contact.point[3]) < 1e-3 and contact.gap < 1e-3)
local difference = first:compare(second)
assert(difference.differences > 0 and difference.frames_a == #first and difference.frames_b == #second)
assert(difference.first.frame == 1 and difference.first.field == "velocity" and difference.first.component == 1 and difference.first.a == 0.1 and difference.first.b == 0.2)
assert(difference.largest.velocity.b and not difference.largest.kind)
fails("closed", first.compare, first, (function() second:close() return second end)())
fails("closed", second.frame, second, 1)
fails("too long", scree.open, ("x"):rep(2000))
os.execute(("rm -r %s %s %s.lua"):format(folder, scene, scene))
