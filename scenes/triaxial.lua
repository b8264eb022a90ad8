-- A triaxial test. Six smooth walls compress a sample of balls by the same stress from all sides. Then the
-- top wall moves down at a given speed, while the side walls keep their stress. The strength is the largest
-- friction angle phi, with sin(phi) = (s1 - s3)/(s1 + s3).
--
--   scree run scenes/triaxial.lua
--   scree plot runs/triaxial friction_angle volumetric_strain axial,contacts_axial,lateral snapshot \
--     --x axial_strain --view xz -o triaxial.png --columns 2
local servo = require "scree.servo"
local RADIUS = 1e-3 -- mean radius of the grains [m]

-- Returns the largest speed of the walls [m/s]. Walls of large samples are slower, because a wall must stop
-- within one step when it reaches the jammed grains.
local function wall_speed(p) return 0.3 * math.min(1, 8 / p.side) ^ 1.5 end

-- Returns the duration of the compression [s], at least 1.4 times the time in which a wall moves by 0.26 of the
-- edge at its largest speed.
local function compression(p) return math.max(p.compression, 1.4 * 0.26 * 2.6 * RADIUS * p.side / wall_speed(p)) end

-- Returns the present stress and strain. The forces on the walls give the principal stresses; the stress of
-- the contacts is a check.
local function look(w)
  local l, inner = servo.size(w, "cell"), servo.stress(w, "cell")
  local s =
    { servo.read(w, "cell_x").stress, servo.read(w, "cell_y").stress, servo.read(w, "cell_z").stress }
  local lateral, volume = 0.5 * (s[1] + s[2]), l[1] * l[2] * l[3]
  local start = w.state.start or { height = l[3], volume = volume }
  return {
    axial = s[3],
    lateral = lateral,
    contacts_axial = inner.zz,
    contacts_lateral = 0.5 * (inner.xx + inner.yy),
    axial_strain = 1 - l[3] / start.height,
    volumetric_strain = volume / start.volume - 1,
    friction_angle = s[3] > lateral and math.deg(math.asin((s[3] - lateral) / (s[3] + lateral))) or 0,
    porosity = 1 - w.state.solid / volume,
    height = l[3],
    volume = volume,
  }
end

-- Updates the largest friction angle, averaged over half a per cent of strain.
local function follow_peak(w, p)
  if not w.state.start then return end
  local peak, now = w.state.peak, look(w)
  local share = math.min(1, 200 * (now.axial_strain - peak.at))
  peak.at, peak.mean = now.axial_strain, peak.mean + share * (now.friction_angle - peak.mean)
  if peak.mean > peak.friction_angle then
    peak.friction_angle, peak.strain = peak.mean, peak.at
  end
end

return {
  title = "triaxial",
  params = {
    side = { default = 8, min = 4, max = 100, doc = "grains along a side of the cell" },
    stress = {
      default = "10 kPa",
      unit = "Pa",
      min = 1,
      max = 1e9,
      doc = "of the compression, then of the sides",
    },
    mu = { default = 0.5, min = 0, max = 10, doc = "between grains; walls are smooth" },
    mu_compression = {
      default = 0,
      min = 0,
      max = 10,
      doc = "between grains during the compression: the smaller, the denser the sample",
    },
    compression = {
      default = "0.15 s",
      unit = "s",
      min = 1e-3,
      max = 100,
      doc = "time of the isotropic compression; longer for more than 16 grains a side",
    },
    rate = { default = 0.5, min = 1e-4, max = 100, doc = "axial strain per second" },
    strain = { default = 0.25, min = 0.01, max = 0.5, doc = "axial strain at the end" },
    dt = { default = "0.1 ms", unit = "s", min = 1e-7, max = 1e-2, doc = "time step" },
    seed = 1,
  },
  world = function(p)
    return { gravity = { 0, 0, 0 }, dt = p.dt, solver = { iterations = 50, tolerance = 1e-4, softness = 0.01 } }
  end,
  setup = function(w, p)
    local edge = 2.6 * RADIUS * p.side
    w:material { name = "wall" }
    w:material { name = "grain", density = 2650 }
    w:pair { "grain", "grain", mu = p.mu_compression }
    w:pair { "grain", "wall", mu = 0 }
    w:pair { "wall", "wall", mu = 0 }
    w:fill {
      region = { min = { 0, 0, 0 }, max = { edge, edge, edge } },
      spacing = 2.6 * RADIUS,
      radius = 0.75 * RADIUS,
      radius_max = 1.25 * RADIUS,
      jitter = { 0.1, 0.1, 0.1 },
      material = "grain",
    }
    w.state.solid = w:view("mass"):sum() / 2650
    servo.box(w, {
      name = "cell",
      min = { 0, 0, 0 },
      max = { edge, edge, edge },
      stress = p.stress,
      speed = wall_speed(p),
      material = "wall",
    })
  end,
  before_step = function(w, p)
    if not w.state.start and w:time() >= compression(p) then
      w.state.start = look(w)
      w.state.peak = { friction_angle = 0, strain = 0, at = 0, mean = 0 }
      w:pair { "grain", "grain", mu = p.mu }
      servo.drive(w, "cell_z", p.rate * w.state.start.height)
    end
    servo.update(w)
  end,
  every = { { time = 1e-3, call = follow_peak } },
  output = {
    trajectory = { every = 0.01, precision = "1e-4 d" },
    series = { every = 1e-3, values = function(w) return look(w) end },
  },
  stop = { time = function(p) return compression(p) + p.strain / p.rate end },
  report = function(w)
    local now, start, peak = look(w), w.state.start, w.state.peak
    if not start then return { { "porosity", now.porosity } } end
    return {
      { "grains", w:count { group = 0 } },
      { "porosity after compression", start.porosity },
      { "peak friction angle", peak.friction_angle, "degrees" },
      { "at axial strain", peak.strain },
      { "friction angle at the end", peak.mean, "degrees" },
      { "axial strain", now.axial_strain },
      { "volumetric strain", now.volumetric_strain },
    }
  end,
}
