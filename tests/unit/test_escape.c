/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "render/escape.h"
#include "tests/support/leaks.h"

static void expect_escaped(void (*escape)(struct sink *, struct text), struct text text,
			   const char *wanted)
{
	struct sink sink;

	sink_init_memory(&sink);
	escape(&sink, text);
	cr_expect(text_is(sink_memory(&sink), wanted), "\"%.*s\" gives \"%.*s\", wanted \"%s\"",
		  (int)text.length, text.at, (int)sink_memory(&sink).length, sink_memory(&sink).at,
		  wanted);
	sink_deinit(&sink);
}

static const struct {
	const char *text, *xml, *json, *terminal;
} rows[] = {
	{ "", "", "", "" },
	{ "main", "main", "main", "main" },
	{ "a<b> & \"c\" 'd'", "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;", "a<b> & \\\"c\\\" 'd'",
	  "a<b> & \"c\" 'd'" },
	{ "]]>", "]]&gt;", "]]>", "]]>" },
	{ "a\\b", "a\\b", "a\\\\b", "a\\b" },
	{ "\x1b[31m", "\xef\xbf\xbd[31m", "\\u001b[31m", "\\x1b[31m" },
	{ "a\nb\tc", "a&#10;b&#9;c", "a\\u000ab\\u0009c", "a\\x0ab\\x09c" },
	{ "\x7f", "\x7f", "\\u007f", "\\x7f" },
	{ "µs", "µs", "µs", "µs" },
	/* Not UTF-8: a lone continuation byte, an overlong slash, a surrogate, a truncated
	 * character. */
	{ "\x80", "\xef\xbf\xbd", "\xef\xbf\xbd", "\\x80" },
	{ "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd", "\xef\xbf\xbd\xef\xbf\xbd", "\\xc0\\xaf" },
	{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
	  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", "\\xed\\xa0\\x80" },
	{ "a\xe2\x82", "a\xef\xbf\xbd\xef\xbf\xbd", "a\xef\xbf\xbd\xef\xbf\xbd", "a\\xe2\\x82" },
	/* U+FFFE, which XML forbids; U+009B, which is ESC [ to a terminal. */
	{ "\xef\xbf\xbe", "\xef\xbf\xbd", "\xef\xbf\xbe", "\xef\xbf\xbe" },
	/* Characters that change the direction of writing, and their neighbours, which do not. */
	{ "\xd8\x9c", "\xef\xbf\xbd", "\\u061c", "\\xd8\\x9c" },
	{ "\xe2\x80\x8f", "\xef\xbf\xbd", "\\u200f", "\\xe2\\x80\\x8f" },
	{ "\xe2\x80\xae", "\xef\xbf\xbd", "\\u202e", "\\xe2\\x80\\xae" },
	{ "\xe2\x81\xa9", "\xef\xbf\xbd", "\\u2069", "\\xe2\\x81\\xa9" },
	{ "\xe2\x80\x8d\xe2\x80\xaf\xe2\x81\xa5", "\xe2\x80\x8d\xe2\x80\xaf\xe2\x81\xa5",
	  "\xe2\x80\x8d\xe2\x80\xaf\xe2\x81\xa5", "\xe2\x80\x8d\xe2\x80\xaf\xe2\x81\xa5" },
	{ "שלום", "שלום", "שלום", "שלום" },
	{ "\xc2\x9b", "\xc2\x9b", "\xc2\x9b", "\\xc2\\x9b" },
};

Test(escape, tsv)
{
	static const struct {
		const char *text, *wanted;
	} cells[] = {
		{ "", "" },
		{ "operator<< \"a\" & 'b'", "operator<< \"a\" & 'b'" },
		{ "a\tb\nc\rd\\e", "a\\tb\\nc\\rd\\\\e" },
		/* A name like the NULL or the end of COPY is neither. */
		{ "\\N", "\\\\N" },
		{ "\\.", "\\\\." },
		{ "\x1b[31m\x7f", "\x1b[31m\x7f" },
		{ "µs", "µs" },
		{ "a\xe2\x82\t", "a\xef\xbf\xbd\xef\xbf\xbd\\t" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		expect_escaped(escape_tsv, text_of(cells[i].text), cells[i].wanted);
	/* PostgreSQL accepts no NUL. */
	expect_escaped(escape_tsv, (struct text){ "a\0b", 3 },
		       "a\xef\xbf\xbd"
		       "b");
	assert_no_leaks();
}

Test(escape, grammars)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text text = text_of(rows[i].text);

		expect_escaped(escape_xml, text, rows[i].xml);
		expect_escaped(escape_json, text, rows[i].json);
		expect_escaped(escape_terminal, text, rows[i].terminal);
	}
}

Test(escape, first_characters_cuts_between_characters)
{
	struct text text = text_of("aµ€🔥z");
	static const uint32_t lengths[] = { 0, 1, 3, 6, 10, 11, 11 };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		cr_expect_eq(escape_first_characters(text, i).length, lengths[i], "%zu characters",
			     i);
}

Test(escape, home_directories_have_no_owner)
{
	static const struct {
		const char *path, *expected;
	} paths[] = {
		{ "/home/alice/src/app", "~/src/app" },
		{ "/Users/alice/app", "~/app" },
		{ "/var/home/alice/app", "~/app" },
		{ "/export/home/alice/app", "~/app" },
		{ "/root/app", "~/app" },
		{ "/root", "~" },
		{ "/home/alice", "~" },
		{ "/home/", "~" },
		/* Paths that only look like home directories. */
		{ "/home", "/home" },
		{ "/rooted/app", "/rooted/app" },
		{ "/srv/home/alice/app", "/srv/home/alice/app" },
		{ "home/alice", "home/alice" },
		{ "[kernel.kallsyms]", "[kernel.kallsyms]" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		escape_home_path(&sink, text_of(paths[i].path));
		cr_expect(text_is(sink_memory(&sink), paths[i].expected), "%s became %.*s",
			  paths[i].path, (int)sink_memory(&sink).length, sink_memory(&sink).at);
		sink_deinit(&sink);
	}
}

Test(escape, words_of_a_command_keep_the_last_part_of_a_path)
{
	static const struct {
		const char *word, *expected;
	} paths[] = {
		{ "/home/alice/perf.data", "perf.data" },
		{ "/home/alice/", "~" },
		{ "-I/root", "-I~" },
		{ "--symbols=/home/alice/debug", "--symbols=debug" },
		{ "-o/home/alice/a.svg", "-oa.svg" },
		{ "--title=before / after", "--title=before / after" },
		{ "perf.data", "perf.data" },
		{ "../perf.data", "../perf.data" },
		{ "--inverted", "--inverted" },
		{ "-", "-" },
		{ "-o", "-o" },
		{ "/", "/" },
		{ "--symbols=/", "--symbols=/" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		escape_command_word(&sink, text_of(paths[i].word));
		cr_expect(text_is(sink_memory(&sink), paths[i].expected), "%s became %.*s",
			  paths[i].word, (int)sink_memory(&sink).length, sink_memory(&sink).at);
		sink_deinit(&sink);
	}
}

/* The text is written one byte at a time, as if a sink's buffer ended within characters. */
Test(escape, terminal_output_in_pieces)
{
	static const char text[] = "a\033[31m\tb\xc2\x9b\xe2\x82\xac\xf0\x9f\x98\x80\xff\n\xe2\x82";
	struct sink whole;
	struct sink pieces;
	size_t used = 0;

	sink_init_memory(&whole);
	sink_init_memory(&pieces);
	cr_expect_eq(escape_terminal_output(&whole, text_of(text), true), sizeof(text) - 1);
	for (uint32_t end = 0; end < sizeof(text); end++) {
		struct text piece = { text + used, end - (uint32_t)used };

		used += escape_terminal_output(&pieces, piece, end + 1 == sizeof(text));
	}
	sink_char(&whole, '\0');
	sink_char(&pieces, '\0');
	cr_expect_str_eq(whole.buffer, "a\\x1b[31m\tb\\xc2\\x9b\xe2\x82\xac\xf0\x9f\x98\x80"
				       "\\xff\n\\xe2\\x82");
	cr_expect_str_eq(pieces.buffer, whole.buffer);
	sink_deinit(&whole);
	sink_deinit(&pieces);
	assert_no_leaks();
}
