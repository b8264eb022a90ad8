---@meta
-- Annotations of the argument tables of methods. tests/lua/meta.lua compares these classes with the parameter tables of the engine.
-- Defaults, units and bounds in docs/lua-api.md come from the parameter tables.

---Keys of scree.world and of a scene's `world`.
---@class scree.WorldDef
---@field gravity? number[]
---@field dt? number
---@field plane? number[]
---@field erp? number
---@field drift_time? number
---@field max_correction? number
---@field correction? "position"|"velocity"
---@field margin? number
---@field skin? number
---@field threads? integer
---@field substeps? integer
---@field reuse_contacts? boolean
---@field stepper? string
---@field correct_joints? boolean
---@field sleep? number
---@field losses? boolean
---@field cell? scree.CellDef
---@field domain? scree.DomainDef
---@field solver? scree.SolverDef

---The box in which bodies should stay. A dynamic body whose centre leaves the box is removed, ends the run, or stays; w:report().bodies_lost counts such bodies.
---@class scree.DomainDef
---@field min scree.Vec3
---@field max scree.Vec3
---@field lost? "remove"|"error"|"keep"

---The cell of a periodic world: space repeats itself along its edges (docs/cells.md).
---@class scree.CellDef
---@field size scree.Vec3
---@field periodic boolean[]
---@field origin? scree.Vec3

---@class scree.SolverDef
---@field name? string
---@field iterations? integer
---@field min_iterations? integer
---@field tolerance? number
---@field correction_iterations? integer
---@field relaxation? number
---@field warm_start? number
---@field acceleration? boolean
---@field directions? integer
---@field order? string
---@field dump? "failed"|"unmet"|"never"
---@field softness? number softness of contacts of pairs without stiffness (docs/solvers.md); 0: they are rigid
---@field contacts_per_thread? integer

---@class scree.MaterialDef
---@field name string
---@field density? number

---Keys of w:pair. The parameters of the law are keys, too; `scree.law.params(name)` and docs/laws.md list them.
---@class scree.PairDef
---@field [1]? string first material
---@field [2]? string second material
---@field a? string
---@field b? string
---@field law? string
---@field vectors? scree.Vec3[] for the law `directional`: coefficients of friction along directions
---@field restitution? number coefficient of restitution of contacts that close fast
---@field restitution_law? "stronge"|"poisson"|"newton"
---@field tangential_restitution? number fraction of the slip that a rebound reverses, within the friction cone; 1: a superball
---@field cohesion_law? "constant"|"linear"|"capillary"|"jkr"|"dmt"
---@field cohesion? number
---@field cohesion_range? number gap up to which cohesion acts [m]; default for the law `constant`: 1e-4 of the effective radius
---@field volume? number
---@field contact_angle? number
---@field tension? number
---@field work? number
---@field contact_stiffness? number stiffness of the normal spring in each contact [N/m]; contacts are rigid without this and the next three keys
---@field young? number Young's modulus of both bodies [Pa], instead of contact_stiffness
---@field hardness? number stiffness times grain diameter over mean contact force, instead of contact_stiffness
---@field softness? number compliance of the contact over that of the masses in a step, instead of contact_stiffness
---@field poisson? number Poisson's ratio of both bodies, with young
---@field stiffness_law? "linear"|"hertz" dependence of the force on the overlap, with young
---@field stiffness_ratio? number tangential over normal stiffness; by default from poisson, else 0.8
---@field relaxation_time? number time in which the spring relaxes [s]; damps its oscillation
---@field [string] any

---@alias scree.Vec3 number[]

---Prescribed motion of a kinematic body, or of the surface of a fixed body: a function of time [s] that returns three numbers or a list of them, or a
---list of { time, { x, y, z } } with rising times, linear between its entries and constant beyond them. The velocity in each step is the mean over the step.
---@alias scree.Motion (fun(t: number): ...)|any[][]

---Kind of motion of a body.
---@alias scree.Kind "dynamic"|"kinematic"|"fixed"

