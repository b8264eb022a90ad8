-- Structures stand with nothing tuned, for seconds; what must fall does: an arch at its least thickness, a stack that hangs over, two cards
-- that lean on each other, each a little below and above the bound of statics.
local scree = require "scree"

local function world(mu)
  local w = scree.world { dt = 1e-3 }
  w:pair { "default", "default", mu = mu or 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  return w
end
local function farthest(bodies, start)
  local far = 0
  for i, b in ipairs(bodies) do
    local x, y, z = b:position()
    local s = start[i]
    far = math.max(far, ((x - s[1]) ^ 2 + (y - s[2]) ^ 2 + (z - s[3]) ^ 2) ^ 0.5)
  end
  return far
end
-- the farthest way of a body over the length
local function way(w, bodies, length, steps)
  local start = {}
  for i, b in ipairs(bodies) do start[i] = { b:position() } end
  w:step(steps)
  return farthest(bodies, start) / length
end

local stacks = assert(load(assert(io.open "tests/lua/lib/stacks.lua"):read "a"))()
local tower, slab, wall = stacks.tower, stacks.slab, stacks.wall
for _, case in ipairs {
  { "tower of 10", tower, 10, 1, 10 }, { "tower of 20", tower, 20, 1, 10 }, { "tower of 50", tower, 50, 1, 10 }, { "tower of 100", tower, 100, 1, 10 },
  { "top 100 times heavier", tower, 5, 1e2, 10 }, { "top 1000 times heavier", tower, 5, 1e3, 10 }, { "top 10000 times heavier", tower, 5, 1e4, 10 },
  { "slab of 10000 kg on balls", slab, 1e4, nil, 10 }, { "wall of 100 bricks", wall, 10, 10, 10 }, { "wall of 400 bricks", wall, 20, 20, 2 },
} do
  local w = world()
  local bodies, length = case[2](w, case[3], case[4])
  local t = os.clock()
  local moved = way(w, bodies, length, 1000 * case[5])
  print(("%-26s %2d s: moved %.1e, %.3g ms a step, %d islands to newton"):format(case[1], case[5], moved, (os.clock() - t) / case[5], w:report().solved.newton))
  assert(moved < 1e-6, case[1])
end

-- bricks of length 1, each out over the one below by a share of 1/(2 k), k counted from the top: at 1 the stack is about to tip
local function overhang(share)
  local w, b, x = world(), {}, 0
  for k = 8, 1, -1 do
    b[#b + 1] = w:box { size = { 1, 0.5, 0.2 }, position = { x, 0, 0.2 * (8 - k) + 0.1 } }
    x = x + share / (2 * (k - 1 > 0 and k - 1 or 1))
  end
  return way(w, b, 1, 1500)
end
-- two cards that lean at an angle from the vertical: friction must carry tan(angle)/2 - thickness/(2 height) of the weight
local function cards(share)
  local lean, t, h = 0.4, 0.02, 1
  local w = world()
  w:material { name = "card" }
  w:pair { "card", "card", mu = 2 } -- edge against edge: the normal may lie along either face
  w:pair { "default", "card", mu = share * (math.tan(lean) / 2 - t / (2 * h)) }
  local b, high = {}, h / 2 * math.cos(lean) + t / 2 * math.sin(lean)
  for side = -1, 1, 2 do
    b[#b + 1] = w:box { size = { t, 0.6, h }, material = "card", position = { side * (h / 2 * math.sin(lean) + t / 2 * math.cos(lean)), 0, high }, orientation = { math.cos(lean / 2), 0, -side * math.sin(lean / 2), 0 } }
  end
  return way(w, b, h, 1500)
end
-- a half circle of 27 wedges, mean radius 1: it stands from a thickness of 0.1075 on (Heyman 1969; a little less for whole wedges)
local function arch(thickness)
  local w, b, n = world(1), {}, 27
  for k = 0, n - 1 do
    local p = {}
    for c = 0, 7 do
      local angle, r = math.pi * (k + c % 2) / n, 1 + (c // 2 % 2 - 0.5) * thickness
      p[#p + 1] = { r * math.cos(angle), (c // 4 - 0.5) * 0.3, r * math.sin(angle) }
    end
    b[#b + 1] = w:hull { geometry = scree.geometry.hull { points = p }, position = { 0, 0, 0 } }
  end
  return way(w, b, 1, 1500)
end
for _, case in ipairs { { "overhang", overhang, 0.98, 1.04 }, { "cards", cards, 1.05, 0.95, 1e-3 }, { "arch", arch, 0.115, 0.095 } } do
  local stands, falls = case[2](case[3]), case[2](case[4])
  print(("%-10s stands at %.4g: moved %.1e; falls at %.4g: moved %.1e"):format(case[1], case[3], stands, case[4], falls))
  assert(stands < (case[5] or 1e-6), case[1] .. " stands")
  assert(falls > 0.02, case[1] .. " falls")
end
