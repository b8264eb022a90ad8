-- Four balls on a table (Stewart & Trinkle 1996, section 4, Table I): one ball is thrown, lands, rolls, and
-- hits a row of three balls that nearly touch. The exact times are 0.4283529369 s for the landing and
-- 0.5822125807 s for the hit.
--
--   scree run scenes/four_balls.lua h=0.00125

-- Returns the speed of a body [m/s].
local function moving(w, name)
  local vx, vy, vz = w:find(name):velocity()
  return math.sqrt(vx * vx + vy * vy + vz * vz)
end

return {
  title = "four balls",
  params = {
    h = 0.0025,
    mu = 0.4,
    gap = 1e-5,
    law = "polyhedral",
    solver = "lemke",
    stepper = "stewart_trinkle",
  },
  world = function(p)
    return {
      gravity = { 0, 0, -9.81 },
      dt = p.h,
      stepper = p.stepper,
      erp = 1,
      solver = { name = p.solver, iterations = p.solver ~= "lemke" and 5000 or nil, tolerance = 1e-10 },
    }
  end,
  setup = function(w, p)
    w:pair { "default", "default", law = p.law, mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    local x = { 0, 1, 1.2 + p.gap, 1.4 + 2 * p.gap }
    for i = 1, 4 do
      w:sphere {
        name = "ball" .. i,
        radius = 0.1,
        mass = 1,
        position = { x[i], 0, i == 1 and 1 or 0.1 },
        velocity = i == 1 and { 1.5, 0.1, 0 } or { 0, 0, 0 },
      }
    end
  end,
  after_step = function(w)
    local _, _, z = w:find("ball1"):position()
    if not w.state.landed and z < 0.1 + 1e-9 then w.state.landed = w:time() end
    if not w.state.hit and moving(w, "ball2") > 0.01 then w.state.hit = w:time() end
  end,
  output = {
    trajectory = { every = 0.01 },
    series = {
      every = 0.01,
      values = function(w)
        local out = {}
        for i = 1, 4 do
          local x, y, z = w:find("ball" .. i):position()
          out["x" .. i], out["y" .. i], out["z" .. i] = x, y, z
        end
        return out
      end,
    },
  },
  stop = { time = 1 },
  report = function(w)
    local rows = { { "landing", w.state.landed or 0, "s" }, { "collision", w.state.hit or 0, "s" } }
    for i = 1, 4 do
      rows[#rows + 1] = { "x of ball " .. i, (w:find("ball" .. i):position()), "m" }
    end
    return rows
  end,
}
