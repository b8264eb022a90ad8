-- scree.open: reading the trajectory of a run from Lua.
local scree = require "scree"
local fails = require("check").fails
local pipe = io.popen "readlink /proc/$PPID/exe"
local program = pipe:read "l"
pipe:close()
local folder = os.tmpname()
os.remove(folder)
local function run(name, options)
  assert(os.execute(("%s run scenes/hello.lua -o %s/%s --quiet --time 0.2 %s >/dev/null"):format(program, folder, name, options or "")))
  return scree.open(folder .. "/" .. name .. "/trajectory.scree")
end
local a, b = run "a", run "b"

-- about the file
local info = a:info()
assert(info.complete and info.frames == #a and #a > 10 and info.damage == "" and info.lost_bytes == 0)
assert(a:source() == io.open("scenes/hello.lua"):read "a")
assert(a:meta():find '"seed"')
assert(a:time(1) == 0 and math.abs(a:time(-1) - 0.2) < 0.011)
assert(a:verify().frames == #a)

-- frames: the series of times rises, lists have as many entries as there are bodies
local last, seen = -1, 0
for i, frame in a:frames() do
  seen = seen + 1
  assert(i == seen and frame.time > last and frame.time == a:time(i))
  last = frame.time
  assert(#frame.id == frame.bodies and #frame.position == 3 * frame.bodies and #frame.orientation == 4 * frame.bodies and #frame.kind == frame.bodies)
end
assert(seen == #a)
local first, final = a:frame(1), a:frame(-1)
local moving
for k, kind in ipairs(first.kind) do if kind == "dynamic" then moving = k end end
assert(moving and final.position[3 * moving] < first.position[3 * moving], "what is dynamic falls")

-- two runs of a scene are equal, and a file equals itself; with another parameter the runs differ from the first frame on
assert(a:compare(b) == nil)
assert(a:compare(scree.open(folder .. "/a/trajectory.scree")) == nil)
local apart = a:compare((run("c", "height=0.6")))
assert(apart and apart.first.frame == 1, "another height shows")
local ok, text = pcall(a.compare, a, a)
assert(not ok and text:find "two readers")

-- exports
assert(a:export { format = "csv", directory = folder .. "/out", name = "all" } == 1)
assert(a:export { format = "npz", directory = folder .. "/out", first = 2, last = 8, stride = 3 } == 3)
assert(io.open(folder .. "/out/frame_000002.npz"))
local rows = 0
for line in io.lines(folder .. "/out/all.csv") do rows = rows + 1 end
assert(rows == 1 + #a * first.bodies)

assert(a:export { format = "npz", directory = folder .. "/out", name = "whole", single = true, last = 3 } == 1)
assert(io.open(folder .. "/out/whole.npz"))

-- mistakes
fails("single is for npz, not for csv", a.export, a, { format = "csv", directory = folder .. "/out", single = true })
fails("export.stride must be greater than 0, not 0", a.export, a, { format = "csv", stride = 0 })
fails("export.format is missing", a.export, a, {})
fails("did you mean 'dump'", a.export, a, { format = "dmp" })
fails("not a known key", a.export, a, { format = "csv", fram = 1 })
fails("does not exist", a.frame, a, #a + 1)
fails("whole number", a.frame, a, 1.5)
fails("No such file", scree.open, folder .. "/nothing")
fails("not a scree file", scree.open, "scenes/hello.lua")
a:close()
fails("is closed", a.frame, a, 1)
os.execute("rm -rf " .. folder)
