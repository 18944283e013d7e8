# SPDX-License-Identifier: MIT
# awk -f check-house.awk FILE...: checks how the sources are divided. Prints violations of these rules, and then fails:
#   a directory has at most 25 sources; no two files share a base name; a struct tag is defined once;
#   no static function is called open or close; a function has at most 80 lines, and 99 of 100 have at most 40;
#   besides its own source, at most HEADERS_MAX headers have only one includer, in the same directory.
# Relies on the layout of clang-format: a function ends with a brace in the first column.

function directory_of(path)
{
	sub(/\/[^\/]*$/, "", path)
	return path
}

function complain(text)
{
	print text
	bad = 1
}

BEGIN {
	HEADERS_MAX = 42
}

FNR == 1 {
	start = 0
	name = FILENAME
	sub(/.*\//, "", name)
	if (name in base)
		complain(FILENAME ": has the base name of " base[name])
	base[name] = FILENAME
	if (name ~ /\.c$/)
		sources[directory_of(FILENAME)]++
	else
		headers[++header_count] = FILENAME
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, part, "\"")
	stem = FILENAME
	sub(/\.[ch]$/, "", stem)
	if (part[2] != stem ".h") {
		includers[part[2]]++
		includer[part[2]] = FILENAME
	}
}

/^(struct|enum|union) [a-z_0-9]+ \{/ {
	tag = $1 " " $2
	if (tag in defined)
		complain(FILENAME ":" FNR ": " tag " is also defined at " defined[tag])
	defined[tag] = FILENAME ":" FNR
}

/^static .*[ *](open|close)\(/ {
	complain(FILENAME ":" FNR ": a static function has the name of a system call")
}

/^\{/ {
	start = FNR
}

/^\}/ && start {
	length_lines = FNR - start + 1
	lengths[length_lines]++
	functions++
	if (length_lines > 80)
		complain(FILENAME ":" start ": a function of " length_lines " lines")
	start = 0
}

END {
	for (directory in sources)
		if (sources[directory] > 25)
			complain(directory "/: " sources[directory] " sources, more than 25")
	for (n = 41; n <= 1000; n++)
		long += lengths[n]
	if (long * 100 > functions)
		complain(long " of " functions " functions have more than 40 lines, more than 1 in 100")
	for (i = 1; i <= header_count; i++)
		if (includers[headers[i]] == 1 && directory_of(headers[i]) == directory_of(includer[headers[i]])) {
			single++
			list = list "\n    " headers[i] " by " includer[headers[i]]
		}
	if (single > HEADERS_MAX)
		complain(single " headers have a single includer in their directory, more than " HEADERS_MAX ":" list)
	if (show)
		print functions " functions, " long + 0 " over 40 lines; " single + 0 " headers with one includer"
	exit bad
}
