-- Towers, a slab on balls and walls of bricks: each function returns the bodies, and the length by which tests divide
-- their displacements.
local stacks = {}

function stacks.tower(w, n, top, x, y)
  local b = {}
  for i = 1, n do b[i] = w:box { size = { 0.1, 0.1, 0.1 }, position = { x or 0, y or 0, 0.1 * i - 0.05 }, mass = i == n and top or 1 } end
  return b, 0.1
end

function stacks.slab(w, mass)
  for i = -2, 2 do for j = -2, 2 do w:sphere { radius = 0.05, position = { 0.12 * i, 0.12 * j, 0.05 }, mass = 1 } end end
  return { w:box { size = { 0.8, 0.8, 0.1 }, position = { 0, 0, 0.15 }, mass = mass } }, 0.1
end

function stacks.wall(w, columns, rows)
  local b = {}
  for z = 0, rows - 1 do
    for x = 0, columns - 1 do b[#b + 1] = w:box { size = { 0.2, 0.1, 0.08 }, position = { 0.2 * x + (z % 2) * 0.1, 0, 0.08 * (z + 0.5) } } end
  end
  return b, 0.2
end

return stacks
