-- Bowling. First the bare impact of a pin and a ball (Jia & Wang 2016, Figure 11) as a table of events and a hodograph, then a ball that runs into ten
-- pins under gravity, with friction and energetic restitution at every contact.
local scree = require "scree"

local W = { { 1.55465, 0.002386755, -0.360808 }, { 0.002386755, 5.15191, -0.00313296 }, { -0.360808, -0.00313296, 1.105 } }
local V = { -0.2069134, 0.1176551, -1.5069030 } -- velocity at the contact that gives the printed impulse
local BALL, PIN, HEIGHT = 0.108458, 0.04, 0.38 -- radii and height [m]

local function bare_impact()
  local r = scree.impact.solve { W = W, v = V, mu = 0.7, e = 0.7, hodograph = true }
  local x, y = {}, {}
  for i, point in ipairs(r.hodograph) do x[i], y[i] = point.velocity[1], point.velocity[2] end
  pcall(scree.plot, { title = "pin and ball", file = "hodograph.png",
                      panels = { { xlabel = "v_x [m/s]", ylabel = "v_y [m/s]", legend = "none", series = { { style = "lines", width = 2, x = x, y = y } } } } })
  local lines = {}
  for i, event in ipairs(r.events) do lines[i] = string.format("%s %.9f\n", event.name, event.normal_impulse) end
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
    w:sphere { name = "ball", radius = BALL, mass = 6.35029, position = { -0.5, p.offset, BALL }, velocity = { p.speed, 0, 0 }, spin = { 0, p.speed / BALL, 0 }, material = "wood" }
    local n = 0
    for row = 0, 3 do
      for i = 0, row do
        n = n + 1
        w:cylinder { name = "pin" .. n, radius = PIN, length = HEIGHT, mass = 1.63293, material = "wood",
                     position = { 0.3048 * math.sqrt(0.75) * row, 0.3048 * (i - row / 2), HEIGHT / 2 } }
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
    return { { "pin and ball: impulse [printed]", string.format("(%.7f, %.7f, %.6f) [(0.7330654, -0.0216048, 2.585018)]", table.unpack(r.impulse)) },
             { "pin and ball: events", (r.sequence) }, { "pins down", string.format("%d", down) } }
  end,
}
