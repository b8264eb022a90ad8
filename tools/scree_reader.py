#!/usr/bin/env python3
"""Reads scree trajectories without scree: standard library only, arrays by NumPy where it is installed.

    from scree_reader import Trajectory
    with Trajectory("runs/channel/trajectory.scree") as run:
        print(len(run), run.meta)
        for frame in run:
            print(frame.time, frame.id[0], frame.position[0])     # x, y, z [m]

    python3 scree_reader.py FILE            prints a summary of the file
    python3 scree_reader.py FILE --csv      prints every frame as CSV

This reader was written from docs/file-format.md, independently of the engine's reader; tests compare the two bit for bit. A file stores
most frames as changes of the previous frame, so reading in order is fast, and reading frame i starts at the last key frame up to i. The
fields of a frame are decoded at their first use: a program that reads only positions does not decode orientations, shapes and contacts.
"""
import json
import math
import struct
import sys
import zlib

try:
    if "--no-numpy" in sys.argv:
        raise ImportError
    import numpy as np
except ImportError:
    np = None

MAGIC = b"\x8dscr\r\n\x1a\n"
CHUNK = struct.Struct("<4sI4sHHQQQQII")       # mark, crc, type, codec, flags, stored, raw, number, value, crc of payload, extra
COLUMN = struct.Struct("<HBBBBBxQdQ")         # id, word, predictor, width, components, packing, rows, quantum, stored
FRAME = struct.Struct("<IIdqQQQQIId")         # version, flags, time, step, number, bodies, shapes, contacts, columns, zero, dt
KEY, ALL_SHAPES = 1, 2
WHOLE, DOUBLE, QUANTUM, FLOAT = range(4)
NONE, ROW, LAST, MOTION = range(4)
ID, DEATHS, GROUP, KIND, RADIUS, MASS = range(1, 7)
VELOCITY, SPIN, POSITION, CHART, ORIENTATION = range(16, 21)
CELL, SHAPE_BODY, CONTACT_BODY1 = 24, 32, 48
SHAPE_COLUMNS = ("body", "type", "material", "radius", "length", "size", "normal", "position", "orientation")
SHAPE_GEOMETRY, SHAPE_OWN, CONTACT_IMAGE, CONTACT_MOMENT, INERTIA = 41, 42, 55, 58, 7
CONTACT_COLUMNS = ("body1", "body2", "point", "normal", "gap", "impulse")
SHAPES = ("sphere", "capsule", "halfspace", "box", "cylinder", "cone", "ellipsoid", "hull", "mesh")   # for files without the chunk SHPN
MASK = (1 << 64) - 1


class FormatError(Exception):
    """Raised where a file is damaged or is not a scree trajectory."""


class Frame:
    """State at one time. Attributes: time [s], step and dt (length of the step [s], 0: unknown); per body, by ascending id: id, group, kind (0 dynamic, 1 kinematic, 2 fixed),
    radius [m], mass [kg], position [m], orientation (w,x,y,z), velocity [m/s], spin [rad/s]; inertia (xx,xy,xz,yy,yz,zz about the
    centre in the body's axes [kg m2], zeros: a solid ball or not dynamic; None: all zeros); shapes and contacts as dictionaries of
    columns. A field that the run did not store is None. cell is None except in periodic worlds, where it is a dictionary: matrix (three
    rows; its columns are the edges [m]), gradient (velocity gradient [1/s]), origin [m], volume [m3], periodic (a flag per edge); positions
    are not wrapped into the cell. With NumPy a field of k components is an array of shape (bodies, k)."""

    def __init__(self):
        self.later = {}     # fields not decoded yet: name -> (Later, index into its values)

    def __getattr__(self, name):
        later = self.__dict__.get("later", {}).get(name)
        if later is None:
            raise AttributeError(name)
        value = later[0].get()[later[1]]
        setattr(self, name, value)
        return value


class Later:
    """Fields of a frame that are decoded at their first use, from the same fields of the previous frame."""

    def __init__(self, before, decode):
        self.before, self.decode, self.values = before, decode, None
        self.depth = 0 if before is None or before.values is not None else before.depth + 1
        if self.depth > 64:     # limits the memory of columns that are not decoded yet
            before.get()
            self.depth = 0

    def get(self):
        chain, link = [], self
        while link is not None and link.values is None:
            chain.append(link)
            link = link.before
        while chain:
            link = chain.pop()
            try:
                link.values = link.decode(link.before.values if link.before is not None else None)
            except (KeyError, IndexError, ValueError, struct.error, zlib.error) as error:
                raise FormatError(f"a field is damaged: {error}") from error
            link.before = link.decode = None    # frees the previous frame
        return self.values


