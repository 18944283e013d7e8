# SPDX-License-Identifier: MIT
# awk -f check-layers.awk layers.txt FILE...: prints the includes that violate layers.txt, and then fails.
# The format of layers.txt is described at its top.

FNR == NR && /^!/ {
	exempt[$2, $3] = 1
	next
}

FNR == NR {
	if ($0 !~ /^#/ && NF) {
		directory = $1
		sub(/:$/, "", directory)
		known[directory] = 1
		allowed[directory, directory] = 1
		for (i = 2; i <= NF; i++) {
			if ($i != "*" && !($i in known)) {
				printf "%s: %s is listed by %s, but is on a line below it\n", FILENAME, $i, directory
				bad = 1
			}
			allowed[directory, $i] = 1
			for (lower in known)
				if ((($i, lower) in reach))
					reach[directory, lower] = 1
			reach[directory, $i] = 1
		}
		reach[directory, directory] = 1
	}
	next
}

FNR == 1 {
	directory = top(FILENAME)
	files[++count] = FILENAME
	if (!(directory in known)) {
		printf "%s: %s/ is not in layers.txt\n", FILENAME, directory
		bad = 1
	}
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
	header = $0
	sub(/^[^"]*"/, "", header)
	sub(/".*/, "", header)
	if (header !~ /\//) {
		printf "%s:%d: \"%s\" is not a path from the root\n", FILENAME, FNR, header
		bad = 1
		next
	}
	if (!((FILENAME, header) in exempt)) {
		if (!((directory, top(header)) in allowed) && !((directory, "*") in allowed)) {
			printf "%s:%d: %s/ may not include %s\n", FILENAME, FNR, directory, header
			bad = 1
		}
		includes[FILENAME] = includes[FILENAME] " " header
	} else
		used[FILENAME, header] = 1
}

function top(path)
{
	sub(/\/.*/, "", path)
	return path
}

# A directory must be allowed to include everything that its files include, directly or indirectly.
function check_reach(file,    stack, depth, seen, parts, n, i, header)
{
	directory = top(file)
	depth = 1
	stack[1] = file
	while (depth > 0) {
		n = split(includes[stack[depth--]], parts, " ")
		for (i = 1; i <= n; i++) {
			header = parts[i]
			if (header in seen)
				continue
			seen[header] = 1
			if (!((directory, top(header)) in reach) && !((directory, "*") in reach)) {
				printf "%s: reaches %s, which %s/ may not include\n", file, header, directory
				bad = 1
			}
			stack[++depth] = header
		}
	}
}

END {
	for (i = 1; i <= count; i++)
		check_reach(files[i])
	for (pair in exempt)
		if (!(pair in used)) {
			split(pair, name, SUBSEP)
			printf "layers.txt: %s does not include %s any more\n", name[1], name[2]
			bad = 1
		}
	exit bad
}
