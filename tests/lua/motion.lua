-- Motions of kinematic bodies against closed forms: oscillations, spins about pivots, tables, accelerograms; states, wrong input.
local scree = require "scree"
local motion, curve, record = require "scree.motion", require "scree.curve", require "scree.record"
local check = require "check"
local fails, near = check.fails, check.within
local sin, cos, pi = math.sin, math.cos, math.pi

local function world(extra)
  local def = { gravity = { 0, 0, -10 }, dt = 1e-4, threads = 1 }
  for key, value in pairs(extra or {}) do def[key] = value end
  return scree.world(def)
end
local function add(w, extra)
  local def = { kind = "kinematic", size = { 0.1, 0.1, 0.1 } }
  for key, value in pairs(extra or {}) do def[key] = value end
  return w:box(def)
end
local function run(w, steps)
  for _ = 1, steps do motion.update(w) w:step() end
end
-- Returns the angle about y of a body, between -pi and pi.
local function angle_of(body)
  local q = { body:orientation() }
  local a = 2 * math.atan(q[3], q[1])
  return a > pi and a - 2 * pi or a <= -pi and a + 2 * pi or a
end
local function write(text)
  local name = os.tmpname()
  local f <close> = assert(io.open(name, "w"))
  f:write(text)
  return name
end

-- an oscillation of 3 mm: after 10^5 steps the position is that of the sine to 1e-12 of the amplitude
do
  local w = world()
  local body = add(w)
  motion.create(w, { body = body, translate = { direction = { 0, 0, 2 }, amplitude = "3 mm", frequency = 7.3, phase = 0.4 } })
  local largest = 0
  for k = 1, 100000 do
    motion.update(w)
    w:step()
    if k % 100 == 0 or k > 99990 then
      local _, _, z = body:position()
      local t = k * 1e-4
      largest = math.max(largest, math.abs(z - 3e-3 * (sin(2 * pi * 7.3 * t + 0.4) - sin(0.4))))
    end
  end
  assert(largest < 1e-12 * 3e-3, "off by " .. largest)
  -- velocity of the last step: the mean over the step
  local _, _, v = body:velocity()
  local t = 10
  near(v, 3e-3 * (sin(2 * pi * 7.3 * t + 0.4) - sin(2 * pi * 7.3 * (t - 1e-4) + 0.4)) / 1e-4, 1e-10, "velocity")
end

-- a spin about a pivot that moves at a constant velocity and oscillates: the centre of a rolling wheel's rim
for _, extra in ipairs { {}, { substeps = 3 }, { stepper = "second_order" } } do
  local w = world(extra)
  local body = add(w, { position = { 0, 0, 0.5 }, size = { 0.1, 0.2, 0.3 } })
  motion.create(w, { body = body, rotate = { axis = { 0, 3, 0 }, pivot = { 0, 0, 0 }, rate = "120 rpm" },
    translate = { { velocity = { 0.7, 0, 0 } }, { amplitude = { 0, 0.01, 0 }, frequency = 5 } } })
  run(w, 12345)
  local x, y, z = body:position()
  local t = 1.2345
  near(x, 0.7 * t + 0.5 * sin(4 * pi * t), 1e-12, "x of a spin about a moving pivot")
  near(y, 0.01 * sin(2 * pi * 5 * t), 1e-14, "y of an oscillation")
  near(z, 0.5 * cos(4 * pi * t), 1e-12, "z of a spin about a pivot")
  near(angle_of(body), (4 * pi * t + pi) % (2 * pi) - pi, 1e-12, "angle")
  near(select(2, body:spin()), 4 * pi, 1e-9, "spin")
end

