-- Flows: rates over an interval and over a window against known streams, planes across a periodic cell, columns of a series.
local scree = require "scree"

local function near(a, b, tolerance, what)
  if not (math.abs(a - b) <= tolerance) then error(("%s: %.17g, not %.17g"):format(what or "value", a, b), 2) end
end

-- Eight balls of 1 kg in a row along x, 1/8 m apart, in a cell of 1 m: at a speed of 0.5 m/s four of them pass any plane each second.
local function stream(speed, normal)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1 / 256, cell = { size = { 1, 1, 1 }, periodic = { true, true, false } } }
  for k = 0, 7 do w:sphere { radius = 0.05, mass = 1, position = { (k + 0.5) / 8, 0.5, 0.5 }, velocity = { speed, 0, 0 } } end
  local planes = {}
  for _, x in ipairs { 0, 0.3, 1, -2, 1.7 } do
    planes[#planes + 1] = w:flow { region = { point = { x, 0, 0 }, normal = normal or { 1, 0, 0 } } }
  end
  return w, planes
end
local function look(planes) for _, p in ipairs(planes) do p:add() end end

for _, speed in ipairs { 0.5, -0.5 } do
  for _, side in ipairs { 1, -1 } do
    local w, planes = stream(speed, { 2 * side, 0, 0 })
    look(planes)
    for _ = 1, 512 do
      w:step()
      look(planes)
    end
    for _, p in ipairs(planes) do
      local r = p:get()
      local through, back = r.left, r.entered
      if speed * side < 0 then through, back = back, through end
      assert(through == 8 and back == 0, ("%d along, %d against the normal"):format(through, back))
      assert(r.mass_left == r.left and r.mass_entered == r.entered and r.stays == 0)
      near(speed * side > 0 and r.rate_left or r.rate_entered, 4, 1e-9, "rate of a stream")
    end
  end
end

-- A plane along all periodic edges, and one across two: bodies whose wrapped positions lie behind a plane are counted, as without a cell.
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1 / 64, cell = { size = { 1, 1, 1 }, periodic = { true, true, false } } }
  for k = 0, 3 do w:sphere { radius = 0.05, mass = 1, position = { 0.2 + 0.2 * k, 0.5, 0.1 }, velocity = { 0, 0, 0.5 } } end
  local up = w:flow { region = { point = { 0, 0, 0.35 }, normal = { 0, 0, 1 } } }
  up:add()
  for _ = 1, 64 do w:step() up:add() end
  local r = up:get()
  assert(r.left == 4 and r.entered == 0 and r.inside == 0)
end

-- A region that is no plane, in a cell: grains come in through the face, and go.
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1 / 64, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }
  w:sphere { radius = 0.05, mass = 1, position = { 0.9, 0.5, 0.5 }, velocity = { 0.5, 0, 0 } }
  local box = w:flow { region = { min = { 0, 0, 0 }, max = { 0.25, 1, 1 } } }
  box:add()
  for _ = 1, 128 do w:step() box:add() end
  local r = box:get()
  assert(r.entered == 1 and r.left == 1 and r.stays == 1)
  near(r.residence, 0.5, 2 / 64, "residence")
end

-- Rates since the last call of get, and over a window. The stream starts after 1 s and stops after 2 s.
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1 / 256 }
  for k = 0, 15 do w:sphere { radius = 0.01, mass = 1, position = { -0.5 - (k + 0.5) / 32, 0, 0 }, velocity = { 0.5, 0, 0 } } end
  local region = { point = { 0, 0, 0 }, normal = { 1, 0, 0 } }
  local plain, short, long = w:flow { region = region }, w:flow { region = region, window = 0.25 }, w:flow { region = region, window = "1 s" }
  local got = { plain = {}, short = {}, long = {} }
  for step = 0, 768 do
    plain:add() short:add() long:add()
    if step % 64 == 0 and step > 0 then
      local at = step // 64
      got.plain[at], got.short[at], got.long[at] = plain:get(), short:get(), long:get()
      local again = plain:get()
      assert(again.rate_left == got.plain[at].rate_left) -- asked again it says the same
    end
    w:step()
  end
  for at = 1, 12 do -- quarters of a second
    local flows = at > 4 and at <= 8
    near(got.plain[at].rate_left, flows and 16 or 0, 1e-9, "rate of an interval")
    near(got.short[at].rate_left, flows and 16 or 0, 1e-9, "rate of a window")
    near(got.long[at].rate_left, 16 * (at <= 4 and 0 or at <= 8 and (at - 4) / 4 or (12 - at) / 4), 1e-9, "rate of a long window")
    assert(got.plain[at].rate_entered == 0 and got.plain[at].mass_left == got.long[at].mass_left)
  end
  plain:reset()
  local r = plain:get()
  assert(r.left == 0 and r.mass_left == 0 and r.rate_left == 0)
end

