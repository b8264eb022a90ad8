"""Links of README.md and the docs to a section, PAGE.md#SECTION or #SECTION, lead to a heading.

usage: anchors.py FOLDER
The name of a heading is that of GitHub: small letters, no punctuation, hyphens for spaces.
"""
import os
import re
import sys


def pages(root):
    yield "README.md"
    for path, _, names in os.walk(os.path.join(root, "docs")):
        yield from (os.path.relpath(os.path.join(path, name), root) for name in sorted(names) if name.endswith(".md"))


def parts(text):
    """The headings' names and the text outside code blocks."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    names = set()
    for heading in re.findall(r"^#+ +(.*)$", text, re.M):
        plain = re.sub(r"[^\w\- ]", "", heading.lower())
        names.add(plain.strip().replace(" ", "-"))
    return names, text


root, bad = sys.argv[1], 0
texts = {}
for page in pages(root):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        texts[page] = parts(file.read())
for page, (_, text) in texts.items():
    for target, section in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", text):
        if target.startswith("http"):
            continue
        other = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
        if other in texts and section not in texts[other][0]:
            print(f"{page}: {target}#{section}: {other} has no such section")
            bad = 1
sys.exit(bad or len(texts) < 20)
