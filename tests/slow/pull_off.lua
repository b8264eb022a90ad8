-- Pull-off forces are points times force to 1e-6 in 1000 random placements for every solver.
local pulls = assert(load(assert(io.open "tests/lua/lib/pulls.lua"):read "a"))()
for k, solver in ipairs(pulls.solvers) do
  local random, done = pulls.random(100 + k), 0
  while done < 1000 do
    pulls.each(function(name, on)
      pulls.try(name, on, random, solver)
      done = done + 1
    end)
  end
  print(solver, done .. " placements")
end
