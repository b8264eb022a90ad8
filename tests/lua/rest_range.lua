-- The least friction with which a structure can rest: closed forms of blocks, ladders, wedges and toppling columns; mistakes.
local scree = require "scree"
local sweep = require "sweep"

local function near(a, b, share, what)
  if not (a and math.abs(a - b) <= share * b) then error(("%s: %s, not %.9g"):format(what, tostring(a), b), 2) end
end
local function fails(words, f, ...)
  local ok, message = pcall(f, ...)
  assert(not ok, "no error: " .. words)
  assert(tostring(message):find(words, 1, true), tostring(message) .. " does not say " .. words)
end
local function world(def, mu)
  local w = scree.world { gravity = def.gravity or { 0, 0, -9.81 }, dt = def.dt or 1e-3, solver = def.solver }
  w:pair { "default", "default", mu = mu or 0.5 }
  return w
end

-- A body on an incline: tan of the angle, whatever the body and its own friction; a factor of that by `scale`. Both problems agree.
local bodies = {
  function(w) w:box { size = { 2, 1, 0.2 }, mass = 1, position = { 0, 0, 0.1 } } end,
  function(w) w:cylinder { radius = 1, length = 0.3, mass = 7, position = { 0, 0, 0.15 } } end,
  function(w)
    for k = 0, 2 do w:box { size = { 3, 1, 0.2 }, mass = 2, position = { 0, 0, 0.1 + 0.2 * k } } end
  end,
}
local take = sweep.every(2)
for _, degrees in ipairs { 5, 20, 35 } do
  for k, make in ipairs(bodies) do
    if not take() then goto continue end
    local a = math.rad(degrees)
    local w = world({ gravity = { 9.81 * math.sin(a), 0, -9.81 * math.cos(a) } }, 0.4)
    w:halfspace { normal = { 0, 0, 1 } }
    make(w)
    w:step()
    local what = ("body %d at %d degrees"):format(k, degrees)
    local by_mu, by_scale = w:rest_range { vary = "mu" }, w:rest_range { tolerance = 1e-6 }
    near(by_mu.associated, math.tan(a), 2e-4, what)
    near(by_mu.restricted, math.tan(a), 5e-4, what .. ", restricted")
    near(by_scale.associated, math.tan(a) / 0.4, 2e-6, what .. ", scale")
    assert(by_mu.first and by_mu.closed >= 4)
    ::continue::
  end
end

-- A ladder between floor and wall, of one coefficient: with points of contact r beyond the ends of its axis,
-- mu^2 (L c/2 + r) + mu (r + L s) = L c/2.
for _, degrees in ipairs { 45, 60, 75 } do
  local a, L, r = math.rad(degrees), 4, 0.05
  local c, s, half = math.cos(a), math.sin(a), (math.pi / 2 - a) / 2
  local w = world({}, 0.9)
  w:halfspace { normal = { 0, 0, 1 } }
  w:halfspace { normal = { -1, 0, 0 } }
  w:capsule { radius = r, length = L, mass = 10, position = { -r - L / 2 * c, 0, r + L / 2 * s }, orientation = { math.cos(half), 0, math.sin(half), 0 } }
  w:step()
  local p, q, k = L * c / 2 + r, r + L * s, L * c / 2
  local mu = (math.sqrt(q * q + 4 * p * k) - q) / (2 * p)
  local range = w:rest_range { vary = "mu" }
  near(range.associated, mu, 2e-4, "a ladder at " .. degrees)
  near(range.restricted, mu, 1e-3, "a ladder, restricted, at " .. degrees)
end

