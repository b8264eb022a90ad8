-- Dense packings: w:pack{...} is pack.create(w, {...}).
--
--   setup = function(w) w:pack { fraction = 0.6, radius = "1 mm" } end
--
-- pack.create inserts the grains at random places in a separate, larger world and compresses it without
-- friction. It shrinks all lengths at a given rate until the solid fraction is reached. With `pressure` it
-- shrinks them until the packing is nearly dense, and then a stress compresses the cell until the contacts
-- balance it. Finally it copies the grains, at rest, into the world.
--
-- The separate world depends on the world only through its random numbers. It has no fixed scale of length,
-- mass or time: its pressure is the mean mass of a grain over the mean diameter and one second squared.
local scree = require "scree"
local vector = require "scree.math.vector"
local pack = {}

local known = {
  "fraction",
  "grains",
  "mu",
  "shape",
  "sizes",
  "template",
  "material",
  "density",
  "group",
  "region",
  pressure = "Pa",
  radius = "m",
  radius_max = "m",
}
local grain_keys = { "radius", "radius_max", "sizes", "shape", "template", "density" }

local STRAIN = 2e-3 -- relative decrease of the lengths per step
local RATE = 0.2 -- relative decrease of the lengths per second
local LOOSE = 0.58 -- solid fraction at which compression by a stress, and friction, begin

local function number(value, name, low, high)
  if not (type(value) == "number" and value > low and value < high) then
    error(("pack.%s must lie between %g and %g"):format(name, low, high), 4)
  end
end

-- Returns the template of the grains, nil for balls. A shape becomes a template of one shape.
local function template_of(w, def)
  if not def.shape then return def.template end
  local shape = { material = def.material, density = def.density }
  for key, value in pairs(def.shape) do
    shape[key] = value
  end
  return w:template { shapes = { shape } }
end

local function read(options)
  local def = scree.check_keys(options, known, "pack")
  if (def.fraction == nil) == (def.pressure == nil) then
    error("pack: say how dense, by either `fraction` or `pressure`", 3)
  end
  if def.shape and (def.radius or def.template or def.sizes) then
    error("pack.shape has a size of its own: leave radius, sizes and template out", 3)
  end
  if not (def.radius or def.sizes or def.shape or def.template) then
    error("pack.radius is missing (or sizes, shape, template)", 3)
  end
  if def.fraction then number(def.fraction, "fraction", 0, 1) end
  if def.pressure then number(def.pressure, "pressure", 0, math.huge) end
  if def.grains then number(def.grains, "grains", 0, 1e9) end
  for _, key in ipairs { "grains", "mu" } do
    if def.fraction and def[key] then
      error(("pack.%s goes with `pressure`, not with `fraction`"):format(key), 3)
    end
  end
  if def.mu ~= nil and not (type(def.mu) == "number" and def.mu >= 0) then
    error("pack.mu must be a number, at least 0", 3)
  end
  return def
end

-- ---- the space to fill: origin, lengths, and along which axes it is periodic ----

local function cell_of(w)
  local found, cell = pcall(w.cell, w)
  return found and cell or nil
end

local function space_of(w, def)
  local cell, space = cell_of(w), { origin = {}, size = {}, periodic = {} }
  if not cell and not def.region then error("pack.region is missing: the world has no cell to fill", 4) end
  local H, from, repeats =
    cell and cell:matrix(), cell and { cell:origin() }, cell and { cell:periodic() } or {}
  local box = def.region or { min = from, max = {} }
  if not (type(box) == "table" and box.min and box.max) then
    error("pack.region must be a box, { min = , max = }", 4)
  end
  local low, high =
    vector.check(scree.quantity(box.min, "m", "pack.region.min"), "pack.region.min"),
    def.region and vector.check(scree.quantity(box.max, "m", "pack.region.max"), "pack.region.max") or {}
  if def.region then vector.check_box(low, high, "pack.region") end
  for k = 1, 3 do
    for i = 1, 3 do
      if H and i ~= k and repeats[k] and H[i][k] ~= 0 then
        error("pack: the cell is skew; pack it before it is sheared", 4)
      end
    end
    low[k], high[k] = low[k], high[k] or from[k] + H[k][k]
    space.origin[k], space.size[k] = low[k], high[k] - low[k]
    space.periodic[k] = repeats[k] and low[k] == from[k] and high[k] == from[k] + H[k][k] or false
  end
  return space
