# SPDX-License-Identifier: MIT
# awk -f check-layers.awk layers.txt FILE...: says which include goes against layers.txt, and
# fails then. layers.txt lists, for each top folder, the folders and single headers it may include.

FNR == NR {
	if ($0 !~ /^#/ && NF) {
		folder = $1
		sub(/:$/, "", folder)
		known[folder] = 1
		for (i = 2; i <= NF; i++)
			allowed[folder, $i] = 1
	}
	next
}

FNR == 1 {
	folder = FILENAME
	sub(/\/.*/, "", folder)
	if (!(folder in known)) {
		printf "%s: %s/ is not in layers.txt\n", FILENAME, folder
		bad = 1
	}
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
	header = $0
	sub(/^[^"]*"/, "", header)
	sub(/".*/, "", header)
	if (header !~ /\//) {
		printf "%s:%d: \"%s\" is not named from the root\n", FILENAME, FNR, header
		bad = 1
		next
	}
	top = header
	sub(/\/.*/, "", top)
	if (!((folder, top) in allowed) && !((folder, header) in allowed) &&
	    !((folder, "*") in allowed)) {
		printf "%s:%d: %s/ may not include %s\n", FILENAME, FNR, folder, header
		bad = 1
	}
}

END { exit bad }
