"""The tests of the copy: which lines they reach, and whether they notice a mutant."""
import collections
import glob
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

from .build import BUILD, SOURCE, WORK, Objects, build_targets, run_or_stop

TIERS = {"unit": 0, "property": 0, "physics": 0, "lua": 1, "cli": 2, "python": 2, "mpi": 3}
SCRIPT_TARGETS = ("scree", "scree_shared")  # what tests that are scripts run
MEMORY = 16 << 30  # bytes that a test may allocate: a mutant may ask for any number


class Test:
    def __init__(self, entry):
        properties = {p["name"]: p["value"] for p in entry.get("properties", ())}
        self.name, self.command = entry["name"], entry.get("command", ())
        self.folder = properties.get("WORKING_DIRECTORY", BUILD)
        self.quick = "quick" in properties.get("LABELS", ())
        self.environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", ()))
        self.skipped = properties.get("SKIP_RETURN_CODE")
        self.tier = TIERS.get(self.name.split(".")[0])
        self.seconds, self.reached = 600, set()
        own = [os.path.basename(w) for w in self.command if w.startswith(BUILD + os.sep) and os.path.isfile(w)]
        self.targets = SCRIPT_TARGETS if "scree" in own or not own else tuple(own)

    def run(self, folder, limit, stopped=None, environment=None):
        """Returns "fine", "skipped", "failed", "hangs", or "stopped" if the event was set before the test ended."""
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        surroundings = {**os.environ, **self.environment, **(environment or {}), "TMPDIR": folder}
        child = subprocess.Popen(self.command, cwd=self.folder, env=surroundings, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, start_new_session=True,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)))
        end, said = time.time() + limit, None
        while said is None and child.poll() is None:
            said = "stopped" if stopped and stopped.is_set() else "hangs" if time.time() > end else None
            time.sleep(0.005)
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
        shutil.rmtree(folder, ignore_errors=True)
        return said or ("fine" if child.returncode == 0 else "skipped" if child.returncode == self.skipped else "failed")


def list_tests(pattern):
    listed = json.loads(run_or_stop(["ctest", "--test-dir", BUILD, "--show-only=json-v1"]))["tests"]
    tests = [Test(entry) for entry in listed]
    return [test for test in tests if test.quick and test.tier is not None and re.search(pattern, test.name)]


def run_side_by_side(tests, jobs, call):
    """Calls call(test, folder) for all tests, jobs at a time, in their order, until one call returns False."""
    todo, lock, going = iter(tests), threading.Lock(), [True]

    def work(k):
        while going[0]:
            with lock:
                test = next(todo, None)
            if test is None:
                return
            if call(test, os.path.join(WORK, f"tmp{k}")) is False:
                going[0] = False
    threads = [threading.Thread(target=work, args=(k,)) for k in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# ---- which tests reach which mutant ----

def read_counts(folder):
    """{file: {line: times}} of the counts that a test has left under the folder."""
    counts = collections.defaultdict(dict)
    left = glob.glob(glob.escape(folder) + "/**/*.gcda", recursive=True)
    for path in left:
        note = "/" + os.path.relpath(path, folder)[:-5] + ".gcno"
        shutil.copy(note, path[:-5] + ".gcno")
    if not left:
        return counts
    said = subprocess.run(["gcov", "--json-format", "--stdout", *left], capture_output=True, text=True, cwd=folder).stdout
    for part in map(json.loads, filter(None, said.split("\n"))):
        for file in part["files"]:
            name = os.path.relpath(os.path.join(part["current_working_directory"], file["file"]), SOURCE)
            for line in file["lines"]:
                number = line["line_number"]
                counts[name][number] = counts[name].get(number, 0) + line["count"]
    return counts


def is_reached(mutant, counts):
    """Whether the mutated line has a count. A line without code of its own counts as the last line with code before it."""
    lines = counts.get(mutant.file, {})
    before = [number for number in lines if number <= mutant.line]
    return bool(before) and lines[max(before)] > 0


def find_reached(mutants, dependents, commands, tests, jobs):
    """Runs all tests on objects that count lines. Sets the time of each test and the mutants that it reaches; returns the tests that pass."""
    counting = Objects(os.path.join(WORK, "counting"))
    sources = sorted({source for mutant in mutants for source in dependents[mutant.file]})
    if not counting.compile(sources, commands, jobs, ["--coverage", "-fprofile-update=atomic"]):
        sys.exit("mutants: a file does not compile with --coverage")
    for target, to in counting.swaps:  # counts and notes lie where the build's own object is
        shutil.copy(to[:-2] + ".gcno", target[:-2] + ".gcno")
    counting.put()
    fine = []

    def call(test, folder):
        counts = folder + "-counts"
        shutil.rmtree(counts, ignore_errors=True)
        os.makedirs(counts)
        start = time.time()
        said = test.run(folder, test.seconds, environment={"GCOV_PREFIX": counts})
        test.seconds = time.time() - start
        lines = read_counts(counts)
        test.reached = {mutant for mutant in mutants if is_reached(mutant, lines)}
        shutil.rmtree(counts)
        if said in ("fine", "skipped"):
            fine.append(test)
        else:
            print(f"left out: {test.name}: {said} without a mutant", flush=True)
    try:
        build_targets(jobs)
        run_side_by_side(tests, jobs, call)
    finally:
        counting.restore()
        build_targets(jobs)
    return fine


# ---- judging ----

def order_tests(mutant, tests):
    """Tests that reach the mutant: by tier, first those whose names share words with the file, then the fast ones."""
    words = set(re.split(r"[/_.]", mutant.file)) - {"c", "h"}
    near = [test for test in tests if mutant in test.reached]
    return sorted(near, key=lambda t: (t.tier, t.seconds > 5, -len(words & set(re.split(r"[/_.]", t.name))), t.seconds))


def judge(mutant, objects, tests, jobs, limit):
    """Returns (name of the test that fails or None, tests that ran, tests that reach the mutant)."""
    ordered, killer, ran, spent = order_tests(mutant, tests), [], [], [0.0]
    building, stopped = threading.Lock(), threading.Event()

    def call(test, folder):
        if spent[0] + test.seconds > limit * jobs:
            return True
        spent[0] += test.seconds
        with building:
            build_targets(jobs, test.targets)
        said = test.run(folder, 5 * test.seconds + 10, stopped)
        ran.append(test)
        if said in ("failed", "hangs"):
            killer.append(f"{test.name} ({said})")
            stopped.set()
        return not killer
    objects.put()
    try:
        if ordered:
            run_side_by_side(ordered, jobs, call)
    finally:
        objects.restore()
    return (killer[0] if killer else None), len(ran), len(ordered)
