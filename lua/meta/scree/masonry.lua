---@meta scree.masonry
-- Annotations of masonry. docs/blocks.md has an example.

---Walls in bond, arches, barrel vaults, flat arches, domes, columns and portals of blocks that touch. Every maker returns its blocks and its supports.
---@class scree.masonry
local masonry = {}

---Adds a wall along x, course by course. `material` may be a list of materials for courses in turn. position is the middle of its base.
---@param w scree.World
---@param def scree.WallDef
---@return scree.Body[] blocks, scree.Body[] supports
function masonry.wall(w, def) end

---Adds a semicircular or segmental arch along x. position is the centre of its circles.
---@param w scree.World
---@param def scree.ArchDef
---@return scree.Body[] blocks, scree.Body[] supports
function masonry.arch(w, def) end

---Adds a barrel vault: an arch along x whose courses of voussoirs have several blocks along y. position is the middle of the axis of its circles.
---@param w scree.World
---@param def scree.VaultDef
---@return scree.Body[] blocks, scree.Body[] supports
function masonry.vault(w, def) end

---Adds a flat arch, whose joints meet below it. position is the middle of its soffit.
---@param w scree.World
---@param def scree.FlatArchDef
---@return scree.Body[] blocks, scree.Body[] supports
function masonry.flat_arch(w, def) end

---Adds a dome of rings of blocks, from the base to the oculus. Joints along meridians are aligned. position is the centre of its spheres.
---@param w scree.World
---@param def scree.DomeDef
---@return scree.Body[] blocks, scree.Body[] supports
function masonry.dome(w, def) end

---Adds a column of drums: cylinders, or frusta with `sides` or `top_radius`. position is the middle of its base.
---@param w scree.World
---@param def scree.ColumnOfDrumsDef
---@return scree.Body[] blocks, scree.Body[] supports
function masonry.column(w, def) end

---Adds columns along x, column by column, and a lintel on them, which is the last block. position is the middle of the base.
---@param w scree.World
---@param def scree.PortalDef
---@return scree.Body[] blocks, scree.Body[] supports
function masonry.portal(w, def) end

---Returns the line of thrust through a row of parts: an entry for each joint between parts 1 and 2, 2 and 3, ... A part is a body or a list of bodies.
---Needs `cracks.watch`. An entry is false if two parts have no face in common.
---@param w scree.World
---@param parts (scree.Body|scree.Body[])[]
---@param def? { axis?: scree.Vec3 } axis: perpendicular to the plane of the row; default: { 0, 1, 0 }
---@return (scree.Thrust|false)[]
function masonry.thrust(w, parts, def) end

---Force of the last step in a joint between two parts. The normal points to the later part.
---@class scree.Thrust
---@field centre number[] middle of the joint [m]
---@field normal number[]
---@field across number[] direction of the thickness: normal x axis; in an arch from left to right the outward direction
---@field thickness number of the joint [m]
---@field force number[] on the later part [N]
---@field normal_force number [N]
---@field shear_force number along across [N]
---@field eccentricity? number of the force from the middle, along across [m]; nil without a force
---@field point? number[] at which the force passes [m]; nil without a force

---Keys of all makers.
---@class scree.MasonryKeys
---@field position? scree.Vec3 [m]; default: { 0, 0, 0 }
---@field turn? number rotation about the vertical axis through position [rad]; default: 0
---@field density? number [kg/m3]
---@field material? string|string[]
---@field group? integer
---@field kind? string "dynamic" (default), "kinematic" or "fixed"
---@field name? string the names of the blocks are this name with 1, 2, ..., those of the supports with _support1, ...

---@class scree.WallDef: scree.MasonryKeys
---@field brick number[] length, width and height of a brick [m]
---@field columns integer number of bricks in a course (stretchers in English bond)
---@field courses integer
---@field bond? "running"|"stack"|"english" english: courses of stretchers and headers in turn; default: "running"
---@field shift? number shift of every second course in running bond, as a share of a brick; default: 0.5

---The circle of the centre line is given by radius and angle, or by span and rise.
---@class scree.CurveOfArch: scree.MasonryKeys
---@field radius? number [m], > 0
---@field angle? number angle of embrace [rad]; default: 180 deg
---@field span? number of the centre line [m], > 0
---@field rise? number of the centre line [m], > 0
---@field thickness number [m], > 0
---@field voussoirs integer number of blocks along the arch
---@field supports? "fixed"|"kinematic"|"none" blocks under the springings; default: "fixed"

---@class scree.ArchDef: scree.CurveOfArch
---@field depth number size along y [m], > 0

---@class scree.VaultDef: scree.CurveOfArch
---@field length number size along y [m], > 0
---@field rows integer number of blocks along y
---@field bond? "running"|"stack" default: "running"

---@class scree.FlatArchDef: scree.MasonryKeys
---@field span number at the soffit [m], > 0
---@field height number [m], > 0
---@field depth number size along y [m], > 0
---@field voussoirs integer
---@field skew? number angle of the abutments to the vertical [rad]; default: 30 deg
---@field supports? "fixed"|"kinematic"|"none" abutments; default: "fixed"

---@class scree.DomeDef: scree.MasonryKeys
---@field radius number of the middle surface [m], > 0
---@field thickness number [m], > 0
---@field rings integer
---@field sectors integer number of blocks in a ring
---@field angle? number from the axis to the base [rad]; default: 90 deg
---@field oculus? number from the axis to the edge of the opening [rad]; default: 15 deg
---@field supports? "fixed"|"kinematic"|"none" a ring of blocks under the base; default: "fixed"

---@class scree.ColumnOfDrumsDef: scree.MasonryKeys
---@field radius number at the base [m], > 0
---@field height number [m], > 0
---@field drums integer
---@field top_radius? number at the top [m], > 0; default: radius
---@field sides? integer sides of prisms instead of cylinders; default with top_radius: 24

---@class scree.PortalDef: scree.MasonryKeys
---@field column number[] width, depth and height of a column [m]
---@field span number distance of the axes of the columns [m], > 0
---@field lintel number[] length, depth and height of the lintel [m]
---@field lintel_density? number [kg/m3]; default: density
---@field columns? integer default: 2
---@field drums? integer blocks of a column; default: 1

return masonry
