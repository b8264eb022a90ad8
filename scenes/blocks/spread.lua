-- A semicircular arch on supports that move apart. Its thrust falls to the smallest thrust that balances the
-- weight, with a hinge at the crown and hinges at the intrados. As the supports move on, the line of thrust
-- moves outwards at the base. The arch falls when the line leaves the base. The closed form follows the
-- mechanism: hinges at the extrados of the crown, at the intrados of joint k and at the base.
local masonry = require "scree.masonry"
local limit = require "lib.limit"

local G, DENSITY, DEPTH = 9.81, 2000, 0.3

-- Returns four lists for the right half of the arch, from the crown to the base: points at the intrados and
-- at the extrados of the joints, areas and centres of the voussoirs.
local function half_arch(p)
  local m, inner, outer, area, centre = p.voussoirs // 2, {}, {}, {}, {}
  local r1, r2 = p.radius - p.thickness / 2, p.radius + p.thickness / 2
  for k = 0, m do
    local a = math.pi / 2 * k / m
    inner[k], outer[k] = { r1 * math.sin(a), r1 * math.cos(a) }, { r2 * math.sin(a), r2 * math.cos(a) }
  end
  for k = 1, m do
    area[k], centre[k] = limit.polygon { inner[k - 1], inner[k], outer[k], outer[k - 1] }
  end
  return inner, outer, area, centre
end

-- Returns the thrust for a weight of 1 per area, and the distance by which the thrust line passes inside the
-- extrados at the base. Each support has moved by d, and the hinge at the intrados is at joint k.
local function find_state(p, k, d)
  local inner, outer, area, centre = half_arch(p)
  local hinge = { inner[k][1] + d, inner[k][2] }
  local x, z = outer[0][1] - inner[k][1], outer[0][2] - inner[k][2] -- from the hinge to the crown
  local crown = { 0, hinge[2] + math.sqrt(x ^ 2 + z ^ 2 - hinge[1] ^ 2) }
  local turn = math.atan(crown[2] - hinge[2], -hinge[1]) - math.atan(z, x)
  local c, s, moment, weight, base = math.cos(turn), math.sin(turn), 0, 0, 0
  for i, point in ipairs(centre) do
    local u, v = point[1] - inner[k][1], point[2] - inner[k][2]
    local at = i <= k and hinge[1] + c * u - s * v or point[1] + d
    if i <= k then moment = moment + area[i] * (hinge[1] - at) end
    weight, base = weight + area[i], base + area[i] * at
  end
  local thrust = moment / (crown[2] - hinge[2])
  -- place x of the thrust line at the base, from the balance of moments: weight x = base + thrust (height of
  -- the crown)
  local exit = (base + thrust * crown[2]) / weight
  return thrust, outer[#centre][1] + d - exit
end

-- Returns the joint k of the hinge at the intrados. Among the hinges at all joints, its thrust is the
-- largest; this is the smallest thrust that balances the weight everywhere.
local function find_hinge(p)
  local most, at = 0, nil
  for k = 1, p.voussoirs // 2 - 1 do
    local thrust = find_state(p, k, 0)
    if thrust > most then
      most, at = thrust, k
    end
  end
  return at
end

local function find_collapse(p, k)
  return limit.bisect(0, 0.3 * p.radius, function(d) return select(2, find_state(p, k, d)) < 0 end)
end

return {
  title = "arch on spreading supports",
  params = { radius = 1, thickness = 0.15, voussoirs = 16, mu = 0.7, speed = 5e-3, dt = 1e-3 },
  world = function(p) return { gravity = { 0, 0, -G }, dt = p.dt, plane = { 0, 1, 0 } } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    masonry.arch(w, {
      radius = p.radius,
      thickness = p.thickness,
      depth = DEPTH,
      voussoirs = p.voussoirs,
      density = DENSITY,
      name = "arch",
      supports = "kinematic",
    })
    w.state.spread, w.state.start = 0, w:find("arch_support2"):position()
    w.state.collapse = find_collapse(p, find_hinge(p))
  end,
  before_step = function(w, p)
    -- near the collapse the supports move slowly, because the arch needs time to fall
    local slow = w.state.spread > 0.9 * w.state.collapse
    local speed = w:time() < 0.1 and 0 or slow and 0.1 * p.speed or p.speed
    w:find("arch_support1"):set_velocity(-speed, 0, 0)
    w:find("arch_support2"):set_velocity(speed, 0, 0)
    w.state.speed = speed
  end,
  after_step = function(w, p)
    w.state.spread = w:find("arch_support2"):position() - w.state.start
    if not w.state.thrust and w.state.spread > 0.01 * p.radius then
      w.state.thrust, w.state.at = -w:forces_on(w:find "arch_support1")[1], w.state.spread
    end
  end,
  stop = function(w, p)
    local _, _, v = w:find("arch" .. p.voussoirs // 2):velocity()
    return (w.state.spread > 0.9 * w.state.collapse and v < -8 * p.speed) or w:time() > 60
  end,
  report = function(w, p)
    local thrust = find_state(p, find_hinge(p), w.state.at)
    return {
      { "thrust", w.state.thrust, "N" },
      { "thrust of the mechanism", thrust * DENSITY * G * DEPTH, "N" },
      { "spread at collapse/radius", w.state.spread / p.radius },
      { "collapse of the mechanism", w.state.collapse / p.radius },
    }
  end,
}