-- two rotations: the second carries the axis of the first, as in a planetary mill
do
  local w = world { dt = 1e-3 }
  local body = add(w, { position = { 0.2, 0, 0 } })
  motion.create(w, { body = body, rotate = { { axis = { 0, 1, 0 }, rate = -9 }, { axis = { 0, 1, 0 }, pivot = { 0, 0, 0 }, rate = 2 } } })
  run(w, 800)
  local x, _, z = body:position()
  near(x, 0.2 * cos(1.6), 1e-13, "x of a planet")
  near(z, -0.2 * sin(1.6), 1e-13, "z of a planet")
  near(angle_of(body), -5.6 + 2 * pi, 1e-12, "angle of a planet")
  -- rotations about different axes do not commute: x first, then z
  local other = add(w, { position = { 0, 1, 0 } })
  motion.create(w, { body = other, start = w:time(), rotate = { { axis = { 1, 0, 0 }, pivot = { 0, 0, 0 }, rate = pi / 2 },
    { axis = { 0, 0, 1 }, pivot = { 0, 0, 0 }, rate = pi / 2 } } })
  run(w, 1000)
  near(select(3, other:position()), 1, 1e-12, "x, then z")
end

-- start, stop: the body stands still before and after
do
  local w = world { dt = 1e-2 }
  local body = add(w)
  motion.create(w, { body = body, start = 0.5, stop = "1.5 s", translate = { velocity = { 2, 0, 0 } } })
  run(w, 50)
  near((body:position()), 0, 1e-15)
  run(w, 60)
  near((body:position()), 1.2, 1e-13)
  run(w, 90)
  near((body:position()), 2, 1e-13)
  near((body:velocity()), 0, 1e-13)
  motion.remove(w, body)
  assert(#w.state.motions == 0)
  w:step(10)
  near((body:position()), 2, 1e-13)
end

-- a table: linear between its rows; the position at each row is that of the table, relative to the first
do
  local w = world { dt = 1e-2 }
  local body = add(w, { position = { 1, 0, 0 } })
  local m = motion.create(w, { body = body, time = { 0, "100 ms", 0.3 }, x = { 0.5, "60 cm", 0.2 }, angle = { 0, "90 deg", pi }, axis = { 0, 1, 0 } })
  run(w, 10)
  near((body:position()), 1.1, 1e-15, "first row")
  near(angle_of(body), pi / 2, 1e-14)
  run(w, 10)
  near((body:position()), 1 - 0.1, 1e-14, "between rows")
  near(angle_of(body), 3 * pi / 4, 1e-14)
  run(w, 30)
  near((body:position()), 0.7, 1e-14, "after the last row")
  local p, q = motion.at(m, 0.05)
  near(p[1], 1.05, 1e-15)
  near(q[3], sin(pi / 8), 1e-15)
  -- absolute: the centre of the body is where the table says
  local other = add(w, { position = { 9, 1, 0 } })
  motion.create(w, { body = other, absolute = true, start = w:time(), time = { 0, 1 }, x = { 0.5, 1 }, angle = { 0.3, 0.6 }, axis = { 0, 1, 0 } })
  near((other:position()), 0.5, 1e-15)
  near(angle_of(other), 0.3, 1e-15)
  run(w, 100)
  local x, y = other:position()
  near(x, 1, 1e-14)
  near(y, 1, 1e-14)
  near(angle_of(other), 0.6, 1e-14)
end

-- cubic interpolation reproduces a cubic, for uneven times, and integrals are exact
for _, n in ipairs { 4, 5, 9 } do
  local function f(t) return 2 - 3 * t + t ^ 2 / 2 + 4 * t ^ 3 end
  local time, value = {}, {}
  for i = 1, n do
    time[i] = 0.3 * i + 0.1 * sin(7 * i)
    value[i] = f(time[i])
  end
  local c = curve.create(time, value, "cubic")
  local v = curve.integrate(c)
  local function F(t) return 2 * t - 1.5 * t ^ 2 + t ^ 3 / 6 + t ^ 4 end
  for k = 0, 40 do
    local t = time[1] + (time[n] - time[1]) * k / 40
    near(curve.at(c, t), f(t), 1e-12 * f(time[n]), "cubic")
    near(curve.at(v, t), F(t) - F(time[1]), 1e-12 * F(time[n]), "integral of a cubic")
  end
end
do -- three points: a parabola; two: a line
  local c = curve.create({ 0, 1, 3 }, { 0, 1, 9 }, "cubic")
  near(curve.at(c, 2), 4, 1e-14)
  near(curve.at(curve.create({ 0, 2 }, { 0, 4 }, "cubic"), 1), 2, 1e-15)
  -- a spline through a sine: error of fourth order, away from the ends
  local function off(n)
    local time, value = {}, {}
    for i = 0, n do time[i + 1], value[i + 1] = 2 * pi * i / n, sin(2 * pi * i / n) end
    local s, most = curve.create(time, value, "cubic"), 0
    for k = 0, 200 do
      local t = 2 + 2 * k / 200
      most = math.max(most, math.abs(curve.at(s, t) - sin(t)))
    end
    return most
  end
  local slope = math.log(off(40) / off(80), 2)
  assert(slope > 3.7 and slope < 4.3, "order of the spline: " .. slope)
end

-- accelerograms: linear acceleration integrates to a cubic
do
  local w = world { dt = 1e-3 }
  local body = add(w)
  motion.create(w, { body = body, time = { 0, 1, 2 }, ax = { 0, 1, 0 }, units = { ax = "g" } })
  run(w, 1000)
  near((body:position()), 9.80665 / 6, 1e-13, "t^3 / 6")
  run(w, 1000)
  near((body:position()), 9.80665, 1e-12, "area of the triangle")
  run(w, 500)
  near((body:position()), 9.80665 * 1.5, 1e-12, "the last velocity goes on")
  near((body:velocity()), 9.80665, 1e-9)
end

-- corrections of the base line: the velocity t + t^2 + sin(2 pi t) of an acceleration sampled at points that cubic splines resolve
do
  local n, T = 400, 2
  local function make(b, c)
    local time, value = {}, {}
    for i = 0, n do
      local t = T * i / n
      time[i + 1], value[i + 1] = t, b + 2 * c * t + 2 * pi * cos(2 * pi * t)
    end
    return curve.create(time, value, "cubic")
  end
  -- least squares of sin(2 pi t) over 0 .. T by b1 t: b1 = 3 / T^3 * integral of t sin(2 pi t) = 3 / T^3 * (-T / (2 pi))
  local linear = curve.integrate(curve.correct(make(1.5, 0), "linear"))
  local b1 = -3 / (T * T * 2 * pi)
  for k = 0, 20 do
    local t = T * k / 20
    near(curve.at(linear, t), sin(2 * pi * t) - b1 * t, 1e-7, "linear correction")
  end
  -- quadratic: moments one = -1 / (2 pi T^2) T, two likewise with s = t / T, solved by Cramer's rule
  local one, two = -1 / (2 * pi * T), -1 / (2 * pi * T)
  local p, q = (one / 5 - two / 4) * 240, (two / 3 - one / 4) * 240
  local quadratic = curve.integrate(curve.correct(make(1.5, -0.7), "quadratic"))
  for k = 0, 20 do
    local t = T * k / 20
    near(curve.at(quadratic, t), sin(2 * pi * t) - p * t / T - q * (t / T) ^ 2, 1e-7, "quadratic correction")
  end
  -- a velocity that is such a polynomial vanishes, in both interpolations
  for _, interpolation in ipairs { "linear", "cubic" } do
    local a = curve.create({ 0, 0.5, 0.7, 2 }, { 3, 3.5, 3.7, 5 }, interpolation)
    local left = curve.integrate(curve.integrate(curve.correct(a, "quadratic")))
    for k = 0, 10 do near(curve.at(left, k / 5), 0, 1e-13, "nothing is left") end
  end
  local mean = curve.integrate(curve.correct(make(1.5, 0.3), "mean"))
  near(mean.last, 0, 1e-12, "velocity at the end")
  near(curve.at(mean, 0.5), 1.5 * 0.5 + 0.3 * 0.25 - 0.5 * (1.5 * T + 0.3 * T * T) / T, 1e-7, "mean correction")
end

-- files: names, numbers, units of the header and of the call; a header of two columns, none, decimal commas
do
  local function move(text, def, steps)
    local w = world { dt = 1e-2 }
    local name = write(text)
    def.body, def.file = add(w), name
    local fine, message = pcall(motion.create, w, def)
    os.remove(name)
    if not fine then error((message:gsub(name:gsub("%p", "%%%0"), "FILE")), 0) end
    run(w, steps or 100)
    return def.body
  end
  near((move("t [ms];x [mm]\n0;0\n500;10\n1000;30\n", {}):position()), 0.03, 1e-15)
  near((move("# a record\n0 0\n0.5 10\n1 30\n", { columns = { time = 1, x = { 2, unit = "cm" } } }):position()), 0.3, 1e-15)
  near((move("time;a (gal)\n0;100\n2;100\n", { columns = { ax = "a" } }):position()), 0.5, 1e-14)
  near((move("0,0;1,0\n1,0;1,0\n", { columns = { time = 1, ax = 2 } }):position()), 0.5, 1e-14)
  near((move("1.0\n1.0\n1.0\n", { interval = 0.5, columns = { ax = 1 } }):position()), 0.5, 1e-14)
  near((move("frame,time,x\n0,0,0\n1,0.5,1\n2,1,2\n", {}):position()), 2, 1e-14)
  near(angle_of(move("time,angle [deg]\n0,0\n1,30\n", { axis = { 0, 1, 0 } })), pi / 6, 1e-14)
  fails("FILE:4: the time 0.5 s is not after 0.5 s of the row before", move, "time,x\n0,0\n0.5,1\n0.5,2\n", {})
  fails("FILE:4: the time 0.2 s is not after 0.5 s", move, "time,x\n0,0\n0.5,1\n0.2,2\n", {})
  fails("FILE:3: x is no finite number", move, "time,x\n0,0\n0.5,none\n1,2\n", {})
  fails("there are time, x", move, "time,x\n0,0\n1,1\n", { columns = { y = "z" } })
  fails("has columns 1 to 2", move, "time,x\n0,0\n1,1\n", { columns = { y = 3 } })
  fails("'kg' is no unit of m", move, "time,x [kg]\n0,0\n1,1\n", {})
  fails("has no column or list of", move, "time,u\n0,0\n1,1\n", {})
  fails("FILE: the file is empty", move, "", {})
  fails("no line has numbers alone", move, "nothing\n", {})
end

-- jumps
do
  local time, x, spike, ramp, angle = {}, {}, {}, {}, {}
  for i = 1, 50 do
    time[i], x[i] = 0.01 * (i - 1), 0.01 * sin(0.1 * i)
    spike[i] = i == 20 and 0 or x[i]
    ramp[i] = i < 20 and 1e-5 * (i % 2) or i < 26 and 0.1 * (i - 20) or 0.5
    angle[i] = 0.3 * i % (2 * pi)
  end
  local step = { table.unpack(x) }
  for i = 31, 50 do step[i] = step[i] + 0.1 end
  local w = world()
  local body = add(w)
  local function try(def) def.body, def.time = body, time return motion.create(w, def) end
  fails("motion.table, row 31: x jumps by 0.099", try, { x = step })
  fails("row 20: y jumps by -0.009", try, { y = spike })
  fails("row 21: angle jumps by", try, { angle = angle, axis = { 0, 1, 0 } })
  fails("unwrap = true", try, { angle = angle, axis = { 0, 1, 0 } })
  local m = try { x = ramp } -- a fast motion over several rows is none
  motion.remove(w, body)
  m = try { x = step, jumps = true }
  near(motion.at(m, 0.49)[1], step[50] - step[1], 1e-15)
  motion.remove(w, body)
  m = try { angle = angle, axis = { 0, 1, 0 }, unwrap = true }
  local _, q = motion.at(m, 0.49)
  near(math.abs(2 * math.atan(q[3], q[1]) % (2 * pi)), (0.3 * 49) % (2 * pi), 1e-12, "unwrapped")
  motion.remove(w, body)
end

-- states and clones: the same bits as without a stop
do
  local function start()
    local w = world { dt = 1e-3 }
    motion.create(w, { body = add(w, { name = "b" }), rotate = { axis = { 1, 1, 0 }, pivot = { 0, 0, 1 }, rate = 3 }, translate = { time = { 0, 0.1, 1 }, z = { 0, 0.01, 0 }, interpolation = "cubic" } })
    run(w, 40)
    return w
  end
  local w = start()
  local state = w:save()
  run(w, 60)
  local hash = w:hash()
  w:restore(state)
  run(w, 60)
  assert(w:hash() == hash, "after a state")
  w:restore(state)
  local copy = w:clone()
  run(copy, 60)
  assert(copy:hash() == hash, "in a clone")
  -- a step without update
  fails("motion.update must be called before each step; 4 steps went by", function() w:step(4) motion.update(w) end)
end

-- a box on a shaken table slips where the acceleration exceeds mu g: the table's motion acts on grains
do
  local w = world { dt = 1e-3 }
  w:pair { "default", "default", mu = 0.5 }
  local plate = w:box { kind = "kinematic", size = { 2, 2, 0.1 }, position = { 0, 0, -0.05 } }
  local box = w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 0.05 } }
  motion.create(w, { body = plate, time = { 0, 1 }, ax = { 8, 8 } })
  run(w, 500)
  near((box:velocity()), 2.5, 0.02, "a box that slips")
  near((plate:position()), 1, 1e-12)
