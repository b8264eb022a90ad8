"""Worlds and what is in them."""

import contextlib
import operator
import os
import tempfile
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

from scree._describe import add_methods, find_functions, find_table, gather_arguments
from scree._scree import ffi, lib
from scree._arrays import KINDS, View, copy_contacts, copy_values
from scree._values import Checked
from scree._session import CALL, GET, RUN, SET, Error, Object, Session, shape_results

# Longest stretch of steps without a look at signals [s].
_PATIENCE = 0.05
_LOCAL = threading.local()
_STOPPED = set()  # batches whose worlds must not make further steps, because Ctrl-C was pressed


def raise_stopped():
    """Raises KeyboardInterrupt in a thread of a batch that was interrupted."""
    if getattr(_LOCAL, "stop", None) in _STOPPED:
        raise KeyboardInterrupt("the batch was interrupted")


def read_count(count):
    """Returns a number of steps as an int. Raises ValueError for other values."""
    try:
        whole = None if isinstance(count, (bool, str)) else int(count)
    except (TypeError, ValueError, OverflowError):
        whole = None
    if whole is None or whole != count or not 0 <= whole < 1 << 63:
        raise ValueError(f"count must be a whole number from 0 to 2^63, not {count!r}")
    return whole


def read_seed(seed):
    """Returns a seed as an int from 0 to 2^64 - 1. Raises ValueError for other values."""
    whole = None if isinstance(seed, (bool, np.bool_)) or not hasattr(seed, "__index__") else operator.index(seed)
    if whole is None or not 0 <= whole < 1 << 64:
        raise ValueError(f"seed must be a whole number from 0 to 2^64 - 1, not {seed!r}")
    return whole


class State(Object):
    """A state of a world in memory. It does not change, so that its copy is itself."""

    def __deepcopy__(self, memo):
        return self


class Body(Object):
    """A body of a world. It stays valid as long as the body lives."""


class Joint(Object):
    """A joint of a world."""


class Cell(Object):
    """The cell of a periodic world."""


class Geometry(Object):
    """A hull or a mesh."""


class Probe(Object):
    """A measurement that looks again and again."""


