-- A dense packing of rods in a box. w:pack grows the rods in a world of its own; then they relax under
-- gravity.
--
--   scree run scenes/packing.lua fraction=0.6
return {
  title = "a dense packing of rods",
  params = { seed = 1, fraction = 0.6, length = 0.6, edge = 6, mu = 0.4 },
  world = { dt = 1e-3, solver = { name = "nbgs", iterations = 60 } },
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    require("scree.obstacle").walls(w, { min = { 0, 0, 0 }, max = { p.edge, p.edge, p.edge } })
    w:pack {
      fraction = p.fraction,
      shape = { type = "capsule", radius = 0.5, length = p.length },
      region = { min = { 0, 0, 0 }, max = { p.edge, p.edge, p.edge } },
    }
  end,
  output = { trajectory = { every = 0.01 }, series = { every = 0.01 } },
  stop = { time = 0.05 },
}
