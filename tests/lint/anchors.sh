#!/usr/bin/env bash
# Links to sections of pages lead to headings.
# arguments: program, source folder
exec python3 "$(dirname "$0")/anchors.py" "$2"
