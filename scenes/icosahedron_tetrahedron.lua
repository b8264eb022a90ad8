-- The impact of a truncated icosahedron and a tetrahedron (Jia & Wang 2016, Figures 3 to 8 and 10).
--
-- The report writes a table of the events of every variant next to the paper's, and the figures: hodographs
-- with their invariant directions, the impulse curve, and two bundles of hodographs. The impact is solved
-- exactly. The paper's event l (straight sliding) depends on a tolerance; here it is the parameter `line` in
-- degrees.
--
-- The two bodies also fly and collide in the world; bodies.png and the trajectory show them. The W of these
-- bodies differs from the printed W, which does not follow from the printed bodies. The report compares the
-- impulse in the world with the impact of these bodies solved without a world.
local scree = require "scree"

-- The printed W, symmetrised, and a velocity at the contact. The velocity is inferred from the paper's
-- results (docs/impact.md). The printed velocities of the bodies would give (-0.1920, 0.4795, -0.0250), from
-- which the printed sequences of Figures 4a, 10a and 10c do not follow.
local W =
  { { 11.5984, -0.910367, 2.442355 }, { -0.910367, 9.90134, 1.957465 }, { 2.442355, 1.957465, 2.59042 } }
local V, E = { -0.2619758, 0.3863284, -0.0771748 }, 0.95

-- figure, mu, change of the icosahedron's velocity, printed sequence of events
local variants = {
  { "4a", 0.8, { 0, 0, 0 }, "csr" },
  { "4b", 0.4, { 0, 0, -0.75 }, "lscr" },
  { "4c", 0.25, { 0, 0, -0.75 }, "clr" },
  { "4d", 3, { 0, 0, -0.45 }, "scr" },
  { "7", 0.25, { -0.6, -0.85, -1.45 }, "scr" },
  { "10a", 0.35, { 0, 0, -0.75 }, "lcsr" },
  { "10b", 0.25, { 0, 0, -1.95 }, "lcr" },
  { "10c", 0.55, { 0, 0, -0.05 }, "clsr" },
}

local function solve(variant, line, points)
  local v = {}
  for i = 1, 3 do
    v[i] = V[i] + variant[3][i]
  end
  return scree.impact.solve {
    W = W,
    v = v,
    mu = variant[2],
    e = E,
    line_tolerance = math.rad(line),
    hodograph = points,
  }
end

-- ---- the bodies ----

