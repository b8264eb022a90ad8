---@meta scree.bond
-- Annotations of bonds. docs/bonds.md has examples.

---Bonds between grains: beams of glue from centre to centre, which can break. Rigid and exact bonds are `fixed` joints.
---@class scree.bond
local bond = {}

---@class scree.BondDef
---@field distance? number bonds all pairs of the chosen bodies whose bounding spheres are at most this far apart [m]
---@field pairs? scree.Body[][] bonds these pairs of bodies instead
---@field bodies? scree.Body[] bodies to choose from; default: all dynamic bodies
---@field group? integer chooses only bodies of this group
---@field where? fun(x: number, y: number, z: number): boolean chooses only bodies for whose position this function returns true
---@field mesh? scree.Geometry chooses only bodies whose centre lies in this closed mesh or hull
---@field young? number Young's modulus of the glue [Pa]; bonds are rigid without `young` and `stiffness`
---@field stiffness? scree.BondStiffness stiffnesses that replace those of the beam; all four are required without `young`
---@field ratio? number normal over shear stiffness; default: 1
---@field exact? boolean elastic bonds become `fixed` joints, which are solved exactly and allow any shapes, cells and several ranks; for a few hundred bonds
---@field damping? number|scree.BondDamping ratio of damping to stiffness [s], one for all deformations or one for each; default: 0
---@field strength? number|scree.BondStrength stress at which a bond breaks [Pa], one for all loads or one for each way to break; default: bonds do not break
---@field radius? number radius of a bond over the radius of the smaller body; default: 1
---@field collide? boolean whether bonded bodies also have contacts; default: false

---Stiffnesses of a bond. A missing one is that of the beam.
---@class scree.BondStiffness
---@field normal? number along the bond [N/m]
---@field shear? number across the bond [N/m]
---@field bending? number for rotations about axes across the bond [N m/rad]
---@field twist? number for rotations about the axis of the bond [N m/rad]

---Ratios of damping to stiffness [s]. A missing one is 0.
---@class scree.BondDamping
---@field normal? number
---@field shear? number
---@field bending? number
---@field twist? number

---Stresses that break a bond [Pa]. A bond does not break by a missing one.
---@class scree.BondStrength
---@field tension? number tensile force over the cross-section of the bond
---@field compression? number compressive force over the cross-section
---@field shear? number shear force over the cross-section
---@field bending? number bending stress at the edge
---@field twist? number shear stress of torsion at the edge
---@field edge_tension? number sum of tensile and bending stress at the edge; only for elastic bonds that are not exact
---@field edge_shear? number sum of shear and torsional stress at the edge; only for elastic bonds that are not exact

---Makes the bonds between bodies at their present positions. Returns them in the order of the bodies.
---@param w scree.World
---@param def scree.BondDef
---@return scree.Joint[]
function bond.create(w, def) end

return bond
