--- Curves through the points of a table: piecewise polynomials, and their exact integrals.
---
---   local curve = require "scree.curve"
---   local a = curve.create({ 0, 1, 2 }, { 0, 1, 0 }, "linear")
---   local v = curve.integrate(a)
---   print(curve.at(v, 1.5))
---
--- Between the times i and i + 1 a curve is the sum over k = 1 .. terms of
--- term[(i - 1) terms + k] (t - time[i])^(k - 1). Curves are plain data, so w.state may contain them.
local scree = require "scree"
local curve = {}

-- Raises an error unless c is a curve. what: name of the public function, for errors.
local function check_curve(c, what) scree.check_type(c, "table", what, "of curve.create first", "term") end

-- Returns the second derivatives of a cubic spline at its points. Its third derivative is continuous at the
-- second and at the last but one point (not-a-knot). h: lengths of the intervals. d: slopes of the chords.
local function find_curvatures(h, d)
  local n = #h + 1
  local low, mid, up, right = {}, {}, {}, {}
  for i = 2, n - 1 do
    low[i], mid[i], up[i] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
    right[i] = 6 * (d[i] - d[i - 1])
  end
  -- The end conditions express the second derivatives at both ends by those at the next two points.
  local first, last = h[1] / h[2], h[n - 1] / h[n - 2]
  if n == 3 then
    local c = right[2] / (3 * (h[1] + h[2]))
    return { c, c, c }
  end
  mid[2], up[2] = mid[2] + (1 + first) * h[1], up[2] - first * h[1]
  mid[n - 1], low[n - 1] = mid[n - 1] + (1 + last) * h[n - 1], low[n - 1] - last * h[n - 1]
  for i = 3, n - 1 do
    local share = low[i] / mid[i - 1]
    mid[i], right[i] = mid[i] - share * up[i - 1], right[i] - share * right[i - 1]
  end
  local c = {}
  for i = n - 1, 2, -1 do
    c[i] = (right[i] - (i < n - 1 and up[i] * c[i + 1] or 0)) / mid[i]
  end
  c[1], c[n] = (1 + first) * c[2] - first * c[3], (1 + last) * c[n - 1] - last * c[n - 2]
  return c
end

local function create_linear(time, value)
  local term = {}
  for i = 1, #time - 1 do
    term[2 * i - 1], term[2 * i] = value[i], (value[i + 1] - value[i]) / (time[i + 1] - time[i])
  end
  return term
end

local function create_cubic(time, value)
  local h, d, term = {}, {}, {}
  for i = 1, #time - 1 do
    h[i] = time[i + 1] - time[i]
    d[i] = (value[i + 1] - value[i]) / h[i]
  end
  local c = find_curvatures(h, d)
  for i = 1, #h do
    local k = 4 * (i - 1)
    term[k + 1], term[k + 2] = value[i], d[i] - h[i] * (2 * c[i] + c[i + 1]) / 6
    term[k + 3], term[k + 4] = c[i] / 2, (c[i + 1] - c[i]) / (6 * h[i])
  end
  return term
end

-- Returns the value of a curve at the distance s from the start of interval i.
local function sum_terms(c, i, s)
  local k, sum = i * c.terms, 0
  for j = k, k - c.terms + 1, -1 do
    sum = sum * s + c.term[j]
  end
  return sum
end

