-- The academic single-contact problem of Preclik, Eibl & Ruede (2017, section 4.1): a body of six point
-- masses hits an inclined plane.
--
-- The bare contact problem, without a world, has three Coulomb solutions and one maximally dissipative
-- solution (Table 1, Figure 7). In a world the friction law selects one of them. The paper's tangents t = n x
-- e_x and o = n x t have the length L = 0.968. The world uses unit tangents: its friction coefficient is mu L
-- and its tangential impulses are x_t L.
local scree = require "scree"

local MU = 3.7
local ARM = { 10, 1, 1 } -- distance of the two point masses on each axis from the centre [m]
local MASS = { 0.03, 65, 50 } -- mass of each of the two point masses on each axis [kg]
local CLOSING = { 0.06, 0.7, 0.23 } -- minus the velocity of the contact point [m/s]

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local normal = { 0.25, 0.36, -0.9 }
local norm = math.sqrt(dot(normal, normal))
for i = 1, 3 do
  normal[i] = normal[i] / norm
end
local t = cross(normal, { 1, 0, 0 })
local o = cross(normal, t)
local L = math.sqrt(dot(t, t))
local total = 2 * (MASS[1] + MASS[2] + MASS[3])
local inertia = {
  2 * (MASS[2] * ARM[2] ^ 2 + MASS[3] * ARM[3] ^ 2),
  2 * (MASS[1] * ARM[1] ^ 2 + MASS[3] * ARM[3] ^ 2),
  2 * (MASS[1] * ARM[1] ^ 2 + MASS[2] * ARM[2] ^ 2),
}

-- Returns the contact problem without a world, in the paper's frame: A = Q'(E/m - d^2 [e_x] I^-1 [e_x])Q and
-- b = Q'c. Q: columns n, t, o; E: unit matrix; m: total mass; I: inertia; d: ARM[1]; [e_x]: matrix of the
-- cross product with e_x; c: CLOSING.
local function bare(law)
  local Q, A, b = { normal, t, o }, {}, {}
  local world = { 1 / total, 1 / total + ARM[1] ^ 2 / inertia[3], 1 / total + ARM[1] ^ 2 / inertia[2] }
  for i = 1, 3 do
    A[i], b[i] = {}, dot(Q[i], CLOSING)
    for j = 1, 3 do
      A[i][j] = 0
      for k = 1, 3 do
        A[i][j] = A[i][j] + Q[i][k] * world[k] * Q[j][k]
      end
    end
  end
  return { law = law, A = A, b = b, mu = MU }
end

-- Table 1 of the paper: name, impulse x, velocity after the impact, change of the energy.
local printed = {
  { "x1 Coulomb", { 0.12, -0.44, -0.065 }, { 0, 0.40, 0.060 }, -0.252 },
  { "x2 Coulomb", { 0.29, -0.89, -0.62 }, { 0, 0.082, 0.057 }, -0.393 },
  { "x3 Coulomb", { 1.56, -0.99, -5.7 }, { 0, 0.0061, 0.035 }, -0.631 },
  { "x* max. dissipation", { 1.6, -1.1, -5.8 }, { 0, -0.057, 0.034 }, -0.634 },
}

local function table_1(found)
  local lines = {
    string.format(
      "%-20s %-42s %-36s %s\n",
      "",
      "x (printed | computed)",
      "A x - b (computed)",
      "energy (printed | computed)"
    ),
  }
  for i, row in ipairs(printed) do
    local s = found[i]
    lines[#lines + 1] = string.format(
      "%-20s %5.2f %5.2f %6.3f | %6.4f %7.4f %7.4f  %9.6f %9.6f %9.6f   %6.3f | %.6f\n",
      row[1],
      row[2][1],
      row[2][2],
      row[2][3],
      s.x[1],
      s.x[2],
      s.x[3],
      s.v[1],
      s.v[2],
      s.v[3],
      row[4],
      s.energy
    )
  end
  return table.concat(lines)
end