class World(Object):
    """A world of rigid bodies in frictional contact. Lengths in m, masses in kg, times in s.

    scree.World(gravity=(0, 0, -9.81), dt="1 ms", seed=1) takes the keys of scree.world of the Lua reference, and
    `seed`, where the random numbers of fills and of w.random start; each world has its own. Methods are those of the Lua reference: keywords are the keys of the
    table that Lua takes. Worlds, geometries and laws belong to a session. One session serves the whole program; scree.batch
    and scree.session() make others, in which threads work at the same time."""

    def __init__(self, *session_number_name, seed=1, **keys):
        self._definition = {"seed": seed, **keys}
        if not session_number_name:
            seed = read_seed(seed)
            session = current_session()
            with session.lock:
                # the world that the call makes is this one
                session.classes["world"] = lambda *parts: parts
                try:
                    (session_number_name,) = session.call(CALL, None, "world", keys)
                finally:
                    session.classes["world"] = World
                session.threaded |= keys.get("threads", 1) != 1
                lib.scree_session_seed_world(session.pointer, session_number_name[1], seed)
        super().__init__(*session_number_name)

    @property
    def _c(self):
        world = self._session.world(self._number)
        if world == ffi.NULL:
            raise Error("the world is closed", "stale")
        return world

    def close(self):
        """Frees the world now, rather than when Python and Lua next collect garbage. The object cannot be used then."""
        self._session.forget(self._number)
        self._number = 0
        self._session.call(RUN, "collectgarbage()", "close")

    def step(self, count=1):
        """Advances by count steps. Ctrl-C stops it within a step or 50 ms, whichever is longer."""
        if type(count) is not int or not 0 <= count < 1 << 63:
            count = read_count(count)
        if not self._number:
            raise Error("the world is closed", "stale")
        if _STOPPED:
            raise_stopped()
        if count == 1:
            return self._session.step(self._number, 1)
        left, size = count, 1
        while left:
            if _STOPPED:
                raise_stopped()
            size = min(size, left)
            start = time.perf_counter()
            self._session.step(self._number, size)
            left -= size
            spent = time.perf_counter() - start
            size = max(1, min(4 * size, int(size * _PATIENCE / max(spent, 1e-9))))

    def save(self):
        """Returns the state of the world in memory. See restore."""
        if not self._number:
            raise Error("the world is closed", "stale")
        return State(self._session, self._session.save(self._number), "state")

    def restore(self, state):
        """Gives the world the state that save returned, of this world or of one that was made in the same way."""
        if not (self._number and type(state) is State and state._session is self._session):
            return self._session.call_method(self, "restore", (state,))  # raises
        self._session.restore(self._number, state._number)

    def clone(self):
        """Returns an independent world of the same state. Its random numbers go on as those of this world."""
        other = self._session.call_method(self, "clone", ())
        other._definition = self._definition
        return other

    # ---- arrays ----

    def view(self, name, writable=False):
        """Returns the live values of all bodies: "position", "orientation", "velocity", "spin", "radius", "mass",
        "id", "group", "kind" or a column. See View."""
        return View(self, name, writable)

    ids = property(lambda self: copy_values(self, "id"), doc="Ids of all bodies, ascending [bodies].")
    positions = property(lambda self: copy_values(self, "position"), doc="Centres of mass in id order [bodies, 3] [m].")
    velocities = property(lambda self: copy_values(self, "velocity"), doc="Velocities in id order [bodies, 3] [m/s].")
    spins = property(lambda self: copy_values(self, "spin"), doc="Angular velocities in id order [bodies, 3] [rad/s].")
    orientations = property(lambda self: copy_values(self, "orientation"),
                            doc="Unit quaternions w, x, y, z in id order [bodies, 4].")
    radii = property(lambda self: copy_values(self, "radius"), doc="Radii of bounding spheres in id order [bodies] [m].")
    masses = property(lambda self: copy_values(self, "mass"), doc="Masses in id order [bodies] [kg].")
    groups = property(lambda self: copy_values(self, "group"), doc="Groups in id order [bodies].")
    kinds = property(lambda self: KINDS[copy_values(self, "kind") % 3],
                     doc='"dynamic", "kinematic" or "fixed" in id order [bodies].')

    @property
    def contacts(self):
        """The contacts of the last step as a structured array: body1, body2, point, normal, gap, impulse, ...

        The normal points from body 2 to body 1. Impulse and moment act on body 1."""
        return copy_contacts(self)

    @property
    def state(self):
        """A copy of w.state: plain data that belongs to the world. Assign a dict to change it."""
        return shape_results(self._session.call(GET, self, "state"))

    @state.setter
    def state(self, value):
        if not isinstance(value, dict):
            raise TypeError("the state of a world is a dict")
        self._session.call(SET, self, "state", value)

    # ---- states ----

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self.clone()

    def __reduce_ex__(self, protocol):
        return _make_blank, (), self.__getstate__()

    def __getstate__(self):
        if any(callable(v) for v in self._definition.values()):
            raise TypeError("a world with functions cannot be pickled")
        with self._session.lock:
            moved = lib.scree_session_motion(self._session.pointer, self._number)
        if moved:
            body = self.body_of(moved)
            raise TypeError(f"the world cannot be pickled: the motion of body {body.name() or moved} is not in the data")
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "state")
            self.save().write(file)
            with open(file, "rb") as source:
                data = source.read()
        try:  # a hull, a mesh or a law of a script is not in the data
            World.__new__(World).__setstate__((self._definition, data))
        except Error as error:
            raise TypeError(f"the world cannot be pickled: {error}") from None
        return self._definition, data

    def __setstate__(self, packed):
        definition, data = packed
        World.__init__(self, **definition)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "state")
            with open(file, "wb") as out:
                out.write(data)
            (state,) = self._session.call(CALL, None, "read_state", file)
            self.restore(state)

    def __repr__(self):
        try:
            return f"<scree.World: {self.count()} dynamic bodies, t = {self.time():g} s>"
        except Error:
            return "<scree.World: closed>"


def _make_blank():
    """Returns a world without an engine behind it, for pickle."""
    return World.__new__(World)


add_methods(World, "scree.World", skip=("step", "view", "contacts"))
add_methods(Body, "scree.Body")
add_methods(Joint, "scree.Joint")
add_methods(Cell, "scree.Cell")
add_methods(Geometry, "scree.Geometry")
add_methods(State, "scree.State")
CLASSES = {"world": World, "body": Body, "joint": Joint, "cell": Cell, "geometry": Geometry, "state": State,
           "probe": Probe, "profile": Probe}


class Module:
    """A bundled module, such as scree.servo or scree.obstacle. Its functions take the world first."""

    def __init__(self, path):
        self._path = path
        functions = find_functions("scree." + path)
        self.__doc__ = (f"The module scree.{path} of the Lua reference. Functions: "
                        + ", ".join(sorted(functions))) if functions else None

    def __dir__(self):
        return sorted(find_functions("scree." + self._path))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return Function(f"{self._path}.{name}")

    def __repr__(self):
        return f"<scree module '{self._path}'>"


