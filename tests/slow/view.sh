#!/bin/bash
# A hundred thousand broken requests to scree view.
VIEW_REQUESTS=100000 exec bash "$(dirname "$0")/../cli/view.sh" "$@"
