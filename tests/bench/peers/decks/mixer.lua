-- LAMMPS' in.granregion.mixer: 1000 grains poured in three batches, stirred by a cross of two blocks that turns once.
local obstacle = require "scree.obstacle"
return {
  params = { dt = 2e-3, turn = { default = 4e5 * 4.72515243020908e-05, doc = "time of the turn: 400 000 steps of LAMMPS" }, seed = 1 },
  world = function(p) return { gravity = { 0, 0, -1 }, dt = p.dt } end,
  setup = function(w, p)
    w:material { name = "grain", density = 1 }
    w:pair { "grain", "grain", mu = 0.5, restitution = 0.1, contact_stiffness = 2e4 } -- rigid grains jam between blades and wall
    w:halfspace { normal = { 0, 0, 1 }, material = "grain" }
    obstacle.pipe(w, { radius = 10, length = 20, position = { 10, 10, 10 }, material = "grain" })
    for _, size in ipairs { { 16, 2, 4 }, { 2, 16, 3.99999 } } do
      w:box { kind = "kinematic", size = size, position = { 10, 10, 2 }, spin = { 0, 0, 2 * math.pi / p.turn }, material = "grain" }
    end
    w.state.batches = { 444, 444, 112 }
  end,
  before_step = function(w)
    if #w.state.batches == 0 or w:time() < 4 * (3 - #w.state.batches) then return end -- grains fall through the region in 4
    w:insert { region = { point = { 10, 10, 10 }, axis = { 0, 0, 1 }, radius = 8, length = 8 }, count = table.remove(w.state.batches, 1),
      radius = 0.3, radius_max = 0.6, material = "grain" }
  end,
  output = { trajectory = { every = 0.25, fields = { "position", "velocity" } } },
  stop = { time = function(p) return p.turn end },
}
