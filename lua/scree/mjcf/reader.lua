--- Reads attributes of MJCF elements: numbers, orientations and default classes. Collects warnings.

local elements = require "scree.mjcf.elements"
local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local multiply, normalised = quaternion.multiply, quaternion.normalised
local z_to, from_axes = quaternion.z_to, quaternion.from_axes

local reader = {}
reader.__index = reader

--- Returns a reader. file: name of the main file in messages. Nodes from other files have a member `file`.
--- Nodes of attached models have a member `compiler` with the settings of their model.
function reader.new(file)
  return setmetatable({
    file = file,
    warnings = {},
    names = {}, -- by the kind of element: a table whose keys are the names in use
    compiler = { degrees = true, order = "xyz", autolimits = true },
    classes = { main = {} },
  }, reader)
end

--- Returns "FILE:LINE: <TAG name=...>" of an element.
function reader:at(node)
  local name = node.attr.name and (' name="%s"'):format(node.attr.name) or ""
  return ("%s:%d: <%s%s>"):format(node.file or self.file, node.line, node.tag, name)
end

--- Adds a warning that the element, or the part of it that `why` names, is omitted. Equal warnings are added
--- once.
function reader:leave(node, why)
  local text = self:at(node) .. (why and ": " .. why or "")
  if self.warnings[text] then return end
  self.warnings[text] = true
  self.warnings[#self.warnings + 1] = text
end

--- Raises an error at an element.
function reader:fail(node, why)
  error(("%s: %s"):format(self:at(node), why), 0)
end

--- Returns the list of numbers in a text. Raises an error unless there are `least` to `most` numbers. key:
--- name of the attribute, for the message.
function reader:numbers(node, text, least, most, key)
  local list = {}
  for word in text:gmatch "%S+" do
    local x = tonumber(word)
    if not x or x ~= x or x == math.huge or x == -math.huge then
      self:fail(node, ("%s: %q is not a number"):format(key, word))
    end
    list[#list + 1] = x
  end
  if #list < least or #list > most then
    self:fail(node, ("%s: %d numbers are needed, not %d"):format(key, least, #list))
  end
  return list
end

--- Returns the name of an element. If the file gives no name, returns a name that no element of this kind has:
--- `made`, or `made` with a number.
function reader:name(kind, given, made)
  if given then return given end
  self.names[kind] = self.names[kind] or {}
  local taken, name, n = self.names[kind], made, 1
  while taken[name] do
    n = n + 1
    name = ("%s_%d"):format(made, n)
  end
  taken[name] = true
  return name
end

--- Returns one number of an attribute table; `default` without the attribute.
function reader:number(node, a, key, default)
  if not a[key] then return default end
  return self:numbers(node, a[key], 1, 1, key)[1]
end

--- Returns one number that is not negative, or nil without the attribute.
function reader:magnitude(node, a, key)
  local x = self:number(node, a, key)
  if x and x < 0 then self:fail(node, ("%s must not be negative, but is %g"):format(key, x)) end
  return x
end

--- Returns a list of `count` numbers of an attribute table; `default` without the attribute.
function reader:list(node, a, key, count, default)
  if not a[key] then return default end
  return self:numbers(node, a[key], count, count, key)
end

--- Returns whether a range applies: because of the attribute `limited`, or because of the setting autolimits.
function reader:is_limited(node, a, range, limited)
  return a[range] and (a[limited] == "true" or (a[limited] ~= "false" and self:compiler_of(node).autolimits))
end

--- Returns the two numbers of a range, or nil if the range does not apply: both numbers are equal without `limited="true"`, or see
--- reader:is_limited. Raises an error if the range is reversed.
function reader:range(node, a, range, limited)
  if not self:is_limited(node, a, range, limited) then return nil end
  local list = self:list(node, a, range, 2)
  if list[1] > list[2] then self:fail(node, range .. ": the lower limit is above the upper one") end
  if list[1] == list[2] and a[limited] ~= "true" then return nil end -- MuJoCo ignores empty ranges
  return list
end

-- Returns a function that adds the warnings of a check.
local function leaver(self)
  return function(node, why) self:leave(node, why) end
end

--- Checks an element at a path such as "body/joint". Adds a warning for the element, or for each of its
--- attributes, that scree does not know or cannot represent. Returns whether scree can represent the element.
function reader:check(node, path) return elements:check(node, path, leaver(self)) end

--- Checks an element and all elements inside it. Used for elements that no other module reads.
function reader:check_tree(node, path) elements:check_tree(node, path, leaver(self)) end

-- Returns attributes completed by those of a default, which may be nil.
local function completed(attributes, default)
  local merged = {}
  for key, value in pairs(default or {}) do
    merged[key] = value
  end
  for key, value in pairs(attributes) do
    merged[key] = value
  end
  return merged
end

--- Returns the attributes of an element, completed by those of its default class. class: childclass of the
--- body. tag: tag of the defaults to use; nil: the tag of the element.
function reader:attributes(node, class, tag)
  local name = node.attr.class or class or self.compiler_of(self, node).main or "main"
  if not self.classes[name] then self:fail(node, ("there is no default class %q"):format(name)) end
  return completed(node.attr, self.classes[name][tag or node.tag])
end

--- Returns the elements that describe an actuator, the defaults of its class first, and the union of their attributes.
function reader:actuator_steps(node)
  local name = node.attr.class or self.compiler_of(self, node).main or "main"
  if not self.classes[name] then self:fail(node, ("there is no default class %q"):format(name)) end
  local steps, merged = { table.unpack(self.classes[name].actuator or {}) }, {}
  table.insert(steps, node)
  for _, step in ipairs(steps) do
    for key, value in pairs(step.attr) do
      merged[key] = value
    end
  end
  return steps, merged
end

--- Returns the compiler settings that apply to an element.
function reader:compiler_of(node) return node.compiler or self.compiler end

--- Converts an angle from the unit of the file to radians.
function reader:angle(node, x) return self:compiler_of(node).degrees and math.rad(x) or x end

--- Returns the quaternion of three Euler angles. The compiler setting eulerseq gives their order.
function reader:euler(node, v)
  local order, q = self:compiler_of(node).order, { 1, 0, 0, 0 }
  for i = 1, 3 do
    local letter, t = order:sub(i, i), self:angle(node, v[i]) / 2
    local k = ({ x = 2, y = 3, z = 4 })[letter:lower()] or self:fail(node, "eulerseq must name x, y and z")
    local r = { math.cos(t), 0, 0, 0 }
    r[k] = math.sin(t)
    q = letter:match "%l" and multiply(q, r) or multiply(r, q)
  end
  return q
end

local function from_two_axes(v)
  local x, second = normalised { v[1], v[2], v[3] }, { v[4], v[5], v[6] }
  local y = normalised(vector.sub(second, vector.scale(vector.dot(x, second), x)))
  return from_axes(x, y, vector.cross(x, y))
end

--- Returns the quaternion of the attributes quat, axisangle, euler, zaxis or xyaxes.
function reader:orientation(node, a)
  if a.quat then return (normalised(self:numbers(node, a.quat, 4, 4, "quat"))) end
  if a.axisangle then
    local v = self:numbers(node, a.axisangle, 4, 4, "axisangle")
    return quaternion.about(normalised { v[1], v[2], v[3] }, self:angle(node, v[4]))
  end
  if a.euler then return self:euler(node, self:numbers(node, a.euler, 3, 3, "euler")) end
  if a.zaxis then return z_to(self:numbers(node, a.zaxis, 3, 3, "zaxis")) end
  if a.xyaxes then return from_two_axes(self:numbers(node, a.xyaxes, 6, 6, "xyaxes")) end
  return { 1, 0, 0, 0 }
end

--- Returns the frame of an element in its body: { position =, orientation = }. Elements in a <frame> of MJCF
--- have a member `outer`, the frame in which pos and orientation are given.
function reader:frame(node, a)
  local frame = {
    position = self:list(node, a, "pos", 3, { 0, 0, 0 }),
    orientation = self:orientation(node, a),
  }
  return node.outer and quaternion.compose(node.outer, frame) or frame
end

--- Converts a point, or a direction if is_vector, from a <frame> to the axes of its body.
function reader:outward(node, v, is_vector)
  if not node.outer then return v end
  if is_vector then return quaternion.turn(node.outer.orientation, v) end
  return quaternion.compose(node.outer, { position = v }).position
end

--- Reads an element <compiler> of the main file.
function reader:read_compiler(node) reader.add_compiler(self.compiler, node) end

--- Adds the settings of an element <compiler> that concern single elements to a table.
function reader.add_compiler(settings, node)
  local a = node.attr
  if a.angle then settings.degrees = a.angle ~= "radian" end
  settings.order = a.eulerseq or settings.order
  if a.autolimits then settings.autolimits = a.autolimits ~= "false" end
  settings.mesh_folder = a.meshdir or settings.mesh_folder or a.assetdir
  if a.strippath then settings.strips = a.strippath == "true" end
  if a.fitaabb then settings.fits_box = a.fitaabb == "true" end
end

--- Reads an element <default> and the classes inside it. parent: attributes of the enclosing class, by tag.
function reader:read_defaults(node, parent, main)
  self:check(node, "default")
  local own = {}
  for tag, attr in pairs(parent) do
    own[tag] = attr
  end
  for _, c in ipairs(node) do
    if elements.rows["actuator/" .. c.tag] then
      -- all kinds of actuators share their defaults
      own.actuator = table.move(own.actuator or {}, 1, #(own.actuator or {}), 1, {})
      table.insert(own.actuator, c)
    elseif c.tag ~= "default" then
      own[c.tag] = completed(c.attr, own[c.tag])
    end
    if c.tag ~= "default" then
      local path = elements.default_paths[c.tag]
      if path then
        if not elements.is_visual(path) then self:check(c, path) end
      else
        self:leave(c, "a default")
      end
    end
  end
  self.classes[node.attr.class or main or "main"] = own
  for _, c in ipairs(node) do
    if c.tag == "default" then self:read_defaults(c, own) end
  end
end

return reader