end

-- scale: of the whole motion, and of one part
do
  local w = world { dt = 1e-3 }
  local body, other, third = add(w), add(w), add(w)
  motion.create(w, { body = body, scale = 5, translate = { amplitude = { 0.1, 0, 0 }, frequency = 1 }, rotate = { axis = { 0, 1, 0 }, rate = 0.2 } })
  local parts = { { amplitude = { 0.1, 0, 0 }, frequency = 1, scale = 3 }, { velocity = { 0, 1, 0 }, scale = 0.5 }, { interval = 1, az = { 2, 2 }, scale = 4 } }
  local copy = motion.create(w, { body = other, scale = 2, translate = parts })
  assert(parts[1].scale == 3 and parts[2].scale == 0.5 and parts[3].scale == 4, "the tables of the caller do not change")
  motion.create(w, { body = third, absolute = true, scale = 2, translate = { interval = 1, x = { 7, 8 } } })
  near((third:position()), 14, 1e-13, "absolute, scaled")
  run(w, 250)
  near((body:position()), 0.5, 1e-13, "scaled sine")
  near(angle_of(body), 0.25, 1e-13, "scaled rate")
  local x, y, z = other:position()
  near(x, 0.6, 1e-13, "2 times 3") near(y, 0.25, 1e-13, "2 times 0.5") near(z, 2 * 4 * 0.25 ^ 2, 1e-12, "2 times 4")
  near((third:position()), 14.5, 1e-13, "absolute, scaled, moved")
