---@meta scree.servo
-- Annotations of walls under a given stress. docs/servo.md explains them.

---Walls under a given stress: oedometers, triaxial boxes, shear boxes. A stress is a number of at least 0 [Pa], or a list of { time, stress }
---with rising times, linear between its entries and constant beyond them. All that changes is kept in w.state.
---@class scree.servo
local servo = {}

---Makes a box that presses along an axis. To be called in `setup`.
---@param w scree.World
---@param def scree.ServoWallDef
---@return scree.ServoWall
function servo.wall(w, def) end

---Makes a cell of six walls about a box: planes at its near sides, NAME_x0, NAME_y0, NAME_z0, and servo walls at its far ones, NAME_x, NAME_y,
---NAME_z, whose areas follow the cell.
---@param w scree.World
---@param def scree.ServoBoxDef
---@return scree.ServoBox
function servo.box(w, def) end

---Brings forces up to date; the walls' own weight is carried. To be called before each step.
---@param w scree.World
function servo.update(w) end

---Counts the bodies that have left the cells of servo.box since the first servo.update. Bodies that the scene has removed do not count.
---@param w scree.World
---@return integer
function servo.count_lost(w) end

---From now on the wall presses with this stress.
---@param w scree.World
---@param name string
---@param stress number|number[][] [Pa], >= 0
function servo.press(w, name, stress) end

---From now on the wall moves at this speed along its axis, whatever it takes; below 0 it draws back.
---@param w scree.World
---@param name string
---@param speed number [m/s]
function servo.drive(w, name, speed) end

---What a wall is doing. Walks through all contacts.
---@param w scree.World
---@param name string
---@return scree.ServoReading
function servo.read(w, name) end

---The three lengths of a cell [m].
---@param w scree.World
---@param name string
---@return number[]
function servo.size(w, name) end

---Mean stress in a cell from all its contacts, those with the walls among them, as w:stress gives it [Pa]; its volume is that of the cell.
---@param w scree.World
---@param name string
---@param group? integer grains are the bodies of this group; 0 without it
---@return table
function servo.stress(w, name, group) end

---@class scree.ServoWallDef
---@field name string of the body, and of the wall in the other functions
---@field axis scree.Vec3 direction in which it presses, of any length but 0
---@field position scree.Vec3 centre of the box [m]
---@field size scree.Vec3 edges of the box [m], > 0
---@field stress number|number[][] [Pa], >= 0
---@field speed number at most this where nothing holds it [m/s], > 0
---@field area? number on which the stress acts [m2], > 0; without it that of the box's side, where the axis is one of the box's
---@field mass? number of the wall [kg], > 0; without it that of all grains there are
---@field material? string
---@field group? integer tag of the wall; 1 without it
---@field clear? scree.Body[] bodies that it slides past

---@class scree.ServoBoxDef
---@field name string of the cell, and what the walls' names begin with
---@field min scree.Vec3 lower corner of the cell [m]
---@field max scree.Vec3 upper corner of the cell [m], greater than min along every axis
---@field stress number|number[]|number[][][] on all three walls [Pa], >= 0, or three stresses, along x, y and z
---@field speed number at most this where nothing holds a wall [m/s], > 0
---@field mass? number of each wall [kg], > 0; without it that of all grains there are
---@field thickness? number of the walls [m], > 0; a tenth of the longest edge without it
---@field material? string
---@field group? integer tag of the moving walls; 1 without it

---What describes a wall, a plain table.
---@class scree.ServoWall
---@field name string
---@field body scree.Body
---@field joint scree.Joint the slider that it moves on
---@field axis scree.Vec3 unit vector
---@field area number [m2]
---@field mass number [kg]
---@field stress number|number[][] as given [Pa]
---@field speed number as given [m/s]
---@field drive? number speed given by servo.drive [m/s]

---What describes a cell, a plain table.
---@class scree.ServoBox
---@field name string
---@field min scree.Vec3 [m]
---@field thickness number of the walls [m]
---@field body scree.Body[] the moving walls along x, y and z

---@class scree.ServoReading
---@field stress number that the grains put up against the wall [Pa]
---@field force number along its axis [N]
---@field area number [m2]
---@field target? number stress that it presses with [Pa]; nil where it is driven
---@field position number way along the axis since it was made [m]
---@field speed number along the axis [m/s]

return servo
