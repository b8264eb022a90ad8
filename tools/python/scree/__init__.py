"""scree: rigid bodies in hard, frictional contact.

    import scree
    w = scree.World(gravity=(0, 0, -9.81), dt="1 ms")
    w.halfspace(normal=(0, 0, 1))
    ball = w.sphere(radius=0.1, position=(0, 0, 1))
    w.step(1000)
    print(ball.position(), w.contacts["impulse"])

Worlds, scenes, measurements, joints and the bundled modules (scree.servo, scree.obstacle, scree.robot, ...) have the names,
keywords, defaults and units of the Lua reference, docs/lua-api.md. Errors are scree.Error with the engine's text.
"""

import importlib.metadata

from scree._session import Error, Warning  # pylint: disable=redefined-builtin
from scree.calibrate import calibrate
from scree.run import Experiment, Run, open_run as open, program, run  # pylint: disable=redefined-builtin
from scree.scene import Scene
from scree.world import Batch, Body, Cell, Function, Geometry, Joint, Module, State, View, World, batch, session
from scree._describe import find_functions as _find_functions, load_tables as _load_tables
from scree._scree import ffi, lib

__version__ = importlib.metadata.version("scree")

__all__ = ["Batch", "Body", "Cell", "Error", "Experiment", "Geometry", "Joint", "Run", "Scene", "State", "View", "Warning",
           "World", "batch", "calibrate", "ffi", "lib", "open", "program", "run", "session"]

# What Lua has as scree.world and scree.open has a Python form above.
_OWN = {"world", "open", "api", "measurements", "check_keys", "check_type", "quantity"}


def _module_names():
    return {c["module"] for c in _load_tables()["classes"].values() if c.get("module")} | {
        name.removeprefix("scree.") for name in _load_tables()["classes"] if name[6:7].islower() and name.startswith("scree.")}


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    if name in _module_names():
        return Module(name)
    if name in _find_functions("scree") and name not in _OWN:
        return Function(name)
    raise AttributeError(f"module 'scree' has no attribute '{name}'")


def __dir__():
    return sorted({*__all__, *_module_names(), *_find_functions("scree"), "__version__"} - _OWN | {"open"})
