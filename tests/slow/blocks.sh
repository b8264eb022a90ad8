#!/usr/bin/env bash
# Cases of docs/blocks.md that take longer, against their closed forms: spreading supports, dry wall, dome, segmental arches.
# arguments: program, source folder
scree=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
for case in "spread 0.009" "spread 0.009 thickness=0.2" "dry_wall 0.006" "dry_wall 0.006 length=0.15" "dome 0.008" \
  "arch 0.003 angle=120 voussoirs=12" "arch 0.008 voussoirs=8" "arch 0.004 mu=0.35 time=2" "quarter 0.008 thickness=0.2" \
  "spectrum 0.003 frequency=5"; do
  read -r name bound params <<<"$case"
  "$scree" run "$source/scenes/blocks/$name.lua" $params -q --force -o run >out 2>err || { echo "$case"; cat out err; exit 1; }
  python3 - "$case" "$bound" <<'P' || exit 1
import sys
rows = [l.rsplit(None, 1) for l in open("out") if not l.startswith("written")]
values = [float(r[1]) for r in rows if len(r) == 2]
assert values and len(values) % 2 == 0, rows
for found, expected in zip(values[::2], values[1::2]):
    print(sys.argv[1], found, expected)
    assert abs(found / expected - 1) < float(sys.argv[2]), (found, expected)
P
done
