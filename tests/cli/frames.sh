#!/usr/bin/env bash
# Frames in which bodies were made and points in them, after a restart: equal to those of the straight run in every bit.
. "$(dirname "$0")/../support/cli.sh"

cat > scene.lua <<'LUA'
return {
  params = { stop = -1 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    w:body { name = "hammer", sites = { tip = { 0.05, 0, 0.3 }, grip = { 0, 0, 0.05 } }, position = { 0, 0, 0.3 }, spin = { 1, 5, 2 }, shapes = {
      { type = "cylinder", radius = 0.01, length = 0.3, position = { 0, 0, 0.15 } }, { type = "box", size = { 0.1, 0.03, 0.03 }, position = { 0, 0, 0.3 } } } }
    w:body { name = "ball", position = { 1, 0, 0.3 }, spin = { 0, 0, 5 }, shapes = { { type = "sphere", radius = 0.1, position = { 0.2, 0, 0 } } } }
    w:sphere { name = "plain", radius = 0.1, position = { 2, 0, 0.3 } }
  end,
  after_step = function(w, p)
    if w:steps() == p.stop then os.execute "kill -TERM $PPID" end
  end,
  report = function(w)
    local list = {}
    for _, name in ipairs { "hammer", "ball", "plain" } do
      local b = w:find(name)
      local at, q = b:frame()
      list[#list + 1] = ("%s %.17g %.17g %.17g %.17g"):format(name, at[1], at[3], q[2], (b:point(0.1, 0.2, 0.3)))
    end
    list[#list + 1] = ("%.17g %.17g %.17g"):format(w:find("hammer"):point "tip")
    io.open("frames.txt", "w"):write(table.concat(list, "\n")):close()
    return { { "bodies", #list, "" } }
  end,
  stop = { steps = 200 },
}
LUA
"$scree" run scene.lua -o straight --quiet --trust > out.txt 2>&1 || stop "the straight run: $(cat out.txt)"
mv frames.txt straight.txt
"$scree" run scene.lua -o part --quiet --trust stop=90 > out.txt 2>&1
[ $? = 75 ] || stop "no stop: $(cat out.txt)"
cmp -s straight.txt frames.txt && stop "the frames did not move after the stop"
"$scree" resume part --quiet --trust > out.txt 2>&1 || stop "resume: $(cat out.txt)"
cmp straight.txt frames.txt > diff.txt || stop "$(cat diff.txt) $(cat straight.txt frames.txt)"
[ "$(grep '"hash"' straight/run.json)" = "$(grep '"hash"' part/run.json)" ] || stop "another hash"
echo "frames after a restart equal those of the straight run"
