-- Friction and solid fraction of a granular flow: simple shear without walls at a constant normal stress.
--
--   scree run scenes/rheology.lua inertial=0.1
--   scree sweep scenes/rheology.yaml -j 2           mu(I) and phi(I), in space and in the plane
--
-- Units are the mean diameter, the density of the grains and the pressure. In these units the shear rate
-- equals the inertial number I = rate d sqrt(density / pressure). The strain is divided into `blocks` equal
-- intervals. The report gives the mean over the blocks and its standard error.

-- Returns the edge and the depth of the cell at the start.
local function loose_cell(p)
  local n = math.ceil(p.planar and p.grains ^ (1 / 2) or p.grains ^ (1 / 3))
  return n * 1.3, p.planar and 1.3 or n * 1.3
end

local function volume_of(p, radius)
  return p.planar and math.pi * radius ^ 2 or 4 / 3 * math.pi * radius ^ 3
end

return {
  title = "friction and solid fraction of a sheared sample",
  params = {
    seed = 1,
    inertial = 0.1,
    mu = 0.5,
    grains = 343,
    spread = 0.2,
    planar = false,
    strain = 8,
    before = 2,
    blocks = 10,
    dt = 0.05,
  },
  world = function(p)
    local edge, depth = loose_cell(p)
    return {
      gravity = { 0, 0, 0 },
      dt = 0.02,
      plane = p.planar and { 0, 0, 1 } or nil,
      cell = { size = { edge, edge, depth }, periodic = { true, true, not p.planar } },
      solver = { name = "nbgs", tolerance = 1e-3, iterations = 60, acceleration = true },
    }
  end,
  setup = function(w, p)
    local edge, depth = loose_cell(p)
    w:material { name = "grain", density = 1 }
    w:pair { "grain", "grain", mu = p.mu }
    w:fill {
      region = { min = { 0, 0, 0 }, max = { edge, edge, depth } },
      spacing = 1.3,
      radius = 0.5 * (1 - p.spread),
      radius_max = 0.5 * (1 + p.spread),
      position_jitter = 0.05,
      jitter = 0.2,
      limit = p.grains,
      material = "grain",
    }
    local driven = p.planar and { { 1, false, false }, { false, 1, false }, { false, false, false } }
      or { { 1, false, false }, { false, 1, false }, { false, false, 1 } }
    w:cell():set_stress(driven)
    local solid = 0
    for _, r in ipairs(w:view("radius"):totable()) do
      solid = solid + volume_of(p, r)
    end
    w.state.solid, w.state.friction, w.state.fraction = solid * (p.planar and depth or 1), {}, {}
    w.state.settled, w.state.block, w.state.sums = 2000, 0, { 0, 0, 0 }
  end,
  after_step = function(w, p)
    local s, cell = w.state, w:cell()
    if w:steps() == s.settled then
      w:set_dt(p.dt)
      cell:set_velocity_gradient { { 0, p.inertial, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
      cell:set_stress { { false, false, false }, { false, 1, false }, { false, false, false } }
    end
    local strain = (w:steps() - s.settled) * p.dt * p.inertial - p.before
    if strain <= 0 then return end
    local stress = cell:stress()
    local sums =
      { s.sums[1] - stress[1][2] / stress[2][2], s.sums[2] + s.solid / cell:volume(), s.sums[3] + 1 }
    if strain >= (s.block + 1) * p.strain / p.blocks then
      s.block = s.block + 1
      s.friction[s.block], s.fraction[s.block] = sums[1] / sums[3], sums[2] / sums[3]
      sums = { 0, 0, 0 }
    end
    s.sums = sums
  end,
  output = {
    series = {
      every = 20,
      values = function(w)
        local stress = w:cell():stress()
        return { sxy = stress[1][2], syy = stress[2][2], fraction = w.state.solid / w:cell():volume() }
      end,
    },
  },
  stop = function(w, p) return w.state.block >= p.blocks end,
  report = function(w, p)
    local function mean(list)
      local sum, square = 0, 0
      for _, x in ipairs(list) do
        sum, square = sum + x, square + x * x
      end
      local n = math.max(1, #list)
      return sum / n, math.sqrt(math.max(0, square / n - (sum / n) ^ 2) / math.max(1, n - 1))
    end
    local friction, friction_error = mean(w.state.friction)
    local fraction, fraction_error = mean(w.state.fraction)
    return {
      { "inertial number", p.inertial },
      { "friction", friction },
      { "error of friction", friction_error },
      { "solid fraction", fraction },
      { "error of solid fraction", fraction_error },
      { "strain", p.strain },
      { "grains", w:report().dynamic },
    }
  end,
}
