#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""merge.py LIST WORK OUTPUT: merges the captures in LIST, one path a line, to OUTPUT. All workers must see the same
paths; WORK is a directory for parts.

    spark-submit merge.py captures.txt /shared/parts /shared/all.kiln

Spark's pipe passes the paths of a partition to `map` or `reduce` below on standard input. Each writes one part, whose
name is unique, because a task may run twice, and prints its path."""
import shutil
import sys

from pyspark import SparkContext

COMMAND = """
set -eu
work=$1 option=${2:-}
list=$(mktemp "$work/XXXXXX") part=$(mktemp "$work/partXXXXXX")
cat >"$list"
[ -s "$list" ] || exit 0
status=0
kiln merge --memory 900M $option -o "$part" "@$list" || status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
echo "$part"
"""
PATHS_PER_TASK = 100


def step(paths, work, option):
    tasks = max(1, paths.count() // PATHS_PER_TASK)
    return paths.repartition(tasks).pipe(["sh", "-c", COMMAND, "sh", work, option]).cache()


def main():
    captures, work, output = sys.argv[1:]
    context = SparkContext(appName="kiln merge")
    parts = step(context.textFile(captures), work, "--keep-going")
    while parts.count() > 1:
        parts = step(parts, work, "")
    shutil.move(parts.first(), output)


if __name__ == "__main__":
    main()
