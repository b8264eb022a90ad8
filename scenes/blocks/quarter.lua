-- The load at a quarter of the span under which a semicircular arch collapses. The load grows slowly until
-- the loaded voussoir moves. The report compares the load with the static theorem (lib/limit.lua).
local masonry = require "scree.masonry"
local limit = require "lib.limit"

local G, DENSITY, DEPTH = 9.81, 2000, 0.3

-- Returns the middle of the outer face of a voussoir.
local function find_place(p)
  local r, n, k = p.radius + p.thickness / 2, p.voussoirs, p.loaded
  local a, b = math.pi * ((k - 1) / n - 0.5), math.pi * (k / n - 0.5)
  return r * (math.sin(a) + math.sin(b)) / 2, r * (math.cos(a) + math.cos(b)) / 2
end

local function find_limit(p)
  local blocks, joints = limit.arch(p.radius, p.thickness, math.pi, p.voussoirs)
  local x, z = find_place(p)
  local weight = DENSITY * G * DEPTH -- per area in the plane of the arch [N/m2]
  return weight * limit.factor(blocks, joints, p.mu, limit.weights(blocks), { { p.loaded, { x, z }, { 0, -1 } } })
end

return {
  title = "arch with a load on the quarter of its span",
  params = { radius = 1, thickness = 0.15, voussoirs = 16, loaded = 6, mu = 0.8, dt = 1e-3 },
  world = function(p) return { gravity = { 0, 0, -G }, dt = p.dt, plane = { 0, 1, 0 } } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    masonry.arch(w, {
      radius = p.radius,
      thickness = p.thickness,
      depth = DEPTH,
      voussoirs = p.voussoirs,
      density = DENSITY,
      name = "voussoir",
    })
    local x, z = find_place(p)
    w.state.at = { w:find("voussoir" .. p.loaded):to_body(x, 0, z) }
    w.state.limit = find_limit(p)
    w.state.load = 0
  end,
  before_step = function(w, p)
    local block = w:find("voussoir" .. p.loaded)
    w.state.load = w.state.limit * (0.97 + 0.01 * (w:time() - 0.3)) -- grows by 1 % of the limit per second
    if w:time() < 0.3 then w.state.load = 0.97 * w.state.limit * w:time() / 0.3 end
    block:apply { force = { 0, 0, -w.state.load }, at = { block:to_world(w.state.at) } }
  end,
  stop = function(w, p)
    local vx, _, vz = w:find("voussoir" .. p.loaded):velocity()
    return w:time() > 0.3 and math.sqrt(vx ^ 2 + vz ^ 2) > 1e-3 or w:time() > 10
  end,
  report = function(w) return { { "load at collapse", w.state.load, "N" }, { "static theorem", w.state.limit, "N" } } end,
}
