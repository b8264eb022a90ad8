-- LAMMPS' in.granregion.mixer: 1000 grains poured in three batches, stirred by a cross of two blocks that turns once.
local obstacle, pour = require "scree.obstacle", require "pour"
return {
  params = { dt = 2e-3, turn = { default = 4e5 * 4.72515243020908e-05, doc = "time of the turn: 400 000 steps of LAMMPS" }, seed = 1 },
  world = function(p) return { gravity = { 0, 0, -1 }, dt = p.dt } end,
  setup = function(w, p)
    w:material { name = "grain", density = 1 }
    w:material { name = "wall", density = 1 }
    -- LAMMPS' Hertz law is F = sqrt(R d) (kn d + gamma_n m d'). Therefore young = 3/2 kn for poisson = 0, and relaxation_time = gamma_n m/kn
    -- with the mean reduced mass m = 0.21 of two grains. relaxation_time is shorter by dt, because the step also damps. Two grains then rebound
    -- as in LAMMPS.
    local hertz = { young = 1.5e5, poisson = 0, stiffness_law = "hertz", stiffness_ratio = 0.2, mu = 0.5, restitution = 0 }
    for other, mass in pairs { grain = 0.21, wall = 0.42 } do
      hertz[1], hertz[2], hertz.relaxation_time = "grain", other, 1570 * mass / 1e5 - p.dt
      w:pair(hertz)
    end
    w:halfspace { normal = { 0, 0, 1 }, material = "wall" }
    obstacle.pipe(w, { radius = 10, length = 20, position = { 10, 10, 10 }, material = "wall" })
    for k, size in ipairs { { 16, 2, 4 }, { 2, 16, 3.99999 } } do
      w:box { name = "blade" .. k, kind = "fixed", size = size, position = { 10, 10, 2 }, material = "wall" }
    end
    w.state.batches = { 444, 444, 112 }
  end,
  before_step = function(w, p)
    -- In LAMMPS the wall of an intersection of regions has no velocity, so a blade does not carry a ball at rest along. The blades here are fixed,
    -- and each step moves them to their new place.
    local half = math.pi * w:time() / p.turn
    for k = 1, 2 do w:find("blade" .. k):set_orientation(math.cos(half), 0, 0, math.sin(half)) end
    if #w.state.batches == 0 or w:time() < 4 * (3 - #w.state.batches) then return end -- grains fall through the region in 4
    pour(w, { x = 10, y = 10, radius = 8, top = 18, depth = 8, count = table.remove(w.state.batches, 1), min = 0.3, max = 0.6, material = "grain" })
  end,
  output = { trajectory = { every = 0.25, fields = { "position", "velocity" } } },
  stop = { time = function(p) return p.turn end },
}