end

-- ---- the grains ----

-- Returns a copy of a template with the default material.
local function plain(template)
  local shapes = {}
  for i, shape in ipairs(template.shapes) do
    shapes[i] = {}
    for key, value in pairs(shape) do
      shapes[i][key] = value
    end
    shapes[i].material, shapes[i].density = nil, nil
  end
  return scree.world({}):template { shapes = shapes }
end

-- Returns the keys for w:insert that describe the grains in the separate world, with the default material.
local function grains_of(def)
  local out = {}
  for _, key in ipairs { "radius", "radius_max", "sizes" } do
    out[key] = def[key]
  end
  if def.template then out.template = plain(def.template) end
  return out
end

-- Inserts a sample of 500 grains into a box of edge 50 room. Returns the mean volume of a grain, the mean
-- volume of its bounding sphere, and the largest radius of a bounding sphere.
local function sample(def, room)
  local w, grains = scree.world { gravity = { 0, 0, 0 }, dt = 1 }, grains_of(def)
  grains.region, grains.count = { min = { 0, 0, 0 }, max = { 50 * room, 50 * room, 50 * room } }, 500
  local placed, mass = w:insert(grains)
  local ball, reach = 0, 0
  for _, r in ipairs(w:view("radius"):totable()) do
    ball, reach = ball + 4 / 3 * math.pi * r ^ 3 / placed, math.max(reach, r)
  end
  return mass / placed / 1000, ball, reach
end

-- ---- the separate world ----

-- Adds two walls along each axis that is not periodic: a fixed one at 0 and a moving one opposite.
local function add_walls(own)
  own.walls = {}
  for k = 1, 3 do
    if not own.periodic[k] then
      local normal, point = { 0, 0, 0 }, { 0, 0, 0 }
      normal[k] = 1
      own.w:halfspace { normal = normal }
      normal[k], point[k] = -1, own.size[k]
      own.walls[k] = own.w:halfspace { normal = normal, position = point, kind = "kinematic" }
    end
  end
end

-- Returns the separate world with loose grains. Its space is similar to the space to fill, but larger.
local function loose(space, def, count, ball, reach)
  local volume, own = space.size[1] * space.size[2] * space.size[3], { size = {}, periodic = space.periodic }
  local scale, low, high = (count * ball / 0.12 / volume) ^ (1 / 3), {}, {}
  for k = 1, 3 do
    own.size[k] = math.max(scale * space.size[k], 4 * reach)
  end
  scale = math.max(own.size[1] / space.size[1], own.size[2] / space.size[2], own.size[3] / space.size[3])
  for k = 1, 3 do
    own.size[k], low[k], high[k] = scale * space.size[k], reach, scale * space.size[k] - reach
  end
  local any = own.periodic[1] or own.periodic[2] or own.periodic[3]
  local w = scree.world {
    gravity = { 0, 0, 0 },
    dt = STRAIN / RATE,
    cell = any and { size = own.size, periodic = own.periodic } or nil,
    solver = {
      name = "nbgs",
      iterations = 300,
      tolerance = 1e-7,
      acceleration = true,
      correction_iterations = 40,
    },
  }
  w:pair { "default", "default", mu = 0 }
  own.w, own.reach, own.cell = w, reach, any and w:cell() or nil
  add_walls(own)
  local grains = grains_of(def)
  grains.region, grains.count, grains.jitter = { min = low, max = high }, count, RATE * reach
  own.count, own.solid = w:insert(grains)
  own.solid = own.solid / 1000
  if own.count < count then error(("pack: only %d of %d grains found room"):format(own.count, count)) end
  return own
end

