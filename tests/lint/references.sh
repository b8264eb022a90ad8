#!/usr/bin/env bash
# Comments name C files that exist.
# arguments: program, source folder
exec python3 "$(dirname "$0")/references.py" "$2"
