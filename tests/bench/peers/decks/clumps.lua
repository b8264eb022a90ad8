-- LIGGGHTS' multisphere_stone_restitution: stones of 50 overlapping balls fall onto a floor. They start from LIGGGHTS' own dump, whose column
-- mol numbers the stones. LIGGGHTS computes the mass of the union, and writes it into every row: density replaces it.
return {
  params = { file = { default = "dump.001000", doc = "frame of LIGGGHTS at 0.01 s" }, dt = 2e-4, seed = 1 },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt } end,
  setup = function(w, p)
    w:material { name = "stone", density = 2500 }
    w:pair { "stone", "stone", mu = 0.5, restitution = 0.3 }
    w:halfspace { normal = { 0, 0, 1 }, material = "stone" }
    w:read_grains { file = p.file, columns = { clump = "mol", type = false }, material = "stone", density = 2500 }
  end,
  output = { trajectory = { every = 0.01, fields = { "position", "velocity", "spin" } } },
  stop = { time = 0.39 },
}
