--- Obstacles made of several shapes.
---
---   local obstacle = require "scree.obstacle"
---   obstacle.half_round(w, { position = {0.04, 0.04, 0.01}, radius = 0.005, height = 0.02 })

local scree = require "scree"
local obstacle = {}

--- A standing cylinder whose right half (towards +x) is replaced by a box of the same width (Preclik, Eibl and Rüde 2017,
--- section 4.3): a round nose and a blunt back. position is the centre of the cylinder. Returns the body's handle.
function obstacle.half_round(w, options)
  scree.check_keys(options, { "position", "radius", "height", "length", "name", "material" }, "obstacle.half_round")
  local r, h = options.radius, options.height
  local length = options.length or r
  return w:body {
    name = options.name or "obstacle", kind = "fixed", position = options.position,
    shapes = {
      { type = "cylinder", radius = r, length = h, material = options.material },
      { type = "box", size = { length, 2 * r, h }, position = { length / 2, 0, 0 }, material = options.material },
    },
  }
end

--- Six fixed walls that close a box {min, max} from outside; open lists the sides left out, such as {"+z"}.
function obstacle.walls(w, options)
  scree.check_keys(options, { "min", "max", "open", "material" }, "obstacle.walls")
  local open, made = {}, {}
  for _, side in ipairs(options.open or {}) do open[side] = true end
  for axis, letter in ipairs { "x", "y", "z" } do
    for _, sign in ipairs { 1, -1 } do
      -- the wall at min looks along +axis and carries the name "-x": it closes the box on its lower side
      local side = (sign > 0 and "-" or "+") .. letter
      if not open[side] then
        local normal, point = { 0, 0, 0 }, { 0, 0, 0 }
        normal[axis] = sign
        point[axis] = (sign > 0 and options.min or options.max)[axis]
        made[side] = w:halfspace { normal = normal, point = point, material = options.material }
      end
    end
  end
  return made
end

return obstacle
