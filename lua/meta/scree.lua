---@meta scree
-- Annotations (LuaCATS) of the module, of worlds, bodies and views. They are what editors show and what docs/lua-api.md is made
-- from; tests/lua/meta.lua compares them with the binding.

---The engine's module: `local scree = require "scree"`.
---@class scree
---@field version string version of the program
local scree = {}

---Makes a world.
---@param def? scree.WorldDef
---@return scree.World
function scree.world(def) end

---Refuses a key of a table that is not known, as the engine does with its own tables: the error names the nearest known key, or all. Returns a
---copy of the table in which quantities, such as `"10 kPa"`, are numbers.
---@param def table
---@param known table names, and `name = unit` for quantities, also in lists: `{ "name", stress = "Pa" }`; `{ "s", "Pa" }` for lists of { time, stress }
---@param what string what the message calls the table: `what.key is not a known key`
---@return table
function scree.check_keys(def, known, what) end

---A value with its quantities as numbers: of a text such as `"10 kPa"`, of lists of them; numbers and other values stay.
---@param value any
---@param unit string|string[] SI unit, or several with commas; for lists of rows, such as { time, stress }, a list of units
---@param what string what the message calls the value
---@return any
function scree.quantity(value, unit, what) end

---Names and parameter tables as the binding has them.
---@return table api `methods[object][name]` and `params[table][i]`
function scree.api() end

---The kinds of measurements by name: doc, figures and lists (each a list of column, field, and whether it is a mean over samples), object
---(whether w:NAME makes an object that looks again and again) and every_step (whether that looks at every step or at samples).
---@return table
function scree.measurements() end

---Everything: bodies, shapes, materials, contacts. Lengths in m, masses in kg, times in s.
---@class scree.World
---@field state table plain data of the scene, saved with it
local World = {}

---Advances by count steps of dt (1 by default). Not to be called from a scene's callbacks: there the run steps.
---@param count? integer
function World:step(count) end

---Simulated time [s].
---@return number
function World:time() end

---Steps done so far.
---@return integer
function World:steps() end

---The step [s].
---@return number
function World:dt() end

---Changes the step [s], from the next step on.
---@param dt number
function World:set_dt(dt) end

---Gravity [m/s2], three numbers.
---@return number x, number y, number z
function World:gravity() end

---Changes gravity; three numbers or a list.
---@param x number|number[]
---@param y? number
---@param z? number
function World:set_gravity(x, y, z) end

---Threads of the engine. Results do not depend on it.
---@return integer
function World:threads() end

---Hash of time, step and the state of all bodies: 16 hexadecimal digits. Equal hashes mean equal bits.
---@return string
function World:hash() end

---A random number in [low, high), [0, 1) by default, from the run's seed; the same stream as math.random.
---@param low? number
---@param high? number
---@return number
function World:random(low, high) end

---The body of that name.
---@param name string
---@return scree.Body
function World:find(name) end

---What the methods of a body tell, in one table: position, velocity, spin, orientation, mass, radius, group, kind, name. On several ranks
---(docs/scaling.md), where a handle knows only bodies that every rank holds, all ranks ask the body's owner.
---@param body scree.Body
---@return table
function World:read(body) end

---The handle of a body by its id, as views and contacts give it.
---@param id integer
---@return scree.Body
function World:body_of(id) end

---Adds a material; the name "default" is taken (1000 kg/m3).
---@param def scree.MaterialDef
---@return string name
function World:material(def) end

---Sets the law and its parameters between two materials: `w:pair { "glass", "steel", law = "coulomb", mu = 0.3 }`. The keys of
---the law come with those of the table. Pairs that were never set use that of "default" with itself: coulomb, mu 0.5. docs/laws.md lists the laws and
---their keys; docs/impact.md explains `restitution`, `restitution_law` and `tangential_restitution`.
---@param def scree.PairDef
function World:pair(def) end

---Law and parameters in force between two materials.
---@param a string
---@param b string
---@return table
function World:get_pair(a, b) end

---Weighs shapes as one grain, to be copied by fills, inserts, feeds, inflows and `w:body{template = ...}`: mass, centre and inertia are those of the
---union. Returns plain data, which w.state may keep.
---@param def scree.Template
---@return scree.Template
function World:template(def) end

---Adds a body of several shapes; where they lie over each other, the matter of the first counts.
---@param def scree.BodyDef
---@return scree.Body
function World:body(def) end

---A dense packing at rest in the cell or a box, to a solid fraction or under a pressure: `scree.pack` as a method (docs/cells.md).
---@param def scree.PackDef
---@return scree.Packing
function World:pack(def) end

---Fills a box with grains on a lattice; random numbers come from the run's seed. Returns how many.
---@param def scree.FillDef
---@return integer
function World:fill(def) end

---Puts grains at random places of a region where nothing is in their way, one after the other, and stops at the first that finds none: returns how
---many, their mass [kg], and whether that was the end. Feeding at a rate: `require "scree.feed"`.
---@param def scree.InsertDef
---@return integer placed, number mass, boolean full
function World:insert(def) end

