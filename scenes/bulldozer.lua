-- A bulldozer blade on a slider joint, driven by a motor, pushes a bed of grains along a trough. The report
-- checks the momentum balance: the impulses of motor and walls must equal the momentum of blade and grains.
--
--   scree run scenes/bulldozer.lua && scree plot runs/bulldozer snapshot --view xz
local RADIUS = 0.01
local LENGTH, WIDTH, FROM = 0.8, 0.2, 0.1

return {
  title = "bulldozer",
  params = { speed = 0.3, depth = 0.06, mu = 0.5, dt = 5e-4, time = 1 },
  world = function(p)
    return {
      gravity = { 0, 0, -9.81 },
      dt = p.dt,
      solver = { name = "nbgs", iterations = 60, tolerance = 1e-4 },
    }
  end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w.state.fixed = {
      w:halfspace { normal = { 0, 0, 1 } },
      w:halfspace { normal = { -1, 0, 0 }, point = { LENGTH, 0, 0 } },
    }
    for _, side in ipairs { -1, 1 } do
      table.insert(
        w.state.fixed,
        w:halfspace { normal = { 0, -side, 0 }, point = { 0, side * WIDTH / 2, 0 } }
      )
    end
    w:fill {
      region = { min = { FROM + 0.03, -WIDTH / 2, 0 }, max = { LENGTH, WIDTH / 2, p.depth } },
      lattice = "hexagonal",
      spacing = 2.05 * RADIUS,
      radius = RADIUS,
    }
    local blade = w:box {
      name = "blade",
      size = { 0.02, WIDTH - 0.001, 0.16 },
      position = { FROM, 0, 0.0805 },
      mass = 2,
    }
    w.state.rail =
      w:slider { a = blade, at = { FROM, 0, 0.08 }, axis = { 1, 0, 0 }, motor = { speed = p.speed } }
  end,
  after_step = function(w, p)
    local s, walls = w.state, 0
    for _, wall in ipairs(s.fixed) do
      walls = walls - w:forces_on(wall)[1]
    end
    s.given = (s.given or 0) + ((s.rail:force()) + walls) * p.dt
    s.work = (s.work or 0) + (s.rail:force()) * s.rail:speed() * p.dt
  end,
  stop = function(w, p) return w:time() >= p.time - p.dt / 2 end,
  output = {
    trajectory = { every = 0.02 },
    series = { every = 0.005, values = function(w) return { force = (w.state.rail:force()) } end },
  },
  report = function(w, p)
    local way, grains = w.state.rail:position(), w:count() - 5
    return {
      { "grains", grains },
      { "way of the blade", way, "m" },
      { "mean force of the motor", w.state.work / way, "N" },
      { "momentum", w:report().momentum[1], "N s" },
      { "momentum less what motor and walls gave", w:report().momentum[1] - w.state.given, "N s" },
    }
  end,
}
