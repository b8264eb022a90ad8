-- Simultaneous impacts: a body of three balls lands flat on a floor, and each ball has its own friction and restitution. Under Poisson's law each normal
-- impulse is 1 + e times that of the inelastic landing. Under Stronge's law all are 1 + s e times that, and the normal impulses of the rebound return
-- e^2 of the work that those of the compression have absorbed.
local scree = require "scree"

local seed = 11
local function random(low, high)
  seed = seed * 48271 % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- Vertical velocities of the lowest points of the balls, for a velocity of the centre and a spin.
local function closing(case, velocity, spin)
  local v = {}
  for k, ball in ipairs(case.balls) do v[k] = velocity[3] + spin[1] * (ball.y - case.centre[2]) - spin[2] * (ball.x - case.centre[1]) end
  return v
end

-- A landing of balls that lie apart and whose lowest points all move downwards.
local function draw()
  local b, mass, x, y = {}, 0, 0, 0
  for k = 1, 3 do
    local e_t = random(-1, 1)
    b[k] = { radius = random(0.05, 0.2), x = random(-0.5, 0.5), y = random(-0.5, 0.5), density = 10 ^ random(-1, 1), mu = random(0, 0.6), e = random(0.1, 1), tangential = e_t > 0 and e_t or nil }
    local m = b[k].density * b[k].radius ^ 3
    mass, x, y = mass + m, x + m * b[k].x, y + m * b[k].y
  end
  local case = { balls = b, centre = { x / mass, y / mass }, velocity = { random(-3, 3), random(-3, 3), random(-3, -1) }, spin = { random(-5, 5), random(-5, 5), random(-5, 5) } }
  for k = 1, 3 do
    local o = b[k % 3 + 1]
    if (b[k].x - o.x) ^ 2 + (b[k].y - o.y) ^ 2 < (b[k].radius + o.radius) ^ 2 then return draw() end
  end
  if math.max(table.unpack(closing(case, case.velocity, case.spin))) > -0.1 then return draw() end
  return case
end

-- Returns the normal impulses of the balls, their velocities along the normal, the share of kinetic energy that is left, and the number of impacts.
local function land(case, law)
  local w, shapes = scree.world { gravity = { 0, 0, 0 }, dt = 1e-8 }, {}
  w:halfspace { normal = { 0, 0, 1 } }
  for k, ball in ipairs(case.balls) do
    w:material { name = "m" .. k, density = ball.density }
    w:pair { "m" .. k, "default", mu = ball.mu, restitution = law and ball.e or 1e-12, restitution_law = law, tangential_restitution = law and ball.tangential or nil }
    shapes[k] = { type = "sphere", radius = ball.radius, position = { ball.x, ball.y, ball.radius }, material = "m" .. k }
  end
  local body = w:body { shapes = shapes, velocity = case.velocity, spin = case.spin }
  local before, impulse = w:report().kinetic, {}
  w:step()
  for c in w:contacts() do
    local name = c.material1 == "default" and c.material2 or c.material1
    impulse[tonumber(name:match "%d")] = math.abs(c.impulse[3])
  end
  return impulse, closing(case, { body:velocity() }, { body:spin() }), w:report().kinetic / before, w:report().impacts
end

local once = { poisson = 0, stronge = 0 }
for number = 1, tonumber(arg and arg[1]) or 300 do
  local case = draw()
  local inelastic, _, _, few = land(case)
  local before = closing(case, case.velocity, case.spin)
  for _, law in ipairs { "poisson", "stronge" } do
    local elastic, after, left, impacts = land(case, law)
    assert(left <= 1 + 1e-12, "energy")
    if few == 3 and impacts == 3 then -- one round of impacts of all three balls
      once[law] = once[law] + 1
      local largest, scale, absorbed, returned = math.max(table.unpack(inelastic)), 1, 0, 0
      for k, ball in ipairs(case.balls) do
        if law == "stronge" and inelastic[k] == largest then scale = (elastic[k] / inelastic[k] - 1) / ball.e end
        absorbed = absorbed - ball.e ^ 2 * inelastic[k] * before[k] / 2
      end
      for k, ball in ipairs(case.balls) do
        local wanted = (1 + scale * ball.e) * inelastic[k]
        assert(math.abs(elastic[k] - wanted) <= 1e-5 * largest, ("%s, landing %d: impulse %g, not %g"):format(law, number, elastic[k], wanted))
        returned = returned + scale * ball.e * inelastic[k] * after[k] / 2
      end
      local work = ("landing %d returns %g of %g, scale %g"):format(number, returned, absorbed, scale)
      assert(law == "poisson" or math.abs(returned - absorbed) <= 1e-5 * absorbed, work)
    end
  end
end
assert(once.poisson > 270 and once.stronge > 270, "too few landings in one round of impacts")
