"""Lines of README.md and the docs have at most 100 columns, so that a change of one sentence is a short diff.

usage: columns.py FOLDER
Tables, code, and lines that cannot be broken (one link or code span) may be longer. A line within a paragraph
does not begin with a list mark such as "4. " or "- ", which would start a list. docs/lua-api.md is made by a
program and docs/notebook is a diary; both are left out.
"""
import os
import re
import sys

COLUMNS = 100


def pages(root):
    yield "README.md"
    for path, folders, names in os.walk(os.path.join(root, "docs")):
        folders[:] = sorted(name for name in folders if name != "notebook")
        for name in sorted(names):
            if name.endswith(".md") and name != "lua-api.md":
                yield os.path.relpath(os.path.join(path, name), root)


def breakable(line):
    """Whether a shorter line is possible: there is a space outside links and code, behind the indent."""
    text = re.sub(r"!?\[[^\]]*\]\([^)]*\)|`[^`]*`", "x", line).strip()
    return " " in re.sub(r"^([-*]|\d+\.) ", "", text)


MARK = re.compile(r" *([-*+]|\d+\.) +\S")

root, bad, seen = sys.argv[1], 0, 0
for page in pages(root):
    fenced, before, listed = False, "", False
    with open(os.path.join(root, page), encoding="utf-8") as file:
        for number, line in enumerate(file.read().splitlines(), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            code = line.startswith("    ") and (not before.strip() or before.startswith("    "))
            if len(line) > COLUMNS and not (fenced or code or line.lstrip().startswith("|")) and breakable(line):
                print(f"{page}:{number}: {len(line)} columns, at most {COLUMNS}")
                bad = 1
            if MARK.match(line) and before.strip() and not (listed or fenced or code or before.endswith(":")):
                print(f"{page}:{number}: a line of a paragraph begins with a list mark, or a blank line is missing")
                bad = 1
            listed = line.strip() and (listed or MARK.match(line))
            before = line
    seen += 1
sys.exit(bad or seen < 20)
