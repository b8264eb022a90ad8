--- Vectors as lists of three numbers.

local vector = {}

function vector.add(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3] } end
function vector.sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
function vector.scale(s, a) return { s * a[1], s * a[2], s * a[3] } end
function vector.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
function vector.cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

return vector
