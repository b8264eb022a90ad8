-- LIGGGHTS' multisphere_stone_restitution: stones of 50 overlapping balls fall onto a floor. They start from LIGGGHTS' own dump, whose column
-- mol numbers the stones. LIGGGHTS computes the mass of the union, and writes it into every row: density replaces it. The springs are those of
-- LIGGGHTS, because their dashpot takes more energy from a blow beside the centre than the restitution of a ball says.
local nu, e = 0.45, math.log(0.3)
return {
  params = { file = { default = "dump.001000", doc = "frame of LIGGGHTS at 0.01 s" }, dt = 1e-5, seed = 1 },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt, stepper = "penalty" } end,
  setup = function(w, p)
    w:material { name = "stone", density = 2500 }
    w:pair { "stone", "stone", law = "hertz", modulus = 1e7 / (2 * (1 - nu ^ 2)), mu = 0.5, damping = -e / math.sqrt(math.pi ^ 2 + e ^ 2),
      tangential = 2 * (1 - nu) / (2 - nu), tangential_damping = math.sqrt(2 * (1 - nu) / (2 - nu)) }
    w:halfspace { normal = { 0, 0, 1 }, material = "stone" }
    w:read_grains { file = p.file, columns = { clump = "mol", type = false }, material = "stone", density = 2500 }
  end,
  output = { trajectory = { every = 0.01, fields = { "position", "velocity", "spin" } } },
  stop = { time = 0.39 },
}
