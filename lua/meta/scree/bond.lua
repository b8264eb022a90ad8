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
---@field young? number Young's modulus of the glue [Pa]; without it bonds are rigid
---@field ratio? number stiffness along a bond over that across; 1 without it
---@field exact? boolean elastic bonds become `fixed` joints: any shapes, cells, several ranks; solved exactly, for some hundred bonds
---@field damping? number time [s]: damping over stiffness; 0 without it
---@field strength? number|scree.BondStrength stress at which a bond breaks whatever the direction of its load [Pa], or one for each way to break; without it none does
---@field radius? number of a bond, in radii of the smaller body; 1 without it
---@field collide? boolean whether bodies that are bonded touch as well; false without it

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
