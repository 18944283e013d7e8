#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sched-compare.py KILN PERF.DATA: compares kiln sched with perf sched latency and perf sched timehist, thread by thread.

Prints threads whose numbers differ by more than 1 %, and the largest difference of each number. Exits with 1 if there
are any. Threads are skipped if switches are missing for them, which perf counts as run time or not at all."""
import csv
import io
import re
import subprocess
import sys

TOLERANCE = 0.01
# perf prints milliseconds with three decimals.
RESOLUTION_MS = 0.001


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


def of_kiln(kiln, path):
    rows = csv.DictReader(io.StringIO(run(kiln, "sched", "-q", "--format", "csv", path)))
    return {int(row["tid"]): row for row in rows}


def of_latency(path):
    pattern = re.compile(r"^\s*\S.*:(\d+)\s*\|\s*([\d.]+) ms \|\s*(\d+) \| avg:\s*([\d.]+) ms \| max:\s*([\d.]+) ms")
    rows = {}
    for line in run("perf", "sched", "latency", "-p", "-i", path).splitlines():
        match = pattern.match(line)
        if match:
            rows[int(match[1])] = [int(match[3]), float(match[4]), float(match[5])]
    return rows


def of_timehist(path):
    pattern = re.compile(r"\[(\d+)(?:/\d+)?\]\s+-?\d+\s+(\d+)\s+([\d.]+)\s+[\d.]+\s+[\d.]+\s+([\d.]+)")
    rows = {}
    for line in run("perf", "sched", "timehist", "-s", "-i", path).splitlines():
        match = pattern.search(line)
        if match:
            rows[int(match[1])] = [int(match[2]), float(match[3]), float(match[4])]
    return rows


def compare(what, pairs, resolution):
    """pairs: (tid, perf's number, kiln's)."""
    worst, wrong = 0.0, []
    for tid, theirs, ours in pairs:
        difference = max(0.0, abs(theirs - ours) - resolution) / max(theirs, resolution or 1)
        worst = max(worst, difference)
        if difference > TOLERANCE:
            wrong.append(f"  tid {tid}: perf {theirs:g}, kiln {ours:g}")
    print(f"{what}: {len(pairs)} threads, largest difference {100 * worst:.2f} %")
    print("\n".join(wrong), end="\n" if wrong else "")
    return len(wrong)


def main():
    kiln, path = sys.argv[1:]
    ours, latency, timehist = of_kiln(kiln, path), of_latency(path), of_timehist(path)
    wrong = 0

    def number(tid, key):
        return float(ours[tid][key] or 0)

    for name, rows, columns in [
        ("timehist", timehist, [("runs", "runs", 1, 1), ("run time, ms", "run_ns", 1e6, RESOLUTION_MS),
                                ("longest run, ms", "longest_run_ns", 1e6, RESOLUTION_MS)]),
        ("latency", latency, [("delays", "delays", 1, 1), ("mean delay, ms", "delay_mean_ns", 1e6, RESOLUTION_MS),
                              ("longest delay, ms", "delay_max_ns", 1e6, RESOLUTION_MS)]),
    ]:
        for index, (what, key, unit, resolution) in enumerate(columns):
            wrong += compare(f"{name}: {what}",
                             [(tid, row[index], number(tid, key) / unit) for tid, row in rows.items()
                              if tid in ours and not number(tid, "unknown_ns")],
                             resolution)
    sys.exit(wrong != 0)


main()
