-- YADE's baraban.py: 1000 balls in a drum of triangles that turns about z; gravity is along -y. The grains start where those of
-- YADE do (grains.txt, written by drum_tail.py).
return {
  params = { deck = { default = "drum", doc = "folder with baraban.stl and grains.txt" }, dt = 2e-3, seed = 1 },
  world = function(p) return { gravity = { 0, -9.81, 0 }, dt = p.dt } end,
  setup = function(w, p)
    w:material { name = "grain", density = 2400 }
    w:pair { "grain", "grain", mu = math.tan(math.rad(35)), restitution = 0.3 }
    w:mesh { file = p.deck .. "/baraban.stl", kind = "kinematic", spin = { 0, 0, 0.5 }, material = "grain" }
    w:read_grains { file = p.deck .. "/grains.txt", material = "grain" }
  end,
  output = { trajectory = { every = 0.1, fields = { "position", "velocity" } } },
  stop = { time = 5 },
}
