/* SPDX-License-Identifier: MIT */
/*
 * Names from captures are any bytes. Before they are written they are put into the grammar of where
 * they go, so that none can end a string, open a tag, steer a terminal or be run:
 *
 *     bytes            XML        JSON     terminal
 *     a<b & "c"        a&lt;b &amp; &quot;c&quot;   a<b & \"c\"   a<b & "c"
 *     ESC, BEL         U+FFFD     \u001b   \x1b
 *     not UTF-8        U+FFFD     U+FFFD   \xff
 */
#ifndef RENDER_ESCAPE_H
#define RENDER_ESCAPE_H

#include "base/sink.h"

/* For text and for attribute values in either kind of quotes. */
void escape_xml(struct sink *sink, struct text text);

/* For the inside of an XML comment, where two hyphens become "- -". */
void escape_xml_comment(struct sink *sink, struct text text);

/* For the inside of a JSON string. */
void escape_json(struct sink *sink, struct text text);

/* For a line on a terminal or in a text file: line ends are made visible too. */
void escape_terminal(struct sink *sink, struct text text);

/* One word of a shell's command line: as it is where that is safe, else in quotes. No line ends. */
void escape_shell(struct sink *sink, struct text text);

/* A code span in a cell of a markdown table: no bars, no backticks, nothing that begins a line anew. */
void escape_markdown_code(struct sink *sink, struct text name);

/* The beginning of text that is this many characters long, or all of it. */
struct text escape_first_characters(struct text text, size_t characters);

/*
 * Paths without what they tell of people: the name of a home folder.
 *
 *     /home/alice/src/app   /Users/alice/src/app   /root/src/app    ─▶   ~/src/app
 */
/* What is left of a path; true: "~" stands before it. */
bool escape_cut_home(struct text *path);

/* Writes the path as it may be shown. */
void escape_home_path(struct sink *sink, struct text path);

/* Writes a word of a command line, of a path from the root the last part alone, of a home folder "~". */
void private_path_write_word(struct sink *sink, struct text word);

#endif