class Function:
    """A function of a bundled module. The session is that of the first object among its arguments."""

    def __init__(self, path):
        self._path, self.__name__ = path, path.rpartition(".")[2]
        module, name = path.rpartition(".")[::2]
        described = find_functions("scree." + module).get(name) if module else find_functions("scree").get(name)
        table = find_table(described) if described else None
        self._before = table[1] if table else None
        self.__doc__ = described["doc"] if described else None

    def __repr__(self):
        return f"<scree function '{self._path}'>"

    def __call__(self, *arguments, **keys):
        values = gather_arguments(arguments, keys, self._before)
        session = find_session(values) or current_session()
        if self._path == "law.define" and values and isinstance(values[0], dict) and callable(values[0].get("refresh")):
            values = ({**values[0], "refresh": wrap_refresh(session, values[0]["refresh"])}, *values[1:])
        return shape_results(session.call(CALL, None, self._path, *values))


# Python gets plain copies of the tables as dicts. The values that refresh leaves in its dicts are copied back.
_REFRESH = """local f = ... local function plain(t) local u = {} for k, v in pairs(t) do u[k] = v end return u end \
return function(p, s, c) local q, r = f(plain(p), plain(s), plain(c)) \
for k in pairs(p) do p[k] = q[k] end for k in pairs(s) do s[k] = r[k] end end"""


def wrap_refresh(session, function):
    """Returns a Lua function that calls a function refresh(p, s, c) of Python, whose changes of p and s take effect."""
    if isinstance(function, Object):
        return function

    def call(p, s, c):
        function(p, s, c)
        return p, s
    code = getattr(function, "__code__", None)
    place, line = (os.path.basename(code.co_filename), code.co_firstlineno) if code else ("refresh", 1)
    return session.call(RUN, "\n" * (line - 1) + _REFRESH.replace("\n", " "), "=" + place, call)[0]


def find_session(values):
    """Returns the session of the first object in nested values, None without one."""
    for value in values.values() if isinstance(values, dict) else values:
        if isinstance(value, Object):
            return value._session
        if isinstance(value, (dict, list, tuple)):
            found = find_session(value)
            if found:
                return found
    return None


_DEFAULT = []


def make_session():
    """Returns a new session that knows the classes of the package."""
    new = Session()
    new.classes.update(CLASSES)
    return new


def current_session():
    """Returns the session in which new worlds, geometries and laws are made."""
    if getattr(_LOCAL, "session", None):
        return _LOCAL.session
    if not _DEFAULT:
        _DEFAULT.append(make_session())
    return _DEFAULT[0]


@contextlib.contextmanager
def session():
    """A block whose worlds, geometries and laws belong to a session of their own: `with scree.session(): ...`.

    Threads may step worlds of different sessions at the same time. Objects of two sessions do not mix."""
    before = getattr(_LOCAL, "session", None)
    _LOCAL.session = make_session()
    try:
        yield _LOCAL.session
    finally:
        _LOCAL.session = before


_BATCHES = weakref.WeakSet()


def renew_pools():
    """Makes new threads for the batches, in a process made by fork, which has none."""
    for one in list(_BATCHES):
        one._make_pool()


os.register_at_fork(after_in_child=renew_pools)


class Batch(Checked):
    """Worlds that are stepped side by side on all threads, with the bits of one by one."""

    worlds: list

    def __init__(self, worlds, threads=None):
        self.worlds = list(worlds)
        if len({w._session for w in self.worlds}) != len(self.worlds):
            raise ValueError("each world of a batch needs a session of its own: make it within `with scree.session():`")
        if threads is not None and (type(threads) is not int or threads < 1):
            raise ValueError(f"threads must be a positive whole number, not {threads!r}")
        self._threads = threads or os.cpu_count()
        self._make_pool()
        _BATCHES.add(self)

    def _make_pool(self):
        self._pool = ThreadPoolExecutor(self._threads)

    def step(self, count=1):
        """Advances every world by count steps. The first error is raised once all have stopped. See map."""
        count = read_count(count)
        self.map(lambda w: w.step(count))

    def map(self, function):
        """Returns the list of function(world) for every world, computed side by side.

        The first error is raised once all have stopped. After Ctrl-C each world stops at its next step."""
        stop = object()

        def work(world):
            _LOCAL.stop = stop
            return function(world)
        tasks = [self._pool.submit(work, w) for w in self.worlds]
        try:
            wait(tasks)
        except BaseException:
            _STOPPED.add(stop)
            for task in tasks:
                task.cancel()
            wait(tasks)
            _STOPPED.discard(stop)
            raise
        return [task.result() for task in tasks]

    def __len__(self):
        return len(self.worlds)

    def __getitem__(self, i):
        return self.worlds[i]

    def __iter__(self):
        return iter(self.worlds)


def batch(n, make, threads=None):
    """Makes n worlds by make(i), each in a session of its own, and returns them as a Batch."""
    worlds = []
    for i in range(n):
        with session():
            worlds.append(make(i))
    return Batch(worlds, threads)
