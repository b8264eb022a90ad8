"""Runs a command and prints what it used: used.py COMMAND ... prints CPU seconds, MB of memory at most, MB read.

CPU time is that of the command and of the children it waited for, memory and reads are its own. Memory below some 14 MB cannot be seen: the
peak of this process at its fork counts. The command's output goes to stderr."""

import os
import subprocess
import sys

child = subprocess.Popen(sys.argv[1:], stdout=2)
os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # its /proc entry stays until it is waited for
with open(f"/proc/{child.pid}/io") as io:
    read = int(io.readline().split()[1])
_, status, used = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
print(f"{used.ru_utime + used.ru_stime:.3f} {used.ru_maxrss / 1024:.1f} {read / 1e6:.1f}")
sys.exit(child.returncode)
