#!/usr/bin/env bash
# Functions stay within 100 lines, files within 600 (format.sh looks after lines). Headers of the engine stay within 250, except
# the public ones of engine/include and the templates of kernels.
# arguments: program, source folder
cd "$2" || exit 1
bad=0
# Prints the headers of a folder that are too long. argument: the folder
list_long_headers() {
  find "$1" -name '*.h' ! -path '*/include/scree/*' ! -path '*/kernels/*' ! -name '*_kernel.h' | sort | while read -r file; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 250 ] || echo "$file: the header has $lines lines, more than 250: split it by subject"
  done
}
# The check is tried on two headers, of which one is too long by a line, and on a template.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
seq 250 >"$trial/fits.h"
seq 251 >"$trial/long.h"
seq 251 >"$trial/long_kernel.h"
case $(list_long_headers "$trial") in
"$trial/long.h: the header has 251 lines"*) ;;
*) echo "a long header was overlooked, or one that fits was not:"; list_long_headers "$trial"; bad=1 ;;
esac
long=$(list_long_headers engine)
[ -z "$long" ] || { echo "$long"; bad=1; }
find engine lua tools tests -name '*.[ch]' ! -name reference_data.h -print0 | sort -z | xargs -0 awk '
  function complain(line, text) { printf "%s:%d: %s\n", FILENAME, line, text; bad = 1 }
  FNR == 1 { start = 0 }
  FNR == 601 { complain(FNR, "the file has more than 600 lines") }
  # a function opens with a brace at the end of a line that begins at the margin, and ends with one at the margin
  /^[A-Za-z].*\) ?\{$/ || /^    [ ]*[^ ].*\) ?\{$/ && margin { if (!start) start = FNR }
  { margin = $0 ~ /^[A-Za-z][^;=]*[,(]$/ }
  /^}/ { if (start && FNR - start > 101) complain(start, "the function has " FNR - start - 1 " lines"); start = 0 }
  END { exit bad }' || bad=1
exit $bad
