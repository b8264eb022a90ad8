#!/usr/bin/env bash
# docs/changelog.md has releases with dates, five headings and short entries; tests/lint/changelog.py says which.
# arguments: program, source folder
exec python3 "$2/tests/lint/changelog.py" check "$2/docs/changelog.md"
