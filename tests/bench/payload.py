#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""inflated.py CAPTURE OUT: writes what is in the compressed records of a perf.data (perf record -z)
to OUT, as one zstd stream, for zstd(1) to show how fast that can be decompressed at all."""
import struct
import sys

COMPRESSED, COMPRESSED2 = 81, 83

with open(sys.argv[1], "rb") as capture:
    data = capture.read()
at, size = struct.unpack_from("<QQ", data, 40)
end = at + size
with open(sys.argv[2], "wb") as out:
    while at + 8 <= end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if size < 8:
            sys.exit(f"a record of {size} bytes at {at}")
        if kind == COMPRESSED:
            out.write(data[at + 8 : at + size])
        elif kind == COMPRESSED2:
            (used,) = struct.unpack_from("<Q", data, at + 8)
            out.write(data[at + 16 : at + 16 + used])
        at += size
