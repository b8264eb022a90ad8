#!/usr/bin/env bash
# What a run tells of its progress: a line that is rewritten in place where it is asked for or where there is a screen, with the time that is left
# by time or by steps; nothing where nobody wants it.
. "$(dirname "$0")/../support/cli.sh"

cat > long.lua <<'LUA'
return {
  title = "a ball that rests",
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    w:sphere { radius = 0.1, position = { 0, 0, 0.1 } }
  end,
  output = { trajectory = false, series = false },
  stop = { time = 1e9 },
}
LUA
# tells NAME PATTERN COMMAND...: the run says so on its standard error, and ends by a signal with a checkpoint
tells() {
  local name=$1 pattern=$2 process code
  shift 2
  "$@" > "$name.out" 2> "$name.err" &
  process=$!
  wait_for $process grep -qE -- "$pattern" "$name.err" || fail "$name: no '$pattern' in: $(head -c 500 "$name.err")"
  kill -TERM $process
  wait $process
  code=$?
  [ $code = 75 ] || fail "$name: exit code $code: $(head -c 500 "$name.err")"
}
line='t [0-9.]+ s  step [0-9]+  [0-9.e+]+ steps/s  grains 1  contacts [01]  residual [0-9.e-]+ m/s  ETA '
"$scree" run long.lua -o fancy --progress fancy --time 1e12 > /dev/null 2> err.txt < /dev/null &
wait_for $! grep -qE "${line}[?]" err.txt || fail "no end in sight: $(head -c 500 err.txt)"
kill -TERM $! && wait $!
grep -q $'\r' err.txt || fail "the line is not rewritten in place"
[ "$(tail -c 1 err.txt | od -An -c | tr -d ' ')" = '\n' ] || fail "the last line has no end"
has err.txt "a ball that rests: 2 bodies, dt 0.001 s, seed "
tells hours "${line}([0-9]+h[0-9][0-9]m|[?])" "$scree" run long.lua -o hours --progress fancy --steps 20000000000
tells minutes "${line}[0-9]+(s|m[0-9][0-9]s|h[0-9][0-9]m)" "$scree" run long.lua -o minutes --progress fancy --steps 200000000
if command -v script > /dev/null; then
  # a screen, and one that cannot rewrite a line
  echo "TERM=xterm '$scree' run long.lua -o screen & until grep -q ETA screen.txt || ! kill -0 \$!; do sleep 0.05; done; kill \$!; wait" > screen.sh
  script -qefc "bash screen.sh" screen.txt > /dev/null 2>&1 < /dev/null
  grep -qE "ETA" screen.txt || fail "nothing is rewritten on a screen: $(head -c 500 screen.txt)"
  script -qec "env TERM=dumb '$scree' run long.lua -o dumb --wall 0.5" dumb.txt > /dev/null 2>&1 < /dev/null
  grep -qE "ETA" dumb.txt && fail "a dumb terminal is written to: $(head -c 500 dumb.txt)"
fi
# nobody wants to know
"$scree" run long.lua -o none --progress none --wall 0.3 > out.txt 2> err.txt
grep -qE "ETA|bodies, dt" err.txt && fail "--progress none tells: $(cat err.txt)"
"$scree" run long.lua -o loud --progress loud > out.txt 2> err.txt
[ $? = 2 ] && has err.txt "--progress is auto, fancy, plain or none, not 'loud'" || fail "--progress loud"
exit $failed
