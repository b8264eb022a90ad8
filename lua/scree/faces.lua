-- Faces: sums over the contact points of two bodies that have the same normal (docs/blocks.md).
--
--   local faces = require "scree.faces"
--   for _, face in ipairs(faces.list(w)) do print(face.area, face.normal_stress) end
local scree = require "scree"
local dot = require("scree.math.vector").dot
local faces = {}

-- Smallest cosine between the normals of the points of a face.
local SAME_FACE = 0.99

-- Returns the face of a list that a contact belongs to, or nil.
local function find_face(list, c)
  for _, face in ipairs(list) do
    if dot(face.normal, c.normal) >= SAME_FACE then return face end
  end
end

-- Adds a contact point to the sums of a face. A point without an area only increases the number of points.
local function add_point(face, c, dt)
  local area = c.area or 0
  local force = dot(c.impulse, c.normal) / dt
  face.points, face.area, face.opening = face.points + 1, face.area + area, face.opening + area * c.gap
  face.force = face.force + force
  for e = 1, 3 do
    face.point[e] = face.point[e] + area * c.point[e]
    face.shear[e] = face.shear[e] + c.impulse[e] / dt - force * c.normal[e]
  end
end

local function finish_face(face)
  for e = 1, 3 do
    face.point[e] = face.point[e] / face.area
  end
  face.opening = face.opening / face.area
  for e = 1, 3 do
    face.shear[e] = face.shear[e] / face.area
  end
  face.normal_stress, face.shear_stress = face.force / face.area, math.sqrt(dot(face.shear, face.shear))
  face.force = nil
end

-- Returns a list of the faces of the last step, for pairs of materials that have a stiffness per area (kn).
function faces.list(w)
  scree.check_type(w, "world", "faces.list", "first")
  local of, list, dt = {}, {}, w:dt()
  for c in w:contacts() do
    if c.area then
      local key = c.id1 .. " " .. c.id2
      of[key] = of[key] or {}
      local face = find_face(of[key], c)
      if not face then
        face = { body1 = c.body1, body2 = c.body2, normal = c.normal, joint = c.joint, slip = c.slip }
        face.points, face.area, face.opening, face.force = 0, 0, 0, 0
        face.point, face.shear = { 0, 0, 0 }, { 0, 0, 0 }
        table.insert(of[key], face)
        table.insert(list, face)
      end
      add_point(face, c, dt)
    end
  end
  for _, face in ipairs(list) do
    finish_face(face)
  end
  return list
end

-- Appends an array of numbers, one for each face, to the lines of a VTK file.
local function put_array(lines, name, list, value)
  lines[#lines + 1] = "SCALARS " .. name .. " double 1\nLOOKUP_TABLE default"
  for _, face in ipairs(list) do
    lines[#lines + 1] = string.format("%.9g", value(face))
  end
end
local function put_vectors(lines, list, key)
  for _, face in ipairs(list) do
    lines[#lines + 1] = string.format("%.9g %.9g %.9g", face[key][1], face[key][2], face[key][3])
  end
end

local states = { intact = 1, slipped = 2, open = 3 }

-- Returns the text of a file in VTK's legacy format, which ParaView opens. The faces are points in it.
function faces.vtk(w)
  scree.check_type(w, "world", "faces.vtk", "first")
  local list = faces.list(w)
  local lines = {
    "# vtk DataFile Version 3.0",
    string.format("faces at %.9g s", w:time()),
    "ASCII\nDATASET POLYDATA",
    "POINTS " .. #list .. " double",
  }
  put_vectors(lines, list, "point")
  lines[#lines + 1] = "VERTICES " .. #list .. " " .. 2 * #list
  for k = 0, #list - 1 do
    lines[#lines + 1] = "1 " .. k
  end
  lines[#lines + 1] = "POINT_DATA " .. #list
  for _, name in ipairs { "area", "normal_stress", "shear_stress", "opening" } do
    put_array(lines, name, list, function(face) return face[name] end)
  end
  put_array(lines, "slip", list, function(face) return face.slip or 0 end)
  put_array(lines, "joint", list, function(face) return states[face.joint] or 0 end)
  for _, name in ipairs { "normal", "shear" } do
    lines[#lines + 1] = "VECTORS " .. name .. " double"
    put_vectors(lines, list, name)
  end
  return table.concat(lines, "\n") .. "\n"
end

return faces
