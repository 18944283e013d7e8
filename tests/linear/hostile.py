# SPDX-License-Identifier: MIT
"""Writes captures and ELF files that no tool would write. Everything is built from bytes, so that each family of
hostile inputs can have any size:

    capture    header | attr | records: mapping(), sample(), comm(), fork()
    program    ELF header | segment | build-id note | text | sections
"""
import hashlib
import io
import struct
import tarfile

# perf_event_open(2): PERF_SAMPLE_IP | TID | TIME | CALLCHAIN | PERIOD
SAMPLE_TYPE = 0x127
# mmap, comm, freq, task, sample_id_all, mmap2, comm_exec
ATTR_FLAGS = 1 << 8 | 1 << 9 | 1 << 10 | 1 << 13 | 1 << 18 | 1 << 23 | 1 << 24
ATTR_BYTES = 112
HEADER_BYTES = 104
# Registers of x86-64 that perf record --call-graph dwarf requests; index 7 is the stack pointer, index 8 the address.
REGISTER_MASK = 0xff0fff
REGISTER_COUNT = 20
STACK_ADDRESS = 0x7ffd00000000
TEXT_ADDRESS = 0x401000
TEXT_BYTES = 0x1000000
# Of loaded sections.
ADDRESSES = {b".eh_frame": 0x20000000, b".eh_frame_hdr": 0x30000000}
# A page of data, and .bss; the page follows the text in the file.
DATA_ADDRESS = 0x2000000
DATA_OFFSET = 0x1000 + TEXT_BYTES
DATA_BYTES = 0x1000
BSS_BYTES = 0x2000


def record(kind, misc, payload):
    payload += bytes(-len(payload) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(payload)) + payload


def sample_id(pid, time):
    return struct.pack("<IIQ", pid, pid, time)


def name_bytes(name):
    return name + bytes(8 - len(name) % 8)


def mapping(time, start, size, name, pid=1, offset=0, build_id=b"", is_data=False, inode=99):
    """PERF_RECORD_MMAP2."""
    file = struct.pack("<IIQQ", 8, 1, inode, 0)
    if build_id:
        file = struct.pack("<B3x", len(build_id)) + build_id.ljust(20, b"\0")
    payload = struct.pack("<IIQQQ", pid, pid, start, size, offset) + file + struct.pack("<II", 3 if is_data else 5, 2)
    return record(10, 2 | is_data << 13 | (1 << 14 if build_id else 0), payload + name_bytes(name) + sample_id(pid, time))


def kernel_mapping(time, start, size, name, offset=0):
    """PERF_RECORD_MMAP2 of the kernel or of a module."""
    payload = struct.pack("<iIQQQIIQQII", -1, 0, start, size, offset, 0, 0, 0, 0, 0, 0)
    return record(10, 1, payload + name_bytes(name) + sample_id(0, time))


def kernel_sample(time, address, pid=1):
    payload = struct.pack("<QIIQQQ", address, pid, pid, time, 1, 2)
    return record(9, 1, payload + struct.pack("<2Q", 0xffffffffffffff80, address))


def comm(time, pid, name):
    return record(3, 0, struct.pack("<II", pid, pid) + name_bytes(name) + sample_id(pid, time))


def fork(time, pid, parent):
    return record(7, 0, struct.pack("<IIIIQ", pid, parent, pid, parent, time) + sample_id(pid, time))


def sample(time, addresses, pid=1):
    chain = [0xfffffffffffffe00] + addresses
    payload = struct.pack("<QIIQQQ", addresses[0], pid, pid, time, 1, len(chain))
    return record(9, 2, payload + struct.pack("<%dQ" % len(chain), *chain))


def stack_sample(time, address, pid=1, stack=bytes(64)):
    """A sample with registers and a copy of the stack instead of a callchain; for capture(has_stacks=True)."""
    registers = [0] * REGISTER_COUNT
    registers[7:9] = [STACK_ADDRESS, address]
    payload = struct.pack("<QIIQQQ", address, pid, pid, time, 1, 0) + struct.pack("<Q%dQ" % len(registers), 2, *registers)
    return record(9, 2, payload + struct.pack("<Q", len(stack)) + stack + struct.pack("<Q", len(stack)))


def capture(records, has_stacks=False):
    data = b"".join(records)
    kind, flags = (SAMPLE_TYPE | 3 << 12, ATTR_FLAGS | 1 << 22) if has_stacks else (SAMPLE_TYPE, ATTR_FLAGS)
    attr = struct.pack("<IIQQQQQ", 1, ATTR_BYTES, 0, 1000, kind, 0, flags).ljust(80, b"\0")
    if has_stacks:
        attr += struct.pack("<QI", REGISTER_MASK, 64)
    attr = attr.ljust(ATTR_BYTES, b"\0")
    attr_at = HEADER_BYTES
    data_at = attr_at + ATTR_BYTES + 16
    header = b"PERFILE2" + struct.pack("<8Q", HEADER_BYTES, ATTR_BYTES + 16, attr_at, ATTR_BYTES + 16, data_at,
                                       len(data), 0, 0)
    return header.ljust(HEADER_BYTES, b"\0") + attr + bytes(16) + data


