-- An arch below its smallest thickness (0.107 of the radius) falls by five hinges: crown, haunches and springings. The
-- report lists which faces open, and writes cracks.csv and cracks.vtk. The series has the displacement of the crown.
--   scree run scenes/blocks/hinges.lua -o runs/hinges
--   scree plot runs/hinges cracks --view xz -o cracks.png
local cracks = require "scree.cracks"
local masonry = require "scree.masonry"
local motion = require "scree.motion"

return {
  title = "hinges of a thin arch",
  params = {
    thickness = { default = 0.1, unit = "m", doc = "of the arch of radius 1 m" },
    voussoirs = { default = 16, whole = true, min = 4, max = 100, doc = "an even number has a joint at the crown" },
    mu = 0.8,
    dt = { default = 1e-3, unit = "s" },
  },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt, plane = { 0, 1, 0 } } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    masonry.arch(w, {
      radius = 1,
      thickness = p.thickness,
      depth = 0.3,
      voussoirs = p.voussoirs,
      density = 2000,
      name = "v",
    })
    w.state.crown = "v" .. p.voussoirs // 2
    cracks.watch(w, { tolerance = "0.1 mm" })
  end,
  after_step = cracks.update,
  output = {
    trajectory = { every = 0.01, fields = { "position", "orientation", "contacts" } },
    series = { every = 0.01, values = function(w) return motion.displacements(w, { w.state.crown }) end },
  },
  stop = { time = 0.35 },
  report = function(w, _, out)
    out:write("cracks.csv", cracks.csv(w))
    out:write("cracks.vtk", cracks.vtk(w))
    local rows = {}
    for _, move in ipairs(cracks.moves(w)) do
      rows[#rows + 1] = { ("%s %s %s"):format(move.name1, move.name2, move.event), move.time, "s" }
    end
    return rows
  end,
}
