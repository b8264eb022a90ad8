-- Hulls that touch face to face within rounding: the search for the depth finds the face, at any turn by rounding. The poses are those of two
-- neighbours of a vault at rest, whose difference has many corners in one plane.
local scree = require "scree"
local masonry = require "scree.masonry"
local cases = {
  { { 0.85571142705895131, -0.49999999999999811, 0.49404522276112123 }, { 1, -1.120642333139534e-15, 4.4293781852114613e-14, -6.3191109618250503e-15 },
    { 0.85571142705895131, 4.4672249836527659e-15, 0.49404522276112156 }, { 1, 7.9922647959325436e-16, 4.8807117302937201e-14, 7.910176018865466e-15 } },
}
local function deepest(case)
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
  local blocks = masonry.vault(w, { radius = 1, thickness = 0.2, length = 2, voussoirs = 9, rows = 4, density = 2000, supports = "none" })
  for i, block in ipairs(blocks) do
    if i ~= 33 and i ~= 34 then block:remove() end
  end
  for k = 0, 1 do
    blocks[33 + k]:set_position(case[2 * k + 1])
    blocks[33 + k]:set_orientation(case[2 * k + 2])
  end
  w:step()
  local least, count = 0, 0
  for c in w:contacts() do least, count = math.min(least, c.gap), count + 1 end
  return least, count
end
for _, case in ipairs(cases) do
  local gap, count = deepest(case)
  assert(gap > -1e-12 and count == 4, ("gap %g m, %d points"):format(gap, count))
end
-- perturbed by some units in the last place
local seed = 5
local function random()
  seed = seed * 48271 % 2147483647
  return 2 * seed / 2147483647 - 1
end
for _ = 1, 40 do
  local case = {}
  for k, list in ipairs(cases[1]) do
    case[k] = {}
    for i, v in ipairs(list) do case[k][i] = v + 5e-15 * random() end
  end
  local gap, count = deepest(case)
  assert(gap > -1e-12 and count == 4, ("gap %g m, %d points"):format(gap, count))
end
