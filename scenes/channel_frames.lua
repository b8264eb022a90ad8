-- Draws one frame of the trajectory of a channel run like the paper's figures: the last frame, or the last
-- one before a time. The run may still be going on.
--
--   scree lua --trust scenes/channel_frames.lua RUN [scale=1] [time=0.2]
--
-- The script writes RUN/frame.png and prints a table.
-- It copies the grains of the frame into a world, so that it can use the same measurements as the scene.

local scree = require "scree"
local figures = require "channel_figures"

local run, given = nil, { scale = "1", time = "inf" }
for _, word in ipairs(arg) do
  local key, value = word:match "^(%w+)=(.*)$"
  if key and not given[key] then error("unknown word '" .. key .. "'; scale and time are known", 0) end
  if key then
    given[key] = value
  else
    run = word
  end
end
if not run then
  error("which run? usage: scree lua --trust scenes/channel_frames.lua RUN [scale=1] [time=SECONDS]", 0)
end
local scale, time = tonumber(given.scale), tonumber(given.time) or math.huge
if not scale then error("scale must be a number, not '" .. given.scale .. "'", 0) end

-- Find the last frame at or before the time.
local trajectory = scree.open(run .. "/trajectory.scree")
local chosen = 1
for i = 1, #trajectory do
  if trajectory:time(i) <= time * (1 + 1e-9) then chosen = i end
end
local frame = trajectory:frame(chosen)

-- Copy the grains of the frame into a world.
local w = scree.world {}
w:material { name = "grain", density = 2650 }
local count, speed = 0, 0
for k, kind in ipairs(frame.kind) do
  if kind == "dynamic" then
    local v = { frame.velocity[3 * k - 2], frame.velocity[3 * k - 1], frame.velocity[3 * k] }
    local position = { frame.position[3 * k - 2], frame.position[3 * k - 1], frame.position[3 * k] }
    local spin = { frame.spin[3 * k - 2], frame.spin[3 * k - 1], frame.spin[3 * k] }
    w:sphere { radius = frame.radius[k], position = position, velocity = v, spin = spin, material = "grain" }
    count, speed = count + 1, math.max(speed, v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2)
  end
end

local size = figures.sizes(scale)
local maps = figures.profile(w, size)
maps:add()
figures.draw(
  w,
  maps,
  size,
  run .. "/frame.png",
  ("Channel flow, scale %g, t = %.3g s"):format(scale, frame.time)
)
print(("time                   %.4g s"):format(frame.time))
print(("grains                 %d"):format(count))
print(
  ("volume fraction        %.4g %%"):format(
    100 * count * figures.grain_volume(size) / figures.free_volume(size)
  )
)
print(("peak of the cell means %.4g m/s"):format(figures.peak(maps)))
print(("fastest grain          %.4g m/s"):format(math.sqrt(speed)))
