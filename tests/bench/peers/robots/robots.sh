#!/usr/bin/env bash
# Compares imported MJCF models with MuJoCo: total mass, centre of mass, bodies that move, degrees of freedom, limits of hinges and sliders.
# Usage: robots.sh FOLDER SCREE. Reads all MJCF files below FOLDER, for example a clone of github.com/google-deepmind/mujoco.
# Prints the share of the models that scree builds, and the share that agrees to 1e-6. Needs node and its package mujoco-js: npm install mujoco-js
# in the current folder.
set -u
folder=${1:?folder with models} scree=${2:?program scree}
here=$(cd "$(dirname "$0")" && pwd)
command -v node >/dev/null || { echo "skipped: no node"; exit 77; }
[ -d node_modules/mujoco-js ] || { echo "skipped: no node_modules/mujoco-js here (npm install mujoco-js)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
grep -rl --include='*.xml' '<worldbody' "$(realpath "$folder")" | sort >"$work/all"
cp "$here/oracle.mjs" "$here/files.mjs" .
node --max-old-space-size=4000 ./oracle.mjs "$work/all" >"$work/mujoco"
rm -f oracle.mjs files.mjs
n=0
while read -r file; do
  n=$((n + 1))
  "$scree" import --table "$file" -o "$work/$n.lua" >/dev/null 2>&1 && echo "$file $work/$n.lua"
done <"$work/all" >"$work/built"
"$scree" lua --trust --callback-time 1000 "$here/measure.lua" "$work/built" >"$work/scree"
python3 "$here/compare.py" MuJoCo "$work/mujoco" "$work/scree"
