"""Sessions: a Lua state of the engine, and the packed values that cross its border (scree/session.h)."""

import collections
import functools
import os
import pathlib
import struct
import threading
import warnings

import numpy as np

from scree._scree import ffi, lib

PACKAGE = pathlib.Path(__file__).resolve().parent
CALL, GET, SET, COUNT, RUN, SCENE = range(6)
_INTEGER = struct.Struct("=q")
_DOUBLE = struct.Struct("=d")
_DEPTH_MAX = 60


class Error(Exception):
    """An error of the engine or of a script. `status` is its kind, such as "argument" or "numeric"."""

    def __init__(self, text, status="argument"):
        super().__init__(text)
        self.status = status


class MissingError(Error, AttributeError):
    """An object has no member of that name."""


class Warning(UserWarning):  # pylint: disable=redefined-builtin
    """A warning of the engine, such as grains that lie inside a wall."""


def library_folder():
    """Returns the folder of the bundled Lua modules, as text."""
    return str(PACKAGE / "lua")


def raise_error(error):
    """Raises what a call of the engine reported."""
    text = ffi.string(error.text).decode("utf-8", "replace")
    raise Error(text, ffi.string(lib.scree_status_name(error.status)).decode())


# ---- packing ----

def _pack_text(out, text):
    data = text.encode()
    out += (b"s", _INTEGER.pack(len(data)), data)


def _pack_numbers(out, array):
    out += (b"v", _INTEGER.pack(array.size), np.ascontiguousarray(array, dtype=float).tobytes())


def _pack_list(session, out, values, depth):
    if values and all(type(v) is float for v in values):
        out += (b"v", _INTEGER.pack(len(values)), struct.pack(f"={len(values)}d", *values))
        return
    out.append(b"T")
    for i, value in enumerate(values, 1):
        if value is None:
            raise TypeError("a list for the engine may not hold None")
        out += (b"i", _INTEGER.pack(i))
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
        out += (b"i", _INTEGER.pack(value))
    elif kind is str:
        _pack_text(out, value)
    elif value is None:
        out.append(b"n")
    elif kind is bool or isinstance(value, np.bool_):
        out.append(b"t" if value else b"f")
    elif isinstance(value, Object):
        if value._session is not session:
            raise ValueError(f"{value!r} belongs to another session")
        if not value._number:
            raise Error("the world is closed", "stale")
        out += (b"o", _INTEGER.pack(value._number), b"s", _INTEGER.pack(0))
    elif isinstance(value, dict):
        _pack_dict(session, out, value, depth)
    elif isinstance(value, np.ndarray):
        _pack_array(session, out, value, depth)
    elif isinstance(value, (list, tuple)):
        _pack_list(session, out, value, depth)
    elif isinstance(value, (np.floating, np.integer)):
        pack_value(session, out, value.item(), depth)
    elif isinstance(value, (str, os.PathLike)):
        _pack_text(out, os.fspath(value))
    elif hasattr(value, "__array__"):
        _pack_array(session, out, np.asarray(value), depth)
    elif callable(value):
        out += (b"h", _INTEGER.pack(session.hold_function(value)))
    else:
        raise TypeError(f"the engine cannot take a {kind.__name__}")


@functools.lru_cache(maxsize=None)
def pack_name(name):
    """Returns the packed bytes behind the number of an object whose method is called."""
    out = [b"s", _INTEGER.pack(0)]
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
        return _INTEGER.unpack_from(data, at)[0], at + 8
    if letter == b"n":
        return None, at
    if letter in b"tf":
        return letter == b"t", at
    if letter == b"T":
        return _unpack_table(session, data, at)
    size = _INTEGER.unpack_from(data, at)[0]
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


# ---- functions that scree calls ----

_INTERRUPTED = []  # exceptions that arose before or after the body of a function that scree calls, such as Ctrl-C


def note_interrupt(_kind, error, _trace):
    """Keeps an exception that a function called by scree could not handle itself."""
    _INTERRUPTED.append(error)


def raise_interrupt():
    """Raises an exception that note_interrupt kept."""
    if _INTERRUPTED:
        error = _INTERRUPTED[0]
        _INTERRUPTED.clear()
        raise error


