"""Random calls of the package with random arguments: exceptions are fine; a crash, a hang or printed text is not.

usage: fuzz_scree.py ROOT [CALLS [SEED [FIRST]]]

Prints the call that ran last if the process dies. Calls before FIRST choose arguments but are not made."""

import copy
import faulthandler
import functools
import math
import os
import pathlib
import pickle
import random
import resource
import sys
import tempfile
import warnings

import numpy as np

import scree

LIMIT = 20  # time for a single call [s]
MEMORY = 3 << 30  # of the process: a call that asks for more fails rather than the machine [bytes]
ALLOWED = (scree.Error, TypeError, ValueError, OverflowError, AttributeError, LookupError, OSError, MemoryError, NotImplementedError)
ALIVE = "the calls are over"
KEYS = ["radius", "size", "position", "normal", "name", "a", "b", "region", "spacing", "material", "kind", "type", "velocity", "mu",
        "at", "at_b", "anchor", "axis", "file", "points", "group", "radus", "", "a\0b", "\u00fc", "stiffness", "restitution",
        "geometry", "parts", "density", "motion", "law", "every", "default", "unit", "limit", "motor", "point", "direction"]
# Right calls of a world. The fuzzer changes one or two of their arguments.
RIGHT = [("sphere", {"radius": 0.1, "position": (0, 0, 5), "velocity": (1, 0, 0), "material": "default", "group": 3}),
         ("box", {"size": (1, 1, 1), "kind": "kinematic", "velocity": lambda t: (0, 0, 1), "position": (0, 0, 9)}),
         ("capsule", {"radius": 0.1, "length": 0.3, "orientation": (1, 0, 0, 0), "spin": (0, 0, 1)}),
         ("body", {"shapes": [{"type": "sphere", "radius": 0.1}, {"type": "box", "size": (1, 1, 1)}]}),
         ("hull", {"points": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], "position": (7, 7, 7)}),
         ("mesh", {"kind": "fixed", "points": [(0, 0, 0), (1, 0, 0), (0, 1, 0)], "triangles": [(1, 2, 3)]}),
         ("fill", {"region": {"min": (0, 0, 1), "max": (1, 1, 2)}, "spacing": 0.3, "radius": 0.1, "limit": 20}),
         ("pack", {"region": {"min": (0, 0, 1), "max": (1, 1, 2)}, "radius": 0.2, "fraction": 0.3}),
         ("material", {"name": "steel", "density": 7800}), ("pair", {"a": "default", "b": "default", "mu": 0.3, "restitution": 0.5}),
         ("pair", {1: "default", 2: "default", "cohesion": 1.0, "law": "coulomb"}), ("column", {"name": "heat", "unit": "K", "default": 1}),
         ("hinge", {"a": "body", "b": "body", "at": (0, 0, 0), "axis": (0, 0, 1), "limits": (-1, 1), "motor": {"speed": 1, "force": 2}}),
         ("spring", {"a": "body", "b": "body", "at": (0, 0, 0), "at_b": (1, 0, 0), "stiffness": 10, "damping": 1, "length": 1}),
         ("ray", {"from": (0, 0, 3), "direction": (0, 0, -1)}),
         ("count", {"kind": "dynamic"}), ("profile", {"region": {"min": (0, 0, 0), "max": (1, 1, 1)}, "cells": (1, 1, 5)}),
         ("compatible_forces", {}), ("rest_range", {"load": "step"}), ("record_forces", {"compatible": "coulomb"}),
         ("force_distribution", {"bins": 5}), ("template", {"shapes": [{"type": "sphere", "radius": 0.1}]})]


class Strange:
    """An object whose conversions fail or lie."""

    def __float__(self):
        raise RuntimeError("float")

    def __len__(self):
        return -1

    def __index__(self):
        return 1 << 70

    __array__ = None


class Text(str):
    """A text of another class."""


def fail(*_):
    """Raises what a function of Python may raise."""
    raise LookupError("from Python")


def nest(depth):
    """Returns a list that is nested."""
    out = [1.0]
    for _ in range(depth):
        out = [out]
    return out


