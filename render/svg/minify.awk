# SPDX-License-Identifier: MIT
# minify.awk: puts the viewer's files together as one script, which is in every picture: without
# comments and blanks, and with short names for what it declares. All are in one function, so that
# nothing of it is seen outside.
#
#     awk -f minify.awk picture.js ... start.js > viewer.js
#
# It knows what the files keep to, and refuses most of what it would get wrong: strings in double quotes,
# no templates, semicolons, keys of objects always with their values, parameters without, and regular
# expressions where a value cannot end. A name that is anywhere also one of a property stays as it is.

function fail(message) {
	print FILENAME ":" FNR ": " message > "/dev/stderr"
	failed = 1
	exit 1
}

function add(text, kind) {
	if (kind == "mark" && text !~ /^[-+*\/%=<>!&|^~?:;,.(){}\[\]]$/)
		fail("a string without an end, or no JavaScript: " text)
	if (text == "/" && token[count] == "}")
		fail("a regular expression behind a block")
	if (kind != "mark" && text ~ /\]\]>|<\/script/)
		fail("an end of what scripts stand in")
	count++
	token[count] = text
	kind_of[count] = kind
	is_apart[count] = gap
	gap = 0
}

# A division has a value before it, an expression has not.
function may_be_expression() {
	return !count || (kind_of[count] == "mark" && token[count] !~ /^[\])}]$/) ||
		token[count] ~ /^(return|case|typeof)$/
}

function take(pattern, kind) {
	if (!match(rest, pattern))
		return 0
	add(substr(rest, 1, RLENGTH), kind)
	rest = substr(rest, RLENGTH + 1)
	return 1
}

{
	rest = $0
	gap = 1
	while (rest != "") {
		if (in_comment) {
			if (!match(rest, /\*\//))
				next
			rest = substr(rest, RSTART + 2)
			in_comment = 0
		} else if (match(rest, /^[ \t]+/)) {
			rest = substr(rest, RLENGTH + 1)
			gap = 1
		} else if (rest ~ /^\/\*/) {
			rest = substr(rest, 3)
			in_comment = 1
		} else if (take("^\"([^\"\\\\]|\\\\.)*\"", "string") ||
			   take("^[A-Za-z_$][A-Za-z0-9_$]*", "name") ||
			   take("^[0-9][0-9A-Za-z.]*", "number")) {
			continue
		} else if (rest ~ /^[`']/ || rest ~ /^\/\//) {
			fail("neither templates, nor single quotes, nor comments of one line")
		} else if (!may_be_expression() ||
			   !take("^/([^/\\\\[]|\\\\.|\\[([^]\\\\]|\\\\.)*\\])+/[a-z]*", "expression")) {
			take("^.", "mark")
		}
	}
}

function is_word(i) {
	return kind_of[i] == "name" || kind_of[i] == "number"
}

# Names from the one behind an opening parenthesis or bracket to where it closes.
function declare_list(i,    depth) {
	for (depth = 0; i <= count; i++) {
		if (token[i] ~ /^[(\[]$/)
			depth++
		else if (token[i] ~ /^[)\]]$/ && --depth == 0)
			return
		else if (token[i] == "=")
			fail("a parameter with a value of its own")
		else if (kind_of[i] == "name" && token[i - 1] ~ /^[(\[,.]$/)
			is_declared[token[i]] = 1
	}
}

# All names of const a = 1, b = f(c, d);
function declare_row(i,    depth) {
	if (token[i] == "[")
		declare_list(i)
	else
		is_declared[token[i]] = 1
	for (depth = 0; i <= count && depth >= 0 && (depth || token[i] !~ /^(;|of)$/); i++) {
		if (token[i] ~ /^[(\[{]$/)
			depth++
		else if (token[i] ~ /^[)\]}]$/)
			depth--
		else if (!depth && token[i] == "," && kind_of[i + 1] == "name")
			is_declared[token[i + 1]] = 1
	}
}

function opening_of(i,    depth) {
	for (depth = 0; i; i--) {
		if (token[i] == ")")
			depth++
		else if (token[i] == "(" && --depth == 0)
			return i
	}
	fail("parentheses do not match")
}

function find_names(    i) {
	for (i = 1; i <= count; i++) {
		if (token[i] == "function" && token[i - 1] != ".") {
			if (kind_of[i + 1] == "name")
				is_declared[token[i + 1]] = 1
			declare_list(token[i + 1] == "(" ? i + 1 : i + 2)
		} else if (token[i] ~ /^(const|let)$/) {
			declare_row(i + 1)
		} else if (token[i] == "catch" && token[i + 1] == "(" && token[i - 1] == "}") {
			declare_list(i + 1)
		} else if (token[i] == "=" && token[i + 1] == ">") {
			if (token[i - 1] == ")")
				declare_list(opening_of(i - 1))
			else
				is_declared[token[i - 1]] = 1
		}
		if (kind_of[i] != "name")
			continue
		uses[token[i]]++
		if (token[i - 1] == "{" && token[i + 1] ~ /^[,}]$/ ||
		    token[i - 1] == "," && token[i + 1] == "}")
			fail("a key without its value: " token[i])
		if (token[i - 1] == "." && token[i - 2] != "." ||
		    token[i + 1] == ":" && token[i - 1] ~ /^[{,]$/)
			is_property[token[i]] = 1
	}
}

function short_name(number,    letters) {
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if (number < 52)
		return substr(letters, number + 1, 1)
	return substr(letters, int(number / 52), 1) substr(letters, number % 52 + 1, 1)
}

# The names that are used most get the shortest.
function shorten(    name, most, number, found) {
	for (;;) {
		most = 0
		for (name in is_declared)
			if (!(name in is_property) && !(name in new_name) && (uses[name] > most ||
			    uses[name] == most && (found == "" || name < found))) {
				most = uses[name]
				found = name
			}
		if (!most)
			return
		while (short_name(number + 0) in uses || short_name(number + 0) ~ /^(do|if|in|of|as)$/)
			number++
		new_name[found] = short_name(number + 0)
		number++
		found = ""
	}
}

function complain_of_unused(    name) {
	for (name in is_declared)
		if (uses[name] == 1)
			fail(name " is declared and never used")
}

# Where two would be read as one; and ]]>, which ends what scripts stand in.
function wants_space(i) {
	return is_word(i) && is_word(i - 1) ||
		is_apart[i] && token[i] ~ /^[-+]$/ && token[i - 1] == token[i] ||
		token[i] == ">" && token[i - 1] == "]"
}

function text_of(i) {
	if (kind_of[i] == "name" && (token[i] in new_name))
		return new_name[token[i]]
	return token[i]
}

END {
	if (failed)
		exit 1
	find_names()
	complain_of_unused()
	shorten()
	print "/* SPDX-License-Identifier: MIT */"
	line = "(function(){\"use strict\";"
	for (i = 1; i <= count; i++) {
		if (token[i] == ";" && token[i + 1] == "}")
			continue
		line = line (wants_space(i) ? " " : "") text_of(i)
		if (length(line) > 100 && token[i] ~ /^[;{},]$/) {
			print line
			line = ""
		}
	}
	print line "})();"
}
