--- Reads attributes of URDF elements. Collects warnings.

local reader = {}
reader.__index = reader

--- Returns a reader. file: name of the file in messages.
function reader.new(file) return setmetatable({ file = file, warnings = {} }, reader) end

--- Returns "FILE:LINE: <TAG>" of an element, followed by `what`.
function reader:at(node, what) return ("%s:%d: <%s>%s"):format(self.file, node.line, node.tag, what or "") end

--- Raises an error at an element.
function reader:fail(node, why) error(self:at(node, why), 0) end

--- Adds a warning: this element, or the part that `why` names, is left out.
function reader:leave(node, why)
  local name = node.attr.name and (' name="%s"'):format(node.attr.name) or ""
  local text = ("%s:%d: <%s%s>%s"):format(self.file, node.line, node.tag, name, why and ": " .. why or "")
  self.warnings[#self.warnings + 1] = text
end

--- Returns the first child of a tag, or nil.
function reader.child(node, tag)
  for _, c in ipairs(node) do
    if c.tag == tag then return c end
  end
end

--- Returns an attribute. A missing attribute is an error.
function reader:need(node, key)
  return node.attr[key] or self:fail(node, (" needs the attribute %s"):format(key))
end

--- Returns the `count` numbers of an attribute; `default` without the attribute.
function reader:numbers(node, key, count, default)
  local text = node.attr[key]
  if not text then return default end
  local list = {}
  for word in text:gmatch "%S+" do
    local x = tonumber(word)
    if not x or x ~= x or x == math.huge or x == -math.huge then
      self:fail(node, (" %s: %q is not a number"):format(key, word))
    end
    list[#list + 1] = x
  end
  if #list ~= count then self:fail(node, (" %s: %d numbers are needed, not %d"):format(key, count, #list)) end
  return list
end

--- Returns one number of an attribute; `default` without the attribute.
function reader:number(node, key, default)
  local list = self:numbers(node, key, 1)
  return list and list[1] or default
end

--- Returns a number that is not negative, or nil without the attribute. what: names the owner in messages.
function reader:magnitude(node, key, what)
  local x = self:number(node, key)
  if x and x < 0 then self:fail(node, (" of %s: %s must not be negative, but is %g"):format(what, key, x)) end
  return x
end

--- Returns `count` numbers above 0 of a needed attribute. what: names the owner in messages.
function reader:lengths(node, key, count, what)
  self:need(node, key)
  local list = self:numbers(node, key, count)
  for _, x in ipairs(list) do
    if x <= 0 then self:fail(node, (" of %s: %s must be above 0, but is %g"):format(what, key, x)) end
  end
  return list
end

-- Returns the quaternion of roll, pitch and yaw.
local function from_angles(a)
  local cr, sr = math.cos(a[1] / 2), math.sin(a[1] / 2)
  local cp, sp = math.cos(a[2] / 2), math.sin(a[2] / 2)
  local cy, sy = math.cos(a[3] / 2), math.sin(a[3] / 2)
  return {
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  }
end

--- Returns the frame of the child <origin> of an element: { position =, orientation = }.
function reader:origin(node)
  local o = reader.child(node, "origin")
  if not o then return { position = { 0, 0, 0 }, orientation = { 1, 0, 0, 0 } } end
  return {
    position = self:numbers(o, "xyz", 3, { 0, 0, 0 }),
    orientation = from_angles(self:numbers(o, "rpy", 3, { 0, 0, 0 })),
  }
end

--- Refuses a name of a link or joint (kind) that another element has in `nodes`. The name belongs to the element, or to a
--- part of it.
function reader:refuse_equal(nodes, node, kind, name)
  local other = nodes[name]
  if not other then return end
  local own, its = node.attr.name, other.attr.name
  local part = own ~= name and (", a part of %q,"):format(own) or ""
  local whole = its ~= name and ("as a part of %q, "):format(its) or ""
  self:fail(node, (": %s %q%s exists already, %sin line %d"):format(kind, name, part, whole, other.line))
end

--- Adds an element to `nodes` by its name, and returns the name. Refuses a name that another element has.
function reader:add_name(nodes, node)
  local name = self:need(node, "name")
  self:refuse_equal(nodes, node, node.tag, name)
  nodes[name] = node
  return name
end

return reader
