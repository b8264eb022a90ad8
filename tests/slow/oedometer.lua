-- An oedometer: a bed of 400 balls in a smooth box under a lid, loaded to 1 MPa and unloaded to 1 kPa, with contact stiffness and with
-- rigid contacts. The moduli are compared with mean-field estimates, and the energy of springs, work and losses with sums made here.
-- usage: scree lua --trust --callback-time 10000 tests/slow/oedometer.lua [springs|rigid]
local scree = require "scree"
local servo = require "scree.servo"
local R, SIDE, HEIGHT, LOW, HIGH = 5e-3, 0.063, 0.1155, 1e3, 1e6
local K, RATIO = 1e3 * HIGH * 2 * R, 0.8 -- springs of 1e3 P d: overlaps of about 1e-3 d

local function check_within(found, expected, bound, what)
  if not (math.abs(found - expected) <= bound) then error(("%s: %g, expected %g within %g"):format(what, found, expected, bound), 2) end
end

local function make_bed(stiffness)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-4 }
  w:material { name = "wall" }
  local ratio = stiffness and RATIO
  w:pair { "default", "default", mu = 0.5, contact_stiffness = stiffness, stiffness_ratio = ratio }
  w:pair { "default", "wall", mu = 0, contact_stiffness = stiffness, stiffness_ratio = ratio }
  w:fill { region = { min = { 0, 0, 0 }, max = { SIDE, SIDE, HEIGHT } }, spacing = 2.1 * R, radius = 0.9 * R, radius_max = R, position_jitter = 0.02 * R, density = 2500 }
  local balls, solid = w:count(), 0
  for _, r in ipairs(w:view("radius"):totable()) do solid = solid + 4 / 3 * math.pi * r ^ 3 end
  for _, n in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 } } do
    w:halfspace { normal = n, material = "wall", point = { n[1] < 0 and SIDE or 0, n[2] < 0 and SIDE or 0, 0 } }
  end
  servo.wall(w, { name = "lid", axis = { 0, 0, -1 }, position = { SIDE / 2, SIDE / 2, HEIGHT + R }, size = { 0.99 * SIDE, 0.99 * SIDE, 2 * R }, area = SIDE * SIDE,
    stress = LOW, speed = 0.5, material = "wall" })
  return { world = w, balls = balls, solid = solid, done = 0 }
end

local function height(bed) return HEIGHT - servo.read(bed.world, "lid").position end

-- Steps with a stress that changes from one value to another. Returns the largest speed of the lid upwards. Adds the work of the stress to bed.done.
local function press(bed, time, from, to)
  local w, fastest = bed.world, 0
  local steps = math.floor(time / w:dt() + 0.5)
  for i = 1, steps do
    local before, stress = height(bed), from + (to - from) * i / steps
    servo.press(w, "lid", stress)
    servo.update(w)
    w:step()
    fastest = math.max(fastest, -servo.read(w, "lid").speed)
    bed.done = bed.done + stress * SIDE ^ 2 * (before - height(bed))
  end
  return fastest
end

-- Returns mean-field moduli for a strain along z: of the bed's own contacts (affine motion, an upper bound), and of isotropic contacts,
-- M = phi Z (3 k_n + 2 k_t)/(10 pi r) (Walton 1987); also Z, and the energy of the springs, sum of F_n^2/(2 k_n) + F_t^2/(2 k_t).
local function estimate(bed)
  local w, affine, inner, energy = bed.world, 0, 0, 0
  for _, c in ipairs(w:contacts()) do
    local n, p = c.normal, c.impulse
    local along, square = 0, 0
    for e = 1, 3 do along, square = along + p[e] * n[e], square + p[e] * p[e] end
    if along > 0 then
      local ball1, ball2 = c.id1 <= bed.balls, c.id2 <= bed.balls
      local a = ball1 and { c.body1:position() } or c.point
      local b = ball2 and { c.body2:position() } or c.point
      local z = a[3] - b[3]
      local across = ball1 and ball2 and RATIO or 0
      affine = affine + K * z ^ 2 * (n[3] ^ 2 + across * (1 - n[3] ^ 2))
      energy = energy + (along ^ 2 + (square - along ^ 2) / RATIO) / (2 * K * w:dt() ^ 2)
      if ball1 and ball2 then inner = inner + 1 end
    end
  end
  local volume = SIDE ^ 2 * height(bed)
  local z, phi = 2 * inner / bed.balls, bed.solid / volume
  return affine / volume, phi * z * (3 + 2 * RATIO) * K / (10 * math.pi * 0.95 * R), z, energy, phi