-- Returns the corners of a truncated icosahedron of edge 0.1 above the origin. A pentagon lies in the plane z
-- = 0; one of its corners lies 18 degrees past the y axis.
local function football()
  local r, corners, points = 0.3 * math.sqrt((5 + math.sqrt(5)) / 8), {}, {}
  for k = 0, 4 do
    local low, high, w, h =
      math.rad(108 + 72 * k), math.rad(144 + 72 * k), 2 * r / math.sqrt(5), r / math.sqrt(5)
    corners[#corners + 1] = { w * math.cos(low), w * math.sin(low), -h }
    corners[#corners + 1] = { w * math.cos(high), w * math.sin(high), h }
  end
  corners[#corners + 1], corners[#corners + 2] = { 0, 0, -r }, { 0, 0, r }
  local lift = r - (r - r / math.sqrt(5)) / 3 -- distance of a pentagon from the middle
  -- the corners lie on the edges of the icosahedron, at a third of the length from each end
  for i, a in ipairs(corners) do
    for j, b in ipairs(corners) do
      local square = (a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2
      if i ~= j and math.abs(square - 0.09) < 1e-6 then
        points[#points + 1] = { (2 * a[1] + b[1]) / 3, (2 * a[2] + b[2]) / 3, (2 * a[3] + b[3]) / 3 + lift }
      end
    end
  end
  return points
end

local FOOTBALL = {
  points = football(),
  mass = 3,
  velocity = { -0.1, 0.5, 0.95 },
  spin = { 0.1, 0.1, 0.1 },
  color = "#222222",
}
local TETRAHEDRON = {
  points = { { 0, 0, 0 }, { 0, 0, -0.75 }, { 0.5, 0, -0.5 }, { 0, 0.5, -0.5 } },
  mass = 1,
  velocity = { 0.1, 0.1, 1 },
  spin = { 0.1, -0.1, 0.1 },
  color = "#0072b2",
}

local function turned(q, x)
  local w, a, b, c = table.unpack(q)
  local t = { 2 * (b * x[3] - c * x[2]), 2 * (c * x[1] - a * x[3]), 2 * (a * x[2] - b * x[1]) }
  return {
    x[1] + w * t[1] + b * t[3] - c * t[2],
    x[2] + w * t[2] + c * t[1] - a * t[3],
    x[3] + w * t[3] + a * t[2] - b * t[1],
  }
end

-- Returns the edges of a body in its present pose as lines of a plot, seen along y.
local function wireframe(body, kind, dashed)
  local q, position, series, corner, reach =
    { body:orientation() }, { body:position() }, {}, {}, kind == FOOTBALL and 0.1001 or math.huge
  for i, point in ipairs(kind.points) do
    local local_point = { point[1] - kind.middle[1], point[2] - kind.middle[2], point[3] - kind.middle[3] }
    local x = turned(q, local_point)
    corner[i] = { x[1] + position[1], x[2] + position[2], x[3] + position[3] }
  end
  for i, a in ipairs(corner) do
    for j = i + 1, #corner do
      local b = corner[j]
      if (a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2 < reach ^ 2 then
        series[#series + 1] = {
          style = "lines",
          dashed = dashed,
          width = dashed and 1 or 2,
          color = kind.color,
          x = { a[1], b[1] },
          y = { a[3], b[3] },
        }
      end
    end
  end
  return series
end

local function put(w, name, kind)
  local body = w:hull {
    name = name,
    points = kind.points,
    mass = kind.mass,
    velocity = kind.velocity,
    spin = kind.spin,
  }
  kind.middle = { body:position() }
  return body
end

local pictures = {} -- wireframes before and after the impact

local function draw(w, dashed)
  for name, kind in pairs { football = FOOTBALL, tetrahedron = TETRAHEDRON } do
    for _, line in ipairs(wireframe(w:find(name), kind, dashed)) do
      pictures[#pictures + 1] = line
    end
  end
end

-- Both bodies touch at the origin: the middle of a pentagon lies on a corner of the tetrahedron.
local function setup(w)
  w:pair { "default", "default", mu = 0.8, restitution = E }
  put(w, "football", FOOTBALL)
  put(w, "tetrahedron", TETRAHEDRON)
  draw(w, true)
end

-- Stores the impulse of the collision from the contacts of the step.
local function listen(w)
  for contact in w:contacts() do
    local impulse = contact.impulse
    if not w.state.impulse and impulse[1] ^ 2 + impulse[2] ^ 2 + impulse[3] ^ 2 > 0 then
      local sign = contact.normal[3] > 0 and 1 or -1
      w.state.impulse = { sign * impulse[1], sign * impulse[2], sign * impulse[3] }
    end
  end
end

-- Returns the solution of the impact of these bodies without a world.
local function bare(w)
  local hit = { point = { 0, 0, 0 }, normal = { 0, 0, 1 }, tangent = { 1, 0, 0 } }
  for i, name in ipairs { "football", "tetrahedron" } do
    local kind = i == 1 and FOOTBALL or TETRAHEDRON
    hit["body" .. i] = {
      mass = kind.mass,
      inertia = { w:find(name):inertia() },
      position = kind.middle,
      velocity = kind.velocity,
      spin = kind.spin,
    }
  end
  local matrix, v = scree.impact.inverse_inertia(hit)
  return scree.impact.solve { W = matrix, v = v, mu = 0.8, e = E }
end

local function column(points, part, i)
  local list = {}
  for k, point in ipairs(points) do
    list[k] = point[part][i]
  end
  return list
end

local function events(r)
  local list = {}
  for i, event in ipairs(r.events) do
    list[i] = string.format("%s %.10f", event.name, event.normal_impulse)
  end
  return table.concat(list, "  ")
end

local function table_of_events(line)
  local lines = {
    string.format(
      "%-5s %-5s %-8s %-8s %-8s %s\n",
      "fig.",
      "mu",
      "printed",
      "line",
      "exact",
      "normal impulses of the exact events [N s]"
    ),
  }
  for _, variant in ipairs(variants) do
    local exact = solve(variant, 0)
    lines[#lines + 1] = string.format(
      "%-5s %-5g %-8s %-8s %-8s %s%s\n",
      variant[1],
      variant[2],
      variant[4],
      solve(variant, line).sequence,
      exact.sequence,
      events(exact),
      exact.condition and "" or "   (breaks the impact-solution condition)"
    )
  end
  return table.concat(lines)
end

-- Returns the panel of one hodograph: the curve, the invariant directions and the events. Along a blue
-- direction the slip decreases to zero, along a red one it increases.
local function hodograph(variant)
  local r = solve(variant, 0, 600)
  local x, y = column(r.hodograph, "velocity", 1), column(r.hodograph, "velocity", 2)
  local reach, series, notes = 0, {}, {}
  for i = 1, #x do
    reach = math.max(reach, math.abs(x[i]), math.abs(y[i]))
  end
  for _, d in ipairs(scree.impact.directions { W = W, mu = variant[2] }) do
    series[#series + 1] = {
      style = "lines",
      dashed = true,
      color = d.rate < 0 and "#3366cc" or "#cc2222",
      x = { 0, d[1] * reach },
      y = { 0, d[2] * reach },
    }
  end
  series[#series + 1] = { style = "lines", width = 2, color = "#222222", x = x, y = y }
  for _, event in ipairs(r.events) do
    for i, point in ipairs(r.hodograph) do
      if math.abs(point.impulse[3] - event.normal_impulse) <= 1e-9 * event.normal_impulse then
        series[#series + 1] = { style = "points", color = "#118833", x = { x[i] }, y = { y[i] } }
        notes[#notes + 1] = { x = x[i], y = y[i], text = " " .. event.name, align = "left" }
        break
      end
    end
  end
  return {
    title = "Figure " .. variant[1] .. ": mu = " .. variant[2] .. ", " .. r.sequence,
    xlabel = "v_x [m/s]",
    ylabel = "v_y [m/s]",
    equal = true,
    legend = "none",
    series = series,
    notes = notes,
  }
end

-- Returns the panel of Figure 6 or 8: hodographs that start with unit slips in many directions.
local function bundle(figure, mu, vz, count)
  local series = {}
  for _, d in ipairs(scree.impact.directions { W = W, mu = mu }) do
    series[#series + 1] = {
      style = "lines",
      dashed = true,
      color = d.rate < 0 and "#3366cc" or "#cc2222",
      x = { 0, d[1] },
      y = { 0, d[2] },
    }
  end
  for i = 1, count do
    local angle = 2 * math.pi * i / count
    local r = scree.impact.solve {
      W = W,
      v = { math.cos(angle), math.sin(angle), vz },
      mu = mu,
      e = E,
      hodograph = 600,
    }
    series[#series + 1] = {
      style = "lines",
      color = "#222222",
      x = column(r.hodograph, "velocity", 1),
      y = column(r.hodograph, "velocity", 2),
    }
  end
  return {
    title = "Figure " .. figure .. ": mu = " .. mu .. ", v_z = " .. vz,
    xlabel = "v_x [m/s]",
    ylabel = "v_y [m/s]",
    equal = true,
    legend = "none",
    series = series,
  }
end

local function impulse_curve()
  local r = solve(variants[1], 0, 600)
  local z, series = column(r.hodograph, "impulse", 3), {}
  for i, name in ipairs { "I_x", "I_y" } do
    series[i] = { name = name, style = "lines", width = 2, x = z, y = column(r.hodograph, "impulse", i) }
  end
  -- vertical lines at the events: end of compression, start of sticking, end of the impact
  local notes = {}
  for _, event in ipairs(r.events) do
    series[#series + 1] = {
      style = "lines",
      dashed = true,
      color = "#808080",
      x = { event.normal_impulse, event.normal_impulse },
      y = { -0.06, 0.02 },
    }
    notes[#notes + 1] = { x = event.normal_impulse, y = 0.017, text = " " .. event.name, align = "left" }
  end
  return {
    title = "Figure 5: impulse",
    xlabel = "I_z [N s]",
    ylabel = "tangential impulse [N s]",
    legend = "bottom left",
    series = series,
    notes = notes,
  }
end

local function energy_curve()
  local r, x, y = solve(variants[1], 0, 600), {}, {}
  for i, point in ipairs(r.hodograph) do
    x[i], y[i] = point.impulse[3], point.energy
  end
  return {
    title = "Figure 4a: energy at the contact",
    xlabel = "I_z [N s]",
    ylabel = "E [J]",
    legend = "none",
    series = { { style = "lines", width = 2, x = x, y = y } },
  }
end

return {
  title = "icosahedron and tetrahedron",
  params = { line = 5 }, -- tolerance for event l: largest angle between slip and straight line [deg]
  world = { gravity = { 0, 0, 0 }, dt = 1e-3 },
  setup = setup,
  after_step = listen,
  output = { trajectory = { every = 0.01 } },
  stop = { time = 0.5 },
  report = function(w, p, out)
    draw(w, false)
    pcall(scree.plot, {
      title = "the bodies at the impact (dashed) and half a second later",
      file = "bodies.png",
      panels = { { xlabel = "x [m]", ylabel = "z [m]", equal = true, legend = "none", series = pictures } },
    })
    out:write("events.txt", table_of_events(p.line))
    local panels = {}
    for i, variant in ipairs(variants) do
      panels[i] = hodograph(variant)
    end
    pcall(scree.plot, { title = "hodographs", file = "hodographs.png", columns = 3, panels = panels })
    pcall(scree.plot, {
      title = "impulse curve and bundles",
      file = "impact.png",
      columns = 2,
      panels = { impulse_curve(), energy_curve(), bundle("6", 0.8, -0.2, 15), bundle("8", 0.25, -0.8, 13) },
    })
    local r = solve(variants[1], 0)
    local figures = {
      {
        "impulse [printed, a coarse run]",
        string.format("(%.9f, %.9f, %.9f) [(-0.00326657, -0.0592263, 0.1007)]", table.unpack(r.impulse)),
      },
    }
    local alone = bare(w)
    figures[#figures + 1] = {
      "impulse of these bodies in the world",
      string.format("(%.9f, %.9f, %.9f)", table.unpack(w.state.impulse)),
    }
    figures[#figures + 1] = {
      "and as a bare problem, " .. alone.sequence,
      string.format("(%.9f, %.9f, %.9f)", table.unpack(alone.impulse)),
    }
    for _, variant in ipairs(variants) do
      local exact = solve(variant, 0)
      figures[#figures + 1] = {
        "figure " .. variant[1] .. " [printed]",
        exact.sequence .. " [" .. variant[4] .. "]  " .. events(exact),
      }
    end
    return figures
  end,
}
