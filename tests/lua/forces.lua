-- w:compatible_forces: options, results, refusals.
local scree = require "scree"
local check = require "check"
local fails = require("check").fails
local function near(a, b, tolerance) check.within(a, b, tolerance or 1e-8) end

-- a beam of weight 10 on three supports
local w = scree.world { gravity = { 0, 0, -1 }, dt = 1e-3, solver = { iterations = 500, tolerance = 1e-12 } }
w:material { name = "beam" }
w:material { name = "side" }
w:material { name = "middle" }
for i = -1, 1 do
  w:sphere { radius = 0.1, position = { i, 0, -0.1 }, kind = "fixed", material = i == 0 and "middle" or "side", group = i }
end
local beam = w:capsule { name = "beam", radius = 0.1, length = 3, position = { 0, 0, 0.1 }, orientation = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 },
                         mass = 10, material = "beam" }
w:step(20)

local function shares(options)
  local list, report = w:compatible_forces(options)
  assert(#list == #w:contacts() and report.closed == 3 and report.residual <= 1e-12)
  local at = {}
  for k, c in ipairs(list) do
    assert(c.index == k and c.a == beam:id() and math.abs(c.normal[3] - 1) < 1e-9)
    near(c.vector[3], c.force)
    at[w:body_of(c.b):group()] = c.force
  end
  return at[-1], at[0], at[1]
end
local function share(left, middle, right, options)
  local a, b, c = shares(options)
  near(a, left)
  near(b, middle)
  near(c, right)
end

share(10 / 3, 10 / 3, 10 / 3)
share(10 / 3, 10 / 3, 10 / 3, { law = "hertz", stiffness = 17 })
share(2, 6, 2, { stiffness = { { "beam", "side", 1 }, { "middle", "beam", 3 } } })
share(2, 6, 2, { law = "hertz", stiffness = { { "beam", "side", 1e9 }, { "middle", "beam", 3e9 } } })
share(2, 6, 2, { exponent = 4, load = "weight", stiffness = function(c) return c.material2 == "middle" and 3 or 1 end })
share(1, 8, 1, { stiffness = function(c) return c.body2:group() == 0 and 8 or 1 end })
local list = w:compatible_forces { friction = "coulomb", load = "weight" }
near(list[1].vector[3] + list[2].vector[3] + list[3].vector[3], 10)

-- the force of cohesion is given; elastic forces balance weight and cohesion, and a side hangs if its elastic force is below the cohesion
for pull, side in pairs { [1.5] = 1.4, [10] = -2 } do
  w:pair { "beam", "side", cohesion = pull, cohesion_range = 1e-3 }
  w:pair { "beam", "middle", cohesion = pull, cohesion_range = 1e-3 }
  w:step(20)
  for _, load in ipairs { "step", "weight" } do
    share(side, 10 - 2 * side, side, { load = load, stiffness = { { "beam", "side", 1 }, { "middle", "beam", 3 } } })
  end
end
w:pair { "beam", "side" }
w:pair { "beam", "middle" }
w:step(20)
-- wet grains: on each grain the compatible forces, including bridges of open contacts, have the sum of the solver's forces
do
  local v = scree.world { gravity = { 0, 0, -9.81 }, dt = 2e-4, solver = { iterations = 500, tolerance = 1e-12 } }
  v:pair { "default", "default", mu = 0, cohesion_law = "capillary", volume = 2e-11, tension = 0.07 }
  v:halfspace { normal = { 0, 0, 1 } }
  v:fill { region = { min = { 0, 0, 0 }, max = { 7e-3, 7e-3, 7e-3 } }, spacing = 2.01e-3, radius = 0.95e-3, radius_max = 1e-3 }
  v:step(150)
  for i, id in ipairs(v:view("id"):totable()) do
    local b = v:body_of(id)
    if b:kind() == "dynamic" then b:set_velocity { 0.05 * (i % 3 - 1), 0.03 * (i % 5 - 2), 0.1 * (i % 3) } end
  end
  v:step(3)
  local sum, contacts, open = {}, v:contacts(), 0
  for k, c in ipairs(v:compatible_forces { stiffness = function(at) return at.body1:id() % 3 + 1 end }) do
    local solver = contacts[k].impulse
    if contacts[k].pull > 0 and contacts[k].gap > 1e-6 then open = open + 1 end
    for id, sign in pairs { [c.a] = 1, [c.b] = -1 } do
      sum[id] = sum[id] or { 0, 0, 0 }
      for x = 1, 3 do sum[id][x] = sum[id][x] + sign * (c.vector[x] - solver[x] / v:dt()) end
    end
  end
  assert(open > 0, "no bridge spans a gap")
  for id, left in pairs(sum) do
    if v:body_of(id):kind() == "dynamic" then
      for x = 1, 3 do near(left[x], 0, 1e-9) end
    end
  end
end

fails("hooke|hertz", w.compatible_forces, w, { law = "hook" })
fails("did you mean", w.compatible_forces, w, { stifness = 1 })
fails("stiffness must be greater than 0", w.compatible_forces, w, { stiffness = -1 })
fails("stiffness must be greater than 0", w.compatible_forces, w, { stiffness = 0 })
fails("must be positive and finite", w.compatible_forces, w, { stiffness = { { "beam", "side", 1 } } })
fails("unknown material", w.compatible_forces, w, { stiffness = { { "beam", "sid", 1 } } })
fails("must be a number", w.compatible_forces, w, { stiffness = function() return "soft" end })
fails("above 1", w.compatible_forces, w, { exponent = 0.5 })
fails("p = 2.5", w.compatible_forces, w, { law = "hertz", friction = "coulomb" })
w:pair { "beam", "side", law = "hooke", stiffness = 2 }
w:step()
fails("has none", w.compatible_forces, w)

-- a body without support
beam:set_position { 0, 0, 5 }
w:step()
fails('nothing holds body "beam"', w.compatible_forces, w, { load = "weight", stiffness = 1 })
fails("forces must be a table or false", w.record_forces, w, 3)
w:record_forces { compatible = "hooke" }
w:record_forces(false)
