---@meta
-- Annotations of shapes: the keys of each constructor, and the constructor. docs/shapes.md has examples.

---@class scree.World
local World = {}

---@class scree.SphereDef : scree.BodyKeys
---@field material? string
---@field density? number
---@field layer? integer|integer[]
---@field avoids? integer|integer[]
---@field radius number

---Adds a ball.
---@param def scree.SphereDef
---@return scree.Body
function World:sphere(def) end

---@class scree.CapsuleDef : scree.BodyKeys
---@field material? string
---@field density? number
---@field layer? integer|integer[]
---@field avoids? integer|integer[]
---@field radius number
---@field length number

---Adds a capsule along its z axis.
---@param def scree.CapsuleDef
---@return scree.Body
function World:capsule(def) end

---@class scree.HalfspaceDef : scree.BodyKeys
---@field material? string
---@field density? number
---@field layer? integer|integer[]
---@field avoids? integer|integer[]
---@field normal scree.Vec3
---@field point? scree.Vec3

---Adds a wall: all space behind a plane. It is fixed, or kinematic if it has a velocity. It has no mass.
---@param def scree.HalfspaceDef
---@return scree.Body
function World:halfspace(def) end

---@class scree.BoxDef : scree.BodyKeys
---@field material? string
---@field density? number
---@field layer? integer|integer[]
---@field avoids? integer|integer[]
---@field size scree.Vec3

---Adds a box.
---@param def scree.BoxDef
---@return scree.Body
function World:box(def) end

---@class scree.CylinderDef : scree.BodyKeys
---@field material? string
---@field density? number
---@field layer? integer|integer[]
---@field avoids? integer|integer[]
---@field radius number
---@field length number

---Adds a cylinder along its z axis.
---@param def scree.CylinderDef
---@return scree.Body
function World:cylinder(def) end

---@class scree.ConeDef : scree.BodyKeys
---@field material? string
---@field density? number
---@field layer? integer|integer[]
---@field avoids? integer|integer[]
---@field radius number
---@field length number

---Adds a cone along its z axis.
---@param def scree.ConeDef
---@return scree.Body
function World:cone(def) end

---@class scree.EllipsoidDef : scree.BodyKeys
---@field material? string
---@field density? number
---@field layer? integer|integer[]
---@field avoids? integer|integer[]
---@field size scree.Vec3

---Adds an ellipsoid.
---@param def scree.EllipsoidDef
---@return scree.Body
function World:ellipsoid(def) end

---A hull or a mesh has points, or a file, or a geometry.
---@class scree.HullDef : scree.BodyKeys
---@field material? string
---@field density? number
---@field layer? integer|integer[]
---@field avoids? integer|integer[]
---@field points? scree.Vec3[]
---@field file? string
---@field scale? number
---@field up? "file"|"x"|"y"|"z"
---@field unit? "m"|"mm"|"cm"|"um"|"km"|"in"|"ft"
---@field place? any[][]
---@field geometry? scree.Geometry

---@class scree.MeshDef : scree.BodyKeys
---@field material? string
---@field density? number
---@field layer? integer|integer[]
---@field avoids? integer|integer[]
---@field points? scree.Vec3[]
---@field triangles? integer[][]
---@field file? string
---@field scale? number
---@field up? "file"|"x"|"y"|"z"
---@field unit? "m"|"mm"|"cm"|"um"|"km"|"in"|"ft"
---@field place? any[][]
---@field weld? number
---@field closed? boolean true: an error if the mesh does not bound a volume
---@field solid? boolean true: the mesh pushes out bodies inside; it must bound a volume
---@field geometry? scree.Geometry

---The solid (|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) <= 1 with half axes a, b, c (Barr 1981).
---@class scree.SuperellipsoidDef : scree.BodyKeys
---@field material? string
---@field density? number
---@field layer? integer|integer[]
---@field avoids? integer|integer[]
---@field size scree.Vec3
---@field e1? number
---@field e2? number

---Adds a superellipsoid: between a box (exponents towards 0), an ellipsoid (1) and an octahedron (towards 2).
---@param def scree.SuperellipsoidDef
---@return scree.Body
function World:superellipsoid(def) end
