"""Values that cross the border of a session, packed as scree/session.h says, and the errors of the engine."""

import difflib
import functools
import os
import struct

import numpy as np

from scree._scree import ffi, lib

INTEGER = struct.Struct("=q")
_DOUBLE = struct.Struct("=d")
_DEPTH_MAX = 60


class Error(Exception):
    """An error of the engine or of a script. `status` is its kind, such as "argument" or "numeric"."""

    def __init__(self, text, status="argument"):
        super().__init__(text)
        self.status = status


class MissingError(Error, AttributeError):
    """An object has no member of that name."""


def raise_error(error):
    """Raises what a call of the engine reported."""
    text = ffi.string(error.text).decode("utf-8", "replace")
    raise Error(text, ffi.string(lib.scree_status_name(error.status)).decode())


class Unique:  # pylint: disable=too-few-public-methods
    """An object that stands for something in the engine. A second Python object would free it twice."""

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        raise TypeError(f"{self!r} cannot be copied")

    def __reduce_ex__(self, protocol):
        raise TypeError(f"{self!r} cannot be pickled")


def check_assignment(thing, name):
    """Raises an AttributeError if a public name cannot be assigned: it is unknown, or hides a member of the package."""
    kind = type(thing)
    member, own = getattr(kind, name, None), kind.__module__.split(".")[0] == "scree"
    if isinstance(member, property) and member.fset or any(name in vars(k).get("__annotations__", ()) for k in kind.__mro__):
        return
    if member is not None and any(name in vars(k) for k in kind.__mro__ if k.__module__.split(".")[0] == "scree"):
        hint = "" if isinstance(member, property) or not hasattr(kind, "set_" + name) else f"; call set_{name}"
        raise AttributeError(f"{name} of {kind.__name__} cannot be assigned{hint}")
    if own:
        near = difflib.get_close_matches(name, [m for m in dir(kind) if not m.startswith("_")], 1)
        raise AttributeError(f"{kind.__name__} has no attribute '{name}' to assign"
                             + (f"; did you mean '{near[0]}'?" if near else ""))


class Checked:  # pylint: disable=too-few-public-methods
    """An object whose public names cannot be assigned, except those that its class declares."""

    def __setattr__(self, name, value):
        if not name.startswith("_"):
            check_assignment(self, name)
        object.__setattr__(self, name, value)


class Handle(Unique, Checked):  # pylint: disable=too-few-public-methods
    """An object of a session: the session, the number by which the session knows it and the name of its type."""

    def __init__(self, session, number, name):
        self._session, self._number, self._name = session, number, name


# ---- packing ----

def _pack_text(out, text):
    data = text.encode()
    out += (b"s", INTEGER.pack(len(data)), data)


def _pack_numbers(out, array):
    out += (b"v", INTEGER.pack(array.size), np.ascontiguousarray(array, dtype=float).tobytes())


def _pack_list(session, out, values, depth):
    if values and all(type(v) is float for v in values):
        out += (b"v", INTEGER.pack(len(values)), struct.pack(f"={len(values)}d", *values))
        return
    out.append(b"T")
    for i, value in enumerate(values, 1):
        if value is None:
            raise TypeError("a list for the engine may not hold None")
        out += (b"i", INTEGER.pack(i))
        pack_value(session, out, value, depth + 1)
    out.append(b"n")


def _pack_dict(session, out, values, depth):
    out.append(b"T")
    for key, value in values.items():
        if value is None:
            continue
        if not isinstance(key, (str, int)) or isinstance(key, bool):
            raise TypeError(f"a key of a table must be a text or a whole number, not {key!r}")
        pack_value(session, out, key, depth + 1)
        pack_value(session, out, value, depth + 1)
    out.append(b"n")


def _pack_array(session, out, array, depth):
    if array.ndim == 1 and array.dtype.kind == "f":
        _pack_numbers(out, array)
    elif array.dtype.kind not in "biufSUO":
        raise TypeError(f"the engine cannot take an array of {array.dtype}")
    elif array.dtype.kind == "f" and array.itemsize > 8:
        _pack_array(session, out, array.astype(float), depth)
    elif array.ndim == 0:
        pack_value(session, out, array.item(), depth)
    else:
        _pack_list(session, out, list(array) if array.ndim > 1 else array.tolist(), depth)


