# SPDX-License-Identifier: MIT
# awk -f frames.awk SVG: prints the parts of a flame graph of flamegraph.pl or kiln that are compared. First its size
# and titles, then a line for each frame, separated by tabs: y, title, x, width, height, colour, label.

BEGIN {
	RS = "</g>"
	OFS = "\t"
}

function decoded(text)
{
	gsub(/&lt;/, "<", text)
	gsub(/&gt;/, ">", text)
	gsub(/&quot;/, "\"", text)
	gsub(/&#39;|&apos;/, "'", text)
	gsub(/&amp;/, "\\&", text)
	gsub(/&#9;|\t/, "\\t", text)
	return text
}

# The value of an attribute in a tag.
function attribute(tag, name)
{
	if (!match(tag, "[ \n]" name "=\"[^\"]*\""))
		return ""
	tag = substr(tag, RSTART + length(name) + 3)
	return substr(tag, 1, index(tag, "\"") - 1)
}

# Returns the first tag that begins like this, and sets the global `content` to the text between it
# and the next tag.
function find(text, tag, at)
{
	at = index(text, tag)
	content = ""
	if (!at)
		return ""
	text = substr(text, at)
	at = index(text, ">")
	content = substr(text, at + 1)
	sub(/<.*/, "", content)
	return substr(text, 1, at)
}

function hexadecimal(colour, part)
{
	if (colour !~ /^rgb/)
		return colour
	split(substr(colour, 5), part, ",")
	return sprintf("#%02x%02x%02x", part[1], part[2], part[3])
}

NR == 1 {
	tag = find($0, "<svg")
	print "size", attribute(tag, "width") + 0, attribute(tag, "height") + 0
}

/<text id="(sub)?title"/ {
	if (find($0, "<text id=\"title\"") != "")
		print "title", decoded(content)
	if (find($0, "<text id=\"subtitle\"") != "")
		print "subtitle", decoded(content)
}

{
	at = index($0, "<g id=\"frames\"")
	if (at) {
		frames = 1
		$0 = substr($0, at)
	}
}

frames && /<title/ && /<rect/ {
	find($0, "<title")
	title = decoded(content)
	rect = find($0, "<rect")
	label = find($0, "<text") == "" ? "" : decoded(content)
	# In the SVGs of flamegraph.pl, the script writes the label of the root.
	if (title ~ /^all \(/)
		label = ""
	print attribute(rect, "y") + 0, title, attribute(rect, "x") + 0, attribute(rect, "width") + 0,
		attribute(rect, "height") + 0, hexadecimal(attribute(rect, "fill")), label
}
