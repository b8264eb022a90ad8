-- A gripper: two fingers press on a box from both sides, lift it and carry it by friction alone. The report
-- shows how far the box creeps in `hold` seconds.
local drive = require "scree.drive"
local lift
return {
  title = "gripper",
  params = { force = 30, mu = 0.5, mass = 1, dt = 2e-3, hold = 10, law = "coulomb" },
  world = function(p)
    return {
      gravity = { 0, 0, -9.81 },
      dt = p.dt,
      solver = { name = "nbgs", iterations = 2000, tolerance = 1e-9 },
    }
  end,
  setup = function(w, p)
    w:pair { "default", "default", law = p.law, mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    w:box { name = "load", size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 0.05 }, mass = p.mass }
    local hand = w:box { size = { 0.3, 0.1, 0.02 }, position = { 0, 0, 0.3 }, mass = 1 }
    local rise = w:slider { a = hand, at = { 0, 0, 0.3 }, axis = { 0, 0, 1 }, motor = { speed = 0 } }
    lift = drive.new(rise, { { 0, 0 }, { 0.5, 0 }, { 0.6, 0.2 }, { 1.4, 0.2 }, { 1.5, 0 } })
    for _, side in ipairs { -1, 1 } do
      local finger = w:box { size = { 0.02, 0.08, 0.2 }, position = { 0.062 * side, 0, 0.15 }, mass = 0.2 }
      w:slider {
        a = finger,
        b = hand,
        at = { 0.062 * side, 0, 0.3 },
        axis = { -side, 0, 0 },
        motor = { force = p.force },
      }
    end
  end,
  before_step = function(w) lift:update(w) end,
  after_step = function(w)
    local _, _, z = w:find("load"):position()
    if not w.state.height and w:time() >= 2 then w.state.height = z end
    if w.state.height then w.state.creep = math.max(w.state.creep or 0, math.abs(z - w.state.height)) end
  end,
  output = {
    trajectory = { every = 0.05 },
    series = {
      every = 0.05,
      values = function(w)
        local _, _, z = w:find("load"):position()
        return { height = z }
      end,
    },
  },
  stop = function(w, p) return w:time() >= 2 + p.hold end,
  report = function(w) return { { "height", w.state.height, "m" }, { "creep", w.state.creep, "m" } } end,
}