def make_values():
    """Returns arguments of all kinds: most are wrong for most calls."""
    endless, table = [1], {}
    endless.append(endless)
    table["self"] = table
    return [None, True, False, 0, -1, 1, 3, 2 ** 31, 2 ** 62, -2 ** 63, 2 ** 63, 10 ** 400, 0.0, -0.0, 1.5, -1e300, 1e-310,
            math.nan, math.inf, -math.inf, 1j, "", "sphere", "default", "1 mm", "1 parsec", "a\0b", "\u00fc\u4e2d\U0001f600", "\ud800",
            "%s%n", "x" * 5000, "../../..", "velocity", "position", "dynamic", "fixed", b"bytes", b"", bytearray(3), Text("radius"),
            [], [1, 2], [1, 2, 3], [1.0] * 4, [math.nan] * 3, [None] * 3, ["a", "b", "c"], [0.0] * 1000, (0, 0, 1), (), {1, 2}, range(3),
            endless, nest(40), nest(70), {}, {"radius": 1}, {1: 2}, {"a": {"b": {}}}, {None: 1}, {1.5: 2}, {(1,): 2}, {"": 1}, table,
            {True: 1}, {"min": (0, 0, 0), "max": (1, 1, 1)}, np.zeros((3, 3)), np.arange(4), np.float32(2), np.int8(-3), np.bool_(True),
            np.array(3.5), np.array([]), np.array(["a"]), np.array([None]), np.full(3, np.nan), np.zeros((0, 3)), np.array([1j] * 3),
            np.zeros((2, 2, 2, 2)), np.datetime64("2020-01-01"), np.zeros(3, "f4,i4"), lambda *a: 1, lambda *a: "x", fail, Strange(),
            Strange, object(), len, pathlib.Path("nowhere"), pathlib.Path("there"), slice(None), Ellipsis, memoryview(b"ab"), int,
            NotImplemented, ValueError("x"), sys, scree, iter([1, 2, 3])]


