#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare-stacks.py PERF KILN: compares the stacks of two texts of perf script -F ip,..., sample by sample, and says
how many are the same, in how many perf made up a frame at the end, and where one of them got further."""
import itertools
import sys

MADE_UP = "ffffffffffffffff"
ROOTS = ("_start", "clone3", "_dl_start_user", "ret_from_fork_asm")


def samples(path):
    frames = None
    with open(path, errors="replace") as lines:
        for line in lines:
            if line.startswith("\t") or not line.strip():
                if line.strip() and frames is not None:
                    frames.append(line.split(None, 2))
                continue
            if frames is not None:
                yield frames
            frames = []
    if frames is not None:
        yield frames


def ends_at_root(frames):
    return bool(frames) and len(frames[-1]) > 1 and frames[-1][1].split("@")[0] in ROOTS


counts = dict.fromkeys(("all", "same", "made up", "to the root", "further", "shorter", "different"), 0)
for theirs, ours in itertools.zip_longest(samples(sys.argv[1]), samples(sys.argv[2]), fillvalue=[]):
    counts["all"] += 1
    perf = [frame[0] for frame in theirs]
    kiln = [frame[0] for frame in ours]
    was_made_up = perf[-1:] == [MADE_UP]
    if was_made_up:
        perf.pop()
    if perf == kiln:
        counts["made up" if was_made_up else "same"] += 1
    elif kiln[: len(perf)] == perf:
        counts["to the root" if ends_at_root(ours) else "further"] += 1
    elif perf[: len(kiln)] == kiln:
        counts["shorter"] += 1
    else:
        counts["different"] += 1
share = 100 * (counts["same"] + counts["made up"]) / max(counts["all"], 1)
print("%d stacks: %.3f %% the same (in %d of them perf adds a frame at the last address there is)" % (
    counts["all"], share, counts["made up"]))
print("perf's are cut short and kiln's go on: %d, %d of them to the thread's entry; kiln's are shorter: %d; others: %d" % (
    counts["to the root"] + counts["further"], counts["to the root"], counts["shorter"], counts["different"]))