def pack_value(session, out, value, depth=0):
    """Appends the packed bytes of a Python value to the list `out`."""
    kind = type(value)
    if depth > _DEPTH_MAX:
        raise ValueError(f"a value is nested more than {_DEPTH_MAX} deep, or holds itself")
    if kind is float:
        out += (b"d", _DOUBLE.pack(value))
    elif kind is int:
        if not -(1 << 63) <= value < 1 << 63:
            raise OverflowError(f"{value} has more than 64 bits")
        out += (b"i", INTEGER.pack(value))
    elif kind is str:
        _pack_text(out, value)
    elif value is None:
        out.append(b"n")
    elif kind is bool or isinstance(value, np.bool_):
        out.append(b"t" if value else b"f")
    elif isinstance(value, Handle):
        if value._session is not session:
            raise ValueError(f"{value!r} belongs to another session")
        if not value._number:
            raise Error("the world is closed", "stale")
        out += (b"o", INTEGER.pack(value._number), b"s", INTEGER.pack(0))
    elif isinstance(value, dict):
        _pack_dict(session, out, value, depth)
    elif isinstance(value, np.matrix):
        raise TypeError("the engine cannot take a numpy.matrix: convert it by numpy.asarray")
    elif isinstance(value, np.ndarray):
        _pack_array(session, out, value, depth)
    elif isinstance(value, (list, tuple)):
        _pack_list(session, out, value, depth)
    elif isinstance(value, np.longdouble):
        pack_value(session, out, float(value), depth)
    elif isinstance(value, (np.floating, np.integer)):
        pack_value(session, out, value.item(), depth)
    elif isinstance(value, (str, os.PathLike)):
        _pack_text(out, os.fspath(value))
    elif hasattr(value, "__array__"):
        _pack_array(session, out, np.asarray(value), depth)
    elif callable(value):
        out += (b"h", INTEGER.pack(session.hold_function(value)))
    else:
        raise TypeError(f"the engine cannot take a {kind.__name__}")


@functools.lru_cache(maxsize=None)
def pack_name(name):
    """Returns the packed bytes behind the number of an object whose method is called."""
    out = [b"s", INTEGER.pack(0)]
    _pack_text(out, name)
    return b"".join(out)


# ---- unpacking ----

# Results that are 1 to 4 numbers, such as a vector.
_NUMBERS = {9 * n: struct.Struct("=" + "cd" * n) for n in range(1, 5)}


def _unpack_table(session, data, at):
    table = {}
    while True:
        key, at = unpack_value(session, data, at)
        if key is None:
            break
        table[key], at = unpack_value(session, data, at)
    if all(type(k) is int for k in table) and set(table) == set(range(1, len(table) + 1)):
        return [table[i] for i in range(1, len(table) + 1)], at
    return table, at


def unpack_value(session, data, at):
    """Returns the value at a place of packed bytes, and the place behind it."""
    letter = data[at:at + 1]
    at += 1
    if letter == b"d":
        return _DOUBLE.unpack_from(data, at)[0], at + 8
    if letter == b"i":
        return INTEGER.unpack_from(data, at)[0], at + 8
    if letter == b"n":
        return None, at
    if letter in b"tf":
        return letter == b"t", at
    if letter == b"T":
        return _unpack_table(session, data, at)
    size = INTEGER.unpack_from(data, at)[0]
    at += 8
    if letter == b"s":
        return data[at:at + size].decode("utf-8", "surrogateescape"), at + size
    if letter == b"v":
        return np.frombuffer(data, float, size, at).copy(), at + 8 * size
    name, at = unpack_value(session, data, at)  # letter o: size is the number of the object
    return session.make_object(size, name), at


def unpack_values(session, data):
    """Returns all packed values, as a list or tuple."""
    numbers = _NUMBERS.get(len(data))
    if numbers:
        parts = numbers.unpack(data)
        if parts[::2].count(b"d") == len(parts) // 2:
            return parts[1::2]
    at, values = 0, []
    while at < len(data):
        value, at = unpack_value(session, data, at)
        values.append(value)
    return values


def shape_results(values):
    """Returns the results of a call as one value: several numbers become an array, other values a tuple."""
    if len(values) == 1:
        return values[0]
    if not values:
        return None
    kinds = set(map(type, values))
    if float in kinds and kinds <= {float, int}:
        return np.array(values, dtype=float)
    return tuple(values)
