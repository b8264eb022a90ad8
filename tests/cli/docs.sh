#!/bin/bash
# Every example of the docs that says it can be run does run: blocks that open with ```lua run are plain scripts, those with ```lua scene are
# scenes, ```yaml run, ```yaml sweep and ```yaml calibrate are experiments beside the scenes of the repository. An example that ends in an error is a bug of the docs.
. "$(dirname "$0")/../support/cli.sh"

# Blocks of every page as files NAME-LINE.run.lua and NAME-LINE.scene.lua.
for page in $(find "$source/docs" -name '*.md' | sort) "$source/README.md"; do
  [ -f "$page" ] || continue
  awk -v name="$(basename "$page" .md)" '
    /^```lua (run|scene)$/ { kind = $2; file = name "-" NR "." kind ".lua"; next }
    /^```yaml (run|sweep|calibrate)$/ { file = name "-" NR "." $2 ".yaml"; next }
    /^```/ { file = ""; next }
    file { print > file }' "$page"
done

failed=0 count=0
for script in *.run.lua; do
  [ -f "$script" ] || continue
  count=$((count + 1))
  timeout 600 "$scree" lua "$script" >out 2>&1 || { echo "FAILED: $script"; cat out; failed=1; }
done
for scene in *.scene.lua; do
  [ -f "$scene" ] || continue
  count=$((count + 1))
  timeout 6000 "$scree" run -q -o "run-$scene" "$scene" >out 2>&1 || { echo "FAILED: $scene"; cat out; failed=1; }
done
cp "$source"/scenes/*.lua .
for experiment in *.run.yaml; do
  [ -f "$experiment" ] || continue
  count=$((count + 1))
  timeout 6000 "$scree" run -q -o "run-$experiment" "$experiment" >out 2>&1 || { echo "FAILED: $experiment"; cat out; failed=1; }
done
for experiment in *.sweep.yaml; do
  [ -f "$experiment" ] || continue
  count=$((count + 1))
  timeout 6000 "$scree" sweep -o "sweep-$experiment" "$experiment" >out 2>&1 || { echo "FAILED: $experiment"; cat out; failed=1; }
done
for experiment in *.calibrate.yaml; do
  [ -f "$experiment" ] || continue
  count=$((count + 1))
  timeout 6000 "$scree" calibrate -o "calibrate-$experiment" "$experiment" >out 2>&1 || { echo "FAILED: $experiment"; cat out; failed=1; }
done
# the scenes that the repository ships for reading, short
for scene in hello rolling incline pile beam; do
  count=$((count + 1))
  timeout 6000 "$scree" run -q -o "run-$scene" "$source/scenes/$scene.lua" >out 2>&1 || { echo "FAILED: $scene"; cat out; failed=1; }
done
[ $count -ge 8 ] || { echo "FAILED: only $count examples found"; failed=1; }
echo "$count examples"
exit $failed
