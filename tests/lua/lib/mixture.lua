-- Functions for tests that compare two worlds of free bodies: random numbers, momentum, steps of both worlds.
local check = require "check"
local mixture = {}

-- A generator of numbers from -0.5 to 0.5 that is the same everywhere.
function mixture.random(state)
  return function()
    state = (1103515245 * state + 12345) % 2147483648
    return state / 2147483648 - 0.5
  end
end

function mixture.momentum(bodies)
  local sum = { 0, 0, 0 }
  for _, b in ipairs(bodies) do
    local v, m = { b:velocity() }, b:mass()
    for k = 1, 3 do sum[k] = sum[k] + m * v[k] end
  end
  return sum
end

-- Both worlds go on; bodies of the first meet and keep their momentum.
function mixture.step_both(w, v, bodies, steps)
  local before, met = mixture.momentum(bodies), 0
  for _ = 1, steps do
    w:step()
    v:step()
    met = met + w:report().contacts
  end
  assert(met > 100, "nobody met: " .. met)
  local after = mixture.momentum(bodies)
  for k = 1, 3 do check.near(after[k], before[k], 1e-12, "momentum") end
end

return mixture
