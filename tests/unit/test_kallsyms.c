/* SPDX-License-Identifier: MIT */
#include "symbolise/kernel/kallsyms.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#include "tests/support/leaks.h"
#include "tests/support/whole_table.h"

static struct kallsyms read_text(const char *text, const char *reference, enum symbol_rules rules)
{
	struct kallsyms list;

	kallsyms_init(&list, text_of(text), text_of(reference), rules);
	return list;
}

/* The symbol at an address; "": none. */
static struct text name_at(struct kallsyms *list, uint64_t address)
{
	struct symbol_cursor cursor = { .table = &list->symbols };
	const struct symbol *symbol;

	kallsyms_choose(list, &address, 1);
	symbol = symbol_cursor_find(&cursor, address);
	return symbol ? symbol->name : text_of("");
}

static const char kernel[] = "0000000000000000 A fixed_percpu_data\n"
			     "ffffffff81000000 T srso_alias_untrain_ret\n"
			     "ffffffff81000000 T _stext\n"
			     "ffffffff81000000 T _text\n"
			     "ffffffff81000040 t secondary_startup_64\n"
			     "ffffffff81000100 W weak_function\n"
			     "ffffffff81000200 D some_data\n"
			     "ffffffff81000300 d more_data\n"
			     "ffffffff81000400 T after_data\n"
			     "ffffffffc0001000 t ext4_one\t[ext4]\n"
			     "ffffffffc0001080 T ext4_two\t[ext4]\n"
			     "ffffffffc0005000 t nf_conntrack_in\t[nf_conntrack]\n";

Test(kallsyms, names_and_ends)
{
	static const struct {
		uint64_t address;
		const char *name;
	} rows[] = {
		{ 0, "" },
		{ 0xffffffff80ffffff, "" },
		{ 0xffffffff81000000, "srso_alias_untrain_ret" }, /* no leading underscore */
		{ 0xffffffff8100003f, "srso_alias_untrain_ret" },
		{ 0xffffffff81000040, "secondary_startup_64" },
		{ 0xffffffff810001ff, "weak_function" },
		{ 0xffffffff81000200, "" }, /* data ends code */
		{ 0xffffffff810003ff, "" },
		{ 0xffffffff81000400, "after_data" },
		{ 0xffffffff81000fff, "after_data" },
		{ 0xffffffff81001000, "" }, /* the gap up to the modules has no symbol */
		{ 0xffffffffc0000fff, "" },
		{ 0xffffffffc0001000, "ext4_one" },
		{ 0xffffffffc0001fff, "ext4_two" },
		{ 0xffffffffc0002000, "" },
		{ 0xffffffffc0005010, "nf_conntrack_in" },
	};
	struct kallsyms list = read_text(kernel, "_text", SYMBOL_RULES_NEAREST);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text name = name_at(&list, rows[i].address);

		cr_expect(text_is(name, rows[i].name), "row %zu: %.*s", i, (int)name.length,
			  name.at);
	}
	cr_expect(list.has_address);
	cr_expect_eq(list.line_count, 12);
	cr_expect(list.has_reference);
	cr_expect_eq(list.reference_address, 0xffffffff81000000);
	kallsyms_deinit(&list);
	assert_no_leaks();
}

Test(kallsyms, by_the_rules_of_perf)
{
	struct kallsyms list = read_text(kernel, "_stext", SYMBOL_RULES_PERF);

	cr_expect(text_is(name_at(&list, 0xffffffff81000010), "_text"));
	cr_expect(text_is(name_at(&list, 0xffffffff81000250), "some_data"));
	kallsyms_deinit(&list);
	assert_no_leaks();
}

Test(kallsyms, with_data)
{
	struct kallsyms list = read_text(kernel, "_stext", SYMBOL_RULES_DATA);

	cr_expect(text_is(name_at(&list, 0xffffffff81000250), "some_data"));
	cr_expect(text_is(name_at(&list, 0xffffffff81000400), "after_data"));
	cr_expect(text_is(name_at(&list, 0xffffffffc0001000), "ext4_one"));
	kallsyms_deinit(&list);
	assert_no_leaks();
}

/*
 * The list is not sorted, and has aliases, modules, functions far from their parts, and a module
 * with a symbol of more than a page.
 */
