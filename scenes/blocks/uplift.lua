-- A block on a tilted joint with water. Its factor of safety is (W cos(angle) - U) mu/(W sin(angle)), with the uplift
-- U = 1000 kg/m3 g head area:
--   scree safety scenes/blocks/uplift.lua --time 1
local cracks = require "scree.cracks"
local water = require "scree.water"
local G, DENSITY, HEIGHT = 9.81, 2500, 0.4

return {
  title = "block on a tilted joint with water",
  params = {
    angle = 30,
    mu = 0.8,
    head = { default = 0.2, unit = "m", doc = "of the water in the joint" },
    dt = 1e-3,
  },
  world = function(p)
    local beta = math.rad(p.angle)
    return { gravity = { G * math.sin(beta), 0, -G * math.cos(beta) }, dt = p.dt }
  end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w:box { kind = "fixed", size = { 6, 6, 1 }, position = { 0, 0, -0.5 } }
    w:box { size = { 1, 1, HEIGHT }, position = { 0, 0, HEIGHT / 2 }, density = DENSITY }
    cracks.watch(w)
    -- the table is parallel to the joint: its height along -gravity falls by sin(angle) per m along x
    water.create(w, { level = { p.head, -math.sin(math.rad(p.angle)), 0 }, acts = "joints" })
  end,
  before_step = function(w) water.update(w) end,
  stop = { time = 0.5 },
  report = function(_, p)
    local weight, beta = DENSITY * HEIGHT * G, math.rad(p.angle) -- per m2
    return { { "closed form", (weight * math.cos(beta) - 1000 * G * p.head) * p.mu / (weight * math.sin(beta)) } }
  end,
}
