#!/usr/bin/env python3
"""Circles between object files: A uses a symbol of B, which uses a symbol of ..., which uses one of A.

usage: circles.py SOURCE FOLDER...      source folder; folders TARGET.dir with the object files of one program
Objects whose source is gone are passed over.
Prints each circle with the symbols that close it; exit code 1 where there is one, 2 where nothing was found to look at.
"""
import collections
import pathlib
import subprocess
import sys


def read(objects):
    """The uses between object files: user -> used -> symbols."""
    lines = subprocess.run(["nm", "-P", "-g", "-A", *objects], check=True, capture_output=True, text=True).stdout.splitlines()
    defined, wanted = {}, []
    for line in lines:
        where, symbol = line.rsplit(": ", 1)
        name, kind = symbol.split()[:2]
        if kind == "U":
            wanted.append((where, name))
        else:
            defined[name] = where
    uses = collections.defaultdict(lambda: collections.defaultdict(list))
    for where, name in wanted:
        if defined.get(name, where) != where:
            uses[where][defined[name]].append(name)
    return uses


def circles(uses):
    """Strongly connected components of more than one file, by Tarjan (1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(file):
        index[file] = low[file] = len(index)
        stack.append(file)
        for used in list(uses[file]):
            if used not in index:
                visit(used)
            if used in stack:
                low[file] = min(low[file], low[used])
        if low[file] == index[file]:
            component = stack[stack.index(file):]
            del stack[-len(component):]
            if len(component) > 1:
                found.append(sorted(component))

    for file in sorted(uses):
        if file not in index:
            visit(file)
    return found


def short(path):
    return path.split(".dir/", 1)[-1].removesuffix(".o")


def main(source, *folders):
    found = (str(path) for folder in folders for path in pathlib.Path(folder).rglob("*.o"))
    objects = sorted(path for path in found if (pathlib.Path(source) / short(path)).exists())
    if not objects:
        print("circles: no object files in", *folders)
        return 2
    sys.setrecursionlimit(10000)
    uses = read(objects)
    found = circles(uses)
    for circle in found:
        print(f"a circle of {len(circle)} files:")
        for user in circle:
            for used in circle:
                if uses[user].get(used):
                    print(f"  {short(user)} uses {short(used)}: {', '.join(sorted(uses[user][used]))}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
