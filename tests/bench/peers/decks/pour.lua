-- LAMMPS' fix pour for gravity 1 along -z: pour(w, { x, y, radius, top, depth, count, min, max, material }) places balls in a vertical cylinder.
-- Depths below the top of the cylinder are depth u^2 with u uniform in 0 .. 1. Each ball has the speed of a fall from the top, so that the balls
-- fall like a stream. A ball that overlaps another ball of the call gets another place at its depth, and after 50 trials another depth.
-- min, max: smallest and largest radius.
return function(w, o)
  local placed = {}
  local function is_free(x, y, z, r)
    for _, p in ipairs(placed) do
      if (x - p[1]) ^ 2 + (y - p[2]) ^ 2 + (z - p[3]) ^ 2 < (r + p[4]) ^ 2 then return false end
    end
    return true
  end
  for i = 1, o.count do
    local r = o.min + (o.max - o.min) * math.random()
    local x, y, depth
    local trials = 0
    repeat
      if trials % 50 == 0 then depth = o.depth * math.random() ^ 2 end
      local far, angle = o.radius * math.sqrt(math.random()), 2 * math.pi * math.random()
      x, y, trials = o.x + far * math.cos(angle), o.y + far * math.sin(angle), trials + 1
    until is_free(x, y, o.top - depth, r)
    placed[i] = { x, y, o.top - depth, r }
    w:sphere { radius = r, position = { x, y, o.top - depth }, velocity = { 0, 0, -math.sqrt(2 * depth) }, material = o.material }
  end
end
