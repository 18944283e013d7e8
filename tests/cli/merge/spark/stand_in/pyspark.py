# SPDX-License-Identifier: MIT
"""What examples/spark/merge.py uses of Spark, in one process. As in Spark, pipe splits a string, passes no variables of its
own environment, and ignores the command's status unless checkCode is set; nothing runs before collect."""
import shlex
import subprocess


class RDD:
    def __init__(self, partitions):
        self.partitions = partitions

    def pipe(self, command, env=None, checkCode=False):
        def run(elements):
            text = "".join(str(element).rstrip("\n") + "\n" for element in elements)
            process = subprocess.run(shlex.split(command), env=env or {}, input=text.encode(), stdout=subprocess.PIPE)
            if checkCode and process.returncode:
                raise RuntimeError(f"Pipe function exited with error code {process.returncode}")
            return process.stdout.decode().splitlines()

        return RDD(run(elements) for elements in self.partitions)

    def collect(self):
        return [element for elements in self.partitions for element in elements]


class SparkContext:
    def __init__(self, appName):
        pass

    def parallelize(self, elements, numSlices):
        count = len(elements)
        bounds = [count * slice // numSlices for slice in range(numSlices + 1)]
        return RDD(elements[start:end] for start, end in zip(bounds, bounds[1:]))
