-- The artefact of the cone problem (Negrut, Serban & Tasora 2018): under law `cone` a body that slides at speed s hovers at mu dt s
-- above the floor; under `coulomb` and `max_dissipation` it stays down. A block starts at that height, where it slides as Coulomb says.
--   scree run scenes/bowling_artifact.lua law=cone
return {
  title = "lift of a sliding body under the cone law",
  params = { law = "cone", mu = 0.3, speed = 5, dt = 1e-3, solver = "apgd" },
  world = function(p)
    return { gravity = { 0, 0, -9.81 }, dt = p.dt, erp = 1, solver = { name = p.solver, iterations = 2000, tolerance = 1e-10 } }
  end,
  setup = function(w, p)
    w:pair { "default", "default", law = p.law, mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    -- on the plane the lift would be a launch at mu s; the block starts where the law wants it
    local lift = p.law == "cone" and p.mu * p.dt * (p.speed - p.mu * 9.81 * p.dt) or 0
    w:box { name = "block", size = { 0.4, 0.4, 0.1 }, position = { 0, 0, 0.05 + lift }, velocity = { p.speed, 0, 0 }, mass = 1 }
  end,
  every = { { time = 0.1, call = function(w, p)
    local _, _, z = w:find("block"):position()
    local s = w:find("block"):velocity()
    local list = w.state.list or {}
    list[#list + 1] = { w:time(), z - 0.05, p.mu * p.dt * s }
    w.state.list = list
  end } },
  stop = { time = 0.5 },
  output = { trajectory = { every = 0.05 }, series = { every = 0.01, values = function(w)
    local _, _, z = w:find("block"):position()
    return { height = z - 0.05, speed = (w:find("block"):velocity()) }
  end } },
  report = function(w, p)
    local list = w.state.list
    local last = list[#list]
    return { { "height", 1e3 * last[2], "mm" }, { "mu dt s", 1e3 * last[3], "mm" }, { "speed", (w:find("block"):velocity()), "m/s" },
      { "speed by Coulomb", p.speed - p.mu * 9.81 * 0.5, "m/s" } }
  end,
}