def program(sections=(), symbols=(), salt=0, text_bytes=TEXT_BYTES, data=()):
    """An ELF file whose text and data have no bytes, with sections (name, bytes), and symbols (name, address, size) of
    functions and data. Returns the file and its build-id."""
    build_id = hashlib.sha1(b"kiln %d" % salt).digest()
    note = struct.pack("<III", 4, 20, 3) + b"GNU\0" + build_id
    strings = b"\0"
    table = bytes(24)
    for name, address, size in symbols:
        table += struct.pack("<IBBHQQ", len(strings), 0x12, 0, 1, address, size)
        strings += name + b"\0"
    for name, address, size in data:
        table += struct.pack("<IBBHQQ", len(strings), 0x11, 0, 3, address, size)
        strings += name + b"\0"
    # Sections: name, type, flags, address, bytes, link, entry size.
    rows = [(b".text", 8, 6, TEXT_ADDRESS, b"", 0, 0), (b".note.gnu.build-id", 7, 2, 0x400000, note, 0, 0)]
    if data:
        rows.append((b".data", 8, 3, DATA_ADDRESS, b"", 0, 0))
    if symbols:
        rows += [(b".symtab", 2, 0, 0, table, len(rows) + 2, 24), (b".strtab", 3, 0, 0, strings, 0, 0)]
    rows += [(name, 1, 2 if name in ADDRESSES else 0, ADDRESSES.get(name, 0), content, 0, 0) for name, content in sections]
    names = b"\0" + b"".join(row[0] + b"\0" for row in rows) + b".shstrtab\0"
    rows.append((b".shstrtab", 3, 0, 0, names, 0, 0))
    at = 64 + 3 * 56
    body = b""
    headers = bytes(64)
    for name, kind, flags, address, content, link, entry in rows:
        size = {b".text": text_bytes, b".data": DATA_BYTES + BSS_BYTES}.get(name, len(content))
        headers += struct.pack("<IIQQQQIIQQ", names.index(b"\0" + name + b"\0") + 1, kind, flags, address, at,
                               size, link, 1 if name == b".symtab" else 0, 1, entry)
        if name == b".note.gnu.build-id":
            note_at = at
        body += content
        at += len(content)
    elf = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 2, 62, 1, TEXT_ADDRESS, 64, at, 0, 64, 56, 3 if data else 2, 64, len(rows) + 1, len(rows))
    segments = struct.pack("<IIQQQQQQ", 1, 5, 0x1000, TEXT_ADDRESS, TEXT_ADDRESS, text_bytes, text_bytes, 0x1000)
    segments += struct.pack("<IIQQQQQQ", 4, 4, note_at, 0x400000, 0x400000, len(note), len(note), 4)
    if data:
        segments += struct.pack("<IIQQQQQQ", 1, 6, DATA_OFFSET, DATA_ADDRESS, DATA_ADDRESS, DATA_BYTES,
                                DATA_BYTES + BSS_BYTES, 0x1000)
    return elf + segments.ljust(3 * 56, b"\0") + body + headers, build_id


def text_mapping(time, name, build_id, pid=1, at=TEXT_ADDRESS):
    return mapping(time, at, TEXT_BYTES, name, pid, 0x1000, build_id)


