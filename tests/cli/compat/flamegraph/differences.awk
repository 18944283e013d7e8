# SPDX-License-Identifier: MIT
# awk -f differences.awk THEIRS OURS: two outputs of frames.awk, sorted; prints what differs. Both ends of a frame are
# rounded separately to a tenth of a pixel, so x and width may differ by a tenth.

BEGIN {
	FS = "\t"
	split("y title x width height colour label", name, " ")
}

FNR == NR {
	theirs[FNR] = $0
	count = FNR
	next
}

function is_close(a, b)
{
	return a - b < 0.11 && b - a < 0.11
}

{
	ours = FNR
	fields = split(theirs[FNR], their, "\t")
	if (fields != NF)
		print "line " FNR ": " theirs[FNR] " and " $0
	for (i = 1; i <= NF; i++)
		if (their[i] "" != $i "" && !(NF == 7 && (i == 3 || i == 4) && is_close(their[i], $i)))
			print $2 ": " (NF == 7 ? name[i] : $1) " is " their[i] " and " $i
}

END {
	if (count != ours)
		print count " lines and " ours + 0
}