-- Returns the rows of the grains in w:view. The rows may change, because a world may reorder its bodies.
local function rows_of(own)
  local rows, kind = {}, own.w:view "kind"
  for row = 1, #kind do
    if kind[row] == "dynamic" then rows[#rows + 1] = row end
  end
  return rows
end

local function fraction_of(own) return own.solid / (own.size[1] * own.size[2] * own.size[3]) end

local function diagonal(own, value, other)
  local rows = {}
  for k = 1, 3 do
    rows[k] = { other, other, other }
    rows[k][k] = own.periodic[k] and value or other
  end
  return rows
end

local function stop(own)
  if own.cell then own.cell:set_velocity_gradient(diagonal(own, 0, 0)) end
  for _, wall in pairs(own.walls) do
    wall:set_velocity(0, 0, 0)
  end
  own.w:view("velocity"):scale(0)
  own.w:view("spin"):scale(0)
end

-- Steps with all velocities set to zero until the largest penetration is below `share` times own.reach
-- (largest radius). Returns false if 100 steps are not enough.
local function come_apart(own, share)
  for _ = 1, 100 do
    if own.w:report().penetration < share * own.reach then return true end
    own.w:step()
    stop(own)
  end
  return false
end

-- Gives the grains the velocity field of a shrinking cell along the axes that have walls. Otherwise grains
-- would pile up at the walls.
local function draw_along(own, rate)
  local velocity, place = own.w:view "velocity", own.w:view "position"
  for _, row in ipairs(rows_of(own)) do
    local x, v = { place:get(row) }, { velocity:get(row) }
    for k in pairs(own.walls) do
      v[k] = -rate * x[k]
    end
    velocity:set(row, v[1], v[2], v[3])
  end
end

-- Sets the rate at which all lengths shrink.
local function set_rate(own, rate)
  if own.cell then own.cell:set_velocity_gradient(diagonal(own, -rate, 0)) end
  if next(own.walls) then draw_along(own, rate) end
  for k, wall in pairs(own.walls) do
    local velocity = { 0, 0, 0 }
    velocity[k] = -rate * own.size[k]
    wall:set_velocity(velocity)
  end
end

-- Shrinks all lengths at the same rate until a solid fraction is reached. Pauses while grains overlap too
-- much. Returns false if the overlaps do not vanish.
local function draw_together(own, fraction)
  local w, left = own.w, math.log(fraction / fraction_of(own)) / 3
  local steps = math.max(1, math.ceil(left / STRAIN))
  own.met = fraction_of(own) -- the last fraction at which grains did not overlap
  local shrink = math.exp(-left / steps)
  for _ = 1, steps do
    set_rate(own, (1 - shrink) / w:dt())
    w:step()
    for k = 1, 3 do
      own.size[k] = own.size[k] * shrink
    end
    local depth = w:report().penetration
    if depth <= 1e-3 * own.reach then own.met = fraction_of(own) end
    if depth > 0.02 * own.reach then
      stop(own)
      if not come_apart(own, 0.01) then return false end
      own.met = fraction_of(own)
    end
  end
  stop(own)
  return come_apart(own, 1e-3)
end

local function press_on(own, pressure, steps)
  own.cell:set_stress(diagonal(own, pressure, false), 10)
  own.w:step(steps)
  return own.solid / own.cell:volume()
end

-- Compresses the cell by a stress until the contacts balance it and the fraction no longer changes. All
-- velocities are set to zero every 25 steps, because grains that slide past each other without friction would
-- move for a long time. Returns whether the fraction became constant.
local function press(own, mu)
  own.w:pair { "default", "default", mu = mu }
  local pressure = own.solid * 1000 / own.count / (2 * own.reach)
  own.w:set_dt(0.05)
  local before, stays = 0, 0
  for _ = 1, 400 do
    local fraction = press_on(own, pressure, 25)
    stays = math.abs(fraction - before) < 2e-6 and stays + 1 or 0
    before = fraction
    if stays == 3 then break end
    own.cell:set_stress(diagonal(own, false, false))
    stop(own)
  end
  press_on(own, pressure, 200)
  local H = own.cell:matrix()
  for k = 1, 3 do
    own.size[k] = H[k][k]
  end
  return stays == 3
end

-- ---- back into the world ----

-- Returns the radius of a grain for w:fill. For a template it is the radius of a ball of the same volume.
local function size_of(def, mass, radius)
  return def.template and (3 * mass / 1000 / (4 * math.pi)) ^ (1 / 3) or radius
end

-- Copies the grains into the world, with all lengths multiplied by scale.
local function copy(w, own, def, space, scale)
  local place, turn, radius, mass =
    own.w:view "position", own.w:view "orientation", own.w:view "radius", own.w:view "mass"
  local first, rows = #w:view "id", rows_of(own)
  local function point(row)
    local p = own.cell and own.cell:wrap { place:get(row) } or { place:get(row) }
    for k = 1, 3 do
      p[k] = space.origin[k] + scale * p[k]
    end
    return p
  end
  for _, row in ipairs(rows) do
    local p, size, far =
      point(row), scale * size_of(def, mass:get(row), radius:get(row)), 4 * scale * own.reach
    w:fill {
      region = { min = { p[1] - far, p[2] - far, p[3] - far }, max = { p[1] + far, p[2] + far, p[3] + far } },
      spacing = 10 * far,
      limit = 1,
      radius = size,
      template = def.template,
      material = not def.template and def.material or nil,
      density = not def.template and def.density or nil,
      group = def.group,
    }
  end
  local there, turned = w:view "position", w:view "orientation"
  for i, row in ipairs(rows) do
    local p = point(row)
    there:set(first + i, p[1], p[2], p[3])
    turned:set(first + i, turn:get(row))
  end
end

local function fit_cell(w, own, pressure)
  local cell, rows = w:cell(), { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  for k = 1, 3 do
    rows[k][k] = own.size[k]
  end
  cell:set_matrix(rows)
  cell:set_stress { { pressure, false, false }, { false, pressure, false }, { false, false, pressure } }
end

--- Fills the cell of a world, or a box, with a dense packing at rest. With `fraction` the space does not
--- change, and the sizes of all grains are multiplied by a factor near 1. With `pressure` the grains keep
--- their sizes, and the cell, which must be periodic along all edges, gets the size at which they balance
--- this stress; the stress then drives the cell. Returns a table with the number of grains, fraction, scale,
--- coordination, rattlers and settled.
function pack.create(w, options)
  scree.check_type(w, "world", "pack.create", "first")
  local def = read(options)
  def.template = template_of(w, def)
  local space = space_of(w, def)
  local volume = space.size[1] * space.size[2] * space.size[3]
  local grain, ball, reach = sample(def, volume ^ (1 / 3))
  local count = def.grains or math.floor((def.fraction or 0.6) * volume / grain + 0.5)
  if count < 1 then error("pack: there is no room for a single grain", 2) end
  if def.pressure and not (space.periodic[1] and space.periodic[2] and space.periodic[3]) then
    error("pack.pressure needs a cell that is periodic along all edges; a container takes `fraction`", 2)
  end
  local own = loose(space, def, count, ball, reach)
  local there = draw_together(own, def.fraction or LOOSE)
  if def.pressure then there = press(own, def.mu or 0) end
  if def.fraction and not there then
    error(
      (
        "pack.fraction %g is more than these grains come to: "
        .. "they meet at about %.3f; a pressure presses them further"
      ):format(
        def.fraction,
        math.floor(1000 * own.met) / 1000
      ),
      2
    )
  end
  local scale, z = def.fraction and space.size[1] / own.size[1] or 1, own.w:coordination {}
  copy(w, own, def, space, scale)
  if def.pressure then fit_cell(w, own, def.pressure) end
  return {
    grains = own.count,
    fraction = fraction_of(own),
    scale = scale,
    coordination = z.mean_loaded,
    rattlers = z.rattlers,
    settled = there,
  }
end

return pack
