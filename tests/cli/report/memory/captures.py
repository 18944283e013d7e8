# SPDX-License-Identifier: MIT
"""Writes accesses as PEBS, IBS and SPE record them: two threads share a line, and a third in another process."""
import struct
import hostile
PARSE, SCAN = hostile.TEXT_ADDRESS, hostile.TEXT_ADDRESS + 0x100
LOAD, STORE = 2, 4
HIT, MISS, L1, LFB, L2, L3, RAM, REMOTE_CACHE = 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x400


def source(op, level=1, snoop=1, tlb=2 | 8, lock=1, number=0, remote=0, more=0, hops=0):
    return (op | level << 5 | snoop << 19 | lock << 24 | tlb << 26 | number << 33 | remote << 37 | more << 38
            | hops << 43)


NONE = source(1, 1, 1, 1)


def sample(time, ip, tid, address, data, weight, physical=0, pid=1):
    return hostile.record(9, 2, struct.pack("<QIIQQQQQ", ip, pid, tid, time, address, weight, data, physical))


# PERF_SAMPLE_IP | TID | TIME | ADDR | WEIGHT | DATA_SRC | PHYS_ADDR
TYPES = 1 | 2 | 4 | 8 | 1 << 14 | 1 << 15 | 1 << 19


def capture(name, samples, types=TYPES):
    reader = hostile.record(3, 0, struct.pack("<II", 1, 2) + hostile.name_bytes(b"reader") + hostile.sample_id(1, 1))
    records = b"".join([hostile.comm(1, 1, b"writer"), reader,
                        hostile.text_mapping(1, b"/bin", build_id),
                        hostile.mapping(1, hostile.DATA_ADDRESS, hostile.DATA_BYTES, b"/bin", 1, hostile.DATA_OFFSET,
                                        build_id, is_data=True),
                        hostile.mapping(1, hostile.DATA_ADDRESS + hostile.DATA_BYTES, hostile.BSS_BYTES, b"//anon",
                                        is_data=True)] + samples)
    attr = struct.pack("<IIQQQQQ", 4, 112, 0x1cd, 1, types, 0, hostile.ATTR_FLAGS).ljust(112, b"\0")
    header = b"PERFILE2" + struct.pack("<8Q", 104, 128, 104, 128, 232, len(records), 0, 0)
    with open(name, "wb") as file:
        file.write(header.ljust(104, b"\0") + attr + bytes(16) + records)


hostile.sample_id = lambda pid, time: struct.pack("<IIQ", pid, pid, time)
# Two variables that share a cache line, and an array in .bss.
VARIABLES = [(b"head", 0x2000040, 8), (b"tail", 0x2000048, 4), (b"table", 0x2001000, 0x10)]
program, build_id = hostile.program(symbols=[(b"parse", PARSE, 0x100), (b"scan", SCAN, 0x40)], data=VARIABLES)
open("bin", "wb").write(program)
samples = []
for i in range(10):
    samples.append(sample(10 + i, PARSE + 8, 1, 0x2000040, source(STORE, HIT | L1, number=1), 0, 0x40))
    samples.append(sample(10 + i, SCAN + 4, 2, 0x2000048, source(LOAD, HIT | L3, 0x10, number=3), 80 + i, 0x48))
# Another process maps the cache line elsewhere.
samples.append(sample(30, SCAN + 4, 7, 0x700044, source(LOAD, HIT | REMOTE_CACHE, 0x10), 300, 0x44, 7))
# Only the number of the level, as on AMD; the cache of a peer, as on Arm; memory, after a TLB miss.
samples.append(sample(31, PARSE, 1, 0x2001000, source(LOAD, HIT, 2, number=0xd), 200, 0x1000))
samples.append(sample(32, PARSE, 1, 0x2000080, source(LOAD, HIT, 1, number=0xb, more=2, remote=1, hops=1), 120, 0x80))
samples.append(sample(33, PARSE, 1, 0x2001008, source(LOAD, HIT | RAM, 2, 4 | 0x20, 2, 0xd), 400, 0x1008))
samples.append(sample(34, PARSE, 1, 0x2001010, source(LOAD, HIT | LFB), 30, 0x1010))
samples.append(sample(35, 0x10, 1, 0xffff888000000040, source(LOAD, MISS | L2), 9))
samples.append(sample(36, PARSE, 1, 0, NONE, 0))
samples.append(sample(37, PARSE, 1, 0, source(STORE, HIT | L1), 0))
capture("accesses.data", samples[:-2])
capture("perf.data", samples)
capture("none.data", [sample(36, PARSE, 1, 0, NONE, 0)])
capture("plain.data", [hostile.record(9, 2, struct.pack("<QIIQ", PARSE, 1, 1, 40))], 7)
