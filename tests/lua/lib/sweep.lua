-- Sweeps over many similar cases. The quick tests run a part of the cases. tests/slow/sweeps.sh runs the same tests with the
-- argument "whole", which selects all cases.
local sweep = { whole = arg ~= nil and arg[1] == "whole" }

-- Returns a function that returns true if the next case is to run: every `k`-th case, starting with the first; with "whole"
-- every case. If `k` has no common factor with the lengths of the inner loops, the cases contain all values of all loops.
function sweep.every(k)
  local count = -1
  return function()
    count = count + 1
    return sweep.whole or count % k == 0
  end
end

-- Returns `quick` in the quick tests, `whole` with the argument "whole".
function sweep.number(quick, whole) return sweep.whole and whole or quick end

return sweep
