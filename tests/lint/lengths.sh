#!/usr/bin/env bash
# Functions stay within 100 lines, files within 600 (format.sh looks after lines).
# arguments: program, source folder
cd "$2" || exit 1
find engine lua tools tests -name '*.[ch]' ! -name reference_data.h -print0 | sort -z | xargs -0 awk '
  function complain(line, text) { printf "%s:%d: %s\n", FILENAME, line, text; bad = 1 }
  FNR == 1 { start = 0 }
  FNR == 601 { complain(FNR, "the file has more than 600 lines") }
  # a function opens with a brace at the end of a line that begins at the margin, and ends with one at the margin
  /^[A-Za-z].*\) ?\{$/ || /^    [ ]*[^ ].*\) ?\{$/ && margin { if (!start) start = FNR }
  { margin = $0 ~ /^[A-Za-z][^;=]*[,(]$/ }
  /^}/ { if (start && FNR - start > 101) complain(start, "the function has " FNR - start - 1 " lines"); start = 0 }
  END { exit bad }'
