--- Height fields: shapes of models with the type "heights". A list of heights is much shorter than the mesh that it stands for.

local heights = {}

--- Replaces the keys of a height field by those of a mesh: rows, columns and size, half the lengths along x and y; heights:
--- by rows, from the least y, and in a row from the least x [m]; default: all 0. Other keys do not change.
function heights.to_mesh(shape)
  local rows, columns, size, z = shape.rows, shape.columns, shape.size, shape.heights or {}
  if not (rows >= 2 and columns >= 2) or (shape.heights and #z ~= rows * columns) then
    error(("model: a height field needs at least 2 rows and 2 columns, and %d heights"):format(rows * columns))
  end
  if not (size[1] > 0 and size[2] > 0) then error("model: a height field needs sizes above 0") end
  local points, triangles = {}, {}
  for i = 1, rows do
    for k = 1, columns do
      local n = (i - 1) * columns + k
      points[n] = { size[1] * (2 * (k - 1) / (columns - 1) - 1), size[2] * (2 * (i - 1) / (rows - 1) - 1), z[n] or 0 }
      if i < rows and k < columns then
        triangles[#triangles + 1] = { n, n + 1, n + columns }
        triangles[#triangles + 1] = { n + 1, n + columns + 1, n + columns }
      end
    end
  end
  shape.type, shape.points, shape.triangles = "mesh", points, triangles
  shape.rows, shape.columns, shape.size, shape.heights = nil, nil, nil, nil
end

return heights
