-- Problems without a solution end in bounded time with a message; problems that only seem to have none are solved.
local scree = require "scree"

-- a block in a groove that friction closes, deeper than it fits: contacts ask for speeds that no impulses give
for _, name in ipairs { "auto", "newton" } do
  local w = scree.world { dt = 1e-3, correction = "velocity", solver = { name = name } }
  w:pair { "default", "default", mu = 2 }
  local a = math.rad(10)
  w:halfspace { normal = { math.cos(a), 0, math.sin(a) } }
  w:halfspace { normal = { -math.cos(a), 0, math.sin(a) }, point = { 0.1, 0, 0 } }
  w:box { size = { 0.099, 0.1, 0.1 }, position = { 0.05, 0, 0.03 }, mass = 1 }
  for _ = 1, 20 do
    w:step()
    local r = w:report()
    assert(r.iterations <= 200, name .. ": bounded")
    assert(r.residual > 9.81e-3, name .. ": the report tells that it is not solved")
    assert(r.max_speed < 100, name .. ": nothing flies off")
  end
end

-- Painleve's rod: steep, sliding on its end with more friction than 4/3; impulses have an answer where forces have none
for _, name in ipairs { "auto", "newton" } do
  local w = scree.world { dt = 1e-3, solver = { name = name } }
  w:pair { "default", "default", mu = 2 }
  w:halfspace { normal = { 0, 0, 1 } }
  local tilt = math.rad(30)
  w:capsule { radius = 0.001, length = 1, position = { 0, 0, 0.001 + 0.5 * math.cos(tilt) }, orientation = { math.cos(tilt / 2), 0, math.sin(tilt / 2), 0 },
    velocity = { -5, 0, 0 }, mass = 1 }
  for _ = 1, 20 do
    w:step()
    local r = w:report()
    assert(r.residual <= 1.001e-6 * 9.81e-3 and r.iterations <= 60, name .. ": the rod")
  end
end
