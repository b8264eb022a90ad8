-- LIGGGHTS' chute_wear: a stream of two sizes of grains falls onto a chute of 1616 triangles for 1 s. The inserted grains move at 1 m/s
-- until they pass the insertion face, so they enter here at the face itself.
local feed = require "scree.feed"
return {
  params = { deck = { default = "chute_wear", doc = "folder of LIGGGHTS' deck" }, springs = false, dt = 2e-4, entry = 0, seed = 1 },
  world = function(p)
    return { gravity = { 0, 0, -9.81 }, dt = p.dt, stepper = p.springs and "penalty" or nil,
      domain = { min = { -0.5, -0.2, -0.4 }, max = { 0.1, 0.2, 0.15 } } }
  end,
  setup = function(w, p)
    local e, nu = math.log(0.3), 0.45
    w:material { name = "grain", density = 2500 }
    w:pair(p.springs and { "grain", "grain", law = "hertz", modulus = 5e6 / (2 * (1 - nu ^ 2)), mu = 0.5,
      damping = -e / math.sqrt(math.pi ^ 2 + e ^ 2), tangential = 2 * (1 - nu) / (2 - nu), tangential_damping = math.sqrt(2 * (1 - nu) / (2 - nu)) }
      or { "grain", "grain", mu = 0.5, restitution = 0.3 })
    w:mesh { file = p.deck .. "/meshes/simple_chute.stl", material = "grain" }
    local region = { min = { -0.0335, -0.0335, 0.05 }, max = { -0.0015, 0.0335, 0.05 + math.max(p.entry, 1e-5) } }
    for k, share in ipairs { 0.03, 0.07 } do
      feed.create(w, { name = "size" .. k, region = region, radius = k == 1 and 0.0015 or 0.0025, mass_rate = share, velocity = { 0, 0, -1 },
        material = "grain", every = p.entry > 0 and 0.01 or nil })
    end
  end,
  before_step = feed.update,
  output = { trajectory = { every = 0.02, fields = { "position", "velocity", "spin" } } },
  stop = { time = 1 },
}