end

-- ramp: the amplitude grows from 0 and, before stop, returns to 0; the body starts and ends at rest
do
  local w = world { dt = 1e-4 }
  local body = add(w)
  local m = motion.create(w, { body = body, start = 0.1, stop = 2.1, translate = { amplitude = { 0.3, 0, 0 }, frequency = 2, phase = 1, ramp = "500 ms" } })
  local function exact(t)
    local u = math.max(0, math.min(1, t / 0.5, (2 - t) / 0.5))
    return 0.3 * u * u * (3 - 2 * u) * sin(4 * pi * t + 1)
  end
  local fastest, last, v = 0, 0, 0
  for k = 1, 22000 do
    motion.update(w)
    w:step()
    if k % 1000 == 0 then near((body:position()), exact(k * 1e-4 - 0.1), 1e-13, "ramp") end
    v = body:velocity()
    fastest, last = math.max(fastest, math.abs(v - last)), v
  end
  -- the largest acceleration is below A (omega^2 + 2 omega 1.5/r + 6/r^2)
  assert(fastest < 1e-4 * 0.3 * ((4 * pi) ^ 2 + 2 * 4 * pi * 3 + 24), "a jump of velocity " .. fastest)
  near((body:position()), 0, 1e-13, "at rest at the end")
  near(motion.at(m, 1.1)[1], exact(1), 1e-13)
