-- A disc of fixed grains and the heap on it, for the scenes heap.lua and wet_heap.lua.
local heap = {}

-- Adds fixed grains on a triangular lattice within a circle of p.disc grain radii. Their tops lie at z = 0.
function heap.disc(w, p)
  local r, edge = p.radius, p.disc * p.radius
  for row = -p.disc, p.disc do
    for column = -p.disc, p.disc do
      local x, y = (2 * column + row % 2) * r, math.sqrt(3) * row * r
      if x * x + y * y < edge * edge then
        w:sphere { kind = "fixed", radius = r, position = { x, y, -r }, material = "grain" }
      end
    end
  end
end

-- Removes the grains that fell over the edge. Does so in every 100th step; call it every step.
function heap.tidy(w, p)
  if w:steps() % 100 == 0 then w:remove { region = { max = { 1e9, 1e9, -3 * p.radius } } } end
end

-- Returns the number of loose grains, and the slope [deg] of the cone that has their mean height and their
-- mean distance from the axis. In a cone of height h and base radius R these are h/4 and R/2.
function heap.slope(w)
  local x, kind, z, out, grains = w:view "position", w:view "kind", 0, 0, 0
  for i = 1, #x do
    if kind[i] == "dynamic" then
      local a, b, c = x:get(i)
      z, out, grains = z + c, out + math.sqrt(a * a + b * b), grains + 1
    end
  end
  return grains, math.deg(math.atan(2 * z / out))
end

return heap
