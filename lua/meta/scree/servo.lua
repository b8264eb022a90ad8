---@meta scree.servo
-- Annotations of walls with a given stress. docs/servo.md explains them.

---Walls with a given stress: oedometers, triaxial boxes, shear boxes. A stress is a number >= 0 [Pa], or a list of { time, stress } with
---rising times, linear between its entries and constant beyond them. The state of the walls is in w.state.
---@class scree.servo
local servo = {}

---Adds a box that presses along an axis. Call it in `setup`.
---@param w scree.World
---@param def scree.ServoWallDef
---@return scree.ServoWall
function servo.wall(w, def) end

---Adds a cell of six walls around a box: planes at its lower sides, NAME_x0, NAME_y0 and NAME_z0, and servo walls at its upper sides,
---NAME_x, NAME_y and NAME_z. Areas follow the present size of the cell.
---@param w scree.World
---@param def scree.ServoBoxDef
---@return scree.ServoBox
function servo.box(w, def) end

---Updates the forces of all walls and balances their weight. Call it before each step.
---@param w scree.World
function servo.update(w) end

---Returns the number of bodies that have left the cells of servo.box since the first servo.update. Bodies that the scene removed do not count.
---@param w scree.World
---@return integer
function servo.count_lost(w) end

---Sets the stress of a wall from now on.
---@param w scree.World
---@param name string
---@param stress number|number[][] [Pa], >= 0
function servo.press(w, name, stress) end

---Moves a wall at this speed along its axis from now on, with unlimited force. A negative speed moves it back.
---@param w scree.World
---@param name string
---@param speed number [m/s]
function servo.drive(w, name, speed) end

---Returns the state of a wall. Visits all contacts.
---@param w scree.World
---@param name string
---@return scree.ServoReading
function servo.read(w, name) end

---Returns the three lengths of a cell [m].
---@param w scree.World
---@param name string
---@return number[]
function servo.size(w, name) end

---Returns the mean stress in a cell from all its contacts, including those with the walls, in the form of w:stress [Pa]. Its volume is that of the cell.
---@param w scree.World
---@param name string
---@param group? integer group of the grains; default: 0
---@return table
function servo.stress(w, name, group) end

---@class scree.ServoWallDef
---@field name string name of the body, and of the wall in the other functions
---@field axis scree.Vec3 direction in which the wall presses, of any nonzero length
---@field position scree.Vec3 centre of the box [m]
---@field size scree.Vec3 edges of the box [m], > 0
---@field stress number|number[][] [Pa], >= 0
---@field speed number largest speed of the wall, reached if no grains stop it [m/s], > 0
---@field area? number area on which the stress acts [m2], > 0; default: area of the side, if the axis is one of the box's axes
---@field mass? number mass of the wall [kg], > 0; default: mass of all grains
---@field material? string
---@field group? integer tag of the wall; default: 1
---@field clear? scree.Body[] bodies that have no contacts with the wall

---@class scree.ServoBoxDef
---@field name string name of the cell and prefix of the names of the walls
---@field min scree.Vec3 lower corner of the cell [m]
---@field max scree.Vec3 upper corner of the cell [m], greater than min along every axis
---@field stress number|number[]|number[][][] stress on all three walls [Pa], >= 0, or three stresses, along x, y and z
---@field speed number largest speed of a wall, reached if no grains stop it [m/s], > 0
---@field mass? number mass of each wall [kg], > 0; default: mass of all grains
---@field thickness? number thickness of the walls [m], > 0; default: a tenth of the longest edge
---@field material? string
---@field group? integer tag of the moving walls; default: 1

---The plain table that describes a wall.
---@class scree.ServoWall
---@field name string
---@field body scree.Body
---@field joint scree.Joint the slider joint of the wall
---@field axis scree.Vec3 unit vector
---@field area number [m2]
---@field mass number [kg]
---@field stress number|number[][] as given [Pa]
---@field speed number as given [m/s]
---@field drive? number speed given by servo.drive [m/s]

---The plain table that describes a cell.
---@class scree.ServoBox
---@field name string
---@field min scree.Vec3 [m]
---@field thickness number of the walls [m]
---@field body scree.Body[] the moving walls along x, y and z

---@class scree.ServoReading
---@field stress number of the grains on the wall [Pa]
---@field force number along its axis [N]
---@field area number [m2]
---@field target? number stress with which the wall presses [Pa]; nil after servo.drive
---@field position number displacement along the axis since the wall was made [m]
---@field speed number along the axis [m/s]

return servo
