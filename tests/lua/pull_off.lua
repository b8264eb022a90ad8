-- Each contact point transmits exactly its force of cohesion: flat faces with the default solver and range, balls over corners,
-- edges and seams, balls that roll in pipes.
local scree = require "scree"
local check = require "check"
local pulls = require "pulls"
local sweep = require "sweep"

-- random bodies, surfaces, laws and solvers: points, sum of their pulls, loads of 1 - 1e-6 and 1 + 1e-6 of that
local random = pulls.random(3)
local take = sweep.every(2)
pulls.each(function(name, on)
  if take() then pulls.try(name, on, random) end
end)
for _ = 1, 8 do
  pulls.each(function(name, on) pulls.try(name, on, random, "nbgs", true) end)
end

-- the load that pulls a heavy body off, applied slowly, with default settings: its weight plus the number of points times the force
local function torn_off(case)
  local w = scree.world { dt = case.dt, gravity = { 0, 0, -9.81 }, solver = case.solver }
  w:pair { "default", "default", mu = case.mu, cohesion = case.force }
  local s = case.size
  if case.floor == "half-space" then w:halfspace { normal = { 0, 0, 1 } } else w:box { kind = "fixed", size = { 4 * s, 4 * s, s }, position = { 0, 0, -0.5 * s } } end
  local points = {}
  for _, z in ipairs { -0.1 * s, 0.1 * s } do
    for k = 1, case.sides do
      points[#points + 1] = { 0.2 * s * math.cos(2 * math.pi * k / case.sides), 0.2 * s * math.sin(2 * math.pi * k / case.sides), z }
    end
  end
  local body = w:hull { points = points, position = { 0, 0, 0.1 * s } }
  local weight, wanted = body:mass() * 9.81, case.sides * case.force
  w:step(20)
  local load = 0
  repeat
    load = load + (weight + wanted) / 400
    body:apply { force = { 0, 0, load } }
    w:step()
    local pull = 0
    for c in w:contacts() do pull = pull + c.pull / w:dt() end
    local open = pull < wanted * (1 - 1e-9)
  until open or load > 2 * (weight + wanted)
  return (load - weight) / wanted
end
local solvers = { false, { name = "nbgs" }, { name = "newton" } }
for k, sides in ipairs { 3, 6, 8, 12, 24 } do
  for j, floor in ipairs { "half-space", "box" } do
    local case = { sides = sides, floor = floor, size = 10 ^ (2 * random() - 2), dt = 1e-3, mu = (k + j) % 3 == 0 and 0 or 0.5, solver = solvers[1 + (k + j) % 3] or nil }
    case.force = (200 + 3000 * random()) * case.size ^ 3 -- of a body of 8 to 200 size^3 N
    local share = torn_off(case)
    -- it takes some steps of growing load until the gap is wider than a ten-thousandth of the radius
    if not (share > 1 and share < 1.2) then
      error(("a prism of %d sides on a %s of size %g comes off at %.4f of points times force"):format(sides, floor, case.size, share))
    end
  end
end

-- bricks that hang below each other, and bricks that stick out from a wall: they stay where the glue suffices, and fall where it does not
local function hanging(n, safety, out, solver)
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 }, solver = solver }
  local need = out and n * n * 9.81 * 0.05 / (2 * 0.1) or n * 9.81 / 4
  w:pair { "default", "default", mu = 2, cohesion = safety * need }
  w:box { kind = "fixed", size = { 1, 1, 1 }, position = out and { -0.5, 0, 0 } or { 0, 0, 0.5 } }
  local last
  for k = 1, n do last = w:box { size = { 0.1, 0.1, 0.1 }, position = out and { 0.1 * k - 0.05, 0, 0 } or { 0, 0, -0.1 * k + 0.05 } } end
  local _, _, start = last:position()
  w:step(500)
  return start - select(3, last:position())
end
for n = 1, 5, 2 do
  for _, out in ipairs { false, true } do
    local what = ("%d bricks %s"):format(n, out and "sticking out" or "hanging")
    check.within(hanging(n, 1.2, out), 0, 1e-9, what)
    assert(hanging(n, 0.95, out) > 1e-3, what .. " hold by less than they need")
  end
end
check.within(hanging(5, 1.2, false, { name = "nbgs" }), 0, 1e-6, "bricks by sweeps")

