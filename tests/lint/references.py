"""Names of C files in comments belong to files of the repository: "world/step/sleep.c", "list.h".

usage: references.py FOLDER
A name may leave out folders in front. Names with NAME in them are patterns.
"""
import os
import re
import sys

EXTERNAL = {"cmocka.h"}


def sources(root):
    for folder in ("engine", "lua", "tools", "tests"):
        for path, _, names in os.walk(os.path.join(root, folder)):
            yield from (os.path.relpath(os.path.join(path, name), root) for name in names if name[-2:] in (".c", ".h"))


root = sys.argv[1]
files = sorted(sources(root))
ends = {"/".join(parts[i:]) for parts in (file.split("/") for file in files) for i in range(len(parts))}
bad = 0
for file in files:
    with open(os.path.join(root, file), encoding="utf-8") as opened:
        text = opened.read()
    for comment in re.finditer(r"/\*.*?\*/|//[^\n]*", text, re.S):
        for name in re.finditer(r"(?<![\w/.<])(?:[\w-]+/)*[\w-]+\.[ch]\b(?![\w(.])", comment.group()):
            if name.group() not in ends and name.group() not in EXTERNAL and "NAME" not in name.group():
                line = text.count("\n", 0, comment.start() + name.start()) + 1
                print(f"{file}:{line}: the comment names {name.group()}, which is no file")
                bad = 1
sys.exit(bad or not files)
