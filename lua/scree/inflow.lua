--- A moving inflow plane (Preclik, Eibl and Rüde 2017, section 4.3). A plane of infinite mass pushes the
--- grains in front of it into the domain. After one layer spacing the plane jumps back, and a new layer of
--- grains with random transverse velocities fills the gap. The distance of two layers is `layer_spacing`, by
--- default `spacing`.
---
---   local inflow = require "scree.inflow"
---   setup:        inflow.create(w, { min = {0,0,0}, max = {0,0.065,0.02}, spacing = 1e-3,
---                   layer_spacing = 0.94e-3, radius = 0.47e-3, speed = 1, jitter = 0.5 })
---   before_step:  inflow.update(w)
---
--- The state of the inflow is in w.state, so a resumed run continues it.

local scree = require "scree"
local vector = require "scree.math.vector"
local inflow = {}

local defaults = { name = "inflow", axis = 1, speed = 1, jitter = 0, group = 0 }
local known = {
  "sizes",
  "jitter",
  "axis",
  "name",
  "material",
  "density",
  "group",
  "shape",
  "template",
  min = "m",
  max = "m",
  spacing = "m",
  layer_spacing = "m",
  radius = "m",
  radius_max = "m",
  speed = "m/s",
}

-- Returns the largest radius of the grains [m]; nil if it follows from sizes or a template.
local function largest_radius(options)
  return options.radius and math.max(options.radius, options.radius_max or 0)
end

local function check(options)
  options = scree.check_keys(options, known, "inflow")
  for _, key in ipairs {
    "min",
    "max",
    "spacing",
    options.sizes and "sizes" or options.template and "template" or "radius",
  } do
    if options[key] == nil then error("inflow." .. key .. " is missing", 3) end
  end
  for _, key in ipairs { "radius", "radius_max", "spacing", "layer_spacing", "speed" } do
    if options[key] ~= nil then scree.check_type(options[key], "number", "inflow", "as " .. key) end
  end
  for _, key in ipairs { "min", "max" } do
    scree.check_type(options[key], "table", "inflow", "as " .. key)
  end
  for _, key in ipairs { "min", "max" } do
    vector.check(options[key], "inflow." .. key)
  end
  local axis = options.axis or defaults.axis
  if axis ~= 1 and axis ~= 2 and axis ~= 3 then
    error("inflow.axis must be 1, 2 or 3, for x, y and z, not " .. (type(axis) == "number" and axis or "a " .. type(axis)))
  end
  options.layer_spacing = options.layer_spacing or options.spacing
  local radius = largest_radius(options)
  for _, key in ipairs { "spacing", "layer_spacing" } do
    if not (options[key] > 0) then error("inflow." .. key .. " must be greater than 0", 3) end
    if radius and not (options[key] >= 2 * radius) then
      error("inflow." .. key .. " must not be less than the diameter of a grain", 3)
    end
  end
  if options.speed and not (options.speed > 0) then
    error("inflow.speed must be greater than 0: grains enter along the axis", 3)
  end
  return options
end

-- Places one layer of grains in the gap in front of the plane. Their centres lie in the middle of the gap.
local function lay(w, feed, plane)
  local from = plane + (feed.layer_spacing - feed.spacing) / 2
  local low, high, velocity = { table.unpack(feed.min) }, { table.unpack(feed.max) }, { 0, 0, 0 }
  low[feed.axis], high[feed.axis], velocity[feed.axis] = from, from + feed.spacing, feed.speed
  local laid = w:fill {
    region = { min = low, max = high },
    lattice = "cubic",
    spacing = feed.spacing,
    radius = feed.radius,
    radius_max = feed.radius_max,
    sizes = feed.sizes,
    velocity = velocity,
    jitter = feed.jitter,
    material = feed.material,
    density = feed.density,
    group = feed.group,
    shape = feed.shape,
    template = feed.template,
  }
  feed.layers = feed.layers + 1
  feed.grains = feed.grains + laid
end

--- Makes the plane and places the first layer. min and max span the cross-section. Along the axis (1: x, 2:
--- y, 3: z) the plane starts at min. Returns the plain table that describes the inflow; `layers` and `grains`
--- are the numbers placed.
function inflow.create(w, options)
  scree.check_type(w, "world", "inflow.create", "first")
  options = check(options)
  local feed = { layers = 0, grains = 0 }
  for key, value in pairs(defaults) do
    feed[key] = value
  end
  for key, value in pairs(options) do
    feed[key] = value
  end
  local normal, point, velocity = { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }
  feed.start = feed.min[feed.axis]
  normal[feed.axis], point[feed.axis], velocity[feed.axis] = 1, feed.start, feed.speed
  w:halfspace {
    name = feed.name,
    normal = normal,
    position = point,
    velocity = velocity,
    kind = "kinematic",
    material = feed.material,
  }
  w.state.inflows = w.state.inflows or {}
  table.insert(w.state.inflows, feed)
  lay(w, feed, feed.start)
  return feed
end

-- Returns the distance by which a layer may be placed early [m]: half a step, so that rounding errors do not
-- delay it by a step. Layers without a gap between them may be early by rounding errors only, because their
-- grains would overlap.
local function slack_of(feed, dt)
  return math.min(
    0.5 * feed.speed * dt,
    math.max(feed.layer_spacing - 2 * (largest_radius(feed) or 0), 1e-6 * feed.layer_spacing)
  )
end

--- Moves every plane that has advanced by a layer spacing back and places the next layer. Call it before each
--- step.
function inflow.update(w)
  scree.check_type(w, "world", "inflow.update", "first")
  for _, feed in ipairs(w.state.inflows or {}) do
    local plane = w:find(feed.name)
    local place = { plane:position() }
    if place[feed.axis] - feed.start >= feed.layer_spacing - slack_of(feed, w:dt()) then
      place[feed.axis] = place[feed.axis] - feed.layer_spacing
      plane:set_position(place)
      lay(w, feed, place[feed.axis])
    end
  end
end

return inflow
