-- A block of rock on an inclined joint with cohesion. Its factor of safety is (cohesion A + W cos(angle)
-- tan(friction))/(W sin(angle)). Gravity grows from 0, because a sudden load would double the shear force:
--   scree safety scenes/blocks/rock.lua --reduce both --settle 0.4
local G = 9.81

local function factor(p)
  -- weight of the block per area of the joint [N/m2]
  local weight, beta = 2500 * p.height * G, math.rad(p.angle)
  return (p.cohesion + weight * math.cos(beta) * math.tan(p.friction)) / (weight * math.sin(beta))
end

return {
  title = "rock on a joint with cohesion",
  params = {
    angle = 50,
    height = 2,
    friction = { default = math.rad(35), unit = "rad" },
    cohesion = { default = 3e4, unit = "Pa" },
  },
  world = function() return { gravity = { 0, 0, 0 }, dt = 1e-3 } end,
  setup = function(w, p)
    w:pair {
      "default",
      "default",
      law = "joint",
      kn = "1 GPa/m",
      friction = p.friction,
      cohesion = p.cohesion,
      tension = p.cohesion / 2,
    }
    w:box { kind = "fixed", size = { 20, 20, 1 }, position = { 0, 0, -0.5 } }
    w:box { size = { 6, 6, p.height }, position = { 0, 0, p.height / 2 }, density = 2500 }
  end,
  before_step = function(w, p)
    local share, beta = math.min(1, w:time() / 0.3), math.rad(p.angle)
    -- a growth without a kink does not excite oscillations of the springs
    local g = G * share ^ 2 * (3 - 2 * share)
    w:set_gravity(g * math.sin(beta), 0, -g * math.cos(beta))
  end,
  stop = { time = 0.8 },
  report = function(w, p) return { { "closed form", factor(p) } } end,
}
