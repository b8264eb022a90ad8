"""Builds the package: the engine by CMake, the extension by cffi."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# A build folder that has the library and the program already; tests use theirs.
READY = os.environ.get("SCREE_PYTHON_BUILD")
BUILD = pathlib.Path(READY or ROOT / "build" / "python").resolve()
# The package is put together here, so that the source folder stays as it is.
STAGE = BUILD / "package"
sys.path.insert(0, str(HERE))
os.chdir(HERE)


def read_version():
    """Returns the version that CMakeLists.txt names."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(scree\s+VERSION\s+([\d.]+)", text)[1]


def build_engine():
    """Builds the shared library and the program, without MPI, HDF5 and assimp."""
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DSCREE_SHARED=ON", "-DSCREE_TESTS=OFF", "-DSCREE_MPI=OFF", "-DSCREE_HDF5=OFF",
               "-DSCREE_ASSIMP=OFF", "-DSCREE_HTTP=OFF"]
    if shutil.which("ccache"):
        options.append("-DCMAKE_C_COMPILER_LAUNCHER=ccache")
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, *options], check=True)
    subprocess.run(["cmake", "--build", BUILD, "-j", str(os.cpu_count()), "--target", "scree_shared", "scree"], check=True)


def copy_parts():
    """Puts the package together: its modules, what CMake built, the Lua modules and the reader."""
    package = STAGE / "scree"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(HERE / "scree", package, ignore=shutil.ignore_patterns("__pycache__"))
    library = next(p for p in BUILD.glob("libscree.so.*") if not p.is_symlink())
    soname = ".".join(library.name.split(".")[:4])
    for name in (soname, "libscree.so"):
        shutil.copy2(library, package / name)
    shutil.copytree(ROOT / "lua" / "scree", package / "lua" / "scree")
    (package / "bin").mkdir(exist_ok=True)
    shutil.copy2(BUILD / "scree", package / "bin" / "scree")
    shutil.copy2(ROOT / "tools" / "scree_reader.py", package / "reader.py")
    subprocess.run([BUILD / "scree", "lua", "--trust", HERE / "tables.lua", package / "tables.json"], cwd=ROOT, check=True)
    subprocess.run([sys.executable, HERE / "stubs.py", package / "tables.json", package / "world.pyi"], check=True)


class BuildPackage(build_py):
    """Adds the built parts to the package."""

    def run(self):
        super().run()
        target = pathlib.Path(self.build_lib) / "scree"
        (target / "libscree.so").unlink(missing_ok=True)  # the linker alone needs this name


STAGE.mkdir(parents=True, exist_ok=True)
if not (STAGE / "scree").exists() or not {"egg_info", "dist_info"} & set(sys.argv[1:]):
    if not READY:
        build_engine()
    copy_parts()
soname = [p.name for p in (STAGE / "scree").glob("libscree.so.*")]
setup(
    version=read_version(),
    packages=["scree"],
    package_dir={"": os.path.relpath(STAGE, HERE)},
    package_data={"scree": [*soname, "bin/scree", "lua/scree/**/*.lua", "tables.json", "*.pyi", "py.typed"]},
    cffi_modules=["build_scree.py:builder"],
    cmdclass={"build_py": BuildPackage},
    options={"build": {"build_base": str(STAGE / "build")}, "egg_info": {"egg_base": str(STAGE)},
             "bdist_wheel": {"bdist_dir": str(STAGE / "wheel")}},
)
