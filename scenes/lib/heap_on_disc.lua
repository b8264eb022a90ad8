-- A disc of glued grains and the heap on it (heap, wet_heap).
local heap = {}

-- Glued grains on a triangular lattice, their tops at z = 0, within a circle of `disc` radii.
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

-- What falls over the edge is taken away now and then.
function heap.tidy(w, p)
  if w:steps() % 100 == 0 then w:remove { region = { max = { 1e9, 1e9, -3 * p.radius } } } end
end

-- Loose grains, and the slope [deg] of the cone with their moments: one as high as h on a base of radius R has its centre of mass at h/4 and R/2 as the
-- mean distance from its axis.
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
