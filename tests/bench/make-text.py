#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the text of a capture that could have been, for tests/bench: the same bytes for the same
arguments.

    make-text.py script MEGABYTES > x.script      as perf script prints it
    make-text.py folded MEGABYTES > x.folded      as stackcollapse-perf.pl writes it
"""
import random
import sys

LIBRARIES = ["/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
             "/opt/service/bin/service", "/opt/service/lib/libworker.so", "[kernel.kallsyms]"]
COMMS = ["service", "Web Content", "kworker/3:1-events", "java", "node", "make"]


class Program:
    """Functions, and walks through them: what is deep is shared by many stacks."""

    def __init__(self, chance, functions):
        self.chance = chance
        self.functions = []
        for i in range(functions):
            library = LIBRARIES[i % len(LIBRARIES)]
            if library == "[kernel.kallsyms]":
                name, base = f"do_kernel_work_{i}", 0xffffffff81000000
            elif i % 3:
                name, base = f"service::detail::Worker<Task{i}>::run_step", 0x400000
            else:
                name, base = f"handle_request_{i}", 0x7f0000000000
            self.functions.append((name, base + i * 0x400, library))
        self.walks = [[chance.randrange(functions) for _ in range(chance.randrange(8, 60))]
                      for _ in range(4000)]

    def stack(self):
        walk = self.chance.choice(self.walks)
        depth = len(walk) - self.chance.randrange(min(8, len(walk) - 1))
        frames = [(self.functions[at], (at * 37) % 0x3ff) for at in walk[:depth]]
        name = self.functions[self.chance.randrange(len(self.functions))]
        frames.append((name, self.chance.randrange(0x3ff)))
        return frames


def write_script(chance, program, wanted, out):
    written = 0
    nanoseconds = 5_000_000_000
    while written < wanted:
        nanoseconds += chance.randrange(1, 400_000)
        pid = chance.randrange(1000, 1040)
        time = f"{nanoseconds // 10**9}.{nanoseconds // 1000 % 10**6:06}"
        lines = [f"{COMMS[pid % len(COMMS)]} {pid:5}/{pid + pid % 3:<5} [{pid % 8:03}] {time}: "
                 f"{250000:10} cpu-clock:ppp: "]
        for (name, address, library), offset in reversed(program.stack()):
            lines.append(f"\t{address + offset:16x} {name}+0x{offset:x} ({library})")
        text = "\n".join(lines) + "\n\n"
        out.write(text)
        written += len(text)


def write_folded(chance, program, wanted, out):
    written = 0
    counts = {}
    while written < wanted:
        names = [COMMS[chance.randrange(len(COMMS))]]
        names += [name for (name, _, _), _ in program.stack()]
        text = ";".join(names)
        if text not in counts:
            written += len(text) + 3
        counts[text] = counts.get(text, 0) + chance.randrange(1, 30)
    for text in sorted(counts):
        out.write(f"{text} {counts[text]}\n")


def main():
    kind, megabytes = sys.argv[1], float(sys.argv[2])
    chance = random.Random(kind)
    program = Program(chance, 3000)
    write = {"script": write_script, "folded": write_folded}[kind]
    write(chance, program, int(megabytes * 1e6), sys.stdout)


if __name__ == "__main__":
    main()
