#!/usr/bin/env bash
# Lines of README.md and the docs have at most 100 columns, but for tables and code.
# arguments: program, source folder
exec python3 "$(dirname "$0")/columns.py" "$2"
