"""Calibration: parameters of a scene from measured targets."""

import json
import math
import os
import pathlib
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from scree._session import Error
from scree.run import call_program
from scree.scene import write_parameter


class Result:
    """What a calibration found.

    best: dict of the parameters. error: sum of ((figure - target) / sigma)^2 at the best place. uncertainty: standard
    error of each parameter from the curvature of the error (NaN if it cannot be told). figures: the figures at the best
    place. history: list of (parameters, figures, error) in the order of the runs."""

    def __init__(self, best, error, uncertainty, figures, history):
        self.best, self.error, self.uncertainty = best, error, uncertainty
        self.figures, self.history = figures, history

    def __repr__(self):
        rows = ", ".join(f"{k} = {v:.4g} +- {self.uncertainty[k]:.2g}" for k, v in self.best.items())
        return f"<scree calibration: {rows}; error {self.error:.3g} after {len(self.history)} runs>"


class _Problem:
    """Runs of a scene in the unit cube of its parameters, remembered in a file."""

    def __init__(self, scene, parameters, targets, fixed, seeds, jobs, out):
        self.scene, self.names, self.fixed, self.seeds = scene, list(parameters), fixed, list(seeds)
        self.low = np.array([parameters[n][0] for n in self.names], dtype=float)
        self.high = np.array([parameters[n][1] for n in self.names], dtype=float)
        if not (self.low < self.high).all():
            raise ValueError("each parameter needs bounds (low, high) with low < high")
        self.targets = {k: (float(v[0]), float(v[1])) for k, v in targets.items()}
        if any(not s > 0 for _, s in self.targets.values()):
            raise ValueError("each target needs (value, sigma) with sigma > 0")
        self.out = pathlib.Path(out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.pool, self.log, self.cache, self.history = ThreadPoolExecutor(jobs), self.out / "calibration.jsonl", {}, []
        setting = json.dumps([os.fspath(scene), self.names, list(self.low), list(self.high), self.targets, fixed, self.seeds],
                             default=str)
        self._read_log(setting)

    def _read_log(self, setting):
        """Reads the runs of an interrupted call. Refuses a folder of another calibration."""
        if not self.log.exists():
            self.log.write_text(setting + "\n", encoding="utf-8")
            return
        first, *rows = self.log.read_text(encoding="utf-8").splitlines()
        if first != setting:
            raise Error(f"{self.log} belongs to another calibration: choose another folder, or remove it")
        for row in rows:
            try:
                key, figures = json.loads(row)
            except ValueError:  # a line that was cut when the process ended
                continue
            self.cache[key] = figures

    def place(self, x):
        """Returns the parameters at a place of the unit cube."""
        return dict(zip(self.names, self.low + (self.high - self.low) * x))

    def _run_once(self, values, seed):
        keys = [f"{k}={write_parameter(v)}" for k, v in {**self.fixed, **values, "seed": seed}.items()]
        with tempfile.TemporaryDirectory() as folder:
            call_program(["run", self.scene, "--trust", "-o", os.path.join(folder, "run"), "--threads", "1", *keys])
            text = (pathlib.Path(folder) / "run" / "run.json").read_text(encoding="utf-8")
        return {f["name"]: float(f["value"]) for f in json.loads(text).get("figures", ())
                if isinstance(f["value"], (int, float))}

    def measure(self, x):
        """Returns the mean figures over the seeds at a place, from the log if it has them."""
        values = self.place(x)
        key = json.dumps([float(v) for v in values.values()])
        if key not in self.cache:
            all_figures = [self._run_once(values, seed) for seed in self.seeds]
            missing = [t for t in self.targets if t not in all_figures[0]]
            if missing:
                raise Error(f"the report of {self.scene} has no figure '{missing[0]}'; it has: {', '.join(all_figures[0])}")
            self.cache[key] = {k: float(np.mean([f[k] for f in all_figures])) for k in all_figures[0]}
            with open(self.log, "a", encoding="utf-8") as log:
                log.write(json.dumps([key, self.cache[key]]) + "\n")
        return self.cache[key]

    def residuals(self, x):
        """Returns (figure - target) / sigma for each target."""
        figures = self.measure(np.clip(x, 0, 1))
        return np.array([(figures[k] - v) / s for k, (v, s) in self.targets.items()])

    def errors(self, places):
        """Returns the errors at several places, computed side by side. A place outside the cube costs its distance."""
        found = list(self.pool.map(self.residuals, places))
        out = []
        for x, r in zip(places, found):
            outside = float(np.sum((x - np.clip(x, 0, 1)) ** 2))
            error = float(r @ r) if np.isfinite(r).all() else math.inf
            self.history.append((self.place(np.clip(x, 0, 1)), self.measure(np.clip(x, 0, 1)), error))
            out.append(error * (1 + outside) + 100 * outside)
        return out


def search_simplex(errors, start, size, tolerance, budget):
    """Finds a minimum by Nelder and Mead (1965). errors: function of a list of places. Returns the best place."""
    n = len(start)
    simplex = [np.array(start, dtype=float)] + [np.array(start, dtype=float) + size * (1 if start[i] + size <= 1 else -1)
                                                * np.eye(n)[i] for i in range(n)]
    values, used = errors(simplex), n + 1
    while used < budget:
        order = np.argsort(values, kind="stable")
        simplex, values = [simplex[i] for i in order], [values[i] for i in order]
        if max(np.abs(s - simplex[0]).max() for s in simplex[1:]) < tolerance:
            break
        centre = np.mean(simplex[:-1], axis=0)
        reflected = centre + (centre - simplex[-1])
        # one round tries all moves of the method side by side
        moves = [reflected, centre + 2 * (centre - simplex[-1]), centre + 0.5 * (reflected - centre),
                 centre + 0.5 * (simplex[-1] - centre)]
        found = errors(moves)
        used += len(moves)
        k = int(np.argmin(found))
        if found[k] < values[-1]:
            simplex[-1], values[-1] = moves[k], found[k]
        else:
            simplex[1:] = [simplex[0] + 0.5 * (s - simplex[0]) for s in simplex[1:]]
            values[1:] = errors(simplex[1:])
            used += n
    return simplex[int(np.argmin(values))]


def search_cma(errors, start, size, tolerance, budget, seed=1):
    """Finds a minimum by CMA-ES (Hansen, The CMA evolution strategy: a tutorial, 2016). Returns the best place."""
    n, random = len(start), np.random.default_rng(seed)
    count = 4 + int(3 * math.log(n))
    parents = count // 2
    weights = math.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    weights /= weights.sum()
    effective = 1 / (weights ** 2).sum()
    c_path, c_sigma = (4 + effective / n) / (n + 4 + 2 * effective / n), (effective + 2) / (n + effective + 5)
    c_one = 2 / ((n + 1.3) ** 2 + effective)
    c_rank = min(1 - c_one, 2 * (effective - 2 + 1 / effective) / ((n + 2) ** 2 + effective))
    damping = 1 + 2 * max(0, math.sqrt((effective - 1) / (n + 1)) - 1) + c_sigma
    expected = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    mean, sigma, cov = np.array(start, dtype=float), size, np.eye(n)
    path, path_sigma, best, used, rounds = np.zeros(n), np.zeros(n), (math.inf, mean), 0, 0
    while used < budget and sigma * math.sqrt(np.diag(cov).max()) > tolerance:
        scale, axes = np.linalg.eigh(cov)
        scale = np.sqrt(np.maximum(scale, 1e-20))
        steps = (random.standard_normal((count, n)) * scale) @ axes.T
        places = [mean + sigma * s for s in steps]
        found = errors(places)
        used, rounds = used + count, rounds + 1
        order = np.argsort(found, kind="stable")
        if found[order[0]] < best[0]:
            best = (found[order[0]], places[order[0]])
        chosen = steps[order[:parents]]
        step = weights @ chosen
        mean = mean + sigma * step
        path_sigma = (1 - c_sigma) * path_sigma + math.sqrt(c_sigma * (2 - c_sigma) * effective) * (axes @ ((axes.T @ step) / scale))
        length = np.linalg.norm(path_sigma)
        moving = length / math.sqrt(1 - (1 - c_sigma) ** (2 * rounds)) < (1.4 + 2 / (n + 1)) * expected
        path = (1 - c_path) * path + moving * math.sqrt(c_path * (2 - c_path) * effective) * step
        cov = ((1 - c_one - c_rank) * cov + c_one * (np.outer(path, path) + (not moving) * c_path * (2 - c_path) * cov)
               + c_rank * (chosen.T * weights) @ chosen)
        sigma *= math.exp((c_sigma / damping) * (length / expected - 1))
    return best[1]


SEARCHES = {"nelder-mead": search_simplex, "cma-es": search_cma}


def estimate_uncertainty(problem, x, size=0.02):
    """Returns the standard error of each parameter: the inverse of J^T J, with J by central differences."""
    n = len(x)
    steps = [np.clip(x + sign * size * np.eye(n)[i], 0, 1) for i in range(n) for sign in (1, -1)]
    found = list(problem.pool.map(problem.residuals, steps))
    jacobian = np.array([(found[2 * i] - found[2 * i + 1]) / (steps[2 * i][i] - steps[2 * i + 1][i]) for i in range(n)]).T
    normal = jacobian.T @ jacobian
    if not np.isfinite(normal).all() or np.linalg.matrix_rank(normal) < n:
        return np.full(n, math.nan)
    return np.sqrt(np.diag(np.linalg.inv(normal))) * (problem.high - problem.low)


def calibrate(scene, parameters, targets, *, out, method="nelder-mead", budget=60, tolerance=0.005, start=None, seeds=(1,),
              jobs=None, fixed=None):
    """Finds the parameters of a scene whose figures come nearest to measured targets.

    scene: path. parameters: name -> (low, high). targets: figure of the scene's report -> (value, sigma). out: folder for
    the log; a second call with the same arguments goes on where the first was interrupted. method: "nelder-mead" or
    "cma-es". budget: number of places to try. tolerance: of each parameter, as a share of its range. start: name -> value;
    the middle by default. seeds: each place is the mean over these. jobs: runs side by side, all processors by default.
    fixed: further parameters. Returns a Result."""
    if method not in SEARCHES:
        raise ValueError(f"method must be one of {', '.join(SEARCHES)}, not '{method}'")
    problem = _Problem(scene, parameters, targets, fixed or {}, seeds, jobs or os.cpu_count(), out)
    begin = np.array([0.5 if not start or n not in start else (start[n] - lo) / (hi - lo)
                      for n, lo, hi in zip(problem.names, problem.low, problem.high)])
    best = np.clip(SEARCHES[method](problem.errors, begin, 0.25, tolerance, budget), 0, 1)
    residuals = problem.residuals(best)
    uncertainty = estimate_uncertainty(problem, best)
    return Result(problem.place(best), float(residuals @ residuals), dict(zip(problem.names, uncertainty)),
                  problem.measure(best), problem.history)
