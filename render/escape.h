/* SPDX-License-Identifier: MIT */
/*
 * Escapes names from captures, which are arbitrary bytes, for each output, so that no name can end
 * a string, open a tag or control a terminal:
 *
 *     bytes       XML                          JSON          terminal
 *     a<b & "c"   a&lt;b &amp; &quot;c&quot;   a<b & \"c\"   a<b & "c"
 *     ESC         U+FFFD                       \u001b        \x1b
 *     not UTF-8   U+FFFD                       U+FFFD        \xff
 */
#ifndef RENDER_ESCAPE_H
#define RENDER_ESCAPE_H

#include "base/sink.h"

/* For text and for attribute values in single or double quotes. */
void escape_xml(struct sink *sink, struct text text);

/* For the inside of an XML comment: two hyphens become "- -". */
void escape_xml_comment(struct sink *sink, struct text text);

/* For the inside of a JSON string. */
void escape_json(struct sink *sink, struct text text);

/*
 * For a cell of tab-separated values, as read by COPY in PostgreSQL (text format) and TabSeparated
 * in ClickHouse. Bytes that no database accepts in a text, such as NUL, become U+FFFD.
 */
void escape_tsv(struct sink *sink, struct text text);

/* For one line on a terminal or in a text file, so newlines are also escaped. */
void escape_terminal(struct sink *sink, struct text text);

/*
 * Like escape_terminal, as the filter of a sink for all output to a terminal. Keeps newlines and
 * tabs. An incomplete character at the end is left to the next call, which gets the rest of the
 * character.
 */
size_t escape_terminal_output(struct sink *to, struct text bytes, bool is_end);

/* Writes one word of a shell command line, quoted if necessary, without newlines. */
void escape_shell(struct sink *sink, struct text text);

/*
 * Writes a code span for a cell of a markdown table; bars, backticks and newlines in the name are
 * replaced.
 */
void escape_markdown_code(struct sink *sink, struct text name);

/* Returns the first `count` characters of a text, or the whole text if it is shorter. */
struct text escape_first_characters(struct text text, size_t characters);

/*
 * Removes home directories from paths, because they reveal user names:
 *
 *     /home/alice/src/app   /Users/alice/src/app   /root/src/app    ─▶   ~/src/app
 *
 * Returns true if "~" must be written before the rest of the path.
 */
bool escape_cut_home(struct text *path);

/* Writes the path without its home directory. */
void escape_home_path(struct sink *sink, struct text path);

/*
 * Writes a word of a command line. An absolute path is reduced to its last component, and a home
 * directory to "~".
 */
void escape_command_word(struct sink *sink, struct text word);

/*
 * Writes a command line in which each absolute path is reduced to its last component, even if the
 * path begins inside a word.
 */
void escape_command(struct sink *sink, struct text command);

#endif
