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
-- A packing without friction has 6 contacts per grain if each edge of the cell adjusts. A contact counts if it carries an impulse in the last step.
-- With the 300 sweeps of w:pack about 1 % of the contacts, the weakest, carry none; with 1000 sweeps all do.
assert(smooth.coordination > 5.9 and smooth.coordination < 6.02, smooth.coordination)
assert(rough.fraction > 0.57 and rough.fraction < 0.6, rough.fraction)
assert(rough.coordination > 4 and rough.coordination < 4.6, rough.coordination)
