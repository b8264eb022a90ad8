"""Builds the extension scree._scree: cffi in API mode over the shared library."""

import cffi

import declarations
from places import BUILD, ROOT, STAGE

FOLDERS = [ROOT / "engine" / "include", ROOT / "lua" / "include"]
SOURCE = "".join(f"#include <{header}>\n" for header in declarations.HEADERS) + """
/* Copies the first `count` contacts of a world. */
static void scree_python_contacts(const scree_world *world, scree_contact *out, int64_t count) {
  for (int64_t i = 0; i < count; i++) scree_world_contact(world, i, out + i);
}
"""

builder = cffi.FFI()
builder.cdef(declarations.make_declarations(FOLDERS)
             + "void scree_python_contacts(const scree_world *, scree_contact *, int64_t);")
builder.set_source("scree._scree", SOURCE, include_dirs=[str(f) for f in FOLDERS], libraries=["scree"],
                   library_dirs=[str(STAGE / "scree")], extra_compile_args=["-Wno-incompatible-pointer-types", "-O1", "-g0", f"-ffile-prefix-map={BUILD}=.",
                                       f"-ffile-prefix-map={ROOT}=."],
                   extra_link_args=["-Wl,-rpath,$ORIGIN", "-s"])
