-- A dry wall of bricks stands; then a ball hits it.
--
--   scree run scenes/wall.lua rows=20 speed=8      rows of bricks; speed of the ball [m/s]
--
-- The report gives the largest displacement of a brick before the ball comes. The default solver `auto`
-- balances the wall to rounding errors, without tuning.
return {
  title = "a ball against a dry wall",
  params = { rows = 10, columns = 10, mu = 0.5, speed = 6, wait = 0.5 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    local bricks = {}
    for row = 0, p.rows - 1 do
      local short = row % 2 -- every second row ends in two half bricks
      for k = 0, p.columns - 1 + short do
        local half = short == 1 and (k == 0 or k == p.columns)
        local x = short == 0 and k + 0.5 or k == 0 and 0.25 or k == p.columns and k - 0.25 or k
        local b = w:box {
          size = { half and 0.1 or 0.2, 0.1, 0.1 },
          position = { 0.2 * (x - p.columns / 2), 0, 0.1 * row + 0.05 },
          density = 2000,
        }
        bricks[#bricks + 1] = { b, b:position() }
      end
    end
    w.state.bricks = bricks
  end,
  after_step = function(w, p)
    if w.state.moved or w:time() < p.wait then return end
    local most = 0
    for _, b in ipairs(w.state.bricks) do
      local x, y, z = b[1]:position()
      most = math.max(most, math.sqrt((x - b[2]) ^ 2 + (y - b[3]) ^ 2 + (z - b[4]) ^ 2))
    end
    w.state.moved = most
    w:sphere {
      radius = 0.15,
      density = 7800,
      position = { 0.15, -1, 0.05 * p.rows },
      velocity = { 0, p.speed, 1 },
    }
  end,
  output = { trajectory = { every = 1 / 60 } },
  stop = { time = 1.5 },
  report = function(w) return { { "moved_before", w.state.moved or 0, "m" } } end,
}
