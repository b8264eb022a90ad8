#!/usr/bin/env bash
# Every function that a header declares has a comment of its own.
# arguments: program, source folder
python3 "$2/tests/lint/declarations.py" "$2"
