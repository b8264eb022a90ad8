"""What the Lua reference says about objects: names, docstrings and parameters (tables.json, made by tables.lua)."""

import functools
import inspect
import json
import keyword
import sys

from scree._session import PACKAGE, gather_arguments


@functools.lru_cache(maxsize=None)
def load_tables():
    """Returns classes, their functions and the parameter tables, as tables.lua wrote them."""
    return json.loads((PACKAGE / "tables.json").read_text(encoding="utf-8"))


def find_functions(class_name):
    """Returns the functions of an annotated class by name, {} for a class that does not exist."""
    return {f["name"]: f for f in load_tables()["classes"].get(class_name, {}).get("functions", ())}


def find_table(function):
    """Returns the class of the table that a function takes last, and its place; None without one."""
    for place, param in enumerate(function["params"]):
        kind = param["type"].split("|")[0].rstrip("?")
        if place == len(function["params"]) - 1 and kind.startswith("scree."):
            described = load_tables()["classes"].get(kind, {})
            if described.get("fields") or kind in load_tables()["tables"]:
                return kind, place
    return None


def describe_function(function):
    """Returns the docstring of a function: the reference's text, and the keys of its table."""
    lines, table = [function["doc"] or function["name"].replace("_", " ").capitalize() + "."], find_table(function)
    rows = list_keys(table[0]) if table else ()
    if rows:
        lines += ["", "Keywords:", *(f"  {name}: {text}" for name, text in rows)]
    if function.get("returns"):
        lines += ["", "Returns " + function["returns"]]
    return "\n".join(lines)


def list_keys(class_name):
    """Returns (name, text) for every key of a table: unit, default, range and doc."""
    tables = load_tables()
    rows = []
    for row in tables["tables"].get(class_name, ()):
        parts = [row["type"], f"[{row['unit']}]" if row.get("unit") else "",
                 "required" if row.get("required") else f"= {row['default']}" if "default" in row else "", row["doc"]]
        rows.append((row["name"], " ".join(p for p in parts if p)))
    if not rows:
        rows = [(f["name"], f["text"]) for f in tables["classes"].get(class_name, {}).get("fields", ())]
    return rows


def make_signature(function):
    """Returns the signature of a function as Python calls it."""
    table = find_table(function)
    params = function["params"][:table[1]] if table else function["params"]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = [p["name"] + "_" * keyword.iskeyword(p["name"]) for p in params if p["name"].isidentifier()]
    signature = [inspect.Parameter(name, kind) for name in names]
    if table:
        signature += [inspect.Parameter("entries", inspect.Parameter.VAR_POSITIONAL),
                      inspect.Parameter("keys", inspect.Parameter.VAR_KEYWORD)]
    return inspect.Signature(signature)


def add_methods(cls, class_name, skip=()):
    """Gives a Python class the methods of an annotated class, with docstrings and signatures."""
    for name, function in find_functions(class_name).items():
        if name in skip or name in vars(cls):
            continue
        setattr(cls, name, make_method(function))


def make_method(function):
    """Returns a function of (self, ...) that calls the Lua method."""
    name, table = function["name"], find_table(function)
    before = table[1] if table else None
    count = len(function["params"])
    if any(not p["name"].isidentifier() for p in function["params"]):  # ...: any number
        count = sys.maxsize

    def method(self, *arguments, **keys):
        values = gather_arguments(arguments, keys, before)
        if len(values) > count:
            raise TypeError(f"{name} takes {count or 'no'} argument{'s' * (count != 1)}, not {len(values)}")
        return self._session.call_method(self, name, values)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = describe_function(function)
    signature = make_signature(function)
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    method.__signature__ = signature.replace(parameters=[own, *(
        p.replace(kind=inspect.Parameter.POSITIONAL_ONLY) if p.kind is p.POSITIONAL_OR_KEYWORD else p
        for p in signature.parameters.values())])
    return method


__all__ = ["add_methods", "find_functions", "gather_arguments", "list_keys", "load_tables", "make_method"]
