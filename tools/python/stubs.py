"""Writes the type stubs of the package from the tables of the Lua reference.

usage: stubs.py TABLES.json WORLD.pyi"""

import json
import keyword
import sys

HEAD = '''"""Made by stubs.py from the Lua reference; do not edit."""
from collections.abc import Callable, Iterator, Sequence
from typing import Any
import numpy as np

class Object:
    def __getitem__(self, key: Any) -> Any: ...
    def __setitem__(self, key: Any, value: Any) -> None: ...
    def __len__(self) -> int: ...
    def __getattr__(self, name: str) -> Any: ...

class View:
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    ndim: int
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __setitem__(self, key: Any, value: Any) -> None: ...
    def __array__(self, dtype: Any = ...) -> np.ndarray: ...

class Probe(Object): ...
class Module:
    def __getattr__(self, name: str) -> Function: ...
class Function:
    def __call__(self, *arguments: Any, **keys: Any) -> Any: ...

class Batch:
    worlds: list[World]
    def __init__(self, worlds: Sequence[World], threads: int | None = ...) -> None: ...
    def step(self, count: int = ...) -> None: ...
    def map(self, function: Callable[[World], Any]) -> list[Any]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> World: ...
    def __iter__(self) -> Iterator[World]: ...

def batch(n: int, make: Callable[[int], World], threads: int | None = ...) -> Batch: ...
'''
WORLD = '''    def __init__(self, *, seed: int = ..., {keys}) -> None: ...
    def step(self, count: int = ...) -> None: ...
    def close(self) -> None: ...
    def view(self, name: str, writable: bool = ...) -> View: ...
    state: dict[str, Any]
    contacts: np.ndarray
    ids: np.ndarray
    positions: np.ndarray
    velocities: np.ndarray
    spins: np.ndarray
    orientations: np.ndarray
    radii: np.ndarray
    masses: np.ndarray
    groups: np.ndarray
    kinds: np.ndarray
'''
TYPES = {"number": "float", "integer": "int", "string": "str", "boolean": "bool", "real": "float", "choice": "str",
         "vec3": "Sequence[float]", "quat": "Sequence[float]", "number[]": "Sequence[float]", "table": "dict[str, Any]"}
CLASSES = ("Body", "Joint", "Cell", "Geometry", "State", "World")


def name_type(text):
    """Returns the Python type of an annotated one."""
    parts = [p.rstrip("?") for p in text.split("|")]
    names = [p.removeprefix("scree.") if p.removeprefix("scree.") in CLASSES else TYPES.get(p, "Any") for p in parts]
    return "Any" if "Any" in names else " | ".join(dict.fromkeys(names))


def list_keywords(data, table):
    """Returns the keyword parameters of a function whose table is of a class."""
    rows = data["tables"].get(table) or [
        {"name": f["name"], "type": f["text"].split(" ")[0], "required": not f["optional"]}
        for f in data["classes"].get(table, {}).get("fields", ())]
    out = []
    for row in rows:
        if not row["name"].isidentifier() or keyword.iskeyword(row["name"]):
            continue
        # a quantity may be a text with a unit, and some numbers may be functions of time
        kind = name_type(row["type"])
        kind = kind if kind in ("str", "bool", "int") else "Any" if kind == "Any" else f"{kind} | str"
        out.append(f"{row['name']}: {kind}" + ("" if row.get("required") else " = ..."))
    return ", ".join(out)


def write_method(data, function):
    """Returns the stub of one method."""
    params = list(function["params"])
    keys = ""
    if params:
        kind = params[-1]["type"].split("|")[0].rstrip("?")
        if kind.startswith("scree.") and kind.removeprefix("scree.") not in CLASSES:
            keys = list_keywords(data, kind)
            if keys:
                params.pop()
    names = [f"{p['name'] + '_' * keyword.iskeyword(p['name'])}: {name_type(p['type'])}" + (" = ..." if p["optional"] else "")
             for p in params if p["name"].isidentifier()]
    names += ["*entries: Any", keys, "**more: Any"] if keys else []
    return f"    def {function['name']}({', '.join(['self', *names])}) -> Any: ...\n"


def main(source, target):
    """Writes the stubs."""
    with open(source, encoding="utf-8") as file:
        data = json.load(file)
    out = [HEAD]
    for name in CLASSES:
        out.append(f"\nclass {name}(Object):\n")
        own = {"step", "view", "contacts"} if name == "World" else set()
        if name == "World":
            out.append(WORLD.format(keys=list_keywords(data, "scree.WorldDef")))
        methods = [write_method(data, f) for f in data["classes"]["scree." + name]["functions"] if f["name"] not in own]
        out += methods or ["    ...\n"]
    with open(target, "w", encoding="utf-8") as file:
        file.writelines(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
