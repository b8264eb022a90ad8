-- Makers of masonry: volumes and centres by closed forms, bonds without gaps or overlaps, structures that stand, and mistakes.
local scree = require "scree"
local masonry = require "scree.masonry"
local check = require "check"
local function share(found, expected, bound, what) check.within(found, expected, bound * math.abs(expected), what) end
local function world(def)
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 }, plane = def and def.plane }
  w:pair { "default", "default", mu = 0.7 }
  return w
end
local function masses(list)
  local sum, x, y, z = 0, 0, 0, 0
  for _, b in ipairs(list) do
    local m, px, py, pz = b:mass(), b:position()
    sum, x, y, z = sum + m, x + m * px, y + m * py, z + m * pz
  end
  return sum, x / sum, y / sum, z / sum
end
-- Steps and returns how far the body that moves most has moved.
local function moved(w, list, seconds)
  local from = {}
  for i, b in ipairs(list) do from[i] = { b:position() } end
  w:step(math.floor(seconds / w:dt() + 0.5))
  local most = 0
  for i, b in ipairs(list) do
    local x, y, z = b:position()
    most = math.max(most, math.abs(x - from[i][1]), math.abs(y - from[i][2]), math.abs(z - from[i][3]))
  end
  return most
end

-- ---- walls ----

