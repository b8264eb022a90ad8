-- A sample in a periodic cell, without walls, is compressed and then sheared at a constant normal stress. The
-- cell changes its shape as needed.
--
--   scree run scenes/shear_cell.lua rate=1         rate: shear rate [1/s]
--   mpirun -n 2 scree run scenes/shear_cell.lua    on two ranks
--
-- The friction of the flow is shear stress over normal stress. It increases with the inertial number
-- I = rate d sqrt(density / pressure).
return {
  title = "simple shear at constant normal stress",
  params = {
    seed = 1,
    mu = 0.4,
    rate = 0.5,
    pressure = 100,
    grains = 216,
    strain = 2,
    compress = 600,
    time = 5.2,
  },
  world = {
    gravity = { 0, 0, 0 },
    dt = 2e-3,
    cell = { size = { 1.32, 1.32, 1.32 }, periodic = { true, true, true } },
    solver = { name = "nbgs", tolerance = 1e-4, iterations = 200 },
  },
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w:fill {
      region = { min = { 0, 0, 0 }, max = { 1.32, 1.32, 1.32 } },
      spacing = 0.22,
      radius = 0.085,
      radius_max = 0.11,
      jitter = 0.02,
      limit = p.grains,
    }
    local P = p.pressure
    w:cell():set_stress { { P, false, false }, { false, P, false }, { false, false, P } }
    w.state.friction, w.state.samples = 0, 0
  end,
  after_step = function(w, p)
    local cell, P = w:cell(), p.pressure
    if w:steps() == p.compress then
      cell:set_velocity_gradient { { 0, p.rate, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
      cell:set_stress { { false, false, false }, { false, P, false }, { false, false, false } }
      w.state.began = w:time()
    end
    if w.state.began and (w:time() - w.state.began) * p.rate > 0.5 * p.strain then
      local s = cell:stress()
      w.state.friction, w.state.samples = w.state.friction - s[1][2] / P, w.state.samples + 1
    end
  end,
  output = {
    trajectory = { every = 0.05, precision = "1e-3 d" },
    series = {
      every = 0.05,
      values = function(w)
        local s = w:cell():stress()
        return { volume = w:cell():volume(), sxy = s[1][2], syy = s[2][2] }
      end,
    },
  },
  stop = { time = function(p) return p.time end },
  report = function(w) return { { "friction", w.state.friction / math.max(1, w.state.samples) } } end,
}
