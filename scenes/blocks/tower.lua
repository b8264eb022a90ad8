-- A dry tower of blocks on a table that tilts slowly. It overturns as one body at tan(angle) = width/height,
-- if friction holds. The table starts near this angle. The scene tilts gravity instead of the table.
local G = 9.81

return {
  title = "dry tower on a tilting table",
  params = { blocks = 10, width = 0.2, height = 0.1, mu = 0.7, rate = 0.003, dt = 1e-3 },
  world = function(p) return { gravity = { 0, 0, -G }, dt = p.dt, plane = { 0, 1, 0 } } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w:box { kind = "fixed", size = { 10, 2, 1 }, position = { 0, 0, -0.5 } }
    for i = 1, p.blocks do
      w:box {
        name = "block" .. i,
        size = { p.width, 0.2, p.height },
        position = { 0, 0, (i - 0.5) * p.height },
        density = 2000,
      }
    end
  end,
  before_step = function(w, p)
    local angle = 0.9 * math.atan(p.width / (p.blocks * p.height)) + p.rate * w:time()
    w.state.angle = angle
    w:set_gravity(G * math.sin(angle), 0, -G * math.cos(angle))
  end,
  -- the top has moved by a thousandth of the width
  stop = function(w, p) return math.abs((w:find("block" .. p.blocks):position())) > 1e-3 * p.width or w:time() > 30 end,
  report = function(w, p)
    return {
      { "tan(angle)", math.tan(w.state.angle) },
      { "width/height", p.width / (p.blocks * p.height) },
    }
  end,
}
