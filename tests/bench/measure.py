#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""measure.py RUNS COMMAND: runs the shell COMMAND that often and prints the median of its seconds, and the peak
resident size in bytes of its largest process. Says so and fails when it fails."""
import os
import resource
import statistics
import subprocess
import sys
import time

runs, command = int(sys.argv[1]), sys.argv[2]
seconds = []
for _ in range(runs):
    start = time.monotonic()
    status = subprocess.call(["bash", "-c", "set -o pipefail; " + command])
    seconds.append(time.monotonic() - start)
    # 3: kiln's answer is partial, as that of any live capture.
    if status not in (0, 3):
        sys.exit("exit status %d: %s" % (status, command))
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
print("%.3f %d" % (statistics.median(seconds), peak))
