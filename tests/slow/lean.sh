#!/usr/bin/env bash
# Without any optional part scree builds without warnings, runs a scene, ends in the golden states, and says what is missing where it is asked for it.
# arguments: program, source folder, build folder
set -u
source=$2 folder=$3/lean bad=0 skipped=0
complain() { echo "$*"; bad=1; }
mkdir -p "$folder"
for compiler in gcc clang; do
  command -v $compiler > /dev/null || { echo "skipped: no $compiler here"; skipped=77; continue; }
  build=$folder/$compiler scree=$folder/$compiler/scree
  { cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=$compiler -DSCREE_TESTS=OFF -DSCREE_MPI=OFF -DSCREE_HDF5=OFF \
      -DSCREE_HTTP=OFF -DSCREE_XML=OFF -DSCREE_ASSIMP=OFF && cmake --build "$build" --target scree -j"$(nproc)"; } > "$build.log" 2>&1 ||
    { complain "$compiler: does not build:"; tail -20 "$build.log"; continue; }

  # words for what is not there: command, exit code, what the message must say
  expect() {
    local code=$1 words=$2 said; shift 2
    said=$("$scree" "$@" 2>&1); local got=$?
    [ $got -eq "$code" ] || complain "$compiler: scree $*: exit code $got, not $code: $said"
    grep -q -- "$words" <<< "$said" || complain "$compiler: scree $*: says nothing of '$words': $said"
  }
  for part in "MPI: several ranks" "HDF5: FCLib and VTKHDF files" "HTTP: scree view" "XML: scree import" "assimp: glTF"; do expect 0 "missing *$part" doctor; done
  rm -rf "$folder/run"
  expect 0 "" run "$source/scenes/hello.lua" -o "$folder/run"
  expect 1 libmicrohttpd-dev view "$folder/run" --no-open
  echo '<robot name="r"><link name="a"/></robot>' > "$folder/robot.urdf"
  expect 1 libexpat1-dev import "$folder/robot.urdf" -o "$folder/robot.lua"
  echo 'require "scree".geometry.mesh { file = "part.glb" }' > "$folder/part.lua"
  printf 'glTF' > "$folder/part.glb"
  expect 2 libassimp-dev lua "$folder/part.lua"
  printf '\211HDF\r\n\032\n' > "$folder/problem.hdf5"
  expect 1 libhdf5-dev solve "$folder/problem.hdf5"
  expect 1 libhdf5-dev export "$folder/run" --format vtkhdf -o "$folder/paraview"

  states=$("$scree" lua --trust "$source/tests/golden/run.lua" 2> "$folder/said") || complain "$compiler: the golden scenes did not run: $(cat "$folder/said")"
  diff <(grep -v '^#' "$source/tests/golden/hashes.txt" | grep -wF "$(cut -f 1 <<< "$states")") <(echo "$states") || complain "$compiler: golden states differ"
done
[ $bad = 0 ] && exit $skipped
exit $bad
