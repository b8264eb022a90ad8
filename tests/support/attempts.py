"""Carries out the attempts of a table on the sandbox, several at a time, and holds each against its bounds.

usage: attempts.py PROGRAM CALLBACK_SECONDS:MEMORY_MIB:TABLE...
A line of a table is: name | Lua. Each must end by itself with an exit code of scree's, within 2 s of CPU time beyond the caps on the script and
on verbs of the engine (50 times that) and 64 MiB beyond the cap
(the sanitizers' own memory aside), say no "ESCAPED", and leave nothing behind in its folder. Prints what does not. A machine or a
build that is slower than it should be gives as many times longer.
"""
import concurrent.futures
import os
import resource
import subprocess
import sys
import tempfile

program = sys.argv[1]
SANITIZED = b"__asan_init" in open(program, "rb").read() or b"__tsan_init" in open(program, "rb").read()
# Scripts that measure the speed of Lua and of the engine, and their CPU times on the machine that set the bounds
JOBS = [
    ("local x = 0 for i = 1, 30000000 do x = x + i % 7 end", 0.2),
    ("""local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
w:halfspace { normal = { 0, 0, 1 } }
for i = 1, 800 do w:sphere { radius = 0.5, position = { i % 9, i // 9 % 9, 0.5 + i // 81 * 0.99 } } end
w:step(40)""", 0.1),
]


def slowness():
    """How many times longer than it should this program takes now, on this machine, for a loop in Lua or for steps of the engine; at least 1."""
    most = 1
    for script, seconds in JOBS:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/job.lua", "w") as file:
                file.write(script)
            subprocess.run([program, "lua", "--trust", "job.lua"], cwd=folder, check=True)
        most = max(most, (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) / seconds)
    return most


ENGINE_CAPS = 50
OVERHEAD, ROOM = (20 if SANITIZED else 2) * slowness(), None if SANITIZED else 64


def attempt(name, code, seconds, memory):
    most = OVERHEAD + (ENGINE_CAPS + 1) * float(seconds)
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/{name}.lua", "w") as file:
            file.write(code + "\n")
        os.symlink("/etc/passwd", f"{folder}/linked.lua")
        os.symlink("/etc/passwd", f"{folder}/link.stl")
        before = sorted(os.listdir(folder))
        with open(f"{folder}/../{os.path.basename(folder)}.out", "w+b") as out:
            os.unlink(out.name)
            child = subprocess.Popen(
                [program, "lua", "--callback-time", seconds, "--memory", memory, f"{name}.lua"],
                cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE)
            # limits set by preexec_fn would make Python copy itself for each start
            try:
                resource.prlimit(child.pid, resource.RLIMIT_CPU, (int(10 * most), int(10 * most)))
            except ProcessLookupError:
                pass
            text = child.stderr.read()
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = 0
            out.seek(0)
            said = out.read(1 << 20)
        code, cpu, top = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        wrong = []
        if code not in (0, 1, 2, 3, 4):
            wrong.append(f"exit code {code}")
        if cpu > most:
            wrong.append(f"{cpu:.2f} s of CPU time")
        if ROOM and top > float(memory) + ROOM:
            wrong.append(f"{top:.0f} MiB of memory")
        if b"ESCAPED" in said:
            wrong.append("it escaped")
        if code and not text:
            wrong.append("no word of why")
        if b"\x1b" in text or len(text) > 20000 or b"unprotected" in text or b"Sanitizer" in text or b"runtime error" in text or b" 0 MiB" in text:
            wrong.append("what it says")
        if sorted(os.listdir(folder)) != before:
            wrong.append(f"it leaves {set(os.listdir(folder)) - set(before)}")
        return f"{name}: {', '.join(wrong)}: {text[:300]!r}" if wrong else None, cpu, top


def main():
    attempts = []
    for argument in sys.argv[2:]:
        seconds, memory, table = argument.split(":", 2)
        for line in open(table):
            if line.strip() and not line.startswith("#"):
                name, code = line.split(" | ", 1)
                attempts.append((name, code.strip(), seconds, memory))
    if len({row[0] for row in attempts}) != len(attempts):
        sys.exit("a name stands twice")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda a: attempt(*a), attempts))
    for wrong in filter(None, (result[0] for result in results)):
        print("FAILED:", wrong)
    print(f"{len(attempts)} attempts: at most {max(r[1] for r in results):.2f} s and {max(r[2] for r in results):.0f} MiB")
    return any(result[0] for result in results)


sys.exit(main())
