#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check-export.py FORMAT FILE REPORT.CSV: compares an exported profile with kiln report --by symbol, function by function.

For chrome, the third file is the output of kiln script -F tid,time,period,ip,sym --ns instead. Prints the number of
functions, and the differences."""
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


def check_columns(table, columns, length=None):
    """All columns of a table of Firefox Profiler have its length, and there are no others."""
    assert set(table) == set(columns) | {"length"}, set(table) ^ (set(columns) | {"length"})
    for column in columns:
        assert isinstance(table[column], list) and len(table[column]) == table["length"], column


def check_indexes(values, count, none=()):
    for value in values:
        assert value in none or 0 <= value < count, value


def of_firefox(path):
    """Checks the schema of version 60 of the processed profile format, too."""
    document = json.load(open(path))
    meta, shared = document["meta"], document["shared"]
    assert meta["preprocessedProfileVersion"] == 60
    assert any(category["color"] == "grey" for category in meta["categories"])
    assert all(category["subcategories"] for category in meta["categories"])
    assert meta["interval"] > 0 and meta["markerSchema"] == [] and meta["sampleUnits"]["time"] == "ms"
    stacks, frames, funcs, resources = (shared[name] for name in ("stackTable", "frameTable", "funcTable", "resourceTable"))
    strings = shared["stringArray"]
    check_columns(stacks, ["frame", "prefix"])
    check_columns(frames, ["address", "inlineDepth", "category", "subcategory", "func", "nativeSymbol", "innerWindowID",
                           "line", "column"])
    check_columns(funcs, ["name", "isJS", "relevantForJS", "resource", "source", "lineNumber", "columnNumber"])
    check_columns(resources, ["lib", "name", "host", "type"])
    check_columns(shared["nativeSymbols"], ["libIndex", "address", "name", "functionSize"])
    check_columns(shared["sources"], ["uuid", "filename"])
    check_indexes(stacks["frame"], frames["length"])
    assert all(prefix is None or prefix < row for row, prefix in enumerate(stacks["prefix"]))
    check_indexes(frames["func"], funcs["length"])
    check_indexes(frames["category"], len(meta["categories"]))
    check_indexes(funcs["name"], len(strings))
    check_indexes(funcs["resource"], resources["length"], [-1])
    check_indexes(funcs["source"], shared["sources"]["length"], [None])
    check_indexes(shared["sources"]["filename"], len(strings))
    check_indexes(resources["lib"], len(document["libs"]))
    check_indexes(resources["name"], len(strings))
    tids = [thread["tid"] for thread in document["threads"]]
    assert len(set(tids)) == len(tids)
    rows = []
    for thread in document["threads"]:
        samples = thread["samples"]
        check_columns({key: value for key, value in samples.items() if key != "weightType"},
                      ["stack", "time", "weight"] + ["threadCPUDelta"] * ("threadCPUDelta" in samples))
        check_columns(thread["markers"], ["data", "name", "startTime", "endTime", "phase", "category"])
        check_indexes(samples["stack"], stacks["length"], [None])
        assert samples["time"] == sorted(samples["time"])
        scale = 1000000 if samples["weightType"] == "tracing-ms" else 1
        for stack, weight in zip(samples["stack"], samples["weight"]):
            names = []
            while stack is not None:
                names.insert(0, strings[funcs["name"][frames["func"][stacks["frame"][stack]]]])
                stack = stacks["prefix"][stack]
            if names:
                rows.append((names, round(weight * scale)))
    return of_stacks(rows)


def of_chrome(path):
    """Self time and total by name, in nanoseconds: of slices, which must be nested."""
    document = json.load(open(path))
    stacks, times, rows = {}, {}, []
    for event in document["traceEvents"]:
        thread = (event["pid"], event["tid"])
        if event["ph"] == "M":
            continue
        stack, time = stacks.setdefault(thread, []), round(event["ts"] * 1000)
        assert time >= times.setdefault(thread, time)
        if stack and time > times[thread]:
            rows.append((list(stack), time - times[thread]))
        times[thread] = time
        if event["ph"] == "B":
            stack.append(event["name"])
        elif event["ph"] == "E":
            stack.pop()
    assert not any(stacks.values())
    return of_stacks(rows)


def of_script(path):
    """The same from the samples: each stands for the time before it, as far as its period and the sample before."""
    rows, ends, thread, names = [], {}, None, []
    for line in open(path):
        match = re.match(r"^\s*(\d+)\s+(\d+)\.(\d{9}):\s+(\d+)\s*", line)
        if match:
            time, period = int(match[2] + match[3]), int(match[4])
            thread, names = match[1], []
            duration = min(period, time - ends.get(thread, 0))
            ends[thread] = time
        elif line.strip():
            names.insert(0, line.split(None, 1)[1].strip())
        else:
            rows.append((names, duration))
    return of_stacks(rows)


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
    """Self cost, and the sum of the calls of a function as its total, as callgrind_annotate adds them up."""
    names, selfs, calls, function = {}, {}, {}, None
    callee = None
    for line in open(path):
        match = re.match(r"^(c?)fn=\((\d+)\)(?: (.*))?$", line)
        if match:
            name = names.setdefault(match[2], match[3])
            callee = name if match[1] else None
            function = function if match[1] else name
        elif re.match(r"^\d+ \d+$", line) and function:
            costs = calls if callee else selfs
            costs[callee or function] = costs.get(callee or function, 0) + int(line.split()[1])
            callee = None
    return {name: (selfs.get(name, 0), calls.get(name, 0)) for name in selfs | calls}


def of_collapsed(path):
    """Each line as speedscope (bg-flamegraph.ts) and jfrconv (FlameGraph.java) read it."""
    stacks = []
    for line in open(path):
        match = re.match(r"^(.*) (\d+)\n$", line)
        assert match and match[1] and int(match[2]) < 2**63, line
        # Without the group.
        stacks.append((match[1].split(";")[1:], int(match[2])))
    return of_stacks(stacks)


def main():
    name, path, report = sys.argv[1:]
    theirs = {"pprof": of_pprof, "speedscope": of_speedscope, "firefox": of_firefox, "chrome": of_chrome, "d3": of_d3,
              "callgrind": of_callgrind, "collapsed": of_collapsed}[name](path)
    ours = of_script(report) if name == "chrome" else of_report(report)
    wrong = 0
    for function, (self_weight, total) in sorted(ours.items()):
        got = theirs.get(function, (0, 0))
        if got != (self_weight, total):
            print(f"{function}: {got}, not {(self_weight, total)}")
            wrong += 1
    print(f"{name}: {len(ours)} functions, {wrong} differ")


main()