-- A block in a trough of half opening h whose line dips by psi. Sliding along the line, without dilation, needs mu = tan psi sin h. Forces in
-- the cones may press the block into the trough as well: mu = tan psi sin h / sqrt(1 + tan^2 psi cos^2 h). Gravity points along the trough.
for _, case in ipairs { { 30, 45 }, { 45, 20 }, { 60, 35 } } do
  local h, psi = math.rad(case[1]), math.rad(case[2])
  local w = world { gravity = { 9.81 * math.sin(psi), 0, -9.81 * math.cos(psi) } }
  local s, c = math.sin(h), math.cos(h)
  w:halfspace { normal = { 0, c, s } }
  w:halfspace { normal = { 0, -c, s } }
  local points = {} -- a prism with its edge in the line
  for _, x in ipairs { -1, 1 } do
    points[#points + 1] = { x, 0, 0 }
    points[#points + 1] = { x, 0.5 * s, 0.5 * c }
    points[#points + 1] = { x, -0.5 * s, 0.5 * c }
  end
  w:hull { points = points, mass = 3, position = { 0, 0, 0 } }
  w:step()
  local range = w:rest_range { vary = "mu" }
  local wanted = math.tan(psi) * s
  near(range.restricted, wanted, 5e-3, "a wedge, restricted")
  near(range.associated, wanted / math.sqrt(1 + (math.tan(psi) * c) ^ 2), 3e-4, "a wedge")
end

-- Toppling columns on a stepped base (Goodman & Bray 1976), base of each column b above that of the one before, in axes along the base. In the
-- limit all interfaces slip and columns turn about their lower edges, or slide: forces go down from column to column. What rests with less
-- friction than that does so by friction that is not used up.
local function topple(heights, width, b, angle, mu)
  local push, sine, cosine = 0, math.sin(angle), math.cos(angle)
  for n = #heights, 1, -1 do
    local y = heights[n]
    local weight = y * width
    local above = heights[n + 1] and math.min(y, heights[n + 1] + b) or 0
    local below = heights[n - 1] and math.min(y, heights[n - 1] - b) or y
    local turns = (push * (above - width * mu) + weight / 2 * (y * sine - width * cosine)) / below
    local slides = push - weight * (cosine * mu - sine) / (1 - mu * mu)
    push = math.max(turns, slides, 0)
  end
  return push
end
local function closed_form(heights, width, b, angle)
  local low, high = 0.3, 0.99
  for _ = 1, 50 do
    local middle = (low + high) / 2
    if topple(heights, width, b, angle, middle) > 1e-12 then low = middle else high = middle end
  end
  return high
end
local function columns(heights, width, b, angle, mu, solver)
  local w = world({ gravity = { 9.81 * math.sin(angle), 0, -9.81 * math.cos(angle) }, solver = solver }, mu)
  local clear = 2e-4 * width -- risers of the base touch no column
  for n, y in ipairs(heights) do
    local x = -width * (n - 0.5)
    w:box { kind = "fixed", size = { width - clear, 5, 0.5 }, position = { x - clear / 2, 0, b * (n - 1) - 0.25 } }
    w:box { size = { width, 5, y }, density = 2500, position = { x, 0, b * (n - 1) + y / 2 } }
  end
  w:step()
  return w
end
do
  local heights, width, b, angle = { 5, 12, 18, 24, 18, 11 }, 8, 1, math.rad(30)
  local wanted = closed_form(heights, width, b, angle)
  for _, mu in ipairs { 0.5, 0.9 } do -- whether they rest now or not
    local range = columns(heights, width, b, angle, mu):rest_range { vary = "mu" }
    near(range.restricted, wanted, 1e-3, "toppling columns")
    assert(range.associated < 0.95 * wanted, "rest is not unique")
    for _, name in ipairs((mu == 0.5 or sweep.whole) and { "auto", "newton" } or {}) do -- below the range they move, above it they rest
      for _, case in ipairs { { 0.97 * range.associated, true }, { 1.03 * wanted, false } } do
        local w = columns(heights, width, b, angle, case[1], { name = name, iterations = 500 })
        w:step(100)
        local speed = w:report().max_speed
        assert((speed > 1e-3) == case[2], ("%s at mu = %.4g: speed %.3g"):format(name, case[1], speed))
      end
    end
  end
end

-- Rest that needs no friction, and none at all.
do
  local w = world {}
  w:halfspace { normal = { 0, 0, 1 } }
  w:box { size = { 1, 1, 1 }, mass = 1, position = { 0, 0, 0.5 } }
  w:step()
  local range = w:rest_range()
  assert(range.associated == 0 and range.restricted == 0 and range.first == nil)
  w:sphere { radius = 0.1, position = { 0, 0, 9 } }
  w:step()
  local fine, text = pcall(w.rest_range, w, { vary = "mu" })
  assert(not fine and tostring(text):find("nothing holds body", 1, true), text)
end

-- Loads of the last step: a pull of 0.3 of the weight, which the weights do not know.
do
  local w = world {}
  w:halfspace { normal = { 0, 0, 1 } }
  local box = w:box { size = { 1, 1, 0.1 }, mass = 1, position = { 0, 0, 0.05 } }
  for _ = 1, 20 do
    box:apply { force = { 0.3 * 9.81, 0, 0 } }
    w:step()
  end
  assert(w:rest_range { vary = "mu" }.associated == 0)
  near(w:rest_range { vary = "mu", load = "step" }.associated, 0.3, 2e-4, "a load of the step")
end

-- Mistakes.
do
  local w = world {}
  fails("take a step first", w.rest_range, w)
  local a, b = w:sphere { radius = 0.1, position = { 0, 0, 1 } }, w:sphere { radius = 0.1, position = { 0, 0, 2 } }
  w:fixed { a = a, b = b, at = { 0, 0, 1.5 } }
  w:step()
  fails("joints carry a part of the weights", w.rest_range, w)
  fails("rest_range.vary", w.rest_range, w, { vary = "angle" })
  fails("rest_range.most", w.rest_range, w, { most = 0 })
  fails("tolerence", w.rest_range, w, { tolerence = 1 })
end
