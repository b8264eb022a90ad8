-- Grains flow down a rough chute that is periodic along x and y, so it has no ends and no side walls.
--
--   scree run scenes/chute.lua angle=26
--   scree sweep scenes/chute.yaml -j 2           the angles with steady flow
--
-- At small angles the grains stop, at large angles they accelerate without limit. Between these angles the
-- flow is steady: its speed follows Bagnold's profile, v(z) = slip + A (h^1.5 - (h - z)^1.5), and the solid
-- fraction is the same at all heights (Silbert et al. 2001). Speeds are in (g d)^0.5, heights in d.

-- Returns the mean speed of the grains. Adds count, speed and solid volume of each layer to sums, if it is a
-- table.
local function look(w, p, sums)
  local d, x, v, kind, volume =
    2 * p.radius, w:view "position", w:view "velocity", w:view "kind", w:view "radius"
  local unit, total, count = math.sqrt(9.81 * d), 0, 0
  for i = 1, #v do
    if kind[i] == "dynamic" then
      local speed, layer = v:get(i) / unit, math.floor(select(3, x:get(i)) / d) + 1
      total, count = total + speed, count + 1
      if sums and layer >= 1 then
        local s = sums[layer] or { 0, 0, 0 }
        sums[layer] =
          { s[1] + 1, s[2] + speed, s[3] + 4 / 3 * math.pi * volume:get(i) ^ 3 / (p.side ^ 2 * d ^ 3) }
      end
    end
  end
  return total / count
end

-- Returns slip and A that fit the speeds v at the heights z best for a flow of the depth h, and the root mean
-- square of the residual over the speed of the top layer.
local function bagnold(z, v, h)
  local n, sx, sv, xx, xv, off = #z, 0, 0, 0, 0, 0
  local function x(i) return h ^ 1.5 - math.max(0, h - z[i]) ^ 1.5 end
  for i = 1, n do
    sx, sv = sx + x(i) / n, sv + v[i] / n
  end
  for i = 1, n do
    xx, xv = xx + (x(i) - sx) ^ 2, xv + (x(i) - sx) * (v[i] - sv)
  end
  local A = xv / xx
  for i = 1, n do
    off = off + (v[i] - sv - A * (x(i) - sx)) ^ 2 / n
  end
  return sv - A * sx, A, math.sqrt(off) / math.abs(v[n])
end

return {
  title = "a chute without ends",
  params = { seed = 1, angle = 24, mu = 0.5, layers = 10, side = 8, radius = 5e-4, dt = 1e-4, time = 3 },
  world = function(p)
    local d, slope = 2 * p.radius, math.rad(p.angle)
    return {
      gravity = { 9.81 * math.sin(slope), 0, -9.81 * math.cos(slope) },
      dt = p.dt,
      solver = { name = "nbgs", iterations = 60 },
      cell = { size = { p.side * d, p.side * d, 3 * p.layers * d }, periodic = { true, true, false } },
    }
  end,
  setup = function(w, p)
    local r, d = p.radius, 2 * p.radius
    w:material { name = "grain", density = 2500 }
    w:pair { "grain", "grain", mu = p.mu }
    -- the bottom: fixed grains side by side, at random heights
    for i = 0, p.side - 1 do
      for j = 0, p.side - 1 do
        w:sphere {
          kind = "fixed",
          radius = r,
          material = "grain",
          position = { (i + 0.5) * d, (j + 0.5) * d, -r * (1 + 0.6 * math.random()) },
        }
      end
    end
    w:fill {
      region = { min = { 0, 0, 0.1 * d }, max = { p.side * d, p.side * d, 3 * p.layers * d } },
      spacing = p.side * d / (p.side - 1),
      radius = 0.9 * r,
      radius_max = r,
      jitter = 0.05,
      limit = (p.side - 1) ^ 2 * p.layers,
      material = "grain",
    }
    w.state.third, w.state.last, w.state.layers = { 0, 0 }, { 0, 0 }, {}
  end,
  every = {
    {
      time = function(p) return p.time / 400 end,
      call = function(w, p)
        local part = 4 * w:time() / p.time
        if part < 2 then return end
        local s = part < 3 and w.state.third or w.state.last
        s[1], s[2] = s[1] + look(w, p, part >= 3 and w.state.layers), s[2] + 1
      end,
    },
  },
  output = {
    trajectory = { every = 0.05, precision = "1e-3 d" },
    series = { every = 0.05, values = function(w, p) return { speed = look(w, p) } end },
  },
  stop = { time = function(p) return p.time end },
  report = function(w, p, out)
    local s, z, v, rows, solid = w.state, {}, {}, { "z,speed,fraction" }, 0
    if #s.layers < 4 then return {} end -- the run was stopped too early for a profile
    local before, now = s.third[1] / s.third[2], s.last[1] / s.last[2]
    for k, layer in ipairs(s.layers) do
      rows[#rows + 1] = string.format("%g,%.6g,%.6g", k - 0.5, layer[2] / layer[1], layer[3] / s.last[2])
      solid = solid + layer[3] / s.last[2]
    end
    out:write("profile.csv", table.concat(rows, "\n") .. "\n")
    -- The depth is the height of the flow if its solid fraction were everywhere that of the lower half. The
    -- fit leaves out the lowest layer and the layers above this depth.
    local half, depth, n = 0, 0, math.max(1, #s.layers // 2 - 1)
    for k = 2, n + 1 do
      half = half + s.layers[k][3] / s.last[2] / n
    end
    depth = solid / half
    for k = 2, math.floor(depth) do
      z[#z + 1], v[#v + 1] = k - 0.5, s.layers[k][2] / s.layers[k][1]
    end
    local slip, A, off = bagnold(z, v, depth)
    return {
      { "angle", p.angle },
      { "mean speed", now },
      { "speed over that a quarter before", now / before },
      { "depth", depth },
      { "solid fraction", half },
      { "slip", slip },
      { "A of Bagnold's profile", A },
      { "off it, over the top's speed", off },
    }
  end,
}
