-- Compatible forces in periodic cells: crystals, columns of unlike stiffness, boxes, sheared beds, weights, errors.
local scree = require "scree"

local function near(a, b, tolerance, what)
  if not (math.abs(a - b) <= tolerance) then error(("%s: %.17g, not %.17g"):format(what or "value", a, b), 2) end
end
local function fails(words, f, ...)
  local ok, message = pcall(f, ...)
  assert(not ok, "no error: " .. words)
  assert(tostring(message):find(words, 1, true), tostring(message) .. " does not say " .. words)
end
local function world(size, more)
  local def = { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = size, periodic = { true, true, true } }, solver = { tolerance = 1e-10, iterations = 2000 } }
  for key, value in pairs(more or {}) do def[key] = value end
  local w = scree.world(def)
  w:pair { "default", "default", mu = 0 }
  return w
end
local function press(w, x, y, z) w:cell():set_stress { { x, false, false }, { false, y, false }, { false, false, z } } end

local function cubic(w, size, material)
  for i = 0, size^3 - 1 do
    local x, y, z = i % size, i // size % size, i // size^2
    w:sphere { radius = 0.5, density = 1, position = { 0.5 + x, 0.5 + y, 0.5 + z }, material = material and material(x, y, z) }
  end
end

-- A simple cubic crystal: each contact carries the stress of its own direction over its face.
for _, law in ipairs { "hooke", "hertz" } do
  for _, load in ipairs { "step", "weight" } do
    local w = world { 2, 2, 2 }
    cubic(w, 2)
    press(w, 10, 20, 30)
    w:step(50)
    local forces, how = w:compatible_forces { law = law, stiffness = 1, load = load }
    assert(#forces == 24)
    for _, f in ipairs(forces) do
      local wanted = math.abs(f.normal[1]) > 0.5 and 10 or math.abs(f.normal[2]) > 0.5 and 20 or 30
      near(f.force, wanted, load == "step" and 1e-6 or 1e-9, law .. " " .. load)
    end
    assert(how.residual < 1e-11)
  end
end

-- A face-centred crystal in isotropic compression: all contacts alike, f = 3 P V / sum l. The forces of the solver depend on its order.
do
  local w, r = world { 2, 2, 2 }, math.sqrt(2) / 4
  for i = 0, 7 do
    for _, b in ipairs { { 0, 0, 0 }, { 0.5, 0.5, 0 }, { 0.5, 0, 0.5 }, { 0, 0.5, 0.5 } } do
      w:sphere { radius = r, density = 1, position = { i % 2 + b[1] + 0.2, i // 2 % 2 + b[2] + 0.2, i // 4 + b[3] + 0.2 } }
    end
  end
  press(w, 10, 10, 10)
  w:step(50)
  local forces = w:compatible_forces { stiffness = 1 }
  assert(#forces == 192)
  local most = 0
  for _, f in ipairs(forces) do
    near(f.force, 3 * 10 * 8 / (192 * 2 * r), 1e-6, "face-centred crystal")
    most = math.max(most, f.solver)
  end
  assert(most > 2)
end

-- Two balls, a body-centred crystal: eight contacts of one pair, each by another image. f = 3 P V / sum l, sum l = 8 2 r.
do
  local w, r = world { 1, 1, 1 }, math.sqrt(3) / 4
  for i = 0, 1 do w:sphere { radius = r, density = 1, position = { 0.1 + i / 2, 0.1 + i / 2, 0.1 + i / 2 } } end
  press(w, 10, 10, 10)
  w:step(50)
  local forces = w:compatible_forces { stiffness = 1 }
  assert(#forces == 8)
  for _, f in ipairs(forces) do near(f.force, 3 * 10 / (8 * 2 * r), 1e-6, "body-centred crystal") end
end

-- Columns of unlike stiffness side by side shorten alike: along y and z forces are in the ratio of the stiffnesses, and share the load; along x
-- the columns are in a row.
for _, law in ipairs { "hooke", "hertz" } do
  for _, friction in ipairs(law == "hooke" and { "none", "cone", "coulomb" } or { "none" }) do
    local w = world { 2, 2, 2 }
    w:material { name = "soft" }
    w:material { name = "hard" }
    for _, p in ipairs { { "soft", "soft" }, { "soft", "hard" }, { "hard", "hard" } } do w:pair { p[1], p[2], mu = friction == "none" and 0 or 0.5 } end
    cubic(w, 2, function(x) return x == 0 and "soft" or "hard" end)
    press(w, 10, 10, 10)
    w:step(50)
    local forces = w:compatible_forces { law = law, friction = friction, stiffness = { { "soft", "soft", 1 }, { "soft", "hard", 2 }, { "hard", "hard", 4 } } }
    assert(#forces == 24)
    for _, f in ipairs(forces) do
      local hard = w:body_of(f.a):position() > 1
      local wanted = math.abs(f.normal[1]) > 0.5 and 10 or hard and 16 or 4
      near(f.force, wanted, 1e-5, law .. " " .. friction .. ": columns side by side")
    end
  end
end

-- Boxes: four contacts a face share its force alike.
do
  local w = world { 2, 2, 2 }
  for i = 0, 7 do w:box { size = { 1, 1, 1 }, density = 1, position = { 0.5 + i % 2, 0.5 + i // 2 % 2, 0.5 + i // 4 } } end
  press(w, 12, 12, 12)
  w:step(50)
  local sum = { 0, 0, 0 }
  for _, f in ipairs(w:compatible_forces { stiffness = 1 }) do
    for k = 1, 3 do
      if math.abs(f.normal[k]) > 0.5 then
        near(f.force, 3, 1e-5, "boxes")
        sum[k] = sum[k] + f.force
      end
    end
  end
  for k = 1, 3 do near(sum[k], 2 * 2 * 12 * 2, 1e-4, "faces of boxes") end
end

-- A bed in compression, one that shears at constant normal stress, and one that shears as it is stretched: the forces carry the stress that the
-- contacts of the step had, in components that stress drives and in those that move, with cell = "free" in all.
do
  local size = 0.88
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 2e-3, cell = { size = { size, size, size }, periodic = { true, true, true } }, solver = { tolerance = 1e-7, iterations = 400 } }
  w:pair { "default", "default", mu = 0 }
  w:fill { region = { min = { 0, 0, 0 }, max = { size, size, size } }, spacing = 0.22, radius = 0.1, radius_max = 0.11, jitter = 0.02 }
  local function same(components, what)
    local forces, how = w:compatible_forces { stiffness = 1, cell = what }
    local mine, theirs, most, contacts = {}, {}, 0, w:contacts()
    for i = 1, 3 do
      for k = 1, 3 do
        local at = 3 * i + k - 3
        mine[at], theirs[at] = 0, 0
        for _, f in ipairs(forces) do
          local l = f.normal[i] * f.normal[k] * (w:body_of(f.a):radius() + w:body_of(f.b):radius() + contacts[f.index].gap)
          mine[at], theirs[at] = mine[at] + f.force * l, theirs[at] + f.solver * l
          most = math.max(most, math.abs(theirs[at]))
        end
      end
    end
    assert(most > 0 and how.residual <= 1e-11)
    for _, at in ipairs(components) do near(mine[at] / most, theirs[at] / most, 1e-8, "component " .. at .. " of the stress") end
  end
  press(w, 1000, 1000, 1000)
  w:step(300)
  same { 1, 5, 9 }
  same({ 1, 2, 3, 5, 6, 9 }, "free")
  w:cell():set_velocity_gradient { { 0, 0.3, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  w:cell():set_stress { { false, false, false }, { false, 1000, false }, { false, false, false } }
  w:step(40)
  same { 2, 5 }
  same({ 1, 2, 3, 5, 6, 9 }, "free")
  w:cell():set_stress { { false, false, false }, { false, false, false }, { false, false, false } }
  w:cell():set_velocity_gradient { { 0, 0.3, 0 }, { 0, 0.05, 0 }, { 0, 0, 0 } }
  w:step(10)
  same { 2, 5 }
  same({ 1, 2, 3, 5, 6, 9 }, "free")
end

-- What is refused, and the choice between a cell that is held and one that is free.
do
  local w = world { 2, 2, 2 }
  cubic(w, 2)
  press(w, 10, 10, 10)
  w:step(50)
  for _, f in ipairs(w:compatible_forces { stiffness = 1, cell = "held" }) do near(f.force, 0, 1e-6, "a cell for walls") end
  w:cell():set_stress { { false, false, false }, { false, false, false }, { false, false, false } }
  fails("the cell is held and its bodies have no load", w.compatible_forces, w, { stiffness = 1 })
  for _, f in ipairs(w:compatible_forces { stiffness = 1, cell = "free" }) do near(f.force, 10, 1e-6, "a cell that keeps its stress") end
  fails("cell", w.compatible_forces, w, { stiffness = 1, cell = "loose" })
  local loose = world { 4, 4, 4 }
  cubic(loose, 2)
  press(loose, 10, 10, 10)
  loose:step(1)
  fails("no contacts carry the stress of the cell", loose.compatible_forces, loose, { stiffness = 1, load = "weight" })
  -- the message names the largest component of the edge with the largest load, of either sign
  local gas = world { 4, 4, 4 }
  for k = 1, 3, 2 do gas:sphere { radius = 0.5, position = { k, k, k } } end
  for component, s in pairs { ["xy is 30 Pa"] = { 10, 30, -2, 10, -20, 10 }, ["yz is -40 Pa"] = { 1, 3, 2, 3, -40, 10 },
    ["yy is 50 Pa"] = { 10, -30, 2, 50, -40, 10 } } do
    gas:cell():set_stress { { s[1], s[2], s[3] }, { false, s[4], s[5] }, { false, false, s[6] } }
    gas:step(1)
    fails("its component " .. component, gas.compatible_forces, gas, { stiffness = 1, load = "weight" })
  end
end
