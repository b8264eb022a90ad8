# What tests of the program start with; sourced with their arguments (program, source folder, build folder).
# Leaves: $scree, $source, an empty current folder $work that goes when the test ends, $failed for the exit code.
set -u
scree=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# Says what is wrong and goes on; stop ends the test at once.
fail() { echo "FAILED: $*"; failed=1; }
stop() { echo "FAILED: $*"; exit 1; }
# has FILE TEXT
has() { grep -qF -- "$2" "$1" || fail "no '$2' in: $(cat "$1")"; }
