"""Scenes: Lua files that describe a whole simulation."""

import contextlib
import numbers
import os

import numpy as np

from scree._scree import ffi, lib
from scree._session import SCENE, Ended, Session, library_folder, note_interrupt, raise_interrupt
from scree._values import Checked, Error, Unique, raise_error
from scree.world import CLASSES, World


def write_parameter(value):
    """Returns a value of a parameter as the text that the command line takes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "{" + ", ".join(write_parameter(v) for v in value) + "}"
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def check_number(name, value, kind):
    """Returns a positive number, or 0 for None. Raises ValueError for other values. kind: Real or Integral."""
    if value is None:
        return 0
    most = (1 << 31) - 1 if name == "threads" else (1 << 63) - 1
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, kind) or not 0 < value <= most:
        what = "whole number" if kind is numbers.Integral else "finite number"
        raise ValueError(f"{name} must be a positive {what}, not {value!r}")
    return value


@ffi.def_extern(error=1, onerror=note_interrupt)
def scree_python_listen(context, _scene, event):
    """Hears the events of a scene."""
    scene = ffi.from_handle(context)
    try:
        return scene._hear(event)
    except BaseException as error:  # pylint: disable=broad-exception-caught
        scene._pending = error
        return 1


class Scene(Unique, Checked):
    """A scene file with its parameters, built and ready to run.

    scree.Scene("heap.lua", mu=0.3) builds the world and calls the scene's setup. run() runs it to its end and returns
    the scene. The state then has the hash of `scree run heap.lua mu=0.3`.

    path: of the scene. stop_time [s], stop_steps, threads: in place of the scene's. directory: for files that the scene
    writes. Keywords: parameters of the scene; a text may have a unit."""

    path: str
    parameters: dict
    world: World

    def __init__(self, path, *, stop_time=None, stop_steps=None, threads=None, directory=None, **parameters):
        self.path = os.fspath(path)
        stop_time = check_number("stop_time", stop_time, numbers.Real)
        stop_steps, threads = (check_number(n, v, numbers.Integral) for n, v in (("stop_steps", stop_steps), ("threads", threads)))
        self._rows, self._pending, self._call, self._session = [], None, None, None
        self._c = ffi.NULL
        self._context = ffi.new_handle(self)
        texts = [ffi.new("char[]", f"{k}={write_parameter(v)}".encode()) for k, v in parameters.items()]
        keep = [ffi.new("char[]", os.fsencode(self.path)), ffi.new("char[]", library_folder().encode()),
                ffi.new("char *[]", texts), ffi.new("char[]", os.fsencode(directory)) if directory else ffi.NULL]
        definition = ffi.new("scree_scene_def *", {
            "path": keep[0], "library": keep[1], "params": keep[2], "params_count": len(texts), "directory": keep[3],
            "time": float(stop_time), "steps": int(stop_steps), "threads": int(threads), "trust": True,
            "listen": lib.scree_python_listen, "context": self._context})
        self._error = ffi.new("scree_error *")
        self._c = lib.scree_scene_open(definition, self._error)
        if self._c == ffi.NULL:
            raise_error(self._error)
        self._session = Session(scene=self._c)
        self._session.scene = self  # the world keeps its session alive, which keeps the scene
        self._session.classes.update(CLASSES)
        self.world, parameters = self._session.call(SCENE)
        self._session.threaded = self.world.threads() > 1
        self.parameters = self._session.copy_table(parameters)

    def __del__(self):
        if not isinstance(getattr(getattr(self, "_session", None), "lock", None), Ended):
            self.close()

    def close(self):
        """Frees the scene and its world."""
        if getattr(self, "_c", ffi.NULL) == ffi.NULL:
            return
        if self._session is None:
            lib.scree_scene_close(self._c)
            self._c = ffi.NULL
            return
        with self._session.lock:
            self._session.close()
            if self._c != ffi.NULL:
                lib.scree_scene_close(self._c)
            self._c = ffi.NULL

    @contextlib.contextmanager
    def _work(self):
        """A block that works with the C scene. Other threads wait, and the scene cannot be closed."""
        with self._session.lock:
            if self._c == ffi.NULL:
                raise Error("the scene is closed", "stale")
            self._session.inside += 1
            try:
                yield
            finally:
                self._session.inside -= 1

    def _hear(self, event):
        if event == lib.SCREE_SCENE_ROW:
            self._rows.append(self._read_row())
        elif self._call is not None:
            answer = self._call(self)
            return 1 if isinstance(answer, (bool, np.bool_)) and not answer else 0
        return 0

    def _read_row(self):
        count = lib.scree_scene_values_count(self._c)
        return (lib.scree_world_time(self.world._c), *(lib.scree_scene_value(self._c, i) for i in range(count)))

    def run(self, after_step=None):
        """Runs the scene to its end and returns the scene.

        after_step: called with the scene after every step; it stops the run by returning False. The next run() goes on
        with the next step."""
        with self._work():
            if self._session.inside > 1:
                raise Error("a function that the engine calls cannot run the scene")
            self._call, self._pending = after_step, None
            status = lib.scree_scene_run(self._c, self._error)
        raise_interrupt()
        if self._pending is not None:
            pending, self._pending = self._pending, None
            raise pending
        if self._session.pending is not None:
            pending, self._session.pending = self._session.pending, None
            raise pending
        if status:
            raise_error(self._error)
        return self

    @property
    def over(self):
        """Whether the scene has reached its end."""
        with self._work():
            return lib.scree_scene_is_over(self._c)

    @property
    def series(self):
        """The rows of the series so far as a structured array: time, and the scene's own values."""
        with self._work():
            count = lib.scree_scene_values_count(self._c) if self._rows else 0
            names = [ffi.string(lib.scree_scene_value_name(self._c, i)).decode() for i in range(count)]
            return np.array(self._rows, dtype=[("time", float), *((n, float) for n in names)])

    def report(self):
        """Calls the scene's report. Returns a dict: name of the figure -> number or text; NaN: not reached."""
        with self._work():
            if lib.scree_scene_report(self._c, self._error):
                raise_error(self._error)
            figure, out = ffi.new("scree_scene_figure *"), {}
            for i in range(lib.scree_scene_figures_count(self._c)):
                lib.scree_scene_get_figure(self._c, i, figure)
                text = figure.text != ffi.NULL
                out[ffi.string(figure.name).decode()] = ffi.string(figure.text).decode() if text else figure.value
            return out

    def __repr__(self):
        return f"<scree.Scene {self.path!r}: {self.world!r}>"
