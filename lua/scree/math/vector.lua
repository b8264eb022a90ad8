--- Vectors as lists of three numbers.

local vector = {}

function vector.add(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3] } end
function vector.sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
function vector.scale(s, a) return { s * a[1], s * a[2], s * a[3] } end
function vector.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
function vector.cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

function vector.length(a) return math.sqrt(vector.dot(a, a)) end
function vector.unit(a) return vector.scale(1 / vector.length(a), a) end

--- Returns `a` if it is a list of `count` (default 3) finite numbers. Otherwise raises an error that begins with the
--- text `what`.
function vector.check(a, what, count)
  local names = { [2] = "two", [3] = "three", [4] = "four", [6] = "six" }
  count = count or 3
  local wanted = ("%s must be a list of %s numbers"):format(what, names[count] or count)
  if type(a) ~= "table" then error(("%s, not a %s"):format(wanted, type(a))) end
  for k = 1, count do
    if type(a[k]) ~= "number" then error(("%s; number %d is a %s"):format(wanted, k, type(a[k]))) end
    if not (math.abs(a[k]) < math.huge) then error(("%s; number %d is not finite"):format(wanted, k)) end
  end
  if #a > count then error(("%s, not of %d"):format(wanted, #a)) end
  return a
end

--- Raises an error unless min is below max along every axis. what: name of the box in the message.
function vector.check_box(min, max, what)
  for k, axis in ipairs { "x", "y", "z" } do
    if not (min[k] < max[k]) then
      error(("%s: min must be below max along every axis, not %g and %g along %s"):format(what, min[k], max[k], axis))
    end
  end
end

--- Returns the unit vector along a value that scripts give; nil if it is no list of three numbers with a length above 0.
function vector.direction(a)
  if type(a) ~= "table" or #a ~= 3 then return nil end
  for k = 1, 3 do
    if type(a[k]) ~= "number" then return nil end
  end
  local length = vector.length(a)
  if not (length > 0 and length < math.huge) then return nil end
  return vector.scale(1 / length, a)
end

--- Returns the mean of points.
function vector.mean(points)
  local sum = { 0, 0, 0 }
  for _, p in ipairs(points) do
    sum = vector.add(sum, p)
  end
  return vector.scale(1 / #points, sum)
end

--- Returns points relative to an origin.
function vector.relative(points, origin)
  local list = {}
  for i, p in ipairs(points) do
    list[i] = vector.sub(p, origin)
  end
  return list
end

return vector