---@class scree.BodyKeys
---@field name? string
---@field kind? scree.Kind
---@field position? scree.Vec3
---@field orientation? number[]
---@field axis? scree.Vec3
---@field angle? number
---@field velocity? scree.Vec3|scree.Motion
---@field spin? scree.Vec3|scree.Motion
---@field surface_velocity? scree.Vec3|scree.Motion
---@field surface_spin? scree.Vec3|scree.Motion
---@field mass? number
---@field inertia? number[]
---@field centre? scree.Vec3
---@field sites? table<string, scree.Vec3>
---@field fast? boolean true: the body never passes into or through another body within a step (docs/fast.md)
---@field group? integer

---@class scree.BodyDef : scree.BodyKeys
---@field shapes? scree.ShapeDef[] required without template
---@field template? scree.Template instead of shapes, mass, inertia and centre
---@field scale? number factor of the template's lengths; default: 1

---Shapes that are copied as one grain, returned by w:template: plain data.
---@class scree.Template
---@field shapes scree.ShapeDef[]
---@field mass? number [kg]; default: mass of the union of the shapes
---@field inertia? number[] {xx, xy, xz, yy, yz, zz} about the centre of mass [kg m2]
---@field centre? scree.Vec3 centre of mass in the frame of the shapes [m]; with mass and inertia
---@field diameter? number diameter of the ball of equal volume [m]; sizes and radii of fills refer to it
---@field radius? number radius of the bounding sphere about the centre of mass [m]

---A shape of w:body and of a fill. It also has the keys of its type: radius, length, size, normal, points, triangles, file, geometry.
---@class scree.ShapeDef
---@field type string
---@field position? scree.Vec3
---@field orientation? number[]
---@field axis? scree.Vec3
---@field angle? number
---@field material? string
---@field density? number
---@field layer? integer|integer[]
---@field avoids? integer|integer[]

---A distribution of diameters (docs/grains.md): one of four by name, truncated at min and max, or a sieve curve `passing`. `by` says whether its
---shares are shares of the number or of the mass.
---@class scree.SizesDef
---@field distribution? "uniform"|"normal"|"lognormal"|"weibull"
---@field by "number"|"mass"
---@field min? number
---@field max? number
---@field mean? number
---@field deviation? number
---@field median? number
---@field geometric_deviation? number
---@field scale? number
---@field modulus? number
---@field passing? { [1]: number, [2]: number }[] shares that are finer; numbers may be "0,5 mm", "0.02 in", "40 %"
---@field retained? { [1]: number, [2]: number }[] shares that stay on each sieve, and { "pan", share }
---@field coarser? { [1]: number, [2]: number }[] shares that are coarser

---@class scree.FillDef
---@field region scree.Region
---@field lattice? "cubic"|"hexagonal"|"bcc"
---@field spacing number
---@field radius? number
---@field radius_max? number
---@field sizes? scree.SizesDef
---@field velocity? scree.Vec3
---@field jitter? number|scree.Vec3
---@field position_jitter? number
---@field material? string
---@field density? number
---@field group? integer
---@field layer? integer|integer[] layers of balls, 1 to 32; a shape or template has its own layers
---@field avoids? integer|integer[]
---@field limit? integer
---@field keep_out? scree.Region
---@field shape? scree.ShapeDef
---@field template? scree.Template grains of several shapes, in random orientations; radius and sizes are those of a ball of equal volume

---@class scree.InsertDef
---@field region scree.Region
---@field count? integer
---@field mass? number
---@field attempts? integer
---@field radius? number
---@field radius_max? number
---@field sizes? scree.SizesDef
---@field shape? scree.ShapeDef
---@field template? scree.Template grains of several shapes, in random orientations; radius and sizes are those of a ball of equal volume
---@field velocity? scree.Vec3
---@field jitter? number|scree.Vec3
---@field material? string
---@field layer? integer|integer[] layers of balls, 1 to 32; a shape or template has its own layers
---@field avoids? integer|integer[]
---@field density? number
---@field group? integer
---@field keep_out? scree.Region
---@field stream? integer
---@field first? integer

