#!/usr/bin/env bash
# The triaxial test on a small sample: sides keep their stress while the top goes down, walls and contacts agree, the strength is that of balls;
# a run that is stopped at any time (while it is compressed, while it is sheared) goes on to the same bits.
. "$(dirname "$0")/../support/cli.sh"

scene="$source/scenes/triaxial.lua" small=(side=5 compression=40ms strain=0.1 rate=2)
"$scree" run -q -o whole "$scene" "${small[@]}" >report || stop "the run failed"
# column NAME: its number in series.csv
column() { head -1 whole/series.csv | tr ',' '\n' | grep -nx "$1" | cut -d: -f1; }
awk -F, -v t="$(column time)" -v a="$(column axial)" -v l="$(column lateral)" -v ca="$(column contacts_axial)" -v cl="$(column contacts_lateral)" '
  NR > 1 && $t > 0.055 { n++; axial += $a; lateral += $l; inner += $ca; across += $cl }
  END {
    axial /= n; lateral /= n; inner /= n; across /= n
    printf "axial %.0f lateral %.0f, contacts %.0f %.0f Pa\n", axial, lateral, inner, across
    if (lateral < 9500 || lateral > 10500) { print "the sides do not keep their 10 kPa"; exit 1 }
    if (inner < 0.98 * axial || inner > 1.02 * axial || across < 0.98 * lateral || across > 1.02 * lateral) { print "walls and contacts differ"; exit 1 }
  }' whole/series.csv || fail "stresses"
angle=$(awk '/^peak friction angle/ { print $NF }' report)
awk -v a="$angle" 'BEGIN { exit !(a > 18 && a < 35) }' || fail "a friction angle of $angle degrees"

"$scree" run -q -o parts "$scene" "${small[@]}" --wall 0.3 >/dev/null 2>&1
code=$?
for _ in 1 2 3; do
  [ $code = 75 ] || break
  "$scree" resume parts -q --wall 0.5 >/dev/null 2>&1
  code=$?
done
[ $code = 75 ] && { "$scree" resume parts -q >/dev/null 2>error || fail "resume: $(cat error)"; }
cmp whole/series.csv parts/series.csv || fail "a resumed run has another series"
[ "$(grep '"hash"' whole/run.json)" = "$(grep '"hash"' parts/run.json)" ] || fail "a resumed run has another hash"
exit $failed
