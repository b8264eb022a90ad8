-- The smallest thickness of a spherical dome with an oculus under its weight, found by bisection in one run.
-- A complete hemisphere needs 0.042 of its radius (Heyman 1967). The report compares it with the static
-- theorem of limit analysis for a lune of the scene's blocks: forces between rings lie within the joints, and
-- forces around the rings are compressive (lib/limit.lua).
local scree = require "scree"
local masonry = require "scree.masonry"
local limit = require "lib.limit"
local trials = require "lib.trials"

local function build(w, thickness)
  local p = w.state.p
  return masonry.dome(w, {
    radius = 1,
    thickness = thickness,
    rings = p.rings,
    sectors = p.sectors,
    oculus = math.rad(p.oculus),
    density = 2000,
  })
end

-- Returns the blocks and joints of a lune in its middle plane, and the forces of the neighbouring lunes.
local function find_lune(p, thickness)
  local half, blocks, joints, hoops = math.pi / p.sectors, {}, {}, {}
  local first, radii = math.rad(p.oculus), { 1 - thickness / 2, 1 + thickness / 2 }
  local function angle(k) return math.pi / 2 - (math.pi / 2 - first) * k / p.rings end
  local function at(r, f) return { r * math.sin(f) * math.cos(half), r * math.cos(f) } end
  for k = 1, p.rings do
    local points = {}
    for _, f in ipairs { angle(k - 1), angle(k) } do
      for _, r in ipairs(radii) do
        for _, a in ipairs { -half, half } do
          points[#points + 1] = { r * math.sin(f) * math.cos(a), r * math.sin(f) * math.sin(a), r * math.cos(f) }
        end
        hoops[#hoops + 1] = { k, at(r, f), { 1, 0 } }
      end
    end
    local info = scree.geometry.hull({ points = points }):info()
    blocks[k] = { area = info.volume, centre = { info.center[1], info.center[3] } }
    local low, high = at(radii[1], angle(k - 1)), at(radii[2], angle(k - 1))
    local x, z = high[1] - low[1], high[2] - low[2]
    local length = math.sqrt(x ^ 2 + z ^ 2)
    joints[k] = { k, k - 1, ends = { low, high }, normal = { -z / length, x / length } }
  end
  return blocks, joints, hoops
end

return {
  title = "smallest thickness of a dome",
  params = { rings = 6, sectors = 10, oculus = 15, mu = 0.7, time = 0.6, dt = 2e-3 },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w.state.p = { rings = p.rings, sectors = p.sectors, oculus = p.oculus }
    trials.start(w, 0.02, 0.08, p.time, 4e-3, build)
  end,
  after_step = function(w) trials.update(w, build) end,
  stop = function(w) return trials.is_done(w) end,
  report = function(w, p)
    local function stands(thickness)
      local blocks, joints, hoops = find_lune(p, thickness)
      return limit.factor(blocks, joints, p.mu, limit.weights(blocks), {}, hoops) ~= nil
    end
    return { { "thickness/radius", trials.result(w) }, { "static theorem", limit.bisect(0.01, 0.2, stands) } }
  end,
}
