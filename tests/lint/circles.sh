#!/usr/bin/env bash
# No circles between object files of the engine, the binding and the program: of two files at most one uses symbols of the other,
# directly or by way of others. The checker itself is tried on a circle that it must find.
# arguments: program, source folder, build folder
set -e
for tool in python3 nm cc; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo 'int b(void); int a(int n) { return n ? b() : 0; }' >"$folder/a.c"
echo 'int c(void); int b(void) { return c(); }' >"$folder/b.c"
echo 'int a(int n); int c(void) { return a(0); }' >"$folder/c.c"
mkdir "$folder/target.dir"
for name in a b c; do cc -c "$folder/$name.c" -o "$folder/target.dir/$name.c.o"; done
if python3 "$2/tests/lint/circles.py" "$folder" "$folder/target.dir" >"$folder/found"; then echo "a circle was overlooked"; exit 1; fi
grep -q '^a circle of 3 files' "$folder/found"
python3 "$2/tests/lint/circles.py" "$2" "$3"/CMakeFiles/scree*.dir
