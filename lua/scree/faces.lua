-- Faces: the contact points of two bodies with one normal, added up (docs/blocks.md).

-- Smallest cosine between the normals of the points of a face.
local SAME_FACE = 0.99

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

-- Returns the face of a list that a contact belongs to, or nil.
local function find_face(list, c)
  for _, face in ipairs(list) do
    if dot(face.normal, c.normal) >= SAME_FACE then return face end
  end
end

-- Adds a contact point to the sums of a face. Points without an area count as points alone.
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
  face.normal_stress, face.shear_stress = face.force / face.area, math.sqrt(dot(face.shear, face.shear)) / face.area
  face.force, face.shear = nil, nil
end

-- Returns a list of the faces of the last step whose pairs have a stiffness per area (kn).
local function faces(w)
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

return faces
