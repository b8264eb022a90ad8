-- Bowling. The world simulates a ball that rolls into ten pins, with friction and energetic restitution at
-- every contact.
--
-- The report also solves one impact of a pin and a ball without a world (Jia & Wang 2016, Figure 11) and
-- writes its events and its hodograph. This impact uses the paper's W, velocities, spins and centres of mass.
-- The computed impulse differs from the printed one by 1 %.
local scree = require "scree"

local W = {
  { 1.55465, 0.002386755, -0.360808 },
  { 0.002386755, 5.15191, -0.00313296 },
  { -0.360808, -0.00313296, 1.105 },
}
local PRINTED = { 0.7330654, -0.0216048, 2.585018 } -- impulse in the paper [N s]
-- velocities, spins and centres of mass of pin and ball from the paper; the contact point is the origin
local PIN_HIT =
  { velocity = { -0.1, 0.2, -0.5 }, spin = { 0.1, 0.1, 0.1 }, centre = { 0.068436, -0.00000242, 0.073735 } }
local BALL_HIT =
  { velocity = { 0.1, 0.1, 1 }, spin = { 0.1, -0.1, 0.1 }, centre = { -0.000061, -0.000890, -0.108458 } }
local BALL, INCH = 0.108458, 0.0254 -- radius of the ball [m]

-- Profile of a pin from the floor up: { height, diameter } [inch].
local PROFILE = {
  { 0, 2.03 },
  { 0.75, 2.828 },
  { 2.25, 3.906 },
  { 3.375, 4.51 },
  { 4.5, 4.766 },
  { 5.875, 4.563 },
  { 7.25, 3.703 },
  { 8.625, 2.472 },
  { 9.375, 1.965 },
  { 10, 1.797 },
  { 10.875, 1.87 },
  { 11.75, 2.094 },
  { 12.625, 2.406 },
  { 13.5, 2.547 },
  { 14.3, 2.1 },
  { 15, 0.8 },
}
-- First and last point of each convex section of the profile.
local PARTS = { { 1, 7 }, { 7, 8 }, { 8, 9 }, { 9, 10 }, { 10, 11 }, { 11, 12 }, { 12, 16 } }

