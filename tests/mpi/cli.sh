#!/usr/bin/env bash
# scree under mpirun: the same files as one rank writes, errors told once, a rank that dies, a run that goes on with another number of ranks.
# arguments: program, source folder, build folder
scree=$1 build=$3
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none \
  OMPI_MCA_btl=vader,self OMPI_MCA_mpi_yield_when_idle=1
work=$(mktemp -d "$build/mpi-cli.XXXX"); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() { echo "mpi cli: $*"; exit 1; }

cat > box.lua <<'SCENE'
local scree = require "scree"
return {
  title = "grains fall into a box",
  params = { trouble = "none", glue = "none", steps = 100, stepper = "semi_implicit", solver = "nbgs", sleep = 0 },
  world = function(p) return { losses = true, dt = 1e-4, sleep = p.sleep, stepper = p.stepper, solver = { name = p.solver, iterations = 20, tolerance = 1e-2 } } end,
  setup = function(w, p)
    w:material { name = "grain", density = 2500 }
    w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, 0 } }
    w:fill { region = { min = { 0, 0, 0 }, max = { 6e-3, 6e-3, 3e-3 } }, spacing = 1.05e-3, radius = 0.5e-3, velocity = { 0.1, 0.05, 0 }, material = "grain" }
    if p.glue ~= "none" then w:bond { distance = 0.1e-3, young = 1e7, damping = 1e-4, exact = p.glue == "exact" } end
    w.state.ball = 0
  end,
  before_step = function(w, p)
    if w:steps() == 40 then
      local ball = w:sphere { radius = 0.5e-3, position = { 3e-3, 3e-3, 6e-3 }, material = "grain" }
      if p.trouble == "foreign" then ball:position() end
      if p.trouble == "contacts" then w:contacts() end
      if p.trouble == "forces" then w:compatible_forces { law = "hooke" } end
      if p.trouble == "dump" then w:dump_problem "step.prob" end
      assert(w:read(ball).position[3] == 6e-3)
      assert(w:view("position"):rows() == w:count() + 1)
    end
    if p.trouble == "lua" and w:steps() == 50 then error "on purpose" end
    if p.trouble == "one" and w:steps() == 50 and os.getenv "OMPI_COMM_WORLD_RANK" == "1" then error "only here" end
  end,
  every = { { steps = 10, call = function(w) w.state.ball = w.state.ball + w:count { region = { max = { 1, 1, 1e-3 } } } end } },
  output = { trajectory = { steps = 20 }, series = { steps = 10, values = function(w) return { low = w:count { region = { max = { 1, 1, 1e-3 } } } } end } },
  stop = { steps = function(p) return p.steps end },
  report = function(w, p, out)
    out:write("note.txt", "grains: " .. w:count() .. "\n")
    return { { "grains", w:count() }, { "counted", w.state.ball } }
  end,
}
SCENE

run() { timeout 600 mpirun -n "$@"; }

# the same columns, frames and figures on one rank and on two
"$scree" run box.lua -o one -q > one.txt || fail "one rank"
run 2 "$scree" run box.lua -o two -q --grid 2x1x1 > two.txt || fail "two ranks"
[ "$(grep -c . two.txt)" = "$(grep -c . one.txt)" ] || fail "two ranks speak more or less than one"
grep -q '^grains *51' two.txt || fail "figures: $(cat two.txt)"
[ "$(wc -l < two/series.csv)" = "$(wc -l < one/series.csv)" ] || fail "rows of the series"
[ "$(head -1 two/series.csv)" = "$(head -1 one/series.csv)" ] || fail "columns of the series"
grep -q '"ranks": 2' two/run.json && grep -q '"imbalance"' two/run.json || fail "run.json does not tell of the ranks"
# what pairs of materials took is all that was dissipated, most of it between grains and floor
for run in one two; do
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i; if ($i ~ /^lost_/) lost[i] = 1 } next }
    { sum = 0; for (i in lost) sum += $i; if ((sum - $at["dissipated"])^2 > 1e-16 * $at["dissipated"]^2 + 1e-24 * $at["kinetic"]^2) exit 1; floor = $at["lost_default_grain"] }
    END { exit !(NR > 5 && floor > 0) }' $run/series.csv || fail "losses of $run: $(tail -1 $run/series.csv)"
done
[ "$(cat two/note.txt)" = "grains: 51" ] || fail "the file of the report"
"$scree" info two/trajectory.scree > info.txt || fail "the trajectory of two ranks"
grep -q 'frames *6' info.txt || fail "frames: $(cat info.txt)"

# the parts that four ranks pack are one trajectory to every tool; its first frame is that of one rank
run 4 "$scree" run box.lua -o four -q --grid 2x2x1 > /dev/null || fail "four ranks"
"$scree" info four/trajectory.scree | grep -q 'frames *6' || fail "the trajectory of four ranks"
"$scree" diff -t 1e-6 one four > diff.txt || fail "four ranks and one: $(cat diff.txt)"
grep -q '^same: 6 frames' diff.txt || fail "frames of four ranks and one: $(cat diff.txt)"
for run in one four; do
  "$scree" export --format csv -o "$run" "$run/trajectory.scree" > /dev/null || fail "export of $run"
done
rows() { grep -c "^$2," "$1/frame.csv"; }
for frame in 0 2 5; do [ "$(rows one $frame)" = "$(rows four $frame)" ] || fail "frame $frame of four ranks has other bodies"; done
[ "$(grep '^0,' one/frame.csv)" = "$(grep '^0,' four/frame.csv)" ] || fail "the first frame of four ranks"
"$scree" plot four snapshot -o four.txt > /dev/null && [ -s four.txt ] || fail "a snapshot of four ranks"

