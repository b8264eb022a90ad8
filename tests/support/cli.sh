# What tests of the program start with; sourced with their arguments (program, source folder, build folder).
# Leaves: $scree, $source, an empty current folder $work that goes when the test ends, $failed for the exit code.
set -u
scree=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# Prints an error and continues the test; stop and skip end the test at once.
fail() { echo "FAILED: $*"; failed=1; }
stop() { echo "FAILED: $*"; exit 1; }
# Ends the test, which ctest lists as skipped (SKIP_RETURN_CODE in tests/CMakeLists.txt) if nothing failed so far.
skip() {
  echo "skipped: $*"
  [ $failed = 0 ] && exit 77
  exit $failed
}
# has FILE TEXT
has() { grep -qF -- "$2" "$1" || fail "no '$2' in: $(cat "$1")"; }
# wait_for PROCESS COMMAND ...: until the command succeeds, or the process ends without that. No limit but that of the test: a machine may be slow.
wait_for() {
  local process=$1
  shift
  until "$@" 2> /dev/null; do
    kill -0 "$process" 2> /dev/null || { "$@" 2> /dev/null; return; }
    sleep 0.02
  done
}
# Prints what experiments of a small box measure in tests of stopped and killed runs: tables z, g, low, field.
measures() {
  cat <<'YAML'
measure:
  - {name: z, type: coordination}
  - {name: g, type: rdf, region: {min: [0, 0, 0], max: [60 mm, 60 mm, 60 mm]}, reach: 20 mm, bins: 20}
  - {name: low, type: flow, region: {point: [0, 0, 0.02], normal: [0, 0, 1]}}
  - {name: field, type: profile, region: {min: [0, 0, 0], max: [60 mm, 60 mm, 30 mm]}, cells: [2, 2, 2]}
YAML
}
