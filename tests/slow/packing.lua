-- Packings of some hundred balls under a pressure: with no friction as dense as they get, with the contacts that hold them just so; looser with friction.
local scree = require "scree"
local function press(mu)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 8, 8, 8 }, periodic = { true, true, true } } }
  local made = w:pack { pressure = 1, radius = 0.5, grains = 216, mu = mu }
  assert(made.settled, "it came to rest")
  return made
end
local smooth, rough = press(0), press(0.5)
assert(smooth.fraction > 0.628 and smooth.fraction < 0.645, smooth.fraction)
assert(math.abs(smooth.coordination - 6) < 0.05, smooth.coordination)
assert(rough.fraction > 0.57 and rough.fraction < 0.6, rough.fraction)
assert(rough.coordination > 4 and rough.coordination < 4.6, rough.coordination)
