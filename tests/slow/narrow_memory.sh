#!/bin/bash
# The narrow phase with what it remembers against a cold start, bit for bit, on a million motions of 25000 pairs: the unit test, longer.
. "$(dirname "$0")/../support/cli.sh"
SCREE_PAIRS=25000 "$(dirname "$scree")/tests/unit.collide.again" || fail "the narrow phase depends on what it remembers"
exit $failed