# ---- words: columns of 64-bit numbers, one list or NumPy array per component ----

def unpack(column, payload):
    """Joins the byte planes of a column and undoes zigzag. Returns one list per component: words, or deltas (the rests of the file format)
    if the column has a predictor."""
    rows, parts, width = column["rows"], column["components"], column["width"]
    if column["packing"]:
        payload = zlib.decompress(payload)
    count = rows * parts
    if len(payload) != count * width:
        raise FormatError("a column has the wrong size")
    zigzag = column["predictor"] != NONE or column["word"] not in (DOUBLE, FLOAT)
    if np is not None:
        planes, kind = np.frombuffer(payload, np.uint8).reshape(width, count), np.dtype(f"u{width}").type
        words = planes[0].astype(kind)
        for b in range(1, width):
            words |= planes[b].astype(kind) << kind(8 * b)
        if zigzag:
            words = ((words >> kind(1)) ^ (kind(0) - (words & kind(1)))).view(f"i{width}").astype(np.int64).view(np.uint64)
        return words.astype(np.uint64, copy=False).reshape(parts, rows)
    words = [sum(payload[b * count + i] << 8 * b for b in range(width)) for i in range(count)]
    if zigzag:
        words = [(w >> 1) ^ (MASK if w & 1 else 0) for w in words]
    return [words[c * rows:(c + 1) * rows] for c in range(parts)]


def quanta(values, quantum):
    """Returns values / quantum rounded to whole numbers, as words; 0 where that is not finite or not below 2^50."""
    if np is not None:
        with np.errstate(all="ignore"):
            q = np.rint(values / quantum)
            good = np.abs(q) < 2.0 ** 50
            if not good.all():
                q = np.where(good, q, 0.0)
        return q.astype(np.int64).view(np.uint64)
    out = []
    for v in values:
        q = v / quantum
        out.append(round(q) & MASK if math.isfinite(q) and abs(q) < 2.0 ** 50 else 0)  # round() rounds half to even, as rint does
    return out


def as_words(values, word, quantum):
    if word == QUANTUM:
        return quanta(values, quantum)
    if word == DOUBLE:
        if np is not None:
            return np.ascontiguousarray(values).view(np.uint64)
        return [struct.unpack("<Q", struct.pack("<d", v))[0] for v in values]
    raise FormatError("this kind of word has no prediction from the last frame")


def as_values(words, word, quantum):
    """Converts words of any kind to doubles."""
    if np is not None:
        if word == DOUBLE:
            return words.view(np.float64)
        if word == FLOAT:
            return words.astype(np.uint32).view(np.float32).astype(np.float64)
        return words.view(np.int64).astype(np.float64) * quantum
    if word == DOUBLE:
        return [struct.unpack("<d", struct.pack("<Q", w))[0] for w in words]
    if word == FLOAT:
        return [struct.unpack("<f", struct.pack("<I", w))[0] for w in words]
    return [float(signed(w)) * quantum for w in words]


def signed(word):
    return word - (1 << 64) if word >> 63 else word


def add_rows(rests):
    """Returns running sums of deltas: the previous row predicts each word."""
    if np is not None:
        return np.cumsum(rests, axis=-1, dtype=np.uint64)
    out, last = [], 0
    for r in rests:
        last = (last + r) & MASK
        out.append(last)
    return out


def add_last(rests, expected, before):
    """Returns words: delta plus prediction for bodies of the last frame, running sums of deltas for new bodies. expected: predictions by
    row of the last frame. before: each body's row in the last frame, -1 for new bodies; with NumPy None if both frames have the same
    bodies. With NumPy the arguments hold all components."""
    if np is not None:
        if before is None:
            return rests + expected
        words, born = np.array(rests, np.uint64), before < 0
        words[..., ~born] += expected[..., before[~born]]
        words[..., born] = np.cumsum(rests[..., born], axis=-1, dtype=np.uint64)
        return words
    out, last = [], 0
    for r, b in zip(rests, before):
        if b < 0:
            last = (last + r) & MASK
            out.append(last)
        else:
            out.append((r + expected[b]) & MASK)
    return out


def moved(last, last_velocity, velocity, before, dt):
    """Returns x0 + dt/2 (v0 + v1) by row of the last frame; the values of removed bodies are meaningless."""
    if np is not None:
        now = velocity
        if before is not None:
            now, alive = np.zeros(last.shape), before >= 0
            now[..., before[alive]] = velocity[..., alive]
        with np.errstate(all="ignore"):
            return last + 0.5 * dt * (last_velocity + now)
    out = list(last)
    for row, b in enumerate(before):
        if b >= 0:
            out[b] = last[b] + 0.5 * dt * (last_velocity[b] + velocity[row])
    return out


