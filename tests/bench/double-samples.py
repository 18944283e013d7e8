#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""double-samples.py FROM TO: copies a perf.data file with every sample in it twice: the same stacks, twice as
often. For little-endian captures in file mode that hold no compressed records."""
import struct
import sys

SAMPLE, COMPRESSED, COMPRESSED2 = 9, 81, 83
source, target = sys.argv[1:]
raw = open(source, "rb").read()
assert raw[:8] == b"PERFILE2"
data_at, data_size = struct.unpack_from("<QQ", raw, 40)
features = bin(int.from_bytes(raw[72:104], "little")).count("1")
end = data_at + data_size

samples = []
at = data_at
while at < end:
    kind, _, size = struct.unpack_from("<IHH", raw, at)
    assert kind not in (COMPRESSED, COMPRESSED2)
    if kind == SAMPLE:
        samples.append(raw[at:at + size])
    at += size
added = b"".join(samples)

table = b""
for i in range(features):
    at, size = struct.unpack_from("<QQ", raw, end + 16 * i)
    table += struct.pack("<QQ", at + len(added), size)
header = bytearray(raw[:104])
struct.pack_into("<Q", header, 48, data_size + len(added))
with open(target, "wb") as out:
    out.write(header)
    out.write(raw[104:end])
    out.write(added)
    out.write(table)
    out.write(raw[end + len(table):])
