---@meta scree
-- Annotations (LuaCATS) of the module, of worlds, bodies and views. Editors show them, and tools/lua-api.lua makes docs/lua-api.md from
-- them; tests/lua/meta.lua compares them with the binding.

---The engine's module: `local scree = require "scree"`.
---@class scree
---@field version string version of the program
local scree = {}

---Makes a world.
---@param def? scree.WorldDef
---@return scree.World
function scree.world(def) end

---Raises an error if a table has an unknown key, like the engine does for its own tables. The error names the nearest known key, or all.
---Returns a copy of the table in which quantities, such as `"10 kPa"`, are numbers.
---@param def table
---@param known table names, and `name = unit` for quantities, also in lists: `{ "name", stress = "Pa" }`; `{ "s", "Pa" }` for lists of { time, stress }
---@param what string name of the table in messages: `what.key is not a known key`
---@return table
function scree.check_keys(def, known, what) end

---Raises an error at the line of the scene if a value is not of this kind: `what takes a kind where, not a ...`.
---@param value any
---@param kind string result of `scree.type`, or a type of Lua such as `number`
---@param what string name of the function in messages
---@param where string|nil place of the argument in messages, such as `first`
---@param key any key that a value of the kind `table` must have; nil: no key is required
function scree.check_type(value, kind, what, where, key) end

---Returns a value with quantities converted to numbers: texts such as `"10 kPa"`, also in lists. Numbers and other values do not change.
---@param value any
---@param unit string|string[] SI unit, or several with commas; for lists of rows, such as { time, stress }, a list of units
---@param what string name of the value in messages
---@return any
function scree.quantity(value, unit, what) end

---Returns the kind of an object of scree, or nil for all other values.
---@param value any
---@return "world"|"body"|"view"|"contacts"|"profile"|"probe"|"geometry"|"trajectory"|"joint"|"cell"|"state"|nil
function scree.type(value) end

---Returns the names and parameter tables of the binding.
---@return table api `methods[object][name]` and `params[table][i]`
function scree.api() end

---Returns the types of measurements by name: doc; figures and lists (each a list of column, field, and whether it is a mean over samples);
---object (whether w:NAME makes an object that takes samples); every_step (whether this object takes a sample in every step);
---check (function(what, entry): raises an error for wrong keys or values of an entry of the list `measure`).
---@return table
function scree.measurements() end

---A world: bodies, shapes, materials, contacts. Lengths in m, masses in kg, times in s.
---@class scree.World
---@field state table plain data of the scene, saved with it
local World = {}

---Advances by count steps of dt (1 by default). A scene's callbacks must not call it, because the run makes the steps.
---@param count? integer
function World:step(count) end

---Simulated time [s].
---@return number
function World:time() end

---Number of steps so far.
---@return integer
function World:steps() end

---Time step [s].
---@return number
function World:dt() end

---Sets the time step [s], from the next step on.
---@param dt number
function World:set_dt(dt) end

---Gravity [m/s2], three numbers.
---@return number x, number y, number z
function World:gravity() end

---Sets gravity [m/s2]; three numbers or a list.
---@param x number|number[]
---@param y? number
---@param z? number
function World:set_gravity(x, y, z) end

---Number of threads of the engine. Results do not depend on it.
---@return integer
function World:threads() end

---Hash of time, step and the states of all bodies: 16 hexadecimal digits. Equal hashes mean equal bits.
---@return string
function World:hash() end

---Returns a random number in [low, high), [0, 1) by default. It comes from the stream of math.random, which depends on the run's seed.
---@param low? number
---@param high? number
---@return number
function World:random(low, high) end

---Returns the body with this name.
---@param name string
---@return scree.Body
function World:find(name) end

---Returns position, velocity, spin, orientation, mass, radius, group, kind and name of a body in one table. On several ranks
---(docs/scaling.md) the methods of a body work only for bodies that are on every rank. This method works for all bodies; all ranks must call it.
---@param body scree.Body
---@return table
function World:read(body) end

---Returns the handle of the body with an id from a view or a contact.
---@param id integer
---@return scree.Body
function World:body_of(id) end

