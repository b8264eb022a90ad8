---@meta
-- Annotations of measurements and figures. docs/measure.md has the formulas.

---@class scree.World
local World = {}

---What an entry of the list `measure` gives now: a table of its figures and lists; an object that looks again and again for profile,
---flow and displacement. `w:measure { type = "stress", region = ... }` is `w:stress { region = ... }`.
---@param entry scree.MeasureDef
---@return table|scree.Profile|scree.Probe
function World:measure(entry) end

---Force [N] and torque about the body's centre [N m] of all contacts on a body, means over the last step: x, y, z, torque_x, torque_y, torque_z, contacts.
---@param def { body: scree.Body|string }
---@return table
function World:force(def) end

---Fields averaged over cells of a box and over the frames added: `w:profile { region = {min=, max=}, cells = {30, 13, 1} }`.
---@param def { region: scree.Region, cells: integer[], group?: integer }
---@return scree.Profile
function World:profile(def) end

---How far grains have come since the first look, which takes those in the region, or all.
---@param def? { region?: scree.Region, group?: integer }
---@return scree.Probe
function World:displacement(def) end

---Coarse-grained fields of the present state at the middles of cells of a box, smeared by a kernel that is 0 past `width` (Goldhirsch 2010): lists
---x, y, z, density, momentum_x ..., velocity_x ..., temperature, kinetic_xx, kinetic_yy, kinetic_zz, kinetic_xy, kinetic_xz, kinetic_yz and all nine of
---contact_xx ...; x fastest; origin of the grid, and edges of one of its cells (three rows of a matrix whose columns they are).
---Without region those of a periodic cell, with `cells` along its edges.
---@param def { region?: scree.Region, cells: integer[], width: number, kernel?: "lucy"|"gaussian", group?: integer }
---@return table
function World:fields(def) end

---How the normals of contacts that carry are directed: xx, yy, zz, xy, xz, yz of their mean dyad, anisotropy, contacts.
---@param def? { region?: scree.Region, group?: integer }
---@return table
function World:fabric(def) end

---Angle of repose of a heap, z upwards [rad], from a line through its surface between two shares of its height: angle, slope, height, deviation, rings,
---and the lists radius and surface.
---@param def? { region?: scree.Region, group?: integer, bins?: integer, from?: number, to?: number }
---@return table
function World:repose(def) end

---Counts the grains that enter and leave a region, and how long they stay. Rates are means over `window` [s]; without it since the last call of `get`.
---@param def { region: scree.Region, group?: integer, window?: number }
---@return scree.Probe
function World:flow(def) end

---Radial distribution function of the grains in a region, without it in the cell of a world that is periodic along all edges, images among
---them: a table of lists r and g, and grains, density, volume.
---@param def { region?: scree.Region, reach: number, bins?: integer, fit?: boolean, edges?: boolean, group?: integer }
---@return table
function World:rdf(def) end

---Static structure factor of the grains in a cell that is periodic along all edges: lists k (wave number [1/m]), s (mean over the wave
---vectors of a bin, nan where the cell has none), waves (how many those are), and grains.
---@param def { reach: number, bins?: integer, group?: integer }
---@return table
function World:structure(def) end

---Mean stress in a region [Pa]: xx ... zz, pressure, contact and kinetic parts, volume, contacts, grains. With a group only its bodies are
---grains: others, such as walls under a load, count as walls do. Without region that of a whole periodic cell.
---@param def? { region?: scree.Region, group?: integer }
---@return table
function World:stress(def) end

---Force [N] and torque about the body's centre [N m] of all contacts on a body, means over the last step, and the number of these contacts.
---@param body scree.Body
---@return number[] force, number[] torque, integer contacts
function World:forces_on(body) end

---Contacts per grain: grains, carrying, rattlers, mean, mean_loaded, histogram; with a group of its bodies alone.
---@param def? { region?: scree.Region, group?: integer }
---@return table
function World:coordination(def) end

---Density of contact forces in units of their mean: lists force and density, mean [N], contacts.
---@param def? { region?: scree.Region, reach?: number, bins?: integer, tangential?: boolean }
---@return table
function World:force_distribution(def) end

---How well the grains of the group `tracer` are mixed among all others in a box (Lacey 1954): index (0 apart, 1 mixed at random), share of
---tracers, variance of their share over the cells, grains, cells that count (those with at least `least` grains).
---@param def { region: scree.Region, cells: integer[], tracer: integer, least?: integer }
---@return table
function World:mixing(def) end

---Distribution of radii by number and by mass: lists radius, number, mass.
---@param def { region?: scree.Region, low?: number, high: number, bins?: integer }
---@return table
function World:sizes(def) end

---The grading curve of the grains: d10, d50, d90 (diameters than which a share of the mass is finer), min, max, grains, mass; with sieves (a list
---of diameters) the lists sieves, by_number and by_mass of shares that pass; with a target distribution its shares on the sieves, and
---distance, the largest difference of shares.
---@param def? { region?: scree.Region, group?: integer, sieves?: number[], target?: scree.SizesDef }
---@return table
function World:grading(def) end

---Time-averaged fields on a grid.
---@class scree.Profile
local Profile = {}

---Adds the present state.
function Profile:add() end

---A field as a list over the cells, x fastest; three lists for vectors. Without a field a table of all: the middles x, y, z, count, solid,
---velocity_x ..., spin_x ..., temperature, speed.
---@param field? string
---@return number[] ...
function Profile:get(field) end

---Frames added so far.
---@return integer
function Profile:frames() end

---Middles of the cells along axis 1, 2 or 3.
---@param axis integer
---@return number[]
function Profile:axis(axis) end

---A measurement that looks at the world again and again: w:flow, w:displacement.
---@class scree.Probe
local Probe = {}

---Looks at the present state.
function Probe:add() end

---What was found. Flow: inside, entered, left, vanished, mass_*, rate_* [kg/s], residence [s], residence_deviation, stays, start, time. Displacement:
---msd, xx, yy, zz [m2], drift_x, drift_y, drift_z [m], grains, time since the first look [s].
---@return table
function Probe:get() end

---Starts anew.
function Probe:reset() end
