-- The cannonball packing of Olsen & Kamrin (2018, section 8.2): a pyramid of spheres of 2.5 mm diameter and
-- 2000 kg/m3 on a fixed base of n x n spheres. At the start each layer is lifted by 5 % of a radius.
--
-- Once the pyramid is at rest, the report draws the forces on the base: those of the solver, and the
-- compatible forces of an elastic packing. reference=true compares both with the penalty stepper. model=all
-- runs the paper's Table 1: three contact models and both solvers of the paper.
local scree = require "scree"

local RADIUS, DENSITY, G = 1.25e-3, 2000, 9.81
local WEIGHT = DENSITY * 4 / 3 * math.pi * RADIUS ^ 3 * G

-- Returns the stiffness of a pair of species (0: spheres with even index, 1: odd index), divided by that of
-- the stiffest pair. The species have E1/E0 = 5; the two spheres of a pair act as springs in series.
local function relative(model, a, b)
  if model ~= "species" then return 1 end
  return a + b == 0 and 1 / 5 or a + b == 1 and 1 / 3 or 1
end

local function add_materials(w, model, stiffness)
  local name = { "even", "odd" }
  for i = 1, 2 do
    w:material { name = name[i], density = DENSITY }
  end
  for a = 1, 2 do
    for b = a, 2 do
      local k = stiffness * relative(model, a - 1, b - 1)
      if model == "hertz" then
        w:pair { name[a], name[b], law = "hertz", modulus = k, mu = 0, damping = 0.3 }
      else
        w:pair { name[a], name[b], law = "hooke", stiffness = k, mu = 0, damping = 0.3 }
      end
    end
  end
end

-- Adds the spheres layer by layer from the bottom, row by row. The group of a body is its index.
local function add_spheres(w, n, lift)
  local index, d = 0, 2 * RADIUS
  for layer = 0, n - 1 do
    for i = 0, n - layer - 1 do
      for j = 0, n - layer - 1 do
        w:sphere {
          radius = RADIUS,
          material = index % 2 == 0 and "even" or "odd",
          group = index,
          kind = layer == 0 and "fixed" or "dynamic",
          position = { (i + layer / 2) * d, (j + layer / 2) * d, layer * (d / math.sqrt(2) + lift * RADIUS) },
        }
        index = index + 1
      end
    end
  end
end

-- Returns the group of each body by its id.
local function groups(w)
  local id, group, of = w:view "id", w:view "group", {}
  for k = 1, #id do
    of[id[k]] = group[k]
  end
  return of
end

-- Returns the vertical force on each base sphere in sphere weights. field: "force" (compatible) or "solver".
local function floor_of(w, n, list, field)
  local base, of = {}, groups(w)
  for k = 1, n * n do
    base[k] = 0
  end
  for _, c in ipairs(list) do
    local a, b, up = of[c.a], of[c.b], c[field] * c.normal[3] / WEIGHT
    if a < n * n then base[a + 1] = base[a + 1] - up end
    if b < n * n then base[b + 1] = base[b + 1] + up end
  end
  return base
end

-- Returns the vertical force on each base sphere in sphere weights, from the impulses of a step of dt.
local function floor_of_contacts(w, n, dt)
  local base, of = {}, groups(w)
  for k = 1, n * n do
    base[k] = 0
  end
  for _, c in ipairs(w:contacts()) do
    local a, b, up = of[c.id1], of[c.id2], c.impulse[3] / dt / WEIGHT
    if a < n * n then base[a + 1] = base[a + 1] - up end
    if b < n * n then base[b + 1] = base[b + 1] + up end
  end
  return base
end

-- Returns the relative difference of two lists in the Euclidean norm.
local function distance(a, b)
  local up, down = 0, 0
  for k = 1, #a do
    up, down = up + (a[k] - b[k]) ^ 2, down + b[k] ^ 2
  end
  return math.sqrt(up / down)
end

-- Returns the forces on the base under the penalty stepper, once the packing is at rest. The stiffness is
-- chosen for overlaps of about 1e-7 diameters. All velocities are reduced every 5 steps: this speeds up the
-- relaxation and does not change the state of rest.
local function penalty_floor(n, model)
  local power = model == "hertz" and 1.5 or 1
  local overlap = 1e-7 * 2 * RADIUS
  local stiffness = 4 * WEIGHT / overlap
  if model == "hertz" then stiffness = 0.75 * 4 * WEIGHT / (math.sqrt(RADIUS / 2) * overlap ^ 1.5) end
  local w = scree.world {
    stepper = "penalty",
    gravity = { 0, 0, -G },
    dt = 0.06 * math.sqrt(overlap / (4 * G * power)),
  }
  add_materials(w, model, stiffness)
  add_spheres(w, n, 0)
  local before
  for round = 1, 200 do
    for k = 1, 20 do
      w:step(5)
      w:view("velocity"):scale(0.97)
    end
    local base = floor_of_contacts(w, n, w:dt())
    if before and distance(base, before) < 1e-8 then return base end
    before = base
  end
  return before
