--- Water at rest: pressure on blocks below a water table, as forces.
---
---   local water = require "scree.water"
---   setup:        water.create(w, { level = 3, acts = "everywhere", blocks = blocks, bodies = rock.add(w, blocks, {}) })
---   before_step:  water.update(w)
---
--- The pressure at a point is density |g| (depth below the table), 0 above the table. Up is the direction of -g, and
--- heights are along it. The pressure is linear, so the integrals over polygons of faces and their moments are exact.
local scree = require "scree"
local cracks = require "scree.cracks"
local motion = require "scree.motion"
local polygon = require "scree.math.polygon"
local vector = require "scree.math.vector"
local dot, sub, add, cross, scale = vector.dot, vector.sub, vector.add, vector.cross, vector.scale
local water = {}

-- Largest cosine between a periodic edge and the direction in which the depth grows.
local FLAT = 1e-9

-- ---- reading ----

-- Returns whether a value is a list of three numbers above `least` and below infinity.
local function is_triple(list, least)
  local fine = type(list) == "table" and #list == 3
  for k = 1, 3 do
    fine = fine and type(list[k]) == "number" and list[k] > least and list[k] < math.huge
  end
  return fine
end

-- Returns the table as { height h, dh/dx, dh/dy } of a level: a number, or these three numbers.
local function read_level(level, what)
  local list = type(level) == "table" and level or { level, 0, 0 }
  for k = 1, 3 do
    if type(list[k]) ~= "number" or not (math.abs(list[k]) < math.huge) then
      error(what .. " must be a height, or { height at x = y = 0, slope along x, slope along y }", 3)
    end
  end
  return { list[1], list[2], list[3] }
end

local CORNERS = { -0.5, 0.5 }

