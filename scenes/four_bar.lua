-- A four-bar linkage pushes a block. A crank turns at constant speed, and a coupler moves a rocker to and
-- fro. The paddle of the rocker pushes the block up a slightly tilted floor; the block slides back between
-- the strokes. The law of cosines gives the angle of the rocker from the angle of the crank, whatever the
-- mass of the block.
local A, B = { 0, 0.4 }, { 0.4, 0.4 } -- fixed pivots of crank and rocker (x, z)
local CRANK, COUPLER, ROCKER = 0.1, 0.35, 0.25 -- lengths between pivots [m]
local PADDLE = 0.37 -- length of the rocker's bar, which reaches down to the floor [m]

-- Returns the pivot of coupler and rocker if the pin of the crank is at (x, z): the lower of two
-- intersections.
local function elbow(x, z)
  local dx, dz = B[1] - x, B[2] - z
  local d = math.sqrt(dx * dx + dz * dz)
  local along = (COUPLER ^ 2 - ROCKER ^ 2 + d * d) / (2 * d)
  local across = math.sqrt(COUPLER ^ 2 - along ^ 2)
  return x + (along * dx + across * dz) / d, z + (along * dz - across * dx) / d
end

-- Adds a bar from (x1, z1) to (x2, z2) as a box.
local function bar(w, name, x1, z1, x2, z2, mass, width)
  local half = -math.atan(z2 - z1, x2 - x1) / 2
  return w:box {
    name = name,
    size = { math.sqrt((x2 - x1) ^ 2 + (z2 - z1) ^ 2), width, 0.02 },
    mass = mass,
    group = 1,
    position = { (x1 + x2) / 2, 0, (z1 + z2) / 2 },
    orientation = { math.cos(half), 0, math.sin(half), 0 },
  }
end

return {
  title = "four-bar linkage",
  params = { speed = 6, mass = 0.5, mu = 0.15, tilt = 0.2, dt = 5e-4, time = 3, solver = "nbgs" },
  world = function(p)
    return {
      gravity = { -9.81 * math.sin(p.tilt), 0, -9.81 * math.cos(p.tilt) },
      dt = p.dt,
      solver = { name = p.solver, iterations = 5000, tolerance = 1e-9 },
    }
  end,
  setup = function(w, p)
    local px, pz = A[1], A[2] - CRANK -- the crank starts downward
    local ex, ez = elbow(px, pz)
    local k = PADDLE / ROCKER
    w:pair { "default", "default", mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    local crank = bar(w, "crank", A[1], A[2], px, pz, 0.2, 0.02)
    local coupler = bar(w, "coupler", px, pz, ex, ez, 0.3, 0.02)
    local rocker = bar(w, "rocker", B[1], B[2], B[1] + k * (ex - B[1]), B[2] + k * (ez - B[2]), 0.4, 0.1)
    local turn = { 0, -1, 0 }
    w.state.drive = w:hinge { a = crank, at = { A[1], 0, A[2] }, axis = turn, motor = { speed = p.speed } }
    w:hinge { a = coupler, b = crank, at = { px, 0, pz }, axis = turn }
    w:hinge { a = rocker, b = coupler, at = { ex, 0, ez }, axis = turn }
    w.state.swing = w:hinge { a = rocker, at = { B[1], 0, B[2] }, axis = turn }
    w.state.start = math.atan(ez - B[2], ex - B[1])
    w:box { name = "block", size = { 0.08, 0.08, 0.08 }, position = { 0.36, 0, 0.04 }, mass = p.mass }
    w.state.worst, w.state.farthest, w.state.strokes = 0, 0, 0
  end,
  after_step = function(w)
    local s = w.state
    local x, _, z = w:find("crank"):position()
    local ex, ez = elbow(2 * x - A[1], 2 * z - A[2])
    s.worst = math.max(s.worst, math.abs(s.start + s.swing:position() - math.atan(ez - B[2], ex - B[1])))
    s.farthest = math.max(s.farthest, (w:find("block"):position()))
    local forward = w:find("block"):velocity() > 1e-6
    if forward and not s.forward then s.strokes = s.strokes + 1 end
    s.forward = forward
  end,
  output = {
    trajectory = { every = 0.02 },
    series = {
      every = 0.01,
      values = function(w)
        return {
          rocker = w.state.swing:position(),
          block = (w:find("block"):position()),
          torque = -select(2, w.state.drive:torque()),
        }
      end,
    },
  },
  stop = function(w, p) return w:time() >= p.time - p.dt / 2 end,
  report = function(w)
    return {
      { "largest departure from the kinematics", w.state.worst, "rad" },
      { "strokes that met the block", w.state.strokes },
      { "block pushed to", w.state.farthest, "m" },
    }
  end,
}