-- Returns the shapes of a pin: a stack of convex hulls whose horizontal sections are regular 12-gons.
local function pin_shapes()
  local shapes = {}
  for _, part in ipairs(PARTS) do
    local points = {}
    for k = part[1], part[2] do
      local z, r = PROFILE[k][1] * INCH, PROFILE[k][2] * INCH / 2
      for i = 0, 11 do
        points[#points + 1] = { r * math.cos(math.pi * i / 6), r * math.sin(math.pi * i / 6), z }
      end
    end
    shapes[#shapes + 1] =
      { type = "hull", geometry = scree.geometry.hull { points = points }, material = "wood" }
  end
  return shapes
end

local function curve(points, part, i, j)
  local x, y = {}, {}
  for k, point in ipairs(points) do
    x[k], y[k] = point[part][i], point[part][j]
  end
  return x, y
end

-- Returns the relative difference between an impulse and the printed one.
local function difference(impulse)
  local square, size = 0, 0
  for i = 1, 3 do
    square, size = square + (impulse[i] - PRINTED[i]) ^ 2, size + PRINTED[i] ^ 2
  end
  return math.sqrt(square / size)
end

-- Draws the impact that is solved without a world: its hodograph with the invariant directions, and the
-- tangential impulse against I_z.
local function pictures(r)
  local x, y = curve(r.hodograph, "velocity", 1, 2)
  local slip, notes, impulse = {}, {}, {}
  for _, d in ipairs(scree.impact.directions { W = W, mu = 0.7 }) do
    slip[#slip + 1] = {
      style = "lines",
      dashed = true,
      color = d.rate < 0 and "#3366cc" or "#cc2222",
      x = { 0, 0.15 * d[1] },
      y = { 0, 0.15 * d[2] },
    }
  end
  slip[#slip + 1] = { style = "lines", width = 2, color = "#222222", x = x, y = y }
  for i, name in ipairs { "I_x", "I_y" } do
    local z, side = curve(r.hodograph, "impulse", 3, i)
    impulse[i] = { name = name, style = "lines", width = 2, x = z, y = side }
  end
  for _, event in ipairs(r.events) do
    impulse[#impulse + 1] = {
      style = "lines",
      dashed = true,
      color = "#808080",
      x = { event.normal_impulse, event.normal_impulse },
      y = { 0, 0.7 },
    }
    notes[#notes + 1] = { x = event.normal_impulse, y = 0.68, text = " " .. event.name, align = "left" }
  end
  pcall(scree.plot, {
    title = "pin and ball",
    file = "hodograph.png",
    columns = 2,
    panels = {
      {
        title = "hodograph, " .. r.sequence,
        xlabel = "v_x [m/s]",
        ylabel = "v_y [m/s]",
        legend = "none",
        series = slip,
      },
      {
        title = "impulse",
        xlabel = "I_z [N s]",
        ylabel = "tangential impulse [N s]",
        legend = "bottom right",
        series = impulse,
        notes = notes,
      },
    },
  })
end

-- Returns the velocity of the material point of a body at the origin.
local function velocity_at_contact(body)
  local v, w, c = body.velocity, body.spin, body.centre
  return {
    v[1] - w[2] * c[3] + w[3] * c[2],
    v[2] - w[3] * c[1] + w[1] * c[3],
    v[3] - w[1] * c[2] + w[2] * c[1],
  }
end

local function bare_impact()
  local pin, ball, v = velocity_at_contact(PIN_HIT), velocity_at_contact(BALL_HIT), {}
  for i = 1, 3 do
    v[i] = pin[i] - ball[i]
  end
  local r = scree.impact.solve { W = W, v = v, mu = 0.7, e = 0.7, hodograph = true }
  pictures(r)
  local lines = {}
  for i, event in ipairs(r.events) do
    lines[i] = string.format("%s %.9f\n", event.name, event.normal_impulse)
  end
  return r, table.concat(lines)
end

return {
  title = "bowling",
  params = { speed = 7, mu = 0.12, e = 0.7, offset = 0.02 },
  world = { gravity = { 0, 0, -9.81 }, dt = 2e-4 },
  setup = function(w, p)
    w:material { name = "wood" }
    w:pair { "wood", "wood", mu = p.mu, restitution = p.e }
    w:halfspace { normal = { 0, 0, 1 }, material = "wood" }
    w:sphere {
      name = "ball",
      radius = BALL,
      mass = 6.35029,
      position = { -0.5, p.offset, BALL },
      velocity = { p.speed, 0, 0 },
      spin = { 0, p.speed / BALL, 0 },
      material = "wood",
    }
    local n, shapes = 0, pin_shapes()
    for row = 0, 3 do
      for i = 0, row do
        n = n + 1
        w:body {
          name = "pin" .. n,
          shapes = shapes,
          mass = 1.63293,
          position = { 0.3048 * math.sqrt(0.75) * row, 0.3048 * (i - row / 2), 0 },
        }
      end
    end
  end,
  output = { trajectory = { every = 0.02 }, series = { every = 0.02 } },
  stop = { time = 1 },
  report = function(w, p, out)
    local r, events = bare_impact()
    out:write("events.txt", events)
    local down = 0
    for i = 1, 10 do
      local q = { w:find("pin" .. i):orientation() }
      local upright = 1 - 2 * (q[2] ^ 2 + q[3] ^ 2)
      if upright < 0.9 then down = down + 1 end
    end
    return {
      {
        "pin and ball: impulse [printed]",
        string.format("(%.7f, %.7f, %.6f) [(0.7330654, -0.0216048, 2.585018)]", table.unpack(r.impulse)),
      },
      { "pin and ball: difference from the print", string.format("%.2f %%", 100 * difference(r.impulse)) },
      { "pin and ball: events", r.sequence },
      { "pins down", string.format("%d", down) },
    }
  end,
}
