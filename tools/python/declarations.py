"""Makes the declarations of scree's public C interface in the form that cffi reads."""

import pathlib
import re
import subprocess

HEADERS = ("scree/scree.h", "scree/scene.h", "scree/session.h", "scree/column.h", "scree/checkpoint.h")
# Python implements the functions that scree calls.
CALLBACKS = """
extern "Python" int scree_python_call(void *, int64_t, const void *, size_t, const void **, size_t *);
extern "Python" void scree_python_release(void *, int64_t);
extern "Python" void scree_python_warn(void *, const char *);
extern "Python" int scree_python_listen(void *, scree_scene *, int);
"""


def find_headers(folders):
    """Returns the headers of HEADERS that one of the include folders has."""
    return [h for h in HEADERS if any((pathlib.Path(f) / h).exists() for f in folders)]


def preprocess_headers(folders):
    """Returns the preprocessed text of the headers, without what they include from elsewhere."""
    source = "".join(f"#include <{header}>\n" for header in find_headers(folders))
    flags = [f"-I{folder}" for folder in folders]
    text = subprocess.run(["cc", "-E", "-x", "c", "-", *flags], input=source, text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    own, kept = False, []
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            own = any(marker[1].startswith(str(folder)) for folder in folders)
        elif own and not line.startswith("#"):
            kept.append(line)
    return "\n".join(kept)


def strip_bodies(text):
    """Removes the static inline functions, which have no symbol."""
    kept, at = [], 0
    for match in re.finditer(r"static inline [^;{]*\{", text):
        if match.start() < at:
            continue
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        kept.append(text[at:match.start()])
        at = end
    return "".join(kept) + text[at:]


def make_declarations(folders):
    """Returns the declarations of the public headers for cffi.FFI.cdef."""
    text = strip_bodies(preprocess_headers(folders))
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    # cffi 1.15 writes wrong C for a pointer to an array of constants
    text = re.sub(r"const (\w+) \((\*+\w*)\)\[", r"\1 (\2)[", text)
    return text + CALLBACKS
