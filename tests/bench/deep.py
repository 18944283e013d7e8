#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""deep.py FUNCTIONS: prints a C program of that many functions that call each other to some depth and then compute:
deep stacks, as those of a server that gets some dozens of kinds of requests again and again. Deterministic."""
import random
import sys

count = int(sys.argv[1])
random.seed(1)
print("#include <stdint.h>\n#include <stdlib.h>\nstatic volatile uint64_t sink;")
for i in range(count):
    print("__attribute__((noinline)) void step_%d(unsigned depth, uint64_t seed);" % i)
for i in range(count):
    callees = [random.randrange(count) for _ in range(3)]
    print("void step_%d(unsigned depth, uint64_t seed)\n{" % i)
    print("\tfor (unsigned i = 0; i < %d; i++)\n\t\tsink = sink * 31 + (seed ^ i);" % random.randrange(20, 400))
    print("\tif (depth == 0)\n\t\treturn;")
    print("\tseed = seed * 6364136223846793005u + 1;\n\tswitch (seed >> 62) {")
    for j, callee in enumerate(callees):
        print("\tcase %d:\n\t\tstep_%d(depth - 1, seed);\n\t\tbreak;" % (j, callee))
    print("\tdefault:\n\t\tstep_%d(depth / 2, seed);\n\t\tstep_%d(depth - 1, seed + 7);\n\t}\n\tsink++;\n}" %
          (callees[0], callees[1]))
print("int main(int argc, char **argv)\n{\n\tunsigned rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;")
print("\tfor (unsigned i = 0; i < rounds; i++)\n\t\tstep_0(24 + i % 32, i % 40 * 2654435761u);\n\treturn 0;\n}")