# ---- orientations ----

def advance(q0, w0, w1, dt):
    """Returns quaternion q0 rotated by the mean of two spins over dt, in the order of operations that the file format prescribes. Works on
    numbers and on arrays."""
    f = dt / 256
    h = [1.0] + [f * (w0[k] + w1[k]) for k in range(3)]
    root = np.sqrt if np is not None else math.sqrt
    n = root(1 + (h[1] * h[1] + h[2] * h[2] + h[3] * h[3]))
    h = [h[k] / n for k in range(4)]
    for _ in range(6):
        s = 2 * h[0]
        h = [h[0] * h[0] - (h[1] * h[1] + h[2] * h[2] + h[3] * h[3]), h[1] * s, h[2] * s, h[3] * s]
    return [h[0] * q0[0] - h[1] * q0[1] - h[2] * q0[2] - h[3] * q0[3], h[0] * q0[1] + h[1] * q0[0] + h[2] * q0[3] - h[3] * q0[2],
            h[0] * q0[2] + h[2] * q0[0] + h[3] * q0[1] - h[1] * q0[3], h[0] * q0[3] + h[3] * q0[0] + h[1] * q0[2] - h[2] * q0[1]]


def chart_of(q):
    """Returns the index of the quaternion component of largest magnitude; of equal ones the first."""
    if np is not None:
        best, most = np.zeros(len(q[0]), np.int64), np.abs(q[0])
        for k in range(1, 4):
            larger = np.abs(q[k]) > most
            best[larger] = k
            most = np.where(larger, np.abs(q[k]), most)
        return best
    best = 0
    for k in range(1, 4):
        if abs(q[k]) > abs(q[best]):
            best = k
    return best


def decode_orientations_numpy(rests, charts, predicted, before, quantum):
    n = rests.shape[1]
    row, chart, words = np.arange(n), charts.astype(np.int64) & 3, rests
    if predicted is not None:
        alive = slice(None) if before is None else np.flatnonzero(before >= 0)
        q = predicted if before is None else predicted[:, before[alive]]
        chart[alive] = (chart_of(q) + chart[alive]) & 3
        now, every = chart[alive], np.arange(q.shape[1])
        sign = np.where(q[now, every] < 0, -1.0, 1.0)
        words = np.array(rests)
        for k in range(3):
            words[k, alive] += quanta(sign * q[k + (k >= now), every], quantum)   # component k of the three stored ones
    values = words.view(np.int64).astype(np.float64) * quantum
    rest = np.ones(n)
    for v in values:
        rest = rest - v * v
    out = np.empty((4, n))
    out[chart, row] = np.sqrt(np.where(rest > 0, rest, 0.0))
    for k in range(3):
        out[k + (k >= chart), row] = values[k]
    return out.T


def decode_orientations_plain(rests, charts, predicted, before, quantum):
    out = []
    for row, b in enumerate(before):
        a = [r[row] for r in rests]
        chart = charts[row] & 3
        if predicted is not None and b >= 0:
            q = predicted[b]
            chart = (chart_of(q) + charts[row]) & 3
            sign = -1.0 if q[chart] < 0 else 1.0
            others = quanta([sign * q[i] for i in range(4) if i != chart], quantum)
            a = [(x + y) & MASK for x, y in zip(a, others)]
        values = [float(signed(x)) * quantum for x in a]
        rest = 1.0
        for v in values:
            rest -= v * v
        values.insert(chart, math.sqrt(rest) if rest > 0 else 0.0)
        out.append(values)
    return out


# ---- frames ----

