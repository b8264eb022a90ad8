"""Arrays of a world: copies of the values of its bodies and contacts, and live views."""

import numpy as np

from scree._scree import ffi, lib
from scree._session import CALL
from scree._values import Checked, Error, Unique

_VIEWS = {"position": 3, "orientation": 4, "velocity": 3, "spin": 3, "radius": 1, "mass": 1, "id": 1, "group": 1, "kind": 1}
_WHOLE = ("id", "group", "kind")
KINDS = np.array(["dynamic", "kinematic", "fixed"])


def make_dtype(name):
    """Returns the NumPy dtype of a C struct of numbers and lists of numbers."""
    struct = ffi.typeof(name)
    names, formats, offsets = [], [], []
    for member, field in struct.fields:
        shape, kind = (), field.type
        while kind.kind == "array":
            shape, kind = (*shape, kind.length), kind.item
        letter = "f" if kind.cname in ("double", "float") else "i"
        if kind.kind not in ("primitive", "enum"):
            continue
        names.append(member)
        formats.append((f"{letter}{ffi.sizeof(kind)}", shape))
        offsets.append(field.offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(struct)})


CONTACT = make_dtype("scree_contact")


def map_view(world, name, writable=False):
    """Returns the live array of a kind of view or of a column, in the engine's order. The caller holds the lock."""
    rows = ffi.new("int64_t *")
    if name in _VIEWS:
        data = ffi.new("void **")
        columns = lib.scree_world_view(world._c, getattr(lib, "SCREE_VIEW_" + name.upper()), data, rows)
        if not columns:
            raise Error(f"no memory for the view '{name}'", "memory")
        kind, stride, start = ("i8" if name in _WHOLE else "f8"), columns, data[0]
    else:
        count = lib.scree_world_columns_count(world._c)
        names = [ffi.string(lib.scree_world_column(world._c, i).name).decode() for i in range(count)]
        if name not in names:
            world._session.call(CALL, world, "view", name)  # raises with the nearest name
        strides = ffi.new("int *")
        start = lib.scree_world_column_values(world._c, names.index(name), rows, strides)
        columns, kind, stride = 1, "f8", strides[0]
    if not rows[0]:
        return np.empty((0, columns) if columns > 1 else 0, kind)
    flat = np.frombuffer(ffi.buffer(start, 8 * (stride * (rows[0] - 1) + columns)), kind)
    shape, strides = ((rows[0], columns), (8 * stride, 8)) if columns > 1 else ((rows[0],), (8 * stride,))
    array = np.lib.stride_tricks.as_strided(flat, shape, strides, writeable=writable)
    if writable and (name in _WHOLE or name in ("radius", "mass")):
        raise ValueError(f"the view '{name}' is read-only")
    return array


def copy_values(world, name):
    """Returns the values of a kind of view in the order of ids."""
    with world._session.lock:
        return map_view(world, name)[np.argsort(map_view(world, "id"), kind="stable")]


def copy_contacts(world):
    """Returns the contacts of the last step as a structured array."""
    with world._session.lock:
        pointer = world._c
        out = np.zeros(lib.scree_world_contacts_count(pointer), CONTACT)
        if len(out):
            lib.scree_python_contacts(pointer, ffi.cast("scree_contact *", ffi.from_buffer(out)), len(out))
        return out


class View(Unique, Checked, np.lib.mixins.NDArrayOperatorsMixin):
    """Live values of all bodies. Rows are in the engine's order; the view "id" tells which body has a row.

    A view is read-only unless it was made with writable=True. It raises an Error once the world has changed by a
    step, a new body or a removed one. numpy.asarray(view) is a copy; arithmetic with the view works on the live
    values."""

    def __init__(self, world, name, writable=False):
        self._world, self._name, self._writable = world, name, writable
        with world._session.lock:
            self._array = map_view(world, name, writable)
            self._version = lib.scree_world_version(world._c)

    def _live(self):
        """Returns the live array. The caller holds the lock of the session."""
        if lib.scree_world_version(self._world._c) != self._version:
            raise Error(f"the view '{self._name}' is out of date: the world has changed since; take it anew with "
                        "world.view", "stale")
        return self._array

    def _copy(self):
        with self._world._session.lock:
            return self._live().copy()

    def _look(self):
        with self._world._session.lock:
            return self._live()

    shape = property(lambda self: self._look().shape)
    dtype = property(lambda self: self._look().dtype)
    ndim = property(lambda self: self._look().ndim)

    def __len__(self):
        return len(self._look())

    def __getitem__(self, key):
        with self._world._session.lock:
            return np.array(self._live()[key])[()]

    def __setitem__(self, key, value):
        with self._world._session.lock:
            array = self._live()
            if not self._writable:
                raise ValueError(f"the view '{self._name}' is read-only; world.view(name, writable=True) is not")
            if lib.scree_session_is_stepping(self._world._session.pointer, self._world._number):
                raise Error(f"the view '{self._name}' cannot be written while the world makes a step")
            new = np.asarray(value, dtype=array.dtype)
            if not np.isfinite(new).all():
                raise ValueError(f"values of the view '{self._name}' must be finite")
            array[key] = new

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError(f"an array of the view '{self._name}' is always a copy")
        return np.asarray(self._copy(), dtype=dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keys):
        if out is not None and any(isinstance(o, View) for o in out):
            raise ValueError("change a view by assignment: view[:] = ...")
        return getattr(ufunc, method)(*(i._copy() if isinstance(i, View) else i for i in inputs),
                                      **({"out": out} if out else {}), **keys)

    def __repr__(self):
        try:
            return f"<scree.View '{self._name}' {self._copy()!r}>"
        except Error:
            return f"<scree.View '{self._name}': out of date>"
