-- A solid mesh pushes out bodies inside, at any depth, through the nearest face, like a box of its size; a wall leaves them inside.
local scree = require "scree"
local check = require "check"

local side, r = 0.05, 0.002
local points = {}
for k = 0, 7 do points[k + 1] = { side * (k % 2 - 0.5), side * (k // 2 % 2 - 0.5), side * (k // 4 - 0.5) } end
local triangles = {
  { 1, 3, 4 }, { 1, 4, 2 }, { 5, 6, 8 }, { 5, 8, 7 }, { 1, 2, 6 }, { 1, 6, 5 }, { 3, 7, 8 }, { 3, 8, 4 }, { 1, 5, 7 }, { 1, 7, 3 }, { 2, 4, 8 }, { 2, 8, 6 },
}
local brick = {}
for k = 0, 7 do brick[k + 1] = { 2 * r * (k % 2 - 0.5), 2 * r * (k // 2 % 2 - 0.5), 2 * r * (k // 4 - 0.5) } end
local shapes = {
  sphere = { radius = r },
  box = { size = { 2 * r, 2 * r, 2 * r } },
  hull = { points = brick },
  cylinder = { radius = r, length = 2 * r },
  capsule = { radius = r, length = 2 * r },
  ellipsoid = { size = { 2 * r, 2 * r, 2 * r } },
}

local function place(kind, solid, position, substitute)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  if substitute then w:box { kind = "fixed", size = { side, side, side } }
  else w:mesh { points = points, triangles = triangles, solid = solid } end
  local def = { position = position }
  for key, value in pairs(shapes[kind]) do def[key] = value end
  local b = w[kind](w, def)
  w:step(100)
  return { b:position() }
end

for kind in pairs(shapes) do
  for _, depth in ipairs { 0.5e-3, 1.5e-3, 2.5e-3, 0.01, 0.02 } do
    for axis = 1, 3 do
      for sign = -1, 1, 2 do
        local from = { 0.003, 0.002, 0.001 }
        from[axis] = sign * (side / 2 - depth)
        local where = ("a %s %g m deep in a solid mesh, axis %d"):format(kind, depth, sign * axis)
        local wanted, got = place(kind, true, from, true), place(kind, true, from)
        for k = 1, 3 do check.near(got[k], wanted[k], 1e-6, where) end
        if depth > 2 * r then
          local inside = place(kind, false, from)
          for k = 1, 3 do check.near(inside[k], from[k], 1e-12, where .. ", a wall") end
        end
      end
    end
  end
end