class Decoder:
    """Decodes the payloads of frames in order; last is the frame decoded last."""

    def __init__(self):
        self.last, self.number, self.parts = None, -1, []

    def decode(self, payload, number):
        version, flags, time, step, own, bodies, shapes, contacts, count, _, dt = FRAME.unpack_from(payload)
        if version == 2:
            return self.decode_parts(payload, number)
        if version != 1:
            raise FormatError(f"frame version {version} is not known")
        key = bool(flags & KEY)
        if own != number or (not key and (self.last is None or self.number != number - 1)):
            raise FormatError("the frame needs the one before it")
        self.columns = {}
        at = FRAME.size
        for _ in range(count):
            fields = COLUMN.unpack_from(payload, at)
            column = dict(zip(("id", "word", "predictor", "width", "components", "packing", "rows", "quantum", "stored"), fields))
            at += COLUMN.size
            column["bytes"] = payload[at:at + column["stored"]]
            at += column["stored"]
            self.columns[column["id"]] = column
        frame = Frame()
        frame.time, frame.step, frame.dt = time, step, dt
        before = self.last if not key else None
        self.merge(frame, before, bodies)
        for field, name in ((GROUP, "group"), (KIND, "kind"), (RADIUS, "radius"), (MASS, "mass")):
            setattr(frame, name, self.static(field, getattr(before, name) if before else None))
        frame.inertia = self.inertia(before, len(frame.id))
        self.defer(frame, before, time - before.time if before else 0.0)
        self.defer_shapes(frame, before, key or bool(flags & ALL_SHAPES), shapes)
        frame.later["contacts"] = Later(None, lambda _, columns=self.columns: (read_contacts(columns, contacts),)), 0
        frame.cell = self.cell()
        self.last, self.number = frame, number
        return frame

    def decode_parts(self, payload, number):
        """Decodes a frame that is stored in parts. Each part has some of the bodies and contacts, and its own decoder."""
        _, flags, time, step, own, bodies, _, _, count, _, dt = FRAME.unpack_from(payload)
        key = bool(flags & KEY)
        if own != number or (not key and (self.number != number - 1 or len(self.parts) != count)):
            raise FormatError("the frame needs the one before it")
        if key:
            self.parts = [Decoder() for _ in range(count)]
        at, frames = FRAME.size, []
        for decoder in self.parts:
            (length,) = struct.unpack_from("<Q", payload, at)
            frames.append(decoder.decode(payload[at + 8:at + 8 + length], number))
            at += 8 + length
        self.last, self.number = unite(frames), number
        self.last.time, self.last.step, self.last.dt = time, step, dt
        if len(self.last.id) != bodies:
            raise FormatError("the frame's bodies do not add up")
        return self.last

    # -- bodies of the frame --

    def simple(self, column_id):
        return read_simple(self.columns, column_id)

    def merge_numpy(self, frame, last, bodies):
        """Sets the ids of the frame and self.before: each body's row in the last frame, -1 for new bodies; None if no body is new or removed."""
        ids, rows = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        if last is not None and DEATHS not in self.columns:
            ids, rows = last.id, np.arange(len(last.id)) if ID in self.columns else None
        elif last is not None:
            alive = np.ones(len(last.id), bool)
            alive[self.simple(DEATHS)[0].astype(np.int64)] = False
            ids, rows = last.id[alive], np.flatnonzero(alive)
        if ID in self.columns:
            born = self.simple(ID)[0]
            ids, rows = np.concatenate([ids, born]), np.concatenate([rows, np.full(len(born), -1)])
            order = np.argsort(ids, kind="stable")
            ids, rows = ids[order], rows[order]
        if len(ids) != bodies:
            raise FormatError("the frame's bodies do not add up")
        same = last is not None and not {ID, DEATHS} & self.columns.keys()
        frame.id, self.before = ids, None if same else rows

    def merge(self, frame, last, bodies):
        if np is not None:
            return self.merge_numpy(frame, last, bodies)
        dead = set(int(r) for r in self.simple(DEATHS)[0]) if DEATHS in self.columns else set()
        born = [int(i) for i in self.simple(ID)[0]] if ID in self.columns else []
        old = [(int(i), row) for row, i in enumerate(last.id) if row not in dead] if last is not None else []
        rows = sorted(old + [(i, -1) for i in born])
        if len(rows) != bodies:
            raise FormatError("the frame's bodies do not add up")
        frame.id, self.before = [i for i, _ in rows], [b for _, b in rows]

    def static(self, column_id, last):
        """Returns a field that is constant per body (group, kind, radius or mass). Its column has rows for all bodies or only for
        new bodies, or is absent if nothing changed."""
        column = self.columns.get(column_id)
        words = self.simple(column_id)[0] if column else []
        if np is not None:
            return self.static_numpy(column_id, words, last)
        if column_id in (RADIUS, MASS):
            values = as_values(words, DOUBLE, 0) if column else []
        else:
            values = [signed(int(w)) for w in words]
        if len(values) != len(self.before):
            fresh = iter(values)
            values = [next(fresh) if b < 0 else last[b] for b in self.before]
        return list(values)

    def inertia(self, last, bodies):
        """Returns the inertias, six numbers per body. An absent column has 0 for new bodies and no change for others; None: all are 0."""
        old = last.inertia if last is not None else None
        if old is None and not any(c in self.columns for c in range(INERTIA, INERTIA + 6)):
            return None
        before = range(bodies) if self.before is None and last is not None else [-1] * bodies if self.before is None else self.before
        out = [[0.0] * 6 if b < 0 or old is None else list(old[b]) for b in before]
        for c in range(6):
            if INERTIA + c in self.columns:
                values = [float(v) for v in as_values(self.simple(INERTIA + c)[0], DOUBLE, 0)]
                rows = range(bodies) if len(values) == bodies else [r for r, b in enumerate(before) if b < 0]
                if len(values) != len(rows):
                    raise FormatError("a column has the wrong size")
                for r, value in zip(rows, values):
                    out[r][c] = value
        return np.array(out) if np is not None else [tuple(row) for row in out]

    def static_numpy(self, column_id, words, last):
        kind = {RADIUS: np.float64, MASS: np.float64, KIND: np.uint8, GROUP: np.int64}[column_id]
        values = np.asarray(words, np.uint64)
        values = values.view(np.float64) if kind is np.float64 else values.view(np.int64).astype(kind)
        if self.before is None:
            return values if len(values) else last
        if len(values) == len(self.before):
            return values
        out, born = np.empty(len(self.before), kind), self.before < 0
        if len(values) != np.count_nonzero(born):
            raise FormatError("a column has the wrong size")
        out[born] = values
        out[~born] = last[self.before[~born]]
        return out

    # -- fields that are decoded at their first use --

    def defer(self, frame, before, dt):
        columns, rows = self.columns, self.before

        def motion(last):
            x0, v0 = last or (None, None)
            v1 = read_field(columns, VELOCITY, rows, v0)
            return read_field(columns, POSITION, rows, x0, v0, v1, dt), v1

        def turning(last):
            q0, w0 = last or (None, None)
            w1 = read_field(columns, SPIN, rows, w0)
            return read_orientations(columns, rows, q0, w0, w1, dt), w1

        for decode, names in ((motion, ("position", "velocity")), (turning, ("orientation", "spin"))):
            later = Later(of(before, names), decode)
            frame.later.update({name: (later, place) for place, name in enumerate(names)})

    def defer_shapes(self, frame, before, every, count):
        columns, rows, ids = self.columns, self.before, frame.id
        last = of(before, ("shapes",))
        if not every and SHAPE_BODY not in columns and not {ID, DEATHS} & columns.keys():
            frame.later["shapes"] = last, 0     # shapes of the previous frame
            return
        frame.later["shapes"] = Later(None if every else last,
                                      lambda known: (read_shapes(columns, rows, ids, known[0] if known else None, every, count),)), 0

    def cell(self):
        column = self.columns.get(CELL)
        if column is None:
            return None
        v = [float(x) for x in as_values(self.simple(CELL)[0], column["word"], column["quantum"])]
        if len(v) != 23:
            raise FormatError("the frame's cell has the wrong size")
        rows = [tuple(v[k:k + 3]) for k in range(0, 21, 3)]
        return {"matrix": rows[:3], "gradient": rows[3:6], "origin": rows[6], "volume": v[21], "periodic": tuple(bool(int(v[22]) >> k & 1) for k in range(3))}


