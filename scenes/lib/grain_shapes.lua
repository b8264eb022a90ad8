-- Grains of several shapes that all have the volume of a ball of radius r. They differ in shape only, so that
-- flows of them can be compared.

local shapes = {}

--- Returns the points of an icosahedron with the circumradius r. Its extent along each axis is 1.701 r.
function shapes.icosahedron(r)
  local points, golden = {}, (1 + 5 ^ 0.5) / 2
  local s = r / (1 + golden ^ 2) ^ 0.5
  for _, c in ipairs { { s, s * golden }, { s, -s * golden }, { -s, s * golden }, { -s, -s * golden } } do
    for _, point in ipairs { { 0, c[1], c[2] }, { c[1], c[2], 0 }, { c[2], 0, c[1] } } do
      points[#points + 1] = point
    end
  end
  return points
end

-- Each maker returns the shapes of a grain, its width along x and y, and its length along z [m]. The width of
-- the box is its diagonal, because channel_laws.lua turns boxes about z.
local makers = {
  sphere = function(r) return { { type = "sphere", radius = r } }, 2 * r, 2 * r end,
  -- three times as long as thick: V = 16/3 pi a^3
  capsule = function(r)
    local a = r / 4 ^ (1 / 3)
    return { { type = "capsule", radius = a, length = 4 * a } }, 2 * a, 6 * a
  end,
  -- V = 5/12 (3 + 5^0.5) edge^3
  icosahedron = function(r)
    local golden = (1 + 5 ^ 0.5) / 2
    local edge = r * (4 / 3 * math.pi * 12 / (5 * (3 + 5 ^ 0.5))) ^ (1 / 3)
    return { { type = "hull", points = shapes.icosahedron(edge * math.sin(0.4 * math.pi)) } }, golden * edge, golden * edge
  end,
  box = function(r)
    local side = r * (4 / 3 * math.pi) ^ (1 / 3)
    return { { type = "box", size = { side, side, side } } }, 2 ^ 0.5 * side, side
  end,
  -- two balls whose centres are one radius b apart: V = 9/4 pi b^3
  clump = function(r)
    local b = r * (16 / 27) ^ (1 / 3)
    return {
      { type = "sphere", radius = b, position = { 0, 0, -b / 2 } },
      { type = "sphere", radius = b, position = { 0, 0, b / 2 } },
    }, 2 * b, 3 * b
  end,
}

--- Returns the template of a grain of the named shape with the volume of a ball of radius r [m], its width
--- along x and y, and its length along z [m]. The names are sphere, capsule (three times as long as thick),
--- icosahedron, box (a cube) and clump (two balls that overlap).
function shapes.make(w, name, r, material)
  local maker = makers[name]
  if not maker then
    error("shape must be sphere, capsule, icosahedron, box or clump, not '" .. tostring(name) .. "'", 0)
  end
  local parts, width, length = maker(r)
  for _, part in ipairs(parts) do
    part.material = material
  end
  return w:template { shapes = parts }, width, length
end

return shapes