@ffi.def_extern(error=1, onerror=note_interrupt)
def scree_python_call(context, function, arguments, size, result, result_size):
    """Calls a Python function for Lua."""
    session = ffi.from_handle(context)
    out, failed = [], 0
    try:
        values = session.functions[function](*unpack_values(session, ffi.buffer(arguments, size)[:]))
        for value in values if isinstance(values, tuple) else () if values is None else (values,):
            pack_value(session, out, value)
    except BaseException as error:  # pylint: disable=broad-exception-caught
        session.pending = error
        out, failed = [f"{type(error).__name__}: {error}".encode()], 1
    session.answer = ffi.from_buffer(b"".join(out) or b"\0")
    result[0] = session.answer
    result_size[0] = sum(map(len, out))
    return failed


@ffi.def_extern(onerror=note_interrupt)
def scree_python_release(context, function):
    """Forgets a Python function to which Lua no longer refers."""
    ffi.from_handle(context).functions.pop(function, None)


@ffi.def_extern(onerror=note_interrupt)
def scree_python_warn(context, text):
    """Issues a warning of the engine as a Python warning."""
    session = ffi.from_handle(context)
    try:
        warnings.warn(ffi.string(text).decode("utf-8", "replace"), Warning, stacklevel=4)
    except Warning as error:  # filters that make warnings errors: raised once the call is back
        session.pending = error


_COPY = "local copy = {} for key, value in pairs(...) do copy[key] = value end return copy"


class Unique:  # pylint: disable=too-few-public-methods
    """An object that stands for something in the engine. A second Python object would free it twice."""

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        raise TypeError(f"{self!r} cannot be copied")

    def __reduce_ex__(self, protocol):
        raise TypeError(f"{self!r} cannot be pickled")


class Session(Unique):
    """A Lua state of the engine. One thread works in it at a time; several sessions work side by side."""

    def __init__(self, scene=None):
        self.functions, self.answer, self.pending = {}, None, None
        self.classes = {}
        self._next, self._dead, self.lock = 1, collections.deque(), threading.RLock()
        self._context = ffi.new_handle(self)
        self._library = ffi.new("char[]", library_folder().encode())
        definition = ffi.new("scree_session_def *", lib.scree_session_defaults())
        definition.library, definition.context = self._library, self._context
        definition.call, definition.release = lib.scree_python_call, lib.scree_python_release
        definition.warn = lib.scree_python_warn
        error = ffi.new("scree_error *")
        if scene is not None:
            self.pointer = lib.scree_scene_session(scene, definition, error)
        else:
            self.pointer = lib.scree_session_open(definition, error)
        self._error, self._result, self._size = error, ffi.new("void **"), ffi.new("size_t *")
        if self.pointer == ffi.NULL:
            raise_error(error)

    def close(self):
        """Ends the session and all its worlds. Later calls raise an error."""
        with self.lock:
            if self.pointer != ffi.NULL:
                lib.scree_session_close(self.pointer)
                self.pointer = ffi.NULL

    def __del__(self):
        if getattr(self, "pointer", None):
            self.close()

    def hold_function(self, function):
        """Returns the number by which Lua knows a Python function from now on."""
        self._next += 1
        self.functions[self._next] = function
        return self._next

    def forget(self, number):
        """Ends the hold on an object, at the next call. Any thread may call it."""
        self._dead.append(number)

    def make_object(self, number, name):
        """Returns the Python object for an object that the session holds."""
        if name.endswith(".report"):  # a table that refuses unknown names; a dict does so too
            table = Object(self, number, name)
            return self.copy_table(table)
        return self.classes.get(name, Object)(self, number, name)

    def copy_table(self, table):
        """Returns a table of Lua that refuses changes or unknown names as a dict."""
        return self.call(RUN, _COPY, "copy", table)[0]

    def world(self, number):
        """Returns the C world behind an object."""
        return lib.scree_session_world(self.pointer, number)

    def _release(self):
        """Ends the holds on objects that Python has forgotten."""
        while self._dead:
            lib.scree_session_release(self.pointer, self._dead.popleft())

    def _fail(self, failed):
        """Raises what a function of Python raised during a call, or else the error of the call if it failed."""
        if self.pointer == ffi.NULL:
            raise Error("the session is closed", "stale")
        if self.pending is not None:
            pending, self.pending = self.pending, None
            raise pending
        raise_interrupt()
        if failed:
            raise_error(self._error)

    def call_packed(self, verb, data):
        """Calls with packed bytes and returns the list of results."""
        with self.lock:
            if self._dead:
                self._release()
            status = lib.scree_session_call(self.pointer, verb, data, len(data), self._result, self._size, self._error)
            if status or self.pending is not None or _INTERRUPTED:
                self._fail(status)
            size = self._size[0]
            return unpack_values(self, ffi.buffer(self._result[0], size)[:]) if size else []

    def step(self, world, count):
        """Calls the method step of the world with this number."""
        with self.lock:
            if self._dead:
                self._release()
            status = lib.scree_session_step(self.pointer, world, count, self._error)
            if status or self.pending is not None or _INTERRUPTED:
                self._fail(status)

    def save(self, world):
        """Calls the method save of the world with this number. Returns the number of the state."""
        with self.lock:
            if self._dead:
                self._release()
            number = lib.scree_session_save(self.pointer, world, self._error)
            if not number or self.pending is not None or _INTERRUPTED:
                self._fail(not number)
            return number

    def restore(self, world, state):
        """Calls the method restore of the world with this number. state: number of the state."""
        with self.lock:
            if self._dead:
                self._release()
            status = lib.scree_session_restore(self.pointer, world, state, self._error)
            if status or self.pending is not None or _INTERRUPTED:
                self._fail(status)

    def call_method(self, target, name, arguments):
        """Calls a method of an object of this session and returns its results as one value."""
        if not target._number:
            raise Error("the world is closed", "stale")
        out = [b"o", _INTEGER.pack(target._number), pack_name(name)]
        for value in arguments:
            pack_value(self, out, value)
        return shape_results(self.call_packed(CALL, b"".join(out)))

    def call(self, verb, *values):
        """Does what a verb says and returns the list of results."""
        out = []
        for value in values:
            pack_value(self, out, value)
        return self.call_packed(verb, b"".join(out))