class Fuzz:
    """The objects of a round of calls, made anew now and then."""

    def __init__(self, root, seed):
        self.random, self.root, self.values = random.Random(seed), root, make_values()
        self.renew()

    def renew(self):
        """Makes new worlds, bodies, joints and other objects, some of them dead."""
        w = scree.World(dt="1 ms", seed=3)
        w.halfspace(normal=(0, 0, 1))
        bodies = [w.sphere(radius=0.1, position=(0.3 * i, 0, 0.1)) for i in range(4)]
        bodies.append(w.box(kind="kinematic", size=(1, 1, 1), position=(0, 9, 0)))
        self.bodies = bodies
        joint = w.ball(a=bodies[0], b=bodies[1], at=(0.15, 0, 0.1))
        with scree.session():
            other = scree.World()
            stranger = other.sphere(radius=1)
        closed = scree.World()
        orphan, lost = closed.sphere(radius=1), closed.save()
        closed.close()
        dead = w.sphere(radius=0.1, position=(5, 5, 5))
        dead.remove()
        cell = scree.World(cell={"size": (1, 1, 1), "periodic": (True, True, True)})
        stale = w.view("velocity")
        w.step(3)
        hull = scree.geometry.hull(points=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
        scene = scree.Scene(self.root / "tests" / "python" / "free_fall.lua", time=0.01)
        with scree.session():
            batch = scree.Batch([scree.World()])
        views = [w.view("velocity", writable=True), w.view("id"), w.view("position"), stale]
        self.worlds = [w, w, w, cell, closed, other]
        self.targets = [*self.worlds, *bodies, joint, dead, stranger, orphan, lost, cell.cell(), w.save(), hull, scene, batch, *views]
        self.pool = [*self.targets, scree.World, w.sphere, w.state]

    def pick(self):
        """Returns an argument."""
        return self.random.choice(self.pool if self.random.random() < 0.25 else self.values)

    def pick_arguments(self):
        """Returns positional and keyword arguments."""
        return ([self.pick() for _ in range(self.random.randrange(4))],
                {k: self.pick() for k in self.random.sample(KEYS, self.random.choice((0, 0, 1, 2, 4)))})

    def choose_method(self):
        """Returns the name of a method of an object, and a function that calls it."""
        target = self.random.choice(self.targets)
        names = [n for n in dir(target) if not n.startswith("_")]
        if isinstance(target, scree.World) and self.random.random() < 0.9:
            names = [n for n in names if n != "close"]
        special = ["__getitem__", "__setitem__", "__len__", "__iter__", "__call__", "__repr__", "__copy__", "__array__", "__eq__", "getattr",
                   "setattr", "pickle", "copy", "unknown"]
        name = self.random.choice(names if self.random.random() < 0.85 and names else special)
        return f"{type(target).__name__}.{name}", functools.partial(call_special if name in special else call_member, target, name)

    def choose_function(self):
        """Returns the name of a function of the package, and the function."""
        names = [n for n in dir(scree) if n not in ("run", "program", "ffi", "lib", "calibrate", "Error", "Warning", "session", "Experiment")]
        name = self.random.choice(names)
        found = getattr(scree, name)
        if isinstance(found, scree.Module) or type(found).__name__ == "Module":
            inner = self.random.choice(dir(found) or ["nothing"])
            return f"{name}.{inner}", functools.partial(call_member, found, inner)
        return name, found if callable(found) else functools.partial(call_special, found, "__repr__")

    def choose_program(self):
        """Returns the name of a function that starts the program or reads files, and the function. They are slow."""
        name = self.random.choice(["calibrate", "Experiment", "run", "read_table", "write_parameter", "reader"])
        if name == "calibrate":
            return name, lambda *a, **k: scree.calibrate(*a, out="runs", **k)
        if name == "Experiment":
            return name, lambda *a, **k: scree.Experiment(*a).run(*a, **k)
        if name == "read_table":
            return name, sys.modules["scree.run"].read_table
        if name == "write_parameter":
            return name, sys.modules["scree.scene"].write_parameter
        return name, scree.run if name == "run" else sys.modules["scree.reader"].Trajectory

    def choose_changed(self):
        """Returns a right call in which one or two arguments were changed."""
        name, keys = self.random.choice(RIGHT)
        keys = {k: self.random.choice(self.bodies) if isinstance(v, str) and v == "body" else v for k, v in keys.items()}
        for key in self.random.choices([*keys, self.random.choice(KEYS)], k=self.random.choice((0, 1, 1, 2))):
            keys[key] = self.change(keys.get(key))
        return f"World.{name}", functools.partial(call_member, self.worlds[0], name), [keys], {}

    def change(self, value):
        """Returns another value, or a value with a changed part."""
        if isinstance(value, (list, tuple)) and value and self.random.random() < 0.5:
            out, at = list(value), self.random.randrange(len(value))
            out[at] = self.change(out[at])
            return out[:self.random.choice((at, None))]
        if isinstance(value, dict) and value and self.random.random() < 0.5:
            key = self.random.choice(list(value))
            return {**value, key: self.change(value[key])}
        return self.pick()

    def choose(self):
        """Returns a call: name, function, positional and keyword arguments."""
        share = self.random.random()
        if share < 0.2:
            return self.choose_changed()
        name, function = (self.choose_method() if share < 0.85 else self.choose_function() if share < 0.998 else self.choose_program())
        return name, function, *self.pick_arguments()


def call_member(target, name, *arguments, **keys):
    """Calls a method, or reads a property."""
    found = getattr(target, name)
    return found(*arguments, **keys) if callable(found) else found


def call_special(target, name, *arguments, **keys):
    """Uses an object by an operator."""
    if name == "getattr":
        return getattr(target, arguments[0])
    if name == "setattr":
        return setattr(target, "state", arguments[0])
    if name == "pickle":
        return pickle.loads(pickle.dumps(target))
    if name == "copy":
        return copy.copy(target)
    if name == "unknown":
        return target.spere(*arguments, **keys)
    return getattr(type(target), name)(target, *arguments)


def is_too_long(name, arguments, keys):
    """Returns whether a call is right and would take very long: many steps, many bodies."""
    method, values = name.rpartition(".")[2], [*arguments, *keys.values()]
    if method == "step":
        return any(isinstance(v, (int, float, np.number)) and v > 1000 for v in arguments)
    if method in ("pack", "fill"):
        return "1 mm" in describe(values)
    return method in ("batch", "sum") and any(isinstance(v, int) and v > 9 for v in values)


def write_call(log, number, name, arguments, keys):
    """Writes the call into the log file, in place of the one before."""
    text = f"call {number}: {name}(*{[describe(a) for a in arguments]}, **{ {k: describe(v) for k, v in keys.items()} })\n"
    os.pwrite(log, text.encode("utf-8", "replace")[:4000].ljust(4000), 0)


def describe(value):
    """Returns a short text of an argument."""
    try:
        return type(value).__name__ + " " + repr(value)[:400]
    except (ValueError, RecursionError):  # an int of 400 digits, a list that holds itself
        return type(value).__name__


def make_calls(fuzz, log, count, first):
    """Makes the calls. Returns how many raised an exception."""
    raised = 0
    for i in range(count):
        if i % 100 == 0:
            fuzz.renew()
        name, function, arguments, keys = fuzz.choose()
        if i < first or is_too_long(name, arguments, keys):
            continue
        write_call(log, i, name, arguments, keys)
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        try:
            function(*arguments, **keys)
        except ALLOWED:
            raised += 1
        except RecursionError:
            raised += 1
    faulthandler.cancel_dump_traceback_later()
    return raised


def run_child(root, count, seed, first, log):
    """Makes the calls in a folder of their own, with what they print in the file `printed`."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    raised = make_calls(Fuzz(root, seed), log, count, first)
    os.pwrite(log, f"{ALIVE}: {raised} of {count} raised".encode().ljust(4000), 0)


def main(root, count=2000, seed=1, first=0):
    """Runs the calls in a child and judges how it ended. Returns the exit code."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as printed:
        child = os.fork()
        if not child:
            os.makedirs(folder + "/in/there")
            os.chdir(folder + "/in/there")
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
            faulthandler.enable()
            run_child(root, count, seed, first, log.fileno())
            sys.stdout.flush()
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said = os.pread(log.fileno(), 4000, 0).decode("utf-8", "replace").strip()
        text = os.pread(printed.fileno(), 8000, 0).decode("utf-8", "replace")
    print(said)
    if code or text or not said.startswith(ALIVE):
        print(f"seed {seed}: ended with {code} and printed:\n{text}")
        return 1
    raised = int(said.split()[4])
    return 0 if raised > count / 3 else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), *map(int, sys.argv[2:])))
