"""Calibration: parameters of a scene from measured targets, by `scree calibrate`."""

import difflib
import json
import math
import os
import pathlib
import warnings

from scree._session import Warning  # pylint: disable=redefined-builtin
from scree.run import raise_failure, read_table, start_program

METHODS = ("nelder_mead", "cma_es")


class Result:
    """What a calibration found.

    best: dict of the parameters. uncertainty: standard error of each (NaN: the figures do not determine it). figures:
    dict of the targeted figures at the best place. error: sum of ((figure - target)/sigma)^2 there. converged: whether
    the search ended before its budget. history: structured array, a row for each place that was tried."""

    def __init__(self, data, history):
        names = [p["path"].removeprefix("params.") for p in data["parameters"]]
        self.best = {n: p["value"] for n, p in zip(names, data["parameters"])}
        self.uncertainty = {n: math.nan if p["uncertainty"] is None else p["uncertainty"]
                            for n, p in zip(names, data["parameters"])}
        self.figures = {f["name"]: f["value"] for f in data["figures"]}
        self.error, self.converged, self.correlation = data["error"], data["converged"], data["correlation"]
        self.json, self.history = data, history

    def __repr__(self):
        rows = ", ".join(f"{k} = {v:.4g} +- {self.uncertainty[k]:.2g}" for k, v in self.best.items())
        return f"<scree calibration: {rows}; error {self.error:.3g} after {len(self.history)} places>"


def write_experiment(path, scene, vary, keys):
    """Writes the experiment of a calibration. keys: further entries of its key `calibrate`, None: the default."""
    experiment = {"scree": 1, "scene": os.path.abspath(scene), **keys.pop("experiment"),
                  "calibrate": {"vary": vary, **{k: v for k, v in keys.items() if v is not None}}}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(experiment, indent=1) + "\n", encoding="utf-8")


def check_names(parameters, fixed, start):
    """Raises ValueError for a parameter that is both sought and fixed, and for a start of another parameter."""
    for name in parameters:
        if name in fixed:
            raise ValueError(f"'{name}' is in parameters and in fixed")
    for name in start:
        if name not in parameters:
            near = difflib.get_close_matches(name, parameters, 1)
            raise ValueError(f"start has '{name}', which is not among the parameters"
                             + (f"; did you mean '{near[0]}'?" if near else ""))


def warn_of_bounds(data):
    """Warns of each parameter whose best value lies at an end of its range, within the tolerance of the search."""
    for found in data["parameters"]:
        if found["is_at_bound"]:
            warnings.warn(f"the best value of '{found['path'].removeprefix('params.')}', {found['value']:g}, lies at an end "
                          "of its range: the optimum may lie outside", Warning, stacklevel=3)


def calibrate(scene, parameters=None, targets=None, *, out, method=None, budget=None, tolerance=None, step=None, start=None,
              seeds=None, seed=1, jobs=None, fixed=None):
    """Finds the parameters of a scene whose figures come nearest to measured targets.

    scene: path of a scene, or of an experiment with the key `calibrate`, which needs no parameters and targets.
    parameters: name -> (low, high). targets: figure of the scene's report -> (value, sigma). out: folder; a second call
    with the same arguments goes on where the first was interrupted. method: "nelder_mead" or "cma_es". budget: number of
    places to try. tolerance, step: of each parameter, as shares of its range (docs/calibrate.md). start: name -> value;
    the middle by default. seeds: number of runs of each place, with seeds counted up from `seed`. jobs: runs side by side,
    all processors by default. fixed: further parameters. Returns a Result. Warns if a value lies at an end of its range."""
    out, path = pathlib.Path(out), scene
    if parameters is not None:
        method = method.replace("-", "_") if isinstance(method, str) else method
        if method is not None and method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, not '{method}'")
        check_names(parameters, fixed or {}, start or {})
        path = out / "calibrate.yaml"
        vary = {f"params.{n}": [float(v) for v in (*bounds, *((start[n],) if start and n in start else ()))]
                for n, bounds in parameters.items()}
        write_experiment(path, scene, vary, {
            "experiment": {"seed": seed, "params": fixed or {}}, "targets": {k: list(map(float, v)) for k, v in targets.items()},
            "method": method, "budget": budget, "tolerance": tolerance, "step": step, "seeds": seeds})
    done = start_program(["calibrate", path, "--json", "--quiet", "--trust", "-o", out, "-j", str(jobs or os.cpu_count())])
    if done.returncode not in (0, 1) or not done.stdout:  # 1: not converged, or not determined
        raise_failure(done)
    result = Result(json.loads(done.stdout), read_table(out / "calibrate.csv"))
    warn_of_bounds(result.json)
    return result
