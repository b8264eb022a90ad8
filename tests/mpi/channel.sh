#!/usr/bin/env bash
# The channel, small and short, on one rank and on two: as many layers and grains, and figures that agree within what a few grains more or less change.
# arguments: program, source folder, build folder
scree=$1 source=$2 build=$3
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none \
  OMPI_MCA_btl=vader,self OMPI_MCA_mpi_yield_when_idle=1
work=$(mktemp -d "$build/mpi-channel.XXXX"); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() { echo "mpi channel: $*"; exit 1; }
"$scree" run "$source/scenes/channel.lua" scale=0.2 dt=1e-4 time=0.02 iterations=30 -o one -q > one.txt || fail "one rank"
timeout 900 mpirun -n 2 "$scree" run "$source/scenes/channel.lua" scale=0.2 dt=1e-4 time=0.02 iterations=30 --grid 2x1x1 -o two -q > two.txt || fail "two ranks"
figure() { sed -n "s/^$2 *\([-0-9.e+]*\)\$/\1/p" "$1.txt"; }
near() { awk -v a="$(figure one "$1")" -v b="$(figure two "$1")" -v share="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a > 0 && d <= share * a) }' ||
  fail "$1: $(figure one "$1") on one rank, $(figure two "$1") on two"; }
near "layers laid" 0
near "average grains" 0.01
near "volume fraction \[%\]" 0.01
near "mean speed along the channel \[m\/s\]" 0.01
near "average contacts" 0.1
near "peak of the cell means \[m\/s\]" 0.1
# the planes follow the grains along the channel
awk '/"imbalance"/ { sub(/.*"imbalance": /, ""); even = $0 + 0 >= 1 && $0 + 0 < 1.3 } END { exit !even }' two/run.json || fail "imbalance: $(grep imbalance two/run.json)"
echo "mpi channel: fine"
