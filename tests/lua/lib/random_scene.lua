-- Random scenes and the laws of mechanics that each scene must satisfy: used by tests/lua/random_scenes.lua and tests/slow/random_scenes.lua.
-- The seed determines the scene. `try(seed)` steps the scene. On a failure the error names the seed and the features of the scene.
local scree = require "scree"

local random_scene = {}

-- A separate random generator (Park & Miller): a seed gives the same scene, independent of random numbers that the world draws.
local function generator(seed)
  local state = (seed * 48271 + 11) % 2147483647
  for _ = 1, 3 do state = state * 48271 % 2147483647 end
  local draw = {}
  function draw.real(lo, hi)
    state = state * 48271 % 2147483647
    return lo + (hi - lo) * (state / 2147483647)
  end
  function draw.integer(lo, hi) return math.min(hi, lo + math.floor(draw.real(0, 1) * (hi - lo + 1))) end
  function draw.one(list) return list[draw.integer(1, #list)] end
  function draw.chance(p) return draw.real(0, 1) < p end
  function draw.vector(size) return { draw.real(-size, size), draw.real(-size, size), draw.real(-size, size) } end
  function draw.turn()
    local q, square = {}, 0
    for k = 1, 4 do
      q[k] = draw.real(-1, 1)
      square = square + q[k] ^ 2
    end
    for k = 1, 4 do q[k] = q[k] / math.sqrt(square) end
    return q
  end
  return draw
end

-- Definitions of a body of size about r, and the constructor's name.
local bodies = {
  function(_, r) return "sphere", { radius = r } end,
  function(d, r) return "box", { size = { r * d.real(0.8, 1.6), r * d.real(0.8, 1.6), r * d.real(0.8, 1.6) } } end,
  function(d, r) return "capsule", { radius = 0.5 * r, length = r * d.real(0.3, 1) } end,
  function(d, r) return "cylinder", { radius = 0.7 * r, length = r * d.real(0.5, 1.2) } end,
  function(_, r) return "cone", { radius = 0.8 * r, length = 1.2 * r } end,
  function(d, r) return "ellipsoid", { size = { r * d.real(1, 1.8), r * d.real(1, 1.8), r * d.real(1, 1.8) } } end,
  function(_, r)
    return "body", { shapes = { { type = "sphere", radius = 0.5 * r, position = { -0.4 * r, 0, 0 } }, { type = "sphere", radius = 0.4 * r, position = { 0.4 * r, 0, 0 } } } }
  end,
}

local laws = {
  function(d) return { mu = d.real(0, 1) } end,
  function() return { law = "frictionless" } end,
  function(d) return { law = "max_dissipation", mu = d.real(0, 1) } end,
  function(d) return { law = "polyhedral", mu = d.real(0, 1) } end,
  function(d) return { mu = d.real(0, 1), rolling = 1e-3 * d.real(0, 1), torsion = 1e-3 * d.real(0, 1) } end,
  function(d) return { mu = d.real(0, 1), restitution = d.real(0, 1) } end,
}

-- Joints between two neighbours at their common middle. Only some joints add energy.
local joints = {
  { "ball", function(at) return { at = at } end },
  { "hinge", function(at, axis) return { at = at, axis = axis } end },
  { "slider", function(at, axis) return { at = at, axis = axis } end },
  { "fixed", function(at) return { at = at } end },
  { "hinge", function(at, axis) return { at = at, axis = axis, friction = 1e-3 } end },
  { "hinge", function(at, axis) return { at = at, axis = axis, motor = { speed = 5, force = 1e-3 } } end, driven = true },
  { "slider", function(at, axis) return { at = at, axis = axis, motor = { force = 0.02 } } end, driven = true },
  { "hinge", function(at, axis) return { at = at, axis = axis, stiffness = 0.05, damping = 1e-4 } end, springs = true },
}

-- Draws the options of a scene. `free` scenes have no gravity and no immovable bodies.
local function draw_scene(seed)
  local d = generator(seed)
  local s = { draw = d, seed = seed, words = {} }
  s.free = d.chance(0.5)
  s.gravity = not s.free and d.chance(0.8)
  s.solver = d.one { "auto", "auto", "auto", "nbgs", "newton", "pgs" }
  s.law = d.one(laws)(d)
  s.substeps = d.one { 1, 1, 2, 3 }
  s.world = { gravity = { 0, 0, s.gravity and -9.81 or 0 }, dt = d.one { 1e-3, 5e-4, 2e-3 }, substeps = s.substeps, solver = { name = s.solver } }
  if not s.free and d.chance(0.15) then s.world.cell = { size = { 0.4, 0.4, 0.4 }, periodic = { true, true, false } } end
  if s.law.law == "max_dissipation" or s.law.law == "polyhedral" or s.law.rolling then s.world.solver.name = d.one { "auto", "nbgs" } end
  return s
end

local function say(s, word) s.words[#s.words + 1] = word end

local function add_ground(s, w)
  local d = s.draw
  local kind = d.one { "halfspace", "box", "mesh", "none" }
  if kind == "halfspace" then w:halfspace { normal = { 0, 0, 1 } }
  elseif kind == "box" then w:box { kind = "fixed", size = { 2, 2, 0.2 }, position = { 0, 0, -0.1 } }
  elseif kind == "mesh" then
    w:mesh { points = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } } }
  end
  say(s, "ground " .. kind)
end

local function add_bodies(s, w)
  local d, r = s.draw, 0.04
  s.body, s.place = {}, {}
  for i = 1, d.integer(2, 7) do
    local at = { ((i - 1) % 2) * 0.1 - 0.05, ((i - 1) // 2 % 2) * 0.1 - 0.05, 0.06 + (i - 1) // 4 * 0.1 }
    local kind, def = d.one(bodies)(d, r)
    def.position, def.orientation, def.mass = at, d.turn(), 10 ^ d.real(-2, 1)
    def.velocity, def.spin = d.vector(1), d.vector(5)
    s.body[i], s.place[i] = w[kind](w, def), at
    say(s, kind)
  end
end

local function add_joints(s, w)
  local d = s.draw
  for i = 2, #s.body do
    if d.chance(0.3) then
      local kind = d.one(joints)
      local a, b = s.place[i - 1], s.place[i]
      local def = kind[2]({ (a[1] + b[1]) / 2, (a[2] + b[2]) / 2, (a[3] + b[3]) / 2 }, d.vector(1))
      def.a, def.b = s.body[i - 1], s.body[i]
      w[kind[1]](w, def)
      s.driven = s.driven or kind.driven
      s.springs = s.springs or kind.springs
      s.jointed = true
      say(s, kind[1] .. (kind.driven and " with motor" or ""))
    end
  end
end

-- A load that jumps: on for some steps, then off.
local function add_loads(s)
  if s.draw.chance(0.3) then
    s.load = { on = s.draw.integer(1, 10), off = s.draw.integer(11, 25), body = s.draw.one(s.body), force = s.draw.vector(0.5) }
    say(s, "load")
  end
end

local function build(seed)
  local s = draw_scene(seed)
  local w = scree.world(s.world)
  w:pair(s.law.law and { "default", "default", law = s.law.law, mu = s.law.mu } or { "default", "default", mu = s.law.mu, rolling = s.law.rolling, torsion = s.law.torsion, restitution = s.law.restitution })
  if not s.free then add_ground(s, w) end
  add_bodies(s, w)
  add_joints(s, w)
  if not s.free then add_loads(s) end
  s.w = w
  return s
end

local function length(v) return math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2) end
local function apart(a, b) return length { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end

-- Runs one step and checks the laws of mechanics. before: the report of the last step.
local function check_step(s, i, before)
  local w = s.w
  if s.load and i >= s.load.on and i < s.load.off then s.load.body:apply { force = s.load.force } end
  w:step()
  local r = w:report()
  s.most = math.max(s.most, r.kinetic, math.abs(r.dissipated), math.abs(r.work), math.abs(r.potential))
  local scale = s.momentum_scale
  assert(r.kinetic == r.kinetic and r.max_speed < 1e3, "speeds are not finite: " .. r.max_speed)
  local closed = r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction
  assert(math.abs(closed - s.energy) <= 1e-11 * s.most, ("energy balance is open by %g of %g J"):format(closed - s.energy, s.most))
  if s.free then
    assert(apart(r.momentum, s.start.momentum) <= 1e-11 * scale, ("momentum changes by %g of %g"):format(apart(r.momentum, s.start.momentum), scale))
    assert(apart(r.angular_momentum, s.start.angular_momentum) <= s.angular * scale,
      ("angular momentum changes by %g of %g"):format(apart(r.angular_momentum, s.start.angular_momentum), scale))
    if not s.driven and not s.springs then
      -- `correction` is the error of finite steps: joints oscillate about zero, and shifts that correct penetrations rotate bodies at constant spin.
      -- The first step stops bodies whose velocities do not meet their joints, exact up to the turn of a step.
      local scheme = math.max(0, r.correction - before.correction)
      local share = not s.jointed and 1e-5 or i == 1 and 0.02 or 1e-3
      assert(scheme <= share * s.start.kinetic, ("the scheme brings %g of %g J in a step"):format(scheme, s.start.kinetic))
      local rounding = (s.jointed and 1e-8 or 1e-9) * s.start.kinetic
      assert(r.kinetic <= before.kinetic + rounding + scheme, ("kinetic energy rises from %.17g to %.17g J"):format(before.kinetic, r.kinetic))
    end
  end
  return r
end

---Draws the scene of a seed, steps it and checks it. Returns false if the step is too large for a joint of the scene, which the engine refuses.
---@param seed integer
---@param steps integer
---@return boolean
random_scene.build = build
function random_scene.try(seed, steps)
  local s = build(seed)
  local w = s.w
  s.start = w:report()
  s.energy = s.start.kinetic + s.start.potential
  s.most, s.momentum_scale = s.start.kinetic, 0
  for _, b in ipairs(s.body) do s.momentum_scale = s.momentum_scale + b:mass() * (1 + length { b:velocity() }) end
  -- shifts that correct penetrations move bodies without a velocity and change the angular momentum by m x (shift x v)
  s.angular = 1e-2
  local ok, message = pcall(function()
    local before = s.start
    for i = 1, steps do before = check_step(s, i, before) end
  end)
  -- a mechanism that turns too fast for its step is refused by name
  if not ok and tostring(message):find("is too large for", 1, true) then return false end
  if not ok then
    error(("seed %d (%s, %s, substeps %d, dt %g; %s): %s"):format(seed, s.free and "free" or s.gravity and "gravity" or "no gravity", s.world.solver.name, s.substeps, s.world.dt, table.concat(s.words, ", "), tostring(message)), 0)
  end
  return true
end

return random_scene
