-- Granular channel flow past an obstacle: Preclik, Eibl and Rüde (2017), section 4.3. A channel of 15 x 6.5 x 2 cm with walls in y and z; a plane
-- of infinite mass pushes layers of grains in at 1 m/s; the far end is open. scale = 1 is the paper's size, a quarter of a million grains.
-- law = "both" runs Coulomb friction and maximum dissipation and sets their figures side by side.
--
-- Smaller scales shrink channel and obstacle but not the grains. Speeds shrink a little, so that grains settle before the exit, and the lattice of
-- the inflow becomes narrower, so that the layer stays several grains deep.
local inflow = require "scree.inflow"
local probe = require "scree.probe"

local radius = 0.235e-3 -- the paper's 0.47 mm is the diameter

local function length(p) return 0.15 * p.scale end
local function width(p) return 0.065 * p.scale end
local function height(p) return 0.02 * math.max(p.scale, 0.2) end
local function speed(p) return p.scale ^ (1 / 4) end
local function spacing(p) return 1e-3 * math.max(p.scale, 0.06) ^ (1 / 4) end
local function step(p) return p.dt > 0 and p.dt or 1e-5 / speed(p) end
local function duration(p) return p.time > 0 and p.time or 0.5 * p.scale / speed(p) end
local function measuring(w, p) return w:time() >= 0.6 * duration(p) end

local profile -- mean fields on cells of 1 mm x 1 mm at full size

local function build(w, p)
  -- in a smaller channel two grains block the gap beside the obstacle, and the plane crushes what is before it
  if not (p.scale >= 0.1) then error("scale must be at least 0.1, not " .. p.scale, 0) end
  w:material { name = "grain", density = 2650 }
  w:pair { "grain", "grain", law = p.law, mu = p.mu }
  for _, wall in ipairs { { 0, 1, 0 }, { 0, -1, width(p) }, { 1, 1, 0 }, { 1, -1, height(p) } } do
    local normal, point = { 0, 0, 0 }, { 0, 0, 0 }
    normal[2 + wall[1]], point[2 + wall[1]] = wall[2], wall[3]
    w:halfspace { normal = normal, point = point, material = "grain" }
  end
  -- a cylinder of 1 cm about (4, 4) cm whose right half is a box: a round nose towards the flow, a blunt back
  local r, at = 0.01 * p.scale, { 0.04 * p.scale, 0.04 * p.scale, height(p) / 2 }
  w:body {
    name = "obstacle", kind = "fixed", position = at,
    shapes = {
      { type = "cylinder", radius = r, length = height(p), material = "grain" },
      { type = "box", size = { r, 2 * r, height(p) }, position = { r / 2, 0, 0 }, material = "grain" },
    },
  }
  inflow.create(w, {
    min = { 0, 0, 0 }, max = { 0, width(p), height(p) }, spacing = spacing(p), radius = radius, speed = speed(p), jitter = 0.5 * speed(p),
    material = "grain",
  })
  local cell = 1e-3 * math.max(p.scale, 0.35)
  profile = w:profile {
    region = { min = { 0, 0, 0 }, max = { length(p), width(p), height(p) } },
    cells = { math.floor(length(p) / cell + 0.5), math.floor(width(p) / cell + 0.5), 1 },
  }
end

