/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/print_format.h"
#include "libparse/tracepoint/print_tree.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#include "tests/support/random.h"

static const char fields[] =
	"field:int i;\toffset:0;\tsize:4;\tsigned:1;\n"
	"field:unsigned int u;\toffset:4;\tsize:4;\tsigned:0;\n"
	"field:u64 x;\toffset:8;\tsize:8;\tsigned:0;\n"
	"field:char comm[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"field:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:0;\n"
	"field:u32 args[3];\toffset:28;\tsize:12;\tsigned:0;\n"
	"field:void * p;\toffset:40;\tsize:8;\tsigned:0;\n"
	"field:u8 ip[16];\toffset:48;\tsize:16;\tsigned:0;\n"
	"field:__data_loc u8[] bytes;\toffset:64;\tsize:4;\tsigned:0;\n"
	"field:__data_loc unsigned long[] cpus;\toffset:68;\tsize:4;\tsigned:0;\n"
	"field:const char * text;\toffset:72;\tsize:8;\tsigned:0;\n";

struct sample {
	int32_t i;
	uint32_t u;
	uint64_t x;
	char comm[8];
	uint32_t name;
	uint32_t args[3];
	uint64_t p;
	uint8_t ip[16];
	uint32_t bytes, cpus;
	uint64_t text;
	char name_text[8];
	uint8_t byte_values[4];
	uint8_t cpu_bits[8];
} __attribute__((packed));

static struct sample make_sample(void)
{
	const uint16_t one = 1;
	struct sample sample = {
		.i = -2,
		.u = 0x12345,
		.x = 0xfffffffffffffff7,
		.comm = "make",
		.name = (uint32_t)(8 << 16 | offsetof(struct sample, name_text)),
		.args = { 7, 8, 9 },
		.p = 0xffff888000001000,
		.ip = { 0xfe, 0x80, [15] = 1 },
		.bytes = (uint32_t)(4 << 16 | offsetof(struct sample, byte_values)),
		.cpus = (uint32_t)(8 << 16 | offsetof(struct sample, cpu_bits)),
		.text = 0xffffffff81000010,
		.name_text = "/etc",
		.byte_values = { 1, 0x2f, 0, 0xff },
	};

	sample.cpu_bits[*(const unsigned char *)&one ? 0 : 7] = 0x2f;
	return sample;
}

static void write_function(void *context, uint64_t address, bool has_offset, struct sink *sink)
{
	(void)context;
	sink_printf(sink, "f%s%" PRIx64, has_offset ? "+" : ".", address & 0xffff);
}

/* The print format after its fields, applied to one sample. */
static void write_text(const char *print, struct sink *sink)
{
	static const struct function_names functions = { .write = write_function };
	struct sample sample = make_sample();
	struct kernel_texts texts = { 0 };
	struct trace_format format;
	struct print_format parsed;
	struct arena arena;
	struct sink text;

	arena_init(&arena);
	sink_init_memory(&text);
	sink_puts(&text, fields);
	sink_puts(&text, "print fmt: ");
	sink_puts(&text, print);
	kernel_texts_read(&texts, text_of("0xffffffff81000010 : \"a \\\"text\\\"\"\n"), &arena);
	trace_format_read(sink_memory(&text), &arena, &format);
	format.texts = &texts;
	print_format_read(&format, &arena, &parsed);
	print_format_write(&parsed, &format, span_of(&sample, sizeof(sample), 0, false), &functions,
			   sink);
	kernel_texts_deinit(&texts);
	sink_deinit(&text);
	arena_deinit(&arena);
}

