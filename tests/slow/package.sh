#!/usr/bin/env bash
# tools/package: source archive, Debian packages and wheel of the present commit, and their tests. Skipped outside a git repository and
# without dpkg-dev.
# arguments: program, source folder, build folder
git -C "$2" rev-parse HEAD > /dev/null 2>&1 || { echo "skipped: $2 is no git repository"; exit 77; }
command -v dpkg-shlibdeps > /dev/null || { echo "skipped: dpkg-dev is not installed"; exit 77; }
/usr/bin/python3 -c 'import cffi, setuptools, wheel' 2> /dev/null || { echo "skipped: python3-cffi, python3-setuptools, python3-wheel"; exit 77; }
bash "$2/tools/package"