# ---- columns of a frame ----

def of(frame, names):
    """Returns the named fields of a frame as a Later, None if frame is None."""
    if frame is None:
        return None
    if names[0] in frame.later:
        return frame.later[names[0]][0]
    known = Later(None, None)
    known.values = tuple(getattr(frame, name) for name in names)
    return known


def read_simple(columns, column_id):
    """Returns the words of a column that does not depend on the last frame: one list per component."""
    column = columns[column_id]
    parts = unpack(column, column["bytes"])
    return [add_rows(p) if column["predictor"] == ROW else p for p in parts]


def read_field(columns, column_id, rows, last, last_velocity=None, velocity=None, dt=0.0):
    """Returns a field of the frame, None if it is not stored. last: the field in the last frame; rows: each body's row in the last frame, -1
    for new bodies."""
    column = columns.get(column_id)
    if column is None:
        return None
    word, quantum, predictor = column["word"], column["quantum"], column["predictor"]
    parts = unpack(column, column["bytes"])
    if np is not None:
        last, last_velocity, velocity = (v if v is None else v.T for v in (last, last_velocity, velocity))
        return read_component(parts, word, quantum, predictor, rows, last, last_velocity, velocity, dt).T
    out = []
    for c, rests in enumerate(parts):
        one = [v if v is None else [w[c] for w in v] for v in (last, last_velocity, velocity)]
        out.append(read_component(rests, word, quantum, predictor, rows, *one, dt))
    return [tuple(v) for v in zip(*out)]


def read_component(rests, word, quantum, predictor, rows, last, last_velocity, velocity, dt):
    """Returns the values of one component (with NumPy of all components) from its deltas."""
    if predictor >= LAST:
        values = moved(last, last_velocity, velocity, rows, dt) if predictor == MOTION else last
        words = add_last(rests, as_words(values, word, quantum), rows)
    else:
        words = add_rows(rests) if predictor == ROW else rests
    return as_values(words, word, quantum)


