--- Machines described by links and joints. `scree import` writes such a description from URDF and MJCF files.
---
---   local robot = require "scree.robot"
---   local arm = robot.build(w, require "arm", { position = { 0, 0, 0.5 } })
---   arm.joints.elbow:position()

local scree = require "scree"
local mass = require "scree.robot.mass"
local multiply = require("scree.math.quaternion").multiply
local robot = {}

-- ---- rotations and frames ----

local function turn(q, v)
  local s = multiply(multiply(q, { 0, v[1], v[2], v[3] }), { q[1], -q[2], -q[3], -q[4] })
  return { s[2], s[3], s[4] }
end

local function about(axis, angle)
  local n = math.sqrt(axis[1] ^ 2 + axis[2] ^ 2 + axis[3] ^ 2)
  local s = math.sin(angle / 2) / n
  return { math.cos(angle / 2), s * axis[1], s * axis[2], s * axis[3] }
end

local function add(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3] } end

--- Returns the frame `inner`, which is given relative to `outer`, relative to the parent frame of `outer`. A
--- frame is { position =, orientation = }.
local function compose(outer, inner)
  return {
    position = add(outer.position, turn(outer.orientation, inner.position or { 0, 0, 0 })),
    orientation = multiply(outer.orientation, inner.orientation or { 1, 0, 0, 0 }),
  }
end

-- ---- links that are welded together become one body ----

-- Returns the inertia {xx, xy, xz, yy, yz, zz} rotated by q.
local function turned_inertia(I, q)
  local m = { { I[1], I[2], I[3] }, { I[2], I[4], I[5] }, { I[3], I[5], I[6] } }
  local rows = {
    turn({ q[1], -q[2], -q[3], -q[4] }, { 1, 0, 0 }),
    turn({ q[1], -q[2], -q[3], -q[4] }, { 0, 1, 0 }),
    turn({ q[1], -q[2], -q[3], -q[4] }, { 0, 0, 1 }),
  }
  local function entry(i, k)
    local sum = 0
    for a = 1, 3 do
      for b = 1, 3 do
        sum = sum + rows[i][a] * m[a][b] * rows[k][b]
      end
    end
    return sum
  end
  return { entry(1, 1), entry(1, 2), entry(1, 3), entry(2, 2), entry(2, 3), entry(3, 3) }
end

local function placed_shape(shape, frame)
  local copy = {}
  for key, value in pairs(shape) do
    copy[key] = value
  end
  local at = compose(frame, shape)
  copy.position, copy.orientation = at.position, at.orientation
  if shape.normal then
    copy.normal, copy.orientation = turn(frame.orientation, shape.normal), nil
  end
  return copy
end

local function placed_lump(lump, frame)
  return {
    mass = lump.mass,
    centre = add(frame.position, turn(frame.orientation, lump.centre)),
    inertia = turned_inertia(lump.inertia, frame.orientation),
  }
end

-- Returns the lump (mass, centre and inertia, see robot/mass.lua) that the keys of a link state; nil if they
-- state none.
local function stated_lump(link)
  if not link.mass or link.mass == 0 then return nil end
  if not link.inertia then error(("model: link %q has a mass, but no inertia"):format(link.name), 0) end
  return {
    mass = link.mass,
    centre = link.centre or { 0, 0, 0 },
    inertia = turned_inertia(link.inertia, link.inertia_orientation or { 1, 0, 0, 0 }),
  }
end

-- ---- building ----