--- Returns the curve through points. time: rising [s]. interpolation: "linear" or "cubic" (a spline with
--- continuous second derivative, which reproduces polynomials of degree 3). Two points are joined by a line.
function curve.create(time, value, interpolation)
  scree.check_type(time, "table", "curve.create", "first")
  scree.check_type(value, "table", "curve.create", "second")
  if #time < 2 or #time ~= #value then
    error("curve: at least two points are needed, with as many values as times", 2)
  end
  for key, list in pairs { times = time, values = value } do
    for i, v in ipairs(list) do
      if type(v) ~= "number" or not (math.abs(v) < math.huge) then
        local given = type(v) == "number" and "not finite" or "a " .. type(v)
        error(("curve: %s must be finite numbers, entry %d is %s"):format(key, i, given))
      end
    end
  end
  for i = 2, #time do
    if not (time[i] > time[i - 1]) then
      error(("curve: times must rise, entry %d does not"):format(i), 2)
    end
  end
  local is_cubic = interpolation == "cubic" and #time > 2
  if interpolation ~= "cubic" and (interpolation or "linear") ~= "linear" then
    error("curve: the interpolation must be 'linear' or 'cubic'", 2)
  end
  return {
    time = time,
    terms = is_cubic and 4 or 2,
    term = (is_cubic and create_cubic or create_linear)(time, value),
    last = value[#value],
    slope = 0,
  }
end

--- Returns the value at a time. Before the first time the value is that of the first point. After the last
--- time the value changes with the slope c.slope, which is 0 unless curve.integrate sets it.
function curve.at(c, t)
  check_curve(c, "curve.at")
  scree.check_type(t, "number", "curve.at", "second")
  local time, low, high = c.time, 1, #c.time
  if t <= time[1] then return c.term[1] end
  if t >= time[high] then return c.last + c.slope * (t - time[high]) end
  while high - low > 1 do
    local middle = (low + high) // 2
    if time[middle] <= t then
      low = middle
    else
      high = middle
    end
  end
  return sum_terms(c, low, t - time[low])
end

--- Returns the integral from the first time on, exact for the polynomials of the curve. slope: slope of the
--- integral after the last time; 0 by default.
function curve.integrate(c, slope)
  check_curve(c, "curve.integrate")
  local m, term, sum = c.terms + 1, {}, 0
  local out = { time = c.time, terms = m, term = term, slope = slope or 0 }
  for i = 1, #c.time - 1 do
    local k = (i - 1) * m
    term[k + 1] = sum
    for j = 1, c.terms do
      term[k + 1 + j] = c.term[(i - 1) * c.terms + j] / j
    end
    sum = sum_terms(out, i, c.time[i + 1] - c.time[i])
  end
  out.last = sum
  return out
end

-- Gauss-Legendre rule with four points, exact up to degree 7.
local GAUSS =
  { { 0.33998104358485626, 0.65214515486254614 / 2 }, { 0.86113631159405258, 0.34785484513745386 / 2 } }

-- Returns the integrals of v s and of v s^2 over s from 0 to 1. v: curve of the velocity. s = (t - first
-- time) / duration.
local function find_moments(v)
  local time, one, two = v.time, 0, 0
  local duration = time[#time] - time[1]
  for i = 1, #time - 1 do
    local half = (time[i + 1] - time[i]) / 2
    for _, point in ipairs(GAUSS) do
      for side = -1, 1, 2 do
        local place = half * (1 + side * point[1])
        local s = (time[i] - time[1] + place) / duration
        local weight = 2 * half / duration * point[2] * sum_terms(v, i, place)
        one, two = one + weight * s, two + weight * s * s
      end
    end
  end
  return one, two
end

-- Returns the polynomial b + c (t - first time) that the correction subtracts from the acceleration.
local function find_correction(v, correction)
  local duration = v.time[#v.time] - v.time[1]
  if correction == "mean" then return v.last / duration, 0 end
  local one, two = find_moments(v)
  if correction == "linear" then return 3 * one / duration, 0 end
  -- normal equations of the least-squares fit p s + q s^2 of the velocity: (1/3 1/4; 1/4 1/5) (p, q) = (one,
  -- two)
  local p, q = 240 * (one / 5 - two / 4), 240 * (two / 3 - one / 4)
  return p / duration, 2 * q / (duration * duration)
end

--- Returns an acceleration with a corrected base line. correction: "none"; "mean" subtracts the mean, so the
--- velocity ends at 0; "linear" and "quadratic" subtract the derivative of the polynomial b1 s or b1 s + b2
--- s^2, s = t - first time, that is the least-squares fit of the velocity.
function curve.correct(a, correction)
  check_curve(a, "curve.correct")
  correction = correction or "none"
  if correction == "none" then return a end
  if correction ~= "mean" and correction ~= "linear" and correction ~= "quadratic" then
    error("curve: the correction must be 'none', 'mean', 'linear' or 'quadratic'", 2)
  end
  local b, c = find_correction(curve.integrate(a), correction)
  local out = { time = a.time, terms = a.terms, term = {}, slope = 0 }
  for k = 1, #a.term do
    out.term[k] = a.term[k]
  end
  for i = 1, #a.time - 1 do
    local k = (i - 1) * a.terms
    out.term[k + 1] = out.term[k + 1] - b - c * (a.time[i] - a.time[1])
    out.term[k + 2] = out.term[k + 2] - c
  end
  out.last = a.last - b - c * (a.time[#a.time] - a.time[1])
  return out
end

return curve