-- Bridges of a ball that rolls in a pipe of flat strips, and the largest number of its contacts that push; with dashpots and springs, too.
local function pipe(sides, soft, law)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = soft and 1e-4 or 1e-3, stepper = soft and "penalty" or nil }
  w:pair { "default", "default", law = soft and "hooke" or nil, stiffness = soft and 1e4 or nil, mu = 0.5, cohesion_law = law,
    cohesion = law == "constant" and 1e-3 or nil, work = law == "dmt" and 0.05 or nil, volume = law == "capillary" and 1e-10 or nil,
    tension = law == "capillary" and 0.07 or nil }
  local points, triangles = {}, {}
  for k = 0, 1 do
    for i = 0, sides - 1 do
      points[#points + 1] = { 0.2 * math.cos(2 * math.pi * i / sides), k - 0.5, 0.2 * math.sin(2 * math.pi * i / sides) }
    end
  end
  for i = 0, sides - 1 do
    local j = (i + 1) % sides
    triangles[#triangles + 1] = { i + 1, j + 1, sides + i + 1 }
    triangles[#triangles + 1] = { j + 1, sides + j + 1, sides + i + 1 }
  end
  w:mesh { points = points, triangles = triangles }
  w:sphere { radius = 0.01, position = { 0, 0, -0.2 * math.cos(math.pi / sides) + 0.01 }, velocity = { 1, 0.3, 0 }, spin = { 0, -100, 0 } }
  w:step(5)
  local most, some = 0, 0
  for _ = 1, 600 do
    w:step()
    local bridges = 0
    for c in w:contacts() do
      if c.pull > 0 then bridges = bridges + 1 end
    end
    most, some = math.max(most, bridges), some + bridges
  end
  return most, some
end
for _, sides in ipairs { 24, 48, 100 } do
  for _, law in ipairs { "constant", "dmt", "capillary" } do
    local most, some = pipe(sides, false, law)
    assert(most == 1 and some > 500, ("a pipe of %d strips has up to %d bridges, law %s, in all %d"):format(sides, most, law, some))
  end
end
assert(pipe(48, true, "dmt") == 1)

-- grains over the corners of a terrain of the same pitch; hollow edges: a ball in a groove has a bridge with each side that meet at more than
-- 30 degrees, one with both that meet at less
local function bridges_of(points, triangles, centres, radius, soft)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-5, stepper = soft and "penalty" or nil }
  w:pair { "default", "default", law = soft and "hooke" or nil, stiffness = soft and 1e3 or nil, mu = 0.5, cohesion_law = "dmt", work = 0.05 }
  w:mesh { points = points, triangles = triangles }
  local wanted = 2 * math.pi * 0.05 * radius
  local balls, count, lift = {}, {}, {}
  for k, p in ipairs(centres) do
    balls[k] = w:sphere { radius = radius, position = p }
    count[balls[k]:id()] = { k, 0, 0 }
  end
  w:step()
  for c in w:contacts() do
    local ball = count[c.body1:id()] or count[c.body2:id()]
    if ball and c.pull > 0 then ball[2], ball[3] = ball[2] + 1, ball[3] + c.pull / w:dt() / wanted end
  end
  for _, ball in pairs(count) do lift[ball[1]] = { ball[2], ball[3] } end
  return lift
end
for _, height in ipairs { 0, 1e-5, 5e-4 } do
  for _, off in ipairs { 0, 1e-17, 1e-12, 1e-9, 1e-7 } do
    local n, points, triangles, centres = 9, {}, {}, {}
    for i = 0, n - 1 do
      for j = 0, n - 1 do
        local z = height * math.sin(1.3 * i) * math.cos(0.7 * j)
        points[#points + 1] = { 0.0025 * i, 0.0025 * j, z }
        centres[#centres + 1] = { 0.0025 * i + off * (i % 3 - 1), 0.0025 * j + off * (j % 2), z + 1e-3 }
      end
    end
    for i = 0, n - 2 do
      for j = 0, n - 2 do
        local a = i * n + j + 1
        triangles[#triangles + 1] = { a, a + n, a + n + 1 }
        triangles[#triangles + 1] = { a, a + n + 1, a + 1 }
      end
    end
    for k, ball in ipairs(bridges_of(points, triangles, centres, 1e-3)) do
      assert(ball[1] == 1 and math.abs(ball[2] - 1) < 1e-9, ("grain %d, off by %g, heights of %g: %d bridges, %g of one"):format(k, off, height, ball[1], ball[2]))
    end
  end
end
for _, angle in ipairs { 10, 25, 35, 60, 90 } do -- between the sides' normals
  local a = math.rad(angle / 2)
  local c, s = math.cos(a), math.sin(a)
  local points = { { -c, -1, s }, { 0, -1, 0 }, { c, -1, s }, { -c, 1, s }, { 0, 1, 0 }, { c, 1, s } }
  for _, soft in ipairs { false, true } do
    local ball = bridges_of(points, { { 1, 2, 5 }, { 1, 5, 4 }, { 2, 3, 6 }, { 2, 6, 5 } }, { { 0, 0, 0.1 / c } }, 0.1, soft)[1]
    local wanted = angle > 30 and 2 or 1
    assert(ball[1] == wanted, ("a groove of %d degrees has %d bridges"):format(angle, ball[1]))
  end
end

-- with springs a ball that sinks in over a corner of a mesh, of four tiles or of a tile and its periodic images has one: it hangs on the floor's own
-- stiffness
local function sinks(floor, off)
  local cell = floor == "image" and { size = { 1, 1, 4 }, origin = { -1, -1, -2 }, periodic = { true, true, false } } or nil
  local w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-4, stepper = "penalty", cell = cell }
  w:pair { "default", "default", law = "hooke", stiffness = 1e4, mu = 0.5, damping = 0.5 }
  if cell then w:box { kind = "fixed", size = { 1, 1, 1 }, position = { -0.5, -0.5, -0.5 } }
  elseif floor == "mesh" then
    w:mesh { points = { { -1, -1, 0 }, { 0, -1, 0 }, { 1, -1, 0 }, { -1, 0, 0 }, { 0, 0, 0 }, { 1, 0, 0 }, { -1, 1, 0 }, { 0, 1, 0 }, { 1, 1, 0 } },
      triangles = { { 1, 2, 5 }, { 1, 5, 4 }, { 2, 3, 6 }, { 2, 6, 5 }, { 4, 5, 8 }, { 4, 8, 7 }, { 5, 6, 9 }, { 5, 9, 8 } } }
  else
    for k = 0, 3 do w:box { kind = "fixed", size = { 1, 1, 1 }, position = { k % 2 - 0.5, k // 2 - 0.5, -0.5 } } end
  end
  local ball = w:sphere { radius = 0.1, mass = 1, position = { off, 0.3 * off, 0.1 } }
  w:step(3000)
  return 0.1 - select(3, ball:position())
end
for _, floor in ipairs { "mesh", "tiles", "image" } do
  for _, off in ipairs { 0, 1e-12, 1e-8, 1e-4 } do
    check.within(sinks(floor, off) / 1e-3, 1, 1e-6, ("depth on %s, off by %g"):format(floor, off))
  end
end
