#!/usr/bin/env bash
# Declared fields are written for ParaView, too: an image over a box, a structured grid over a skew cell, with the values of the table.
. "$(dirname "$0")/../support/cli.sh"
python=python3
for p in python3 /usr/bin/python3; do "$p" -c 'import vtkmodules' 2> /dev/null && { python=$p; break; }; done

cat > scene.lua <<'LUA'
return {
  params = { skew = false },
  world = { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 1, 0.8, 0.6 }, periodic = { true, true, true }, origin = { 0.5, -2, 3 } } },
  setup = function(w, p)
    w:fill { region = { min = { 0, 0, 0 }, max = { 1, 0.8, 0.6 } }, spacing = 0.1, radius = 0.045, jitter = 0.3 }
    w:cell():set_velocity_gradient { { -1, p.skew and 5 or 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } }
  end,
  stop = { time = 0.1 },
}
LUA
cat > box.yaml <<'YAML'
scree: 1
scene: scene.lua
measure: [{name: smooth, type: fields, region: {min: [50 cm, -2, 3], max: [1.5, -1.2, 3.6]}, cells: [5, 4, 3], width: 0.3, start: 0.08, every: 0.01}]
YAML
sed 's/region: .*cells/cells/; s/^scene.*/&\nparams: {skew: true}/' box.yaml > skew.yaml
for run in box skew; do "$scree" run $run.yaml -q -o $run > out.txt 2>&1 || stop "$run: $(cat out.txt)"; done
[ -f box/smooth.vti ] && [ -f skew/smooth.vts ] || stop "no files: $(ls box skew)"
for file in box/smooth.vti skew/smooth.vts; do "$python" "$source/tests/support/read_fields.py" $file ${file%.*}.csv > out.txt 2>&1 || stop "$file: $(cat out.txt)"; done
echo "fields of a box and of a skew cell are read back"