/* The output of libtraceevent 1.7, except where a comment says otherwise. */
Test(print_format, text)
{
	static const struct {
		const char *print, *expected;
	} rows[] = {
		{ "\"\"", "" },
		{ "\"plain 100%%\\n\"", "plain 100%\n" },
		{ "\"a\" \"b%d\" \"c\", 5", "ab5c" },
		{ "\"%d\", 0xffffffffffffffffUL >> 60", "15" },
		{ "\"i=%d u=%u %x\", REC->i, REC->u, REC->u", "i=-2 u=74565 12345" },
		{ "\"%u|%hhu|%hd|%lu\", REC->i, REC->u, REC->u, REC->u",
		  "4294967294|69|9029|74565" },
		{ "\"[%5d|%-5d|%05d|%+d|%.3d|%*d]\", 7, 7, 7, 7, 7, 4, 7",
		  "[    7|7    |00007|+7|007|   7]" },
		{ "\"%#x %#lx %o %X %c\", 255, 255, 8, 171, 'A'", "0xff 0xff 10 AB A" },
		{ "\"%s %s|%8s|%-8s|%.2s|%.*s\", REC->comm, __get_str(name), REC->comm, REC->comm, "
		  "REC->comm, 3, REC->comm",
		  "make /etc|    make|make    |ma|mak" },
		{ "\"[%3c|%-3c|%.0c]\", 65, 'B', 67", "[  A|B  |C]" },
		{ "\"%p %p\", REC->p, (void *)0", "0xffff888000001000 (nil)" },
		{ "\"%pS %ps\", (void *)REC->p, REC->p", "f+1000 f.1000" },
		{ "\"%s\", REC->text", "a \"text\"" },
		{ "\"%s\", REC->p", "ffff888000001000" },
		{ "\"%pI4 %pI6 %pI6c %pM\", REC->ip, REC->ip, REC->ip, REC->ip",
		  "254.128.0.0 fe80:0000:0000:0000:0000:0000:0000:0001 fe80::1 fe:80:00:00:00:00" },
		{ "\"%pU\", REC->ip", "fe800000-0000-0000-0000-000000000001" },
		{ "\"%d\", REC->args[1 + 1]", "9" },
		{ "\"<%d>\", REC->args[3]", "<>" },
		{ "\"<%d>\", REC->args[99999999999]", "<>" },
		{ "\"%d %d %d %d\", 1 + 2 * 3, (1 + 2) * 3, 10 - 4 - 3, 1 << 4 | 1", "7 9 3 17" },
		{ "\"%d %d %d %d\", 7 / 0, 7 % 0, 1 << 99, -1 >> 1", "0 0 0 -1" },
		{ "\"%d %d\", REC->x > 5, REC->i < 0", "1 1" },
		{ "\"%d %d\", REC->x >= -9ULL, REC->x < 100", "1 0" },
		{ "\"%d %d %d\", !REC->u, ~0, 1 && 0 || 1", "0 -1 1" },
		{ "\"%d\", (unsigned char)REC->i + (u16)REC->u + sizeof(u32)", "9287" },
		{ "\"%u:%u\", ((unsigned int) ((REC->u) >> 20)), "
		  "((unsigned int) ((REC->u) & ((1U << 20) - 1)))",
		  "0:74565" },
		{ "\"%s\", REC->i ? \"yes\" : \"no\"", "yes" },
		{ "\"%s\", 1 ? 0 ? \"a\" : \"b\" : \"c\"", "b" },
		{ "\"%s\", __print_flags(REC->u, \"|\", { 1, \"A\" }, { 0x44, \"B\" }, { 2, \"C\" })",
		  "A|B|0x12300" },
		{ "\"%s\", __print_flags(0, \"|\", { 1, \"A\" })", "" },
		{ "\"%s\", __print_flags(1 << 3, \"\", {(1UL) << (3), \"X\"}, { SOME_ENUM, \"Y\" })",
		  "X" },
		{ "\"%s\", __print_symbolic(REC->i, { -2, \"two\" }, { -1, ((void *)0) })", "two" },
		{ "\"%s\", __print_symbolic(REC->u, { 1, \"one\" })", "0x12345" },
		{ "\"%s|%s\", __print_hex(__get_dynamic_array(bytes), "
		  "__get_dynamic_array_len(bytes)), __print_hex_str(REC->ip, 2)",
		  "01 2f 00 ff|fe80" },
		{ "\"%s\", __print_hex(__get_dynamic_array(bytes), 2000000000)", "01 2f 00 ff" },
		{ "\"%s\", __print_array(REC->args, 2, 4)", "{0x7,0x8}" },
		{ "\"%s\", __print_array(REC->args, 2000000000, 4)", "{0x7,0x8,0x9}" },
		{ "\"%s %s\", __get_cpumask(cpus), __get_bitmask(cpus)",
		  "0-3,5 00000000,0000002f" },
		{ "\"%*pbl\", 64, REC->cpus", "0-3,5" },
		{ "\"%d\", (REC)->i", "-2" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		write_text(rows[i].print, &sink);
		cr_expect(text_is(sink_memory(&sink), rows[i].expected), "%s: %.*s", rows[i].print,
			  (int)sink.used, sink.buffer);
		sink_deinit(&sink);
	}
}

/* Parts that are not understood neither hide the other parts nor make them wrong. */
Test(print_format, fields_where_it_is_not_understood)
{
	static const char *const rows[] = {
		"",
		"REC->i",
		"\"%d\"",
		"\"%d\", REC->none",
		"\"%d\", some_function(REC->i)",
		"\"%d\", jiffies",
		"\"%d\", (REC->i",
		"\"%d\", REC->args[1",
		"\"%d\", *REC->p",
		"\"%y\", REC->i",
		"\"%n\", REC->i",
		"\"%",
		"\"%\"",
		"\"unended",
		"\"%2000000000d\", REC->i",
		"\"%d\", 1 +",
		"\"%d\", 1 ? 2",
		"\"%s\", __print_flags(REC->i)",
		"\"%s\", __print_symbolic(REC->i, { 1, \"a\" )",
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		write_text(rows[i], &sink);
		cr_expect(text_has_prefix(sink_memory(&sink), "i=-2 u=74565 x="), "%s: %.*s",
			  rows[i], (int)sink.used, sink.buffer);
		sink_deinit(&sink);
	}
}

static void expect_fields(struct sink *print, const char *what)
{
	struct sink sink;

	sink_char(print, '\0');
	sink_init_memory(&sink);
	write_text(sink_memory(print).at, &sink);
	cr_expect(text_has_prefix(sink_memory(&sink), "i=-2 "), "%s", what);
	sink_deinit(&sink);
}

/* Each of these makes libtraceevent 1.7 overflow its stack. */
Test(print_format, nesting_is_limited)
{
	static const struct {
		const char *open, *inside, *close;
	} rows[] = {
		{ "(", "1", ")" },
		{ "!", "REC->i", "" },
		{ "(u8)", "REC->i", "" },
		{ "1 ? ", "1", ":1" },
		{ "", "REC->i", "+REC->i" },
		{ "REC->args[", "0", "]" },
		{ "__print_flags(", "1", ",\"\")" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink print;

		sink_init_memory(&print);
		sink_puts(&print, "\"%d\", ");
		for (uint32_t k = 0; k < LIMIT_PRINT_DEPTH + 10; k++)
			sink_puts(&print, rows[i].open);
		sink_puts(&print, rows[i].inside);
		for (uint32_t k = 0; k < LIMIT_PRINT_DEPTH + 10; k++)
			sink_puts(&print, rows[i].close);
		expect_fields(&print, rows[i].open);
		sink_deinit(&print);
	}
}

/* Numbers are worked out while they are read, so a long sum of them is not deep. */
Test(print_format, long_sums_of_numbers)
{
	struct sink print;
	struct sink sink;

	sink_init_memory(&print);
	sink_init_memory(&sink);
	sink_puts(&print, "\"%d\", 0");
	for (uint32_t k = 0; k < 1000; k++)
		sink_puts(&print, " + 1");
	sink_char(&print, '\0');
	write_text(sink_memory(&print).at, &sink);
	cr_expect(text_is(sink_memory(&sink), "1000"));
	sink_deinit(&sink);
	sink_deinit(&print);
}

/* Only checks that nothing crashes or hangs, with sanitizers and a time limit. */
Test(print_format, damaged_texts)
{
	static const char good[] =
		"\"%s %*d %.*s %pI6c\", REC->i & 1 ? __print_flags(REC->u, \"|\", { 1 << 3, \"A\" }) : "
		"\"R\", 3, (u16)REC->args[1], 2, __get_str(name), REC->ip";
	static const char junk[] = "()[]{}\",?:->*&|!%RECd0";
	struct random random = { 1 };

	for (int i = 0; i < 3000; i++) {
		char text[sizeof(good)];
		struct sink sink;

		memcpy(text, good, sizeof(good));
		for (uint64_t k = random_below(&random, 4) + 1; k; k--)
			text[random_below(&random, sizeof(good) - 1)] =
				junk[random_below(&random, sizeof(junk) - 1)];
		sink_init_memory(&sink);
		write_text(text, &sink);
		sink_deinit(&sink);
	}
}
