-- Computes measurements of regions and groups again from positions, velocities and contacts, by plain sums: count, coordination, fabric, stress, rdf,
-- force_distribution, sizes, forces on bodies, grading. One world is a box with walls, the other a skew periodic cell that flows. Regions have all
-- types; the outsides of regions are also tested. tests/lua/measure_grids.lua tests the other measurements.
local brute = require "brute"
local dot, add, norm, cross, same, same_list, list, read, contains, volume_of, choose, counts, branch = brute.dot, brute.add, brute.norm, brute.cross, brute.same, brute.same_list, brute.list, brute.read, brute.contains, brute.volume_of, brute.choose, brute.counts, brute.branch

local pi = math.pi
local axes = { "x", "y", "z" }
local function try(w, what, region, group, cell, balls)
  local bodies, contacts, by_id = read(w, cell)
  local dt, some = w:dt(), choose(bodies, region, group)
  local function options(more)
    local out = { region = region, group = group }
    for k, v in pairs(more or {}) do out[k] = v end
    return out
  end
  same(w:count(options { kind = "dynamic" }), #some, what .. ": count")

  -- coordination
  local touching, carrying, in_region = {}, 0, {}
  for _, b in ipairs(some) do touching[b.id], in_region[b.id] = 0, true end
  for _, c in ipairs(contacts) do
    local any = false
    for _, b in ipairs { c.one, c.two } do
      if in_region[b.id] then touching[b.id], any = touching[b.id] + 1, true end
    end
    carrying = carrying + (any and 1 or 0)
  end
  local ends, loaded, rattlers, histogram = 0, 0, 0, list(16)
  for _, b in ipairs(some) do
    local z = touching[b.id]
    ends, rattlers, loaded = ends + z, rattlers + (z < 2 and 1 or 0), loaded + (z < 2 and 0 or z)
    histogram[math.min(z, 15) + 1] = histogram[math.min(z, 15) + 1] + 1
  end
  local z = w:coordination(options())
  same(z.grains, #some, what .. ": grains"); same(z.carrying, carrying, what .. ": carrying"); same(z.rattlers, rattlers, what .. ": rattlers")
  same(z.mean, #some > 0 and ends / #some or 0, what .. ": mean")
  same(z.mean_loaded, #some > rattlers and loaded / (#some - rattlers) or 0, what .. ": mean_loaded")
  same_list(z.histogram, histogram, what .. ": histogram")

  -- fabric
  local F, found = list(6), 0
  local pair = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } }
  for _, c in ipairs(contacts) do
    if contains(region, c.shown) and (counts(c.one, group) or counts(c.two, group)) then
      found = found + 1
      for p = 1, 6 do F[p] = F[p] + c.normal[pair[p][1]] * c.normal[pair[p][2]] end
    end
  end
  local f, square = w:fabric(options()), 0
  same(f.contacts, found, what .. ": contacts of fabric")
  for p, name in ipairs { "xx", "yy", "zz", "xy", "xz", "yz" } do
    same(f[name], F[p] / found, what .. ": fabric " .. name, 1)
    square = square + (p > 3 and 2 or 1) * (F[p] / found - (p > 3 and 0 or 1 / 3)) ^ 2
  end
  same(f.anisotropy, math.sqrt(1.5 * square), what .. ": anisotropy", 1)

  -- stress
  if (region or cell) and not (region and (region.outside or region.normal or region.axis and not region.length)) then
    local V, contact, kinetic, mean, mass, n = volume_of(region, w), list(9), list(9), { 0, 0, 0 }, 0, 0
    for _, c in ipairs(contacts) do
      if contains(region, c.shown) then
        local l = branch(c, group, balls)
        n = n + 1
        for i = 0, 8 do contact[i + 1] = contact[i + 1] + c.impulse[i // 3 + 1] * l[i % 3 + 1] / (dt * V) end
      end
    end
    for _, b in ipairs(some) do mean, mass = add(mean, b.peculiar, b.m), mass + b.m end
    for _, b in ipairs(some) do
      local u = add(b.peculiar, mean, -1 / mass)
      for i = 0, 8 do kinetic[i + 1] = kinetic[i + 1] + b.m * u[i // 3 + 1] * u[i % 3 + 1] / V end
    end
    local s = w:stress(options())
    local scale = math.abs(contact[1]) + math.abs(contact[5]) + math.abs(contact[9])
    same(s.contacts, n, what .. ": contacts of stress"); same(s.grains, #some, what .. ": grains of stress"); same(s.volume, V, what .. ": volume")
    for i = 0, 8 do
      same(s.contact[i + 1], contact[i + 1], what .. ": contact stress " .. i, scale)
      same(s.kinetic[i + 1], kinetic[i + 1], what .. ": kinetic stress " .. i, kinetic[1] + kinetic[5] + kinetic[9])
      same(s[axes[i // 3 + 1] .. axes[i % 3 + 1]], contact[i + 1] + kinetic[i + 1], what .. ": stress " .. i, scale)
    end
    same(s.pressure, (s.xx + s.yy + s.zz) / 3, what .. ": pressure", scale)

    -- radial distribution
    for _, way in ipairs { {}, { fit = true }, { edges = true }, { fit = true, edges = true } } do
      local plain = not way.fit and not way.edges
      if plain or region and region.min then
        local reach, bins, edge, low, high, space = 0.31, 13, {}, { 1e9, 1e9, 1e9 }, { -1e9, -1e9, -1e9 }, V
        local pairs_of = list(bins)
        for i, b in ipairs(some) do
          for k = 1, 3 do low[k], high[k] = math.min(low[k], b.shown[k]), math.max(high[k], b.shown[k]) end
          for j = 1, #some do
            local d = add(b.shown, some[j].shown, -1)
            for image = 0, cell and not region and 26 or 0 do
              local e, n = d, { image % 3 - 1, image // 3 % 3 - 1, image // 9 - 1 }
              for k = 1, 3 do if cell and not region then e = add(e, cell.edge[k], n[k]) end end
              local r = norm(e)
              if r < reach and r > 0 then
                local bin = math.floor(r / reach * bins) + 1
                pairs_of[bin] = pairs_of[bin] + 1
              end
            end
          end
        end
        if region and region.min then
          local spacing = ((high[1] - low[1]) * (high[2] - low[2]) * (high[3] - low[3]) / #some) ^ (1 / 3)
          space = 1
          for k = 1, 3 do
            edge[k] = region.max[k] - region.min[k]
            if way.fit then edge[k] = math.min(edge[k], high[k] - low[k] + spacing) end
            space = space * edge[k]
          end
        end
        local g = w:rdf(options { reach = reach, bins = bins, fit = way.fit, edges = way.edges })
        same(g.grains, #some, what .. ": grains of rdf"); same(g.volume, space, what .. ": volume of rdf"); same(g.density, #some / space, what .. ": density")
        for i = 1, bins do
          local a, b, share = (i - 1) * reach / bins, i * reach / bins, 1
          local r = (a + b) / 2
          if way.edges then
            local x, y, e = edge[1], edge[2], edge[3]
            share = 1 - r / 2 * (1 / x + 1 / y + 1 / e) + 2 * r ^ 2 / (3 * pi) * (1 / (x * y) + 1 / (y * e) + 1 / (e * x)) - r ^ 3 / (4 * pi * x * y * e)
          end
          same(g.r[i], r, what .. ": r")
          same(g.g[i], #some == 0 and 0 or pairs_of[i] / (#some * #some / space * 4 / 3 * pi * (b ^ 3 - a ^ 3) * share), what .. ": g")
        end
      end
    end
  end

  -- forces and their distribution; force_distribution has no key `group`
  if not group then
    for _, tangential in ipairs { false, true } do
      local sizes, sum, bins, reach = {}, 0, 11, 2.5
      for _, c in ipairs(contacts) do
        if contains(region, c.shown) then
          local normal = dot(c.impulse, c.normal)
          sizes[#sizes + 1] = (tangential and norm(add(c.impulse, c.normal, -normal)) or math.abs(normal)) / dt
          sum = sum + sizes[#sizes]
        end
      end
      local density = list(bins)
      for _, size in ipairs(sizes) do
        local bin = math.floor(size / (sum / #sizes) / reach * bins) + 1
        if bin <= bins then density[bin] = density[bin] + bins / reach / #sizes end
      end
      local d = w:force_distribution { region = region, bins = bins, reach = reach, tangential = tangential }
      same(d.contacts, #sizes, what .. ": contacts of forces"); same(d.mean, #sizes > 0 and sum / #sizes or 0, what .. ": mean force", 1e-3)
      same_list(d.density, density, what .. ": density of forces", 1)
      for i = 1, bins do same(d.force[i], (i - 0.5) * reach / bins, what .. ": force") end
    end
    local number, mass, low, high, bins = list(6), list(6), 0.09, 0.11, 6
    for _, b in ipairs(some) do
      local part = (b.r - low) / (high - low)
      if part >= 0 and part <= 1 then
        local bin = math.min(math.floor(part * bins), bins - 1) + 1
        number[bin], mass[bin] = number[bin] + 1, mass[bin] + b.m
      end
    end
    local s = w:sizes { region = region, low = low, high = high, bins = bins }
    same_list(s.number, number, what .. ": number of sizes"); same_list(s.mass, mass, what .. ": mass of sizes")
    for i = 1, bins do same(s.radius[i], low + (high - low) * (i - 0.5) / bins, what .. ": radius") end
    for _, b in ipairs(bodies) do
      local force, torque, n = { 0, 0, 0 }, { 0, 0, 0 }, 0
      for _, c in ipairs(contacts) do
        if c.one == b then
          force, torque, n = add(force, c.impulse, 1 / dt), add(torque, cross(add(c.point, b.x, -1), c.impulse), 1 / dt), n + 1
        elseif c.two == b then
          local arm = add(add(c.point, b.x, -1), c.shift, -1)
          force, torque, n = add(force, c.impulse, -1 / dt), add(torque, cross(arm, c.impulse), -1 / dt), n + 1
        end
      end
      local told, turned, number_of = w:forces_on(w:body_of(b.id))
      same(number_of, n, what .. ": contacts of a body")
      for k = 1, 3 do same(told[k], force[k], what .. ": force on a body", 1e3); same(turned[k], torque[k], what .. ": torque on a body", 1e2) end
    end
  end

  -- grading
  local sorted, whole, sieves = {}, 0, { 0.05, 0.18, 0.2, 0.21, 0.215, 0.4 }
  for i, b in ipairs(some) do sorted[i], whole = { 2 * b.r, b.m }, whole + b.m end
  table.sort(sorted, function(a, b) return a[1] < b[1] end)
  local function at_share(share)
    local sum = 0
    for _, g in ipairs(sorted) do
      sum = sum + g[2]
      if sum >= share * whole then return g[1] end
    end
    return 0 / 0
  end
  local target = { by = "number", distribution = "uniform", min = 0.16, max = 0.25 }
  local g, distance = w:grading(options { sieves = sieves, target = target }), 0
  same(g.grains, #some, what .. ": grains of grading"); same(g.mass, whole, what .. ": mass of grading")
  for name, share in pairs { d10 = 0.1, d50 = 0.5, d90 = 0.9 } do same(g[name], at_share(share), what .. ": " .. name) end
  same(g.min, sorted[1] and sorted[1][1] or 0 / 0, what .. ": min"); same(g.max, sorted[1] and sorted[#sorted][1] or 0 / 0, what .. ": max")
  for i, sieve in ipairs(sieves) do
    local n, m = 0, 0
    for _, s in ipairs(sorted) do if s[1] <= sieve then n, m = n + 1, m + s[2] end end
    same(g.sieves[i], sieve, what .. ": sieve"); same(g.by_number[i], #some > 0 and n / #some or 0, what .. ": by_number")
    same(g.by_mass[i], #some > 0 and m / whole or 0, what .. ": by_mass")
    same(g.target[i], math.min(1, math.max(0, (sieve - 0.16) / 0.09)), what .. ": target", 1)
  end
  for i = 1, #sorted do
    local wanted = math.min(1, math.max(0, (sorted[i][1] - 0.16) / 0.09))
    local first, last = i, i
    while first > 1 and sorted[first - 1][1] == sorted[i][1] do first = first - 1 end
    while last < #sorted and sorted[last + 1][1] == sorted[i][1] do last = last + 1 end
    distance = math.max(distance, math.abs(wanted - (first - 1) / #sorted), math.abs(last / #sorted - wanted))
  end
  same(g.distance, distance, what .. ": distance", 1)
  return bodies, contacts, by_id
end

do
  local w, balls = brute.walled()
  local box = { min = { -0.4, -0.5, 0.1 }, max = { 0.5, 0.37, 0.6 } }
  local regions = {
    { "everywhere", nil }, { "box", box }, { "ball", { center = { 0.1, 0, 0.3 }, radius = 0.33 } },
    { "cylinder", { point = { -0.2, 0.1, 0.1 }, axis = { 2, 0, 1 }, radius = 0.3, length = 0.6 } }, { "endless", { point = { 0, 0.1, 0 }, axis = { 0, 0, 3 }, radius = 0.3 } },
    { "half", { point = { 0, 0, 0.3 }, normal = { 0.3, 0.2, 2 } } }, { "outside of a box", { min = box.min, max = box.max, outside = true } },
    { "nowhere", { min = { 5, 5, 5 }, max = { 6, 6, 6 } } },
  }
  local bodies, contacts
  for _, region in ipairs(regions) do
    for _, group in ipairs { false, 1 } do
      local what = region[1] .. (group and " of group 1" or "")
      bodies, contacts = try(w, what, region[2], group or nil, nil, balls)
    end
  end
  assert(#bodies == 70 and #contacts > 60, #contacts)
end

do
  local w, balls, cell = brute.celled()
  local box = { min = { 0.4, -1.9, 5.1 }, max = { 0.9, -1.4, 5.7 } }
  local bodies, contacts
  for _, region in ipairs { { "the cell" }, { "a box in the cell", box }, { "a ball in the cell", { center = { 0.8, -1.6, 5.4 }, radius = 0.4 } } } do
    for _, group in ipairs { false, 1 } do bodies, contacts = try(w, region[1] .. (group and " of group 1" or ""), region[2], group or nil, cell, balls) end
  end
  assert(#bodies == 125 and #contacts > 100, #contacts)
end
