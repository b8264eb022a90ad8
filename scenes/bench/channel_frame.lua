-- Benchmark: the cost of a step of a channel run at the state of one of its frames. The run need not be
-- repeated up to this frame.
--
--   scree lua --trust scenes/bench/channel_frame.lua RUN [scale=1] [time=0.18] [threads=1] [warm=60]
--     [steps=100] [dt=1e-5] [skin=0]
--
-- RUN is the directory of a run of scenes/channel.lua. The script sets up the last frame before the time,
-- with walls and obstacle but without the inflow. It makes `warm` steps, because a frame has no impulses to
-- start from. Then it measures the wall time of `steps` steps. Run nothing else on the machine meanwhile.

local scree = require "scree"
local obstacle = require "scree.obstacle"

local run, given = nil, { scale = 1, time = math.huge, threads = 1, warm = 60, steps = 100, dt = 1e-5, skin = 0 }
for _, word in ipairs(arg) do
  local key, value = word:match "^(%w+)=(.*)$"
  if key and not given[key] then error("unknown word '" .. key .. "'; scale, time, threads, warm, steps, dt and skin are known", 0) end
  if key then given[key] = tonumber(value) or error(key .. " must be a number, not '" .. value .. "'", 0) else run = word end
end
if not run then error("which run? usage: scree lua --trust scenes/bench/channel_frame.lua RUN [scale=1] [time=SECONDS] [threads=N]", 0) end

local trajectory, chosen = scree.open(run .. "/trajectory.scree"), 1
for i = 1, #trajectory do
  if trajectory:time(i) <= given.time * (1 + 1e-9) then chosen = i end
end
local frame = trajectory:frame(chosen)

-- Walls, obstacle and solver are those of scenes/channel.lua.
local length, width, height, centre, radius = 0.15 * given.scale, 0.065 * given.scale, 0.02, 0.04 * given.scale, 0.01 * given.scale
local w = scree.world { gravity = { 0, 0, -9.81 }, dt = given.dt, skin = given.skin, erp = 0.8, correction = "velocity", threads = math.tointeger(given.threads), solver = { name = "nbgs", iterations = 20, tolerance = 1e-3 } }
w:material { name = "grain", density = 2650 }
w:material { name = "wall", density = 2650 }
for _, other in ipairs { "grain", "wall" } do w:pair { "grain", other, law = "coulomb", mu = 0.4 } end
obstacle.walls(w, { min = { 0, 0, 0 }, max = { length, width, height }, open = { "-x", "+x" }, material = "wall" })
obstacle.half_round(w, { position = { centre, centre, height / 2 }, radius = radius, height = height, material = "wall" })
local x, v, s = frame.position, frame.velocity, frame.spin
for k, kind in ipairs(frame.kind) do
  if kind == "dynamic" then
    w:sphere {
      radius = frame.radius[k], position = { x[3 * k - 2], x[3 * k - 1], x[3 * k] }, velocity = { v[3 * k - 2], v[3 * k - 1], v[3 * k] },
      spin = { s[3 * k - 2], s[3 * k - 1], s[3 * k] }, material = "grain",
    }
  end
end

w:step(math.tointeger(given.warm))
local before, sweeps = w:report(), 0
for _ = 1, given.steps do
  w:step(1)
  sweeps = sweeps + w:report().iterations
end
local after, total = w:report(), 0
for stage, seconds in pairs(after.seconds) do total = total + seconds - before.seconds[stage] end
local function line(name, format, ...) print(("%-34s " .. format):format(name, ...)) end
line("frame", "t = %.4g s", frame.time)
line("grains, contacts", "%d, %d", after.dynamic, after.contacts)
line("threads", "%d", given.threads)
line("sweeps per step", "%.3g", sweeps / given.steps)
line("seconds per step", "%.4g", total / given.steps)
for _, stage in ipairs { "broad", "narrow", "assemble", "solve", "integrate" } do
  line("  " .. stage, "%.4g", (after.seconds[stage] - before.seconds[stage]) / given.steps)
end
line("solver, ns per contact and sweep", "%.3g", 1e9 * (after.seconds.solve - before.seconds.solve) / sweeps / after.contacts)
line("lists built per step", "%.3g", (after.rebuilds - before.rebuilds) / given.steps)
line("grains per second", "%.3g", after.dynamic * given.steps / total)
