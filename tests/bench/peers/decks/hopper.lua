-- LAMMPS' in.granregion.funnel: 2000 grains fall into a cone on a stem, come to rest, and run out when the stem's end opens.
local obstacle = require "scree.obstacle"
local STEP = 0.000105471508007485 -- of LAMMPS
return {
  params = { dt = 2e-3, seed = 1 },
  world = function(p) return { gravity = { 0, 0, -1 }, dt = p.dt, domain = { min = { 0, 0, -20 }, max = { 50, 50, 60 } } } end,
  setup = function(w)
    w:material { name = "grain", density = 1 }
    w:pair { "grain", "grain", mu = 0.5, restitution = 0.1 }
    obstacle.funnel(w, { radius = 20, height = 40, outlet = 2, stem = 10, position = { 25, 25, 0 }, material = "grain" })
    w:cylinder { name = "plug", kind = "fixed", radius = 3, length = 1, position = { 25, 25, -0.5 }, material = "grain" }
    w:insert { region = { point = { 25, 25, 30 }, axis = { 0, 0, 1 }, radius = 10, length = 20 }, count = 2000, radius = 0.25, radius_max = 0.5,
      material = "grain" }
  end,
  every = { { time = 170000 * STEP, call = function(w) if w:find "plug" then w:find("plug"):remove() end end } },
  output = { trajectory = { every = 10000 * STEP, fields = { "position", "velocity" } } },
  stop = { time = 270000 * STEP },
}
