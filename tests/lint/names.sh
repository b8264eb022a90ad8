#!/usr/bin/env bash
# Static functions have names that grep finds: a verb and a noun, unique within their module.
# arguments: program, source folder
python3 "$2/tests/lint/names.py" "$2"
