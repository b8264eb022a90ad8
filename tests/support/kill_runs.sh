# Whole runs killed at random moments and resumed: `. cli.sh; . kill_runs.sh; kill_runs PROGRAM COUNT SEED`.
#
# A scene with births, deaths, w.state, random numbers, a Lua law, joints and measurements runs once undisturbed. Then COUNT times: it is started,
# killed with SIGKILL after a random part of that time, every frame that is in the file is compared with the undisturbed run's, it is
# resumed (started anew where there is no checkpoint yet; with 1 and 2 threads by turns; every third time the resumed run is killed too),
# and in the end must have the undisturbed run's hash, series, frames and tables.

kill_scene() {
  cat > scene.lua <<'LUA'
local scree = require "scree"
scree.law.define {
  name = "ageing", base = "coulomb", params = { mu = 0.3, rate = 2 }, state = { "age" },
  refresh = function(p, s, c)
    s.age = s.age + c.dt
    p.mu = math.min(0.9, p.mu + p.rate * s.age)
  end,
}
return {
  params = { seed = 3 },
  world = { gravity = { 0, 0, -9.81 }, dt = 5e-4, solver = { iterations = 15 } },
  setup = function(w, p)
    w:material { name = "glass", density = 2500 }
    w:pair { "glass", "glass", law = "ageing" }
    w:halfspace { name = "floor", normal = { 0, 0, 1 }, material = "glass" }
    w:fill { region = { min = { 0, 0, 0.01 }, max = { 0.05, 0.05, 0.03 } }, spacing = 0.012, radius = 0.004, radius_max = 0.005, jitter = 0.1, material = "glass" }
    local post = w:box { name = "post", kind = "fixed", size = { 0.01, 0.01, 0.01 }, position = { 0.08, 0.03, 0.1 }, material = "glass" }
    local arm = w:box { name = "arm", size = { 0.05, 0.01, 0.01 }, position = { 0.05, 0.03, 0.1 }, material = "glass" }
    w:hinge { a = arm, b = post, at = { 0.08, 0.03, 0.1 }, axis = { 0, 1, 0 }, friction = 1e-4 }
    w.state.count = 0
  end,
  before_step = function(w)
    w.state.count = w.state.count + 1
    if w:steps() % 25 == 0 then
      w:sphere { radius = 0.004, position = { 0.03 + 0.01 * math.random(), 0.03 + 0.01 * w:random(), 0.12 + 4e-4 * w:steps() }, material = "glass" }
    end
    w:remove { region = { center = { 0.02, 0.02, 0.005 }, radius = 0.004 } }
  end,
  output = { trajectory = { every = 5e-3, precision = "1e-4 d", fields = { "position", "velocity", "spin", "orientation", "contacts" } },
             series = { every = 2e-3, values = function(w) return { count = w.state.count } end } },
  stop = { time = 0.25 },
}
LUA
  cat > exp.yaml <<'YAML'
scree: 1
scene: scene.lua
output: {checkpoint: {every: 4 ms}}
YAML
  measures >> exp.yaml
}

# Starts a command in the background and kills it after so many milliseconds; 0 if it was still at work.
kill_after() {
  local ms=$1; shift
  "$@" > out.txt 2>&1 &
  local process=$!
  sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
  kill -9 $process 2> /dev/null
  wait $process 2> /dev/null
  [ $? = 137 ]
}

# Every frame in the file is the undisturbed run's.
kill_compare_frames() {
  [ -s "$1/trajectory.scree" ] || return 0
  local frames
  "$scree" info --json "$1" > info.txt 2>&1 || return 0 # not even the header is there
  frames=$(sed 's/.*"frames": \([0-9]*\).*/\1/' info.txt)
  [ "$frames" = 0 ] && return 0
  "$scree" diff straight "$1" > diff.txt 2>&1
  grep -qE "^same|frames that both have are the same" diff.txt || { cat diff.txt info.txt; return 1; }
}

kill_runs() {
  local scree=$1 count=$2 i ms length resumed=0 anew=0
  RANDOM=$3
  kill_scene
  local start=$(date +%s%N)
  "$scree" run exp.yaml -o straight --quiet > out.txt 2>&1 || { cat out.txt; return 1; }
  length=$((($(date +%s%N) - start) / 1000000 + 5))
  for ((i = 0; i < count; i++)); do
    rm -rf killed
    ms=$((RANDOM % length))
    kill_after $ms "$scree" run exp.yaml -o killed --quiet --threads $((1 + i % 2))
    kill_compare_frames killed || { echo "kill $i after $ms ms: a frame is wrong"; return 1; }
    if [ $((i % 3)) = 0 ] && ls killed/checkpoint.scree* > /dev/null 2>&1; then
      kill_after $((RANDOM % length)) "$scree" resume killed --quiet
      kill_compare_frames killed || { echo "kill $i, again: a frame is wrong"; return 1; }
    fi
    if grep -q '"status": "completed"' killed/run.json 2> /dev/null; then :
    elif [ -e killed/checkpoint.scree ] || [ -e killed/checkpoint.scree.previous ]; then
      "$scree" resume killed --quiet --threads $((2 - i % 2)) > out.txt 2>&1 || { echo "kill $i after $ms ms: $(cat out.txt)"; return 1; }
      resumed=$((resumed + 1))
    else
      "$scree" run exp.yaml -o killed --force --quiet > out.txt 2>&1 || { echo "kill $i after $ms ms, anew: $(cat out.txt)"; return 1; }
      anew=$((anew + 1))
    fi
    [ "$(grep '"hash"' straight/run.json)" = "$(grep '"hash"' killed/run.json)" ] || { echo "kill $i after $ms ms: another hash"; return 1; }
    for file in series.csv g.csv field.csv; do cmp -s straight/$file killed/$file || { echo "kill $i after $ms ms: $file differs"; return 1; }; done
    "$scree" diff straight killed > diff.txt 2>&1 || { echo "kill $i after $ms ms: $(cat diff.txt)"; return 1; }
  done
  [ $count -lt 50 ] || [ $((resumed + anew)) -gt $((count / 4)) ] || { echo "only $((resumed + anew)) of $count kills struck a run at work"; return 1; }
  echo "$count kills: $resumed resumed from a checkpoint, $anew before the first one"
}
