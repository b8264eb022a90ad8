#!/bin/bash
# scree view: its address, whom it refuses, 2000 broken requests (tests/slow/view.sh sends 1e5); mistakes on the command line.
. "$(dirname "$0")/../support/cli.sh"
requests=${VIEW_REQUESTS:-2000}

"$scree" view --help > out.txt || fail "help"
has out.txt "--no-open"
"$scree" view 2> err.txt
[ $? = 2 ] || fail "no operand"
if ! ls /usr/share/javascript/three/three.min.js > /dev/null 2>&1; then skip "libjs-three is not installed"; fi
"$scree" view --no-open nowhere 2> err.txt
[ $? = 4 ] || fail "a missing file: $?"
"$scree" view --port 70000 nowhere 2> err.txt
[ $? = 2 ] || fail "a port out of range"
SCREE_THREE_JS=/nowhere "$scree" view --no-open nowhere 2> err.txt && fail "three.js that is not there"
has err.txt "SCREE_THREE_JS"

cat > scene.lua <<'LUA'
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 20 do w:sphere { radius = 0.05, position = { 0.12 * i, 0, 0.1 } } end
    w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0.5, 0.1 } }
  end,
  output = { trajectory = { every = 0.02 } },
  stop = { time = 0.1 },
}
LUA
"$scree" run scene.lua -q -o run > /dev/null || stop "run"
# a ball that lies far from 0, with its contact
cat > far.lua <<'LUA'
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:box { kind = "fixed", size = { 1, 1, 0.1 }, position = { 1000, -2000, -0.05 } }
    w:sphere { radius = 0.05, position = { 1000, -2000, 0.05 } }
  end,
  output = { trajectory = { every = 0.02, fields = { "position", "contacts" } } },
  stop = { time = 0.1 },
}
LUA
"$scree" run far.lua -q -o far > /dev/null || stop "run far"
ln -s /etc/passwd run/link.csv
mkdir run/folder.csv
mkfifo run/pipe.csv
# a table of 69 MB, above the 64 MiB that are sent whole
awk 'BEGIN { print "time,a"; for (i = 0; i < 1499999; i++) printf "%07d,%037d\n", i, i; printf "15" }' > run/large.csv
rm -f out.txt err.txt # what earlier commands wrote is no answer
"$scree" view --no-open run > out.txt 2> err.txt & pid=$!
wait_for $pid grep -q . out.txt err.txt
if grep -q "no HTTP server" err.txt; then skip "built without libmicrohttpd"; fi
grep -qE '^http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}$' out.txt || fail "no address: $(cat out.txt err.txt)"
[ "$(wc -l < out.txt)" = 1 ] || fail "more than the address on the standard output"
# without the library the command names it
mkdir damaged && grep -aoE -m 1 'libmicrohttpd\.so\.[0-9]+' "$scree" | head -n 1 | while read -r library; do echo 'no library' > "damaged/$library"; done
LD_LIBRARY_PATH=$PWD/damaged "$scree" view --no-open run 2> err.txt > /dev/null
[ $? = 1 ] && grep -q "needs libmicrohttpd (Debian: libmicrohttpd12), but .*damaged/libmicrohttpd" err.txt || fail "a damaged library: $(cat err.txt)"
# a port that is taken is told; another start has another token
port=$(sed 's,.*:\([0-9]*\)/.*,\1,' out.txt)
"$scree" view --no-open --port "$port" run 2> err.txt > /dev/null
[ $? = 4 ] || fail "a port that is taken"
has err.txt "$port"
kill -TERM $pid
wait $pid || fail "a signal ends the server with $?"
command -v python3 > /dev/null || skip "the rest: python3 is not installed"
timeout 3000 python3 "$source/tests/support/view_server.py" "$scree" run far "$requests" || failed=1
exit $failed
