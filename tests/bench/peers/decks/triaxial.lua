-- YADE's triaxial tutorial, script-session1.py: the packing that YADE compressed (packing.txt, walls.txt, written by triaxial_tail.py) is
-- compressed by 10 kPa again, then sheared at 2 % per second to a logarithmic strain of 15 %. Walls have no friction.
local servo = require "scree.servo"
local function look(w)
  local size, s = servo.size(w, "cell"), {}
  for k, name in ipairs { "cell_x", "cell_y", "cell_z" } do s[k] = servo.read(w, name).stress end
  local start = w.state.start or { size[2], size[1] * size[2] * size[3] }
  return { strain = 1 - size[2] / start[1], axial = s[2], lateral = (s[1] + s[3]) / 2, volumetric = size[1] * size[2] * size[3] / start[2] - 1 }
end
return {
  params = { deck = { default = "triaxial", doc = "folder with packing.txt and walls.txt" }, dt = 5e-4, compression = 0.25, rate = 0.02, seed = 1 },
  world = function(p) return { gravity = { 0, 0, 0 }, dt = p.dt, solver = { iterations = 50, tolerance = 1e-4 } } end,
  setup = function(w, p)
    w:material { name = "grain", density = 2600 }
    w:material { name = "wall" }
    w:pair { "grain", "grain", mu = math.tan(math.rad(30)), young = 2 * 5e6, poisson = 0, stiffness_ratio = 0.5 } -- k = 2 E R1 R2 / (R1 + R2)
    w:pair { "grain", "wall", mu = 0, contact_stiffness = 5e6 * 0.055 } -- E R of the mean radius
    w:pair { "wall", "wall", mu = 0 }
    w:read_grains { file = p.deck .. "/packing.txt", material = "grain" }
    local v = {}
    for number in io.open(p.deck .. "/walls.txt"):read "a":gmatch "%S+" do v[#v + 1] = tonumber(number) end
    servo.box(w, { name = "cell", min = { v[1], v[2], v[3] }, max = { v[4], v[5], v[6] }, stress = 1e4, speed = 0.1, material = "wall" })
  end,
  before_step = function(w, p)
    if w:time() >= p.compression then
      local size = servo.size(w, "cell")
      w.state.start = w.state.start or { size[2], size[1] * size[2] * size[3] }
      servo.drive(w, "cell_y", p.rate * size[2]) -- YADE computes the rate from the present height
    end
    servo.update(w)
  end,
  output = { series = { every = 0.05, values = look } },
  stop = { time = function(p) return p.compression + 0.15 / p.rate end },
}
