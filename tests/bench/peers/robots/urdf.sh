#!/usr/bin/env bash
# Compares imported URDF models with a reader in Python (urdf.py): masses, centres of mass, moments of inertia, links, bodies that move, degrees of freedom,
# limits, efforts and speeds of joints, joints that follow others.
# Usage: urdf.sh SCREE FOLDER... Reads all URDF files below the folders, for example clones of github.com/Gepetto/example-robot-data and
# github.com/bulletphysics/bullet3. The folder of a clone must have the name of its repository, because package:// names it.
# Prints the models that differ or do not load, and how many of all models load and agree to 1e-6.
set -u
scree=${1:?program scree}
shift
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { echo "skipped: no folders with models"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in "$@"; do find "$(cd "$folder" && pwd)/" -name '*.urdf'; done | sort >"$work/all"
n=0 balanced=0
while read -r file; do
  n=$((n + 1))
  if "$scree" import --table "$file" -o "$work/$n.lua" >/dev/null 2>"$work/err"; then
    echo "$file $work/$n.lua" >>"$work/built"
  else
    grep -q "scree: " "$work/err" || echo "$file: refused without a reason"
    "$scree" import --balance-inertia --table "$file" >/dev/null 2>&1 && balanced=$((balanced + 1))
  fi
done <"$work/all"
"$scree" lua --trust --callback-time 1000 "$here/measure.lua" "$work/built" >"$work/scree"
python3 "$here/urdf.py" "$work/all" >"$work/python"
python3 "$here/compare.py" Python "$work/python" "$work/scree"
echo "scree imports $balanced more with --balance-inertia."
