-- Two nuts on bolts. Threads are made of convex hulls (scree.thread). The friction of one nut is below the
-- tangent of the lead angle: it runs down under its weight, by the pitch per turn. The friction of the other
-- nut is above: it does not move.
local thread = require "scree.thread"
local apart = 0.022

return {
  title = "nut",
  params = {
    radius = 0.01,
    pitch = 0.006,
    depth = 0.0015,
    sides = 12,
    slick = 0.02,
    rough = 0.115,
    spin = -12,
    dt = 1e-3,
    time = 2,
  },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt } end,
  setup = function(w, p)
    w:material { name = "steel", density = 7800 }
    w:material { name = "slick", density = 7800 }
    w:pair { "steel", "steel", mu = p.rough }
    w:pair { "steel", "slick", mu = p.slick }
    local m = { radius = p.radius, pitch = p.pitch, depth = p.depth, sides = p.sides }
    local head = { across = 3.4 * p.radius, height = 0.8 * p.radius }
    for side = -1, 1, 2 do
      local at = { side * apart, 0, 0 }
      w:body {
        name = side < 0 and "left" or "right",
        kind = "fixed",
        position = at,
        shapes = thread.bolt(m, { length = 0.06, head = head, material = "steel" }),
      }
      at[3] = 3 * p.pitch
      w:body {
        name = side < 0 and "slick" or "rough",
        position = at,
        spin = side < 0 and { 0, 0, p.spin } or nil,
        shapes = thread.nut(m, { height = 2.5 * p.pitch, material = side < 0 and "slick" or "steel" }),
      }
    end
    w.state.turn, w.state.marks = 0, {}
  end,
  after_step = function(w, p)
    -- Store the height of the nut at every third of a turn, interpolated linearly between steps. The convex
    -- pieces of the thread repeat every third of a turn.
    local s, nut = w.state, w:find "slick"
    local _, _, spin = nut:spin()
    local _, _, z = nut:position()
    local before = s.turn
    s.turn = before + spin * w:dt() / (2 * math.pi)
    local mark = -(#s.marks + 1) / 3
    if before > mark and s.turn <= mark then
      s.marks[#s.marks + 1] = s.z + (z - s.z) * (mark - before) / (s.turn - before)
    end
    s.z = z
  end,
  output = { trajectory = { every = 0.02 }, series = { every = 0.02 } },
  stop = function(w, p) return w:time() >= p.time end,
  report = function(w, p)
    local s = w.state
    local marks = s.marks
    local mean = #marks > 1 and (marks[1] - marks[#marks]) / (#marks - 1) * 3 or 0
    local _, _, rough = w:find("rough"):position()
    local mid = p.radius - p.depth / 2
    return {
      { "turns of the slick nut", -s.turn, "" },
      { "way down a turn", mean, "m" },
      { "departure from the pitch", mean / p.pitch - 1, "" },
      { "tangent of the lead angle", p.pitch / (2 * math.pi * mid), "" },
      { "way down of the rough nut", 3 * p.pitch - rough, "m" },
      { "speed of the rough nut", math.abs((select(3, w:find("rough"):velocity()))), "m/s" },
      { "penetration", w:report().penetration, "m" },
    }
  end,
}
