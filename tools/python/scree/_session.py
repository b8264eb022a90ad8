"""Sessions: a Lua state of the engine, its objects and the functions of Python that it calls (scree/session.h)."""

import collections
import os
import pathlib
import threading
import warnings
import weakref

from scree._scree import ffi, lib
from scree._values import (INTEGER, Error, Handle, MissingError, Unique, pack_name, pack_value, raise_error, shape_results,
                           unpack_values)

PACKAGE = pathlib.Path(__file__).resolve().parent
CALL, GET, SET, COUNT, RUN, SCENE = range(6)


class Warning(UserWarning):  # pylint: disable=redefined-builtin
    """A warning of the engine, such as grains that lie inside a wall."""


def library_folder():
    """Returns the folder of the bundled Lua modules, as text."""
    return str(PACKAGE / "lua")


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
    session.inside += 1
    try:
        values = session.functions[function](*unpack_values(session, ffi.buffer(arguments, size)[:]))
        for value in values if isinstance(values, tuple) else () if values is None else (values,):
            pack_value(session, out, value)
    except BaseException as error:  # pylint: disable=broad-exception-caught
        session.pending = error
        out, failed = [f"{type(error).__name__}: {error}".encode()], 1
    finally:
        session.inside -= 1
    session.answer = ffi.from_buffer(b"".join(out) or b"\0")
    result[0] = session.answer
    result_size[0] = sum(map(len, out))
    return failed


@ffi.def_extern(onerror=note_interrupt)
def scree_python_release(context, function):
    """Forgets a Python function to which Lua no longer refers."""
    session = ffi.from_handle(context)
    session.inside += 1
    try:
        session.functions.pop(function, None)
    finally:
        session.inside -= 1


@ffi.def_extern(onerror=note_interrupt)
def scree_python_warn(context, text):
    """Issues a warning of the engine as a Python warning."""
    session = ffi.from_handle(context)
    session.inside += 1
    try:
        warnings.warn(ffi.string(text).decode("utf-8", "replace"), Warning, stacklevel=4)
    except Warning as error:  # filters that make warnings errors: raised once the call is back
        session.pending = error
    finally:
        session.inside -= 1


_COPY = "local copy = {} for key, value in pairs(...) do copy[key] = value end return copy"


class Ended:
    """The lock of a session that does not work in a process made by fork. Every call of the session raises an Error."""

    def __enter__(self):
        raise Error("this process was made by fork while the session had threads or was at work: make the world in this "
                    "process, or use the start method 'spawn' of multiprocessing", "stale")

    def __exit__(self, *_):
        pass


_SESSIONS = weakref.WeakSet()


def end_sessions():
    """In a process made by fork: ends the sessions whose threads, or whose caller, the process does not have."""
    for session in list(_SESSIONS):
        if session.threaded or not session.lock.acquire(blocking=False):
            session.lock = Ended()
        else:
            session.lock.release()


os.register_at_fork(after_in_child=end_sessions)


class Session(Unique):
    """A Lua state of the engine. One thread works in it at a time; several sessions work side by side."""

    def __init__(self, scene=None):
        self.functions, self.answer, self.pending = {}, None, None
        self.threaded = False  # whether a world has more than one thread
        self.inside = 0  # calls of Python by the engine that have not returned; changed under the lock
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
        _SESSIONS.add(self)

    def close(self):
        """Ends the session and all its worlds. Later calls raise an error."""
        with self.lock:
            self.refuse_inside("closed")
            if self.pointer != ffi.NULL:
                lib.scree_session_close(self.pointer)
                self.pointer = ffi.NULL

    def __del__(self):
        if getattr(self, "pointer", None) and not isinstance(self.lock, Ended):
            self.close()

    def refuse_inside(self, verb):
        """Raises an Error if a call of the engine is running. The caller holds the lock."""
        if self.inside:
            raise Error(f"the session cannot be {verb} by a function that the engine calls: wait until the call has returned")

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
        out = [b"o", INTEGER.pack(target._number), pack_name(name)]
        for value in arguments:
            pack_value(self, out, value)
        return shape_results(self.call_packed(CALL, b"".join(out)))

    def call(self, verb, *values):
        """Does what a verb says and returns the list of results."""
        out = []
        for value in values:
            pack_value(self, out, value)
        return self.call_packed(verb, b"".join(out))


class Object(Handle):
    """An object of a session, such as a body, a joint or a function. Its methods are those of the Lua reference."""

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

    def _identify(self):
        """Returns what is equal for handles that Lua compares as equal."""
        identity = ffi.new("uint64_t [2]")
        with self._session.lock:
            lib.scree_session_identify(self._session.pointer, self._number, identity)
        return id(self._session), *(identity if identity[0] else (0, id(self)))

    def __eq__(self, other):
        if not isinstance(other, Object):
            return NotImplemented
        return self is other or self._session is other._session and self._identify() == other._identify()

    def __hash__(self):
        if "_hash" not in vars(self):  # a world that is closed later keeps its place in sets
            self._hash = hash(self._identify())
        return self._hash

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