end

-- wrong input
local w = world()
local body, free = add(w), w:sphere { radius = 0.1, position = { 5, 0, 0 } }
local function refuse(text, def)
  if def.body == nil then def.body = body end
  fails(text, motion.create, w, def)
  assert(not w.state.motions or #w.state.motions == 0)
end
refuse("motion.body must be kinematic, not dynamic", { body = free, translate = { velocity = { 1, 0, 0 } } })
refuse("motion.body must be a body", { body = false, translate = { velocity = { 1, 0, 0 } } })
refuse("nothing moves the body", {})
refuse("did you mean 'rotate'", { rotat = {} })
refuse("did you mean 'velocity'", { translate = { velocty = { 1, 0, 0 } } })
refuse("motion.translate needs velocity", { translate = { frequency = 3 } })
refuse("motion.translate.frequency must be", { translate = { amplitude = { 1, 0, 0 } } })
refuse("motion.translate.velocity must be three numbers", { translate = { velocity = 3 } })
refuse("motion.rotate[2].axis has length zero", { rotate = { { axis = { 0, 0, 1 }, rate = 1 }, { axis = { 0, 0, 0 }, rate = 1 } } })
refuse("motion.rotate.axis must be three numbers", { rotate = { rate = 1 } })
refuse("motion.rotate: rate and amplitude exclude", { rotate = { axis = { 0, 0, 1 }, rate = 1, amplitude = 1 } })
refuse("move along the same axis", { time = { 0, 1 }, x = { 0, 1 }, ax = { 0, 1 } })
refuse("has 3 values and 2 times", { time = { 0, 1 }, x = { 0, 1, 2 } })
refuse("motion.table, row 2: the time 0 s is not after 0 s", { time = { 0, 0 }, x = { 0, 1 } })
refuse("interpolation must be 'linear' or 'cubic'", { time = { 0, 1 }, x = { 0, 1 }, interpolation = "spline" })
refuse("correction must be 'none', 'mean'", { time = { 0, 1 }, ax = { 0, 1 }, correction = "best" })
refuse("motion.start must be a time before motion.stop", { start = 2, stop = 1, translate = { velocity = { 1, 0, 0 } } })
refuse("motion.absolute", { absolute = true, translate = { velocity = { 1, 0, 0 } } })
refuse("motion.translate.scale must be a number", { translate = { velocity = { 1, 0, 0 }, scale = 1 / 0 } })
refuse("motion.scale must be a number", { scale = "a", translate = { velocity = { 1, 0, 0 } } })
refuse("motion.translate.ramp must be a time", { translate = { amplitude = { 1, 0, 0 }, frequency = 1, ramp = -1 } })
refuse("motion.translate.ramp must be a time, at most half of stop - start", { stop = 1, translate = { amplitude = { 1, 0, 0 }, frequency = 1, ramp = 0.6 } })
refuse("motion.translate: velocity and ramp exclude", { translate = { velocity = { 1, 0, 0 }, ramp = 1 } })
refuse("motion.translate: velocity and frequency exclude", { translate = { velocity = { 1, 0, 0 }, frequency = 1 } })
refuse("motion.rotate: rate and phase exclude", { rotate = { axis = { 0, 0, 1 }, rate = 1, phase = 1 } })
refuse("motion.translate[1].correction is for tables", { translate = { { velocity = { 1, 0, 0 }, correction = "mean" } } })
refuse("motion.interval is for tables", { interval = 0.1, translate = { velocity = { 1, 0, 0 } } })
refuse("motion.pivot is for tables", { pivot = { 0, 0, 1 }, rotate = { axis = { 0, 0, 1 }, rate = 1 } })
refuse("motion.translate.amplitude and a table exclude each other", { translate = { amplitude = { 1, 0, 0 }, interval = 1, x = { 0, 1 } } })
fails("the body has no motion", motion.remove, w, body)
motion.create(w, { body = body, rotate = { axis = { 0, 0, 1 }, rate = 1e5 } })
fails("turns a body by 10 rad", motion.update, w)
fails("has a motion already", motion.create, w, { body = body, rotate = { axis = { 0, 0, 1 }, rate = 1 } })
local name = write "a,b [mm]\n1,2\n3,x\n"
local t = scree.read_table { file = name }
os.remove(name)
assert(t.rows == 2 and t.names[1] == "a" and t.units[2] == "mm" and t.columns[1][2] == 3 and t.lines[2] == 3 and t.columns[2][2] ~= t.columns[2][2])
name = write "5\n"
t = scree.read_table { file = name }
os.remove(name)
assert(t.rows == 1 and #t.columns == 1 and t.columns[1][1] == 5)
fails("did you mean 'separator'", scree.read_table, { file = name, seperator = "," })
assert(record.is_record { ax = {} } and not record.is_record { velocity = {} })
print "motion: ok"

-- ---- an accelerogram on gravity's frame ----

do -- a free body moves against the ground by minus the displacement of the ground, plus its fall
  local T, A = 0.5, 4
  local function make(def)
    local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
    local ball = w:sphere { radius = 0.1, position = { 0, 0, 100 } }
    motion.gravity(w, def)
    return w, ball
  end
  local w, ball = make { time = { 0, T, 2 * T }, ax = { 0, A, 0 }, scale = 0.5, start = 0.1 }
  for _ = 1, 1300 do
    motion.update(w)
    w:step()
  end
  -- a triangle of height A/2 and base 2 T: velocity A T/2, displacement A T^2/2 at its end
  local way, velocity, acceleration = motion.now(w)
  local exact = A * T ^ 2 / 2 + A * T / 2 * 0.2
  check.near(way[1], exact, 1e-9, "displacement of the ground") check.near(velocity[1], A * T / 2, 1e-12, "velocity of the ground")
  check.near(acceleration[1], 0, 1e-12, "acceleration of the ground after the record")
  check.near((ball:position()), -exact, 1e-5, "a free body")
  check.near((ball:velocity()), -A * T / 2, 1e-12, "its velocity")
  local shaken = make { interval = 1, ax = { 3, 3 } }
  motion.update(shaken)
  check.near((shaken:gravity()), -3, 1e-12, "gravity of the shaken ground")
  local still, other = motion.still_gravity(shaken), motion.still_gravity(scree.world { gravity = { 1, 2, 3 } })
  for k, g in ipairs { 0, 0, -9.81 } do check.near(still[k], g) check.near(other[k], k) end
  check.fails("has a motion already", motion.gravity, w, { interval = 1, ax = { 0, 1 } })
  check.fails("x is no acceleration", make, { interval = 1, x = { 0, 1 } })
  check.fails("motion.gravity.body", make, { interval = 1, ax = { 0, 1 }, body = ball })
  check.fails("scale must be a number", make, { interval = 1, ax = { 0, 1 }, scale = "a" })
  check.fails("update must be called before each step", function()
    w:step()
    motion.update(w)
  end)
  check.fails("gravity's frame has no motion", motion.now, scree.world {})
end
do -- a body: displacement, velocity and acceleration of the last step
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  local plate = w:box { kind = "kinematic", size = { 1, 1, 1 }, position = { 5, 0, 0 } }
  motion.create(w, { body = plate, interval = 1, ax = { 3, 3, 3 }, scale = 2 })
  for _ = 1, 500 do
    motion.update(w)
    w:step()
  end
  local way, velocity, acceleration = motion.now(w, plate)
  check.near(way[1], 6 * 0.25 / 2, 1e-9, "displacement") check.near(velocity[1], 6 * 0.4995, 1e-9, "mean velocity of the step")
  check.near(acceleration[1], 6, 1e-6, "acceleration")
end
do -- displacements of named bodies as columns, also in the axes of a ground that has moved and turned
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  local ground = w:box { name = "ground", kind = "kinematic", size = { 1, 1, 1 }, position = { 1, 0, 0 } }
  local block = w:box { name = "block", size = { 1, 1, 1 }, position = { 3, 0, 0 }, orientation = { math.cos(0.2), 0, math.sin(0.2), 0 } }
  for _, column in pairs(motion.displacements(w, { "block" })) do check.near(column[1], 0, 1e-15, "first call") end
  motion.displacements(w, { "block" }, "ground")
  block:set_position(3.5, 0.25, -1)
  block:set_orientation(math.cos(0.5), 0, math.sin(0.5), 0)
  local free = motion.displacements(w, { "block" })
  check.near(free.block_x[1], 0.5) check.near(free.block_y[1], 0.25) check.near(free.block_z[1], -1)
  check.near(free.block_turn[1], 0.6) assert(free.block_x[2] == "m" and free.block_turn[2] == "rad")
  ground:set_position(1, 1, 0) -- the ground turns by 90 degrees: the block lies 2.5 m from it along x, -0.75 m along y
  ground:set_orientation(math.cos(math.pi / 4), 0, 0, math.sin(math.pi / 4))
  local on = motion.displacements(w, { "block" }, "ground")
  check.near(on.block_x[1], -0.75 - 2) check.near(on.block_y[1], -2.5) check.near(on.block_z[1], -1)
  assert(on.block_turn[1] > 1)
  check.fails('no body is called "blok"; did you mean "block"?', motion.displacements, w, { "blok" })
  check.fails('no body is called "floor"', motion.displacements, w, { "block" }, "floor")
  check.fails("motion.displacements takes a table of names second, not a nil", motion.displacements, w)
  check.fails("motion.displacements: names[2] must be the name of a body", motion.displacements, w, { "block", block })
  check.fails("motion.displacements: ground must be the name of a body", motion.displacements, w, { "block" }, ground)
end
do -- a body that has left the domain has no values any more
  local w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-2, domain = { min = { -9, -9, -1 }, max = { 9, 9, 9 } } }
  local ground = w:box { name = "ground", kind = "kinematic", size = { 1, 1, 0.1 }, position = { 5, 5, 0 } }
  local block = w:box { name = "block", size = { 1, 1, 1 } }
  local other = w:box { name = "other", size = { 1, 1, 1 }, position = { 3, 3, 5 }, velocity = { 0, 0, 5 } }
  local function read(ground_name) return motion.displacements(w, { "block", "other" }, ground_name) end
  read()
  read "ground"
  w:step(60) -- the block falls by 1.8 m
  assert(not block:alive() and other:alive())
  local columns = read()
  for _, key in ipairs { "x", "y", "z", "turn" } do
    local gone, stays = columns["block_" .. key], columns["other_" .. key]
    assert(gone[1] ~= gone[1] and gone[2] == stays[2], "no value, and the same unit")
    assert(stays[1] == stays[1])
  end
  w:restore(w:save()) -- a state has the handles of bodies that are gone
  columns = read()
  assert(columns.block_x[1] ~= columns.block_x[1] and columns.other_x[1] == 0)
  check.fails('no body is called "bock"', motion.displacements, w, { "block", "bock" })
  ground:remove()
  columns = read "ground"
  assert(columns.other_x[1] ~= columns.other_x[1], "no axes")
end
