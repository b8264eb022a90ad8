-- A car drives over hills, or over a bed of grains (car_on_grains.lua). Each wheel turns on a carrier, which
-- slides along a strut with spring and damper. The front struts turn to steer.
local obstacle = require "scree.obstacle"

local function hill(x, y)
  local rise = math.min(1, math.max(0, (x - 2) / 4))
  return rise * (0.12 * math.sin(1.1 * x) * math.cos(0.7 * y) + 0.05 * math.sin(2.3 * y + x))
end

-- Adds a wheel. A bar across its sides makes the rotation visible; the bar has no contacts.
local function wheel_at(w, at)
  local tyre =
    { type = "superellipsoid", size = { 0.6, 0.6, 0.24 }, e1 = 0.6, e2 = 1, layer = 2, avoids = 2 }
  local bar = { type = "box", size = { 0.46, 0.1, 0.3 }, layer = 2, avoids = { 1, 2 } }
  return w:body {
    shapes = { tyre, bar },
    mass = 20,
    position = at,
    orientation = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 },
  }
end

-- Fills a box with grains up to the height 0.
local function bed(w, p)
  local r = p.grain
  local min, max = { -1.5, -1.05, -p.depth }, { p.bed - 1.5, 1.05, 0 }
  obstacle.walls(w, { min = min, max = max, open = { "+z" } })
  w:material { name = "grain", density = 2600 }
  w:pair { "grain", "grain", mu = 0.7, rolling = 0.1 * r }
  w:pair { "grain", "default", mu = 0.9, rolling = 0.1 * r }
  w:fill {
    material = "grain",
    region = { min = min, max = max },
    lattice = "hexagonal",
    spacing = 2.02 * r,
    radius = 0.85 * r,
    radius_max = r,
  }
end

return {
  title = "car",
  params = {
    ground = "hills",
    grain = 0.05,
    depth = 0.17,
    bed = 6,
    speed = 8,
    steer = 0.25,
    stiffness = 25000,
    damping = 2200,
    torque = 350,
    dt = 1e-3,
    time = 4,
  },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.9 }
    if p.ground == "grains" then
      bed(w, p)
    else
      obstacle.terrain(
        w,
        { name = "ground", min = { -6, -15 }, max = { 24, 15 }, squares = 60, height = hill }
      )
    end
    local chassis = w:box {
      name = "chassis",
      size = { 2.4, 1, 0.4 },
      position = { 0, 0, 0.75 },
      mass = 800,
      layer = 2,
      avoids = 2,
    }
    w.state.struts, w.state.steering, w.state.axles = {}, {}, {}
    for _, x in ipairs { 0.9, -0.9 } do
      for _, y in ipairs { 0.75, -0.75 } do
        local at = { x, y, 0.31 }
        local carrier = w:box {
          size = { 0.1, 0.06, 0.2 },
          position = { x, y * 0.8, 0.31 },
          mass = 15,
          layer = 2,
          avoids = { 1, 2 },
        }
        local wheel = wheel_at(w, at)
        local def = {
          a = carrier,
          b = chassis,
          at = at,
          axis = { 0, 0, 1 },
          stiffness = p.stiffness,
          damping = p.damping,
          limits = { -0.2, 0.25 },
        }
        -- the springs start with the load of the chassis, so that the car starts in equilibrium
        def.rest = -800 / 4 * 9.81 / p.stiffness
        local strut
        if x > 0 then
          def.second = { servo = { stiffness = 4000, damping = 200, force = 800 } }
          strut = w:cylindrical(def)
          table.insert(w.state.steering, strut)
        else
          strut = w:slider(def)
        end
        table.insert(w.state.struts, strut)
        table.insert(
          w.state.axles,
          w:hinge {
            a = wheel,
            b = carrier,
            at = at,
            axis = { 0, 1, 0 },
            servo = { damping = 60, force = p.torque },
          }
        )
      end
    end
  end,
  before_step = function(w, p)
    local t, s = w:time(), w.state
    local turn = t > 1 and p.steer * math.sin(1.8 * (t - 1)) or 0
    for _, strut in ipairs(s.steering) do
      strut:servo { position = turn, second = true }
    end
    for _, axle in ipairs(s.axles) do
      axle:servo { speed = math.min(1, t) * p.speed }
    end
  end,
  after_step = function(w)
    local s, worst = w.state, 0
    for _, strut in ipairs(s.struts) do
      worst = math.max(worst, math.abs((strut:position())))
    end
    s.travel = math.max(s.travel or 0, worst)
  end,
  output = {
    trajectory = { every = 0.02 },
    series = {
      every = 0.02,
      values = function(w)
        local x, y, z = w:find("chassis"):position()
        return { x = x, y = y, z = z }
      end,
    },
  },
  stop = function(w, p) return w:time() >= p.time end,
  report = function(w)
    local c = w:find("chassis")
    local x, y, z = c:position()
    local ux, uy, uz = c:velocity()
    return {
      { "way", x, "m" },
      { "aside", y, "m" },
      { "height", z, "m" },
      { "speed", math.sqrt(ux * ux + uy * uy + uz * uz), "m/s" },
      { "largest travel of a strut", w.state.travel, "m" },
      { "upright", select(3, c:to_world(0, 0, 1)) - z, "" },
    }
  end,
}