for bond, count in pairs { running = 4 + 5 + 4, stack = 12, english = 8 + 9 + 8 } do
  local w = world()
  w:halfspace { normal = { 0, 0, 1 } }
  local thick = bond == "english" and 0.2 or 0.1
  local wall = masonry.wall(w, { brick = { 0.2, 0.1, 0.06 }, columns = 4, courses = 3, bond = bond, density = 2000, name = "brick", position = { 1, 2, 0 } })
  assert(#wall == count, bond .. ": " .. #wall .. " blocks")
  local m, x, y, z = masses(wall)
  share(m, 2000 * 0.8 * thick * 0.18, 1e-12, "mass in bond " .. bond)
  check.within(x, 1, 1e-12, "x") check.within(y, 2, 1e-12, "y") check.within(z, 0.09, 1e-12, "z")
  assert(w:find "brick1" == wall[1] and w:find("brick" .. count) == wall[count])
  assert(moved(w, wall, 0.3) < 1e-5, "a wall in bond " .. bond .. " stands")
  end
do -- joints of a running bond lie over the middle of the bricks below, those of a shifted bond at the share
  local w = world()
  local wall = masonry.wall(w, { brick = { 0.3, 0.1, 0.1 }, columns = 3, courses = 2, shift = 1 / 3 })
  check.within((wall[4]:position()), -0.45 + 0.05, 1e-12, "first brick of the second course")
  check.within((wall[5]:position()), -0.45 + 0.1 + 0.15, 1e-12, "second brick of the second course")
  -- a wall turned by 90 degrees lies along y
  local turned = masonry.wall(w, { brick = { 0.3, 0.1, 0.1 }, columns = 3, courses = 1, turn = "90 deg", position = { 5, 0, 0 } })
  local x, y = turned[1]:position()
  check.within(x, 5, 1e-12, "x of a turned wall") check.within(y, -0.3, 1e-12, "y of a turned wall")
end

-- ---- arches, vaults, flat arches ----

-- Area of a voussoir with straight edges between radii R - t/2 and R + t/2 over the angle a.
local function voussoir_area(R, t, a) return math.sin(a) / 2 * ((R + t / 2) ^ 2 - (R - t / 2) ^ 2) end
do
  local w = world { plane = { 0, 1, 0 } }
  local arch, supports = masonry.arch(w, { radius = 1, thickness = 0.15, depth = 0.3, voussoirs = 16, density = 2000, name = "v" })
  assert(#arch == 16 and #supports == 2 and supports[1]:kind() == "fixed" and w:find "v_support2" == supports[2])
  share(masses(arch), 16 * 2000 * 0.3 * voussoir_area(1, 0.15, math.pi / 16), 1e-12, "mass of an arch")
  assert((arch[1]:position()) < -0.9 and (arch[16]:position()) > 0.9, "from left to right")
  assert(moved(w, arch, 1) < 1e-4, "an arch of 0.15 stands")
  local thin = world { plane = { 0, 1, 0 } }
  local fails = masonry.arch(thin, { radius = 1, thickness = 0.09, depth = 0.3, voussoirs = 16, density = 2000 })
  assert(moved(thin, fails, 1) > 1e-2, "an arch of 0.09 falls")
end
do -- materials of courses in turn: only the second course slides
  local w = world()
  for _, name in ipairs { "low", "high" } do w:material { name = name } end
  w:pair { "low", "high", mu = 0 }
  w:halfspace { normal = { 0, 0, 1 } }
  local wall = masonry.wall(w, { brick = { 0.2, 0.1, 0.1 }, columns = 2, courses = 2, bond = "stack", density = 2000, material = { "low", "high" } })
  w:set_gravity(1, 0, -9.81)
  w:step(100)
  check.within((wall[1]:velocity()), 0, 1e-6, "first course") check.within((wall[4]:velocity()), 0.1, 1e-3, "second course")
end
do -- span and rise: half the span over the angle; a segmental arch on kinematic supports
  local w = world()
  local arch, supports = masonry.arch(w, { span = 3, rise = 0.5, thickness = 0.3, depth = 1, voussoirs = 11, density = 1000, supports = "kinematic" })
  local R = (1.5 ^ 2 + 0.5 ^ 2) / (2 * 0.5)
  share(masses(arch), 11 * 1000 * voussoir_area(R, 0.3, 2 * math.asin(1.5 / R) / 11), 1e-12, "mass of a segmental arch")
  local _, _, z = arch[6]:position()
  check.within(z, R, 0.01, "the crown lies at the radius above the centre")
  assert(supports[1]:kind() == "kinematic")
  supports[1]:set_velocity(-1, 0, 0)
end
do
  local w = world()
  local vault = masonry.vault(w, { radius = 1, thickness = 0.2, length = 2, voussoirs = 9, rows = 4, density = 2000 })
  assert(#vault == 5 * 4 + 4 * 5, "blocks of a vault")
  local m, _, y = masses(vault)
  share(m, 9 * 2000 * 2 * voussoir_area(1, 0.2, math.pi / 9), 1e-12, "mass of a vault")
  check.within(y, 0, 1e-12, "middle of a vault")
  assert(moved(w, vault, 0.3) < 1e-4, "a vault stands")
end
do
  local w = world { plane = { 0, 1, 0 } }
  local flat = masonry.flat_arch(w, { span = 2, height = 0.3, depth = 0.3, voussoirs = 9, density = 2000 })
  local top = 2 + 2 * 0.3 * math.tan(math.rad(30))
  share(masses(flat), 2000 * 0.3 * 0.3 * (2 + top) / 2, 1e-12, "mass of a flat arch")
  assert(moved(w, flat, 0.3) < 1e-4, "a flat arch stands")
end

-- ---- domes ----

do
  local w = world()
  local dome, supports = masonry.dome(w, { radius = 2, thickness = 0.2, rings = 6, sectors = 12, oculus = "20 deg", density = 2000 })
  assert(#dome == 72 and #supports == 12)
  -- volume: (1/2) sin(2 pi/n) for the sectors, and sums over frusta for the rings; the limit of many is a shell
  local fine = masonry.dome(world(), { radius = 2, thickness = 0.2, rings = 60, sectors = 120, oculus = "20 deg", density = 2000, supports = "none" })
  share(masses(fine), 2000 * 2 * math.pi / 3 * (2.1 ^ 3 - 1.9 ^ 3) * math.cos(math.rad(20)), 1e-3, "mass of a dome")
  assert(moved(w, dome, 0.1) < 1e-4, "a dome stands")
end

-- ---- columns and portals ----

do
  local w = world()
  w:halfspace { normal = { 0, 0, 1 } }
  local round = masonry.column(w, { radius = 0.5, height = 3, drums = 4, density = 2000 })
  share(masses(round), 2000 * math.pi * 0.25 * 3, 1e-12, "mass of a column")
  local taper = masonry.column(w, { radius = 0.5, top_radius = 0.4, height = 3, drums = 4, density = 2000, position = { 3, 0, 0 } })
  share(masses(taper), 2000 * math.pi / 3 * 3 * (0.25 + 0.2 + 0.16), 1e-12, "mass of a column that tapers")
  assert(moved(w, round, 0.2) < 1e-5 and moved(w, taper, 0.2) < 1e-5, "columns stand")
end
do
  local w = world()
  w:halfspace { normal = { 0, 0, 1 } }
  local list = masonry.portal(w, { column = { 0.4, 0.4, 2 }, span = 3, lintel = { 3.6, 0.4, 0.4 }, drums = 2, density = 2000, lintel_density = 1000 })
  assert(#list == 5)
  share(masses(list), 2000 * 2 * 0.4 * 0.4 * 2 + 1000 * 3.6 * 0.16, 1e-12, "mass of a portal")
  local x, _, z = list[5]:position()
  check.within(z, 2.2, 1e-12, "height of the lintel") check.within(x, 0, 1e-12, "middle of the lintel")
  assert(moved(w, list, 0.3) < 1e-5, "a portal stands")
end

-- ---- mistakes ----

local arch = { radius = 1, thickness = 0.1, depth = 1, voussoirs = 4 }
local function changed(def, keys)
  local copy = {}
  for k, v in pairs(def) do copy[k] = v end
  for k, v in pairs(keys) do copy[k] = v ~= "nil" and v or nil end
  return copy
end
for _, case in ipairs {
  { "arch", { radious = 1 }, "did you mean 'radius'" }, { "arch", { thickness = 0 }, "masonry.arch.thickness must be a length greater than 0" },
  { "arch", { thickness = "10 kg" }, "masonry.arch.thickness" }, { "arch", { voussoirs = 1.5 }, "whole number of at least 2" },
  { "arch", { span = 2 }, "give radius and angle, or span and rise" }, { "arch", { radius = "nil" }, "radius is missing" },
  { "arch", { radius = "nil", span = 2, rise = 1.5 }, "at most half of span" }, { "arch", { thickness = 3 }, "less than twice the radius" },
  { "arch", { supports = "loose" }, "must be one of fixed, kinematic, none" }, { "arch", { angle = "400 deg" }, "masonry.arch.angle" },
} do check.fails(case[3], masonry[case[1]], world(), changed(arch, case[2])) end
local wall = { brick = { 0.2, 0.1, 0.1 }, columns = 2, courses = 2 }
for _, case in ipairs {
  { { brick = 0.2 }, "must be three lengths" }, { { brick = { 0.2, 0.1 } }, "must be three lengths" }, { { bond = "flemish" }, "must be one of running, stack, english" },
  { { brick = { 0.25, 0.1, 0.1 }, bond = "english" }, "twice as long" }, { { shift = 1 }, "between 0 and 1" }, { { courses = 0 }, "whole number" },
} do check.fails(case[2], masonry.wall, world(), changed(wall, case[1])) end
check.fails("oculus must be less", masonry.dome, world(), { radius = 1, thickness = 0.1, rings = 2, sectors = 8, angle = 0.5, oculus = 0.5 })
check.fails("masonry.portal.lintel is missing", masonry.portal, world(), { column = { 1, 1, 1 }, span = 2 })
do -- the bounding radius of a voussoir is that around its centre, not around the centre of the arch
  local blocks = masonry.arch(world(), { radius = 1, thickness = 0.15, depth = 0.3, voussoirs = 16 })
  for _, block in ipairs(blocks) do assert(block:radius() < 0.5 * math.sqrt(0.15 ^ 2 + 0.22 ^ 2 + 0.3 ^ 2), "bounding radius " .. block:radius()) end
end
