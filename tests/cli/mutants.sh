#!/usr/bin/env bash
# tools/mutants on a small project of its own: which changes it makes, a mutant that a test notices, one that no test notices, one that no test
# reaches, mutants that were judged, and lines since a commit.
. "$(dirname "$0")/../support/cli.sh"
fail() { stop "$@"; }
for tool in python3 git cmake make cc gcov; do command -v $tool > /dev/null || skip "$tool is not installed"; done
export PYTHONDONTWRITEBYTECODE=1

mkdir -p project/tools project/engine project/tests && cd project || exit 1
cp -r "$source/tools/mutants" "$source/tools/mutation" tools/
cat > engine/sample.c <<'C'
/* A comment with a + b < c. */
#include "sample.h"
#define TWICE(x) ((x) + (x))

static const int table[] = {1 + 1, 2};

int clamp_sum(int a, int b) {
  const char *text = "a + b"; /* a + b */
  int sum = a + b;
  if (sum > 100) return text[0] - 'a' + 100;
  return sum;
}

int never_called(int a) {
  return a * table[0];
}
C
echo 'int clamp_sum(int a, int b);
int never_called(int a);' > engine/sample.h
cat > tests/sample.c <<'C'
#include "../engine/sample.h"
int main(void) { return !(clamp_sum(2, 3) == 5 && clamp_sum(100, 7) == 100); }
C
cat > CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(sample LANGUAGES C)
enable_testing()
add_library(sample STATIC engine/sample.c)
add_executable(unit.sample tests/sample.c)
target_link_libraries(unit.sample sample)
add_test(NAME unit.sample COMMAND unit.sample)
set_tests_properties(unit.sample PROPERTIES LABELS quick)
CMAKE
echo /build/ > .gitignore
git init -q . && git add . && git -c user.name=test -c user.email=test@localhost commit -qm start || fail "git"

# the changes of a file: these and no others, in code only
python3 - > changes.txt <<'PYTHON' || fail "changes of a file: $(cat changes.txt)"
import sys
sys.path.insert(0, "tools")
from mutation.changes import list_sites
text = open("engine/sample.c").read()
found = {number: {new for _, new in changes} for _, number, _, changes in list_sites("engine/sample.c", text, None)}
wanted = {
    9: {"  int sum = a - b;"},
    10: {"  if (sum >= 100) return text[0] - 'a' + 100;", "  if (sum < 100) return text[0] - 'a' + 100;",
         "  if (!(sum > 100)) return text[0] - 'a' + 100;", "  if (sum > (100 + 1)) return text[0] - 'a' + 100;",
         "  if (sum > 100) return text[(0 + 1)] - 'a' + 100;", "  if (sum > 100) return text[0] + 'a' + 100;",
         "  if (sum > 100) return text[0] - 'a' - 100;", "  if (sum > 100) return text[0] - 'a' + (100 + 1);"},
    15: {"  return a / table[0];", "  return a * table[(0 + 1)];"},
}
assert found == wanted, found
PYTHON

diff_of() { printf -- '--- a/engine/sample.c\n+++ b/engine/sample.c\n@@ -%s +%s @@\n-%s\n+%s\n' "$1" "$1" "$2" "$3"; }
# a fault that the test sees
diff_of 9 '  int sum = a + b;' '  int sum = a - b;' > seen.diff
tools/mutants --again seen.diff --jobs 1 > out.txt 2>&1 || fail "a mutant that is noticed: $(cat out.txt)"
has out.txt "1/1 engine/sample.c:9: noticed by unit.sample (failed)"
has out.txt "1 of 1 mutants were noticed"
# nothing tests a sum of 100; the copy builds the next mutant on the right code again
diff_of 10 "  if (sum > 100) return text[0] - 'a' + 100;" "  if (sum > (100 + 1)) return text[0] - 'a' + 100;" > unseen.diff
diff_of 15 '  return a * table[0];' '  return a / table[0];' >> unseen.diff
tools/mutants --again unseen.diff --jobs 2 > out.txt 2>&1
[ $? = 1 ] || fail "mutants that are not noticed: $(cat out.txt)"
has out.txt "1/2 engine/sample.c:10: survives 1 of 1 tests that reach it"
has out.txt "2/2 engine/sample.c:15: no test reaches it"
grep -vE '^(#|$|[0-9])' out.txt | diff - unseen.diff || fail "survivors are not printed as diffs"
[ "$(git status --porcelain)" = '?? changes.txt
?? out.txt
?? seen.diff
?? unseen.diff' ] || fail "the working tree has changed: $(git status --porcelain)"

# both entries of the table are 2
diff_of 15 '  return a * table[0];' '  return a * table[(0 + 1)];' > same.diff
diff_of 15 '  return a * table[0];' '  return a * tables[0];' >> same.diff
tools/mutants --again same.diff > out.txt 2>&1 || fail "mutants that are none: $(cat out.txt)"
[ "$(grep -c 'does not compile, or is the same code' out.txt)" = 2 ] || fail "mutants that are none: $(cat out.txt)"
rm ./*.diff out.txt changes.txt

# random mutants: the same for the same seed, and none that was judged as equivalent
seed=$(python3 - <<'PYTHON'
import random, sys
sys.path.insert(0, "tools")
from mutation.changes import draw_mutants, list_sites
sites = list_sites("engine/sample.c", open("engine/sample.c").read(), None)
print(next(seed for seed in range(1, 99) if any(m.new == "  return a / table[0];" for m in draw_mutants(sites, random.Random(seed)))))
PYTHON
)
tools/mutants --count 9 --seed $seed --jobs 2 > first.txt 2>&1
has first.txt "3 lines can be changed; seed $seed"
has first.txt "return a / table[0];"
tools/mutants --count 9 --seed $seed --jobs 2 > again.txt 2>&1
[ "$(sed 's/, [0-9]* s$//' first.txt)" = "$(sed 's/, [0-9]* s$//' again.txt)" ] || fail "another result with the same seed: $(diff first.txt again.txt)"
diff_of 15 '  return a * table[0];' '  return a / table[0];' > tests/mutants.diff
tools/mutants --seed $seed > out.txt 2>&1 && fail "a mutant was judged without a reason"
has out.txt "has no line '= reason'"
echo '= nothing calls the function' >> tests/mutants.diff
sed -i '1s/.*/\/* Another comment. *\/\n&/' engine/sample.c # lines move
tools/mutants --count 9 --seed $seed > out.txt 2>&1
has out.txt "3 lines can be changed; seed $seed"
grep -qF 'a / table[0]' out.txt && fail "a mutant that was judged is made again: $(cat out.txt)"
git checkout -q engine

# lines since a commit
sed -i 's/  return sum;/  return sum + 0;/' engine/sample.c
tools/mutants --since HEAD --seed 1 > out.txt 2>&1
has out.txt "1 lines can be changed"
tools/mutants --since nowhere > out.txt 2>&1 && fail "a commit that does not exist"
has out.txt "nowhere"
# lines of files that match
tools/mutants --files 'engine/s' --count 1 > out.txt 2>&1
has out.txt "4 lines can be changed"
tools/mutants --files 'engine/t' > out.txt 2>&1 && fail "no file matches"
has out.txt "no source file matches --files engine/t"
echo "no such line" > wrong.diff
tools/mutants --again wrong.diff > out.txt 2>&1 && fail "a file of diffs that is none"
has out.txt "wrong.diff:1: this line is neither part of a diff nor '= reason'"
exit $failed
