#!/usr/bin/env python3
"""Checks that every function that a header declares has a comment of its own, above it or behind it on its line.

usage: declarations.py ROOT
"""
import pathlib
import re
import sys

FOLDERS = ("engine", "lua/bind", "lua/include", "tools/cli")
START = re.compile(r"^(?!typedef|static|#|extern|struct \w+;|enum)[a-z_][\w \*]*\b(\w+)\(")


def find_bare(text):
    """Returns (line, name) of the functions of a header without a comment."""
    lines, bare, at = text.split("\n"), [], 0
    while at < len(lines):
        match, first = START.match(lines[at]), at
        while match and not re.search(r"[;{}]\s*(/\*.*\*/)?$", lines[at]) and at + 1 < len(lines):
            at += 1
        above = lines[first - 1].rstrip() if first else ""
        own = above.endswith("*/") and START.match(above) is None or above.startswith("//") or lines[at].rstrip().endswith("*/")
        if match and ";" in lines[at] and not own:
            bare.append((first + 1, match[1]))
        at += 1
    return bare


def main(root):
    """Checks all headers below root. Returns the exit code."""
    trial = "/* A. */\nint take_a(void);\nint take_b(void);\nint take_c(void); /* C. */\nint take_d(int a,\n    int b);\n"
    wrong = find_bare(trial) != [(3, "take_b"), (5, "take_d")]
    errors = ["declarations.py: a function without a comment is overlooked"] if wrong else []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.h")):
            for line, name in find_bare(path.read_text(encoding="utf-8")):
                errors.append(f"{path.relative_to(root)}:{line}: {name} has no comment of its own")
    print("\n".join(errors), end="\n" if errors else "")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
