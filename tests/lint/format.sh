#!/usr/bin/env bash
# C is laid out as .clang-format says, where clang-format 14 is installed (other versions lay out a little differently). Lines end
# within 110 columns everywhere; tables between "clang-format off" and "on" may have a few that are longer.
# arguments: program, source folder
cd "$2" || exit 1
bad=0 skipped=0
list() { find engine lua tools tests -name '*.[ch]' ! -name reference_data.h -print0 | sort -z; }
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
  list | xargs -0 clang-format --dry-run -Werror || bad=1
else
  echo "clang-format 14 is not installed: only lengths of lines are checked"
  skipped=77
fi
list | xargs -0 awk '
  /clang-format off/ { fenced = 1 } /clang-format on/ { fenced = 0 } FNR == 1 { fenced = 0 }
  length($0) > 110 { if (fenced) tables++; else { printf "%s:%d: %d columns\n", FILENAME, FNR, length($0); bad = 1 } }
  END { if (tables > 50) { printf "%d lines of tables have over 110 columns; 50 may\n", tables; bad = 1 } exit bad }' || bad=1
[ $bad = 0 ] && exit $skipped
exit $bad