-- Declared: columns of the series, and rates of its interval, whoever else asks.
do
  local measure = require "scree.measure"
  local rows = {}
  local scene = {
    output = { series = { every = 0.25, values = function() return {} end } },
    setup = function(w)
      for k = 0, 15 do w:sphere { radius = 0.01, mass = 1, position = { -0.5 - (k + 0.5) / 32, 0, 0 }, velocity = { 0.5, 0, 0 } } end
    end,
    stop = { time = 3 },
    measure = {
      { name = "out", type = "flow", region = { point = { 0, 0, 0 }, normal = { 1, 0, 0 } } },
      { name = "back", type = "flow", region = { point = { 0, 0, 0 }, normal = { -1, 0, 0 } }, window = 1 },
    },
  }
  measure.attach(scene)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1 / 256 }
  scene.setup(w, {})
  for step = 1, 768 do
    if scene.before_step then scene.before_step(w, {}) end
    w:step()
    if scene.after_step then scene.after_step(w, {}) end
    local row = scene.output.series.values(w, {}) -- at each step, as conditions ask
    if step % 64 == 0 then rows[step // 64] = row end
  end
  for at = 1, 12 do
    local row, flows = rows[at], at > 4 and at <= 8
    near(row.out_rate_left, flows and 16 or 0, 1e-9, "rate of the series' interval")
    near(row.out_mass_left, 4 * math.max(0, math.min(4, at - 4)), 1e-9, "mass in the series")
    assert(row.out_mass_entered == 0 and row.out_rate_entered == 0 and row.out_entered == 0)
    near(row.back_rate_entered, 16 * (at <= 4 and 0 or at <= 8 and (at - 4) / 4 or (12 - at) / 4), 1e-9, "rate of a declared window")
    assert(row.back_mass_entered == row.out_mass_left and row.back_mass_left == 0)
  end
end

-- Looks further apart than the window, or not in step with it: the rate is the mean over the looks that cover the window. A stream of 4 kg/s.
for _, window in ipairs { 0.125, 0.25, 0.3125, 0.375, 1, 10 } do
  local w = stream(0.5)
  local p = w:flow { region = { point = { 0.3, 0, 0 }, normal = { 1, 0, 0 } }, window = window }
  assert(not pcall(p.get, p), "figures without a look")
  p:add()
  for look = 1, 8 do
    w:step(64) -- 0.25 s, in which one ball passes
    p:add()
    near(p:get().rate_left, 4, 1e-9, ("rate over a window of %g s at look %d"):format(window, look))
  end
end
do
  local w = stream(0.5)
  local ok, message = pcall(function() local p = w:flow { region = { point = { 0, 0, 0 }, normal = { 1, 0, 0 } } } p:get() end)
  assert(not ok and tostring(message):find("call add() before get()", 1, true), message)
  ok, message = pcall(function() local p = w:flow { region = { point = { 0, 0, 0 }, normal = { 1, 1, 0 } } } p:add() end)
  assert(not ok and tostring(message):find("crosses edges 1 and 2 of the periodic cell", 1, true), message)
end

-- Planes in a sheared cell, through several remaps. A grain in cell m along y counts at x - m rate t, as long as it is in that cell.
for _, rate in ipairs { 0.7, -1.3 } do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1 / 128, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }
  w:cell():set_velocity_gradient { { 0, rate, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  local still = scree.world { gravity = { 0, 0, 0 }, dt = 1 / 128, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }
  still:cell():set_velocity_gradient { { 0, rate, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  still:sphere { radius = 0.01, mass = 1, position = { 1, 0, 0.5 }, velocity = { 0, 0, 0 } }
  local none = still:flow { region = { point = { 0.5, 0, 0 }, normal = { 1, 0, 0 } } }
  local balls = {}
  for k = 1, 12 do
    balls[k] = w:sphere { radius = 0.001, mass = 1, position = { 0.083 * k, 0.37 * k - 2, 0.08 * k }, velocity = { 0.31 * (k % 5) - 0.5, 0.23 * (k % 4) - 0.4, 0 } }
  end
  local x = w:flow { region = { point = { 0.5, 0, 0 }, normal = { 1, 0, 0 } } }
  local y = w:flow { region = { point = { 0, 0.5, 0 }, normal = { 0, 1, 0 } } }
  local left, entered, up, down, cell, before, height = 0, 0, 0, 0, {}, {}, {}
  for step = 0, 512 do
    if step > 0 then w:step() still:step() end
    x:add() y:add() none:add()
    for k, ball in ipairs(balls) do
      local px, py = ball:position()
      local shift = rate * step / 128
      if step > 0 then
        local now = math.ceil(px - 0.5 - cell[k] * shift)
        left, entered = left + math.max(0, now - before[k]), entered + math.max(0, before[k] - now)
        local at = math.ceil(py - 0.5)
        up, down = up + math.max(0, at - height[k]), down + math.max(0, height[k] - at)
      end
      cell[k] = math.floor(py)
      before[k], height[k] = math.ceil(px - 0.5 - cell[k] * shift), math.ceil(py - 0.5)
    end
  end
  local r, u = x:get(), y:get()
  assert(r.left == left and r.entered == entered and left + entered > 10, ("x: %d and %d, expected %d and %d"):format(r.left, r.entered, left, entered))
  assert(u.left == up and u.entered == down and up + down > 5, ("y: %d and %d, expected %d and %d"):format(u.left, u.entered, up, down))
  assert(none:get().left == 0 and none:get().entered == 0, "a grain at rest has passed a plane")
end
