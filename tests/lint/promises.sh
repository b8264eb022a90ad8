#!/bin/bash
# docs/sandbox.md: each promise names tests that ctest knows, files that are there, and parts that stand in those tests.
source_dir=$2 build_dir=$3
ctest --test-dir "$build_dir" -N > "${TMPDIR:-/tmp}/promises.$$" || exit 1
trap 'rm -f "${TMPDIR:-/tmp}/promises.$$"' EXIT
python3 - "$source_dir" "${TMPDIR:-/tmp}/promises.$$" <<'END'
import os
import re
import sys

root, listed = sys.argv[1:]
known = set(re.findall(r"Test +#\d+: (\S+)", open(listed).read()))
table = open(os.path.join(root, "docs/sandbox.md")).read().split("## Where each promise is tested")[1]
rows = [row.strip("|\n ").rsplit(" | ", 1) for row in table.splitlines() if row.startswith("| ")][1:]
bad = []


def file_of(test):
    """The source of a test, by where it lies."""
    stem, end = os.path.splitext(test)
    path = os.path.join(root, "tests", test.replace(".", "/") + ".c")
    return os.path.join(root, "tests", stem.replace(".", "/") + end) if end in (".sh", ".lua") else path


for promise, where in rows:
    if not re.search(r"`\w+\.", where):
        bad.append(f"'{promise}' names no test")
    for name, parts in re.findall(r"`([^`]+)`(?: \(([^`()]+)\))?", where):
        if name.startswith("tests/"):
            if not os.path.exists(os.path.join(root, name)):
                bad.append(f"'{promise}' names {name}, which is not there")
        elif name not in known:
            bad.append(f"'{promise}' names {name}, which is no test")
        else:
            text = open(file_of(name)).read()
            bad += [f"'{promise}': {name} has no '{part}'" for part in filter(None, parts.split(", ")) if part not in text]
print(*bad, sep="\n")
sys.exit(bool(bad) or len(rows) < 20)
END
