-- The domain of a world: bodies that leave it are removed, end the run or stay, and are counted; threads, checkpoints, joints, cells; errors.
local scree = require "scree"

-- ten balls on a table that reaches half a metre; those pushed over its edge fall
local function make(domain, more)
  local def = { gravity = { 0, 0, -9.81 }, dt = 1e-3, domain = domain }
  for key, value in pairs(more or {}) do def[key] = value end
  local w, balls = scree.world(def), {}
  w:box { kind = "fixed", size = { 1, 1, 0.1 }, position = { 0, 0, -0.05 } }
  for k = 1, 10 do balls[k] = w:sphere { radius = 0.05, position = { 0.4, 0.105 * (k - 5.5), 0.05 } } end
  for k = 1, 3 do balls[k]:set_velocity(2, 0, 0) end
  return w, balls
end
local box = { min = { -1, -1, -1 }, max = { 1, 1, 1 } }
local function domain(lost) return { min = box.min, max = box.max, lost = lost } end

-- by default a body is removed after the step in which its centre leaves the box; other bodies do not change
local w, balls = make(box)
local free, others = make(nil)
for _ = 1, 1000 do
  w:step(1)
  free:step(1)
  for k = 1, 10 do
    local x, y, z = others[k]:position()
    local inside = x <= 1 and z >= -1 and math.abs(y) <= 1
    assert(inside or not balls[k]:alive(), "a ball outside the domain lives on")
    if balls[k]:alive() then
      local X, Y, Z = balls[k]:position()
      assert(X == x and Y == y and Z == z, "the domain moves bodies")
    end
  end
end
assert(w:report().bodies_lost == 3 and w:report().dynamic == 7, "three balls left")
assert(free:report().bodies_lost == 0 and free:report().dynamic == 10, "a world without a domain loses nothing")

-- kept: counted while they are outside
w, balls = make(domain "keep")
w:step(1000)
assert(w:report().bodies_lost == 3 and w:report().dynamic == 10 and balls[1]:alive())
balls[1]:set_position(0, 0, 0.5)
assert(w:report().bodies_lost == 2, "a ball that was put back")

-- an error names the body; the step is complete
w, balls = make(domain "error")
local fine, text = pcall(w.step, w, 1000)
assert(not fine and tostring(text):find("left the domain", 1, true), tostring(text))
assert(tostring(text):find("body " .. balls[1]:id() .. " ", 1, true), tostring(text))
assert(w:report().dynamic == 10 and w:steps() > 0 and w:steps() < 1000)

-- the same bits for any number of threads (tests/cli/resume.sh: over a checkpoint)
local function heap(threads)
  local h = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, threads = threads, domain = { min = { -0.3, -0.3, -0.2 }, max = { 0.3, 0.3, 2 } } }
  h:box { kind = "fixed", size = { 0.3, 0.3, 0.1 }, position = { 0, 0, -0.05 } }
  h:fill { region = { min = { -0.15, -0.15, 0.05 }, max = { 0.15, 0.15, 0.6 } }, radius = 0.02, spacing = 0.042, limit = 300, velocity = { 1.5, 0, 0 }, jitter = 0.3 }
  return h
end
local one, four = heap(1), heap(4)
one:step(300)
four:step(300)
local lost = one:report().bodies_lost
assert(lost > 10 and lost < 290, "lost: " .. lost)
assert(four:report().bodies_lost == lost and four:hash() == one:hash(), "threads")
-- removed together with their joints; the connected body inside stays
w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, domain = box }
local a = w:sphere { radius = 0.05, position = { 0.5, 0, 0 }, velocity = { 1, 0, 0 } }
local b = w:sphere { radius = 0.05, position = { 0.3, 0, 0 }, velocity = { 1, 0, 0 } }
w:ball { a = a, b = b, at = { 0.4, 0, 0 } }
w:step(600)
assert(not a:alive() and b:alive() and w:report().bodies_lost == 1, "a body of a joint")

-- in a cell the wrapped position counts: a body that crosses a periodic edge is not lost
w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, domain = box, cell = { size = { 2, 2, 2 }, origin = { -1, -1, -1 }, periodic = { true, false, false } } }
a = w:sphere { radius = 0.05, position = { 0.9, 0, 0 }, velocity = { 1, 0, 0 } }
b = w:sphere { radius = 0.05, position = { 0, 0.9, 0 }, velocity = { 0, 1, 0 } }
w:step(500)
assert(a:alive() and not b:alive() and w:report().bodies_lost == 1, "a periodic edge")

-- refused
local function refuses(words, def)
  local done, why = pcall(scree.world, { domain = def })
  assert(not done and tostring(why):find(words, 1, true), tostring(why))
end
refuses("min must be below max", { min = { 0, 0, 0 }, max = { 1, 0, 1 } })
refuses("min must be below max", { min = { 0, 0, 2 }, max = { 1, 1, 1 } })
for _, at in ipairs { 0, 1, -2.5 } do refuses("min must be below max", { min = { at, at, at }, max = { at, at, at } }) end
refuses("min must be below max", { min = { 0, 0, 0 }, max = { 1, 1, 0 } })
refuses("domain.max", { min = { 0, 0, 0 } })
refuses("lost", { min = { 0, 0, 0 }, max = { 1, 1, 1 }, lost = "forget" })
refuses("did you mean", { min = { 0, 0, 0 }, max = { 1, 1, 1 }, lots = "keep" })
print "domains count what they lose"
