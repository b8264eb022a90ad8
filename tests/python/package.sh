#!/usr/bin/env bash
# Installs the Python package into an empty environment and runs its tests there. Skipped without python3-cffi, python3-numpy,
# python3-setuptools, python3-wheel and python3-venv.
# arguments: program, source folder, build folder
set -u
python=/usr/bin/python3
"$python" -c 'import cffi, numpy, setuptools, wheel, venv, ensurepip' 2>/dev/null || {
  echo "skipped: the Python package needs python3-cffi, python3-numpy, python3-setuptools, python3-wheel and python3-venv"
  exit 77
}
grep -q '^SCREE_SANITIZE:.*=.' "$3/CMakeCache.txt" && { echo "skipped: Python has no sanitizers"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# an environment with a pip of its own takes two seconds more
"$python" -c 'import pip' 2>/dev/null && own=--without-pip || own=
"$python" -m venv $own --system-site-packages "$folder/venv" || exit 1
SCREE_PYTHON_BUILD=$3 "$folder/venv/bin/python" -m pip install -q --no-build-isolation --no-deps --no-index "$2/tools/python" >"$folder/log" 2>&1 || {
  tail -40 "$folder/log"
  exit 1
}
cd "$folder" || exit 1
"$folder/venv/bin/python" "$2/tests/python/test_scree.py" "$2" &&
  "$folder/venv/bin/python" "$2/tests/python/fuzz_scree.py" "$2" "${SCREE_FUZZ_CALLS:-2000}"
