"""Builds the package: the engine by CMake, the extension by cffi."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from places import BUILD, HERE, READY, ROOT, STAGE  # pylint: disable=wrong-import-position

os.chdir(HERE)
# Libraries that every Linux system with Python has (PEP 600). The wheel has a copy of the others.
SYSTEM = re.compile(r"(lib(c|m|dl|rt|pthread|z|expat|gcc_s)|ld-linux[^.]*)\.so\.")


def read_version():
    """Returns the version that CMakeLists.txt names."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(scree\s+VERSION\s+([\d.]+)", text)[1]


def build_engine():
    """Builds the shared library and the program, without MPI, HDF5 and assimp."""
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DSCREE_SHARED=ON", "-DSCREE_TESTS=OFF", "-DSCREE_MPI=OFF", "-DSCREE_HDF5=OFF",
               "-DSCREE_ASSIMP=OFF", "-DSCREE_HTTP=OFF", "-DCMAKE_BUILD_RPATH=$ORIGIN;$ORIGIN/..",
               "-DCMAKE_EXE_LINKER_FLAGS=-s", "-DCMAKE_SHARED_LINKER_FLAGS=-s"]
    if shutil.which("ccache"):
        options.append("-DCMAKE_C_COMPILER_LAUNCHER=ccache")
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, *options], check=True)
    subprocess.run(["cmake", "--build", BUILD, "-j", str(os.cpu_count()), "--target", "scree_shared", "scree"], check=True)


def copy_libraries(package):
    """Copies the libraries that the program and the engine need and other systems may lack, such as Lua."""
    listed = subprocess.run(["ldd", BUILD / "scree"], check=True, text=True, stdout=subprocess.PIPE).stdout
    for name, path in re.findall(r"(\S+) => (/\S+)", listed):
        if not SYSTEM.match(name):
            shutil.copy2(path, package / name)


def find_glibc(folder):
    """Returns the version of glibc that the binaries in a folder need, from the versions of their symbols."""
    needed = {(2, 17)}  # the oldest with a platform tag
    for path in folder.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        if data[:4] == b"\x7fELF":
            needed |= {(int(a), int(b)) for a, b in re.findall(rb"(?<=\0)GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\0)", data)}
    return max(needed)


class Wheel(bdist_wheel):
    """A wheel for every Python from 3.9 on, and for systems that have the glibc of its symbols."""

    def get_tag(self):
        platform = super().get_tag()[2]
        if not READY and platform.startswith("linux_"):
            platform = platform.replace("linux", "manylinux_{}_{}".format(*find_glibc(STAGE)), 1)
        return "cp39", "abi3", platform


def copy_parts():
    """Puts the package together: its modules, what CMake built, the Lua modules and the reader."""
    package = STAGE / "scree"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(HERE / "scree", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2(HERE / "NOTICE", package)
    library = next(p for p in BUILD.glob("libscree.so.*") if not p.is_symlink())
    soname = ".".join(library.name.split(".")[:4])
    for name in (soname, "libscree.so"):
        shutil.copy2(library, package / name)
    shutil.copytree(ROOT / "lua" / "scree", package / "lua" / "scree")
    (package / "bin").mkdir(exist_ok=True)
    shutil.copy2(BUILD / "scree", package / "bin" / "scree")
    shutil.copy2(ROOT / "tools" / "scree_reader.py", package / "reader.py")
    if not READY:
        copy_libraries(package)
    subprocess.run([BUILD / "scree", "lua", "--trust", HERE / "tables.lua", package / "tables.json"], cwd=ROOT, check=True)
    subprocess.run([sys.executable, HERE / "stubs.py", package / "tables.json", package / "world.pyi"], check=True)


STAGE.mkdir(parents=True, exist_ok=True)
if not (STAGE / "scree").exists() or not {"egg_info", "dist_info"} & set(sys.argv[1:]):
    if not READY:
        build_engine()
    copy_parts()
libraries = [p.name for p in (STAGE / "scree").glob("*.so.*")]  # libscree.so is for the linker
setup(
    version=read_version(),
    packages=["scree"],
    package_dir={"": os.path.relpath(STAGE, HERE)},
    package_data={"scree": [*libraries, "bin/scree", "lua/scree/**/*.lua", "tables.json", "*.pyi", "py.typed", "NOTICE"]},
    cffi_modules=["build_scree.py:builder"],
    cmdclass={"bdist_wheel": Wheel},
    options={"build": {"build_base": str(STAGE / "build")}, "egg_info": {"egg_base": str(STAGE)},
             "bdist_wheel": {"bdist_dir": str(STAGE / "wheel")}},
)