end

return {
  title = "cannonball pyramid",
  params = { n = 20, model = "hooke", solver = "pgs", order = "key", warm_start = 0, reference = false },
  world = function(p)
    return {
      gravity = { 0, 0, -G },
      dt = 1e-3,
      margin = 0.3,
      solver = {
        name = p.solver,
        order = p.order,
        warm_start = p.warm_start,
        iterations = 1000,
        tolerance = 1e-9,
      },
    }
  end,

  variants = function(p)
    if p.model ~= "all" then return nil end
    local list = {}
    for _, solver in ipairs { "apgd", "pgs" } do
      if pcall(scree.world, { solver = { name = solver } }) then
        for _, model in ipairs { "hooke", "hertz", "species" } do
          list[#list + 1] = { solver = solver, model = model, reference = true }
        end
      end
    end
    return list
  end,

  setup = function(w, p)
    if p.model ~= "hooke" and p.model ~= "hertz" and p.model ~= "species" then
      error("model must be hooke, hertz or species")
    end
    add_materials(w, p.model, 1)
    add_spheres(w, p.n, 0.05)
    if p.reference then w.state.reference = penalty_floor(p.n, p.model) end
  end,

  output = { trajectory = { every = 0.002 }, series = { every = 0.001 } },
  stop = { time = 0.04 },

  report = function(w, p, out)
    local n = p.n
    local list, how = w:compatible_forces { law = p.model == "hertz" and "hertz" or "hooke" }
    local compatible, solver = floor_of(w, n, list, "force"), floor_of(w, n, list, "solver")
    local sum, largest, largest_solver, forces, solver_forces, csv =
      0, 0, 0, {}, {}, { "i,j,compatible,solver,penalty\n" }
    for k = 1, n * n do
      sum = sum + compatible[k]
      csv[#csv + 1] = string.format(
        "%d,%d,%.12g,%.12g,%.12g\n",
        (k - 1) // n,
        (k - 1) % n,
        compatible[k],
        solver[k],
        w.state.reference and w.state.reference[k] or 0 / 0
      )
    end
    for _, c in ipairs(list) do
      largest, largest_solver =
        math.max(largest, c.force / WEIGHT), math.max(largest_solver, c.solver / WEIGHT)
      if c.force > 1e-6 * WEIGHT then forces[#forces + 1] = c.force / WEIGHT end
      if c.solver > 1e-6 * WEIGHT then solver_forces[#solver_forces + 1] = c.solver / WEIGHT end
    end
    out:write("floor.csv", table.concat(csv))

    -- histograms of the contact forces (Figures 8 to 18) and maps of the forces on the base (Figure 19)
    local top, bins = math.max(largest, largest_solver), 40
    local function histogram(values)
      local x, y = {}, {}
      for k = 1, bins do
        x[k], y[k] = (k - 0.5) * top / bins, 0
      end
      for _, f in ipairs(values) do
        local k = math.min(bins, 1 + math.floor(f / top * bins))
        y[k] = y[k] + 1
      end
      return x, y
    end
    local x, y = histogram(forces)
    local xs, ys = histogram(solver_forces)
    local most = 0
    for k = 1, n * n do
      most = math.max(most, compatible[k], solver[k])
    end
    local function map(title, values)
      return {
        title = title,
        xlabel = "i",
        ylabel = "j",
        equal = true,
        color_label = "force / weight",
        color_range = { 0, most },
        image = { nx = n, ny = n, values = values, x = { 0, n }, y = { 0, n } },
      }
    end
    local panels = {
      map("compatible", compatible),
      map(p.solver, solver),
      {
        title = "contact forces",
        xlabel = "force / weight",
        ylabel = "contacts",
        series = {
          { name = "compatible", style = "steps", x = x, y = y },
          { name = p.solver, style = "steps", x = xs, y = ys, dashed = true },
        },
      },
    }
    if w.state.reference then table.insert(panels, 1, map("penalty", w.state.reference)) end
    pcall(
      scree.plot,
      { title = "pyramid, base " .. n .. ", " .. p.model, columns = 2, file = "floor.png", panels = panels }
    )

    local figures = {
      { "contact model", p.model },
      { "solver", p.solver },
      { "spheres", w:report().bodies },
      { "contacts", how.closed },
      { "floor force / weight", sum },
      { "floor force - weight", sum - (n * (n - 1) * (2 * n - 1)) // 6 },
      { "largest force / weight", largest },
      { "largest force of the solver / weight", largest_solver },
      { "unbalanced", how.residual },
    }
    if w.state.reference then
      figures[#figures + 1] = { "floor error of the solver", distance(solver, w.state.reference) }
      figures[#figures + 1] = { "floor error, compatible", distance(compatible, w.state.reference) }
    end
    return figures
  end,
}