---Adds a material. The material "default" exists already (1000 kg/m3).
---@param def scree.MaterialDef
---@return string name
function World:material(def) end

---Sets the law and its parameters between two materials: `w:pair { "glass", "steel", law = "coulomb", mu = 0.3 }`. The parameters of
---the law are keys of this table, too. Pairs that were never set use the law of "default" with itself: coulomb, mu 0.5. docs/laws.md lists the laws and
---their keys; docs/impact.md explains `restitution`, `restitution_law` and `tangential_restitution`.
---@param def scree.PairDef
function World:pair(def) end

---Returns the law and its parameters between two materials.
---@param a string
---@param b string
---@return table
function World:get_pair(a, b) end

---Computes mass, centre and inertia of the union of shapes. Returns a template for fills, inserts, feeds, inflows and `w:body{template = ...}`,
---which copy it as one grain. A template is plain data, so w.state may contain it.
---@param def scree.Template
---@return scree.Template
function World:template(def) end

---Adds a body of several shapes. Where shapes overlap, the density of the first one counts.
---@param def scree.BodyDef
---@return scree.Body
function World:body(def) end

---Adds a dense packing at rest in the cell or a box, with a given solid fraction or pressure: `scree.pack` as a method (docs/cells.md).
---@param def scree.PackDef
---@return scree.Packing
function World:pack(def) end

---Fills a region with grains on a lattice. Random numbers come from the run's seed and the lattice place. Returns the number of grains.
---@param def scree.FillDef
---@return integer
function World:fill(def) end

---Places grains at random free places of a region, one after the other, and stops at the first one without a free place. Returns the number
---placed, their mass [kg], and whether a grain found no place. To feed grains at a rate, use `require "scree.feed"`.
---@param def scree.InsertDef
---@return integer placed, number mass, boolean full
function World:insert(def) end

---Returns the number of selected bodies; dynamic bodies by default.
---@param def? scree.CountDef
---@return integer
function World:count(def) end

---Removes the selected bodies and returns their number: `w:remove { region = { min = {0.15, -1, -1} } }`. If a joint connects a selected body,
---the call raises an error and removes nothing, unless `joined` is "keep" (such bodies stay) or "release" (their joints are removed first).
---@param def scree.RemoveDef
---@return integer
function World:remove(def) end

---Returns a bulk view of all bodies: "position", "orientation", "velocity", "spin", "radius", "mass", "id", "group", "kind" or a column. Values of
---"kind" are the strings "dynamic", "kinematic" and "fixed"; all others are numbers.
---@param name string
---@return scree.View
function World:view(name) end

---Reports on the last step: time, step, bodies, dynamic, contacts, active (contacts with an impulse), rigid (active contacts that are not springs), touching, iterations, residual, kinetic, potential, energy,
---momentum, angular_momentum, penetration, mean_penetration, dissipated, elastic, work, correction, max_speed, crossed (passages into and through walls so far), held_back (moves of fast bodies that ended early so far), bodies_lost (bodies that left world.domain), rebuilds, pairs, skin, impacts, asleep, ranks, imbalance, waiting, bundle_fill, bytes_bodies,
---bytes_contacts, seconds (a table by stage); unbalanced, unbalanced_mean, unbalanced_most (unbalanced force over the load: last step, mean,
---largest of all steps), overlap, overlap_max (penetration over half a width: last step, largest so far; overlap_most is the former name) and solved. `solved` is a table: untouched, sweeps, momentum, newton, unfit, dear and moving count the islands that solver auto treated in these ways;
---again counts the steps that were solved again because the first solution added energy; gaining counts the steps whose final solution still added energy; steps counts the solves with at least one sweep; capped counts the solves that used all allowed sweeps and remained above the tolerance; softened is the step after which rigid contacts became springs, 0 if they did not.
---kinetic + potential + elastic + dissipated - work - correction is constant (docs/measure.md explains the terms).
---In a world with substeps, iterations and impacts are sums over the substeps; contacts and active also count contacts that carried an impulse in an earlier substep.
---@return table
function World:report() end