def read_orientations(columns, rows, last, last_spin, spin, dt):
    column = columns.get(ORIENTATION)
    if column is None:
        return None
    if column["word"] != QUANTUM:
        return read_field(columns, ORIENTATION, rows, last)
    rests, charts = unpack(column, column["bytes"]), read_simple(columns, CHART)[0]
    predicted = None
    if column["predictor"] >= LAST:
        predicted = predict_orientations(rows, last, last_spin, spin, dt, column["predictor"] == MOTION)
    decode = decode_orientations_numpy if np is not None else decode_orientations_plain
    return decode(rests, charts, predicted, rows, column["quantum"])


def predict_orientations(rows, last, last_spin, spin, dt, motion):
    """Returns predicted orientations by row of the last frame, with NumPy as four arrays of components."""
    if np is not None:
        if not motion:
            return np.ascontiguousarray(last.T)
        now = spin.T
        if rows is not None:
            now, alive = np.zeros((3, len(last))), rows >= 0
            now[:, rows[alive]] = spin.T[:, alive]
        with np.errstate(all="ignore"):
            return np.array(advance(last.T, last_spin.T, now, dt))
    q = [list(v) for v in last]
    for row, b in enumerate(rows):
        if motion and b >= 0:
            q[b] = advance(last[b], last_spin[b], spin[row], dt)
    return q


def read_table(columns, first, names):
    """Returns columns first, first + 1, ... as a dictionary: name -> list of rows."""
    out = {}
    for k, name in enumerate(names):
        column = columns[first + k]
        parts = read_simple(columns, first + k)
        if np is not None:
            out[name] = rows_numpy(name, column, parts)
        elif column["word"] == WHOLE:
            whole = [[signed(int(w)) if name in ("type", "material", "image") else int(w) for w in part] for part in parts]
            out[name] = whole[0] if len(whole) == 1 else list(zip(*whole))
        else:
            values = [as_values(p, column["word"], column["quantum"]) for p in parts]
            out[name] = [float(v) for v in values[0]] if len(values) == 1 else [tuple(float(v[i]) for v in values) for i in range(column["rows"])]
    return out


def rows_numpy(name, column, parts):
    """Returns a column as a list of rows: of numbers, or of tuples if there are several components."""
    if column["word"] == WHOLE:
        lists = [(p.view(np.int64) if name in ("type", "material", "image") else p).tolist() for p in parts]
    else:
        lists = [as_values(p, column["word"], column["quantum"]).tolist() for p in parts]
    return lists[0] if len(lists) == 1 else list(zip(*lists))


def read_shapes(columns, rows, ids, last, every, count):
    """Returns the shapes of the frame. If every is false, the frame stores only the shapes of new bodies; the others are copied
    from last, the shapes of the last frame."""
    names = SHAPE_COLUMNS + ("geometry", "own")
    stored = read_table(columns, SHAPE_BODY, SHAPE_COLUMNS) if SHAPE_BODY in columns else {name: [] for name in SHAPE_COLUMNS}
    solid = read_simple(columns, SHAPE_GEOMETRY)[0] if SHAPE_GEOMETRY in columns else [0] * len(stored["body"])
    stored["geometry"] = [int(g) - 1 for g in solid]
    stored["own"] = read_table(columns, SHAPE_OWN, ("own",))["own"] if SHAPE_OWN in columns else [(0.0, 0.0)] * len(stored["body"])
    shapes = {name: stored[name] for name in names}
    if not every:
        alive = set(ids.tolist() if np is not None else ids) if rows is None else {int(ids[row]) for row, b in enumerate(rows) if b >= 0}
        merged = list(zip(*shapes.values()))
        merged += [tuple(last[name][i] for name in names) for i in range(len(last["body"])) if last["body"][i] in alive]
        merged.sort(key=lambda row: row[0])
        shapes = {name: [row[k] for row in merged] for k, name in enumerate(names)}
    if len(shapes["body"]) != count:
        raise FormatError("the frame's shapes do not add up")
    return shapes


def read_contacts(columns, count):
    if not count:
        return {name: [] for name in CONTACT_COLUMNS}
    names = CONTACT_COLUMNS + (("force",) if CONTACT_BODY1 + len(CONTACT_COLUMNS) in columns else ())
    out = read_table(columns, CONTACT_BODY1, names)
    if CONTACT_IMAGE in columns:
        out.update(read_table(columns, CONTACT_IMAGE, ("image",)))
    if CONTACT_MOMENT in columns:
        out.update(read_table(columns, CONTACT_MOMENT, ("moment",)))
    if columns[CONTACT_BODY1 + 3]["word"] == QUANTUM:
        for i, n in enumerate(out["normal"]):
            length = math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
            out["normal"][i] = tuple(v / length for v in n) if length > 0 else n
    return out


