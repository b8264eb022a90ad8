#!/usr/bin/env bash
# Compares how imported MJCF models move with MuJoCo: 100 steps without controls, without contacts and with contacts (motion.mjs).
# Usage: motion.sh SCREE FOLDER... in a folder with node_modules/mujoco-js (npm install mujoco-js). Reads all MJCF files below the folders; equal files count
# once. Prints a table of errors by class, and all models whose error is above 1e-3. docs/robots.md explains the classes. MOST: largest error of the first
# class; a larger one ends with 1.
set -u
scree=${1:?program scree}
shift
here=$(cd "$(dirname "$0")" && pwd)
command -v node >/dev/null || { echo "skipped: no node"; exit 77; }
[ -d node_modules/mujoco-js ] || { echo "skipped: no node_modules/mujoco-js here (npm install mujoco-js)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"; rm -f motion.$$.mjs' EXIT
cp "$here/files.mjs" .
cp "$here/motion.mjs" motion.$$.mjs
for folder in "$@"; do grep -rl --include='*.xml' '<worldbody' "$(realpath "$folder")"; done | sort |
  while read -r file; do echo "$(tr -s '[:space:]' ' ' <"$file" | md5sum | cut -d' ' -f1) $file"; done | sort -u -k1,1 | cut -d' ' -f2 | sort >"$work/all"
# MuJoCo keeps the files of a chunk in memory
split -l 30 -d -a 3 "$work/all" "$work/chunk."
n=0
for chunk in "$work"/chunk.*; do
  node --max-old-space-size=4000 ./motion.$$.mjs "$chunk" >>"$work/mujoco"
  while read -r file; do
    n=$((n + 1))
    "$scree" import --table "$file" -o "$work/$n.lua" >/dev/null 2>&1 && echo "$file $work/$n.lua"
  done <"$chunk" >"$work/built"
  "$scree" lua --trust --callback-time 1000 "$here/measure.lua" "$work/built" motion >>"$work/scree"
done
python3 "$here/motion.py" "$work/mujoco" "$work/scree" ${MOST-}
