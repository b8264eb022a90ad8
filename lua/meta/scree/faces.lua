---@meta scree.faces
-- Annotations of faces. docs/blocks.md has an example.

---Faces: the contact points of two bodies with one normal, added up.
---@class scree.faces
local faces = {}

---Returns the faces of the last step whose pairs have a stiffness per area (kn).
---@param w scree.World
---@return scree.Face[]
function faces.list(w) end

---Returns the faces of the last step as points for ParaView, as the text of a .vtk file: areas, stresses, openings, slips and states (0: no joint,
---1: intact, 2: slipped, 3: open). A report writes it with `out:write`.
---@param w scree.World
---@return string
function faces.vtk(w) end

---A face. Its normal points from body 2 to body 1.
---@class scree.Face
---@field body1 scree.Body
---@field body2 scree.Body
---@field point number[] centre of the area [m]
---@field normal number[]
---@field area number [m2]
---@field points integer number of contact points
---@field normal_stress number mean over the area, pressure is positive [Pa]
---@field shear_stress number mean over the area [Pa]
---@field shear number[] shear force on body 1 over the area, as a vector [Pa]
---@field opening number mean gap over the area, negative: closure [m]
---@field joint? "intact"|"slipped"|"open" with the law joint
---@field slip? number length of the way that the face has slid, with the law joint [m]

return faces
