--- Reads models in MJCF, the format of MuJoCo. `scree import model.xml` calls mjcf.read with the tree of XML
--- elements. The modules of scree.mjcf read its parts. Each part that scree cannot represent becomes a
--- warning.

local scree = require "scree"
local assets = require "scree.mjcf.assets"
local constraints = require "scree.mjcf.constraints"
local control = require "scree.mjcf.control"
local expand = require "scree.mjcf.expand"
local friction = require "scree.mjcf.friction"
local geoms = require "scree.mjcf.geoms"
local inertia = require "scree.robot.inertia"
local joints = require "scree.mjcf.joints"
local masks = require "scree.mjcf.masks"
local options_of = require "scree.mjcf.options"
local reader_of = require "scree.mjcf.reader"
local sensors = require "scree.mjcf.sensors"
local tendons = require "scree.mjcf.tendons"
local mjcf = {}

-- Sections that other modules read after the bodies.
local LATER = { contact = true, equality = true, tendon = true, actuator = true, sensor = true, keyframe = true }

-- Kinds of elements, by their tag inside a body. Two elements of one kind must not have equal names. Outside
-- bodies, all elements of a section are one kind, but in <asset> and <contact> each tag is a kind.
local KINDS = { body = "body", joint = "joint", freejoint = "joint", geom = "geom", site = "site", camera = "camera", light = "light" }

-- Refuses two elements of one kind with equal names. names: elements by kind and name.
local function refuse_equal_names(reader, node, kind_of, names)
  for _, c in ipairs(node) do
    local kind, name = kind_of(c), c.attr.name
    if kind and name then
      names[kind] = names[kind] or {}
      local other = names[kind][name]
      if other then reader:fail(c, ("there is another %s %q, in %s:%d"):format(kind, name, other.file or reader.file, other.line)) end
      names[kind][name] = c
    end
    if c.tag == "body" then refuse_equal_names(reader, c, kind_of, names) end
  end
end

-- Refuses equal names of all kinds. Returns the elements by kind and name.
local function refuse_all_equal_names(reader, tree)
  local names = { body = { world = { line = tree.line } } }
  for _, section in ipairs(tree) do
    if section.tag == "worldbody" then
      refuse_equal_names(reader, section, function(c) return KINDS[c.tag] end, names)
    elseif section.tag == "asset" or section.tag == "contact" then
      refuse_equal_names(reader, section, function(c) return c.tag end, names)
    elseif LATER[section.tag] then
      refuse_equal_names(reader, section, function() return section.tag end, names)
    end
  end
  return names
end

-- Reads settings, default classes and assets.
local function read_sections(reader, tree, state)
  reader:check(tree, "mujoco")
  for _, node in ipairs(tree) do
    if LATER[node.tag] or node.tag == "worldbody" or node.tag == "asset" then reader:check(node, node.tag) end
  end
  for _, node in ipairs(tree) do
    if node.tag == "compiler" then
      reader:read_compiler(node)
      options_of.read_masses(reader, node, state)
    elseif node.tag == "option" then
      options_of.read(reader, node, state)
    elseif node.tag == "default" then
      reader:read_defaults(node, reader.classes.main)
    elseif node.tag ~= "asset" and node.tag ~= "worldbody" and not LATER[node.tag] then
      reader:check_tree(node, node.tag)
    end
  end
  for _, node in ipairs(tree) do
    if node.tag == "asset" then assets.read(reader, node, state.assets) end
    for _, c in ipairs(node.tag == "contact" and node or {}) do
      if c.tag == "pair" then
        state.paired[c.attr.geom1 or ""], state.paired[c.attr.geom2 or ""] = true, true
      end
    end
  end
end

-- Sets mass, centre and inertia of a link by <inertial>.
local function read_inertial(reader, link, node, state)
  reader:check(node, "body/inertial")
  local a = node.attr
  local at = reader:frame(node, a)
  link.mass = reader:magnitude(node, a, "mass") or reader:fail(node, "mass is needed")
  link.centre = at.position
  if a.fullinertia then
    local v = reader:list(node, a, "fullinertia", 6)
    link.inertia = { v[1], v[4], v[5], v[2], v[6], v[3] }
  else
    local v = reader:list(node, a, "diaginertia", 3) or reader:fail(node, "diaginertia or fullinertia is needed")
    link.inertia = { v[1], 0, 0, v[2], 0, v[3] }
    state.principal[link.name] = true
  end
  link.inertia_orientation = at.orientation
  local possible, repaired = inertia.check(link.inertia, state.balance)
  if link.mass > 0 then state.inertias[link.name] = node end
  if not possible then state.suspects[link.name] = node end
  link.inertia = repaired or link.inertia
end

local UNSEEN = { camera = true, light = true }

local function read_site(reader, node, class, link, state)
  reader:check(node, "body/site")
  local a = reader:attributes(node, class)
  local size, at = geoms.place(reader, node, a)
  if a.name then
    state.model.sites[a.name] =
      { link = link.name, position = at.position, orientation = at.orientation, type = a.type or "sphere", size = size }
  end
end

local read_body

