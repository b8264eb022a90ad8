-- Writes coarse-grained fields as VTK files with numbers in text form. If the edges of the grid lie along x,
-- y and z, the file is an image (.vti). Otherwise, for instance in a skew cell, it is a structured grid
-- (.vts) whose points are the corners of the cells.
local scree = require "scree"
local M = {}

local function numbers(list)
  local out = {}
  for i = 1, #list do
    out[i] = string.format("%.9g", list[i])
  end
  return table.concat(out, " ")
end

-- Returns the components of a vector or tensor field interleaved, cell by cell. Missing components are 0.
local function woven(lists, names)
  local out, n = {}, #lists.density
  for i = 1, n do
    for k = 1, #names do
      out[#out + 1] = lists[names[k]] and lists[names[k]][i] or 0
    end
  end
  return out
end

-- Adds velocity and temperature to the fields. They are 0 in cells without mass, because VTK text files have
-- no NaN.
local function add_means(lists)
  local out = { temperature = {} }
  for _, k in ipairs { "x", "y", "z" } do
    out["velocity_" .. k] = {}
    for i, rho in ipairs(lists.density) do
      out["velocity_" .. k][i] = rho > 0 and lists["momentum_" .. k][i] / rho or 0
    end
  end
  for i, rho in ipairs(lists.density) do
    out.temperature[i] = rho > 0
        and (lists.kinetic_xx[i] + lists.kinetic_yy[i] + lists.kinetic_zz[i]) / (3 * rho) or 0
  end
  return setmetatable(out, { __index = lists })
end

local function tensor(name, symmetric)
  local names = {}
  for _, i in ipairs { "x", "y", "z" } do
    for _, j in ipairs { "x", "y", "z" } do
      names[#names + 1] = name .. "_" .. (symmetric and j < i and j .. i or i .. j)
    end
  end
  return names
end

local function arrays(lists)
  local all, out = add_means(lists), { "<CellData>" }
  local kinds = {
    { "density", { "density" } },
    { "temperature", { "temperature" } },
    { "momentum", { "momentum_x", "momentum_y", "momentum_z" } },
    { "velocity", { "velocity_x", "velocity_y", "velocity_z" } },
    { "kinetic", tensor("kinetic", true) },
    { "contact", tensor "contact" },
  }
  for _, kind in ipairs(kinds) do
    out[#out + 1] = string.format(
      '<DataArray type="Float64" Name="%s" NumberOfComponents="%d" format="ascii">%s</DataArray>',
      kind[1],
      #kind[2],
      numbers(woven(all, kind[2]))
    )
  end
  out[#out + 1] = "</CellData>"
  return table.concat(out, "\n")
end

-- Returns the corners of all cells as an XML element; the index along x varies fastest.
local function corners(lists, n)
  local out, o, E = {}, lists.origin, lists.edges
  for k = 0, n[3] do
    for j = 0, n[2] do
      for i = 0, n[1] do
        for r = 0, 2 do
          out[#out + 1] = o[r + 1] + E[3 * r + 1] * i + E[3 * r + 2] * j + E[3 * r + 3] * k
        end
      end
    end
  end
  return '<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">' .. numbers(out)
    .. "</DataArray></Points>\n"
end

local function is_straight(E)
  for k = 1, 9 do
    if (k % 4 == 1) ~= (E[k] > 0) or (k % 4 ~= 1 and E[k] ~= 0) then return false end
  end
  return true
end

--- Returns the text of the file and its extension. lists: the result of `w:fields`. cells: number of cells
--- along each edge.
function M.fields(lists, cells)
  scree.check_type(lists, "table", "vtk.fields", "of w:fields first", "edges")
  scree.check_type(cells, "table", "vtk.fields", "of cells second")
  local n, E, straight =
    { cells[1] or 1, cells[2] or 1, cells[3] or 1 }, lists.edges, is_straight(lists.edges)
  local kind, extent =
    straight and "ImageData" or "StructuredGrid", string.format("0 %d 0 %d 0 %d", n[1], n[2], n[3])
  local place = straight
      and string.format(' Origin="%s" Spacing="%s"', numbers(lists.origin), numbers { E[1], E[5], E[9] })
    or ""
  local text = string.format(
    '<?xml version="1.0"?>\n<VTKFile type="%s" version="1.0" byte_order="LittleEndian">\n<%s WholeExtent="%s"%s>\n<Piece Extent="%s">\n',
    kind,
    kind,
    extent,
    place,
    extent
  )
  return text .. arrays(lists) .. "\n" .. (straight and "" or corners(lists, n)) .. "</Piece>\n</" .. kind
    .. ">\n</VTKFile>\n",
    straight and ".vti" or ".vts"
end

return M
