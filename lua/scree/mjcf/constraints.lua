--- The sections <contact> and <equality> of MJCF.

local couplings = require "scree.robot.couplings"
local elements = require "scree.mjcf.elements"
local frames = require "scree.robot.frames"
local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local compose = quaternion.compose
local constraints = {}

local function index(list)
  local by_name = {}
  for _, entry in ipairs(list) do
    by_name[entry.name] = entry
    if entry.second and entry.second.name then by_name[entry.second.name] = entry end
  end
  return by_name
end

-- ---- contacts ----

local function exclude(reader, node, links)
  local a, b = links[node.attr.body1 or ""], links[node.attr.body2 or ""]
  if not a or not b then return reader:leave(node, "there is no such body") end
  a.avoids = a.avoids or {}
  table.insert(a.avoids, b.name)
end

-- Adds an explicit pair: its two geoms may touch. A friction of the pair replaces the friction of the geoms.
local function pair(reader, node, entries)
  local a = reader:attributes(node, nil, "pair")
  local one, two = entries[a.geom1 or ""], entries[a.geom2 or ""]
  if not one or not two then return reader:leave(node, "there is no such geom") end
  local own
  if a.friction or a.condim then
    local f = a.friction and reader:numbers(node, a.friction, 1, 5, "friction") or {}
    own = {
      mu = f[1] or 1,
      torsion = f[3] or 0.005,
      rolling = f[4] or 0.0001,
      condim = reader:number(node, a, "condim", 3),
      priority = 0,
    }
    if f[2] and f[2] ~= f[1] then reader:leave(node, "friction: the first number counts for both directions") end
  end
  for _, side in ipairs { { one, two }, { two, one } } do
    local entry, other = side[1], side[2]
    entry.pairs = entry.pairs or {}
    entry.pairs[other.paired] = true
    if own then
      entry.own_friction = entry.own_friction or {}
      entry.own_friction[other.paired] = own
    end
  end
end

local function read_contact(reader, section, state)
  local links, entries = index(state.model.links), {}
  for _, entry in ipairs(state.masked) do
    if entry.paired then entries[entry.paired] = entry end
  end
  for _, c in ipairs(section) do
    if reader:check(c, "contact/" .. c.tag) then
      if c.tag == "exclude" then
        exclude(reader, c, links)
      elseif not state.no_contacts then
        pair(reader, c, entries)
      end
    end
  end
end

-- ---- equalities ----

-- Returns the frames at which an equality of two sites connects their links. Returns nil without sites.
local function site_frames(reader, node, a, state)
  if not a.site1 and not a.site2 then return end
  local found = {}
  for i, key in ipairs { "site1", "site2" } do
    if not a[key] then reader:fail(node, "site1 and site2 are needed") end
    found[i] = state.model.sites[a[key]]
    if not found[i] then return reader:leave(node, ("there is no site %q"):format(a[key])) end
  end
  if a.body1 or a.body2 or a.anchor then reader:fail(node, "sites exclude body1, body2 and anchor") end
  return table.unpack(found)
end

-- Returns a pose relative to a frame, for a pose in the same axes as the frame.
local function relative(frame, pose)
  local back = quaternion.inverse(frame.orientation)
  return {
    position = quaternion.turn(back, vector.sub(pose.position, frame.position)),
    orientation = quaternion.multiply(back, pose.orientation),
  }
end

-- Returns the frames at which an equality connects two bodies: the anchor of a connect is a point of the first body, that of
-- a weld a point of the second. Without relpose the bodies are in place with all joints at 0. Returns nil after a warning.
local function body_frames(reader, node, a, links, at_zero)
  local one, two = links[a.body1 or ""], links[a.body2 or "world"]
  if not one or not two then return reader:leave(node, "its bodies are not given") end
  local anchor = { position = reader:list(node, a, "anchor", 3, { 0, 0, 0 }), orientation = { 1, 0, 0, 0 } }
  local first, second, made = at_zero[one.name], at_zero[two.name], nil
  local relpose = node.tag == "weld" and reader:list(node, a, "relpose", 7, nil) or { 0, 0, 0, 0, 0, 0, 0 }
  if node.tag == "connect" then
    made = { anchor, relative(second, compose(first, anchor)) }
  elseif relpose[4] ^ 2 + relpose[5] ^ 2 + relpose[6] ^ 2 + relpose[7] ^ 2 > 0 then
    local q = quaternion.normalised { relpose[4], relpose[5], relpose[6], relpose[7] }
    made = { { position = { relpose[1], relpose[2], relpose[3] }, orientation = q }, anchor }
  else
    made = { relative(first, compose(second, anchor)), anchor }
  end
  made[1].link, made[2].link = one.name, two.name
  return made[1], made[2]
end

-- Adds a ball joint (connect) or a weld between two frames of links. A weld without a scale of torques holds a point only.
local function connect(reader, node, a, state, links)
  local at_zero = frames.of_model(state.model, function() return {} end)
  local one, two = site_frames(reader, node, a, state)
  if not one and not a.site1 then
    one, two = body_frames(reader, node, a, links, at_zero)
  end
  if not one then return end
  local loops = state.model.loops or {}
  state.model.loops = loops
  local is_weld = node.tag == "weld" and reader:magnitude(node, a, "torquescale") ~= 0
  loops[#loops + 1] = {
    name = reader:name("equality", a.name, ("loop_%d"):format(#loops + 1)),
    type = is_weld and "fixed" or "ball",
    a = one.link,
    b = two.link,
    at = one.position,
    at_b = two.position,
    orientation = is_weld and one.orientation or nil,
    orientation_b = is_weld and two.orientation or nil,
  }
end

-- Adds a coupling of two joints to a list of requests (scree.robot.couplings), or fixes one joint.
local function couple(reader, node, a, joints, requests)
  local c = a.polycoef and reader:numbers(node, a.polycoef, 1, 5, "polycoef") or { 0, 1 }
  for i = 3, 5 do
    if c[i] and c[i] ~= 0 then return reader:leave(node, "polycoef is not linear") end
  end
  if a.joint2 then
    requests[#requests + 1] = {
      joint = a.joint1,
      other = a.joint2,
      ratio = c[2] or 1,
      offset = c[1] or 0,
      leave = function(why) reader:leave(node, why) end,
    }
    return
  end
  local joint = joints[a.joint1 or ""]
  if not joint or not joint.axis or joint.axis2 then return reader:leave(node, "there is no such hinge or slider") end
  joint.limits = { c[1], c[1] }
end

local function read_equality(reader, section, state)
  local links, joints, requests = index(state.model.links), index(state.model.joints), {}
  for _, c in ipairs(section) do
    local a = elements.rows["equality/" .. c.tag] and reader:attributes(c, nil, "equality")
    if a and a.active == "false" then
      reader:check(c, "equality/" .. c.tag)
    elseif reader:check(c, "equality/" .. c.tag) then
      if c.tag == "joint" then
        couple(reader, c, a, joints, requests)
      else
        connect(reader, c, a, state, links)
      end
    end
  end
  couplings.resolve(state.model, requests)
end

--- Reads the sections. Sets `avoids` of links, `mimic` of joints and `loops` of the model.
function constraints.read(reader, tree, state)
  local read = { contact = read_contact, equality = read_equality }
  for _, section in ipairs(tree) do
    if read[section.tag] then read[section.tag](reader, section, state) end
  end
end

return constraints
