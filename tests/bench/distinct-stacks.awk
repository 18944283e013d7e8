# SPDX-License-Identifier: MIT
# awk -v peak=BYTES -f distinct-stacks.awk FOLDED: prints the minimum size in MB of its stacks, as text and as rows
# of a tree (32 bytes each) with names, and how many times as large the peak of memory is. Lines are in order, as
# kiln's are.
BEGIN { FS = ";" }
{
	bytes += length($0) + 1
	sub(/ [0-9]+$/, "")
	shared = 0
	while (shared < depth && shared < NF && $(shared + 1) == before[shared + 1])
		shared++
	rows += NF - shared
	for (i = shared + 1; i <= NF; i++) {
		before[i] = $i
		if (!($i in names)) {
			names[$i] = 1
			name_bytes += length($i) + 1
		}
	}
	depth = NF
}
END {
	tree = rows * 32 + name_bytes
	printf "%.1f MB; %d stacks have %.1f as text (%.1f times), %.1f as a tree (%.1f times)\n", peak / 1e6, NR,
	       bytes / 1e6, peak / bytes, tree / 1e6, peak / tree
}