class Object(Unique):
    """An object of a session, such as a body, a joint or a function. Its methods are those of the Lua reference."""

    def __init__(self, session, number, name):
        self._session, self._number, self._name = session, number, name

    def __del__(self):
        try:
            self._session.forget(self._number)
        except AttributeError:
            pass

    def __repr__(self):
        return f"<scree.{self._name.capitalize() or 'Object'} {self._number}>"

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            value = shape_results(self._session.call(GET, self, name))
        except Error as error:
            raise MissingError(str(error), error.status) from None
        if value is None:
            raise MissingError(f"the object has no '{name}'")
        if isinstance(value, Object) and not value._name:
            return Method(self, name)
        return value

    def __getitem__(self, key):
        return shape_results(self._session.call(GET, self, key + 1 if isinstance(key, int) else key))

    def __setitem__(self, key, value):
        self._session.call(SET, self, key + 1 if isinstance(key, int) else key, value)

    def __len__(self):
        return self._session.call(COUNT, self)[0]

    def __bool__(self):
        return True

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __call__(self, *arguments):
        return shape_results(self._session.call(CALL, self, "", *arguments))


class Method:
    """A method of an object. Keyword arguments become the table that the Lua method takes."""

    def __init__(self, target, name, before=None):
        self._target, self.__name__, self._before = target, name, before

    def __repr__(self):
        return f"<method {self.__name__} of {self._target!r}>"

    def __call__(self, *arguments, **keys):
        return self._target._session.call_method(self._target, self.__name__,
                                                 gather_arguments(arguments, keys, self._before))


def gather_arguments(arguments, keys, before):
    """Returns the arguments of a Lua function: keywords become its table.

    Arguments from place `before` on, the place of that table, are entries of its list: pair("a", "b", mu=0.3).
    before: None if the function takes no such table."""
    if not keys and (before is None or len(arguments) <= before or isinstance(arguments[before], dict)):
        return arguments
    split = len(arguments) if before is None else before
    table = dict(enumerate(arguments[split:], 1))
    if any(isinstance(v, dict) for v in arguments[split:]):
        raise TypeError("give one dict or keywords, not both")
    return (*arguments[:split], {**table, **keys})