def uleb(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def abbreviation(code, tag, children, *attributes):
    out = uleb(code) + uleb(tag) + bytes([children])
    for attribute, form in attributes:
        out += uleb(attribute) + uleb(form)
    return out + b"\0\0"


def unit(entries, abbreviations_at=0):
    """A unit of DWARF 4."""
    return struct.pack("<IHIB", len(entries) + 7, 4, abbreviations_at, 8) + entries


# Call frame information of x86-64: addresses of 8 bytes; at first, the return address is at the top of the stack.
CFI_CIE = struct.pack("<II", 20, 0) + b"\1\0\1\x78\x10" + b"\x0c\7\x08" + b"\x90\1" + bytes(6)


def cfi_entry(cfi, begin, size, instructions):
    """Appends an FDE, whose CIE is at the start."""
    body = struct.pack("<QQ", begin, size) + instructions
    body += bytes(-len(body) % 8 + 4)
    return cfi + struct.pack("<II", len(body) + 4, len(cfi) + 4) + body


def cfi_table(rows):
    """.eh_frame_hdr: (begin of a function, offset of its FDE)."""
    at = ADDRESSES[b".eh_frame_hdr"]
    frames = ADDRESSES[b".eh_frame"]
    return (struct.pack("<BBBBiI", 1, 0x1b, 3, 0x3b, frames - at - 4, len(rows)) +
            b"".join(struct.pack("<ii", begin - at, frames + offset - at) for begin, offset in rows))


def inlined(row_count, entry_count, first_row, salt=0):
    """A program whose inlined functions share one list of ranges: function i has the rows from first_row(i) on. Returns
    the file and its build-id."""
    rows = b"".join(struct.pack("<QQ", TEXT_ADDRESS + 32 * i, TEXT_ADDRESS + 32 * i + 16) for i in range(row_count))
    abbreviations = (abbreviation(1, 0x11, 1, (0x13, 0x0b), (0x11, 1), (0x12, 7)) +
                     abbreviation(2, 0x2e, 1, (3, 8), (0x11, 1), (0x12, 7)) +
                     abbreviation(3, 0x1d, 0, (0x55, 0x17)) + b"\0")
    text = struct.pack("<QQ", TEXT_ADDRESS, TEXT_BYTES)
    name = b"main%d" % salt
    entries = b"\1\4" + text + b"\2" + name + b"\0" + text
    entries += b"".join(b"\3" + struct.pack("<I", 16 * first_row(i)) for i in range(entry_count)) + b"\0\0"
    return program([(b".debug_info", unit(entries)), (b".debug_abbrev", abbreviations),
                    (b".debug_ranges", rows + bytes(16))], [(name, TEXT_ADDRESS, TEXT_BYTES)], salt)


def jit_dump(pid):
    """The header of a jitdump."""
    return struct.pack("<6IQQ", 0x4a695444, 1, 40, 62, 0, pid, 1, 0)


def jit_code(time, address, name, index, pid=1):
    """A record of a jitdump: 64 bytes of code were loaded."""
    body = struct.pack("<IIQQQQ", pid, pid, address, address, 64, index) + name + b"\0" + bytes(64)
    return struct.pack("<IIQ", 0, 16 + len(body), time) + body


def inlined_archive(path, files, codec="gz"):
    """An archive of programs (row_count, entry_count, first_row), and a capture with a sample in each."""
    rows, members = [], []
    for i, shape in enumerate(files):
        file, build_id = inlined(*shape, salt=i)
        at = TEXT_ADDRESS + 2 * i * TEXT_BYTES
        rows += [text_mapping(1, b"/bin%d" % i, build_id, at=at), sample(100 + i, [at + 40])]
        members.append((".debug/bin%d" % i, file))
    with open(path, "wb") as out:
        out.write(archive([("perf.data", capture(rows))] + members, codec))


def archive(members, codec="gz"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:" + codec, format=tarfile.PAX_FORMAT) as tar:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


MASK = (1 << 64) - 1
XXH_PRIMES = (0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0x85ebca77c2b2ae63, 0x27d4eb2f165667c5)


def rotated(word, bits):
    return (word << bits | word >> (64 - bits)) & MASK


def xxh64_round(lane, word):
    return rotated((lane + word * XXH_PRIMES[1]) & MASK, 31) * XXH_PRIMES[0] & MASK


def xxh64(data):
    """XXH64 with seed 0, of at least 32 bytes (the xxHash specification)."""
    p1, p2, p3, p4, p5 = XXH_PRIMES
    lanes = [(p1 + p2) & MASK, p2, 0, -p1 & MASK]
    whole = len(data) & ~31
    for words in struct.iter_unpack("<4Q", data[:whole]):
        lanes = [xxh64_round(lane, word) for lane, word in zip(lanes, words)]
    value = sum(rotated(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK
    for lane in lanes:
        value = ((value ^ xxh64_round(0, lane)) * p1 + p4) & MASK
    value = (value + len(data)) & MASK
    rest = data[whole:]
    for (word,) in struct.iter_unpack("<Q", rest[:len(rest) & 24]):
        value = (rotated(value ^ xxh64_round(0, word), 27) * p1 + p4) & MASK
    if len(rest) & 4:
        (word,) = struct.unpack_from("<I", rest, len(rest) & 24)
        value = (rotated(value ^ word * p1 & MASK, 23) * p2 + p3) & MASK
    for byte in rest[len(rest) & 28:]:
        value = rotated(value ^ byte * p5 & MASK, 11) * p1 & MASK
    value = (value ^ value >> 33) * p2 & MASK
    value = (value ^ value >> 29) * p3 & MASK
    return value ^ value >> 32


def merged_string(text):
    return uleb(len(text)) + text


def merged_chunk(kind, raw, count):
    return struct.pack("<IIQQQQ", kind, 0, len(raw), len(raw), count, xxh64(raw)) + raw


def merged_stack(shared, *frames):
    """Frames after those shared with the stack before; one sample that weighs 1."""
    return uleb(shared) + uleb(len(frames)) + b"".join(map(uleb, frames)) + b"\1\1"


def merged(chunks, frames):
    """A merged profile (docs/merged-format.md). Its chunks are lists of merged_stack, and have the same frames."""
    tables = uleb(1) + merged_string(b"e\0\0\0\0\0\0") + uleb(len(frames))
    tables += b"".join(merged_string(name + b"\0d\0\0") for name in frames)
    file = b"\x89KILN\r\n\x1a" + struct.pack("<I", 1)
    for stacks in chunks:
        file += merged_chunk(1, tables + b"".join(stacks), len(stacks))
    summary = uleb(1) + bytes(3) + uleb(sum(map(len, chunks))) + bytes(2)
    # One event. A reader ignores the bytes after the list of labels.
    return file + merged_chunk(2, summary + uleb(1) + merged_string(b"e") + bytes(3) + bytes(33), 0)