end

local function run(stiffness)
  local bed = make_bed(stiffness)
  local w = bed.world
  local start, mass, top = w:report().energy, 2500 * bed.solid, height(bed) -- the lid has the mass of the balls
  press(bed, 0.4, LOW, LOW)
  w:set_dt(4e-5)
  press(bed, 0.072, LOW, 0.9 * HIGH)
  local h1 = height(bed)
  press(bed, 0.008, 0.9 * HIGH, HIGH)
  local h2 = height(bed)
  press(bed, 0.01, HIGH, HIGH)
  local h3, elastic = height(bed), w:report().elastic
  local affine, walton, z, energy, phi = estimate(bed)
  local up = press(bed, 0.008, HIGH, 0.9 * HIGH)
  local h4 = height(bed)
  up = math.max(up, press(bed, 0.072, 0.9 * HIGH, LOW), press(bed, 0.01, LOW, LOW))
  local r = w:report()
  local done = bed.done - mass * 9.81 * (top - height(bed)) -- the motor also carries the weight of the lid
  local out = { up = up, loading = 0.1 * HIGH * h2 / (h1 - h2), unloading = 0.1 * HIGH * h3 / (h4 - h3), affine = affine, walton = walton,
    balance = (r.energy + r.dissipated - r.correction - r.work - start) / r.work, work = r.work / done, elastic = elastic / energy, stored = elastic / r.work,
    left = r.elastic / elastic }
  print(("%s: %d balls, phi %.3f, Z %.2f; lid up at %.4f m/s at most, height %.5f -> %.5f m; unbalanced %.1e"):format(stiffness and "springs" or "rigid",
    bed.balls, phi, z, up, h3, height(bed), r.unbalanced_mean))
  print(("  modulus %.3e Pa loading, %.3e unloading; affine %.3e, Walton %.3e"):format(out.loading, out.unloading, affine, walton))
  print(("  elastic over sum %.6f, work over that of the lid %.4f, balance %.1e of the work"):format(out.elastic, out.work, out.balance))
  return out
end

if not (arg and arg[1] == "rigid") then
  local o = run(K)
  check_within(o.elastic, 1, 1e-4, "elastic energy over the sum of the springs' energies")
  check_within(o.work, 1, 0.01, "work over that of the lid") -- the lid falls first, limited by its speed
  check_within(o.balance, 0, 1e-9, "energy balance")
  assert(o.stored > 0.1 and o.left < 1e-3, "springs store energy and give it back")
  assert(o.up < 0.05, "speed of the lid upwards")
  -- affine motion is an upper bound; balls with four contacts each slide and turn, and reach a quarter to a half of it (Makse et al. 1999)
  assert(o.loading > 0.15 * o.affine and o.loading < o.unloading, "modulus while loading")
  assert(o.unloading > 0.3 * o.affine and o.unloading < o.affine, "modulus while unloading")
  check_within(o.affine / o.walton, 1, 0.35, "affine modulus of the contacts over Walton's") -- the bed is not isotropic
end
if not (arg and arg[1] == "springs") then
  local o = run(nil)
  check_within(o.work, 1, 0.01, "work over that of the lid, rigid contacts") -- shifts of positions lift the lid
  check_within(o.balance, 0, 1e-9, "energy balance of rigid contacts")
  assert(o.up < 0.1, "speed of the lid upwards on rigid contacts")
end
