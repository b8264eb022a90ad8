"""Folders of the build of the package."""

import os
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# A build folder that has the library and the program already; tests use theirs.
READY = os.environ.get("SCREE_PYTHON_BUILD")
BUILD = pathlib.Path(READY or ROOT / "build" / "python").resolve()
# The package is put together here, so that the source folder stays as it is.
STAGE = BUILD / "package"
