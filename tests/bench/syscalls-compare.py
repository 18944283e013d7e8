#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""syscalls-compare.py KILN PERF.DATA...: compares kiln syscalls with perf trace -s, for each thread and system call.

Compares the number of calls and errors, and the total, mean and longest duration. Prints what differs, and exits with 1
if anything does. Durations are not compared in rows with calls whose begin was not recorded: perf gives these the begin
of the call before, or a duration of 0."""
import csv
import io
import re
import subprocess
import sys

# perf prints milliseconds with three decimals.
RESOLUTION_MS = 0.001


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout


def of_kiln(kiln, path):
    table = run(kiln, "syscalls", "-q", "--by", "thread,syscall", "--format", "csv", path)
    return {(int(row["tid"]), row["syscall"]): row for row in csv.DictReader(io.StringIO(table))}


def of_perf(path):
    thread = re.compile(r"^ .* \((\d+)\), \d+ events, ")
    call = re.compile(r"^   (\S+) +(\d+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +[\d.]+%$")
    rows = {}
    tid = None
    for line in run("perf", "trace", "-s", "-i", path).splitlines():
        match = thread.match(line)
        if match:
            tid = int(match[1])
        match = call.match(line)
        if match:
            rows[tid, match[1]] = [int(match[2]), int(match[3]), float(match[4]), float(match[6]), float(match[7])]
    return rows


def compare(kiln, path):
    ours = of_kiln(kiln, path)
    theirs = of_perf(path)
    bad = 0
    timed = 0
    for key in sorted(ours.keys() | theirs.keys()):
        # The exit of rt_sigreturn has no number on x86, and perf does not count the call.
        if key[1] == "rt_sigreturn" and key not in theirs:
            continue
        if key not in ours or key not in theirs:
            print("%s %d: only in %s" % (key[1], key[0], "perf" if key in theirs else "kiln"))
            bad += 1
            continue
        row = ours[key]
        pairs = [("calls", int(row["calls"]), theirs[key][0]), ("errors", int(row["errors"]), theirs[key][1])]
        if row["calls"] == row["timed_calls"]:
            timed += 1
            pairs += [(name, int(row[name + "_ns"]) / 1e6, theirs[key][i])
                      for i, name in [(2, "total"), (3, "mean"), (4, "max")]]
        for name, mine, other in pairs:
            if abs(mine - other) > (RESOLUTION_MS if name not in ("calls", "errors") else 0):
                print("%s %d: %s is %s, perf: %s" % (key[1], key[0], name, mine, other))
                bad += 1
    print("%d rows, %d with all durations; %d differences" % (len(ours), timed, bad))
    return bad


if __name__ == "__main__":
    sys.exit(any([compare(sys.argv[1], path) for path in sys.argv[2:]]))
