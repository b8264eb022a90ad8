#!/usr/bin/env python3
"""Checks the names of static functions: a verb and a noun, so that they can be found, and unique within a module.

usage: names.py ROOT

Files that differ by a SIMD width alone (x_scalar.c, x_avx2.c, x_avx512.c, vector_*.h) define the same functions on purpose.
engine/math/lanes and engine/problem/contacts/kernels have the operations of lanes, with the short names of operators.
"""
import collections
import pathlib
import re
import sys

MODULES = ("engine/base engine/collide engine/dist engine/draw engine/io engine/law engine/math engine/measure engine/model "
           "engine/problem engine/solve engine/world lua/bind tools/cli").split()
EXEMPT = ("engine/math/lanes/", "engine/problem/contacts/kernels/")
HEAD = re.compile(r"^static (?:inline )?(?:SC_\w+(?:\([^)]*\))? )*(?:const )?(?:struct |enum |unsigned )?"
                  r"\w+ (?:const )?\**(\w+)\(", re.M)
WIDTH = re.compile(r"(_scalar|_avx2|_avx512|_sse2|_portable)\.[ch]$|/vector_\w+\.h$")


def find_statics(text):
    """Returns the names of the static functions that a text defines or declares."""
    return {name for name in HEAD.findall(text) if name != "__attribute__"}


def check_module(texts):
    """Returns one message for each name that is a single word or lies in two files. texts: path -> text of a module."""
    owners = collections.defaultdict(set)
    for path, text in texts.items():
        if not path.startswith(EXEMPT):
            for name in find_statics(text):
                owners[name].add(WIDTH.sub("", path))
    errors = []
    for name, paths in sorted(owners.items()):
        if "_" not in name:
            errors.append(f"{min(paths)}: {name}: a static function has a verb and a noun")
        elif len(paths) > 1:
            errors.append(f"{name}: in {', '.join(sorted(paths))}: a static function has a name of its own in its module")
    return errors


def check_itself():
    """Tries the check on names that are wrong and right."""
    bad = {"a.c": "static int take(void) {", "b.c": "static void put_row(int a) {", "c.c": "static void put_row(int a);"}
    good = {"x_avx2.c": "static int sum_rows(int a) {", "x_scalar.c": "static int sum_rows(int a) {"}
    return len(check_module(bad)) == 2 and not check_module(good)


def main(root):
    """Checks all modules below root. Returns the exit code."""
    errors = [] if check_itself() else ["names.py: wrong names are overlooked, or right ones are not"]
    for module in MODULES:
        paths = sorted((root / module).rglob("*.[ch]"))
        errors += check_module({str(p.relative_to(root)): p.read_text(encoding="utf-8") for p in paths})
    print("\n".join(errors), end="\n" if errors else "")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