-- Returns the corners of a block in the axes of its body: of a box with the key size, or from points in the world.
local function read_corners(block, body, what)
  local points = {}
  if type(block) ~= "table" then error(what .. " must be a table with points or size", 5) end
  if block.size then
    if not is_triple(block.size, 0) then error(what .. ".size must be three lengths above 0 [m]", 5) end
    for _, x in ipairs(CORNERS) do
      for _, y in ipairs(CORNERS) do
        for _, z in ipairs(CORNERS) do
          points[#points + 1] = { x * block.size[1], y * block.size[2], z * block.size[3] }
        end
      end
    end
    return points
  end
  if type(block.points) ~= "table" then error(what .. " needs points or size", 5) end
  for i, p in ipairs(block.points) do
    if not is_triple(p, -math.huge) then error(("%s.points[%d] must be three lengths [m]"):format(what, i), 5) end
    points[i] = { body:to_body(p[1], p[2], p[3]) }
  end
  return points
end

-- Raises an error unless a value is a body of the world.
local function check_body(w, body, what)
  local kind = scree.type(body)
  if kind ~= "body" then error(("%s must be a body, not %s"):format(what, kind or type(body)), 4) end
  if not body:alive() then error(what .. " has been removed", 4) end
  local fine, own = pcall(w.body_of, w, body:id())
  if not fine or own ~= body then error(what .. " is a body of another world", 4) end
end

-- Returns a solid { body, points, triangles, volume, centre } of a block, in the axes of its body.
local function make_solid(block, body, what)
  local hull = scree.geometry.hull { points = read_corners(block, body, what) }
  local points, triangles = hull:lists()
  local info = hull:info()
  return { body = body, points = points, triangles = triangles, volume = info.volume, centre = info.center }
end

-- Returns the set of the ids of all bodies that water wets everywhere.
local function find_wet_bodies(w)
  local wet = {}
  for _, state in ipairs(w.state.water or {}) do
    for _, solid in ipairs(state.solids) do
      if solid.body:alive() then wet[solid.body:id()] = true end
    end
  end
  return wet
end

-- Returns the solids of blocks and bodies. A body may have several blocks with points: its parts.
local function make_solids(w, blocks, bodies)
  local solids, wet, parts = {}, find_wet_bodies(w), {}
  for i, block in ipairs(blocks) do
    local body = bodies[i]
    check_body(w, body, ("water.create.bodies[%d]"):format(i))
    solids[i] = make_solid(block, body, ("water.create.blocks[%d]"):format(i))
    local id = body:id()
    local part = parts[id]
    if wet[id] or part and (block.size or part.size or part == block) then
      local name = body:name() and ("'%s'"):format(body:name()) or ("water.create.bodies[%d]"):format(i)
      error(name .. " has water already; water.update changes its level", 3)
    end
    parts[id] = block
  end
  return solids
end

local ACTS = { everywhere = true, joints = true }

--- Adds water. level: height of the table along -g [m], or { this height, slope along x, slope along y }. acts:
--- "everywhere" (all faces are wet: buoyancy) or "joints" (only faces that cracks.watch follows). blocks and bodies:
--- lists of the same length; a block has points, its corners in the world, or size, those of a box.
function water.create(w, def)
  scree.check_type(w, "world", "water.create", "first")
  local known = { "level", "acts", "blocks", "bodies", density = "kg/m3" }
  local o = scree.check_keys(def, known, "water.create")
  local acts = o.acts or "everywhere"
  if not ACTS[acts] then error("water.create.acts must be everywhere or joints, not '" .. tostring(acts) .. "'", 2) end
  if o.density ~= nil and not (type(o.density) == "number" and o.density > 0 and o.density < math.huge) then
    error("water.create.density must be a number above 0 [kg/m3]", 2)
  end
  local state = { level = read_level(scree.quantity(o.level, "m", "level"), "water.create.level") }
  state.density, state.acts, state.solids = o.density or 1000, acts, {}
  if acts == "joints" then
    if o.blocks or o.bodies then error("water.create: joints need no blocks, but cracks.watch", 2) end
    if not w.state.cracks then error("water.create: call cracks.watch(w) before water in joints", 2) end
    for _, other in ipairs(w.state.water or {}) do
      if other.acts == acts then
        error("water.create: water in joints exists already; water.update changes its level", 2)
      end
    end
  else
    if type(o.blocks) ~= "table" or type(o.bodies) ~= "table" or #o.blocks ~= #o.bodies then
      error("water.create needs the lists blocks and bodies, of the same length", 2)
    end
    state.solids = make_solids(w, o.blocks, o.bodies)
  end
  w.state.water = w.state.water or {}
  table.insert(w.state.water, state)
end

-- ---- forces ----

-- Returns the direction of -g and |g| [m/s2] for the water; nil without gravity. The acceleration of the ground does not change the water.
local function find_upwards(w)
  local g = motion.still_gravity(w)
  local size = vector.length(g)
  if size > 0 then return scale(-1 / size, g), size end
end

-- Raises an error if the depth changes along a periodic edge of the world's cell, where it would jump.
local function check_cell(w, slope)
  local fine, cell = pcall(w.cell, w)
  if not fine then return end
  local matrix, periodic = cell:matrix(), { cell:periodic() }
  for k = 1, 3 do
    local edge = { matrix[1][k], matrix[2][k], matrix[3][k] }
    if periodic[k] and math.abs(dot(edge, slope)) > FLAT * vector.length(edge) * vector.length(slope) then
      error(("the pressure of the water changes along edge %d of the cell, which is periodic"):format(k), 4)
    end
  end
end

-- Returns the depth of a point as a linear function: its value at the origin [m] and its gradient.
local function find_depth(w, level, up)
  local slope = sub({ level[2], level[3], 0 }, up)
  check_cell(w, slope)
  return { at = level[1], slope = slope }
end

local function depth_below(depth, p) return depth.at + dot(depth.slope, p) end

-- Returns the force of the pressure on a polygon, against its normal, and the point at which it acts; nil if the
-- polygon is dry. weight: density |g|.
local function find_push(corners, normal, depth, weight)
  local depths, wet = {}, false
  for i, p in ipairs(corners) do
    depths[i] = depth_below(depth, p)
    wet = wet or depths[i] > 0
  end
  if not wet then return nil end
  local part, values = polygon.clip(corners, depths)
  if #part < 3 then return nil end
  local sum, centre = polygon.integrate(part, values, normal)
  return centre and scale(-weight * sum, normal), centre
end

-- Applies the pressure on all faces of a solid. Below the table it is the buoyancy: -volume times the gradient of the
-- pressure, at the centre of the volume.
local function push_solid(solid, depth, weight)
  local body, points, dry, wet = solid.body, {}, true, true
  for i, p in ipairs(solid.points) do
    points[i] = { body:to_world(p[1], p[2], p[3]) }
    local below = depth_below(depth, points[i])
    dry, wet = dry and below <= 0, wet and below >= 0
  end
  if dry then return end
  if wet then
    local at = { body:to_world(table.unpack(solid.centre)) }
    body:apply { force = scale(-weight * solid.volume, depth.slope), at = at }
    return
  end
  local origin = { body:position() }
  local force, torque = { 0, 0, 0 }, { 0, 0, 0 }
  for _, t in ipairs(solid.triangles) do
    local corners = { points[t[1]], points[t[2]], points[t[3]] }
    local normal = cross(sub(corners[2], corners[1]), sub(corners[3], corners[1]))
    local push, at = find_push(corners, vector.unit(normal), depth, weight)
    if push then
      force, torque = add(force, push), add(torque, cross(sub(at, origin), push))
    end
  end
  body:apply { force = force, torque = torque }
end

-- Applies the pressure in a face: it pushes both bodies apart, except bodies that are wet everywhere.
local function push_face(face, depth, weight, wet)
  local push, at = find_push(face.corners, face.normal, depth, weight)
  if not push then return end
  for k, body in ipairs { face.body1, face.body2 } do
    local here = k == 1 and at or sub(at, face.shift)
    if body:kind() == "dynamic" and not wet[body:id()] then body:apply { force = scale(2 * k - 3, push), at = here } end
  end
end

-- Applies the pressure in all faces that cracks.watch follows.
local function push_faces(w, depth, weight)
  local wet = find_wet_bodies(w)
  for _, face in ipairs(cracks.list(w, { forces = false })) do
    push_face(face, depth, weight, wet)
  end
end

-- Applies the pressure of one water.
local function push_all(w, state, depth, weight)
  for _, solid in ipairs(state.solids) do
    if solid.body:alive() and solid.body:kind() == "dynamic" then push_solid(solid, depth, weight) end
  end
  if state.acts == "joints" then push_faces(w, depth, weight) end
end

--- Applies the pressure of the water in the coming step. level: a new level from now on.
function water.update(w, level)
  scree.check_type(w, "world", "water.update", "first")
  if not w.state.water then error("water.create must be called before", 2) end
  local up, g = find_upwards(w)
  for _, state in ipairs(w.state.water) do
    if level ~= nil then state.level = read_level(scree.quantity(level, "m", "level"), "water.update: level") end
    if up then push_all(w, state, find_depth(w, state.level, up), state.density * g) end
  end
end

return water
