-- Runs scenes in other units and in other axes. Units that are powers of two change only the scale of a result and no other bit, because the code has no
-- fixed length, mass or time. In rotated axes the results are rotated, up to the tolerance of the solver. Scenes have all shapes, laws and joints, bonds
-- and a cell.
local scree = require "scree"

local DT, STEPS = 1e-3, 150
local COS, SIN = math.cos(math.pi / 4), math.sin(math.pi / 4)

-- ---- transformations ----

-- A change of units and axes. l, t, m: factors of length, time and mass; q: rotation.
local function change(l, t, m, q)
  local c = { l = l, t = t, m = m, q = q }
  function c.unit(length, time, mass) return l ^ length * t ^ (time or 0) * m ^ (mass or 0) end
  function c.turn(v)
    local w, x, y, z = table.unpack(q)
    local a, b, d = v[1], v[2], v[3]
    if x == 0 and y == 0 and z == 0 then return { a, b, d } end
    return {
      (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * d,
      2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * d,
      2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * d,
    }
  end
  function c.vector(v, length, time, mass)
    local r, f = c.turn(v), c.unit(length, time, mass)
    return { f * r[1], f * r[2], f * r[3] }
  end
  function c.place(v) return c.vector(v, 1) end
  function c.velocity(v) return c.vector(v, 1, -1) end
  function c.spin(v) return c.vector(v, 0, -1) end
  function c.orientation(p)
    p = p or { 1, 0, 0, 0 }
    local a, b, d, e = table.unpack(q)
    if b == 0 and d == 0 and e == 0 then return p end
    return { a * p[1] - b * p[2] - d * p[3] - e * p[4], a * p[2] + b * p[1] + d * p[4] - e * p[3], a * p[3] - b * p[4] + d * p[1] + e * p[2], a * p[4] + b * p[3] - d * p[2] + e * p[1] }
  end
  return c
end

-- Adds a body. lengths: keys of the shape whose values are lengths.
local function add(w, c, kind, def)
  local out = {}
  for key, value in pairs(def) do out[key] = value end
  for _, key in ipairs { "radius", "length" } do out[key] = def[key] and c.l * def[key] end
  if def.size then out.size = { c.l * def.size[1], c.l * def.size[2], c.l * def.size[3] } end
  if def.points then
    out.points = {}
    for i, p in ipairs(def.points) do out.points[i] = { c.l * p[1], c.l * p[2], c.l * p[3] } end
  end
  if def.normal then out.normal = c.turn(def.normal) else out.orientation = c.orientation(def.orientation) end
  if def.position then out.position = c.place(def.position) end
  for _, key in ipairs { "velocity", "surface_velocity" } do out[key] = def[key] and c.velocity(def[key]) end
  for _, key in ipairs { "spin", "surface_spin" } do out[key] = def[key] and c.spin(def[key]) end
  return w[kind](w, out)
end

local function world(c, def)
  local out = {}
  for key, value in pairs(def or {}) do out[key] = value end
  if def and def.plane then out.plane = c.turn(def.plane) end
  out.dt, out.gravity = c.t * ((def and def.dt) or DT), c.vector((def and def.gravity) or { 0.5, -0.3, -9.81 }, 1, -2)
  out.sleep, out.sleep_share, out.steps = def and def.sleep_share and def.sleep_share * c.unit(1, -1), nil, nil
  if out.stepper ~= "penalty" then out.solver = { tolerance = 1e-11, iterations = 3000, name = def and def.solver } else out.solver = nil end
  local w = scree.world(out)
  w.state.steps = def and def.steps or STEPS
  w:material { name = "grain", density = 1000 * c.unit(-3, 0, 1) }
  return w
end

-- ---- scenes: functions that take a change and return the world and its bodies ----

local function octahedron(s)
  local points = {}
  for k = 1, 3 do
    for _, side in ipairs { s, -s } do
      points[#points + 1] = { 0, 0, 0 }
      points[#points][k] = side * (1 + 0.1 * k)
    end
  end
  return points
end

local function heap(pair, def)
  return function(c)
    local w, bodies = world(c, def), {}
    pair(w, c)
    add(w, c, "halfspace", { normal = { 0, 0, 1 }, surface_velocity = { 0.3, 0.1, 0 }, material = "grain" })
    add(w, c, "box", { kind = "kinematic", size = { 0.3, 0.4, 0.1 }, position = { 0.4, 0.1, -0.02 }, velocity = { -0.1, 0, 0.2 }, spin = { 0, 0, 2 }, material = "grain" })
    add(w, c, "mesh", { kind = "fixed", points = { { -1, -1, 0.1 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0.05 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } }, position = { -0.9, 0.2, 0 }, material = "grain" })
    local shapes = {
      { "sphere", radius = 0.05 }, { "box", size = { 0.1, 0.08, 0.12 } }, { "capsule", radius = 0.03, length = 0.1 }, { "cylinder", radius = 0.05, length = 0.08 },
      { "cone", radius = 0.06, length = 0.1 }, { "ellipsoid", size = { 0.12, 0.08, 0.1 } }, { "superellipsoid", size = { 0.1, 0.1, 0.12 }, e1 = 0.6, e2 = 0.8 }, { "hull", points = octahedron(0.05) },
    }
    for i = 1, 16 do
      local shape = shapes[(i - 1) % 8 + 1]
      local d = { material = "grain", position = { 0.14 * (i % 5) - 0.3, 0.13 * (i % 3), 0.1 + 0.14 * (i // 5) }, velocity = { 0.1 * (i % 3), -0.02 * i, -1 }, spin = { i % 4, 2 - i % 3, 1 } }
      d.orientation = { 1, 0.1 * i, 0.3, -0.05 * i }
      local n = math.sqrt(1 + 0.01 * i * i + 0.09 + 0.0025 * i * i)
      for k = 1, 4 do d.orientation[k] = d.orientation[k] / n end
      for key, value in pairs(shape) do if key ~= 1 then d[key] = value end end
      bodies[i] = add(w, c, shape[1], d)
    end
    return w, bodies
  end
end
-- Returns a function that sets the law between grains. units: powers of length, time and mass in the unit of a key.
local function pair(keys, units)
  return function(w, c)
    local p = { "grain", "grain" }
    for key, value in pairs(keys) do
      local power = units and units[key]
      p[key] = power and value * c.unit(table.unpack(power)) or value
    end
    w:pair(p)
  end
end

local function joints(c)
  local w, bodies = world(c), {}
  local torque = c.unit(2, -2, 1)
  local function box(x, y, z, kind)
    bodies[#bodies + 1] = add(w, c, "box", { size = { 0.3, 0.06, 0.1 }, position = { x, y, z }, spin = { 0.1, 0.2 * #bodies, 0 }, velocity = { 0, 0, 0.1 * (#bodies % 3) }, kind = kind, material = "grain" })
    return bodies[#bodies]
  end
  local function join(kind, def)
    for _, key in ipairs { "at", "at_b" } do def[key] = def[key] and c.place(def[key]) end
    for _, key in ipairs { "axis", "axis_b" } do def[key] = def[key] and c.turn(def[key]) end
    w[kind](w, def)
  end
  local a, b = box(0.15, 0, 1), box(0.45, 0, 1)
  join("hinge", { a = a, at = { 0, 0, 1 }, axis = { 0, 1, 0 }, friction = 0.1 * torque })
  join("hinge", { a = b, b = a, at = { 0.3, 0, 1 }, axis = { 0, 1, 0 }, motor = { speed = 3 / c.t, force = 0.3 * torque } })
  a, b = box(0.15, 1, 1), box(0.45, 1, 1)
  join("ball", { a = a, at = { 0, 1, 1 }, friction = 0.1 * torque })
  join("universal", { a = b, b = a, at = { 0.3, 1, 1 }, axis = { 0, 1, 0 }, axis_b = { 0, 0, 1 } })
  a, b = box(0.15, 2, 1), box(0.45, 2, 1)
  join("slider", { a = a, at = { 0.15, 2, 1 }, axis = { 1, 0, 0.5 }, stiffness = 30 * c.unit(0, -2, 1), damping = 0.5 * c.unit(0, -1, 1) })
  join("fixed", { a = b, b = a, at = { 0.3, 2, 1 } })
  a, b = box(0.15, 3, 1), box(0.55, 3, 1)
  join("cylindrical", { a = a, at = { 0, 3, 1 }, axis = { 1, 0, 0 } })
  join("distance", { a = b, b = a, at = { 0.45, 3, 1 }, at_b = { 0.3, 3, 1 } })
  a, b = box(0.15, 4, 1), box(0.6, 4, 1)
  join("hinge", { a = a, at = { 0, 4, 1 }, axis = { 0, 1, 0.2 }, limits = { -0.01, 0.02 }, servo = { position = 0.3, stiffness = 20 * torque, damping = 0.3 * torque * c.t, force = 2 * torque } })
  join("spring", { a = b, b = a, at = { 0.5, 4, 1 }, at_b = { 0.3, 4, 1 }, stiffness = 40 * c.unit(0, -2, 1), damping = 0.2 * c.unit(0, -1, 1) })
  a = box(0.15, 5, 1)
  local crank = box(-0.2, 5, 1, "kinematic")
  crank:set_spin(table.unpack(c.spin { 0, 4, 0 }))
  join("ball", { a = a, b = crank, at = { 0, 5, 1 } })
  a:apply { force = c.vector({ 1, 2, 3 }, 1, -2, 1), torque = c.vector({ 0.1, 0, 0.2 }, 2, -2, 1) }
  return w, bodies
end

local function bonds(c)
  local w, row = world(c), {}
  for i = 1, 6 do row[i] = add(w, c, "sphere", { radius = 0.02, position = { 0.04 * i, 0, 0.1 }, velocity = { 0.3 * i, 0.1 * (i % 2), i == 1 and 0.2 or -1 }, kind = i == 1 and "kinematic" or nil, material = "grain" }) end
  add(w, c, "halfspace", { normal = { 0, 0, 1 }, material = "grain" })
  w:bond { bodies = row, distance = 1e-5 * c.l, young = 1e6 * c.unit(-1, -2, 1), damping = 1e-3 * c.t }
  return w, row
end

-- Chains of several lengths that fall on a floor, gears and a rack, and a ram on a carriage that strikes a body.
local function chains(c)
  local w, bodies = world(c), {}
  w:pair { "grain", "grain", mu = 0.3, restitution = 0.4 }
  add(w, c, "halfspace", { normal = { 0, 0, 1 }, material = "grain" })
  local function body(kind, def)
    def.material = "grain"
    bodies[#bodies + 1] = add(w, c, kind, def)
    return bodies[#bodies]
  end
  for n = 1, 4 do
    local last
    for i = 1, n + 1 do
      local link = body("capsule", { radius = 0.02, length = 0.1, position = { 0.12 * i, n, 0.06 + 0.02 * n }, orientation = { math.cos(0.8), 0, math.sin(0.8), 0 }, velocity = { 0, 0.1 * i, -1 }, spin = { 0.3, 0.2 * i, 0 } })
      if last or n > 2 then w:ball { a = link, b = last, at = c.place { 0.12 * i - 0.06, n, 0.06 + 0.02 * n } } end
      last = link
    end
  end
  local standing = { COS, SIN, 0, 0 }
  local one = body("cylinder", { radius = 0.2, length = 0.05, position = { 0, 6, 1 }, orientation = standing, spin = { 0, 2, 0 } })
  local two = body("cylinder", { radius = 0.1, length = 0.05, position = { 0.3, 6, 1 }, orientation = standing })
  local bar = body("box", { size = { 1, 0.05, 0.05 }, position = { 0, 6, 1.3 } })
  local y = c.turn { 0, 1, 0 }
  w:hinge { a = one, at = c.place { 0, 6, 1 }, axis = y, motor = { force = c.unit(2, -2, 1) } }
  w:hinge { a = two, at = c.place { 0.3, 6, 1 }, axis = y, armature = 0.01 * c.unit(2, 0, 1) }
  w:gear { a = one, b = two, axis = y, axis_b = y, ratio = 0.5 }
  w:slider { a = bar, at = c.place { 0, 6, 1.3 }, axis = c.turn { 1, 0, 0 }, friction = 0.2 * c.unit(1, -2, 1) }
  w:rack { a = one, b = bar, axis = y, axis_b = c.turn { 1, 0, 0 }, ratio = 0.2 * c.l }
  local carriage = body("box", { size = { 0.1, 0.1, 0.1 }, position = { -0.3, 9, 0.5 }, kind = "kinematic", velocity = { 2, 0, 0 } })
  local ram = body("sphere", { radius = 0.1, position = { 0, 9, 0.5 }, velocity = { 2, 0, 0 } })
  w:hinge { a = ram, b = carriage, at = c.place { -0.2, 9, 0.5 }, axis = c.turn { 0, 0.6, 0.8 }, limits = { -0.5, 0.5 } }
  body("sphere", { radius = 0.05, position = { 0.17, 9, 0.52 } })
  body("box", { size = { 0.1, 0.1, 0.1 }, position = { 0.4, 9.02, 0.45 } })
  return w, bodies
end

-- A planar world.
local function flat(c)
  local w, bodies = world(c, { plane = { 0, 1, 0 }, gravity = { 0.5, 0, -9.81 }, steps = 80 }), {}
  w:pair { "grain", "grain", mu = 0.4, restitution = 0.3 }
  add(w, c, "halfspace", { normal = { 0, 0, 1 }, surface_velocity = { 0.2, 0, 0 }, material = "grain" })
  for i = 1, 8 do
    local def = { material = "grain", position = { 0.11 * (i % 4), 0, 0.08 + 0.13 * (i // 4) }, orientation = { math.cos(0.1 * i), 0, math.sin(0.1 * i), 0 }, spin = { 0, i, 0 }, velocity = { 0.1 * i, 0, -1 } }
    if i % 2 == 0 then def.size = { 0.1, 0.1, 0.1 } else def.radius = 0.05 end
    bodies[i] = add(w, c, i % 2 == 0 and "box" or "sphere", def)
  end
  w:hinge { a = bodies[1], b = bodies[2], at = c.place { 0.16, 0, 0.08 }, axis = c.turn { 0, 1, 0 }, friction = 1e-3 * c.unit(2, -2, 1) }
  return w, bodies
end

-- A sheared cell. Its rotations only exchange the axes.
local function cell(c)
  local w, bodies = world(c, { gravity = { 0, 0, 0 }, cell = { size = { c.l, c.l, c.l }, periodic = { true, true, true } } }), {}
  w:pair { "grain", "grain", mu = 0.4 }
  for i = 0, 26 do
    bodies[#bodies + 1] = add(w, c, "sphere", { radius = 0.12 + 0.02 * (i % 3), material = "grain", position = { 0.33 * (i % 3) + 0.1, 0.33 * (i // 3 % 3) + 0.02 * (i % 2), 0.33 * (i // 9) + 0.15 }, velocity = { 0.1 * (i % 5), -0.1 * (i % 4), 0.05 * i } })
  end
  -- the velocity gradient L in the new axes: R L R'
  local L, rows = { { 0, 4, 0 }, { 0.5, -1, 0 }, { 0, 2, 1 } }, { c.turn { 1, 0, 0 }, c.turn { 0, 1, 0 }, c.turn { 0, 0, 1 } }
  local out = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  for i = 1, 3 do
    for j = 1, 3 do
      for a = 1, 3 do
        for b = 1, 3 do out[i][j] = out[i][j] + rows[a][i] * L[a][b] * rows[b][j] / c.t end
      end
    end
  end
  w:cell():set_velocity_gradient(out)
  return w, bodies
end

-- ---- comparison ----

-- Runs a scene. Returns states of bodies, energies and sums of impulses over all steps, in the old units and axes. Also returns the number of contacts.
local function run(scene, c)
  local w, bodies = scene(c)
  local out, back = {}, change(1 / c.l, 1 / c.t, 1 / c.m, { c.q[1], -c.q[2], -c.q[3], -c.q[4] })
  local function put(v) for k = 1, 3 do out[#out + 1] = v[k] end end
  local impulse, count = { 0, 0, 0 }, 0
  for _ = 1, w.state.steps do
    w:step()
    for contact in w:contacts() do
      local p = back.vector(contact.impulse, 1, -1, 1)
      for k = 1, 3 do impulse[k] = impulse[k] + math.abs(p[k]) end
      count = count + 1
    end
  end
  for _, b in ipairs(bodies) do
    put(back.place { b:position() })
    put(back.velocity { b:velocity() })
    put(back.spin { b:spin() })
  end
  local r, energy = w:report(), 1 / c.unit(2, -2, 1)
  for _, term in ipairs { "kinetic", "elastic", "dissipated", "work", "correction" } do out[#out + 1] = energy * r[term] end
  out[#out + 1] = r.penetration / c.l
  put(impulse)
  return out, count
end

local scenes = { -- name, scene, true: directions of friction are not rotated with the axes
  { "friction", heap(pair { mu = 0.4 }) }, { "restitution", heap(pair { mu = 0.3, restitution = 0.6 }) },
  { "rolling", heap(pair({ mu = 0.4, rolling = 0.002, torsion = 0.001 }, { rolling = { 1 }, torsion = { 1 } })) },
  { "cone", heap(pair({ law = "cone", mu = 0.4 })) }, { "max_dissipation", heap(pair({ law = "max_dissipation", mu = 0.4 })) }, { "decoupled", heap(pair({ law = "decoupled", mu = 0.4 })) },
  { "cohesion", heap(pair({ mu = 0.3, cohesion_law = "capillary", volume = 1e-8, tension = 0.5 }, { volume = { 3 }, tension = { 0, -2, 1 } })) },
  { "second order", heap(pair { mu = 0.4 }, { stepper = "second_order" }) }, { "newton", heap(pair { mu = 0.4 }, { solver = "newton" }) },
  { "substeps", heap(pair { mu = 0.4 }, { substeps = 3 }) }, { "stiffness", heap(pair({ mu = 0.4, contact_stiffness = 1e5, relaxation_time = 1e-3 }, { contact_stiffness = { 0, -2, 1 }, relaxation_time = { 0, 1 } })) },
  { "hertz", heap(pair({ mu = 0.4, young = 1e7, poisson = 0.3, stiffness_law = "hertz" }, { young = { -1, -2, 1 } })) }, { "softness", heap(pair({ mu = 0.4, hardness = 1e4 })) }, { "joints", joints }, { "bonds", bonds }, { "cell", cell },
  { "chains", chains }, { "flat", flat },
  { "poisson", heap(pair { mu = 0.3, restitution = 0.5, restitution_law = "poisson", tangential_restitution = 0.4 }) },
  { "newton's impacts", heap(pair { mu = 0.3, restitution = 0.7, restitution_law = "newton" }) },
  { "velocity correction", heap(pair { mu = 0.4 }, { correction = "velocity" }) }, { "pgs", heap(pair { mu = 0.4 }, { solver = "pgs" }) },
  { "apgd", heap(pair { law = "cone", mu = 0.4 }, { solver = "apgd", steps = 40 }) }, { "spg", heap(pair { mu = 0.4 }, { solver = "spg", steps = 40 }) },
  { "implicit", heap(pair { mu = 0.4 }, { stepper = "stewart_trinkle", steps = 40 }) }, { "sleep", heap(pair { mu = 0.4 }, { sleep_share = 0.02 }) },
  { "reuse", heap(pair { mu = 0.4 }, { substeps = 4, reuse_contacts = true }) }, { "weakening", heap(pair({ mu = 0.2, mu_static = 0.6, weakening_speed = 0.1 }, { weakening_speed = { 1, -1 } })) },
  { "penalty", heap(function(w, c) w:pair { "grain", "grain", law = "hertz", modulus = 1e6 * c.unit(-1, -2, 1), mu = 0.4, damping = 0.2, rolling_friction = 0.05 } end, { stepper = "penalty", dt = 1e-4 }) },
  { "polyhedral", heap(pair { law = "polyhedral", mu = 0.4 }), true }, { "lemke", heap(pair { law = "polyhedral", mu = 0.4 }, { solver = "lemke", steps = 12 }), true },
}
local ONE = { 1, 0, 0, 0 }
local cyclic, tilted = { 0.5, 0.5, 0.5, 0.5 }, { 0.8, 0.36, -0.48, 0 }
for _, scene in ipairs(scenes) do
  local name, make, units_only = table.unpack(scene)
  local plain, count = run(make, change(1, 1, 1, ONE))
  for what, c in pairs { units = change(16, 4, 64, ONE), ["other units"] = change(1 / 64, 1 / 4, 1 / 16, ONE) } do
    local scaled, contacts = run(make, c)
    assert(contacts == count, name .. ", " .. what .. ": contacts")
    for k, value in ipairs(plain) do assert(value == scaled[k], ("%s, %s: number %d is %.17g instead of %.17g"):format(name, what, k, scaled[k], value)) end
  end
  for what, q in pairs { cyclic = not units_only and cyclic or nil, tilted = name ~= "cell" and not units_only and tilted or nil } do
    local turned, contacts = run(make, change(1, 1, 1, q))
    local worst = 0
    for k, value in ipairs(plain) do worst = math.max(worst, math.abs(value - turned[k])) end
    -- piles amplify rounding errors, and solvers end at their tolerance
    assert(worst < 1e-4 and math.abs(contacts - count) <= 0.01 * count, ("%s, %s: %g off, %d contacts instead of %d"):format(name, what, worst, contacts, count))
  end
end
print "results do not depend on units and axes"