# bodies that become fixed or kinematic on one rank become fixed or kinematic on all ranks
cat > kinds.lua <<'SCENE'
return {
  world = { dt = 1e-4, solver = { name = "nbgs", iterations = 20, tolerance = 1e-2 } },
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 6 do w:sphere { name = "g" .. i, radius = 0.5e-3, position = { 1.2e-3 * i, 0, 2e-3 }, velocity = { 0.1, 0, 0 } } end
  end,
  before_step = function(w)
    if w:steps() == 20 then w:find("g2"):set_kind "fixed" w:find("g5"):set_kind "kinematic" end
    if w:steps() == 60 then w:find("g5"):set_velocity(0, 0, 0.1) end
  end,
  output = { trajectory = { steps = 10 }, series = false },
  stop = { steps = 120 },
}
SCENE
"$scree" run kinds.lua -o kinds -q > /dev/null || fail "kinds on one rank"
run 2 "$scree" run kinds.lua -o kinds2 -q --grid 2x1x1 > kinds.txt 2>&1 || fail "kinds on two ranks: $(cat kinds.txt)"
"$scree" diff -t 1e-9 kinds kinds2 > diff.txt && grep -q '^same: 13 frames' diff.txt || fail "kinds that change on two ranks: $(cat diff.txt)"

# errors: all of them at once, told by one rank; one rank alone; a foreign body; a wrong grid
run 2 "$scree" run box.lua -o lua -q trouble=lua 2> lua.txt; [ $? = 3 ] || fail "exit code of a script's error"
[ "$(grep -c 'on purpose' lua.txt)" = 1 ] || fail "a script's error on all ranks: $(cat lua.txt)"
# what a scene has written before the error arrives, although the process is aborted
sed 's/if p.trouble == "lua" and w:steps() == 50 then/& io.write "last words"/' box.lua > talk.lua
run 2 "$scree" run talk.lua --trust -o talk -q trouble=lua > talk.txt 2> /dev/null; [ $? = 3 ] || fail "exit code of an error after words"
[ "$(cat talk.txt)" = "last words" ] || fail "words before an error: $(cat talk.txt)"
run 2 "$scree" run box.lua --trust -o alone -q trouble=one 2> alone.txt && fail "an error on one rank goes unnoticed"
grep -q 'rank 1: .*only here' alone.txt || fail "an error on one rank: $(cat alone.txt)"
run 2 "$scree" run box.lua -o foreign -q trouble=foreign 2> foreign.txt && fail "a foreign body was read"
grep -q 'w:read(body)' foreign.txt || fail "a foreign body: $(cat foreign.txt)"
# what works on one rank only says so, and what to use instead
refused() { # name, text, parameters
  run 2 "$scree" run box.lua -o "refused-$1" -q "${@:3}" 2> refused.txt && fail "$1 is not refused"
  grep -q "$2" refused.txt || fail "$1: $(cat refused.txt)"
}
refused contacts 'w:forces_on' trouble=contacts
refused forces 'w:stress' trouble=forces
refused dump 'scree dump' trouble=dump
refused solver 'auto and nbgs work on several' solver=apgd
refused stepper 'semi_implicit works on several' stepper=stewart_trinkle
refused sleep 'on one rank only' sleep=1e-3
refused bonds 'bonds work on one rank only; with exact = true they are fixed joints, which work on several' glue=elastic
run 2 "$scree" run box.lua -o exact -q glue=exact steps=5 > exact.txt 2>&1 || fail "exact bonds on two ranks: $(cat exact.txt)"
run 2 "$scree" run box.lua -o grid -q --grid 3x1x1 2> grid.txt && fail "a wrong grid"
grep -q 'does not have 2 ranks' grid.txt || fail "a wrong grid: $(cat grid.txt)"

# stopped by the wall limit, then resumed on one rank and on two
run 4 "$scree" run box.lua -o stopped -q --wall 1e-9 > /dev/null 2>&1
[ -s stopped/checkpoint.scree ] || fail "no checkpoint of four ranks"
cp -r stopped again
"$scree" resume stopped -q > resumed.txt || fail "resumed on one rank"
run 2 "$scree" resume again -q > again.txt || fail "resumed on two ranks"
grep -q '^grains *51' resumed.txt && grep -q '^grains *51' again.txt || fail "grains after resuming: $(cat resumed.txt again.txt)"
[ "$(wc -l < stopped/series.csv)" = "$(wc -l < one/series.csv)" ] || fail "the series after resuming"

# a rank that is killed ends the run, and mpirun names it; what was written is whole
run 2 "$scree" run box.lua -o killed -q steps=1000000000 > killed.txt 2>&1 &
mpi=$!
until [ -s killed/series.csv ] && [ "$(wc -l < killed/series.csv)" -gt 2 ] || ! kill -0 $mpi 2> /dev/null; do sleep 0.1; done
victim=$(pgrep -f "scree run box.lua -o killed" | while read -r pid; do tr '\0' '\n' < "/proc/$pid/environ" 2> /dev/null | grep -q '^OMPI_COMM_WORLD_RANK=1$' && echo "$pid"; done | head -1)
[ "$victim" ] || fail "no rank 1 is found"
kill -9 "$victim"; wait $mpi && fail "a killed rank goes unnoticed"
grep -q 'rank 1' killed.txt || fail "a killed rank is not named: $(cat killed.txt)"
"$scree" info killed/trajectory.scree > /dev/null || fail "the trajectory of a killed run"
echo "mpi cli: fine"
