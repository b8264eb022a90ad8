"""The copy of the working tree in which mutants are built, and the objects of mutants."""
import collections
import concurrent.futures
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(ROOT, "build", "mutants")
SOURCE = os.path.join(WORK, "source")
BUILD = os.path.join(WORK, "build")
FOLDERS = ("engine/", "lua/bind/", "tools/cli/")  # of the code that is changed
DEPENDENTS = 12  # a header with more dependent files is not changed, because each mutant would compile all of them


def run_or_stop(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"mutants: {' '.join(command)} fails:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def list_files():
    """Files of the working tree that git tracks, and new files that it does not ignore."""
    listed = run_or_stop(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT).split("\0")
    return [name for name in dict.fromkeys(listed) if name and os.path.lexists(os.path.join(ROOT, name))]


def is_same(a, b):
    if not os.path.isfile(b) or os.path.getsize(a) != os.path.getsize(b):
        return False
    with open(a, "rb") as one, open(b, "rb") as two:
        return one.read() == two.read()


def copy_tree(files):
    """Makes the copy equal to the working tree. Files that are equal stay untouched, so the build is incremental."""
    wanted = set(files)
    for folder, _, names in os.walk(SOURCE):
        for name in names:
            if os.path.relpath(os.path.join(folder, name), SOURCE) not in wanted:
                os.remove(os.path.join(folder, name))
    for name in files:
        here, there = os.path.join(ROOT, name), os.path.join(SOURCE, name)
        if os.path.isdir(here) or (not os.path.islink(here) and is_same(here, there)):
            continue
        os.makedirs(os.path.dirname(there), exist_ok=True)
        if os.path.lexists(there):
            os.remove(there)
        shutil.copy(here, there, follow_symlinks=False)


def build_targets(jobs, targets=()):
    chosen = ["--target", *targets] if targets else []
    run_or_stop(["cmake", "--build", BUILD, "-j", str(jobs), *chosen])


def build_copy(jobs):
    """Configures and builds the copy. Counts of lines work in it if single objects are compiled with --coverage. Make, unlike Ninja, does not
    compile an object again that is newer than its record."""
    if not os.path.exists(os.path.join(BUILD, "CMakeCache.txt")):
        run_or_stop(["cmake", "-S", SOURCE, "-B", BUILD, "-G", "Unix Makefiles", "-DCMAKE_BUILD_TYPE=Release", "-DSCREE_TESTS=ON",
                     "-DSCREE_WERROR=OFF", "-DSCREE_COVERAGE=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                     "-DCMAKE_EXE_LINKER_FLAGS=--coverage", "-DCMAKE_SHARED_LINKER_FLAGS=--coverage",
                     "-DCMAKE_MODULE_LINKER_FLAGS=--coverage"])
    build_targets(jobs)


def read_commands():
    """{source file: [(object file, words of the compiler's command)]} of the folders that have mutants."""
    found = collections.defaultdict(list)
    with open(os.path.join(BUILD, "compile_commands.json")) as file:
        for entry in json.load(file):
            name = os.path.relpath(entry["file"], SOURCE)
            words = shlex.split(entry["command"])
            if name.startswith(FOLDERS):
                found[name].append((os.path.join(entry["directory"], words[words.index("-o") + 1]), words))
    return found


def list_dependents(files, commands):
    """{file: C files to compile if it changes}, without headers that more than DEPENDENTS files include."""
    includers = collections.defaultdict(set)
    for name in files:
        if name.endswith((".c", ".h")):
            with open(os.path.join(SOURCE, name), errors="replace") as file:
                for word in re.findall(r'^#include "([^"]+)"', file.read(), flags=re.M):
                    includers[os.path.basename(word)].add(name)
    found = {}
    for name in files:
        reached, todo = set(), [name]
        while todo:
            at = todo.pop()
            reached.add(at)
            todo += includers[os.path.basename(at)] - reached if at.endswith(".h") else ()
        sources = sorted(reached & commands.keys())
        if name in commands or 0 < len(sources) <= DEPENDENTS:
            found[name] = [name] if name in commands else sources
    return found


class Objects:
    """The objects of one change, compiled beside those of the build: [(object file, file that replaces it)]."""

    def __init__(self, folder):
        self.folder, self.swaps = folder, []
        os.makedirs(folder, exist_ok=True)

    def compile(self, sources, commands, jobs, flags=()):
        """Returns whether all sources compile."""
        def compile_one(number, words):
            to = os.path.join(self.folder, f"{number}.o")
            words = words[:words.index("-o") + 1] + [to] + words[words.index("-o") + 2:] + list(flags)
            return to if subprocess.run(words, cwd=BUILD, capture_output=True).returncode == 0 else None
        todo = [entry for name in sources for entry in commands[name]]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            made = list(pool.map(compile_one, range(len(todo)), [words for _, words in todo]))
        self.swaps = [(target, to) for (target, _), to in zip(todo, made)]
        return all(made)

    def differ(self):
        return any(not is_same(to, target) for target, to in self.swaps)

    def put(self):
        """Puts the objects into the build. A list of them remains until restore has run."""
        with open(os.path.join(WORK, "swapped"), "w") as file:
            file.writelines(target + "\n" for target, _ in self.swaps)
        for target, to in self.swaps:
            shutil.copy(target, to + ".good")
            shutil.copy(to, target)

    def restore(self):
        for target, to in self.swaps:
            shutil.copy(to + ".good", target)
        os.remove(os.path.join(WORK, "swapped"))
        for target, _ in self.swaps:
            for rest in glob.glob(glob.escape(target[:-2]) + ".gcda"):
                os.remove(rest)


def drop_swapped():
    """Removes objects that an interrupted run left in the build, which then compiles them again."""
    path = os.path.join(WORK, "swapped")
    if os.path.exists(path):
        with open(path) as file:
            for target in file.read().split("\n"):
                if os.path.exists(target):
                    os.remove(target)
        os.remove(path)


def compile_mutant(mutant, sources, commands, folder, jobs):
    """Objects of the mutant; None if it does not compile or gives the same code."""
    path = os.path.join(SOURCE, mutant.file)
    with open(path) as file:
        text = file.read()
    times = os.stat(path)
    lines = text.split("\n")
    lines[mutant.line - 1] = mutant.new
    objects = Objects(folder)
    try:
        with open(path, "w") as file:
            file.write("\n".join(lines))
        return objects if objects.compile(sources, commands, jobs) and objects.differ() else None
    finally:
        with open(path, "w") as file:
            file.write(text)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
