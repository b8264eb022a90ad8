-- A dry wall in running bond on a table that tilts in the plane of the wall. The scene tilts gravity instead
-- of the table. A triangle of bricks overturns along a stepped crack. The report compares the angle with the
-- static theorem (lib/limit.lua). Head joints have the friction `head`. The theorem assumes that sliding
-- joints dilate, so it is an upper bound. Walls with head > 0, or with bricks as short as high, overturn up
-- to 15 % earlier, because joints open and slide at the same time.
local masonry = require "scree.masonry"
local limit = require "lib.limit"

local G, HEIGHT = 9.81, 0.1

-- Returns blocks and joints of the wall for lib/limit.lua, from the boxes in the world.
local function find_joints(p, bricks)
  local blocks, joints, box = {}, {}, {}
  for i, brick in ipairs(bricks) do
    local x, _, z = brick:position()
    local half = brick:mass() / (2000 * 0.1 * HEIGHT) / 2
    blocks[i] = { area = 2 * half * HEIGHT, centre = { x, z } }
    box[i] = { low = x - half, high = x + half, course = math.floor(z / HEIGHT) }
  end
  for i, a in ipairs(box) do
    local z = a.course * HEIGHT
    if a.course == 0 then joints[#joints + 1] = { i, 0, ends = { { a.low, z }, { a.high, z } }, normal = { 0, 1 } } end
    for k, b in ipairs(box) do
      local low, high = math.max(a.low, b.low), math.min(a.high, b.high)
      if b.course == a.course - 1 and high - low > 1e-9 then
        joints[#joints + 1] = { i, k, ends = { { low, z }, { high, z } }, normal = { 0, 1 } }
      elseif b.course == a.course and math.abs(b.high - a.low) < 1e-9 then
        joints[#joints + 1] = { i, k, ends = { { a.low, z }, { a.low, z + HEIGHT } }, normal = { 1, 0 }, mu = p.head }
      end
    end
  end
  return blocks, joints
end

local function find_limit(p, bricks)
  local blocks, joints = find_joints(p, bricks)
  local live = {}
  for i, block in ipairs(blocks) do
    live[i] = { i, block.centre, { block.area, 0 } }
  end
  return limit.factor(blocks, joints, p.mu, limit.weights(blocks), live)
end

return {
  title = "dry wall on a tilting table",
  params = { columns = 3, courses = 6, length = 0.2, mu = 0.65, head = 0, rate = 0.004, dt = 1e-3 },
  world = function(p) return { gravity = { 0, 0, -G }, dt = p.dt, plane = { 0, 1, 0 } } end,
  setup = function(w, p)
    for _, name in ipairs { "odd", "even" } do -- materials of the courses in turn
      w:material { name = name }
      w:pair { name, name, mu = p.head }
      w:pair { name, "default", mu = p.mu }
    end
    w:pair { "odd", "even", mu = p.mu }
    w:box { kind = "fixed", size = { 20, 2, 1 }, position = { 0, 0, -0.5 } }
    local bricks = masonry.wall(w, {
      brick = { p.length, 0.1, HEIGHT },
      columns = p.columns,
      courses = p.courses,
      density = 2000,
      material = { "odd", "even" },
    })
    w.state.bricks, w.state.from = bricks, {}
    for i, brick in ipairs(bricks) do
      w.state.from[i] = brick:position()
    end
    w.state.limit = find_limit(p, bricks)
  end,
  before_step = function(w, p)
    local angle = 0.96 * math.atan(w.state.limit) + p.rate * w:time()
    w.state.angle = angle
    w:set_gravity(G * math.sin(angle), 0, -G * math.cos(angle))
  end,
  stop = function(w, p)
    for i, brick in ipairs(w.state.bricks) do
      if brick:position() - w.state.from[i] > 1e-3 * p.length then return true end
    end
    return w:time() > 60
  end,
  report = function(w) return { { "tan(angle)", math.tan(w.state.angle) }, { "static theorem", w.state.limit } } end,
}