---Number of bodies selected: dynamic ones where kind is not given.
---@param def? scree.CountDef
---@return integer
function World:count(def) end

---Removes the bodies selected and returns how many: `w:remove { region = { min = {0.15, -1, -1} } }`. Bodies that joints hold are an error,
---and nothing goes, unless `joined` is "keep" (they stay) or "release" (their joints go first).
---@param def scree.RemoveDef
---@return integer
function World:remove(def) end

---A bulk view of all bodies: "position", "orientation", "velocity", "spin", "radius", "mass", "id", "group", "kind" or a column. Values of
---"kind" are the strings "dynamic", "kinematic" and "fixed"; all others are numbers.
---@param name string
---@return scree.View
function World:view(name) end

---Reports on the last step: time, step, bodies, dynamic, contacts, active, touching, iterations, residual, kinetic, potential, energy,
---momentum, angular_momentum, penetration, mean_penetration, dissipated, elastic, work, correction, max_speed, crossed (passages into and through walls so far), held_back (ways of fast bodies that ended early so far), bodies_lost (bodies that left world.domain), rebuilds, pairs, skin, impacts, asleep, ranks, imbalance, waiting, bundle_fill, bytes_bodies,
---bytes_contacts, seconds (a table by stage); unbalanced, unbalanced_mean, unbalanced_most (unbalanced force over the load: last step, mean,
---largest of all steps), overlap, overlap_max (depth over half a width: last step, largest so far; overlap_most is the former name) and solved. `solved` is a table: untouched, sweeps, momentum, newton, unfit, dear and moving count the islands that solver auto treated in these ways;
---again counts the steps that were solved again because their first answer added energy; gaining counts the steps whose last answer still added energy; steps counts the solves that took a sweep or more, capped those of them that used up all sweeps allowed above the tolerance.
---kinetic + potential + elastic + dissipated - work - correction is constant (docs/measure.md explains the terms).
---In a world with substeps, iterations and impacts are sums over the substeps; contacts and active also count contacts that carried an impulse in an earlier substep.
---@return table
function World:report() end

