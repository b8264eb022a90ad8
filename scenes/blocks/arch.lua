-- The smallest thickness of an arch under its weight. One run finds it by bisection, in trials with arches of
-- different thickness. A semicircular arch without sliding needs 0.1075 of its radius (Milankovitch 1907),
-- and a little less with few voussoirs. The report compares it with the static theorem of limit analysis for
-- the voussoirs of the scene (lib/limit.lua).
local masonry = require "scree.masonry"
local limit = require "lib.limit"
local trials = require "lib.trials"

local function build(w, thickness)
  local p = w.state.p
  return masonry.arch(w, {
    radius = p.radius,
    angle = math.rad(p.angle),
    thickness = thickness,
    depth = 0.3,
    voussoirs = p.voussoirs,
    density = 2000,
  })
end

return {
  title = "smallest thickness of an arch",
  params = { radius = 1, angle = 180, voussoirs = 16, mu = 0.8, time = 1, dt = 1e-3 },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt, plane = { 0, 1, 0 } } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w.state.p = { radius = p.radius, angle = p.angle, voussoirs = p.voussoirs }
    trials.start(w, 0.02 * p.radius, 0.3 * p.radius, p.time, 1e-3, build)
  end,
  after_step = function(w) trials.update(w, build) end,
  stop = function(w) return trials.is_done(w) end,
  report = function(w, p)
    local function stands(thickness)
      local blocks, joints = limit.arch(1, thickness, math.rad(p.angle), p.voussoirs)
      return limit.factor(blocks, joints, p.mu, limit.weights(blocks), {}) ~= nil
    end
    local exact = limit.bisect(0.02, 0.3, stands)
    return { { "thickness/radius", trials.result(w) / p.radius }, { "static theorem", exact } }
  end,
}
