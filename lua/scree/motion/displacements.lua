--- Displacements of named bodies as columns of the series: motion.displacements.
---
--- w.state.motion_places has one table for each set of axes. Its key is the name of the body that has the axes, or ""
--- for the axes of the world: { base = this body, of = first places of bodies by name, gone = number of bodies that
--- have left the world }.
local scree = require "scree"
local quaternion = require "scree.math.quaternion"
local multiply = quaternion.multiply

local NAN = 0 / 0

-- Returns a body with its place and orientation { body, at, q }, in the axes of the ground if there is one. Place and
-- orientation are nan if the body or the ground has left the world.
local function find_place(body, ground)
  if not body:alive() or ground and not ground:alive() then
    return { body = body, at = { NAN, NAN, NAN }, q = { NAN, NAN, NAN, NAN } }
  end
  local x, y, z = body:position()
  local q = { body:orientation() }
  if not ground then return { body = body, at = { x, y, z }, q = q } end
  return { body = body, at = { ground:to_body(x, y, z) }, q = multiply(quaternion.inverse { ground:orientation() }, q) }
end

-- Adds the displacement of a body since its first place, as columns of the series.
local function add_columns(columns, name, first, ground)
  local now = find_place(first.body, ground)
  for k, axis in ipairs { "x", "y", "z" } do
    columns[name .. "_" .. axis] = { now.at[k] - first.at[k], "m" }
  end
  local d = multiply(now.q, quaternion.inverse(first.q))
  columns[name .. "_turn"] = { 2 * math.atan(math.sqrt(d[2] ^ 2 + d[3] ^ 2 + d[4] ^ 2), math.abs(d[1])), "rad" }
end

-- Prints how many bodies have left the world, if their number has grown since the last call. The ground also counts.
local function note_gone(w, places, gone, count)
  if places.base then
    gone, count = gone + (places.base:alive() and 0 or 1), count + 1
  end
  if gone > places.gone then
    local text = "motion.displacements: warning: %d of %d bodies %s gone at %g s; displacements of or from them are nan"
    print(text:format(gone, count, gone > 1 and "are" or "is", w:time()))
  end
  places.gone = gone
end

local function check_name(name, what)
  if type(name) == "string" then return end
  error(("motion.displacements: %s must be the name of a body, a string, not %s"):format(what, type(name)), 3)
end

return function(w, names, ground)
  scree.check_type(w, "world", "motion.displacements", "first")
  if ground ~= nil then check_name(ground, "ground") end
  scree.check_type(names, "table", "motion.displacements", "of names second")
  w.state.motion_places = w.state.motion_places or {}
  local all, columns, gone = w.state.motion_places, {}, 0
  local places = all[ground or ""] or { base = ground and w:find(ground), of = {}, gone = 0 }
  for i, name in ipairs(names) do
    check_name(name, ("names[%d]"):format(i))
    places.of[name] = places.of[name] or find_place(w:find(name), places.base)
    add_columns(columns, name, places.of[name], places.base)
    if not places.of[name].body:alive() then gone = gone + 1 end
  end
  note_gone(w, places, gone, #names)
  all[ground or ""] = places
  return columns
end
