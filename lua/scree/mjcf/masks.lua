--- Layers for the masks `contype` and `conaffinity` of MJCF. Two geoms touch if (contype1 & conaffinity2) or
--- (contype2 & conaffinity1) is not 0. Masks that touch the same masks form one class. Each class gets a
--- layer and avoids the layers of the classes that it does not touch.

local masks = {}

local LAYERS = 32

-- Returns whether two geoms touch, because of their masks or as an explicit pair.
local function touches(a, b)
  return a.type & b.affinity ~= 0 or b.type & a.affinity ~= 0 or (a.pairs and a.pairs[b.paired or ""]) == true
end

-- Returns a text that is equal for geoms with equal masks and pairs.
local function key_of(mask)
  return mask.type .. " " .. mask.affinity .. (mask.pairs and " " .. mask.paired or "")
end

--- Sets `layer` and `avoids` of shapes. Each entry of the list is { shape =, type =, affinity =, node = }. A
--- geom in explicit pairs also has `paired`, its name, and `pairs`, the set of its partners' names. Masks of
--- 1 get layer 1, the default of shapes. If no layer is left for a class, its geoms get layer 1 and
--- warn(node) is called.
function masks.apply(list, warn)
  local default = { type = 1, affinity = 1 }
  local distinct, seen = { default }, { ["1 1"] = true }
  for _, entry in ipairs(list) do
    local key = key_of(entry)
    if not seen[key] then
      seen[key] = true
      distinct[#distinct + 1] = entry
    end
  end
  -- a class: masks with equal rows of the table of touches
  local function row_of(mask)
    local row = {}
    for i, other in ipairs(distinct) do
      row[i] = touches(mask, other) and "1" or "0"
    end
    return table.concat(row)
  end
  local classes, class_of = {}, {}
  for _, mask in ipairs(distinct) do
    local row = row_of(mask)
    if not class_of[row] and row:find "1" and #classes < LAYERS then
      classes[#classes + 1] = mask
      class_of[row] = #classes
    end
  end
  for _, entry in ipairs(list) do
    local row = row_of(entry)
    local class, avoids = class_of[row], {}
    if class or not row:find "1" then
      for i = 1, class and #classes or LAYERS do
        if not class or not touches(entry, classes[i]) then avoids[#avoids + 1] = i end
      end
    else
      warn(entry.node)
    end
    if class and class > 1 then entry.shape.layer = class end
    if #avoids > 0 then entry.shape.avoids = avoids end
  end
end

return masks
