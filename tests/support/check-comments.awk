# SPDX-License-Identifier: MIT
# awk -f check-comments.awk FILE...: lists // comments in C files, and comments that mark
# unfinished work.

FNR == 1 { in_comment = 0 }

{
	rest = $0
	if (rest ~ /(^|[^A-Za-z_])(TODO|FIXME|XXX)([^A-Za-z_]|$)/)
		report("a mark of unfinished work")
	while (rest != "") {
		if (in_comment) {
			end = index(rest, "*/")
			if (!end)
				break
			rest = substr(rest, end + 2)
			in_comment = 0
		} else if (!match(rest, /\/\*|\/\/|"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/)) {
			break
		} else {
			token = substr(rest, RSTART, RLENGTH)
			rest = substr(rest, RSTART + RLENGTH)
			if (token == "//") {
				report("a comment is written /* so */")
				break
			}
			in_comment = token == "/*"
		}
	}
}

function report(what) { printf "%s:%d: %s\n", FILENAME, FNR, what }