def unite(frames):
    """Returns one frame with the bodies, shapes and contacts of all parts, bodies by ascending id."""
    whole = Frame()
    rows = sorted((int(i), p, row) for p, f in enumerate(frames) for row, i in enumerate(f.id))
    full = [f for f in frames if len(f.id)]
    for name in ("id", "group", "kind", "radius", "mass", "position", "orientation", "velocity", "spin"):
        if any(getattr(f, name) is None for f in full):
            setattr(whole, name, None)
            continue
        values = [getattr(frames[p], name)[row] for _, p, row in rows]
        setattr(whole, name, np.array(values, full[0].__dict__[name].dtype) if np is not None and full else values)
    inertia = None if all(f.inertia is None for f in frames) else [[0.0] * 6 if frames[p].inertia is None else list(frames[p].inertia[row]) for _, p, row in rows]
    whole.inertia = np.array(inertia) if np is not None and inertia is not None else inertia
    names = list(frames[0].shapes)
    shapes = [tuple(f.shapes[name][i] for name in names) for f in frames for i in range(len(f.shapes["body"]))]
    shapes.sort(key=lambda shape: shape[names.index("body")])
    whole.shapes = {name: [shape[k] for shape in shapes] for k, name in enumerate(names)}
    whole.cell = next((f.cell for f in frames if f.cell), None)
    keys = max((f.contacts for f in frames), key=len)
    whole.contacts = {name: [v for f in frames for v in f.contacts.get(name, [])] for name in keys}
    return whole


# ---- files ----

