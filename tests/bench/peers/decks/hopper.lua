-- LAMMPS' in.granregion.funnel: 2000 grains fall into a cone on a stem, come to rest, and run out when the stem's end opens.
local obstacle, pour = require "scree.obstacle", require "pour"
local STEP = 0.000105471508007485 -- of LAMMPS
return {
  params = { dt = 2e-3, seed = 1 },
  world = function(p) return { gravity = { 0, 0, -1 }, dt = p.dt, domain = { min = { 0, 0, -20 }, max = { 50, 50, 60 } } } end,
  setup = function(w, p)
    w:material { name = "grain", density = 1 }
    w:material { name = "wall", density = 1 }
    -- LAMMPS' Hertz law of the same moduli; relaxation_time = gamma_n m/kn, with the mean reduced mass m = 0.12 of two grains.
    -- relaxation_time is shorter by dt, because the step also damps. Two grains then rebound as in LAMMPS.
    local hertz = { young = 1e5, poisson = 2 / 7, stiffness_law = "hertz", stiffness_ratio = 1.25, mu = 0.5, restitution = 0 }
    for other, mass in pairs { grain = 0.12, wall = 0.24 } do
      hertz[1], hertz[2], hertz.relaxation_time = "grain", other, 1760 * mass / 7.26e4 - p.dt
      w:pair(hertz)
    end
    obstacle.funnel(w, { radius = 20, height = 40, outlet = 2, stem = 10, position = { 25, 25, 0 }, material = "wall" })
    w:cylinder { name = "plug", kind = "fixed", radius = 3, length = 1, position = { 25, 25, -0.5 }, material = "wall" }
    pour(w, { x = 25, y = 25, radius = 10, top = 50, depth = 20, count = 2000, min = 0.25, max = 0.5, material = "grain" })
  end,
  every = { { time = 170000 * STEP, call = function(w) if w:find "plug" then w:find("plug"):remove() end end } },
  output = { trajectory = { every = 10000 * STEP, fields = { "position", "velocity" } } },
  stop = { time = 270000 * STEP },
}
