-- The solver newton: bodies that can rest do rest, near and far from the friction threshold, with and without gravity.
local scree = require "scree"
local rad, tan = math.rad, math.tan

local function world(mu, gravity)
  local w = scree.world { dt = 1e-3, gravity = gravity, solver = { name = "newton" } }
  w:pair { "default", "default", mu = mu }
  return w
end

-- Steps a world; returns the largest share of unbalanced forces after the first steps, and checks that no body moves further than `way`.
local function rests(name, w, bodies, way, load)
  local start, worst = {}, 0
  for i, b in ipairs(bodies) do start[i] = { b:position() } end
  for i = 1, 200 do
    if load then load() end
    w:step()
    if i > 5 then worst = math.max(worst, w:report().unbalanced) end
  end
  for i, b in ipairs(bodies) do
    local x, y, z = b:position()
    local moved = math.sqrt((x - start[i][1]) ^ 2 + (y - start[i][2]) ^ 2 + (z - start[i][3]) ^ 2)
    assert(moved < way, ("%s: body %d moves %g m"):format(name, i, moved))
  end
  assert(worst < 1e-4, ("%s: forces are off by %g"):format(name, worst))
end

-- Two logs on the ground and one on them, all touching: they stand if mu is above tan 15 degrees.
for _, shape in ipairs { "cylinder", "sphere" } do
  for _, over in ipairs { 1.002, 1.02, 1.5 } do
    local w, logs, r = world(tan(rad(15)) * over), {}, 0.1
    w:halfspace { normal = { 0, 0, 1 } }
    for i, at in ipairs { { -r, 0, r }, { r, 0, r }, { 0, 0, r + r * math.sqrt(3) } } do
      local def = { radius = r, position = at, density = 700 }
      if shape == "cylinder" then
        def.length, def.orientation = 1, { math.sqrt(0.5), math.sqrt(0.5), 0, 0 }
      end
      logs[i] = w[shape](w, def)
    end
    rests(("%s logs at %g"):format(shape, over), w, logs, 5e-6)
  end
end

-- A wedge between two free-standing blocks: the wedge stays if mu is above tan of half its angle.
local function wedge(half, mu, heavy)
  local w, h = world(mu), 0.2
  local x = h * tan(half)
  w:halfspace { normal = { 0, 0, 1 } }
  local points, bodies = {}, {}
  for _, y in ipairs { -0.1, 0.1 } do
    points[#points + 1] = { 0, y, 0.3 - h }
    points[#points + 1] = { x, y, 0.3 }
    points[#points + 1] = { -x, y, 0.3 }
  end
  bodies[1] = w:hull { points = points, density = 1000 }
  for _, s in ipairs { -1, 1 } do
    local block = {}
    for _, y in ipairs { -0.15, 0.15 } do
      block[#block + 1] = { s * 0.3, y, 0 }
      block[#block + 1] = { s * 0.3, y, 0.3 }
      block[#block + 1] = { s * 0.001, y, 0 } -- the wedge's tip is above the ground
      block[#block + 1] = { s * x, y, 0.3 }
      block[#block + 1] = { s * 0.001, y, 0.3 - h + 0.001 / tan(half) }
    end
    bodies[#bodies + 1] = w:hull { points = block, density = 1000 * heavy }
  end
  rests(("wedge of %g at mu %g"):format(math.deg(2 * half), mu), w, bodies, 2e-5)
end
for _, mu in ipairs { 0.269, 0.3, 0.4, 0.5, 0.6, 0.9 } do
  wedge(rad(15), mu, 1)
  wedge(rad(15), mu, 100)
end

-- Bodies of all shapes pressed on a plane without gravity.
local shapes = {
  { "sphere", { radius = 0.02 }, 0.02 }, { "box", { size = { 0.04, 0.04, 0.04 } }, 0.02 }, { "capsule", { radius = 0.02, length = 0.02 }, 0.03 },
  { "cylinder", { radius = 0.02, length = 0.04 }, 0.02 }, { "ellipsoid", { size = { 0.04, 0.04, 0.04 } }, 0.02 },
}
for _, s in ipairs(shapes) do
  for _, mu in ipairs { 0, 0.3, 1 } do
    for _, load in ipairs { 1e-3, 1, 1e3 } do
      local w = world(mu, { 0, 0, 0 })
      w:halfspace { normal = { 0, 0, 1 } }
      local def = { mass = 0.5, position = { 0, 0, s[3] } }
      for k, v in pairs(s[2]) do def[k] = v end
      local b = w[s[1]](w, def)
      -- the way that the load would drive it in a step
      rests(("%s, %g N, mu %g"):format(s[1], load, mu), w, { b }, 1e-4 * load / 0.5 * 1e-6 + 1e-15, function() b:apply { force = { 0, 0, -load } } end)
    end
  end
end
