#!/usr/bin/env bash
# Large runs stay usable: sizes, memory and numbers of rows of tests/bench/large.sh, on small cases. Times are not judged.
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "no python3 here"

bash "$source/tests/bench/large.sh" "$scree" "$source" 30000 50 1200000 200 > rows || stop "$(cat rows)"
cat rows
# most NAME LIMIT: the row is there and its value is at most LIMIT
most() {
  awk -v name="$1" -v limit="$2" 'index($0, name) == 1 { found = 1; value = substr($0, length(name) + 1) + 0; if (!(value > 0 && value <= limit)) exit 1 } END { exit !found }' rows ||
    fail "more than $2: $(grep -F "$1" rows)"
}
most 'writing, memory a grain' 4
most 'file, a grain and frame' 20
most 'info, memory' 30
most 'PLY, a ball' 3000
most 'PLY, memory a grain' 1.5
most 'GSD, a grain and frame' 30
most 'film, read over the size of the file' 2.5
most 'one grain, track.scree, memory' 30
most 'track.scree, a frame of one grain' 600
most 'plot, points given to gnuplot' 20000
most 'plot --list, memory over the table' 0.2
most 'sweep, folder a run' 12000
exit $failed
