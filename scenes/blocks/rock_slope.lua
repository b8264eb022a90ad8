-- A slope in rock with three sets of joints. The blocks of the foot and of the rear are fixed. With friction
-- the slope rests; `scree safety` finds the friction at which blocks slide out of its face.
local scree = require "scree"
local rock = require "scree.rock"

-- Returns the slope: a prism over the outline in the plane x z, as a closed mesh.
local function make_slope(p)
  local back, foot, run = p.length, p.height * 0.2, p.height / math.tan(math.rad(p.angle))
  local outline = { { 0, 0 }, { back, 0 }, { back, p.height + foot }, { back / 2 + run / 2, p.height + foot } }
  outline[5], outline[6] = { back / 2 - run / 2, foot }, { 0, foot }
  local points, triangles, n = {}, {}, #outline
  for _, y in ipairs { 0, p.width } do
    for _, at in ipairs(outline) do
      points[#points + 1] = { at[1], y, at[2] }
    end
  end
  for i = 1, n do
    local j = i % n + 1
    triangles[#triangles + 1], triangles[#triangles + 2] = { i, j, j + n }, { i, j + n, i + n }
  end
  for _, t in ipairs { { 1, 5, 6 }, { 1, 2, 5 }, { 2, 4, 5 }, { 2, 3, 4 } } do
    triangles[#triangles + 1], triangles[#triangles + 2] = t, { t[1] + n, t[3] + n, t[2] + n }
  end
  return scree.geometry.mesh { points = points, triangles = triangles, closed = true }
end

return {
  title = "slope in jointed rock",
  params = {
    length = { default = 30, unit = "m" },
    width = { default = 10, unit = "m" },
    height = { default = 12, unit = "m" },
    angle = { default = 65, doc = "of the face, degrees" },
    spacing = { default = 1, min = 0.1, unit = "m" },
    mu = 0.7,
    solver = { default = "nbgs", doc = "nbgs for thousands of blocks; auto for exact forces" },
    iterations = { default = 50, whole = true, min = 1 },
    sleep = { default = 1e-3, min = 0, unit = "m/s", doc = "blocks that are slower for 32 steps are skipped" },
    dt = { default = 2e-3, unit = "s" },
  },
  world = function(p)
    local solver = { name = p.solver }
    if p.solver == "nbgs" then
      solver.iterations, solver.acceleration = p.iterations, true
    end
    return { gravity = { 0, 0, -9.81 }, dt = p.dt, sleep = p.sleep, solver = solver }
  end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    local blocks = rock.cut {
      geometry = make_slope(p),
      smallest = 1e-3 * p.spacing ^ 3,
      sets = {
        { dip = math.rad(30), dip_direction = math.rad(270), spacing = p.spacing },
        { dip = math.rad(70), dip_direction = math.rad(90), spacing = p.spacing },
        { dip = math.rad(88), dip_direction = math.rad(5), spacing = p.spacing, persistence = 0.8 },
      },
    }
    local moving, fixed = {}, {}
    for _, block in ipairs(blocks) do
      local x, y, z = table.unpack(block.centre)
      local edge = math.min(z, p.length - x, y, p.width - y)
      local is_fixed = edge < 0.7 * p.spacing
      table.insert(is_fixed and fixed or moving, block)
    end
    rock.add(w, fixed, { kind = "fixed" })
    rock.add(w, moving, { density = 2600 })
  end,
  output = { trajectory = { every = 0.1 } },
  stop = { time = 0.5 },
  report = function(w)
    local r = w:report()
    return { { "blocks", w:count() }, { "contacts", r.contacts }, { "largest speed", r.max_speed, "m/s" } }
  end,
}
