# SPDX-License-Identifier: MIT
# awk -f compare-folded.awk EXPECTED GOT: how many stacks and how much of the weight differ.

{
	weight = $NF
	stack = substr($0, 1, length($0) - length(weight) - 1)
}
FNR == NR { expected[stack] += weight; total += weight; next }
{ got[stack] += weight }

END {
	for (stack in expected)
		stacks++
	for (stack in got)
		if (!(stack in expected))
			expected[stack] = 0
	for (stack in expected) {
		more = got[stack] - expected[stack]
		differing += more != 0
		if (more < 0)
			missing -= more
		else
			added += more
	}
	printf "%d of %d stacks differ; of %d samples %d are missing, %d are elsewhere\n",
		differing, stacks, total, missing, added
}
