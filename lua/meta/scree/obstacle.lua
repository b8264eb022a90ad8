---@meta scree.obstacle
-- Annotations of obstacles. docs/scenes.md has an example.

---Obstacles, walls and containers, made of several shapes or of a mesh.
---@class scree.obstacle
local obstacle = {}

---Adds a fixed upright cylinder whose half towards +x is replaced by a box of the same width.
---@param w scree.World
---@param def scree.HalfRoundDef
---@return scree.Body
function obstacle.half_round(w, def) end

---Adds fixed walls around a box. Returns the walls by side: "-x", "+x", "-y", "+y", "-z", "+z".
---@param w scree.World
---@param def scree.WallsDef
---@return table<string, scree.Body>
function obstacle.walls(w, def) end

---Adds a pipe, open at both ends without `closed`. position is its centre.
---@param w scree.World
---@param def scree.PipeDef
---@return scree.Body
function obstacle.pipe(w, def) end

---Adds a drum along `axis`, y by default, closed at both ends unless `open`, with bars along its inside. position is its centre.
---@param w scree.World
---@param def scree.DrumDef
---@return scree.Body
function obstacle.drum(w, def) end

---Adds a silo: a bin, open at the top, with a flat or conical bottom and a round hole. position is the middle of the outlet.
---@param w scree.World
---@param def scree.SiloDef
---@return scree.Body
function obstacle.silo(w, def) end

---Adds a conical hopper. position is the middle of the outlet.
---@param w scree.World
---@param def scree.HopperDef
---@return scree.Body
function obstacle.hopper(w, def) end

---Adds a conical funnel on a stem. position is the middle of the lower end of the stem.
---@param w scree.World
---@param def scree.FunnelDef
---@return scree.Body
function obstacle.funnel(w, def) end

---Adds a right-handed screw along `axis`, x by default: helical blades around a shaft. A negative turn carries grains along the axis. position is its centre.
---@param w scree.World
---@param def scree.ScrewDef
---@return scree.Body
function obstacle.screw(w, def) end

---Adds a terrain: a mesh of heights above a grid, given by a function of x and y or a list of rows along y. Returns the body, and its points and triangles.
---@param w scree.World
---@param def scree.TerrainDef
---@return scree.Body, { points: number[][], triangles: integer[][] }
function obstacle.terrain(w, def) end

---Adds a wedge hopper: two inclined walls above a slot along y, and two ends. position is the middle of the slot.
---@param w scree.World
---@param def scree.WedgeDef
---@return scree.Body
function obstacle.wedge(w, def) end

---@class scree.HalfRoundDef
---@field position scree.Vec3 centre of the cylinder [m]
---@field radius number radius of the cylinder, half the width of the box [m], > 0
---@field height number along z [m], > 0
---@field length? number length of the box, from the axis of the cylinder towards +x [m], > 0; default: radius
---@field name? string name of the body; default: "obstacle"
---@field material? string

---@class scree.WallsDef
---@field min scree.Vec3 lower corner of the box [m]
---@field max scree.Vec3 upper corner of the box [m]
---@field open? string[] sides without a wall, such as { "-x", "+z" }; default: none
---@field material? string

---Keys of every container. A container is a mesh with an axis; its walls have no thickness and act on both sides. Drums have lids unless `open`. Round containers are prisms whose cross-section has the area of the circle.
---@class scree.ContainerKeys
---@field position? scree.Vec3 [m]
---@field axis? scree.Vec3 direction of the container's axis; default: {0, 0, 1}, of drums {0, 1, 0}, of screws {1, 0, 0}
---@field sides? integer number of sides of the prism, or of steps of a screw per turn, 3 to 4096; default: 48
---@field name? string name of the body
---@field material? string
---@field group? integer
---@field kind? scree.Kind default: "kinematic" if velocity, spin or turn is given, else "fixed"
---@field velocity? scree.Vec3|scree.Motion [m/s]
---@field spin? scree.Vec3|scree.Motion [rad/s]
---@field turn? number|number[][]|fun(t: number): number angular velocity about its axis [rad/s]: a number, a list of { time, rate }, or a function of time [s]

---@class scree.PipeDef : scree.ContainerKeys
---@field radius number [m], > 0
---@field length number along the axis [m], > 0
---@field closed? "none"|"bottom"|"top"|"both" ends with a lid; default: "none"

---@class scree.DrumDef : scree.ContainerKeys
---@field radius number [m], > 0
---@field length number along the axis [m], > 0
---@field lifters? integer number of bars along the inside, 0 to 1000; default: 0
---@field lifter_height? number radial height of a lifter [m], > 0, less than radius
---@field lifter_width? number [m], > 0; default: half their height
---@field open? boolean true: no lids; default: false

---@class scree.SiloDef : scree.ContainerKeys
---@field radius number of the bin [m], > 0
---@field height number of the bin [m], > 0
---@field outlet number radius of the hole [m], > 0, less than radius
---@field cone? number height of the conical bottom [m], > 0; default: flat
---@field angle? number instead of cone: angle between its wall and the axis [rad], > 0, at most 90 deg

---@class scree.HopperDef : scree.ContainerKeys
---@field radius number above [m], > 0
---@field outlet number radius below [m], > 0, less than radius
---@field height? number [m], > 0
---@field angle? number instead of height: angle between the wall and the axis [rad], > 0

---@class scree.FunnelDef : scree.ContainerKeys
---@field radius number above [m], > 0
---@field height number of the cone [m], > 0
---@field outlet number radius of the stem [m], > 0, less than radius
---@field stem number length of the stem [m], > 0

---@class scree.ScrewDef : scree.ContainerKeys
---@field radius number of the blades [m], > 0
---@field shaft number radius of the shaft [m], > 0, less than radius
---@field pitch number advance along the axis per turn [m], > 0
---@field length number [m], > 0
---@field starts? integer number of blades, 1 to 16; default: 1

---@class scree.TerrainDef : scree.ContainerKeys
---@field min number[] {x, y} [m]
---@field max number[] {x, y} [m]
---@field squares integer|integer[] number of cells along x and y
---@field height (fun(x: number, y: number): number)|number[][] height [m]; the first row of a list lies at min

---@class scree.WedgeDef : scree.ContainerKeys
---@field width number width at the top [m], > 0
---@field outlet number width of the slot [m], > 0, less than width
---@field length number of the slot [m], > 0
---@field height number [m], > 0

return obstacle