-- Depth of the flowing layer: nine tenths of the grains lie below it. Solid fraction is judged there, as the paper must have done.
local function layer(w, p)
  local z, kind = {}, w:view("kind"):totable()
  local position = w:view("position"):totable()
  for i, k in ipairs(kind) do
    if k == 0 and position[3 * i - 2] > 0.4 * length(p) then z[#z + 1] = position[3 * i] end
  end
  table.sort(z)
  return #z > 0 and z[math.ceil(0.9 * #z)] + radius or 0
end

local function sample(w, p)
  if not measuring(w, p) then return end
  local r = w:report()
  local x0, depth = 0.6 * length(p), layer(w, p)
  local n = w:count { region = { min = { x0, 0, 0 }, max = { length(p), width(p), depth } } }
  profile:add()
  probe.add(w, "grains", r.dynamic)
  probe.add(w, "contacts", r.active)
  probe.add(w, "penetration", r.penetration)
  probe.add(w, "depth", depth)
  if depth > 0 then probe.add(w, "solid", n * 4 / 3 * math.pi * radius ^ 3 / ((length(p) - x0) * width(p) * depth)) end
end

local function draw(w, p, out)
  local vx, vy = profile:get "velocity"
  local _, _, wz = profile:get "spin"
  local fast, x, y = {}, profile:axis(1), profile:axis(2)
  for i = 1, #vx do fast[i] = math.sqrt(vx[i] ^ 2 + vy[i] ^ 2) end
  -- every third arrow
  local arrows = { x = {}, y = {}, u = {}, v = {}, scale = 3 * (x[2] - x[1]) / speed(p), color = "#202020" }
  for j = 2, #y, 3 do
    for i = 2, #x, 3 do
      local k = (j - 1) * #x + i
      if vx[k] == vx[k] then
        table.insert(arrows.x, x[i])
        table.insert(arrows.y, y[j])
        table.insert(arrows.u, vx[k])
        table.insert(arrows.v, vy[k])
      end
    end
  end
  local r, cx, cy = 0.01 * p.scale, 0.04 * p.scale, 0.04 * p.scale
  local obstacle = {
    { x = { cx }, y = { cy }, radius = r, fill = "#808080", line = "#303030" },
    { x = { cx, cx + r, cx + r, cx }, y = { cy - r, cy - r, cy + r, cy + r }, fill = "#808080", line = "#303030" },
  }
  local range = { x = { 0, length(p) }, y = { 0, width(p) } }
  local function view(title, values, label)
    return {
      title = title, xlabel = "x [m]", ylabel = "y [m]", color_label = label, equal = true, xrange = range.x, yrange = range.y,
      image = { nx = #x, ny = #y, values = values, x = range.x, y = range.y }, shapes = obstacle,
    }
  end
  local velocity = view("mean velocity, from above (" .. p.law .. ")", fast, "m/s")
  velocity.arrows = { arrows }
  -- g(r) near the exit, over the centres of the layer; what lies outside is corrected for where the layer is deep enough
  local deep = layer(w, p) - 2 * radius
  local exit = { min = { 0.7 * length(p), radius, radius }, max = { length(p), width(p) - radius, radius + math.max(deep, radius) } }
  local g = w:rdf { region = exit, reach = deep > 4 * radius and math.min(10 * radius, deep, 0.3 * length(p)) or 10 * radius, bins = 50, edges = deep > 4 * radius }
  local diameters = {}
  for i, distance in ipairs(g.r) do diameters[i] = distance / (2 * radius) end
  scree.plot {
    file = "channel.png", columns = 1, width = 1000,
    panels = {
      velocity, view("mean spin about z", wz, "rad/s"),
      { title = "radial distribution near the exit", xlabel = "r / d", ylabel = "g", aspect = 0.3, series = { { x = diameters, y = g.g } } },
    },
  }
  local rows = { "x,y,vx,vy,wz" }
  for k = 1, #vx do
    rows[#rows + 1] = ("%.6g,%.6g,%.6g,%.6g,%.6g"):format(x[(k - 1) % #x + 1], y[(k - 1) // #x + 1], vx[k], vy[k], wz[k])
  end
  out:write("fields.csv", table.concat(rows, "\n") .. "\n")
end

return {
  title = "granular channel flow past an obstacle",
  params = { scale = 0.2, law = "max_dissipation", mu = 0.4, seed = 1, iterations = 20, dt = 0, time = 0 }, -- dt and time 0: 10 us and 0.5 s at full size,
  variants = function(p)
    if p.law == "both" then return { { law = "coulomb" }, { law = "max_dissipation" } } end
  end,
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = step(p), erp = 0.8, solver = { iterations = p.iterations, tolerance = 1e-6 } } end,
  setup = build,
  before_step = function(w, p)
    inflow.update(w)
    -- what has left the channel is deleted
    if w:steps() % 20 == 0 then w:remove { region = { min = { length(p), -1, -1 } } } end
  end,
  every = { { time = function(p) return duration(p) / 100 end, call = sample } },
  output = {
    trajectory = { every = function(p) return duration(p) / 50 end, precision = "1e-3 d" },
    series = { every = function(p) return duration(p) / 500 end },
  },
  stop = { time = duration },
  report = function(w, p, out)
    draw(w, p, out)
    local grains, contacts = probe.get(w, "grains").mean, probe.get(w, "contacts").mean
    local deepest = probe.get(w, "penetration").most
    local solid = probe.get(w, "solid")
    return {
      { "law", p.law },
      { "average grains", grains },
      { "solid volume fraction, flowing layer", solid and 100 * solid.mean or 0, "%" },
      { "depth of the layer", 1e3 * probe.get(w, "depth").mean, "mm" },
      { "average contacts", contacts },
      { "contacts per grain", 2 * contacts / grains },
      { "largest penetration", 1e6 * deepest, "um" },
      { "largest penetration / radius", 100 * deepest / radius, "%" },
      { "layers laid", w.state.inflows[1].layers },
    }
  end,
}
