"""Calibration: parameters of a scene from measured targets, by `scree calibrate`."""

import json
import math
import os
import pathlib

from scree.run import raise_failure, read_table, start_program

METHODS = {"nelder-mead": "nelder_mead", "cma-es": "cma_es"}


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


def calibrate(scene, parameters=None, targets=None, *, out, method=None, budget=None, tolerance=None, step=None, start=None,
              seeds=None, seed=1, jobs=None, fixed=None):
    """Finds the parameters of a scene whose figures come nearest to measured targets.

    scene: path of a scene, or of an experiment with the key `calibrate`, which needs no parameters and targets.
    parameters: name -> (low, high). targets: figure of the scene's report -> (value, sigma). out: folder; a second call
    with the same arguments goes on where the first was interrupted. method: "nelder-mead" or "cma-es". budget: number of
    places to try. tolerance, step: of each parameter, as shares of its range (docs/calibrate.md). start: name -> value;
    the middle by default. seeds: number of runs of each place, with seeds counted up from `seed`. jobs: runs side by side,
    all processors by default. fixed: further parameters. Returns a Result."""
    out, path = pathlib.Path(out), scene
    if parameters is not None:
        if method is not None and method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, not '{method}'")
        path = out / "calibrate.yaml"
        vary = {f"params.{n}": [float(v) for v in (*bounds, *((start[n],) if start and n in start else ()))]
                for n, bounds in parameters.items()}
        write_experiment(path, scene, vary, {
            "experiment": {"seed": seed, "params": fixed or {}}, "targets": {k: list(map(float, v)) for k, v in targets.items()},
            "method": METHODS.get(method), "budget": budget, "tolerance": tolerance, "step": step, "seeds": seeds})
    done = start_program(["calibrate", path, "--json", "--quiet", "--trust", "-o", out, "-j", str(jobs or os.cpu_count())])
    if done.returncode not in (0, 1) or not done.stdout:  # 1: not converged, or not determined
        raise_failure(done)
    return Result(json.loads(done.stdout), read_table(out / "calibrate.csv"))
