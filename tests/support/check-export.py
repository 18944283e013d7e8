#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check-export.py FORMAT FILE REPORT.CSV: compares an exported profile with kiln report --by symbol, function by function.

Prints the number of functions, and the differences."""
import csv
import json
import re
import subprocess
import sys


def of_report(path):
    """Self and total by name; functions of one name are added up, as other tools do."""
    rows = {}
    for row in csv.DictReader(open(path)):
        self_weight, total = rows.get(row["symbol"], (0, 0))
        rows[row["symbol"]] = (self_weight + int(row["self"]), total + int(row["total"]))
    return rows


def of_stacks(stacks):
    """stacks: lists of names from the root on, with a weight."""
    rows = {}
    for names, weight in stacks:
        for name in set(names):
            self_weight, total = rows.get(name, (0, 0))
            rows[name] = (self_weight + (weight if name == names[-1] else 0), total + weight)
    return rows


def of_pprof(path):
    text = subprocess.run(["go", "tool", "pprof", "-traces", "-unit=ns", path], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    stacks = []
    for trace in text.split("-----------+")[1:]:
        names, weight = [], None
        for line in trace.splitlines()[1:]:
            match = re.match(r"^\s*(?:([\d.]+)ns)?\s{2,}(\S.*)$", line)
            if match and not re.match(r"^\s+\w+:\s", line):
                weight = int(match[1]) if match[1] else weight
                names.insert(0, re.sub(r" \(inline\)$", "", match[2]))
        if names:
            stacks.append((names, weight))
    return of_stacks(stacks)


def of_speedscope(path):
    document = json.load(open(path))
    names = [frame["name"] for frame in document["shared"]["frames"]]
    stacks = []
    for profile in document["profiles"]:
        assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]
        stacks += [([names[i] for i in sample], weight) for sample, weight in zip(profile["samples"], profile["weights"])]
    return of_stacks(stacks)


def of_d3(path):
    stacks, todo = [], [((), json.load(open(path)))]
    while todo:
        names, node = todo.pop()
        names += (node["name"],)
        todo += [(names, child) for child in node["children"]]
        rest = node["value"] - sum(child["value"] for child in node["children"])
        if rest:
            # Without the root, "all", and the group.
            stacks.append((list(names[2:]), rest))
    return of_stacks(stacks)


def of_callgrind(path):
    """Self cost; the inclusive cost of recursive functions is that of the format."""
    names, rows, function = {}, {}, None
    is_call = False
    for line in open(path):
        match = re.match(r"^c?fn=\((\d+)\)(?: (.*))?$", line)
        if match:
            names.setdefault(match[1], match[2])
            if line[0] == "f":
                function = names[match[1]]
                rows.setdefault(function, (0, 0))
        elif line.startswith("calls="):
            is_call = True
        elif re.match(r"^\d+ \d+$", line) and function:
            weight = int(line.split()[1])
            rows[function] = (rows[function][0] + (0 if is_call else weight), rows[function][1] + weight)
            is_call = False
    return rows


def main():
    name, path, report = sys.argv[1:]
    theirs = {"pprof": of_pprof, "speedscope": of_speedscope, "d3": of_d3, "callgrind": of_callgrind}[name](path)
    ours = of_report(report)
    wrong = 0
    for function, (self_weight, total) in sorted(ours.items()):
        got = theirs.get(function, (0, 0))
        if got[0] != self_weight or (got[1] != total and name != "callgrind"):
            print(f"{function}: {got}, not {(self_weight, total)}")
            wrong += 1
    print(f"{name}: {len(ours)} functions, {wrong} differ")


main()
