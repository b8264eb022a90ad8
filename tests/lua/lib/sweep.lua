-- Sweeps over many similar cases. The quick tests take a part of the cases; tests/slow/sweeps.sh runs the same tests with the
-- word "whole", which takes all cases.
local sweep = { whole = arg ~= nil and arg[1] == "whole" }

-- Returns a function that returns whether to take the next case: the first one and every `k`-th one after it, or each one. To
-- meet all values of all loops, `k` has no common factor with the lengths of the inner loops.
function sweep.every(k)
  local count = -1
  return function()
    count = count + 1
    return sweep.whole or count % k == 0
  end
end

-- Returns the first number in the quick tests, the second one with the word "whole".
function sweep.number(quick, whole) return sweep.whole and whole or quick end

return sweep
