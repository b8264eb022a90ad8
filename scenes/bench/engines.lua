-- Benchmark: nine scenes of bodies of about 1 m as games have them, with steps of 1/60 s. Each scene runs for
-- `rest` seconds, until its bodies are nearly at rest. Then its steps are timed. `scree bench engines` runs
-- all scenes; tests/bench/peers/engines runs other engines on them.
--
--   scree lua --trust scenes/bench/engines.lua [KEY=VALUE ...] [SCENE ...]
--
-- The script prints one row per scene (A B C W E R G H F). The time of a step is that of the fastest of four
-- windows of 20 steps: CPU time with one thread, and wall time in a second row with threads=N. Mean depth and
-- kinetic energy are those at the end: the mean penetration of overlapping contacts, and the kinetic energy
-- per body divided by m g d (d: diameter of the body's bounding sphere).
--
--   sweeps=10      sweeps of the solver per step
--   threads=1
--   rest=5         simulated time before the windows [s]
--   size=1         factor on the number of bodies
--   json=0         1: prints JSON
--   dt=1/60        step [s]
--   substeps=1
--   reuse=0        1: contacts are found once per step and move with their bodies in the substeps
--   exact=1        0: joints are satisfied by velocities alone, as in other engines
--   sleep=0        speed below which islands may fall asleep [m/s]; 0: they never do
--   solver=nbgs    auto: the default solver with its default tolerance of 1e-6
--   momentum=1     0: sweeps without momentum
--   folder=DIR     writes every scene and its state at rest as text for other engines, one file per scene
--                  with the scene's name
--   judge=FILE     reads a state that another engine has written for the named scene; prints only its mean
--                  depth and kinetic energy
--
-- Lines of a scene's text (orientations are quaternions w x y z):
--   gravity x y z
--   mu m
--   plane nx ny nz d
--   mesh nx ny cell z ...         heights z, y fastest
--   shape n                       n lines follow, each with the place px py pz of a part: `part box hx hy hz
--                                 px py pz`, `part sphere r ...`, `part capsule r h ...` (axis z, h: half the
--                                 length of the segment) or `part hull n x y z ... px py pz`
--   body shape x y z qw qx qy qz vx vy vz wx wy wz
--   ball a b x y z                a ball joint; b = -1: the world
-- A state has one line of 13 numbers per body.
local scree = require "scree"
local sqrt, floor = math.sqrt, math.floor
local opt = { sweeps = 10, threads = 1, rest = 5, size = 1, json = 0, dt = 1 / 60, substeps = 1, reuse = 0, exact = 1, sleep = 0, solver = "nbgs", folder = "", judge = "", momentum = 1 }

-- ---- scenes, as plain tables ----

local function blank(mu)
  return { gravity = { 0, 0, -9.81 }, mu = mu or 0.5, planes = { { 0, 0, 1, 0 } }, shapes = {}, bodies = {}, balls = {} }
end

local function walls(s, half)
  for _, n in ipairs { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do table.insert(s.planes, { n[1], n[2], 0, -half }) end
  return s
end

local function part(kind, ...) return { kind = kind, at = { 0, 0, 0 }, ... } end

local function shape(s, ...)
  table.insert(s.shapes, { ... })
  return #s.shapes
end

local function body(s, kind, x, y, z, q)
  table.insert(s.bodies, { kind, x, y, z, q and q[1] or 1, q and q[2] or 0, q and q[3] or 0, q and q[4] or 0, 0, 0, 0, 0, 0, 0 })
  return #s.bodies
end

local function turned()
  local q, sum = {}, 0
  for k = 1, 4 do q[k] = 2 * math.random() - 1 end
  for k = 1, 4 do sum = sum + q[k] ^ 2 end
  for k = 1, 4 do q[k] = q[k] / sqrt(sum) end
  return q
end

-- Adds `count` bodies on a cubic lattice with random orientations. row: number of bodies along x and along y.
-- a: lattice constant [m].
local function lattice(s, count, row, a, kind, low)
  for i = 0, count - 1 do
    local x, y, z = i % row, i // row % row, i // (row * row)
    body(s, kind, (x - (row - 1) / 2 + 0.05 * math.random()) * a, (y - (row - 1) / 2 + 0.05 * math.random()) * a, (low or 0) + (z + 0.6) * a, turned())
  end
  return s
end

-- Returns a scene of `count` bodies in an open box. The bodies fill the box to a height of about half of its
-- width.
local function pile(count, diameter, make)
  local row = math.max(2, floor((1.5 * count) ^ (1 / 3)))
  local s = walls(blank(), row * diameter * 0.55)
  return lattice(s, count, row, diameter * 1.05, make(s))
end

local function icosahedron(r)
  local golden, points = (1 + sqrt(5)) / 2, {}
  local f = r / sqrt(1 + golden ^ 2)
  for i = 0, 11 do
    local p, axis = { 0, 0, 0 }, i // 4
    p[axis + 1] = (i % 2 * 2 - 1) * f
    p[(axis + 1) % 3 + 1] = (i // 2 % 2 * 2 - 1) * golden * f
    table.move(p, 1, 3, #points + 1, points)
  end
  return points
end

-- Adds a mesh of hills in a shallow bowl, as heights on a grid.
local function hills(s, cells, a)
  local mesh = { cells + 1, cells + 1, a }
  for i = 0, cells do
    for k = 0, cells do
      local x, y = (i - cells / 2) * a, (k - cells / 2) * a
      mesh[#mesh + 1] = 0.6 * math.sin(0.7 * x) * math.cos(0.6 * y) + 0.004 * (x * x + y * y)
    end
  end
  s.planes, s.mesh = {}, mesh
end

local function ragdoll(s, x, y, z, k)
  local upright = { 1, 0, 0, 0 }
  local function at(kind, dx, dy, dz) return body(s, kind, x + dx, y + dy, z + dz, upright) end
  local function tie(a, b, dx, dy, dz) table.insert(s.balls, { a, b, x + dx, y + dy, z + dz }) end
  local chest, pelvis, head = at(k.chest, 0, 0, 0.4), at(k.pelvis, 0, 0, 0), at(k.head, 0, 0, 0.8)
  tie(pelvis, chest, 0, 0, 0.14)
  tie(head, chest, 0, 0, 0.64)
  for side = -1, 1, 2 do
    local upper, lower = at(k.arm, 0, 0.3 * side, 0.35), at(k.arm, 0, 0.3 * side, -0.05)
    tie(upper, chest, 0, 0.24 * side, 0.55)
    tie(lower, upper, 0, 0.3 * side, 0.15)
    local thigh, shin = at(k.leg, 0, 0.11 * side, -0.35), at(k.leg, 0, 0.11 * side, -0.8)
    tie(thigh, pelvis, 0, 0.11 * side, -0.12)
    tie(shin, thigh, 0, 0.11 * side, -0.575)
  end
end

local scenes = {
  { "A", "boxes in a box", function(n) return pile(n(2000), 1.5, function(s) return shape(s, part("box", 0.5, 0.5, 0.5)) end) end },
  { "B", "capsules", function(n) return pile(n(8000), 1, function(s) return shape(s, part("capsule", 0.25, 0.25)) end) end },
  { "C", "icosahedra", function(n)
    return pile(n(2000), 1, function(s)
      local hull = part("hull", 12)
      table.move(icosahedron(0.5), 1, 36, 2, hull)
      return shape(s, hull)
    end)
  end },
  { "W", "a wall of bricks", function(n)
    local s, rows = blank(), 20
    local row = n(800) // rows
    local brick = shape(s, part("box", 0.5, 0.25, 0.25))
    for z = 0, rows - 1 do
      for i = 0, row - 1 do body(s, brick, i * 1.01 + (z % 2) * 0.5, 0, 0.25 + 0.5 * z) end
    end
    return s
  end },
  { "E", "chains of 20 links", function(n)
    local s, links, a = blank(), 20, 0.6
    s.planes = {}
    local link, sine = shape(s, part("capsule", 0.1, 0.15)), 0.5
    local cosine, q = sqrt(1 - sine ^ 2), { math.cos(math.pi / 12), 0, -math.sin(math.pi / 12), 0 }
    for i = 0, n(100) - 1 do
      local x, y, above = i % 10 * 2, i // 10 * 2, -1
      for k = 0, links - 1 do
        local r = a * (k + 0.5)
        local now = body(s, link, x + r * sine, y, -r * cosine, q)
        table.insert(s.balls, { now, above, x + (r - a / 2) * sine, y, -(r - a / 2) * cosine })
        above = now
      end
    end
    return s
  end },
  { "R", "ragdolls", function(n)
    local s = walls(blank(), 8)
    local kind = { chest = shape(s, part("box", 0.1, 0.17, 0.22)), pelvis = shape(s, part("box", 0.1, 0.16, 0.1)), head = shape(s, part("sphere", 0.12)),
      arm = shape(s, part("capsule", 0.05, 0.12)), leg = shape(s, part("capsule", 0.07, 0.13)) }
    for i = 0, n(500) - 1 do ragdoll(s, (i % 10 - 4.5) * 1.4, (i // 10 % 10 - 4.5) * 1.4, 1.2 + i // 100 * 2.2, kind) end
    return s
  end },
  { "G", "boxes on 20000 triangles", function(n)
    local s = blank()
    hills(s, 100, 1)
    local box = shape(s, part("box", 0.5, 0.5, 0.5))
    return lattice(s, n(2000), 26, 1.9, box, 4)
  end },
  { "H", "L-shaped compounds", function(n)
    return pile(n(1000), 1.6, function(s)
      local list = {}
      for i, o in ipairs { { -1, -1 }, { 2, -1 }, { -1, 2 } } do
        list[i] = part("box", 0.25, 0.25, 0.25)
        list[i].at = { o[1] / 6, o[2] / 6, 0 }
      end
      return shape(s, table.unpack(list))
    end)
  end },
  { "F", "spheres", function(n) return pile(n(8000), 1, function(s) return shape(s, part("sphere", 0.5)) end) end },
}

-- ---- a scene as a world of scree ----

local function made_part(p)
  if p.kind == "box" then return { type = "box", size = { 2 * p[1], 2 * p[2], 2 * p[3] }, position = p.at } end
  if p.kind == "sphere" then return { type = "sphere", radius = p[1], position = p.at } end
  if p.kind == "capsule" then return { type = "capsule", radius = p[1], length = 2 * p[2], position = p.at } end
  local points = {}
  for i = 2, #p, 3 do points[#points + 1] = { p[i], p[i + 1], p[i + 2] } end
  return { type = "hull", geometry = scree.geometry.hull { points = points }, position = p.at }
end

local function ground(w, mesh)
  local nx, ny, a, points, triangles = mesh[1], mesh[2], mesh[3], {}, {}
  for i = 0, nx - 1 do
    for k = 0, ny - 1 do points[#points + 1] = { (i - (nx - 1) / 2) * a, (k - (ny - 1) / 2) * a, mesh[4 + i * ny + k] } end
  end
  for i = 0, nx - 2 do
    for k = 1, ny - 1 do
      local p = i * ny + k
      table.insert(triangles, { p, p + ny, p + 1 })
      table.insert(triangles, { p + ny, p + ny + 1, p + 1 })
    end
  end
  w:mesh { points = points, triangles = triangles }
end

local function world(s, dt, threads)
  local sweeps, fixed = math.tointeger(opt.sweeps), opt.solver ~= "auto" and opt.sleep == 0 -- fixed: every step makes all sweeps
  local w = scree.world { gravity = s.gravity, dt = dt, threads = threads, substeps = math.tointeger(opt.substeps),
    reuse_contacts = opt.reuse ~= 0, correct_joints = opt.exact ~= 0, sleep = opt.sleep,
    solver = fixed and { name = opt.solver, iterations = sweeps, min_iterations = sweeps, tolerance = 0, acceleration = opt.momentum ~= 0 } or { name = opt.solver, iterations = sweeps } }
  w:pair { "default", "default", law = "coulomb", mu = s.mu }
  for _, p in ipairs(s.planes) do w:halfspace { normal = { p[1], p[2], p[3] }, point = { p[1] * p[4], p[2] * p[4], p[3] * p[4] } } end
  if s.mesh then ground(w, s.mesh) end
  local kinds, bodies = {}, {}
  for i, parts in ipairs(s.shapes) do
    kinds[i] = {}
    for k, p in ipairs(parts) do kinds[i][k] = made_part(p) end
  end
  for i, b in ipairs(s.bodies) do
    bodies[i] = w:body { shapes = kinds[b[1]], position = { b[2], b[3], b[4] }, orientation = { b[5], b[6], b[7], b[8] }, velocity = { b[9], b[10], b[11] },
      spin = { b[12], b[13], b[14] } }
  end
  return w, bodies
end

-- Creates the joints. Bodies must lie where they were created; a state is applied afterwards.
local function tie(w, s, bodies)
  for _, j in ipairs(s.balls) do w:ball { a = bodies[j[1]], b = bodies[j[2]], at = { j[3], j[4], j[5] } } end
end

local function state(b)
  local row = { b:position() }
  for _, verb in ipairs { "orientation", "velocity", "spin" } do table.move({ b[verb](b) }, 1, 4, #row + 1, row) end
  return row
end

-- ---- scenes as text for other engines, and states of other engines ----

local function write(s, bodies, path)
  local file <close> = assert(io.open(path, "w"))
  local function line(word, ...)
    local numbers = {}
    for i, x in ipairs { ... } do numbers[i] = math.type(x) and ("%.17g"):format(x) or x end
    file:write(word, " ", table.concat(numbers, " "), "\n")
  end
  line("gravity", table.unpack(s.gravity))
  line("mu", s.mu)
  for _, p in ipairs(s.planes) do line("plane", table.unpack(p)) end
  if s.mesh then line("mesh", table.unpack(s.mesh)) end
  for _, parts in ipairs(s.shapes) do
    line("shape", #parts)
    for _, p in ipairs(parts) do
      local row = { p.kind, table.unpack(p) }
      line("part", table.unpack(table.move(p.at, 1, 3, #row + 1, row)))
    end
  end
  for _, b in ipairs(s.bodies) do line("body", b[1] - 1, table.unpack(b, 2)) end
  for _, j in ipairs(s.balls) do line("ball", j[1] - 1, j[2] < 0 and -1 or j[2] - 1, j[3], j[4], j[5]) end
  for _, b in ipairs(bodies) do line("state", table.unpack(state(b))) end
end

-- Returns the total kinetic energy divided by the sum of m g d. d: diameter of the bounding sphere of a body.
local function motion(w, bodies)
  local weight = 0
  for _, b in ipairs(bodies) do weight = weight + b:mass() * 9.81 * 2 * b:radius() end
  return w:report().kinetic / weight
end

local function judge(s, path)
  local w, bodies = world(s, 1e-9, 1)
  local c = scree.read_table { file = path }.columns
  for i, b in ipairs(bodies) do
    b:set_position(c[1][i], c[2][i], c[3][i])
    b:set_orientation(c[4][i], c[5][i], c[6][i], c[7][i])
    b:set_velocity(c[8][i], c[9][i], c[10][i])
    b:set_spin(c[11][i], c[12][i], c[13][i])
  end
  tie(w, s, bodies)
  local energy = motion(w, bodies)
  w:step(1)
  print(("%.2g %.2g"):format(w:report().mean_penetration, energy))
end

-- ---- time ----

-- Times a window of steps. Returns the seconds per step, and the seconds of each stage in proportion to the
-- wall times of the stages. The seconds are CPU time with one thread, wall time with several threads.
local function window(w, steps, threads)
  local before, start, sum, stages = w:report().seconds, os.clock(), 0, {}
  w:step(steps)
  local cost = (os.clock() - start) / steps
  for name, seconds in pairs(w:report().seconds) do
    stages[name] = (seconds - (before[name] or 0)) / steps
    sum = sum + stages[name]
  end
  if threads > 1 then cost = sum end
  for name, seconds in pairs(stages) do stages[name] = sum > 0 and seconds * cost / sum or 0 end
  return cost, stages
end

-- Returns the times of the fastest of four windows.
local function timed(w, steps, threads)
  local least, stages = math.huge, nil
  for _ = 1, 4 do
    local cost, now = window(w, steps, threads)
    if cost < least then least, stages = cost, now end
  end
  return least, stages
end

local function measure(name, title, s, threads)
  local w, bodies = world(s, opt.dt, threads)
  tie(w, s, bodies)
  w:step(math.ceil(opt.rest / opt.dt))
  if opt.folder ~= "" then write(s, bodies, opt.folder .. "/" .. name) end
  local seconds, stages = timed(w, opt.size < 1 and 2 or 20, threads)
  local r = w:report()
  return { name = name, title = title, threads = threads, bodies = #bodies, contacts = r.contacts, seconds = seconds, stages = stages, depth = r.mean_penetration,
    kinetic = motion(w, bodies), hash = w:hash(), ns = 1e9 * stages.solve / opt.sweeps / math.max(r.contacts, 1) }
end

local function print_row(r)
  print(("| %s %d %s | %d | %.4g | %.2f | %.2f | %.1f | %d | %.2g | %.2g |"):format(r.name, r.bodies, r.title, r.threads, 1e3 * r.seconds, 1e3 * r.stages.narrow,
    1e3 * r.stages.solve, r.ns, r.contacts, r.depth, r.kinetic))
end

local function json(r)
  local stages = {}
  for name, seconds in pairs(r.stages) do stages[#stages + 1] = ('"%s": %.4g'):format(name, seconds) end
  table.sort(stages)
  return ('{"name": "engines", "scene": "%s", "title": "%s", "threads": %d, "iterations": %d, "bodies": %d, "contacts": %d, "seconds_per_step": %.4g, '
    .. '"ns_per_contact_iteration": %.4g, "mean_depth": %.4g, "kinetic": %.4g, "seconds_by_stage": {%s}, "hash": "%s"}'):format(r.name, r.title, r.threads,
    opt.sweeps, r.bodies, r.contacts, r.seconds, r.ns, r.depth, r.kinetic, table.concat(stages, ", "), r.hash)
end

-- ---- the command line ----

local wanted = {}
for _, word in ipairs(arg) do
  local key, value = word:match "^([%w_]+)=(.*)$"
  if not key then
    wanted[word] = true
  elseif opt[key] == nil then
    error(("there is no key '%s'"):format(key), 0)
  else
    opt[key] = type(opt[key]) == "string" and value or assert(load("return " .. value))()
  end
end
local known = {}
for _, entry in ipairs(scenes) do known[entry[1]] = true end
for name in pairs(wanted) do
  if not known[name] then error(("there is no scene '%s'; the scenes are A B C W E R G H F"):format(name), 0) end
end

local rows, threads = {}, math.tointeger(opt.threads)
if opt.json == 0 and opt.judge == "" then
  print(("%d sweeps, dt %.4g s"):format(opt.sweeps, opt.dt))
  print "\n| scene | threads | ms a step | narrow | solve | ns a contact and sweep | contacts | mean depth [m] | kinetic / m g d |"
  print "|---|---|---|---|---|---|---|---|---|"
end

-- Measures a scene and prints its row. Raises an error if the final state depends on the number of threads.
local function run(name, title, s, count)
  local row = measure(name, title, s, count)
  if rows[#rows] and rows[#rows].name == name and rows[#rows].hash ~= row.hash then
    error(name .. ": the state differs between numbers of threads that must agree to the bit", 0)
  end
  rows[#rows + 1] = row
  if opt.json == 0 then print_row(row) end
end

for _, entry in ipairs(scenes) do
  local name, title, make = table.unpack(entry)
  if next(wanted) == nil or wanted[name] then
    math.randomseed(1)
    local s = make(function(count) return math.max(floor(count * opt.size), 20) end)
    if opt.judge ~= "" then return judge(s, opt.judge) end
    run(name, title, s, 1)
    if threads > 1 then run(name, title, s, threads) end
  end
end
if opt.json ~= 0 then
  for i, row in ipairs(rows) do rows[i] = json(row) end
  print("[" .. table.concat(rows, ",\n ") .. "]")
end
