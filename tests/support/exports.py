"""Prints the names of all functions and tables that the public headers declare, sorted. Arguments: folders of headers."""
import glob
import os
import re
import sys

import arguments

arguments.LEFT_OUT = arguments.HEADERS_LEFT_OUT = set()
names = set()
for folder in sys.argv[1:]:
    names.update(name for _, name, _ in arguments.functions(folder))
    for path in glob.glob(os.path.join(folder, "*.h")):
        names.update(re.findall(r"^extern\b[^;\"]*?\b(scree_\w+)\s*(?:\[[^\]]*\])?\s*;", open(path).read(), flags=re.M))
print("\n".join(sorted(names)))
