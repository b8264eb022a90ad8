--- Running statistics: mean, deviation, minimum and maximum of numbers over time, stored in w.state.
---
---   local probe = require "scree.probe"
---   every:   probe.add(w, "contacts", w:report().contacts)
---   report:  local p = probe.get(w, "contacts")   -- p.mean, p.deviation, p.least, p.most, p.count

local scree = require "scree"
local probe = {}

-- Raises an error unless the first two arguments of a function are a world and a name.
local function check(w, name, what)
  scree.check_type(w, "world", what, "first")
  scree.check_type(name, "string", what, "second")
end

--- Adds a value to the statistics `name` (Welford 1962, which avoids differences of large sums).
function probe.add(w, name, value)
  check(w, name, "probe.add")
  scree.check_type(value, "number", "probe.add", "third")
  if not (math.abs(value) < math.huge) then
    error(("probe.add: the value of '%s' must be finite, not %s"):format(name, value ~= value and "NaN" or "infinite"))
  end
  local all = w.state.probes or {}
  w.state.probes = all
  local p = all[name] or { count = 0, mean = 0, squares = 0, least = value, most = value }
  all[name] = p
  local before = value - p.mean
  p.count = p.count + 1
  p.mean = p.mean + before / p.count
  p.squares = p.squares + before * (value - p.mean)
  p.least, p.most = math.min(p.least, value), math.max(p.most, value)
end

--- Returns the statistics `name` as a table; nil if no value has been added.
function probe.get(w, name)
  check(w, name, "probe.get")
  local p = (w.state.probes or {})[name]
  if not p then return nil end
  local deviation = p.count > 1 and math.sqrt(p.squares / (p.count - 1)) or 0
  return { count = p.count, mean = p.mean, deviation = deviation, least = p.least, most = p.most }
end

--- Deletes the statistics `name`, for instance when the start-up is over.
function probe.reset(w, name)
  check(w, name, "probe.reset")
  if w.state.probes then w.state.probes[name] = nil end
end

return probe
