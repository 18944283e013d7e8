# SPDX-License-Identifier: MIT
# Adds up the times that kiln offcpu prints for each thread, window by window. Compares the sums with the whole
# and, for switches, with sums computed from the samples that kiln script prints.
import collections, os, re, subprocess

KILN, FIXTURES = os.environ["KILN"], os.environ["FIXTURES"]
CASES = [
    ("waits",), ("waits", "--runqueue"), ("waits", "--preempted"), ("waits", "--wakers"), ("waits", "--chain"),
    ("waits", "--min-time", "5ms"), ("life",), ("life", "--wall"), ("changes",), ("changes", "--wall"),
    ("calls", "--span", "raw_syscalls:sys_enter,raw_syscalls:sys_exit"),
    ("contend", "--span", "lock:contention_begin,lock:contention_end"),
]
# Borders of windows, as shares of the capture's duration.
SHARES = [0.03, 0.1, 0.101, 0.25, 0.26, 0.5, 0.77, 0.9, 0.99]


def run(*arguments):
    return subprocess.run([KILN, *arguments], check=True, capture_output=True, text=True).stdout


def seconds(ns):
    return f"{ns // 10**9}.{ns % 10**9:09}"


def by_thread(capture, options, *more):
    sums = collections.Counter()
    for line in run("offcpu", "-q", "--no-host-files", "--format", "folded", "--unit", "ns", "--by", "tid",
                    *options, *more, capture).splitlines():
        stack, weight = line.rsplit(" ", 1)
        sums[int(re.match(r"tid (\d+)", stack)[1])] += int(weight)
    return sums


def waits_of(capture):
    """Each wait as (tid, begin, end) in ns, to the microsecond, those that do not end until the last switch."""
    left, waits, now = {}, [], 0
    for line in run("script", "-q", "-F", "time,event,trace", "--event", "sched:sched_switch", capture).splitlines():
        row = re.match(r"\s*(\d+)\.(\d+): .*prev_pid=(\d+) .*prev_state=(\S+) ==> .*next_pid=(\d+) ", line)
        if not row:
            continue
        now, previous, following = int(row[1] + row[2]) * 1000, int(row[3]), int(row[5])
        if following in left:
            waits.append((following, left.pop(following), now))
        if row[4][0] not in "RXZ" and previous:
            left[previous] = now
    return waits + [(tid, begin, now) for tid, begin in left.items()]


def part(waits, begin, end):
    sums, counts = collections.Counter(), collections.Counter()
    for tid, first, last in waits:
        overlap = min(last, end) - max(first, begin)
        if overlap > 0:
            sums[tid] += overlap
            counts[tid] += 1
    return sums, counts


for name, *options in CASES:
    capture = f"{FIXTURES}/{name}/perf.data"
    times = [int(word.replace(".", "")) * 1000 for word in run("script", "-q", "-F", "time", capture).replace(":", "").split()
             if re.fullmatch(r"\d+\.\d{6}", word)]
    first, last = min(times), max(times) + 10**9
    borders = [0] + [int(first + share * (max(times) - first)) for share in SHARES] + [last]
    windows = list(zip(borders, borders[1:]))
    what = (name, *options)
    total, checked, every = collections.Counter(), 0, []
    for begin, end in windows:
        sums = by_thread(capture, options, "--time", f"{seconds(begin)},{seconds(end)}")
        total += sums
        every.append(sums)
        for tid, weight in sums.items():
            assert weight <= end - max(begin, first - 1000), (*what, tid, weight, begin, end)
        if not options and name == "waits":
            wanted, counts = part(waits_of(capture), begin, end)
            for tid in wanted.keys() | sums.keys():
                assert abs(wanted[tid] - sums[tid]) <= 1000 * (counts[tid] + 1), (tid, begin, wanted[tid], sums[tid])
                checked += 1
    whole = by_thread(capture, options, "--open", "include")
    assert whole == total and len(whole) >= 1, (*what, whole, total)
    # A thread that has time before a window and after it lived during the whole window.
    for before, sums, after, (begin, end) in zip(every, every[1:], every[2:], windows[1:]):
        for tid in before.keys() & after.keys() if "--wall" in options else []:
            assert sums[tid] == end - begin, (*what, tid, sums[tid], end - begin)
    joined = " ".join(f"{seconds(begin)},{seconds(end)}" for begin, end in windows[::2])
    parts = collections.Counter()
    for begin, end in windows[::2]:
        parts += by_thread(capture, options, "--time", f"{seconds(begin)},{seconds(end)}")
    assert by_thread(capture, options, "--time", joined) == parts, what
    print(" ".join(what), len(whole), "threads,", "switches compared" if checked else "sums compared")
