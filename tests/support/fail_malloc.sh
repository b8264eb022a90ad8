# Allocations that fail: `. fail_malloc.sh; fail_malloc PROGRAM LIBRARY ONCE_STEP ON_STEP` in an empty working folder.
#
# A scene in YAML with bodies of several kinds, measurements, a trajectory, a series, checkpoints and a report is loaded, run and saved; then
# again with the first, second, ... allocation of the whole process failing (malloc of the engine, of Lua, libyaml and zlib alike), once or from then
# on. Every time the program must end by itself: with success and the right hash, or with one of its exit codes and a message. What is in
# the trajectory by then must be right.

fail_malloc() {
  local scree=$1 library=$2 total n code mode step good=0 errors=0
  [ -e "$library" ] || { echo "sanitizers have an allocator of their own: nothing to do"; return 0; }
  cat > scene.lua <<'LUA'
return {
  params = { mu = { default = 0.3, min = 0, doc = "friction" } },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { iterations = 5 } },
  setup = function(w, p)
    w:material { name = "glass", density = 2500 }
    w:pair { "glass", "glass", law = "coulomb", mu = p.mu }
    w:halfspace { name = "floor", normal = { 0, 0, 1 }, material = "glass" }
    w:fill { region = { min = { 0, 0, 0.004 }, max = { 0.03, 0.03, 0.02 } }, spacing = 0.012, radius = 0.005, material = "glass" }
    w:box { size = { 0.01, 0.01, 0.01 }, position = { 0.1, 0, 0.0051 }, material = "glass" }
    w.state.list = { 1, 2, "three" }
  end,
  after_step = function(w) if w:steps() == 5 then w:sphere { radius = 0.004, position = { 0.05, 0, 0.02 }, material = "glass" } end end,
  output = { trajectory = { every = 2e-3, precision = "1e-4 d" }, series = { every = 1e-3, values = function(w) return { n = w:count() } end } },
  stop = { time = 0.01 },
  report = function(w, p, out) out:write("x.csv", "a,b\n") return { { "n", w:count() } } end,
}
LUA
  cat > exp.yaml <<'YAML'
scree: 1
scene: scene.lua
params: {mu: 0.4}
run: {stop_when: max_speed > 100 for 1 s}
output: {dir: out, checkpoint: {every: 2 ms, final: true}}
measure:
  - {name: z, type: coordination}
  - {name: f, type: profile, region: {min: [0, 0, 0], max: [30 mm, 30 mm, 20 mm]}, cells: [2, 2, 2]}
YAML
  sed 's/^output:.*/sweep: {grid: {params.mu: [0.1, 0.2]}}/' exp.yaml > grid.yaml
  FAIL_COUNT=count LD_PRELOAD=$library "$scree" run exp.yaml -o straight -q > out.txt 2> err.txt || { cat err.txt; return 1; }
  total=$(cat count)
  [ "$total" -gt 1000 ] || { echo "only $total allocations were counted"; return 1; }
  for mode in once on; do
    step=$3
    if [ $mode = on ]; then step=$4; export FAIL_ON=1; fi
    for ((n = 1; n <= total; n += step)); do
      rm -rf out
      FAIL_AT=$n LD_PRELOAD=$library timeout 300 "$scree" run exp.yaml -q > out.txt 2> err.txt
      code=$?
      case $code in
      0) good=$((good + 1))
         [ "$(grep '"hash"' straight/run.json)" = "$(grep '"hash"' out/run.json)" ] || { echo "allocation $n ($mode): success with another hash"; return 1; } ;;
      1 | 2 | 3 | 4) errors=$((errors + 1))
         [ -s err.txt ] || { echo "allocation $n ($mode): exit code $code without a word"; return 1; } ;;
      *) echo "allocation $n ($mode): exit code $code: $(head -c 300 err.txt)"; return 1 ;;
      esac
      if "$scree" info --json out 2> /dev/null | grep -q '"frames": [1-9]'; then
        "$scree" diff straight out > diff.txt 2>&1
        grep -qE "^same|frames that both have are the same" diff.txt || { echo "allocation $n ($mode): $(cat diff.txt)"; return 1; }
      fi
    done
  done
  unset FAIL_ON
  echo "$total allocations: $errors failures ended in an error, $good did no harm"
  [ $errors -gt $good ]
}

# fail_malloc_commands PROGRAM LIBRARY MOST: behind fail_malloc, the commands that read. Each is carried out again with up to MOST of its
# allocations failing, one at a time and all from there on: it says the same as ever, or says why not and ends with an exit code of errors.
fail_malloc_commands() {
  local scree=$1 library=$2 most=$3 name line total step n on code bad=0
  [ -e "$library" ] || return 0
  "$scree" dump straight --step 5 -o one.prob > /dev/null || return 1
  printf 'a,b\n1,2\n2,3\n3,5\n' > few.csv
  while read -r line; do
    FAIL_COUNT=count LD_PRELOAD=$library "$scree" $line > want.txt 2> err.txt || { echo "$line: $(cat err.txt)"; return 1; }
    total=$(cat count)
    step=$(((total + most - 1) / most))
    for on in "" 1; do
      if [ -n "$on" ]; then export FAIL_ON=1; else unset FAIL_ON; fi
      for ((n = 1; n <= total; n += step)); do
        FAIL_AT=$n LD_PRELOAD=$library timeout 300 "$scree" $line > got.txt 2> err.txt
        code=$?
        case $code in
        0) same_words || { echo "$line, allocation $n${on:+ and all later}: success with other words: $(diff want.txt got.txt | head -n 4)"; bad=1; } ;;
        1 | 2 | 3 | 4) [ -s err.txt ] || { echo "$line, allocation $n${on:+ and all later}: exit code $code without a word"; bad=1; } ;;
        *) echo "$line, allocation $n${on:+ and all later}: exit code $code: $(head -c 300 err.txt)"; bad=1 ;;
        esac
      done
    done
    unset FAIL_ON
  done <<'COMMANDS'
schema
info straight
info --json straight
info --verify straight
info straight/checkpoint.scree
plot few.csv b -x a
plot straight --list
diff straight straight
export straight --format csv -o exported
solve one.prob -t 1
solve --table one.prob -i 3
check exp.yaml
check --json exp.yaml
sweep grid.yaml --dry-run
dump straight --step 5 -o again.prob
COMMANDS
  return $bad
}

# Times differ from run to run.
same_words() {
  local times='s/[0-9.e+-]* (ms|s)\b/T/g; s/"(seconds|wall_seconds)": [0-9.e+-]*/T/g'
  cmp -s <(sed -E "$times" want.txt) <(sed -E "$times" got.txt)
}