-- Reads one element of a body. The element is not a joint.
local function read_part(reader, c, link, class, weighs, state)
  if c.tag == "geom" then
    link.shapes[#link.shapes + 1] = geoms.read(reader, c, class, link.name, weighs, state)
    if c.attr.name then state.geoms[c.attr.name] = { node = c, class = class, link = link.name } end
  elseif c.tag == "body" then
    read_body(reader, c, link.name, class, state)
  elseif c.tag == "site" then
    read_site(reader, c, class, link, state)
  elseif c.tag == "inertial" then
    if link.name ~= "world" and not weighs then read_inertial(reader, link, c, state) end
  elseif c.tag ~= "joint" and c.tag ~= "freejoint" and not UNSEEN[c.tag] then
    reader:check_tree(c, "body/" .. c.tag)
  end
end

function read_body(reader, node, parent, class, state)
  reader:check(node, "body")
  class = node.attr.childclass or class
  state.count = state.count + 1
  local link = { name = reader:name("body", node.attr.name, "body_" .. state.count), shapes = {} }
  local model = state.model
  model.links[#model.links + 1] = link
  joints.add(reader, model, node, link, parent, reader:frame(node, node.attr), class, state.static)
  if node.attr.mocap == "true" then reader:leave(node, "mocap: the body is fixed; a script may move it") end
  if node.attr.sleep == "init" then reader:leave(node, "sleep init: the body moves from the start") end
  local weighs = state.from_geom ~= "false"
  for _, c in ipairs(node) do
    weighs = weighs and (state.from_geom == "true" or c.tag ~= "inertial")
  end
  if weighs then
    link.overlaps = "sum"
  else
    link.mass = 0
  end
  for _, c in ipairs(node) do
    read_part(reader, c, link, class, weighs, state)
  end
end

local function new_model(tree, state)
  local weightless = state.weightless
  return {
    name = tree.attr.model,
    links = { { name = "world", shapes = {} } },
    joints = {},
    order = {},
    sites = {},
    base = "fixed",
    ground = "world",
    mass_total = state.mass_total,
    mass_min = state.mass_min,
    inertia_min = state.inertia_min,
    gravity = weightless and { 0, 0, 0 } or state.gravity,
    dt = state.dt,
    magnetic = state.magnetic,
  }
end

-- Returns a function that fits a primitive shape to a hull.
local function fitter()
  local world
  return function(hull, kind, fits_box)
    world = world or require("scree").world {}
    local fitted, half, frame = pcall(assets.fit, world, hull, kind, fits_box)
    if fitted then return half, frame end
    return nil, half
  end
end

local function judge_inertias(reader, state)
  local function warn(node, why) reader:leave(node, why) end
  local function refuse(node, why) reader:fail(node, why) end
  inertia.judge(state.model, state.suspects, warn, function(node, why)
    refuse(node, why .. '; balanceinertia="true" of <compiler> or --balance-inertia replaces them by their mean')
  end)
  inertia.judge_zeros(state.model, state.inertias, warn, refuse)
end

--- Converts the tree of an MJCF file to a model (`scree.robot`). options.file: name of the file in messages.
--- options.folder: its folder. options.parse and options.exists read other files. The list `left_out` of the
--- model has one warning for each part that scree cannot represent. The root of the model is a fixed link,
--- "world", because MJCF files may have several bodies without a common base.
function mjcf.read(tree, options)
  scree.check_type(tree, "table", "mjcf.read", "of the file first", "tag")
  scree.check_type(options, "table", "mjcf.read", "of options second")
  local reader = reader_of.new(options.file or "mjcf")
  if tree.tag ~= "mujoco" then
    error(("%s:%d: an MJCF file begins with <mujoco>, not <%s>"):format(reader.file, tree.line, tree.tag), 0)
  end
  local state = {
    gravity = { 0, 0, -9.81 },
    dt = 0.002,
    from_geom = "auto",
    groups = { 0, 5 },
    assets = {},
    paired = {},
    masked = {},
    geoms = {},
    options = options,
    static = { world = true },
    inertias = {},
    suspects = {},
    principal = { world = true }, -- links whose axes of inertia the file states
    balance = options.balance_inertia,
    count = 0,
    fit = fitter(),
  }
  expand.run(tree, {
    reader = reader,
    parse = options.parse,
    exists = options.exists or function() return true end,
    folder = options.folder or ".",
  })
  reader.names = refuse_all_equal_names(reader, tree)
  read_sections(reader, tree, state)
  local model = new_model(tree, state)
  state.model = model
  for _, node in ipairs(tree) do
    if node.tag == "worldbody" then
      for _, c in ipairs(node) do
        read_part(reader, c, model.links[1], nil, false, state)
      end
    end
  end
  judge_inertias(reader, state)
  constraints.read(reader, tree, state)
  control.index(state)
  tendons.read(reader, tree, state)
  control.read(reader, tree, state)
  sensors.read(reader, tree, state)
  masks.apply(
    state.masked,
    function(node) reader:leave(node, "its contype and conaffinity: more than 32 kinds") end
  )
  friction.apply(model, state.masked)
  model.left_out, model.order = reader.warnings, nil
  if next(model.sites) == nil then model.sites = nil end
  return model
end

return mjcf
