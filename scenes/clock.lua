-- The deadbeat escapement of a clock (Graham): a wheel of pointed teeth under a constant torque, and a
-- pendulum with an anchor of two pallets.
--
-- A tooth rests on the locking face of a pallet. This face is an arc about the pendulum's axis, so the tooth
-- exerts no torque on the pendulum. When the tooth slides over the slanted end of the pallet, it pushes the
-- pendulum a little. Both axes are parallel to y. The wheel turns clockwise if seen from -y (x to the right,
-- z up).
local rad = math.rad
local TEETH, RADIUS = 30, 0.05 -- teeth of the wheel; radius of their tips [m]
local SPAN = rad(45) -- half of the angle between the two pallets, seen from the wheel's axis
local DROP = rad(1.2) -- free rotation of the wheel after one tooth leaves and before another one lands
local LOCK, LIFT = rad(0.5), rad(2.5) -- rotation of the pendulum while a tooth is locked, and while it pushes
local THICK = 0.004 -- thickness of teeth and pallets [m]

-- Returns a hull: the prism over a polygon in the xz plane.
local function prism(polygon, thick)
  local points = {}
  for _, p in ipairs(polygon) do
    points[#points + 1] = { p[1], -thick / 2, p[2] }
    points[#points + 1] = { p[1], thick / 2, p[2] }
  end
  return { type = "hull", points = points }
end

-- Returns a pallet of the anchor. Side -1 is the entry pallet, +1 the exit pallet. Corners are given in polar
-- coordinates about the anchor's axis: the distance, and the angle away from the wheel. The angle 0 is where
-- the arm is tangent to the circle of the tips of the teeth.
local function pallet(side)
  local arm = RADIUS * math.tan(SPAN)
  local width = RADIUS * (math.pi / TEETH - DROP)
  local middle = -math.pi / 2 + side * (math.pi / 2 - SPAN) -- direction of the angle 0 in the xz plane
  local function at(distance, out) -- out: angle away from the wheel
    local a = middle + side * out
    return { distance * math.cos(a), distance * math.sin(a) }
  end
  -- a tooth arrives at the locking face and leaves at the opposite face
  local lock, leave = arm - side * width / 2, arm + side * width / 2
  local edge = LIFT / 2 + LOCK / 2
  -- In the middle position the slanted end crosses the circle of the tips. The corner where the tooth leaves
  -- lies deeper in the wheel by the lift.
  local start = LIFT - edge
  local polygon = { at(lock, start), at(leave, -edge) }
  local deep = rad(9)
  for k = 0, 3 do
    polygon[#polygon + 1] = at(leave, -edge + (deep + edge) * (k + 1) / 4)
  end
  for k = 3, 0, -1 do
    polygon[#polygon + 1] = at(lock, start + (deep - start) * (k + 1) / 4)
  end
  return prism(polygon, THICK)
end

-- Returns a tooth of the wheel. Its front leans forward in the direction of rotation, so that only the tip
-- touches.
local function tooth(index)
  local a = 2 * math.pi * index / TEETH + rad(2) -- at the start a tooth is about to push the left pallet
  local function at(radius, behind)
    local b = math.pi / 2 - a + behind
    return { radius * math.cos(b), radius * math.sin(b) }
  end
  return prism(
    { at(RADIUS, 0), at(0.8 * RADIUS, rad(2.5)), at(0.8 * RADIUS, rad(7)), at(RADIUS, rad(0.4)) },
    THICK
  )
end

return {
  title = "clock",
  params = { length = 0.25, bob = 0.5, torque = 2e-3, quality = 80, start = 4, dt = 5e-4, time = 10 },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.05 }
    local high = RADIUS / math.cos(SPAN)
    local arm = RADIUS * math.tan(SPAN)
    -- the wheel; shapes of layer 2 avoid both layers, so they have no contacts
    local ghost = { 1, 2 }
    local shapes = {}
    for i = 0, TEETH - 1 do
      shapes[#shapes + 1] = tooth(i)
    end
    shapes[#shapes + 1] = {
      type = "cylinder",
      radius = 0.8 * RADIUS,
      length = THICK,
      orientation = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 },
      layer = 2,
      avoids = ghost,
    }
    local wheel = w:body {
      name = "wheel",
      shapes = shapes,
      mass = 0.008,
      centre = { 0, 0, 0 },
      inertia = { 5e-6, 0, 0, 1e-5, 0, 5e-6 },
      position = { 0, 0, 0 },
    }
    -- the pendulum: pallets, arms in front of the wheel, rod and bob
    local swing, parts = {}, { pallet(-1), pallet(1) }
    local function bar(x, z, length, turn, y)
      parts[#parts + 1] = {
        type = "box",
        size = { 0.004, 0.003, length },
        position = { x, y, z },
        orientation = { math.cos(turn / 2), 0, math.sin(turn / 2), 0 },
        layer = 2,
        avoids = ghost,
      }
    end
    local out = arm * 1.02
    for side = -1, 1, 2 do
      bar(
        side * math.sin(math.pi / 2 - SPAN) * out / 2,
        -math.cos(math.pi / 2 - SPAN) * out / 2,
        out,
        -side * (math.pi / 2 - SPAN),
        THICK
      )
    end
    bar(0, -p.length / 2, p.length, 0, THICK)
    parts[#parts + 1] =
      { type = "sphere", radius = 0.025, position = { 0, THICK, -p.length }, layer = 2, avoids = ghost }
    local inertia = p.bob * p.length ^ 2
    local pendulum = w:body {
      name = "pendulum",
      shapes = parts,
      mass = p.bob,
      centre = { 0, 0, -p.length },
      inertia = { 1e-4, 0, 0, 1e-4, 0, 1e-4 },
      position = { 0, 0, high },
    }
    local whole = inertia + 1e-4
    w.state.free = 2 * math.pi * math.sqrt(whole / (p.bob * 9.81 * p.length))
    local omega = 2 * math.pi / w.state.free
    w.state.axle = w:hinge { a = wheel, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, motor = { force = p.torque } }
    w.state.pivot =
      w:hinge { a = pendulum, at = { 0, 0, high }, axis = { 0, 1, 0 }, damping = whole * omega / p.quality }
    -- the pendulum starts in the middle with the speed that belongs to the amplitude `start`
    local speed = rad(p.start) * omega
    pendulum:set_spin(0, speed, 0)
    pendulum:set_velocity(-speed * p.length, 0, 0)
    w.state.crossings, w.state.largest, w.state.swings = {}, 0, {}
  end,
  after_step = function(w)
    local s = w.state
    local angle = s.pivot:position()
    if s.angle and s.angle < 0 and angle >= 0 then -- once a period
      local c = s.crossings
      c[#c + 1] = w:time() - w:dt() * angle / (angle - s.angle)
      s.swings[#s.swings + 1], s.largest = s.largest, 0
      s.first, s.last = s.first or s.axle:position(), s.axle:position()
    end
    s.largest = math.max(s.largest, math.abs(angle))
    s.angle = angle
  end,
  output = {
    trajectory = { every = 0.02 },
    series = {
      every = 0.02,
      values = function(w)
        return { pendulum = w.state.pivot:position(), wheel = w.state.axle:position() }
      end,
    },
  },
  stop = function(w, p) return w:time() >= p.time end,
  report = function(w)
    local s, c = w.state, w.state.crossings
    if #c < 2 then return {} end
    local periods = #c - 1
    local mean = (c[#c] - c[1]) / periods
    local swing = s.swings[#s.swings]
    local free = s.free * (1 + swing ^ 2 / 16)
    return {
      { "periods", periods, "" },
      { "period", mean, "s" },
      { "of the free pendulum", free, "s" },
      { "departure", mean / free - 1, "" },
      { "teeth passed", (s.last - s.first) / (2 * math.pi) * TEETH, "" },
      { "swing", math.deg(swing), "deg" },
    }
  end,
}
