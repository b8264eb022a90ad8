--- Tables of the elements of a file format, and what scree does with them. Readers warn of everything that
--- such a table does not contain or marks as refused. `tools/robots.lua` writes the tables to docs/robots.md.

local elements = {}
elements.__index = elements

--- Returns an empty table of elements. format: name of the format in messages. Members: rows by path, and the
--- list of rows.
function elements.new(format) return setmetatable({ format = format, rows = {}, list = {} }, elements) end

--- Adds a row. status: supported, partly, refused, or unseen (no effect on the motion). row.yes: names of
--- supported attributes. row.unseen: attributes without effect. row.no: refused attributes; "name=value"
--- states a value that has no effect. Zeros never have an effect.
function elements:add(path, status, row)
  local attributes, inert = {}, {}
  for word in (row.yes or ""):gmatch "%S+" do
    attributes[word] = "supported"
  end
  for word in (row.unseen or ""):gmatch "%S+" do
    attributes[word] = "unseen"
  end
  for word in (row.no or ""):gmatch "%S+" do
    local name, value = word:match "^([^=]*)=?(.*)$"
    attributes[name], inert[name] = "refused", value ~= "" and value or nil
  end
  local entry = { path = path, status = status, attributes = attributes, inert = inert, note = row.note }
  self.rows[path], self.list[#self.list + 1] = entry, entry
end

-- Returns whether a refused attribute has no effect because of its value: the value is `inert`, or all its
-- numbers are 0.
local function is_inert(value, inert) return value == inert or (value .. " "):match "^[-0.%s]+$" ~= nil end

--- Calls leave(node, why) for an element that scree does not know or cannot represent. For other elements,
--- calls it for each such attribute. path: path of the element, such as "body/joint". Returns whether scree
--- can represent the element.
function elements:check(node, path, leave)
  local row = self.rows[path]
  if not row then
    leave(node, self.format .. " has no such element here")
    return false
  end
  if row.status == "refused" then
    leave(node, row.note)
    return false
  end
  if row.status == "unseen" then return true end
  local keys = {}
  for key in pairs(node.attr) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for _, key in ipairs(keys) do
    local status = row.attributes[key]
    if not status then
      leave(node, "unknown attribute " .. key)
    elseif status == "refused" and not is_inert(node.attr[key], row.inert[key]) then
      leave(node, "attribute " .. key)
    end
  end
  return true
end

--- Checks an element and all elements inside it. Skips elements that have no effect.
function elements:check_tree(node, path, leave)
  local row = self.rows[path]
  if row and row.status == "unseen" or not self:check(node, path, leave) then return end
  for _, c in ipairs(node) do
    self:check_tree(c, path .. "/" .. c.tag, leave)
  end
end

return elements
