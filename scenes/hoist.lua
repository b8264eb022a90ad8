-- A hoist: a motor with a bounded torque drives a pinion, a gear turns a drum, and a rack on the drum lifts a
-- load.
--
-- Until the motor reaches its speed the acceleration of the load is (i M / r - m g) / (m + (i^2 J + J) /
-- r^2). M: torque; i: reduction; r: radius of the drum; m: mass of the load; J: moment of inertia of pinion
-- and drum each.
local J = 0.02 -- moment of inertia of pinion and of drum [kg m2]
return {
  title = "hoist",
  params = { torque = 1, speed = 60, reduction = 5, r = 0.1, mass = 2, dt = 1e-3, solver = "nbgs" },
  world = function(p)
    return {
      gravity = { 0, 0, -9.81 },
      dt = p.dt,
      solver = { name = p.solver, iterations = 5000, tolerance = 1e-10 },
    }
  end,
  setup = function(w, p)
    local function wheel(name, x)
      return w:cylinder {
        name = name,
        radius = 0.08,
        length = 0.02,
        position = { x, 0, 1 },
        mass = 1,
        orientation = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 },
        inertia = { J, 0, 0, J, 0, J },
        group = 1,
      }
    end
    local pinion, drum = wheel("pinion", 0), wheel("drum", 0.3)
    local load = w:box { name = "load", size = { 0.1, 0.1, 0.1 }, position = { 0.5, 0, 0 }, mass = p.mass }
    local axis = { 0, 1, 0 }
    w.state.motor =
      w:hinge { a = pinion, at = { 0, 0, 1 }, axis = axis, motor = { speed = p.speed, force = p.torque } }
    w:hinge { a = drum, at = { 0.3, 0, 1 }, axis = axis }
    w.state.rail = w:slider { a = load, at = { 0.5, 0, 0 }, axis = { 0, 0, 1 } }
    w:gear { a = pinion, b = drum, axis = axis, axis_b = axis, ratio = p.reduction }
    w:rack { a = drum, b = load, axis = axis, axis_b = { 0, 0, 1 }, ratio = -p.r }
  end,
  every = {
    { time = 0.1, call = function(w) w.state.early = w.state.early or w.state.rail:speed() / w:time() end },
  },
  output = {
    trajectory = { every = 0.02 },
    series = {
      every = 0.01,
      values = function(w)
        return { speed = w.state.rail:speed(), torque = select(2, w.state.motor:torque()) }
      end,
    },
  },
  stop = { time = 3 },
  report = function(w, p)
    local i, r = p.reduction, p.r
    return {
      { "acceleration", w.state.early, "m/s2" },
      { "by the formula", (i * p.torque / r - p.mass * 9.81) / (p.mass + (i * i * J + J) / r ^ 2), "m/s2" },
      { "speed of the load", w.state.rail:speed(), "m/s" },
      { "target", p.speed / i * r, "m/s" },
      { "torque at speed", (select(2, w.state.motor:torque())), "N m" },
      { "weight at the motor", p.mass * 9.81 * r / i, "N m" },
    }
  end,
}