Test(kallsyms, chosen_symbols_are_those_of_the_whole_table)
{
	static const char text[] = "ffffffff81000000 T first\n"
				   "ffffffff81000000 t __first\n"
				   "ffffffff81000040 t parse.cold\n"
				   "ffffffff81000080 t main.cold\n"
				   "ffffffff81000080 W main.warm\n"
				   "ffffffff810000c0 d data\n"
				   "ffffffffc0001000 t in_module\t[one]\n"
				   "ffffffffc0009000 t parse\t[two]\n"
				   "ffffffff81000100 T last\n"
				   "ffffffff81000020 T unsorted\n"
				   "ffffffffc0001080 t parse.warm\t[one]\n"
				   "ffffffffc000a000 t end\t[two]\n"
				   "ffffffff82000000 t long\t[three]\n"
				   "ffffffff82001800 t after_long\t[three]\n"
				   "ffffffff82005000 T after_module\n"
				   "fffffffffffff000 T before_last\n"
				   "fffffffffffff800 t in_last_page\t[four]\n"
				   "fffffffffffff900 T at_last\n";
	static const uint64_t asked[] = {
		0xffffffff80ffffff, 0xffffffff81000000, 0xffffffff81000020, 0xffffffff81000050,
		0xffffffff81000080, 0xffffffff810000d0, 0xffffffff81001000, 0xffffffff82001000,
		0xffffffffc0001000, 0xffffffffc0001090, 0xffffffffc0009fff, 0xfffffffffffff8ff,
	};
	static const enum symbol_rules rules[] = { SYMBOL_RULES_NEAREST, SYMBOL_RULES_DATA,
						   SYMBOL_RULES_PERF };

	for (size_t k = 0; k < ARRAY_SIZE(rules); k++) {
		struct kallsyms list = read_text(text, "", rules[k]);
		struct symbol_table whole;

		whole_table_make(&list, &whole);
		for (uint32_t bits = 0; bits < 1u << ARRAY_SIZE(asked); bits++) {
			uint64_t addresses[ARRAY_SIZE(asked)];
			size_t count = 0;

			for (size_t i = 0; i < ARRAY_SIZE(asked); i++)
				if (bits & 1u << i)
					addresses[count++] = asked[i];
			kallsyms_choose(&list, addresses, count);
			for (size_t i = 0; i < count; i++)
				cr_assert(
					whole_table_is_same_at(&whole, &list.symbols, addresses[i]),
					"rules %d, set %x, address %" PRIx64, (int)rules[k], bits,
					addresses[i]);
		}
		symbol_table_deinit(&whole);
		kallsyms_deinit(&list);
	}
	assert_no_leaks();
}

Test(kallsyms, modules)
{
	static const struct {
		const char *path;
		uint32_t owner;
	} rows[] = {
		{ "[ext4]", 1 },
		{ "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko", 1 },
		{ "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz", 1 },
		{ "/lib/modules/6.1.0/kernel/net/netfilter/nf-conntrack.ko.zst", 2 },
		{ "[nf_conntrack]", 2 },
		{ "[ext]", KALLSYMS_NO_OWNER },
		{ "[ext44]", KALLSYMS_NO_OWNER },
		{ "[]", KALLSYMS_NO_OWNER },
		{ "", KALLSYMS_NO_OWNER },
	};
	struct kallsyms list = read_text(kernel, "_text", SYMBOL_RULES_NEAREST);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(kallsyms_find_module(&list, text_of(rows[i].path)), rows[i].owner,
			     "row %zu", i);
	kallsyms_deinit(&list);
	assert_no_leaks();
}

Test(kallsyms, a_module_in_pieces_is_one)
{
	struct kallsyms list = read_text("c0001000 t a\t[one]\n"
					 "c0002000 t b\t[two]\n"
					 "c0003000 t c\t[one]\n",
					 "", SYMBOL_RULES_NEAREST);
	uint32_t one = kallsyms_find_module(&list, text_of("[one]"));

	cr_expect_eq(list.modules.count, 2);
	cr_expect_eq(list.rows.at[0].owner, one);
	cr_expect_eq(list.rows.at[2].owner, one);
	kallsyms_deinit(&list);
	assert_no_leaks();
}

Test(kallsyms, hidden_addresses)
{
	struct kallsyms list = read_text("0000000000000000 T _text\n0000000000000000 t f\n",
					 "_text", SYMBOL_RULES_NEAREST);

	cr_expect_not(list.has_address);
	cr_expect_eq(list.line_count, 2);
	kallsyms_deinit(&list);
	assert_no_leaks();
}

Test(kallsyms, damaged_lines)
{
	static const char *const rows[] = {
		"",
		"\n\n\n",
		"ffffffff81000000",
		"ffffffff81000000\n",
		"ffffffff81000000 T\n",
		"ffffffff81000000 T \n",
		"ffffffff81000000 T name without an end",
		"ffffffff81000000T name\n",
		"ffffffff81000000 TT name\n",
		"ffffffff810000001 T name\n", /* 17 digits */
		" T name\n",
		"xyz T name\n",
		"ffffffff81000000 T name\t[\n",
		"ffffffff81000000 T name\t[]\n",
		"ffffffff81000000 T name\text4\n",
		"ffffffff81000000 T \t[ext4]\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kallsyms list = read_text(rows[i], "name", SYMBOL_RULES_NEAREST);

		cr_expect_eq(list.line_count, 0, "row %zu", i);
		cr_expect_eq(list.rows.count, 0, "row %zu", i);
		cr_expect_not(list.has_reference, "row %zu", i);
		kallsyms_deinit(&list);
	}
	assert_no_leaks();
}

