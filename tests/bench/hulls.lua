-- Memory of a block of touching cubes, given as hulls: contacts, and the most that the process has held.
-- usage: scree lua --trust tests/bench/hulls.lua [EDGE]     EDGE cubes along each edge; 44 make 2.3 million contacts
local scree = require "scree"
local n, points = tonumber(arg[1] or 44), {}
for corner = 0, 7 do points[#points + 1] = { corner % 2, corner // 2 % 2, corner // 4 } end
local cube = scree.geometry.hull { points = points, scale = 0.1 }
local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { name = "nbgs", iterations = 10 } }
w:halfspace { normal = { 0, 0, 1 } }
for i = 0, n ^ 3 - 1 do w:hull { geometry = cube, position = { 0.1 * (i % n), 0.1 * (i // n % n), 0.1 * (i // n ^ 2) + 0.05 }, mass = 1 } end
w:step(2)
for line in io.lines "/proc/self/status" do
  local most = line:match "VmHWM:%s*(%d+)"
  if most then print(string.format("%d bodies, %d contacts, %.3g MiB", w:report().dynamic, w:report().contacts, tonumber(most) / 1024)) end
end
