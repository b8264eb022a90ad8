#!/bin/bash
# The scenes of the friction laws: Table 1 as an impact in a world, Painleve's rod, a law written in Lua; a law that fails ends a run with
# exit code 3 and a readable trajectory.
. "$(dirname "$0")/../support/cli.sh"

# has TEXT FILE: the file contains the text
has() { grep -qF -- "$1" "$2" || fail "no '$1' in: $(cat "$2")"; }
# near NAME VALUE TOLERANCE FILE: the key figure is near the value
near() {
  awk -v name="$1" -v want="$2" -v tolerance="$3" 'index($0, name) == 1 { found = 1; d = $NF - want; if (d < 0) d = -d; if (d > tolerance) exit 1 } END { if (!found) exit 1 }' "$4" ||
    fail "$1 is not near $2 in: $(cat "$4")"
}

"$scree" run "$source/scenes/academic.lua" law=coulomb -o coulomb --quiet >out 2>err || fail "academic: $(cat err)"
has "impact, coulomb" out
has "(1.5581, -0.9929, -5.6789)" out
"$scree" run "$source/scenes/academic.lua" -o best --quiet >out 2>err || fail "academic: $(cat err)"
has "(1.6031, -1.0819, -5.8320)" out
has "x2 Coulomb            0.29 -0.89 -0.620 | 0.2920 -0.8871 -0.6165" best/table1.txt

for law in coulomb max_dissipation; do
  "$scree" run "$source/scenes/painleve.lua" law=$law -o rod_$law --quiet >out 2>err || fail "painleve: $(cat err)"
  near "mu*" 1.34715 1e-5 out
  near "grid points off the threshold, coulomb" 0 0 out
  near "grid points off the threshold, max. dissipation" 0 0 out
  near "first impulse along the plane" 0.4375 2e-3 out
  near "first impulse off the plane" 0.32476 2e-3 out
done
# below the threshold the rod goes on sliding
"$scree" run "$source/scenes/painleve.lua" mu=1.2 -o slides --quiet >out 2>err || fail "painleve: $(cat err)"
near "first impulse along the plane" 0 1e-2 out

"$scree" run "$source/scenes/custom_law.lua" -o custom --quiet >out 2>err || fail "custom_law: $(cat err)"
speed=$(awk '$1 == "speed" && $2 == "[m/s]" { print $NF }' out)
near "speed by the energy balance" "$speed" 1e-3 out

cat > breaks.lua <<'SCENE'
local scree = require "scree"
scree.law.define { name = "breaks", base = "coulomb", refresh = function(p, s, c)
  if c.gap <= 0 then p.mu = p.mu.x end
end }
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:pair { "default", "default", law = "breaks" }
    w:halfspace { normal = { 0, 0, 1 } }
    w:sphere { radius = 0.1, position = { 0, 0, 0.2 } }
  end,
  output = { trajectory = { every = 0.01 } },
  stop = { time = 1 },
}
SCENE
"$scree" run breaks.lua -o broken >out 2>err
[ $? = 3 ] || fail "a failing law: $(cat err)"
grep -qE "law 'breaks': .*breaks.lua:3: .*contact of bodies" err || fail "no law, line or contact in: $(cat err)"
"$scree" info broken/trajectory.scree >out || fail "the trajectory is not readable"
exit $failed
