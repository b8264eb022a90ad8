-- Discs in a plane run out of a flat box through a slot. The report has the rate of flow and the slope of the
-- two wedges that stay in the corners; scenes/repose.yaml finds the friction of the grains from both.
--
--   scree run scenes/repose.lua mu=0.4 rolling=0.1     rolling: largest rolling moment/(force x radius)
--   scree calibrate scenes/repose.yaml -o runs/repose -j 4

-- Returns the slope [deg] of the wedges. A wedge is a triangle of base b and height h, which
-- is thin at the slot. Its centre is at 2b/3 from the slot and h/3 above the floor.
local function find_slope(w, p)
  local x, kind, z, out = w:view "position", w:view "kind", 0, 0
  for i = 1, #x do
    if kind[i] == "dynamic" then
      local a, _, c = x:get(i)
      z, out = z + c, out + math.abs(a) - 0.5 * p.slot * 2 * p.radius
    end
  end
  return math.deg(math.atan(2 * z / out))
end

-- Counts the grains that have left and removes them.
local function drain(w, p)
  local s = w.state
  s.passed = s.passed + w:remove { region = { max = { 1, 1, -4 * p.radius } } }
  if not s.first and s.passed >= 0.1 * s.grains then s.first, s.first_passed = w:time(), s.passed end
  if not s.last and s.passed >= 0.4 * s.grains then s.last, s.last_passed = w:time(), s.passed end
end

return {
  title = "an angle of repose and a flow rate",
  params = { mu = 0.4, rolling = 0.1, radius = 2.5e-3, width = 30, slot = 8, count = 300, opens = 0.2, time = 1.5, seed = 1 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3, plane = { 0, 1, 0 }, solver = { name = "nbgs", iterations = 30 } },
  setup = function(w, p)
    local r, half, gap = p.radius, p.width * p.radius, p.slot * p.radius
    w:material { name = "grain", density = 2500 }
    w:pair { "grain", "grain", mu = p.mu, rolling = p.rolling * r }
    w:pair { "grain", "default", mu = p.mu, rolling = p.rolling * r }
    for _, side in ipairs { -1, 1 } do
      w:box { kind = "fixed", size = { 4 * r, 0.1, 400 * r }, position = { side * (half + 2 * r), 0, 200 * r } }
      w:box { kind = "fixed", size = { half - gap, 0.1, 4 * r }, position = { side * 0.5 * (half + gap), 0, -2 * r } }
    end
    w:box { name = "gate", kind = "kinematic", size = { 2 * gap, 0.1, 4 * r }, position = { 0, 0, -2 * r } }
    w.state.grains = w:fill {
      region = { min = { -half, -1.2 * r, 0 }, max = { half, 1.2 * r, 200 * r } },
      spacing = 2.2 * r,
      radius = 0.9 * r,
      radius_max = 1.1 * r,
      jitter = { 0.05, 0, 0.05 },
      limit = p.count,
      material = "grain",
    }
    w.state.passed = 0
  end,
  before_step = function(w, p)
    if w:time() >= p.opens and not w.state.open then
      w:find("gate"):remove()
      w.state.open = true
    end
    if w:steps() % 5 == 0 then drain(w, p) end
  end,
  output = { trajectory = false, series = false },
  stop = { time = function(p) return p.opens + p.time end },
  report = function(w, p)
    local s = w.state
    local rate = s.last and (s.last_passed - s.first_passed) / (s.last - s.first) or 0
    return { { "slope", find_slope(w, p), "deg" }, { "flow", rate, "1/s" }, { "passed", s.passed } }
  end,
}
