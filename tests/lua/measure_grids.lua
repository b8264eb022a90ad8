-- Computes measurements on grids, in rings, in wave vectors and in time again from positions, velocities and contacts, by plain sums: mixing, profile,
-- fields, repose, displacement, structure. One world is a box with walls, the other a skew periodic cell that flows.
local brute = require "brute"
local dot, add, norm, same, same_list, list, read, choose, counts, branch = brute.dot, brute.add, brute.norm, brute.same, brute.same_list, brute.list, brute.read, brute.choose, brute.counts, brute.branch

local pi = math.pi
local axes = { "x", "y", "z" }
-- Tests mixing, profile, fields and structure on grids. bodies, contacts: plain tables from `try`.
local function try_grids(w, bodies, contacts, box, cell, balls)
  local function cell_of(x, n)
    local index = {}
    for k = 1, 3 do
      local part = (x[k] - box.min[k]) / (box.max[k] - box.min[k])
      if not (part >= 0 and part <= 1) then return nil end
      index[k] = math.min(math.floor(part * n[k]), n[k] - 1)
    end
    return 1 + index[1] + n[1] * (index[2] + n[2] * index[3])
  end
  for least = 1, 3 do
    local n = { 2, 3, 2 }
    local all, tracers = list(12), list(12)
    for _, b in ipairs(choose(bodies)) do
      local at = cell_of(b.shown, n)
      if at then all[at], tracers[at] = all[at] + 1, tracers[at] + (b.group == 1 and 1 or 0) end
    end
    local N, T, cells, sum = 0, 0, 0, 0
    for i = 1, 12 do if all[i] >= least then N, T, cells = N + all[i], T + tracers[i], cells + 1 end end
    for i = 1, 12 do if all[i] >= least and all[i] > 0 then sum = sum + all[i] * (tracers[i] / all[i] - T / N) ^ 2 end end
    local p = T / N
    local m = w:mixing { region = box, cells = n, tracer = 1, least = least }
    same(m.grains, N, "grains of mixing"); same(m.cells, cells, "cells"); same(m.share, p, "share"); same(m.variance, sum / N, "variance", 1)
    same(m.index, (p * (1 - p) - sum / N) / (p * (1 - p) * (1 - cells / N)), "index", 1)
  end

  -- profile of one frame; the volume of a ball is divided by a lattice of 7^3 points
  local n = { 3, 2, 4 }
  local cells, V = 24, 1
  for k = 1, 3 do V = V * (box.max[k] - box.min[k]) / n[k] end
  local profile = w:profile { region = box, cells = n }
  profile:add()
  local count, v, spin, speed, square = list(cells), {}, {}, list(cells), list(cells)
  for i = 1, cells do v[i], spin[i] = { 0, 0, 0 }, { 0, 0, 0 } end
  for _, b in ipairs(choose(bodies)) do
    local at = cell_of(b.shown, n)
    if at then
      local u = b.v
      if cell then u = add(b.peculiar, { dot(cell.gradient[1], b.shown), dot(cell.gradient[2], b.shown), dot(cell.gradient[3], b.shown) }) end
      count[at], v[at], spin[at] = count[at] + 1, add(v[at], u), add(spin[at], b.spin)
      speed[at], square[at] = speed[at] + norm(u), square[at] + dot(u, u)
    end
  end
  local told, velocity, spins = {}, { profile:get "velocity" }, { profile:get "spin" }
  for _, name in ipairs { "count", "speed", "temperature", "solid" } do told[name] = profile:get(name) end
  same_list(told.count, count, "count of profile")
  for i = 1, cells do
    for k = 1, 3 do
      same(velocity[k][i], v[i][k] / count[i], "velocity of profile", 1)
      same(spins[k][i], spin[i][k] / count[i], "spin of profile", 1)
    end
    same(told.speed[i], speed[i] / count[i], "speed of profile")
    same(told.temperature[i], (square[i] / count[i] - dot(v[i], v[i]) / count[i] ^ 2) / 3, "temperature of profile", 1)
  end
  -- each point of a lattice of 7^3 points in a ball adds its share of the ball's volume to the grid cell of the point; the volume of another shape counts at its centre
  local solid = list(cells)
  for _, b in ipairs(choose(bodies)) do
    if balls[b.id] then
      local at = {}
      for i = 0, 342 do
        local e = { (2 * (i % 7) + 1) / 7 - 1, (2 * (i // 7 % 7) + 1) / 7 - 1, (2 * (i // 49) + 1) / 7 - 1 }
        if dot(e, e) <= 1 then
          local x = add(b.shown, e, b.r)
          if cell then
            local from = add(x, cell.origin, -1)
            for k = 1, 3 do x = add(x, cell.edge[k], -math.floor(dot(cell.inverse[k], from))) end
          end
          at[#at + 1] = cell_of(x, n) or 0
        end
      end
      for _, c in ipairs(at) do if c > 0 then solid[c] = solid[c] + 4 / 3 * pi * b.r ^ 3 / #at / V end end
    end
  end
  for i = 1, cells do assert(told.solid[i] >= solid[i] * (1 - 1e-10), told.solid[i] .. " " .. solid[i]) end
  local only = w:profile { region = box, cells = n, group = 1 }
  only:add()
  only:add()
  local seen, told_solid, count_of = 0, only:get "solid", only:get "count"
  for i = 1, cells do seen = seen + count_of[i] end
  same(seen, #choose(bodies, box, 1), "grains of a group in a profile of two samples")
  assert(only:frames() == 2 and #told_solid == cells)
  for k = 1, 3 do
    local middles = profile:axis(k)
    for i = 1, n[k] do same(middles[i], box.min[k] + (box.max[k] - box.min[k]) * (i - 0.5) / n[k], "axis of profile", 1) end
  end

  -- fields: kernels at the middles, scaled so that they sum to 1 over an unbounded grid
  for _, kernel in ipairs { "lucy", "gaussian" } do
    local width, low, edge, n, cells = 0.25, box.min, {}, { 4, 5, 3 }, 60
    for k = 1, 3 do edge[k] = (box.max[k] - low[k]) / n[k] end
    local field, shifts = {}, { { 0, 0, 0 } }
    for image = 0, cell and 124 or -1 do
      local shift = { 0, 0, 0 }
      for k = 1, 3 do shift = add(shift, cell.edge[k], image // 5 ^ (k - 1) % 5 - 2) end
      if image ~= 62 then shifts[#shifts + 1] = shift end
    end
    local function at(name, i) field[name] = field[name] or list(cells); return field[name], i end
    -- calls put(cell, weight) for all cells within reach of the images of x
    local function smooth(x, put)
      for _, shift in ipairs(shifts) do
        local y1, y2, y3, total, found, least = x[1] + shift[1], x[2] + shift[2], x[3] + shift[3], 0, {}, box.min
        local near = y1 + width > least[1] and y2 + width > least[2] and y3 + width > least[3] and y1 - width < box.max[1] and y2 - width < box.max[2] and
          y3 - width < box.max[3]
        local function first(y, k) return math.floor((y - width - least[k]) / edge[k]) end
        local function last(y, k) return math.floor((y + width - least[k]) / edge[k]) + 1 end
        for i = first(y1, 1), near and last(y1, 1) or first(y1, 1) - 1 do
          for j = first(y2, 2), last(y2, 2) do
            for l = first(y3, 3), last(y3, 3) do
              local d1, d2, d3 = least[1] + edge[1] * (i + 0.5) - y1, least[2] + edge[2] * (j + 0.5) - y2, least[3] + edge[3] * (l + 0.5) - y3
              local r = math.sqrt(d1 * d1 + d2 * d2 + d3 * d3) / width
              if r < 1 then
                local value = kernel == "lucy" and (1 + 3 * r) * (1 - r) ^ 3 or math.exp(-r * r / (2 / 9))
                total = total + value
                if i >= 0 and i < n[1] and j >= 0 and j < n[2] and l >= 0 and l < n[3] then found[#found + 1] = { 1 + i + n[1] * (j + n[2] * l), value } end
              end
            end
          end
        end
        for _, f in ipairs(found) do put(f[1], f[2] / total / (edge[1] * edge[2] * edge[3]), shift) end
      end
    end
    local function add_to(name, i, value) local t = at(name) t[i] = t[i] + value end
    local function drift(shift) return cell and { dot(cell.gradient[1], shift), dot(cell.gradient[2], shift), dot(cell.gradient[3], shift) } or { 0, 0, 0 } end
    at "density"
    for k = 1, 3 do at("momentum_" .. axes[k]) end
    for _, b in ipairs(choose(bodies)) do
      smooth(b.x, function(i, weight, shift)
        local u = add(b.v, drift(shift))
        add_to("density", i, b.m * weight)
        for k = 1, 3 do add_to("momentum_" .. axes[k], i, b.m * weight * u[k]) end
      end)
    end
    for _, b in ipairs(choose(bodies)) do
      smooth(b.x, function(i, weight, shift)
        local u = add(b.v, drift(shift))
        for k = 1, 3 do u[k] = u[k] - field["momentum_" .. axes[k]][i] / field.density[i] end
        for k = 1, 3 do for m = k, 3 do add_to("kinetic_" .. axes[k] .. axes[m], i, b.m * weight * u[k] * u[m]) end end
      end)
    end
    -- Gauss's rule with five points on [0, 1]
    local far, close = math.sqrt(5 + 2 * math.sqrt(10 / 7)) / 3, math.sqrt(5 - 2 * math.sqrt(10 / 7)) / 3
    local rule = { { 0.5, 128 / 225 }, { 0.5 - close / 2, (322 + 13 * math.sqrt(70)) / 900 }, { 0.5 + close / 2, (322 + 13 * math.sqrt(70)) / 900 },
      { 0.5 - far / 2, (322 - 13 * math.sqrt(70)) / 900 }, { 0.5 + far / 2, (322 - 13 * math.sqrt(70)) / 900 } }
    for _, c in ipairs(contacts) do
      local l = branch(c, nil, balls)
      local start = c.point -- the centre of body 2 on the side of the contact point that its arm reaches
      if counts(c.two) then
        start = balls[c.two.id] and add(c.point, c.normal, -c.two.r) or add(c.two.x, c.shift)
      end
      for _, g in ipairs(rule) do
        smooth(add(start, l, g[1]), function(i, weight)
          for k = 1, 3 do for m = 1, 3 do add_to("contact_" .. axes[k] .. axes[m], i, g[2] / 2 * weight * c.impulse[k] * l[m] / w:dt()) end end
        end)
      end
    end
    local f = w:fields { region = box, cells = n, width = width, kernel = kernel }
    local scale = 0
    for i = 1, cells do scale = math.max(scale, math.abs(field.contact_zz[i])) end
    for name, values in pairs(field) do same_list(f[name], values, kernel .. " " .. name, name:find "contact" and scale or 10) end
    for i = 1, cells do
      for k = 1, 3 do same(f["velocity_" .. axes[k]][i], field["momentum_" .. axes[k]][i] / field.density[i], "velocity of fields", 1) end
      same(f.temperature[i], (field.kinetic_xx[i] + field.kinetic_yy[i] + field.kinetic_zz[i]) / 3 / field.density[i], "temperature of fields", 1)
      local index = { (i - 1) % n[1], (i - 1) // n[1] % n[2], (i - 1) // (n[1] * n[2]) }
      for k = 1, 3 do same(f[axes[k]][i], low[k] + edge[k] * (index[k] + 0.5), "middle of fields", 1) end
    end
    same_list(f.origin, low, "origin of fields")
    same_list(f.edges, { edge[1], 0, 0, 0, edge[2], 0, 0, 0, edge[3] }, "edges of fields")
  end
end

-- Tests repose: the slope of the surface from rings about the axis of the heap.
local function try_repose(w, bodies)
  for _, keys in ipairs { {}, { from = 0.1, to = 0.95, bins = 7, group = 1 }, { bins = 5, region = { min = { -1, -1, 0.2 }, max = { 0.4, 1, 2 } } } } do
    local some, mass, x, y, low, high, reach = choose(bodies, keys.region, keys.group), 0, 0, 0, 1e9, -1e9, 0
    for _, b in ipairs(some) do
      mass, x, y = mass + b.m, x + b.m * b.x[1], y + b.m * b.x[2]
      low, high = math.min(low, b.x[3] - b.r), math.max(high, b.x[3] + b.r)
    end
    x, y = x / mass, y / mass
    for _, b in ipairs(some) do reach = math.max(reach, math.sqrt((b.x[1] - x) ^ 2 + (b.x[2] - y) ^ 2)) end
    local bins, tops = keys.bins or 20, {}
    for i = 1, bins do tops[i] = {} end
    for _, b in ipairs(some) do
      local ring = math.min(math.floor(math.sqrt((b.x[1] - x) ^ 2 + (b.x[2] - y) ^ 2) / reach * bins), bins - 1) + 1
      local sector = math.floor((math.atan(b.x[2] - y, b.x[1] - x) / pi + 1) * 4)
      tops[ring][sector] = math.max(tops[ring][sector] or -1e9, b.x[3] + b.r)
    end
    local r, z, n, fitted = {}, {}, 0, {}
    for i = 1, bins do
      local sum, count = 0, 0
      for _, top in pairs(tops[i]) do sum, count = sum + top, count + 1 end
      r[i], z[i] = reach * (i - 0.5) / bins, sum / count
      local share = (z[i] - low) / (high - low)
      if share >= (keys.from or 0.2) and share <= (keys.to or 0.8) then fitted[#fitted + 1] = i end
    end
    local mr, mz, rr, rz, off = 0, 0, 0, 0, 0
    n = #fitted
    for _, i in ipairs(fitted) do mr, mz = mr + r[i] / n, mz + z[i] / n end
    for _, i in ipairs(fitted) do rr, rz = rr + (r[i] - mr) ^ 2, rz + (r[i] - mr) * (z[i] - mz) end
    for _, i in ipairs(fitted) do off = off + (z[i] - mz - rz / rr * (r[i] - mr)) ^ 2 / n end
    local told = w:repose(keys)
    same_list(told.radius, r, "radius of repose"); same_list(told.surface, z, "surface of repose")
    same(told.rings, n, "rings"); same(told.height, high - low, "height"); same(told.slope, rz / rr, "slope"); same(told.angle, -math.atan(rz / rr), "angle")
    same(told.deviation, math.sqrt(off), "deviation")
    assert(n > 2, n)
  end
end

-- Tests displacement over three samples. A grain of the first sample is removed, and a new grain must not count.
local function try_displacement(w, keys, cell)
  local d = w:displacement(keys)
  d:add()
  local before, time = choose(read(w, cell), keys.region, keys.group), w:time()
  w:step(7)
  d:add()
  w:body_of(before[2].id):remove()
  w:sphere { radius = 0.01, position = before[3].x, group = keys.group }
  w:step(5)
  d:add()
  local bodies, _, by_id = read(w, cell)
  local n, square, drift = 0, { 0, 0, 0 }, { 0, 0, 0 }
  for _, b in ipairs(before) do
    local now = by_id[b.id]
    for k = 1, 3 do
      if now then square[k], drift[k] = square[k] + (now.x[k] - b.x[k]) ^ 2, drift[k] + now.x[k] - b.x[k] end
    end
    n = n + (now and 1 or 0)
  end
  local told = d:get()
  assert(#bodies > 0 and n == #before - 1 and n > 5, n)
  same(told.grains, n, "grains of displacement"); same(told.time, w:time() - time, "time of displacement")
  same(told.msd, (square[1] + square[2] + square[3]) / n, "msd")
  for k = 1, 3 do
    same(told[axes[k] .. axes[k]], square[k] / n, "square"); same(told["drift_" .. axes[k]], drift[k] / n, "drift", 1e-6)
  end
end

-- Tests structure: the mean of |sum exp(i k x)|^2 / N over the wave vectors k of the cell in a bin. k and -k count as one wave vector.
local function try_structure(w, bodies, cell)
  for _, group in ipairs { false, 2 } do
    local reach, bins, s, waves, some = 20, 6, list(6), list(6), choose(bodies, nil, group or nil)
    for i = -6, 6 do
      for j = -6, 6 do
        for l = -6, 6 do
          local k = { 0, 0, 0 }
          for e, m in ipairs { i, j, l } do k = add(k, cell.inverse[e], 2 * pi * m) end
          local bin = math.floor(norm(k) / reach * bins) + 1
          if bin <= bins and (i ~= 0 or j ~= 0 or l ~= 0) then
            local even, odd = 0, 0
            for _, b in ipairs(some) do even, odd = even + math.cos(dot(k, b.x)), odd + math.sin(dot(k, b.x)) end
            s[bin], waves[bin] = s[bin] + (even ^ 2 + odd ^ 2) / #some, waves[bin] + 1
          end
        end
      end
    end
    local told = w:structure { reach = reach, bins = bins, group = group or nil }
    same(told.grains, #some, "grains of structure")
    for i = 1, bins do
      same(told.k[i], (i - 0.5) * reach / bins, "wave number"); same(told.waves[i], waves[i] / 2, "waves"); same(told.s[i], s[i] / waves[i], "structure")
    end
  end
end

for _, walled in ipairs { true, false } do
  local w, balls, cell
  if walled then w, balls = brute.walled() else w, balls, cell = brute.celled() end
  local box = walled and { min = { -0.4, -0.5, 0.1 }, max = { 0.5, 0.37, 0.6 } } or { min = { 0.4, -1.9, 5.1 }, max = { 0.9, -1.4, 5.7 } }
  local bodies, contacts = read(w, cell)
  try_grids(w, bodies, contacts, box, cell, balls)
  if walled then try_repose(w, bodies) else try_structure(w, bodies, cell) end
  try_displacement(w, { region = box }, cell)
  try_displacement(w, { group = 2 }, cell)
end
