#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""merge.py LIST WORK OUTPUT: merges the captures in LIST, one path per line, to OUTPUT. KILN is the program. All workers
must see the same paths; WORK is a directory for parts, which can be deleted afterwards.

    spark-submit merge.py captures.txt /shared/parts /shared/all.kiln

Spark's pipe passes the paths of a partition to COMMAND on standard input. It writes one part, and prints its path. Each
run has a directory of its own, because a task may run twice. The logs of the tasks name captures that were skipped."""
import argparse
import os
import shlex
import shutil

from pyspark import SparkContext

COMMAND = """
set -eu
work=$1 option=${2:-}
own=$(mktemp -d "$work/XXXXXX")
cat >"$own/list"
[ -s "$own/list" ] || exit 0
status=0
"${KILN:-kiln}" merge --memory 900M $option -o "$own/part" "@$own/list" || status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
echo "$own/part"
"""
PATHS_PER_TASK = 100


def step(context, paths, work, option):
    tasks = (len(paths) + PATHS_PER_TASK - 1) // PATHS_PER_TASK
    # A string: pipe splits it as a shell would.
    command = shlex.join(["sh", "-c", COMMAND, "sh", work, option])
    return context.parallelize(paths, tasks).pipe(command, env=dict(os.environ), checkCode=True).collect()


def main():
    parser = argparse.ArgumentParser(usage="merge.py LIST WORK OUTPUT")
    for name in "list", "work", "output":
        parser.add_argument(name)
    arguments = parser.parse_args()
    # Workers run in other directories, so the paths are made absolute.
    work, output = os.path.abspath(arguments.work), os.path.abspath(arguments.output)
    with open(arguments.list, encoding="utf-8") as lines:
        captures = [os.path.join(os.getcwd(), line.rstrip("\n")) for line in lines if line.strip()]
    if not captures:
        parser.error(f"{arguments.list}: lists no captures")
    os.makedirs(work, exist_ok=True)
    os.makedirs(os.path.dirname(output), exist_ok=True)

    context = SparkContext(appName="kiln merge")
    parts = step(context, captures, work, "--keep-going")
    while len(parts) > 1:
        parts = step(context, parts, work, "")
    shutil.move(parts[0], output)


if __name__ == "__main__":
    main()
