#!/bin/bash
# scree bench: every name runs and prints every figure as Markdown and as JSON; wrong names and options are refused.
. "$(dirname "$0")/../support/cli.sh"

# each name by itself: its rows and no others
for name in settle bed column channel shapes polydisperse; do
  "$scree" bench "$name" --brief --json >"$name.json" 2>err || fail "$name: $(cat err)"
  rows=$(grep -c '"name": ' "$name.json")
  own=$(grep -c "\"name\": \"$name\"" "$name.json")
  [ "$rows" -ge 2 ] && [ "$rows" = "$own" ] || fail "$name: $own of $rows rows are its own"
done
grep -q '"bed": "settle 64000"' settle.json || fail "no settle 64000"
for bed in capsules boxes hulls; do grep -q "\"bed\": \"$bed\"" shapes.json || fail "no $bed"; done
grep -q '"simd": "scalar"' settle.json || fail "no scalar row"
"$scree" bench channel --brief --full --json >full.json || fail "--full"
grep -q '"bed": "channel 1"' full.json || fail "no channel at full size"
"$scree" bench shapes --brief --full --threads 1 --json >full.json || fail "shapes --full"
grep -q '"bed": "capsules 256000"' full.json || fail "no large bed of capsules"

# every row has every figure, one and two threads are there, and the list is JSON
for key in ns_per_contact_iteration ns_step_per_contact_iteration seconds_per_step seconds_by_stage share_outside_solver contacts penetration \
           mean_penetration kinetic kinetic_calm loose bytes_per_body bytes_per_contact bundle_fill hash; do
  [ "$(grep -c "\"$key\": " settle.json)" = "$(grep -c '"name": ' settle.json)" ] || fail "not every row has $key"
done
for key in time_to_residual_cold time_to_residual_warm; do grep -q "\"$key\": \[{\"residual\": 0.01, \"sweeps\": [1-9][0-9]*, \"seconds\": [0-9]" settle.json || fail "no $key"; done
for threads in 1 2; do grep -q "\"threads\": $threads," settle.json || fail "no row with $threads threads"; done
if command -v python3 >/dev/null; then
  for file in *.json; do python3 -c 'import json, sys; rows = json.load(open(sys.argv[1])); assert all(r["ns_per_contact_iteration"] > 0 for r in rows)' "$file" || fail "$file"; done
fi

# scenes as games have them: one row a scene and number of threads
"$scree" bench engines --brief --json >engines.json 2>err || fail "engines: $(cat err)"
for scene in A B C W E R G H F; do [ "$(grep -c "\"scene\": \"$scene\"" engines.json)" = 2 ] || fail "engines: not two rows of $scene"; done
for key in seconds_per_step mean_depth kinetic contacts ns_per_contact_iteration hash; do [ "$(grep -c "\"$key\": " engines.json)" = 18 ] || fail "engines: not every row has $key"; done
"$scree" lua --trust "$source/scenes/bench/engines.lua" X >/dev/null 2>err && fail "engines: an unknown scene is taken"
grep -q "the scenes are A B C W E R G H F" err || fail "engines: $(cat err)"

# Markdown by default: two tables, every line as wide as its head
"$scree" bench settle --brief --threads 1 --rolling 0.01 --json >rolling.json || fail "--rolling"
"$scree" bench polydisperse --brief --threads 1 >table.md || fail "Markdown"
awk -F'|' '/^\|/ { if (!wide) wide = NF; if (NF != wide) exit 1; rows++ } !/^\|/ { wide = 0 } END { exit rows < 7 }' table.md || fail "the tables are ragged: $(cat table.md)"
grep -q '| polydisperse, scalar | 50 | 1 |' table.md || fail "no scalar row in the table"

# refused MESSAGE ARGUMENTS...: exit code 2 and the message
refused() {
  local message=$1
  shift
  "$scree" bench "$@" >out 2>err
  [ $? = 2 ] || fail "bench $*: not refused"
  grep -q -- "$message" err || fail "bench $*: no '$message' in: $(cat err)"
  [ -s out ] && fail "bench $*: printed something"
}
refused "no benchmark 'setle'; did you mean 'settle'" setle
refused "no benchmark 'xyzzyxyzzy'" xyzzyxyzzy
refused "takes one name, not 2" settle bed
refused "\[1, 256\], not 0" settle --threads 0
refused "\[0, 1000\], not -1" settle --rest=-1
refused "did you mean" settle --jsn
"$scree" bench --help >out || fail "--help"
for name in settle bed column channel shapes polydisperse engines; do grep -qE "^  $name " out || fail "--help does not name $name"; done
exit $failed
