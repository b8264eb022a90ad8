---@meta scree.obstacle
-- Annotations of obstacles. docs/scenes.md has an example.

---Obstacles, walls and containers that are made of several shapes, or of a mesh.
---@class scree.obstacle
local obstacle = {}

---A fixed standing cylinder whose right half (towards +x) is replaced by a box of the same width: a round nose and a blunt back.
---@param w scree.World
---@param def scree.HalfRoundDef
---@return scree.Body
function obstacle.half_round(w, def) end

---Fixed walls that close a box from outside. Returns the bodies by the side they close: "-x", "+x", "-y", "+y", "-z", "+z".
---@param w scree.World
---@param def scree.WallsDef
---@return table<string, scree.Body>
function obstacle.walls(w, def) end

---A pipe, open at both ends without `closed`; position is its middle. Returns the body.
---@param w scree.World
---@param def scree.PipeDef
---@return scree.Body
function obstacle.pipe(w, def) end

---A drum that lies along y without `axis`, closed at both ends unless open, with bars along its inside; position is its middle. Returns the body.
---@param w scree.World
---@param def scree.DrumDef
---@return scree.Body
function obstacle.drum(w, def) end

---A silo: a bin above a bottom with a round hole, flat or a cone; open above. position is the middle of the outlet. Returns the body.
---@param w scree.World
---@param def scree.SiloDef
---@return scree.Body
function obstacle.silo(w, def) end

---A conical hopper; position is the middle of the outlet. Returns the body.
---@param w scree.World
---@param def scree.HopperDef
---@return scree.Body
function obstacle.hopper(w, def) end

---A conical funnel on a stem; position is the middle of the stem's lower end. Returns the body.
---@param w scree.World
---@param def scree.FunnelDef
---@return scree.Body
function obstacle.funnel(w, def) end

---A screw that lies along x without `axis`: blades that wind about a shaft, right-handed, so that a negative turn carries grains along the axis; position is its middle. Returns the body.
---@param w scree.World
---@param def scree.ScrewDef
---@return scree.Body
function obstacle.screw(w, def) end

---Heights above a grid of squares, a function of x and y or a list of rows along y, as a mesh. Returns the body, and its points and triangles.
---@param w scree.World
---@param def scree.TerrainDef
---@return scree.Body, { points: number[][], triangles: integer[][] }
function obstacle.terrain(w, def) end

---A wedge hopper: two walls that lean from a slot along y, and two ends; position is the middle of the slot. Returns the body.
---@param w scree.World
---@param def scree.WedgeDef
---@return scree.Body
function obstacle.wedge(w, def) end

---@class scree.HalfRoundDef
---@field position scree.Vec3 centre of the cylinder [m]
---@field radius number of the cylinder, half the width of the box [m], > 0
---@field height number along z [m], > 0
---@field length? number of the box, from the cylinder's axis towards +x [m], > 0; radius without it
---@field name? string of the body; "obstacle" without it
---@field material? string

---@class scree.WallsDef
---@field min scree.Vec3 lower corner of the box [m]
---@field max scree.Vec3 upper corner of the box [m]
---@field open? string[] sides that get no wall, such as { "-x", "+z" }; none without it
---@field material? string

---Keys of every container: a mesh about an axis of its own, a wall without thickness that acts on both sides. Drums have lids unless `open`. Round containers are prisms with the area of the circle.
---@class scree.ContainerKeys
---@field position? scree.Vec3 [m]
---@field axis? scree.Vec3 direction that its own z axis has; {0, 0, 1} without it, drums and screws say otherwise
---@field sides? integer of the prism, and steps of a screw per turn, 3 to 4096; 48 without it
---@field name? string of the body
---@field material? string
---@field group? integer
---@field kind? scree.Kind fixed without it; kinematic where it moves
---@field velocity? scree.Vec3|scree.Motion [m/s]
---@field spin? scree.Vec3|scree.Motion [rad/s]
---@field turn? number|number[][]|fun(t: number): number angular velocity about its axis [rad/s]: a number, a list of { time, rate }, or a function of time [s]

---@class scree.PipeDef : scree.ContainerKeys
---@field radius number [m], > 0
---@field length number along the axis [m], > 0
---@field closed? "none"|"bottom"|"top"|"both" ends with a lid; none without it

---@class scree.DrumDef : scree.ContainerKeys
---@field radius number [m], > 0
---@field length number along the axis [m], > 0
---@field lifters? integer bars along the inside, 0 to 1000; 0 without it
---@field lifter_height? number how far lifters stand out [m], > 0, less than radius
---@field lifter_width? number [m], > 0; half their height without it
---@field open? boolean without lids; false without it

---@class scree.SiloDef : scree.ContainerKeys
---@field radius number of the bin [m], > 0
---@field height number of the bin [m], > 0
---@field outlet number radius of the hole [m], > 0, less than radius
---@field cone? number height of the conical bottom [m], > 0; flat without it
---@field angle? number in place of cone: how far its wall leans against the axis [rad], > 0, at most 90 deg

---@class scree.HopperDef : scree.ContainerKeys
---@field radius number above [m], > 0
---@field outlet number radius below [m], > 0, less than radius
---@field height? number [m], > 0
---@field angle? number in place of height: how far the wall leans against the axis [rad], > 0

---@class scree.FunnelDef : scree.ContainerKeys
---@field radius number above [m], > 0
---@field height number of the cone [m], > 0
---@field outlet number radius of the stem [m], > 0, less than radius
---@field stem number length of the stem [m], > 0

---@class scree.ScrewDef : scree.ContainerKeys
---@field radius number of the blades [m], > 0
---@field shaft number radius of the shaft [m], > 0, less than radius
---@field pitch number way along the axis of one winding [m], > 0
---@field length number [m], > 0
---@field starts? integer number of blades, 1 to 16; 1 without it

---@class scree.TerrainDef : scree.ContainerKeys
---@field min number[] {x, y} [m]
---@field max number[] {x, y} [m]
---@field squares integer|integer[] along x and y
---@field height (fun(x: number, y: number): number)|number[][] height [m], of rows the first at min

---@class scree.WedgeDef : scree.ContainerKeys
---@field width number across, above [m], > 0
---@field outlet number width of the slot [m], > 0, less than width
---@field length number of the slot [m], > 0
---@field height number [m], > 0

return obstacle
