---@meta
-- Annotations of measurements and figures. docs/measure.md has the formulas.

---@class scree.World
local World = {}

---Takes the measurement of an entry of the list `measure`. Returns a table of its figures and lists; for profile, flow and displacement
---an object that takes samples. `w:measure { type = "stress", region = ... }` is `w:stress { region = ... }`.
---@param entry scree.MeasureDef
---@return table|scree.Profile|scree.Probe
function World:measure(entry) end

---Returns the force [N] and the torque about the body's centre [N m] of all contacts on a body, means over the last step: x, y, z, torque_x, torque_y, torque_z, contacts.
---@param def { body: scree.Body|string }
---@return table
function World:force(def) end

---Returns fields averaged over cells of a box and over samples: `w:profile { region = {min=, max=}, cells = {30, 13, 1} }`.
---@param def { region: scree.Region, cells: integer[], group?: integer }
---@return scree.Profile
function World:profile(def) end

---Returns the displacement of grains since the first sample. The grains are those that are in the region at the first sample, by default all.
---@param def? { region?: scree.Region, group?: integer }
---@return scree.Probe
function World:displacement(def) end

---Returns coarse-grained fields of the present state at the middles of cells of a box, with a kernel that is 0 beyond `width` (Goldhirsch 2010): lists
---x, y, z, density, momentum_x ..., velocity_x ..., temperature, kinetic_xx, kinetic_yy, kinetic_zz, kinetic_xy, kinetic_xz, kinetic_yz and all nine of
---contact_xx ...; x varies fastest; origin of the grid; edges of one of its cells (columns of a matrix, row by row).
---Without region the box is the periodic cell, with `cells` along its edges.
---@param def { region?: scree.Region, cells: integer[], width: number, kernel?: "lucy"|"gaussian", group?: integer }
---@return table
function World:fields(def) end

---Returns the fabric tensor of loaded contacts: xx, yy, zz, xy, xz, yz of the mean dyad of their normals, anisotropy, contacts.
---@param def? { region?: scree.Region, group?: integer }
---@return table
function World:fabric(def) end

---Returns the angle of repose of a heap, z upwards [rad], from a line fitted to its surface between two fractions of its height: angle, slope, height, deviation, rings,
---and the lists radius and surface.
---@param def? { region?: scree.Region, group?: integer, bins?: integer, from?: number, to?: number }
---@return table
function World:repose(def) end

---Counts the grains that enter and leave a region, and how long they stay. Rates are means over `window` [s], by default over the time since the last call of `get`.
---@param def { region: scree.Region, group?: integer, window?: number }
---@return scree.Probe
function World:flow(def) end

---Returns the radial distribution function of the grains in a region. Without region the world must have a cell that is periodic along all
---edges; then images count, too. The result is a table of lists r and g, and grains, density, volume.
---@param def { region?: scree.Region, reach: number, bins?: integer, fit?: boolean, edges?: boolean, group?: integer }
---@return table
function World:rdf(def) end

---Returns the static structure factor of the grains in a cell that is periodic along all edges: lists k (wave number [1/m]), s (mean over the
---wave vectors of a bin, nan for a bin without any), waves (number of wave vectors), and grains.
---@param def { reach: number, bins?: integer, group?: integer }
---@return table
function World:structure(def) end

---Returns the mean stress in a region [Pa]: xx ... zz, pressure, contact and kinetic parts, volume, contacts, grains. With a group only its
---bodies are grains; other bodies, such as loaded walls, count as walls. The default region is a whole periodic cell.
---@param def? { region?: scree.Region, group?: integer }
---@return table
function World:stress(def) end

---Returns the force [N] and the torque about the body's centre [N m] of all contacts on a body, means over the last step, and the number of these contacts.
---@param body scree.Body
---@return number[] force, number[] torque, integer contacts
function World:forces_on(body) end

---Returns the numbers of contacts per grain: grains, carrying, rattlers, mean, mean_loaded, histogram. With a group only its bodies count.
---@param def? { region?: scree.Region, group?: integer }
---@return table
function World:coordination(def) end

---Returns the probability density of contact forces in units of their mean: lists force and density, mean [N], contacts.
---@param def? { region?: scree.Region, reach?: number, bins?: integer, tangential?: boolean }
---@return table
function World:force_distribution(def) end

---Returns how well the grains of the group `tracer` are mixed with all others in a box (Lacey 1954): index (0: separated, 1: mixed at random),
---share of tracers, variance of their share over the cells, grains, cells (number of cells with at least `least` grains).
---@param def { region: scree.Region, cells: integer[], tracer: integer, least?: integer }
---@return table
function World:mixing(def) end

---Returns the distribution of radii by number and by mass: lists radius, number, mass.
---@param def { region?: scree.Region, low?: number, high: number, bins?: integer }
---@return table
function World:sizes(def) end

---Returns the grading curve of the grains: d10, d50, d90 (diameters below which 10, 50, 90 % of the mass lie), min, max, grains, mass. With sieves (a
---list of diameters) also the lists sieves, by_number and by_mass of the shares that pass. With a target distribution also its shares that pass, and
---distance, the largest difference of shares.
---@param def? { region?: scree.Region, group?: integer, sieves?: number[], target?: scree.SizesDef }
---@return table
function World:grading(def) end

---Time-averaged fields on a grid.
---@class scree.Profile
local Profile = {}

---Adds a sample of the present state.
function Profile:add() end

---Returns a field as a list over the cells, x varies fastest; three lists for vectors. Without a field it returns a table of all: the middles x, y, z, count, solid,
---velocity_x ..., spin_x ..., temperature, speed.
---@param field? string
---@return number[] ...
function Profile:get(field) end

---Number of samples so far.
---@return integer
function Profile:frames() end

---Returns the middles of the cells along axis 1, 2 or 3.
---@param axis integer
---@return number[]
function Profile:axis(axis) end

---A measurement that takes samples of the world over time: w:flow, w:displacement.
---@class scree.Probe
local Probe = {}

---Takes a sample of the present state.
function Probe:add() end

---Returns the results. Flow: inside, entered, left, vanished, mass_*, rate_* [kg/s], residence [s], residence_deviation, stays, start, time. Displacement:
---msd, xx, yy, zz [m2], drift_x, drift_y, drift_z [m], grains, time since the first sample [s].
---@return table
function Probe:get() end

---Deletes all samples.
function Probe:reset() end
