"""Runs in folders: started by the program, read as arrays."""

import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import warnings

import numpy as np

from scree import reader
from scree._session import PACKAGE, Error, Warning  # pylint: disable=redefined-builtin
from scree.scene import write_parameter


INVALID = 5  # exit code of a run whose files are whole and whose results are physically impossible


def program():
    """Returns the path of the program scree that belongs to the package."""
    return str(PACKAGE / "bin" / "scree")


def start_program(arguments):
    """Runs the program to its end. Returns the subprocess.CompletedProcess with its texts."""
    return subprocess.run([program(), *map(os.fspath, arguments)], text=True, capture_output=True, check=False)


def raise_failure(done):
    """Raises an Error with the messages of a run of the program that failed."""
    said = done.stderr.strip()
    lines = [line for line in said.splitlines() if line.startswith(("scree:", "scree calibrate:"))]
    if lines and "in the experiment" not in lines[-1]:  # mistakes in an experiment are named by their place
        said = "\n".join(lines)
    raise Error(said.removeprefix("scree: ") or f"scree ended with code {done.returncode}", "program")


def call_program(arguments):
    """Runs the program and returns its standard output. Warns of an invalid run, raises an Error for a run that fails."""
    done = start_program(arguments)
    if done.returncode == INVALID:
        faults = [line for line in done.stderr.splitlines() if "invalid" in line]
        warnings.warn("\n".join(faults) or "the run is invalid", Warning, stacklevel=3)
    elif done.returncode:
        raise_failure(done)
    return done.stdout


def main():
    """The command `scree`: starts the program with the arguments of the command line."""
    os.execv(program(), [program(), *sys.argv[1:]])


def run(scene, out, *, force=False, options=(), **parameters):
    """Runs a scene as `scree run` does, with its files, and returns the Run.

    An invalid run is a Warning, and its run.json has the status "invalid". out: folder of the run. force: replaces an
    existing run. options: further options of `scree run`, as texts. Keywords: parameters of the scene."""
    keys = [f"{k}={write_parameter(v)}" for k, v in parameters.items()]
    call_program(["run", scene, "--trust", "-o", out, *(["--force"] if force else []), *options, *keys])
    return Run(out)


def read_table(path):
    """Returns a CSV file of numbers as a structured array. The first line has names, with units in brackets."""
    with open(path, encoding="utf-8", newline="") as source:
        lines = [line for line in source if not line.startswith("#")]
    rows = list(csv.reader(io.StringIO("".join(lines))))
    if not rows:
        return np.zeros(0, [])
    names = [re.sub(r"\s*\[.*\]$", "", name).strip() for name in rows[0]]
    columns = list(zip(*rows[1:])) or [()] * len(names)
    kinds = [float if all(_is_number(v) for v in column) else object for column in columns]
    out = np.zeros(len(rows) - 1, [(n, k) for n, k in zip(names, kinds)])
    for name, kind, column in zip(names, kinds, columns):
        out[name] = [float(v) if v else np.nan for v in column] if kind is float else column
    return out


def _is_number(text):
    try:
        return not text or float(text) is not None
    except ValueError:
        return False


class Frames:
    """The frames of a trajectory, read when they are asked for: frames[i], len(frames), iteration."""

    def __init__(self, path):
        self.path, self._file = path, None

    def _open(self):
        if self._file is None:
            self._file = reader.Trajectory(str(self.path))
        return self._file

    def __len__(self):
        return len(self._open())

    def __getitem__(self, i):
        file = self._open()
        if isinstance(i, slice):
            return [file[k] for k in range(*i.indices(len(file)))]
        if not -len(file) <= i < len(file):
            raise IndexError(f"frame {i} of {len(file)}")
        return file[i % len(file)]

    def __iter__(self):
        return iter(self._open())

    def close(self):
        """Closes the file. The next use opens it again."""
        if self._file is not None:
            self._file.file.close()
            self._file = None

    def __del__(self):
        self.close()


class Run:
    """A run folder: frames (lazy), series (structured array), json (a dict).

    A path of a trajectory file has frames alone."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        if not self.path.exists():
            raise Error(f"{self.path} does not exist", "io")
        self.frames = Frames(self.path if self.path.is_file() else self.path / "trajectory.scree")

    @property
    def series(self):
        """The rows of series.csv."""
        return read_table(self.path / "series.csv")

    @property
    def json(self):
        """What run.json says."""
        return json.loads((self.path / "run.json").read_text(encoding="utf-8"))

    def picture(self, width=800, height=600):
        """Returns the last frame as a PNG picture (bytes)."""
        file = self.path / f".picture-{os.getpid()}.png"
        try:
            call_program(["plot", self.path, "scene", "-o", file, "--size", f"{width}x{height}"])
            return file.read_bytes()
        finally:
            file.unlink(missing_ok=True)

    def _repr_png_(self):
        return self.picture(600, 450)

    def __repr__(self):
        return f"<scree.Run {str(self.path)!r}>"


class Experiment:
    """An experiment in YAML: its sweep runs in parallel and can be resumed.

    table: results.csv as a structured array, once run() is done. runs: the folders of the runs."""

    def __init__(self, path):
        self.path, self.out, self.table = pathlib.Path(path), None, None
        if not self.path.exists():
            raise Error(f"{self.path} does not exist", "io")

    def run(self, out, jobs=None, options=()):
        """Runs the experiment into the folder `out`. A folder of an earlier, interrupted call is continued."""
        self.out = pathlib.Path(out)
        call_program(["sweep", self.path, "--trust", "--resume", "-o", out, "-j", str(jobs or os.cpu_count()), *options])
        self.table = read_table(self.out / "results.csv")
        return self

    @property
    def runs(self):
        """The runs of the sweep, as Run objects."""
        return [Run(p.parent) for p in sorted(self.out.glob("*/run.json"))]


def open_run(path):
    """Opens a run folder or a trajectory file."""
    return Run(path)