local function index(model)
  if type(model) ~= "table" or type(model.links) ~= "table" then
    error("robot: a model is a table with a list `links`", 0)
  end
  local link, child_of, joints_of, roots = {}, {}, {}, {}
  for _, l in ipairs(model.links) do
    if link[l.name] then error(("model: there are two links %q"):format(l.name), 0) end
    link[l.name], joints_of[l.name] = l, {}
  end
  for _, j in ipairs(model.joints or {}) do
    for _, side in ipairs { "parent", "child" } do
      if not link[j[side]] then
        error(("model: joint %q: there is no link %q"):format(j.name, tostring(j[side])), 0)
      end
    end
    if child_of[j.child] then
      error(
        ("model: link %q is the child of two joints, %q and %q"):format(
          j.child,
          child_of[j.child].name,
          j.name
        ),
        0
      )
    end
    child_of[j.child] = j
    table.insert(joints_of[j.parent], j)
  end
  for _, l in ipairs(model.links) do
    if not child_of[l.name] then roots[#roots + 1] = l end
  end
  if #roots == 0 then error("model: its joints form a circle; no link is the first", 0) end
  return link, joints_of, roots
end

-- Returns the frame of the child of a joint relative to the parent link, for the joint position q.
local function joint_frame(joint, q)
  local frame =
    { position = joint.position or { 0, 0, 0 }, orientation = joint.orientation or { 1, 0, 0, 0 } }
  if joint.type == "hinge" and q ~= 0 then
    local anchor, r = joint.anchor or { 0, 0, 0 }, about(joint.axis, q)
    local back = turn(r, anchor)
    return compose(
      frame,
      { position = { anchor[1] - back[1], anchor[2] - back[2], anchor[3] - back[3] }, orientation = r }
    )
  elseif joint.type == "slider" and q ~= 0 then
    return compose(frame, { position = { q * joint.axis[1], q * joint.axis[2], q * joint.axis[3] } })
  end
  return frame
end

-- Adds a link, and all links welded to it, to `into`: their shapes and their lumps in the frame of the first
-- link, and the movable joints to their children with the frames of the links they start from.
local function gather(link, joints_of, name, frame, into, lumps)
  local l = link[name]
  for _, shape in ipairs(l.shapes or {}) do
    table.insert(into.shapes, placed_shape(shape, frame))
  end
  if lumps[name] then into.lump = mass.add(into.lump, placed_lump(lumps[name], frame)) end
  if l.mass or l.overlaps == "sum" then
    into.states_mass = true
  elseif #(l.shapes or {}) > 0 then
    table.insert(into.unions, { shapes = l.shapes, frame = frame })
  end
  table.insert(into.links, { name = name, frame = frame })
  for _, joint in ipairs(joints_of[name]) do
    if joint.type == "fixed" then
      gather(link, joints_of, joint.child, compose(frame, joint_frame(joint, 0)), into, lumps)
    else
      table.insert(into.leaving, { joint = joint, frame = frame })
    end
  end
  return into
end

-- Share of the mass that a link without a mass gets of what it carries. The results of mechanisms differ from
-- those of massless links by about this share.
local MASSLESS_SHARE = 1e-8

-- Returns the lump of a link and all links that hang on it by joints, in the frame of the link, with the joints
-- at 0. place: { link =, joints_of =, lumps = } of the model.
local function carried(w, place, options, name)
  local l = place.link[name]
  local sum = place.lumps[name]
  if not sum and not l.mass and l.overlaps ~= "sum" and #(l.shapes or {}) > 0 then
    sum = mass.of_union(w, l.shapes, options.material)
  end
  for _, joint in ipairs(place.joints_of[name]) do
    local lump = joint.type ~= "free" and carried(w, place, options, joint.child)
    if lump then sum = mass.add(sum, placed_lump(lump, joint_frame(joint, 0))) end
  end
  return sum
end

-- Sets mass, centre and inertia of def. If no link of the group states a mass, the body gets the mass of the
-- union of its shapes.
local function weigh(w, group, options, def, place)
  local lump = group.lump
  if group.states_mass then
    for _, union in ipairs(group.unions) do
      local own = mass.of_union(w, union.shapes, options.material)
      lump = mass.add(lump, placed_lump(own, union.frame))
    end
    if not lump and #group.shapes == 0 then
      lump = carried(w, place, options, group.links[1].name)
      lump = lump and mass.scale(lump, MASSLESS_SHARE)
    end
    if not lump then error(("model: link %q moves, but has no mass"):format(group.links[1].name), 0) end
    def.mass, def.centre, def.inertia = lump.mass, lump.centre, lump.inertia
  elseif #group.shapes == 0 then
    error(("model: link %q moves, but has neither mass nor a shape"):format(group.links[1].name), 0)
  end
end

-- Returns whether a group without a parent stays where it is: all its links state that they have no mass.
local function is_massless(group) return group.states_mass and not group.lump and #group.unions == 0 end

local function make_body(w, group, frame, options, fixed, place)
  local def = {
    position = frame.position,
    orientation = frame.orientation,
    shapes = {},
    group = options.group,
  }
  for i, shape in ipairs(group.shapes) do
    def.shapes[i] = mass.plain_shape(shape, options.material)
  end
  if fixed then
    if #group.shapes == 0 then return nil end
    def.kind = "fixed"
  else
    weigh(w, group, options, def, place)
  end
  return w:body(def)
end

local makers =
  { hinge = "hinge", slider = "slider", ball = "ball", universal = "universal", cylindrical = "cylindrical" }

-- Copies limits, friction, damping and spring of a free direction to def. Positions count from q there.
local function acts(joint, q, def)
  if joint.limits then def.limits = { joint.limits[1] - q, joint.limits[2] - q } end
  for _, key in ipairs { "friction", "damping", "stiffness" } do
    if joint[key] and joint[key] > 0 then def[key] = joint[key] end
  end
  if def.stiffness then def.rest = (joint.rest or 0) - q end
  return def
end

local function make_joint(w, joint, child, parent, frame, q)
  local verb = makers[joint.type]
  if not verb then
    error(("model: joint %q: there is no type %q"):format(joint.name, tostring(joint.type)), 0)
  end
  local def =
    { a = child, b = parent, at = add(frame.position, turn(frame.orientation, joint.anchor or { 0, 0, 0 })) }
  if joint.collide then def.collide = true end
  if joint.axis then def.axis = turn(frame.orientation, joint.axis) end
  if joint.axis2 then def.axis_b = turn(frame.orientation, joint.axis2) end
  if joint.type == "ball" then
    def.friction, def.turn_damping, def.turn_stiffness = joint.friction, joint.damping, joint.stiffness
  else
    acts(joint, q, def)
    if joint.second then def.second = acts(joint.second, 0, {}) end
  end
  return w[verb](w, def)
end

-- Lets two bodies pass through each other. Bodies that a joint connects do not collide, so this is a rope that
-- never gets taut.
local function separate(w, a, b)
  if not a or not b or a == b then return end
  w:distance { a = a, b = b, at = { a:position() }, at_b = { b:position() }, limits = { 0, 1e100 } }
end

--- Adds the bodies and joints of a model to a world. Links that are welded to each other become one body. The
--- first link is fixed unless options.base is "free". options.joints: positions of joints by name; other
--- joints start at 0, or in the middle of their limits if these exclude 0. Returns { bodies = by link, joints
--- = by name, start = position of each joint at its creation }. joint:position() counts from that start.
function robot.build(w, model, options)
  options = options or {}
  scree.check_keys(
    options,
    { "position", "orientation", "base", "joints", "material", "group" },
    "robot.build"
  )
  if options.base and options.base ~= "fixed" and options.base ~= "free" then
    error(('robot.build: base must be "fixed" or "free", not %q'):format(tostring(options.base)), 2)
  end
  local link, joints_of, roots = index(model)
  local made = { bodies = {}, joints = {}, start = {} }
  local function start_of(joint)
    local q = (options.joints or {})[joint.name]
    if not q then
      q = 0
      local limits = joint.limits
      local starts = joint.type == "hinge" or joint.type == "slider"
      if starts and limits and (limits[1] > 0 or limits[2] < 0) then q = (limits[1] + limits[2]) / 2 end
    end
    return q
  end
  local place = { link = link, joints_of = joints_of }
  place.lumps = mass.of_model(w, model, options.material, stated_lump)
  local function put(name, frame, fixed, is_root)
    local group = gather(
      link,
      joints_of,
      name,
      { position = { 0, 0, 0 }, orientation = { 1, 0, 0, 0 } },
      { shapes = {}, links = {}, leaving = {}, unions = {} },
      place.lumps
    )
    local body = make_body(w, group, frame, options, fixed or is_root and is_massless(group), place)
    for _, l in ipairs(group.links) do
      made.bodies[l.name] = body
    end
    for _, leaving in ipairs(group.leaving) do
      local joint, q = leaving.joint, start_of(leaving.joint)
      local at = compose(compose(frame, leaving.frame), joint_frame(joint, q))
      local child = put(joint.child, at, false)
      if joint.type ~= "free" then
        made.joints[joint.name], made.start[joint.name] = make_joint(w, joint, child, body, at, q), q
      end
    end
    return body
  end
  for name in pairs(options.joints or {}) do
    local known = false
    for _, joint in ipairs(model.joints or {}) do
      known = known or joint.name == name
    end
    if not known then error(("robot.build: joints.%s: the model has no such joint"):format(name), 2) end
  end
  local base =
    { position = options.position or { 0, 0, 0 }, orientation = options.orientation or { 1, 0, 0, 0 } }
  for _, root in ipairs(roots) do
    put(root.name, base, (options.base or model.base or "fixed") == "fixed", true)
  end
  for _, l in ipairs(model.links) do
    for _, other in ipairs(l.avoids or {}) do
      separate(w, made.bodies[l.name], made.bodies[other])
    end
  end
  return made
end

--- Returns the positions of all joints by name, counted from the zero of the model.
function robot.positions(made)
  if type(made) ~= "table" or not made.start then error("robot.positions takes what robot.build gave", 0) end
  local all = {}
  for name, joint in pairs(made.joints) do
    all[name] = made.start[name] + joint:position()
  end
  return all
end

-- ---- writing ----

local function literal(value, indent)
  if type(value) == "number" then
    local short = ("%.15g"):format(value)
    return tonumber(short) == value and short or ("%.17g"):format(value)
  end
  if type(value) ~= "table" then
    return type(value) == "string" and ("%q"):format(value) or tostring(value)
  end
  local parts, keys = {}, {}
  for _, v in ipairs(value) do
    parts[#parts + 1] = literal(v, indent .. "  ")
  end
  for key in pairs(value) do
    if type(key) == "string" then keys[#keys + 1] = key end
  end
  table.sort(keys)
  if value.name then
    for i, key in ipairs(keys) do
      if key == "name" then table.remove(keys, i) end
    end
    table.insert(keys, 1, "name")
  end
  for _, key in ipairs(keys) do
    parts[#parts + 1] = key .. " = " .. literal(value[key], indent .. "  ")
  end
  local line = "{ " .. table.concat(parts, ", ") .. " }"
  if #parts == 0 then return "{}" end
  if #line + #indent <= 120 and not line:find "\n" then return line end
  return "{\n" .. indent .. "  " .. table.concat(parts, ",\n" .. indent .. "  ") .. " }"
end

--- Returns the text of a Lua file with a model: a scene that builds it, or the model alone if options.table.
--- options.from: name of the file that the model was read from.
function robot.source(model, options)
  local from = options.from:gsub("%c", " ") -- the name of a file may contain line breaks
  local lines =
    { ("-- Made by scree import from %s: %d links, %d joints."):format(from, #model.links, #model.joints) }
  for _, what in ipairs(model.left_out or {}) do
    lines[#lines + 1] = "-- left out: " .. what:gsub("[\r\n]", " ")
  end
  local kept = {}
  for key, value in pairs(model) do
    if key ~= "left_out" then kept[key] = value end
  end
  if options.table then return table.concat(lines, "\n") .. "\nreturn " .. literal(kept, "") .. "\n" end
  lines[#lines + 1] = 'local robot = require "scree.robot"'
  lines[#lines + 1] = "local model = " .. literal(kept, "")
  lines[#lines + 1] = ([[
return {
  title = %s,
  world = { gravity = %s, dt = %s },
  setup = function(w) robot.build(w, model) end,
  stop = { time = 1 },
}]]):format(
    literal(model.name or options.from, ""),
    literal(model.gravity or { 0, 0, -9.81 }, ""),
    literal(model.dt or 1e-3, "")
  )
  return table.concat(lines, "\n") .. "\n"
end

return robot