-- Draws Figure 7, the plane of maximum compression: contour ellipses of the energy, the section of the
-- friction cone and the solutions.
local function figure_7(found)
  local p = bare("coulomb")
  local A, b = p.A, p.b
  local nn, nt, no = A[1][1], A[1][2], A[1][3]
  local h11, h12, h22 = A[2][2] - nt * nt / nn, A[2][3] - nt * no / nn, A[3][3] - no * no / nn
  local g1, g2 = b[2] - nt * b[1] / nn, b[3] - no * b[1] / nn
  local det = h11 * h22 - h12 * h12
  local centre = { (h22 * g1 - h12 * g2) / det, (h11 * g2 - h12 * g1) / det }
  local series = {}
  -- Contours of the energy: (h (y - c), y - c) = 2 level with c = centre. The points are y = c + r L^-T u,
  -- with r^2 = 2 level, a unit vector u and the Cholesky factor L of h = L L^T.
  local l11 = math.sqrt(h11)
  local l21, l22 = h12 / l11, math.sqrt(h22 - h12 * h12 / h11)
  for k = 1, 12 do
    local r, x, y = math.sqrt(2 * 0.02 * k * k / 4), {}, {}
    for i = 0, 120 do
      local u, v = r * math.cos(i * math.pi / 60), r * math.sin(i * math.pi / 60)
      y[i + 1] = v / l22
      x[i + 1] = (u - l21 * y[i + 1]) / l11 + centre[1]
      y[i + 1] = y[i + 1] + centre[2]
    end
    series[k] = { style = "lines", color = "#bbbbbb", x = x, y = y }
  end
  -- section of the friction cone with the plane of maximum compression
  local cx, cy = {}, {}
  for i = 0, 720 do
    local u, v = math.cos(i * math.pi / 360), math.sin(i * math.pi / 360)
    local f = nn + MU * (nt * u + no * v)
    cx[i + 1], cy[i + 1] = MU * b[1] / f * u, MU * b[1] / f * v
  end
  series[#series + 1] = { name = "cone", style = "lines", color = "#1f4e99", width = 2, x = cx, y = cy }
  series[#series + 1] = {
    name = "Coulomb",
    style = "points",
    color = "#cc2222",
    width = 2,
    x = { found[1].x[2], found[2].x[2], found[3].x[2] },
    y = { found[1].x[3], found[2].x[3], found[3].x[3] },
  }
  series[#series + 1] = {
    name = "max. dissipation",
    style = "points",
    color = "#118833",
    width = 2,
    x = { found[4].x[2] },
    y = { found[4].x[3] },
  }
  pcall(scree.plot, {
    title = "plane of maximum compression",
    file = "figure7.png",
    panels = {
      {
        xlabel = "x_t",
        ylabel = "x_o",
        equal = true,
        xrange = { -4, 3 },
        yrange = { -7, 2 },
        legend = "outside",
        series = series,
      },
    },
  })
end

return {
  title = "academic single contact",
  -- size: radius of the spheres that stand for point masses [m]
  params = { law = "max_dissipation", size = 1e-7 },
  world = { gravity = { 0, 0, 0 }, dt = 1, solver = { iterations = 50, tolerance = 1e-12 } },

  setup = function(w, p)
    w:pair { "default", "default", law = p.law, mu = MU * L }
    local shapes = {}
    for axis = 1, 3 do
      for side = -1, 1, 2 do
        local place = { 0, 0, 0 }
        place[axis] = side * ARM[axis]
        shapes[#shapes + 1] = { type = "sphere", radius = p.size, position = place }
      end
    end
    w:body {
      name = "masses",
      shapes = shapes,
      mass = total,
      inertia = { inertia[1], 0, 0, inertia[2], 0, inertia[3] },
      velocity = { -CLOSING[1], -CLOSING[2], -CLOSING[3] },
    }
    -- Only the mass on the positive x axis touches the plane. A small fixed sphere stands for the plane,
    -- because the other masses would lie behind a halfspace.
    local post = 1e-3
    w:sphere {
      name = "post",
      kind = "fixed",
      radius = post,
      position = {
        ARM[1] - (post + p.size) * normal[1],
        -(post + p.size) * normal[2],
        -(post + p.size) * normal[3],
      },
    }
  end,

  output = { trajectory = { steps = 1 }, series = { steps = 1 } },
  stop = { steps = 1 },

  report = function(w, p, out)
    local c, best = scree.law.solutions(bare("coulomb")), scree.law.solve(bare("max_dissipation"))
    local found = { c[3], c[2], c[1], best }
    out:write("table1.txt", table_1(found))
    figure_7(found)
    local figures = {}
    for i, row in ipairs(printed) do
      figures[#figures + 1] = {
        row[1] .. ", energy [printed]",
        string.format(
          "(%.3f, %.3f, %.4f) %.4f [%g]",
          found[i].x[1],
          found[i].x[2],
          found[i].x[3],
          found[i].energy,
          row[4]
        ),
      }
    end
    -- the impulse of the impact in the world, converted to the paper's frame
    for contact in w:contacts() do
      local P, side = contact.impulse, contact.body1 == w:find "masses" and 1 or -1
      P = { side * P[1], side * P[2], side * P[3] }
      if dot(P, P) > 0 then
        figures[#figures + 1] = {
          "impact, " .. p.law,
          string.format("(%.4f, %.4f, %.4f)", dot(P, normal), dot(P, t) / L ^ 2, dot(P, o) / L ^ 2),
        }
        w.state.impact = { dot(P, normal), dot(P, t) / L ^ 2, dot(P, o) / L ^ 2 }
      end
    end
    return figures
  end,
}
