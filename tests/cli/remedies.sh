#!/usr/bin/env bash
# Warnings about unbalanced forces, and likely causes of invalid runs, name settings that help. The stepper and the solver read these
# settings, and the run did not have them. With them, forces are nearer to balance.
. "$(dirname "$0")/../support/cli.sh"

cat > pile.lua <<'LUA'
return {
  params = { solver = "auto", iterations = 30, soften = true, softness = 0, tolerance = 1e-6, steps = 600, count = 120, stiffness = 0, stepper = "semi_implicit", erp = 0.8, dt = 1e-3 },
  world = function(p)
    return { dt = p.dt, stepper = p.stepper, erp = p.erp,
      solver = { name = p.solver, iterations = p.iterations, soften = p.soften, softness = p.softness, tolerance = p.tolerance } }
  end,
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.3, contact_stiffness = p.stiffness }
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 0, p.count - 1 do w:sphere { radius = 0.01, density = 2500, position = { 0, 0, 0.01 + 0.02 * i } } end
  end,
  output = { trajectory = false, series = false },
  stop = function(w, p) return w:steps() >= p.steps end,
}
LUA

share() { sed -n 's/.*"unbalanced_mean": \([^,]*\),.*/\1/p' "$1/run.json"; }
# Runs the pile with settings and puts the warning on one line into the file told.
pile() {
  "$scree" run -q --force -o run pile.lua "$@" > out 2> err
  tr '\n' ' ' < err | tr -s ' ' > told
}
# warns SETTINGS -- WORDS: forces are off by more than 1 %, and the warning ends with these words
warns() {
  local settings=()
  while [ "$1" != -- ]; do settings+=("$1"); shift; done
  pile "${settings[@]}"
  grep -q 'forces are off by' told || fail "${settings[*]}: no warning: $(cat told)"
  grep -qF "$2 (docs/solvers.md)" told || fail "${settings[*]}: no '$2' in: $(cat told)"
  share run > before
}
# helps SETTINGS: with these settings forces are nearer to balance than in the last run of `warns`
helps() {
  pile "$@"
  grep -q 'must\|no effect' told && fail "$*: refused: $(cat told)"
  awk -v a="$(share run)" -v b="$(cat before)" 'BEGIN { exit !(a != "" && a < b) }' || fail "$*: $(share run) is not below $(cat before)"
}

# auto: springs from the first step on, if contacts are rigid
sweeps='so sweeps only came near the solution'
warns steps=400 -- "$sweeps: solver = { softness = 0.01 } or more iterations improve the balance"
helps steps=400 softness=0.01
helps steps=400 iterations=120
warns tolerance=0 -- "$sweeps: solver = { softness = 0.01 } or more iterations improve the balance"
helps tolerance=0 softness=0.01
warns iterations=20 -- "$sweeps: solver = { softness = 0.01, iterations = 30 } or more iterations improve the balance"
helps iterations=30 softness=0.01
warns soften=false -- "$sweeps; soften = false keeps contacts rigid: solver = { softness = 0.01 } or more iterations improve the balance"
helps soften=false softness=0.01
# contacts that are springs already
warns iterations=10 softness=0.01 steps=1200 -- "$sweeps: more iterations improve the balance"
helps iterations=40 softness=0.01 steps=1200
warns stiffness=3e6 -- "$sweeps: a smaller stiffness of the pairs or more iterations improve the balance"
helps stiffness=3e5
warns count=400 steps=1200 -- "$sweeps: more iterations improve the balance"
helps count=400 steps=1200 iterations=120
# rigid contacts that became springs at the end
warns steps=512 -- "contacts became springs 0 steps before the end, and their forces do not balance yet: a longer run, solver = { softness = 0.01 } or more iterations improve the balance"
helps steps=600
helps steps=512 softness=0.01
# other solvers
auto='solver = { name = "auto" } finds the exact solution where it can'
warns solver=nbgs -- "$auto, or makes springs of rigid contacts; solver = { softness = 0.01 } or more iterations improve the balance"
helps solver=auto
helps solver=nbgs softness=0.01
warns solver=nbgs soften=false -- "$auto; solver = { softness = 0.01 } or more iterations improve the balance"
warns solver=pgs iterations=20 -- "$auto; solver = { softness = 0.01, iterations = 30 } or more iterations improve the balance"
helps solver=pgs iterations=30 softness=0.01
warns solver=apgd softness=0.01 -- "$auto; more iterations improve the balance"
# other steppers do not read softness
warns stepper=second_order solver=nbgs count=60 -- "$auto; more iterations improve the balance"
helps stepper=second_order solver=auto count=60
warns stepper=second_order count=200 steps=100 -- "$sweeps: more iterations improve the balance"
helps stepper=second_order count=200 steps=100 iterations=300

# the line with the balance of forces follows the line about springs
"$scree" run --progress none --force -o run pile.lua > out 2> err || fail "pile: $(cat err)"
[ ! -s err ] || fail "springs that balance: $(cat err)"
[ "$(sed -n 1p out)" = 'rigid contacts became springs of softness 0.01 after step 512, because forces were off by more than 1 %' ] || fail "first line: $(cat out)"
[ "$(sed -n 3p out | cut -d' ' -f1-3)" = 'forces balance to' ] || fail "third line: $(cat out)"

# the output names each variant, because contacts of variants can differ
sed 's/^  params/  variants = function() return { { iterations = 30 }, { iterations = 20 } } end,\n  params/' pile.lua > variants.lua
"$scree" run --progress none --force -o both variants.lua > out 2> err || fail "variants: $(cat err)"
[ "$(sed -n 1,2p out)" = "both/30:
rigid contacts became springs of softness 0.01 after step 512, because forces were off by more than 1 %" ] || fail "variants: $(cat out)"
grep -A1 '^both/20:$' out | tail -1 | grep -q '^forces balance to' || fail "variant 20: $(cat out)"
[ "$(grep -c warning err)" = 1 ] && has err 'scree: warning: both/20: forces are off by' || fail "variants: $(cat err)"

# the likely cause of an invalid run: contacts sank into each other
cause() { grep -qF "likely cause: $1" told || fail "cause: no '$1' in: $(cat told)"; }
pile erp=0 solver=nbgs iterations=2 steps=2000 count=60
cause 'too few sweeps, or too long a step: forces are off by'
grep -qF 'take solver = { name = "auto" }, solver = { softness = 0.01, iterations = 30 }, more iterations or a dt below 0.001 s; see' told || fail "remedies: $(cat told)"
# forces of springs balance at the end, but contacts were rigid before
pile erp=0 dt=4e-3 steps=2000
grep -q '"softened": [1-9]' run/run.json || fail "contacts did not become springs: $(cat told)"
cause 'forces were off by more than 1 % of the load until contacts became springs after step 512; take solver = { softness = 0.01 }, more iterations or a dt below 0.004 s; see'
# springs that are too soft for their load
pile stiffness=1e4 count=400
cause 'contacts with the stiffness of their pair are too soft for the load: take a larger stiffness; see'
exit $failed