---@class scree.CountDef
---@field region? scree.Region
---@field kind? scree.Kind|"all"
---@field group? integer

---@class scree.RemoveDef
---@field region? scree.Region
---@field kind? scree.Kind|"all"
---@field group? integer
---@field joined? "refuse"|"keep"|"release"

---A box {min, max}, a ball {center, radius}, a cylinder {point, axis, radius, length} or a half-space {point, normal}.
---@class scree.Region
---@field outside? boolean
---@field min? scree.Vec3
---@field max? scree.Vec3
---@field center? scree.Vec3
---@field radius? number
---@field point? scree.Vec3
---@field axis? scree.Vec3
---@field length? number
---@field normal? scree.Vec3

---The table that a scene file returns.
---@class scree.Scene
---@field title? string
---@field params? table<string, any> defaults, or scree.Param
---@field world scree.WorldDef|fun(p: table): scree.WorldDef
---@field setup? fun(w: scree.World, p: table)
---@field before_step? fun(w: scree.World, p: table)
---@field after_step? fun(w: scree.World, p: table)
---@field every? scree.Every[]
---@field output? scree.Output
---@field forces? table
---@field stop? scree.Stop|fun(w: scree.World, p: table): boolean
---@field stop_when? string condition on columns of series.csv, e.g. "max_speed < 1 mm/s for 0.1 s"
---@field report? fun(w: scree.World, p: table, out: scree.Out): table?
---@field measure? scree.MeasureDef[] list of measurements {name=, type=, ...}: docs/measure.md
---@field view? scree.Look|fun(p: table): scree.Look?
---@field variants? fun(p: table): table[]?

---Position of a camera: by angles around the moving bodies, or explicitly.
---@class scree.Camera
---@field azimuth? number
---@field elevation? number
---@field zoom? number
---@field position? scree.Vec3
---@field target? scree.Vec3

---A camera of a path.
---@class scree.CameraAt : scree.Camera
---@field time number

---View of a scene in pictures, films and the browser.
---@class scree.Look : scree.Camera
---@field up? scree.Vec3
---@field angle? number
---@field color? string
---@field palette? "viridis"|"cividis"|"magma"|"diverging"|"grey"
---@field walls? number
---@field caption? string
---@field range? number[]
---@field size? integer[]
---@field path? scree.CameraAt[]

---A declared parameter of a scene.
---@class scree.Param
---@field default any number, text, boolean or list; a text with a unit becomes an SI number if a unit is declared
---@field unit? string SI unit; "" is a pure number
---@field min? number
---@field max? number
---@field whole? boolean true: accepts integers only
---@field choices? string[]
---@field doc? string

---@class scree.Every
---@field time? number
---@field steps? integer
---@field call fun(w: scree.World, p: table)

---@class scree.Stop
---@field time? number
---@field steps? integer

---@class scree.Output
---@field trajectory? scree.TrajectoryOutput|false
---@field series? scree.SeriesOutput|false
---@field track? scree.TrackOutput|false frames of chosen bodies in a separate file, track.scree

---@class scree.TrajectoryOutput
---@field every? number
---@field steps? integer
---@field precision? number|string
---@field fields? string[]

---Frames of chosen bodies in the file track.scree, a trajectory that contains only these bodies.
---@class scree.TrackOutput
---@field every? number
---@field steps? integer
---@field ids? integer[] ids of bodies
---@field names? string[] names of bodies
---@field groups? integer[] groups of bodies, evaluated at the time of each frame
---@field precision? number|string
---@field fields? string[]

---@class scree.SeriesOutput
---@field every? number
---@field steps? integer
---@field values? fun(w: scree.World, p: table): table<string, number|{[1]: number, [2]: string}>

---The third argument of report.
---@class scree.Out
---@field write fun(self: scree.Out, name: string, text: string)
---@field directory string
