-- Direct shear of a joint in rock. A block of 1 m2 is pressed on its base, and a shear force at the joint
-- grows. The peak lies on the line of Mohr and Coulomb, cohesion + tan(friction) sigma. Then the block is
-- pushed by 2 % more than the residual strength, and its friction is measured.
local scree = require "scree"

local G = 9.81

-- Normal stress on the joint from the pressure and the weight of the block, and peak and residual strength of
-- the joint under this normal stress [Pa].
local function normal_stress(p) return p.pressure + 2500 * 0.4 * G end
local function peak(p, normal) return p.cohesion + math.tan(p.friction) * normal end
local function residual(p, normal) return p.residual_cohesion + math.tan(p.residual_friction) * normal end

return {
  title = "direct shear of a joint",
  params = {
    pressure = { default = 2e5, min = 0, unit = "Pa" },
    friction = { default = math.rad(35), min = 0, unit = "rad" },
    residual_friction = { default = math.rad(30), min = 0, unit = "rad" },
    cohesion = { default = 1e5, min = 0, unit = "Pa" },
    residual_cohesion = { default = 2e4, min = 0, unit = "Pa" },
  },
  world = function() return { gravity = { 0, 0, -G }, dt = 1e-3 } end,
  setup = function(w, p)
    w:pair {
      "default",
      "default",
      law = "joint",
      kn = "1 GPa/m",
      ks = "0.5 GPa/m",
      friction = p.friction,
      cohesion = p.cohesion,
      residual_friction = p.residual_friction,
      residual_cohesion = p.residual_cohesion,
    }
    w:box { kind = "fixed", size = { 3, 3, 1 }, position = { 0, 0, -0.5 } }
    w:box { name = "block", size = { 1, 1, 0.4 }, position = { 0, 0, 0.2 }, density = 2500 }
    w.state.x, w.state.shear = {}, {}
  end,
  before_step = function(w, p)
    local block, normal = w:find "block", normal_stress(p)
    local contact = w:contacts()[1]
    w.state.peak = w.state.peak or peak(p, normal)
    if contact and contact.joint == "slipped" and not w.state.failed then w.state.failed = w.state.force end
    local rest = residual(p, normal)
    w.state.force = w.state.failed and 1.02 * rest or 1.1 * w.state.peak * math.max(0, w:time() - 0.3)
    block:apply { force = { 0, 0, -p.pressure } }
    block:apply { force = { w.state.force, 0, 0 }, at = { block:position(), 0, 0 } }
  end,
  after_step = function(w)
    local shear, normal = 0, 0
    for c in w:contacts() do
      shear, normal = shear - c.impulse[1] / w:dt(), normal + c.impulse[3] / w:dt()
    end
    w.state.last, w.state.normal = shear, normal
    table.insert(w.state.x, 1e3 * (w:find("block"):position()))
    table.insert(w.state.shear, 1e-6 * shear)
  end,
  stop = function(w) return w:find("block"):position() > 3e-3 or w:time() > 5 end,
  report = function(w, p)
    local normal = normal_stress(p)
    local rest = residual(p, w.state.normal)
    local last = w.state.x[#w.state.x]
    local function level(name, value)
      return { name = name, style = "lines", dashed = true, x = { 0, last }, y = { 1e-6 * value, 1e-6 * value } }
    end
    pcall(scree.plot, {
      title = "direct shear of a joint",
      file = "shear.png",
      panels = {
        {
          xlabel = "displacement [mm]",
          ylabel = "shear stress [MPa]",
          legend = "outside",
          series = {
            { name = "joint", style = "lines", width = 2, x = w.state.x, y = w.state.shear },
            level("peak, Mohr and Coulomb", peak(p, normal)),
            level("residual", rest),
          },
        },
      },
    })
    return {
      { "peak", w.state.failed, "Pa" },
      { "cohesion + tan(friction) sigma", peak(p, normal), "Pa" },
      { "residual", w.state.last, "Pa" },
      { "residual_cohesion + tan(residual_friction) sigma", rest, "Pa" },
    }
  end,
}
