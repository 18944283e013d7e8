# SPDX-License-Identifier: MIT
"""Reads the columns of a page, as render/page/page_data.h describes them."""
import base64
import json
import re
import zlib


def read(path):
    """The facts of a page, and a dict of its columns."""
    page = open(path, encoding="utf-8", errors="replace").read()
    facts = json.loads(re.search(r'<script type="application/json" id="facts">(.*?)</script>', page, re.S).group(1))
    coding, packed = re.search(r'id="columns" data-coding="(\w+)">(.*?)</script>', page, re.S).groups()
    stream = base64.b64decode(packed)
    if coding == "deflate":
        stream = zlib.decompress(stream, -15)
    columns = {}
    for column in facts["columns"]:
        part = stream[column["offset"] : column["offset"] + column["size"]]
        values = part.split(b"\0")[:-1] if column["type"] == "text" else list(numbers(part, column.get("scale", 1)))
        assert len(values) == column["count"], column
        columns[column["name"]] = values
    return facts, columns


def numbers(part, scale):
    value = shift = 0
    for byte in part:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value * scale
            value = shift = 0


def functions(columns):
    """Self and total of each name, from the rows; recursion counts once."""
    frames = []  # of the path to a row
    ret = {}
    for up, frame, weight in zip(columns["row.up"], columns["row.frame"], columns["row.self"]):
        del frames[len(frames) - up :]
        frames.append(frame)
        for each in set(frames):
            self, total = ret.get(each, (0, 0))
            ret[each] = (self + (weight if each == frame else 0), total + weight)
    return ret