---Lists probable mistakes at walls (shapes of fixed and kinematic bodies) for the present poses. Call it before the first step. Each note is a table: `what` is
---"inside" (`count` bodies have the middle of a shape inside a solid wall), "between" (`count` bodies lie between faces of meshes whose distance is less
---than the width of the body), "turned" (`count` of `of` triangles of a solid mesh were reversed to face outwards) or "across" (`count` bodies lie across
---the surface of a mesh that is not solid; depth is the largest depth over half the width of the body along the normal). wall and first (body with the
---lowest id) are bodies, type is the shape of the wall, text is the warning. Bodies that a joint connects to the wall or that avoid its layer are ignored. `scree run`, `scree check`
---and the first step of a script print the texts.
---@return { what: "inside"|"between"|"turned"|"across", type: string, count: integer, of?: integer, depth?: number, wall: scree.Body, first?: scree.Body, text: string }[]
function World:start_notes() end

---Judges the run of the world so far. Returns a list of faults { name, value, limit }: "crossed", "overlap", "energy", "residual"
---(docs/solvers.md, Invalid runs). The list is empty if the run is valid.
---@return table
function World:faults() end

---Returns the energy dissipated so far [J]: a row for each pair of materials with losses, and the losses of joints and of falling asleep. The sum is
---`dissipated` of the report. The world must record losses (`scree.world { losses = true }`).
---@return { [integer]: { material1: string, material2: string, energy: number }, joints: number, sleep: number }
function World:losses() end

---Contacts of the last step: a list and an iterator, `for c in w:contacts() do ... end`. In a world with substeps, the list ends with the
---contacts that carried an impulse in an earlier substep and are open now.
---@return scree.Contact[]
function World:contacts() end

---Returns the faces of the contacts of the last step, sorted by their first contacts.
---@return scree.ContactFace[]
function World:contact_faces() end

---A face: the contact points of two bodies in one plane. The polygon of the face is the convex hull of these points. Points on one line are not a face.
---@class scree.ContactFace
---@field body1 scree.Body
---@field body2 scree.Body
---@field image? integer[] in a cell: image of body 2 that touches body 1, as numbers of cell edges
---@field normal number[] normal of the face's first contact, from body 2 to body 1
---@field corners number[][] corners of the polygon, counter-clockwise seen against the normal [m]
---@field area number [m2]
---@field tolerance number 1e-3 of the square root of the area, the default tolerance of cracks [m]
---@field joint? "intact"|"slipped"|"open" with the law joint

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
---@field moment number[] of rolling and torsional friction, on body 1 [N m s]: torsion along the normal, rolling perpendicular to it; 0 if the law has no moments
---@field pull number attractive impulse of cohesion along the normal, part of impulse [N s]
---@field lost? number energy dissipated in the last step [J], if the world records losses
---@field lost_since? number energy dissipated since the contact began [J]
---@field area? number tributary area of the contact in its face [m2], if a pair has a stiffness per area
---@field joint? "intact"|"slipped"|"open" state of the face, with law joint (docs/blocks.md)
---@field slip? number length of the way that the face has slid [m], with law joint
---@field state "separating"|"sticking"|"sliding" separating: no impulse; sticking: friction below its bound; sliding: friction at its bound, and slip (docs/measure.md)
---@field material1 string
---@field material2 string
---@field image? integer[] in a cell: image of body 2 that touches body 1, as numbers of cell edges
---@field index integer index in the list

---The handle of a body. It is valid until the body is removed; then every use is an error.
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

---Mass [kg]; infinite if the body is not dynamic.
---@return number
function Body:mass() end

---Inertia about the centre of mass in the body's frame [kg m2].
---@return number xx, number xy, number xz, number yy, number yz, number zz
function Body:inertia() end

---Radius of the bounding sphere [m].
---@return number
function Body:radius() end

---Group of the body, a number that the user assigns.
---@return integer
function Body:group() end

---Name, or nil.
---@return string?
function Body:name() end

---Id of the body, the one in views and files.
---@return integer
function Body:id() end

---Whether the body is dynamic, kinematic or fixed.
---@return scree.Kind
function Body:kind() end

---Whether the body still exists.
---@return boolean
function Body:alive() end

