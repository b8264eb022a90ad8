#!/usr/bin/env bash
# Every notebook of docs/python runs from its first to its last cell, and is stored without outputs. Skipped without python3-nbconvert,
# python3-ipykernel, python3-matplotlib and what the Python package needs.
# arguments: program, source folder, build folder
. "$(dirname "$0")/../support/cli.sh"
build=$3
/usr/bin/python3 -c 'import cffi, numpy, setuptools, wheel, venv, ensurepip, nbconvert, ipykernel, matplotlib' 2> /dev/null ||
  skip "needs python3-nbconvert, python3-ipykernel, python3-matplotlib and the packages of docs/python.md"
/usr/bin/python3 -m venv --system-site-packages venv || stop "no environment"
SCREE_PYTHON_BUILD=$build venv/bin/pip install -q --no-build-isolation --no-deps --no-index "$source/tools/python" > log 2>&1 || stop "$(tail log)"
venv/bin/python -m ipykernel install --sys-prefix --name scree-test > log 2>&1 || stop "$(tail log)"
mkdir -p docs && cp -r "$source/docs/python" docs && cp -r "$source/scenes" .
cp -r "$source/lua" .
count=0
for notebook in docs/python/*.ipynb; do
  count=$((count + 1))
  grep -qE '"(image/png|text/plain|output_type)"' "$notebook" && fail "$notebook has outputs; clear them before it is committed"
  name=$(basename "$notebook")
  grep -qF "(python/$name)" "$source/docs/python.md" || fail "docs/python.md does not link $name"
  venv/bin/python -m nbconvert --to notebook --execute --output "done-$name" --ExecutePreprocessor.kernel_name=scree-test \
    --ExecutePreprocessor.timeout=3600 "$notebook" > log 2>&1 || fail "$name: $(tail -n 30 log)"
done
[ $count -ge 5 ] || fail "only $count notebooks"
exit $failed
