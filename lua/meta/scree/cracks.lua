---@meta scree.cracks
-- Annotations of cracks. docs/blocks.md has an example.

---Opening, slip and forces of the faces between blocks, with any law.
---@class scree.cracks
local cracks = {}

---Begins to watch the faces between blocks. Call it in setup, after the last block. It makes a step of a copy of the world to find the faces. After the first
---step of the world it prints a warning with the number of steps. tolerance: opening or slip from which a face counts as open or slipped [m]; default: 1e-3 of the
---square root of its area.
---@param w scree.World
---@param def? { tolerance?: number }
function cracks.watch(w, def) end

---Notes which faces open, slip or fail, for `cracks.moves`. The first call may come at any step.
---@param w scree.World
function cracks.update(w) end

---Returns the faces, in the order in which they were noted. `forces = false` leaves the forces at 0 and is faster, because it reads no contacts.
---@param w scree.World
---@param def? { forces?: boolean }
---@return scree.CrackFace[]
function cracks.list(w, def) end

---Returns the first opening, slip and failure of each face, in the order of time. Times are those of the calls of `cracks.update` or `cracks.list`.
---@param w scree.World
---@return { time: number, event: "opens"|"slips"|"fails", body1: scree.Body, body2: scree.Body, name1: string, name2: string }[]
function cracks.moves(w) end

---Returns the faces as a table of text with commas, a row for each face. A report writes it with `out:write`.
---@param w scree.World
---@return string
function cracks.csv(w) end

---Returns the faces as polygons for ParaView, as the text of a .vtk file: state (1: closed, 2: slipped, 3: open), area, opening, slip, forces and stresses.
---@param w scree.World
---@return string
function cracks.vtk(w) end

---A face. Its normal points from body 2 to body 1.
---@class scree.CrackFace
---@field body1 scree.Body
---@field body2 scree.Body
---@field name1 string name of body 1, or its id
---@field name2 string
---@field area number when the face was noted [m2]
---@field normal number[] mean of both sides
---@field centre number[] half-way between both sides [m]
---@field corners number[][] half-way between both sides [m]
---@field force number[] on body 1 in the last step [N]
---@field moment number[] on body 1 about centre [N m]
---@field normal_force number [N], pressure is positive
---@field shear_force number [N]
---@field thrust_point? number[] point of the face through which the force passes [m]; nil without a normal force
---@field contacts integer number of contact points
---@field opening number largest opening of a corner since the face was noted [m]
---@field mean_opening number mean over the corners [m]
---@field slip number largest displacement of a corner along the face [m]
---@field state "closed"|"slipped"|"open" by the tolerance
---@field image? integer[] in a cell: the image of body 2 at this face, as numbers of cell edges
---@field shift number[] vector from body 2 to this image, 0 without a cell [m]
---@field joint? "intact"|"slipped"|"open" with the law joint
---@field opened_at? number time of the first opening [s]
---@field slipped_at? number time of the first slip [s]
---@field failed_at? number time at which the joint lost its strength [s], with the law joint

return cracks
