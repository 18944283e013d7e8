#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check-rows.py NAME EVENT KEYS: loads NAME.tsv into SQLite and compares sums with other outputs of kiln.

The rows of EVENT must be those of NAME.folded (kiln fold --by KEYS), and the sums of functions those of NAME.csv
(kiln report --by symbol). NAME.jsonl must have the cells of NAME.tsv. Prints the number of rows and of differences."""
import csv
import json
import re
import sqlite3
import sys

ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}


def cell(text):
    """A cell as PostgreSQL's COPY and ClickHouse's TabSeparated read it."""
    if text == "\\N":
        return None
    return re.sub(r"\\(.)", lambda match: ESCAPES[match[1]], text)


def load_tsv(path):
    lines = open(path, encoding="utf-8", newline="\n").read().split("\n")
    assert lines.pop() == ""
    names = lines.pop(0).split("\t")
    rows = [[cell(text) for text in line.split("\t")] for line in lines]
    assert all(len(row) == len(names) for row in rows)
    return names, rows


def as_cell(value):
    """A value of JSON as the text of a cell."""
    if isinstance(value, list):
        return ";".join(element.replace(";", ":") for element in value)
    return value if value is None or isinstance(value, str) else str(value)


def check_jsonl(path, names, rows):
    objects = [json.loads(line, parse_float=str) for line in open(path, encoding="utf-8", newline="\n")]
    differences = len(objects) != len(rows)
    for row, values in zip(rows, objects):
        differences += list(values) != names or [as_cell(value) for value in values.values()] != row
    return differences


def folded(database, event, keys):
    """The rows of an event as folded stacks."""
    def prefix(key, value):
        return value if key == "comm" else f"[no {key}]" if value is None else f"{key}={value}"

    query = f"SELECT {', '.join(keys)}, frames, sum(weight) FROM stacks WHERE event = ? GROUP BY {', '.join(keys)}, frames"
    for *values, frames, weight in database.execute(query, [event]):
        parts = [prefix(key, value) for key, value in zip(keys, values)] + ([frames] if frames else [])
        yield f"{';'.join(parts)} {weight}"


def functions(database, event):
    """Self and total of functions, by SQL alone: a list is an array for json_each."""
    totals = dict(database.execute(
        """SELECT frame.value, sum(weight) FROM stacks,
               (SELECT DISTINCT stacks.rowid AS id, value FROM stacks,
                       json_each('["' || replace(replace(frames, '\\', '\\\\'), ';', '","') || '"]')) AS frame
           WHERE frame.id = stacks.rowid AND event = ? AND frames <> '' GROUP BY frame.value""", [event]))
    selves = dict(database.execute("SELECT leaf, sum(weight) FROM stacks WHERE event = ? GROUP BY leaf", [event]))
    return {name: (selves.get(name, 0), total) for name, total in totals.items()}


def of_report(path):
    """Functions of one name in several DSOs are added up."""
    rows = {}
    for row in csv.DictReader(open(path)):
        self_weight, total = rows.get(row["symbol"], (0, 0))
        rows[row["symbol"]] = (self_weight + int(row["self"]), total + int(row["total"]))
    return rows


def main():
    name, event, keys = sys.argv[1], sys.argv[2], sys.argv[3].split(",")
    names, rows = load_tsv(name + ".tsv")
    database = sqlite3.connect(":memory:")
    types = {"weight": "INTEGER", "samples": "INTEGER"}
    database.execute(f"CREATE TABLE stacks ({', '.join(f'{column} {types.get(column, str())}' for column in names)})")
    database.executemany(f"INSERT INTO stacks VALUES ({', '.join('?' * len(names))})", rows)
    lines = sorted(folded(database, event, keys))
    wanted = sorted(open(name + ".folded").read().splitlines())
    got, report = functions(database, event), of_report(name + ".csv")
    differences = sum(got.get(function) != report.get(function) for function in got.keys() | report.keys())
    print(f"{name}: {len(rows)} rows, {check_jsonl(name + '.jsonl', names, rows)} differ from JSON, "
          f"{len(set(lines) ^ set(wanted))} of {len(wanted)} stacks differ, {differences} of {len(report)} functions differ")


main()
