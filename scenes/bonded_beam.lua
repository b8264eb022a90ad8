-- A beam of bonded balls on two supports bends under a load in its middle. The report compares the deflection
-- with the Euler-Bernoulli beam. With a strength of 3 MPa the beam breaks.
--
--   scree run scenes/bonded_beam.lua
--   scree run scenes/bonded_beam.lua strength=3e6
local bond = require "scree.bond"
return {
  title = "three-point bending of bonded balls",
  params = { balls = 21, radius = 0.01, young = 1e9, strength = 1e9, load = 4, damping = 0.02 },
  world = { gravity = { 0, 0, 0 }, dt = 5e-4 },
  setup = function(w, p)
    local r, row = p.radius, {}
    for i = 1, p.balls do
      row[i] =
        w:sphere { name = "ball" .. i, radius = r, position = { 2 * r * (i - 1), 0, 0 }, density = 2000 }
    end
    bond.create(w, {
      bodies = row,
      distance = 1e-6,
      young = p.young,
      strength = p.strength,
      radius = 0.5,
      damping = p.damping,
    })
    -- a fixed roller under each end
    for _, i in ipairs { 1, p.balls } do
      w:cylinder {
        kind = "fixed",
        radius = r / 2,
        length = 4 * r,
        position = { 2 * r * (i - 1), 0, -1.5 * r },
        orientation = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 },
      }
    end
  end,
  before_step = function(w, p)
    if #w:broken_joints() > 0 then return end
    local grown = math.min(1, w:time() / 0.2)
    w:find("ball" .. (p.balls + 1) // 2):apply { force = { 0, 0, -p.load * grown } }
  end,
  output = { trajectory = { every = 0.01 }, series = { every = 0.01 } },
  stop = { time = 0.6 },
  report = function(w, p)
    local length, inertia = 2 * p.radius * (p.balls - 1), math.pi * (p.radius / 2) ^ 4 / 4
    local bent = -select(3, w:find("ball" .. (p.balls + 1) // 2):position())
    return {
      { "deflection of the middle", 1e3 * bent, "mm" },
      { "of Euler and Bernoulli's beam", 1e3 * p.load * length ^ 3 / (48 * p.young * inertia), "mm" },
      { "bonds broken", #w:broken_joints() },
    }
  end,
}
