---@meta scree.bond
-- Annotations of bonds. docs/bonds.md has examples.

---Bonds between grains: beams of glue from centre to centre, which break. Rigid and exact ones are `fixed` joints.
---@class scree.bond
local bond = {}

---@class scree.BondDef
---@field distance? number bonds all chosen bodies whose bounding spheres are no farther apart [m]
---@field pairs? scree.Body[][] or these pairs of bodies
---@field bodies? scree.Body[] the bodies to choose from; without it all dynamic ones
---@field group? integer only those of this group
---@field where? fun(x: number, y: number, z: number): boolean only those whose position this says yes to
---@field mesh? scree.Geometry only those whose centre lies in this closed mesh or hull
---@field young? number Young's modulus of the glue [Pa]; without it and `stiffness` bonds are rigid
---@field stiffness? scree.BondStiffness in place of the beam's; without `young` all four
---@field ratio? number stiffness along a bond over that across; 1 without it
---@field exact? boolean elastic bonds become `fixed` joints: any shapes, cells, several ranks; solved exactly, for some hundred bonds
---@field damping? number|scree.BondDamping time [s]: damping over stiffness, or one for each way; 0 without it
---@field strength? number|scree.BondStrength stress at which a bond breaks whatever the direction of its load [Pa], or one for each way to break; without it none does
---@field radius? number of a bond, in radii of the smaller body; 1 without it
---@field collide? boolean whether bodies that are bonded touch as well; false without it

---Stiffnesses; what is left out is that of the beam.
---@class scree.BondStiffness
---@field normal? number along the bond [N/m]
---@field shear? number across it [N/m]
---@field bending? number of turns about axes across it [N m/rad]
---@field twist? number of turns about its own axis [N m/rad]

---Damping over stiffness [s]; what is left out is 0.
---@class scree.BondDamping
---@field normal? number
---@field shear? number
---@field bending? number
---@field twist? number

---Stresses [Pa]; what is left out does not break the bond.
---@class scree.BondStrength
---@field tension? number force that draws the bodies apart over the bond's section
---@field compression? number force that presses them together over its section
---@field shear? number force across the bond over its section
---@field bending? number stress of bending at its edge
---@field twist? number shear stress of twist at its edge
---@field edge_tension? number tension and bending together, at its edge; of elastic bonds that are not exact
---@field edge_shear? number shear and twist together, at its edge; of elastic bonds that are not exact

---Makes the bonds between bodies as they stand, in the order of the bodies.
---@param w scree.World
---@param def scree.BondDef
---@return scree.Joint[]
function bond.create(w, def) end

return bond
