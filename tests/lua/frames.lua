-- The frame in which a body was created: its origin may differ from the centre of mass, and it follows motion and set_position, for all
-- kinds of bodies. Also points given in this frame.
local scree = require "scree"
local check = require "check"
local fails = check.fails
local function near(what, got, expected, tolerance)
  for k = 1, #expected do
    if not (math.abs(got[k] - expected[k]) <= tolerance) then error(("%s: %d: %.17g, expected %.17g"):format(what, k, got[k], expected[k]), 2) end
  end
end
-- v turned by q = w, x, y, z
local function turn(q, v)
  local w, x, y, z = q[1], q[2], q[3], q[4]
  local tx, ty, tz = 2 * (y * v[3] - z * v[2]), 2 * (z * v[1] - x * v[3]), 2 * (x * v[2] - y * v[1])
  return { v[1] + w * tx + y * tz - z * ty, v[2] + w * ty + z * tx - x * tz, v[3] + w * tz + x * ty - y * tx }
end

local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
-- the centre of mass lies at centre in the frame, as told
local centre, start, stands = { 0.1, -0.2, 0.3 }, { 1, 2, 3 }, { 0.5, 0.5, 0.5, 0.5 }
local told = w:box { size = { 0.1, 0.1, 0.1 }, mass = 2, centre = centre, inertia = { 0.02, 0, 0, 0.03, 0, 0.04 }, position = start, orientation = stands, velocity = { 1, 0, 2 }, spin = { 3, -2, 5 } }
local origin, axes = told:frame()
near("frame at the making", origin, start, 1e-15)
near("axes at the making", axes, stands, 0)
near("centre at the making", { told:position() }, { start[1] + 0.3, start[2] + 0.1, start[3] - 0.2 }, 1e-15)
near("the centre as a point", { told:point(centre) }, { told:position() }, 0)
-- a ball off its frame, whose inertia has no row of its own; one at its frame
local ball = w:body { position = { -5, 0, 0 }, spin = { 0, 0, 4 }, shapes = { { type = "sphere", radius = 0.1, position = { 0.5, 0, 0 } } } }
local plain = w:sphere { radius = 0.1, position = { -8, 0, 0 } }
near("frame of a ball", (ball:frame()), { -5, 0, 0 }, 1e-15)
near("frame of a plain ball", (plain:frame()), { -8, 0, 0 }, 0)
for _ = 1, 400 do
  w:step()
  local at, q = { told:position() }, { told:orientation() }
  local arm = turn(q, centre)
  origin, axes = told:frame()
  near("axes while it flies", axes, q, 0)
  near("origin while it flies", origin, { at[1] - arm[1], at[2] - arm[2], at[3] - arm[3] }, 1e-13)
  local tip = turn(q, { 1, 2, 3 })
  near("a point while it flies", { told:point(1, 2, 3) }, { origin[1] + tip[1], origin[2] + tip[2], origin[3] + tip[3] }, 1e-13)
end
assert(math.abs(axes[1] - stands[1]) > 0.01, "it did not turn")
-- the ball's spin is constant: its frame goes round its centre, which falls; the turn of a ball is exact to (spin dt)^2 / 12
local angle, fallen = 4 * 0.4, select(3, ball:position())
near("a ball's frame goes round", (ball:frame()), { -4.5 - 0.5 * math.cos(angle), -0.5 * math.sin(angle), fallen }, 5e-6)
-- rows are put in other places: a body before is removed
plain:remove()
near("after a removal", { told:point(centre) }, { told:position() }, 1e-15)
-- moved by hand, and as a body of another kind
told:set_position(0, 0, 0)
told:set_orientation(1, 0, 0, 0)
near("set by hand", (told:frame()), { -0.1, 0.2, -0.3 }, 1e-15)
told:set_kind "fixed"
near("fixed", (told:frame()), { -0.1, 0.2, -0.3 }, 1e-15)
local wall = w:box { kind = "fixed", size = { 1, 1, 1 }, position = { 9, 9, 9 } }
near("a wall", (wall:frame()), { 9, 9, 9 }, 0)
near("a wall's corner", { wall:point(0.5, 0.5, 0.5) }, { 9.5, 9.5, 9.5 }, 0)
-- a body in the slot of one that was off its frame
told:remove()
local fresh = w:sphere { radius = 0.1, position = { 3, 3, 3 } }
near("in a used row", (fresh:frame()), { 3, 3, 3 }, 0)
local ok, message = pcall(told.frame, told)
assert(not ok and message:find "stale" or message:find "removed", message)
ok, message = pcall(fresh.point, fresh, 1, 2)
assert(not ok and message:find "point", message)

-- named points
local arm = w:box { size = { 0.2, 0.1, 0.1 }, position = { 0, 4, 0 }, spin = { 1, 2, 3 }, sites = { tip = { 0.1, 0, 0 }, heel = { "-10 cm", 0, 0 } } }
local boom = w:body { position = { 0, 6, 0 }, sites = { tip = { 1, 0, 0 } }, shapes = { { type = "sphere", radius = 0.1 }, { type = "sphere", radius = 0.1, position = { 1, 0, 0 } } } }
near("a name just after", { arm:point "heel" }, { -0.1, 4, 0 }, 1e-15)
for _ = 1, 50 do w:step() end
near("a named point", { arm:point "tip" }, { arm:point(0.1, 0, 0) }, 0)
near("of another body", { boom:point "tip" }, { boom:point(1, 0, 0) }, 0)
fails('did you mean "tip"', arm.point, arm, "tipp")
fails('no point "tip"', fresh.point, fresh, "tip")
local before = #w:view "id"
fails("box.sites.tip", w.box, w, { size = { 1, 1, 1 }, sites = { tip = { 1, 2 } } })
fails("names of 1 to 63", w.box, w, { size = { 1, 1, 1 }, sites = { { 1, 2, 3 } } })
fails("box.sites must be a table", w.box, w, { size = { 1, 1, 1 }, sites = 1 })
assert(#w:view "id" == before, "a refused body was left behind")
arm:remove()
fails("removed", arm.point, arm, 0, 0, 0)
near("after another was removed", { boom:point "tip" }, { boom:point(1, 0, 0) }, 0)
