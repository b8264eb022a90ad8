-- Steps the golden scenes and prints a line for each: its name and the hash of the state it ends in.
-- usage: scree lua --trust tests/golden/run.lua [threads=N] [share=N] [NAME ...]
--   threads  threads of the worlds (1)
--   share    contacts a thread below which the solver stays in one; by default 0 for the scene made for threads, the engine's own for the others
local scree = require "scree"
local scenes = require "scenes"

local options, wanted = { threads = 1 }, {}
for _, word in ipairs(arg) do
  local key, value = word:match "^(%w+)=(%d+)$"
  if key then options[key] = math.tointeger(value) else wanted[word] = true end
end

-- A scene in which nothing touches would prove nothing.
local function run(s)
  s.world.threads = options.threads
  s.world.solver = s.world.solver or {}
  s.world.solver.contacts_per_thread = options.share or (s.threaded and 0 or nil)
  local w, touching = scree.world(s.world), 0
  s.setup(w)
  for step = 1, s.steps do
    if s.update then s.update(w, step) end
    w:step()
    if step % 50 == 0 then touching = touching + w:report().touching + w:report().active end
  end
  assert(touching > 0, s.name .. ": nothing ever touches")
  return w:hash()
end

for _, s in ipairs(scenes) do
  if not next(wanted) or wanted[s.name] then print(s.name, run(s)) end
end
