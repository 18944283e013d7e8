# SPDX-License-Identifier: MIT
"""Writes accesses to data of different kinds."""
import struct
import hostile

LOAD = 2 | 1 << 5 | 1 << 19 | 1 << 24 | 10 << 26
# PERF_SAMPLE_IP | TID | TIME | ADDR | CALLCHAIN | DATA_SRC
TYPES = 1 | 2 | 4 | 8 | 1 << 5 | 1 << 15
TEXT, DATA = hostile.TEXT_ADDRESS, hostile.DATA_ADDRESS
BSS = DATA + hostile.DATA_BYTES
HEAP, STACK = 0x10000000, 0x7ffd00000000

hostile.sample_id = lambda pid, time: struct.pack("<IIQ", pid, pid, time)
program, build_id = hostile.program(symbols=[(b"main", TEXT, 0x100)],
                                    data=[(b"queue", DATA, 8), (b"lock", DATA + 8, 8), (b"stats", DATA + 16, 8),
                                          (b"hot", DATA + 24, 8), (b"ring", BSS, 0x100)])
open("bin", "wb").write(program)


def load(address, chain=(), pid=1):
    chain = [0xfffffffffffffe00, TEXT + 8] + list(chain)
    return hostile.record(9, 2, struct.pack("<QIIQQQ", TEXT + 8, pid, pid, 50, address, len(chain))
                          + struct.pack("<%dQQ" % len(chain), *chain, LOAD))


def capture(name, loads, mappings=(), build_id=b""):
    records = [hostile.comm(1, 1, b"app"), hostile.text_mapping(2, b"/bin", build_id)] + list(mappings) + loads
    records = b"".join(records)
    attr = struct.pack("<IIQQQQQ", 4, 112, 0x1cd, 1, TYPES, 0, hostile.ATTR_FLAGS).ljust(112, b"\0")
    header = b"PERFILE2" + struct.pack("<8Q", 104, 128, 104, 128, 232, len(records), 0, 0)
    with open(name, "wb") as file:
        file.write(header.ljust(104, b"\0") + attr + bytes(16) + records)


def data(start, size, name, offset=0, pid=1):
    return hostile.mapping(3, start, size, name, pid, offset, is_data=True)


mappings = [data(DATA, hostile.DATA_BYTES, b"/bin", hostile.DATA_OFFSET), data(BSS, 0x100000, b"//anon"),
            data(HEAP, 0x100000, b"[heap]"), data(STACK, 0x10000, b"[stack]")]
# Far more accesses to the memory after .bss than to the file, which no build-id identifies.
capture("kinds.data", [load(at) for at in [DATA + 4, BSS + 4, HEAP + 8, HEAP + 16, STACK + 8, 0x5000, 1 << 63]] +
        [load(BSS + 0x4000 + 4096 * i) for i in range(64)], mappings)
capture("unmapped.data", [load(DATA + 4)])
# The variable with the most accesses is used last.
capture("line.data", [load(DATA + 8 * i) for i in range(4)] + [load(DATA + 24)] * 9, mappings, build_id)
# No call precedes the return addresses, so this is another file.
capture("other.data", [load(DATA, [TEXT + 0x40 + 16 * i]) for i in range(30)], mappings)
# Code of a JIT compiler, and data at the same addresses of another process.
JIT = 0x7f0000000000
with open("perf-1.map", "w", encoding="ascii") as file:
    for i in range(8):
        file.write("%x 100 jit_%d\n" % (JIT + 0x100 * i, i))
jit = [hostile.mapping(3, JIT, 0x1000, b"//anon"), data(JIT, 0x1000, b"//anon", pid=2)]
capture("jit.data", [load(JIT + 0x110, [JIT + 0x100 * i + 16 for i in range(8)]), load(JIT + 0x210, pid=2)], jit)
