# SPDX-License-Identifier: MIT
# For tests of drawing: a folded input, and functions that print the frames of an SVG as lines
#
#     app (40 samples, 100.00%): x="16" y="108" width="1168" height="17" fill="#d6dae2"
printf 'app;read_[k] 10\napp;std::sort 25\napp;run_[j] 5\n' >folded

# rectangles <SVG
rectangles() {
	sed -n 's/^<g[^>]*><title>\([^<]*\)\(<\/title>\)*<rect \([^>]*\)\/>.*/\1: \3/p; s/^in .*<rect \([^>]*\)\/>.*/ \1/p'
}

# draw OPTION...: prints the rectangles of the flame graph of ./folded with these options.
draw() {
	echo "$*:"
	"$KILN" flame -q "$@" folded | rectangles
}