---Removes the body. All handles of it become invalid.
function Body:remove() end

---Sets the position of the centre of mass [m]; three numbers or a list.
---@param x number|number[]
---@param y? number
---@param z? number
function Body:set_position(x, y, z) end

---Sets the velocity of the centre of mass [m/s]; three numbers or a list.
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

---Makes the body dynamic, kinematic or fixed.
---@param kind scree.Kind
function Body:set_kind(kind) end

---Sets the group of the body.
---@param group integer
function Body:set_group(group) end

---Velocity of the moving surface of a fixed body, such as a conveyor belt, in world axes [m/s].
---@return number x, number y, number z
function Body:surface_velocity() end

---Angular velocity of the moving surface of a fixed body about its position, in world axes [rad/s].
---@return number x, number y, number z
function Body:surface_spin() end

---Sets the velocity of the surface of a fixed body [m/s]; three numbers or a list. All 0 stops the surface.
function Body:set_surface_velocity(x, y, z) end

---Sets the angular velocity of the surface of a fixed body about its position [rad/s].
function Body:set_surface_spin(x, y, z) end

---Applies a force [N] at the centre of mass, or at the point `at`, and a torque [N m] in the coming step, in all of its substeps. Several calls add up. `axes = "body"`: force,
---torque and point are in the body's axes; the point counts from the centre of mass.
---@param load { force?: number[], torque?: number[], at?: number[], axes?: "world"|"body" }
function Body:apply(load) end

---Converts a point from the body's frame, with the origin in the centre of mass, to the world [m].
---@param x number|number[]
---@param y? number
---@param z? number
---@return number x, number y, number z
function Body:to_world(x, y, z) end

---Converts a point from the world to the body's frame [m]. Right after its creation, `b:to_body` of the key `position` is the origin of
---the frame in which its shapes were given.
---@param x number|number[]
---@param y? number
---@param z? number
---@return number x, number y, number z
function Body:to_body(x, y, z) end

---Returns the present position of the origin [m] and the orientation (w, x, y, z) of the frame in which the body was created. Right after the creation they
---equal the keys `position` and `orientation`. `Body:position` is the centre of mass.
---@return number[] position, number[] orientation
function Body:frame() end

---Returns the present position of a point given in the frame in which the body was created [m], or of a point named in the key `sites`.
---@param x number|number[]|string
---@param y? number
---@param z? number
---@return number x, number y, number z
function Body:point(x, y, z) end

---Returns the velocity of the material point of the body at a point of the world [m/s].
---@param x number|number[]
---@param y? number
---@param z? number
---@return number x, number y, number z
function Body:velocity_at(x, y, z) end

---A bulk view: one quantity of all bodies without a table per body. It is valid until the world changes (a step, a body added or
---removed); then every use is an error. Reductions and bulk changes act on dynamic bodies only; get, set and totable on all rows.
---`#v` is the number of rows; `v[i]` is the value of a row (a list if the view has several columns).
---@class scree.View
local View = {}

---Returns the values of a row (from 1) as separate numbers.
---@param row integer
---@return number|string ...
function View:get(row) end

---Sets the values of a dynamic body's row.
---@param row integer
---@param ... number
function View:set(row, ...) end

---Returns all values in one flat list, row by row.
---@return (number|string)[]
function View:totable() end

---Number of rows.
---@return integer
function View:rows() end

---Number of columns.
---@return integer
function View:columns() end

---Returns the sum of every column.
---@return number ...
function View:sum() end

---Returns the mean of every column, or no value if there is no dynamic body.
---@return number ...
function View:mean() end

---Returns the smallest value of every column.
---@return number ...
function View:min() end

---Returns the largest value of every column.
---@return number ...
function View:max() end

---Returns the largest Euclidean norm of a row.
---@return number
function View:max_norm() end

---Adds a * other to the view.
---@param a number
---@param other scree.View
function View:axpy(a, other) end

---Adds the same values to every row.
---@param ... number
function View:add(...) end

---Multiplies every row by a number.
---@param a number
function View:scale(a) end

---Sets every row to the same values.
---@param ... number
function View:fill(...) end

return scree