Test(kallsyms, a_nul_byte_damages_its_line)
{
	static const char text[] = "ffffffff81000000 T na\0me\nffffffff81000010 T good\n";
	struct kallsyms list;

	kallsyms_init(&list, (struct text){ text, sizeof(text) - 1 }, text_of(""),
		      SYMBOL_RULES_NEAREST);
	cr_expect_eq(list.line_count, 1);
	cr_expect(text_is(name_at(&list, 0xffffffff81000010), "good"));
	kallsyms_deinit(&list);
	assert_no_leaks();
}

Test(kallsyms, long_names)
{
	static const uint32_t rows[] = { 255, 256, LIMIT_SYMBOL_BYTES, LIMIT_SYMBOL_BYTES + 1 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bool is_read = rows[i] <= LIMIT_SYMBOL_BYTES;
		struct kallsyms list;
		struct sink text;

		sink_init_memory(&text);
		sink_puts(&text, "1000 T ");
		for (uint32_t k = 0; k < rows[i]; k++)
			sink_char(&text, 'a');
		sink_char(&text, '\n');
		kallsyms_init(&list, sink_memory(&text), text_of(""), SYMBOL_RULES_NEAREST);
		cr_expect_eq(name_at(&list, 0x1000).length, is_read ? rows[i] : 0, "row %zu", i);
		kallsyms_deinit(&list);
		sink_deinit(&text);
	}
	assert_no_leaks();
}

/* Symbols known to be of another build are not used; all others are. */
Test(kallsyms, without_modules)
{
	static const char rest[] =
		"ffffffffc0001000 t x\t[ext4\nno line\nffffffffc0006000 t a\t[b]";
	struct kallsyms list;
	struct sink text, sink;
	uint32_t owners[2];

	sink_init_memory(&text);
	sink_puts(&text, kernel);
	sink_puts(&text, rest);
	kallsyms_init(&list, sink_memory(&text), text_of(""), SYMBOL_RULES_NEAREST);
	owners[0] = kallsyms_find_module(&list, text_of("/lib/modules/6.1/nf-conntrack.ko.xz"));
	owners[1] = kallsyms_find_module(&list, text_of("[missing]"));
	cr_expect_neq(owners[0], KALLSYMS_NO_OWNER);
	cr_expect_eq(owners[1], KALLSYMS_NO_OWNER);

	sink_init_memory(&sink);
	kallsyms_write_without(&list, sink_memory(&text), owners, 0, &sink);
	cr_expect(text_equal(sink_memory(&sink), sink_memory(&text)));
	sink_deinit(&sink);

	sink_init_memory(&sink);
	kallsyms_write_without(&list, sink_memory(&text), owners, 2, &sink);
	cr_expect_eq(sink.used,
		     text.used - strlen("ffffffffc0005000 t nf_conntrack_in\t[nf_conntrack]\n"));
	cr_expect_null(memmem(sink.buffer, sink.used, "nf_conntrack", strlen("nf_conntrack")));
	cr_expect_not_null(memmem(sink.buffer, sink.used, rest, strlen(rest)));
	sink_deinit(&sink);
	sink_deinit(&text);
	kallsyms_deinit(&list);
	assert_no_leaks();
}

/*
 * Lines far from the touched addresses are left out, except for the line that has the kernel's
 * address.
 */
Test(kallsyms, writes_what_is_around)
{
	static const uint64_t touched[] = { 0xffffffffc0001084 };
	struct kallsyms list;
	struct sink sink;

	sink_init_memory(&sink);
	kallsyms_write_around(text_of(kernel), text_of("_text"), touched, 1, &sink);
	cr_expect(text_is(sink_memory(&sink),
			  "ffffffff81000000 T _text\n"
			  "ffffffffc0001000 t ext4_one\t[ext4]\n"
			  "ffffffffc0001080 T ext4_two\t[ext4]\n"
			  "ffffffffc0005000 t nf_conntrack_in\t[nf_conntrack]\n"),
		  "%.*s", (int)sink.used, sink.buffer);
	kallsyms_init(&list, sink_memory(&sink), text_of("_text"), SYMBOL_RULES_NEAREST);
	cr_expect(list.has_reference);
	cr_expect(text_is(name_at(&list, touched[0]), "ext4_two"));
	kallsyms_deinit(&list);
	sink_deinit(&sink);
	assert_no_leaks();
}
