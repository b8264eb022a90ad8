#!/usr/bin/env python3
"""Checks the form of docs/changelog.md, or sorts entries that stand below "## Unreleased" without a heading.

usage: python3 tests/lint/changelog.py check|sort FILE

The form: releases are "## Unreleased" or "## VERSION - YYYY-MM-DD", newest first. Each release has
the headings Added, Changed, Fixed, Faster and Numerics, in this order; empty ones may be absent.
An entry has at most 30 words, without the targets of its links.

sort: an entry "- Fixed: text" directly below "## Unreleased" moves to the top of the list "### Fixed",
without the word, and so on.
"""
import re
import sys
import textwrap

HEADINGS = ["Added", "Changed", "Fixed", "Faster", "Numerics"]
LONGEST = 30
COLUMNS = 100


def wrap(entry):
    """The lines of an entry. Links and code stay whole."""
    glued = re.sub(r"\[[^\]]*\]\([^)]*\)|`[^`]*`", lambda m: m.group().replace(" ", "\0"), entry)
    lines = textwrap.wrap(glued, COLUMNS, initial_indent="- ", subsequent_indent="  ",
                          break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def words(entry):
    return len(re.sub(r"\]\([^)]*\)", "]", entry).split())


def read(lines):
    """Yields (line number, kind, text): kind is "release", "heading", "entry" or "text"."""
    entry, start = None, 0
    for number, line in enumerate(lines + [""], 1):
        if entry is not None and line.startswith("  "):
            entry += " " + line.strip()
            continue
        if entry is not None:
            yield start, "entry", entry
            entry = None
        if line.startswith("- "):
            entry, start = line[2:], number
        elif line.startswith("### "):
            yield number, "heading", line[4:]
        elif line.startswith("## "):
            yield number, "release", line[3:]
        elif line.strip():
            yield number, "text", line


def check(lines):
    """The complaints about the form."""
    bad, release, last, dates = [], None, None, []
    for number, kind, text in read(lines):
        def complain(what):
            bad.append(f"docs/changelog.md:{number}: {what}")
        if kind == "release":
            release, last = text, None
            found = re.fullmatch(r"\d+\.\d+\.\d+ - (\d{4}-\d\d-\d\d)", text)
            if text == "Unreleased" and not dates:
                dates.append("9999")
            elif not found:
                complain("a release is '## Unreleased' at the top, or '## 0.1.0 - 2026-11-23'")
            elif dates and found.group(1) > dates[-1]:
                complain("the newest release comes first")
            else:
                dates.append(found.group(1))
        elif kind == "heading":
            if text not in HEADINGS:
                complain(f"'{text}' is none of the headings {', '.join(HEADINGS)}")
            elif last is not None and HEADINGS.index(text) <= HEADINGS.index(last):
                complain(f"'{text}' comes after '{last}', or twice")
            else:
                last = text
        elif kind == "entry":
            if last is None:
                complain("the entry stands below no heading (python3 tests/lint/changelog.py sort docs/changelog.md moves it)")
            if words(text) > LONGEST:
                complain(f"the entry has {words(text)} words, at most {LONGEST} fit: {text[:60]}")
            if last is not None and re.match(r"(Added|Changed|Fixed|Faster|Numerics): ", text):
                complain("the heading says what the first word of the entry repeats")
    if not dates:
        bad.append("docs/changelog.md: there is no release")
    return bad


def sort(lines):
    """The lines, with the entries directly below "## Unreleased" below the headings that they name."""
    top = lines.index("## Unreleased")
    end = next((i for i in range(top + 1, len(lines)) if lines[i].startswith("## ")), len(lines))
    part = lines[top + 1:end]
    first = next((i for i, line in enumerate(part) if line.startswith("### ")), len(part))
    loose, kept = {}, []
    for _, kind, text in read(part[:first]):
        found = re.match(r"(Added|Changed|Fixed|Faster|Numerics): (.*)", text) if kind == "entry" else None
        if found:
            # only a word begins with a capital, code and names stay as they are
            loose.setdefault(found.group(1), []).append(found.group(2)[0].upper() + found.group(2)[1:])
        else:
            kept += wrap(text) if kind == "entry" else [text]
    lists = {}
    heading = None
    for line in part[first:]:
        if line.startswith("### "):
            heading = line[4:]
            lists[heading] = []
        else:
            lists[heading].append(line)
    out = lines[:top + 1] + [""] + (kept + [""] if kept else [])
    for heading in HEADINGS + [name for name in lists if name not in HEADINGS]:
        new = [line for entry in loose.get(heading, []) for line in wrap(entry)]
        old = [line for line in lists.get(heading, []) if line.strip()]
        if new or old:
            out += [f"### {heading}", ""] + new + old + [""]
    return out + lines[end:]


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("check", "sort"):
        sys.exit(__doc__)
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = file.read().splitlines()
    if sys.argv[1] == "check":
        bad = check(lines)
        print(*bad, sep="\n", end="\n" if bad else "")
        sys.exit(bool(bad))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(sort(lines)) + "\n")


if __name__ == "__main__":
    main()