class Trajectory:
    """A trajectory file as a sequence of frames; damaged files are read as far as possible. Attributes: meta (dictionary of the run's
    provenance, or None), source (text of the scene), complete (true if the file has its index), damage (list of messages), times [s] of all
    frames, geometries (dictionary of hulls and meshes; its keys are the numbers in a frame's shapes["geometry"], where -1 marks other
    shapes), shape_names (indexed by shapes["type"])."""

    def __init__(self, path):
        self.file = open(path, "rb")
        self.size = self.file.seek(0, 2)
        head = self.read(0, min(32, self.size))
        if len(head) < 32 or head[:8] != MAGIC or zlib.crc32(head[:28]) != struct.unpack_from("<I", head, 28)[0]:
            raise FormatError(f"{path} is not a scree file, or its header is damaged")
        major, minor, schema = struct.unpack_from("<HH4s", head, 8)
        if major != 1 or schema != b"TRAJ":
            raise FormatError(f"{path}: version {major}.{minor} of schema {schema!r} is not a trajectory of version 1")
        self.damage = []
        self.chunks = self.index()
        self.complete = self.chunks is not None
        if not self.complete:
            self.chunks = self.walk()
        self.meta, self.source, self.frames, self.geometries, self.shape_names = None, "", [], {}, SHAPES
        for chunk in self.chunks:
            if chunk["type"] == b"SHPN":
                self.shape_names = tuple(self.payload(chunk).decode("utf-8").split("\n"))
            elif chunk["type"] == b"META":
                self.meta = json.loads(self.payload(chunk).decode("utf-8"))
            elif chunk["type"] == b"SRC ":
                self.source = self.payload(chunk).decode("utf-8")
            elif chunk["type"] == b"GEOM":
                self.geometries[chunk["number"]] = self.geometry(self.payload(chunk))
            elif chunk["type"] == b"FRAM":
                known = self.frames and chunk["number"] == self.frames[-1]["number"] + 1
                if chunk["flags"] & KEY or known:
                    self.frames.append(chunk)
        self.times = [struct.unpack("<d", struct.pack("<Q", c["value"]))[0] for c in self.frames]
        self.decoder = Decoder()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, i):
        if i < 0:
            i += len(self)
        if not 0 <= i < len(self):
            raise IndexError(i)
        start = i
        while not self.frames[start]["flags"] & KEY and self.decoder.number != self.frames[start]["number"] - 1:
            start -= 1
        if self.decoder.number == self.frames[i]["number"]:
            return self.decoder.last
        for k in range(start, i + 1):
            try:
                self.decoder.decode(self.payload(self.frames[k]), self.frames[k]["number"])
            except (KeyError, IndexError, struct.error, zlib.error) as error:
                self.decoder = Decoder()
                raise FormatError(f"frame {k}: {error}") from error
        return self.decoder.last

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def read(self, at, count):
        self.file.seek(at)
        return self.file.read(count)

    def header(self, data, at):
        """Returns the chunk header in 56 bytes from byte `at` of the file, None if they are not a sound header."""
        if len(data) < 56 or data[:4] != b"CHNK" or zlib.crc32(data[8:56]) != struct.unpack_from("<I", data, 4)[0]:
            return None
        _, _, kind, codec, flags, stored, raw, number, value, crc, extra = CHUNK.unpack(data)
        if at + 56 + stored > self.size:
            return None
        return dict(type=kind, codec=codec, flags=flags, stored=stored, raw=raw, number=number, value=value, crc=crc, extra=extra, at=at)

    def payload(self, chunk):
        data = self.read(chunk["at"] + 56, chunk["stored"])
        if zlib.crc32(data) != chunk["crc"]:
            raise FormatError(f"wrong checksum of the chunk at byte {chunk['at']}")
        return zlib.decompress(data) if chunk["codec"] else data

    @staticmethod
    def geometry(data):
        """Returns a hull or mesh: shape type, points [m], triangles (indices of points, from 0)."""
        kind, points, triangles, _ = struct.unpack_from("<IIII", data)
        return dict(type=kind, points=[struct.unpack_from("<3d", data, 16 + 24 * i) for i in range(points)],
                    triangles=[struct.unpack_from("<3i", data, 16 + 24 * points + 12 * i) for i in range(triangles)])

    def index(self):
        """Returns the headers of all chunks from the index that the trailer points to, None if the trailer or index is missing or damaged."""
        tail = self.read(max(self.size - 32, 0), 32)
        if len(tail) < 32 or tail[:8] != b"SCREEEND" or zlib.crc32(tail[:28]) != struct.unpack_from("<I", tail, 28)[0]:
            return None
        at, count = struct.unpack_from("<QQ", tail, 8)
        chunk = self.header(self.read(at, 56), at)
        if chunk is None or chunk["type"] != b"INDX":
            return None
        try:
            table = self.payload(chunk)
        except (FormatError, zlib.error):
            return None
        rows = []
        for i in range(count):
            row = table[56 * i:56 * i + 56]
            (where,) = struct.unpack_from("<Q", row)
            rest = row[8:]
            rows.append(self.header(b"CHNK" + struct.pack("<I", zlib.crc32(rest)) + rest, where))
        return None if None in rows else rows

    def walk(self):
        """Searches the file from its start; returns the headers of all sound chunks and adds messages to self.damage."""
        chunks, at = [], 32
        while at < self.size:
            chunk = self.header(self.read(at, 56), at)
            if chunk is None:
                if self.read(at, 8) == b"SCREEEND":
                    break
                self.damage.append(f"no sound chunk at byte {at}")
                at += 8
                while at < self.size and self.header(self.read(at, 56), at) is None:
                    at += 8
                continue
            at += 56 + (chunk["stored"] + 7) // 8 * 8
            if zlib.crc32(self.read(chunk["at"] + 56, chunk["stored"])) != chunk["crc"]:
                self.damage.append(f"wrong checksum of the chunk at byte {chunk['at']}")
            elif chunk["type"] != b"INDX":
                chunks.append(chunk)
        return chunks


def write_csv(run, out):
    out.write("frame,time,step,id,group,kind,radius,mass,x,y,z,vx,vy,vz,wx,wy,wz,qw,qx,qy,qz\n")
    for number, f in enumerate(run):
        for i in range(len(f.id)):
            row = [number, repr(float(f.time)), f.step, int(f.id[i]), int(f.group[i]), int(f.kind[i]), repr(float(f.radius[i])), repr(float(f.mass[i]))]
            for field, n in ((f.position, 3), (f.velocity, 3), (f.spin, 3), (f.orientation, 4)):
                row += [repr(float(v)) for v in field[i]] if field is not None else [""] * n
            out.write(",".join(map(str, row)) + "\n")


def main(arguments):
    options = [a for a in arguments if a.startswith("--")]
    files = [a for a in arguments if not a.startswith("--")]
    if len(files) != 1 or any(o not in ("--csv", "--no-numpy") for o in options):
        print("usage: scree_reader.py FILE [--csv] [--no-numpy]", file=sys.stderr)
        return 2
    try:
        with Trajectory(files[0]) as run:
            if "--csv" in options:
                write_csv(run, sys.stdout)
                return 0
            print(f"{len(run)} frames, {run.size} bytes, {'complete' if run.complete else 'not finished'}")
            for text in run.damage:
                print(text)
            if len(run):
                print(f"from {run.times[0]} s to {run.times[-1]} s; {len(run[-1].id)} bodies in the last frame")
    except (OSError, FormatError) as error:
        print(f"scree_reader: {error}", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