---Lists probable mistakes at walls (shapes of fixed and kinematic bodies) for the present poses. Call it before the first step. Each note is a table: `what` is
---"inside" (`count` bodies have the middle of a shape inside a solid wall), "between" (`count` bodies lie between faces of meshes that are closer than the
---body is wide), "turned" (`count` of `of` triangles of a solid mesh were turned to look outwards) or "across" (`count` bodies lie across the surface of a
---mesh that is no solid; depth is the largest depth over half a body's width along the normal); wall and first (body with the lowest id) are bodies,
---type is the wall's shape, text is the warning. Bodies that a joint connects to the wall or that avoid its layer are ignored. `scree run`, `scree check`
---and the first step of a script print the texts.
---@return { what: "inside"|"between"|"turned"|"across", type: string, count: integer, of?: integer, depth?: number, wall: scree.Body, first?: scree.Body, text: string }[]
function World:start_notes() end

---Judges the run of the world so far. Returns a list of faults { name, value, limit }: "crossed", "overlap", "energy", "residual"
---(docs/solvers.md, Invalid runs). The list is empty if the run is valid.
---@return table
function World:faults() end

---What contacts between two materials have taken of the energy so far [J], a row for each pair that has taken any, and what joints and falling asleep have. Its sum is
---`dissipated` of the report. The world must keep losses (`scree.world { losses = true }`).
---@return { [integer]: { material1: string, material2: string, energy: number }, joints: number, sleep: number }
function World:losses() end

---Contacts of the last step: a list and an iterator, `for c in w:contacts() do ... end`. In a world with substeps, contacts that carried an impulse in an
---earlier substep and have opened since come last.
---@return scree.Contact[]
function World:contacts() end

---A contact of the last step. The normal points from body 2 to body 1, impulse and moment act on body 1. In a world with substeps, impulse, moment,
---pull and lost are sums over the substeps; point, normal and gap are values of the last substep that saw the contact.
---@class scree.Contact
---@field body1 scree.Body
---@field body2 scree.Body
---@field id1 integer
---@field id2 integer
---@field point number[] [m]
---@field normal number[]
---@field gap number at the start of the step, negative where the bodies overlap [m]
---@field impulse number[] [N s]
---@field moment number[] of rolling and torsional friction, on body 1 [N m s]: torsion is its part along the normal, rolling the rest; 0 where the law has none
---@field pull number impulse by which cohesion pulls along the normal, a part of impulse [N s]
---@field lost? number energy that it took in the last step [J], where the world keeps losses
---@field lost_since? number the same since the contact began [J]
---@field state "separating"|"sticking"|"sliding" no impulse; friction below its bound; friction at its bound, and slip (docs/measure.md)
---@field material1 string
---@field material2 string
---@field index integer place in the list

---The handle of a body. It stays valid as long as the body lives; using it afterwards is an error.
---@class scree.Body
local Body = {}

---Centre of mass [m].
---@return number x, number y, number z
function Body:position() end

---Velocity of the centre of mass [m/s].
---@return number x, number y, number z
function Body:velocity() end

---Angular velocity in world axes [rad/s].
---@return number x, number y, number z
function Body:spin() end

---Orientation, a unit quaternion w, x, y, z.
---@return number w, number x, number y, number z
function Body:orientation() end

---Mass [kg]; infinite unless dynamic.
---@return number
function Body:mass() end

---Inertia about the centre of mass in the body's frame [kg m2].
---@return number xx, number xy, number xz, number yy, number yz, number zz
function Body:inertia() end

---Radius of the bounding sphere [m].
---@return number
function Body:radius() end

---The user's tag.
---@return integer
function Body:group() end

---The name, or nil.
---@return string?
function Body:name() end

---The id, as views and files have it.
---@return integer
function Body:id() end

---How it moves.
---@return scree.Kind
function Body:kind() end

---Whether the body is still there.
---@return boolean
function Body:alive() end

---Removes the body; every handle of it becomes stale.
function Body:remove() end

---Puts the centre of mass somewhere; three numbers or a list.
---@param x number|number[]
---@param y? number
---@param z? number
function Body:set_position(x, y, z) end

---@param x number|number[]
---@param y? number
---@param z? number
function Body:set_velocity(x, y, z) end

---Sets the angular velocity in world axes [rad/s].
---@param x number|number[]
---@param y? number
---@param z? number
function Body:set_spin(x, y, z) end

---Sets the orientation; four numbers or a list, normalised.
---@param w number|number[]
---@param x? number
---@param y? number
---@param z? number
function Body:set_orientation(w, x, y, z) end

---@param kind scree.Kind
function Body:set_kind(kind) end

---@param group integer
function Body:set_group(group) end

---Velocity of the surface of a fixed body, as of a conveyor belt, world axes [m/s].
---@return number x, number y, number z
function Body:surface_velocity() end

---Angular velocity of the surface of a fixed body about its position, as of a drum, world axes [rad/s].
---@return number x, number y, number z
function Body:surface_spin() end

---Lets the surface of a fixed body run [m/s]; three numbers or a list, all 0 stop it.
function Body:set_surface_velocity(x, y, z) end

---Lets the surface of a fixed body turn about its position [rad/s].
function Body:set_surface_spin(x, y, z) end

---A force [N] at the centre of mass, or at the point `at`, and a torque [N m] for the coming step, in all of its substeps; several add up. `axes = "body"`: force, torque and
---point are in the body's axes, the point from its centre of mass.
---@param load { force?: number[], torque?: number[], at?: number[], axes?: "world"|"body" }
function Body:apply(load) end

---Where a point of the body's own frame is: its axes, its origin in the centre of mass [m].
---@param x number|number[]
---@param y? number
---@param z? number
---@return number x, number y, number z
function Body:to_world(x, y, z) end

---A point of the world in the body's own frame [m]. Just after a body was made, `b:to_body(x, y, z)` of the position it was made at is the origin of
---the frame that its shapes were given in.
---@param x number|number[]
---@param y? number
---@param z? number
---@return number x, number y, number z
function Body:to_body(x, y, z) end

---The frame that the body was made in, where it is now: position of its origin [m] and orientation (w, x, y, z). Just after the making it is `position` and
---`orientation` as given; `Body:position` is the centre of mass.
---@return number[] position, number[] orientation
function Body:frame() end

---Where a point given in the frame that the body was made in is now [m], or one that `sites` named at the making.
---@param x number|number[]|string
---@param y? number
---@param z? number
---@return number x, number y, number z
function Body:point(x, y, z) end

---Velocity of the body at a point of the world [m/s].
---@param x number|number[]
---@param y? number
---@param z? number
---@return number x, number y, number z
function Body:velocity_at(x, y, z) end

---A bulk view: one kind of value of all bodies without a table per body. It holds until the world changes (a step, a body added or
---removed); then every use is an error. Reductions and bulk changes run over dynamic bodies only; get, set, totable see all rows.
---`#v` is the number of rows; `v[i]` the value of a row (a list where there are several columns).
---@class scree.View
local View = {}

---The values of a row (from 1) as separate numbers.
---@param row integer
---@return number|string ...
function View:get(row) end

---Sets the values of a dynamic body's row.
---@param row integer
---@param ... number
function View:set(row, ...) end

---All values, row after row, in one flat list.
---@return (number|string)[]
function View:totable() end

---@return integer
function View:rows() end

---@return integer
function View:columns() end

---Sum of every column.
---@return number ...
function View:sum() end

---Mean of every column; nothing where there is no dynamic body.
---@return number ...
function View:mean() end

---@return number ...
function View:min() end

---@return number ...
function View:max() end

---Largest Euclidean length of a row.
---@return number
function View:max_norm() end

---self += a * other
---@param a number
---@param other scree.View
function View:axpy(a, other) end

---Adds the same values to every row.
---@param ... number
function View:add(...) end

---Multiplies every row.
---@param a number
function View:scale(a) end

---Sets every row to the same values.
---@param ... number
function View:fill(...) end

return scree

