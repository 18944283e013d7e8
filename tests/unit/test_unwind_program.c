/* SPDX-License-Identifier: MIT */
#include "unwind/program.h"

#include <criterion/criterion.h>

#include "base/sink.h"
#include "tests/support/cfi_writer.h"
#include "tests/support/leaks.h"

static const uint8_t x86_64_common[] = { 0x0c, 7, 8, 0x90, 1 };
static const uint8_t aarch64_common[] = { 0x0c, 31, 0 };

static void write_rule(const struct rules *rules, const struct machine *machine, rule_id id,
		       struct sink *sink)
{
	static const char *const kinds[] = {
		[RULE_ROW] = "row",         [RULE_OUTERMOST] = "outermost",
		[RULE_NO_CFI] = "none",     [RULE_NO_FILE] = "no file",
		[RULE_NO_CODE] = "no code", [RULE_FROM_SIGNAL] = "signal",
	};
	const struct rule *rule = &rules->rows.at[id.i];

	if (rule->kind != RULE_FRAME) {
		sink_puts(sink, kinds[rule->kind]);
		return;
	}
	sink_printf(sink, "%u%+d", rule->cfa_register, rule->cfa_offset);
	for (unsigned i = 0; i < rule->saved_count; i++)
		sink_printf(sink, " %u@%d", rule->saved[i],
			    rule->saved_words[i] * machine->word_bytes);
	if (rule->is_signal)
		sink_puts(sink, " S");
}

struct row_case {
	const char *what;
	const struct machine *machine;
	uint8_t program[40];
	size_t length;
	const char *expected; /* rows: "from: rule; ..." */
};

/* The bytes of a program, and their number. */
#define PROGRAM(...) { __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ })

static const struct row_case cases[] = {
	{ "a function without a frame", &machine_x86_64, PROGRAM(0), "0: 7+8 16@-8" },
	{ "push rbp; mov rsp, rbp; pop rbp", &machine_x86_64,
	  PROGRAM(0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x5a, 0x0c, 7, 8),
	  "0: 7+8 16@-8; 1: 7+16 6@-16 16@-8; 4: 6+16 6@-16 16@-8; 30: 7+8 6@-16 16@-8" },
	{ "remembered and restored", &machine_x86_64,
	  PROGRAM(0x42, 0x0e, 32, 0x0a, 0x44, 0x0e, 8, 0x41, 0x0b),
	  "0: 7+8 16@-8; 2: 7+32 16@-8; 6: 7+8 16@-8; 7: 7+32 16@-8" },
	{ "a register restored to what the beginning said", &machine_x86_64,
	  PROGRAM(0x42, 0x83, 3, 0x42, 0xc3), "0: 7+8 16@-8; 2: 7+8 3@-24 16@-8; 4: 7+8 16@-8" },
	{ "long ways, by one, two and four bytes", &machine_x86_64,
	  PROGRAM(0x02, 100, 0x0e, 16, 0x02, 50, 0x0e, 24),
	  "0: 7+8 16@-8; 100: 7+16 16@-8; 150: 7+24 16@-8" },
	{ "signed offsets, and those of registers beyond 63", &machine_x86_64,
	  PROGRAM(0x11, 3, 0x7d, 0x05, 12, 4, 0x13, 0x7e), "0: 7+16 3@24 12@-32 16@-8" },
	{ "the outermost function", &machine_x86_64, PROGRAM(0x07, 16), "0: outermost" },
	{ "an expression, as a PLT has it", &machine_x86_64,
	  PROGRAM(0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3a, 0x2a, 0x33, 0x24, 0x22), "0: row" },
	{ "registers nobody follows", &machine_x86_64, PROGRAM(0x9f, 5, 0x05, 70, 4),
	  "0: 7+8 16@-8" },
	{ "sizes of arguments", &machine_x86_64, PROGRAM(0x2e, 16, 0x41, 0x2e, 0), "0: 7+8 16@-8" },
	{ "aarch64, with a signed return address", &machine_aarch64,
	  PROGRAM(0x41, 0x2d, 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3),
	  "0: 31+0; 8: 31+32 29@-32 30@-24" },
	{ "a CFA with a factor", &machine_x86_64, PROGRAM(0x12, 7, 0x7c), "0: 7+32 16@-8" },
	{ "a register above the CFA", &machine_x86_64, PROGRAM(0x2f, 3, 2), "0: 7+8 3@16 16@-8" },
	{ "a register restored, by its whole number", &machine_x86_64,
	  PROGRAM(0x83, 3, 0x42, 0x06, 3), "0: 7+8 3@-24 16@-8; 2: 7+8 16@-8" },
	{ "registers that stay, or are lost anyway", &machine_x86_64, PROGRAM(0x08, 3, 0x07, 1),
	  "0: 7+8 16@-8" },
	{ "a callee-saved register that is lost", &machine_x86_64, PROGRAM(0x07, 3), "0: row" },
	{ "a register that stays, but need not", &machine_x86_64, PROGRAM(0x08, 2), "0: row" },
	{ "a register in another one", &machine_x86_64, PROGRAM(0x09, 3, 12), "0: row" },
	{ "registers that are offsets", &machine_x86_64, PROGRAM(0x14, 3, 2, 0x15, 12, 0x7e),
	  "0: row" },
	{ "a register that is an expression", &machine_x86_64, PROGRAM(0x16, 3, 1, 0x30),
	  "0: row" },
	{ "beyond the function, by four bytes", &machine_x86_64,
	  PROGRAM(0x04, 0xff, 0xff, 0xff, 0xff), "0: 7+8 16@-8; 0: none" },
	{ "an instruction there is none of", &machine_x86_64, PROGRAM(0x41, 0x3f),
	  "0: 7+8 16@-8; 1: none" },
	{ "cut short", &machine_x86_64, PROGRAM(0x41, 0x0f, 100), "0: 7+8 16@-8; 1: none" },
	{ "beyond the function", &machine_x86_64, PROGRAM(0x03, 0xff, 0xff),
	  "0: 7+8 16@-8; 0: none" },
	{ "nothing to restore", &machine_x86_64, PROGRAM(0x0b), "0: none" },
	{ "a CFA by a register nobody follows", &machine_x86_64, PROGRAM(0x0c, 40, 8), "0: none" },
	{ "an offset beyond all frames", &machine_x86_64,
	  PROGRAM(0x0e, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1), "0: row" },
};

static void run_case(const struct row_case *row, bool is_big_endian)
{
	bool is_aarch64 = row->machine == &machine_aarch64;
	const struct writer_common common = {
		.letters = "zR",
		.code_alignment = is_aarch64 ? 4 : 1,
		.data_alignment = -8,
		.return_column = is_aarch64 ? 30 : 16,
		.program = is_aarch64 ? aarch64_common : x86_64_common,
		.program_bytes = is_aarch64 ? sizeof(aarch64_common) : sizeof(x86_64_common),
	};
	struct rule_rows rows = { .count = 0 };
	struct cfi_fde function;
	struct cfi_writer writer;
	struct rules rules;
	struct sink sink;
	struct cfi cfi;
	size_t offset;

	cfi_writer_init(&writer, CFI_EH_FRAME, 8, is_big_endian, 0x5000);
	offset = cfi_writer_common(&writer, &common);
	cfi_writer_function(&writer, offset, 0x1000, 0x1000, row->program, row->length);
	cfi_init(&cfi, cfi_writer_span(&writer), CFI_EH_FRAME, 8);
	rules_init(&rules);
	sink_init_memory(&sink);
	cr_assert(cfi_read(&cfi, 0, &function), "%s", row->what);
	program_run(&function, row->machine, &rules, &rows);
	for (size_t i = 0; i < rows.count; i++) {
		sink_printf(&sink, "%s%u: ", i ? "; " : "", rows.at[i].from);
		write_rule(&rules, row->machine, rows.at[i].rule, &sink);
	}
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, row->expected, "%s:\n%s, not\n%s", row->what, sink.buffer,
			 row->expected);
	sink_deinit(&sink);
	rules_deinit(&rules);
	vec_free(&rows);
	cfi_deinit(&cfi);
	cfi_writer_deinit(&writer);
}

Test(unwind_program, rows)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		run_case(&cases[i], false);
		run_case(&cases[i], true);
	}
	assert_no_leaks();
}

/* Functions of the same shape share their rules, however many there are. */
Test(unwind_program, rules_are_interned)
{
	static const uint8_t program[] = { 0x41, 0x0e, 16, 0x86, 2 };
	const struct cfi_fde function = {
		.begin = 0x1000,
		.end = 0x2000,
		.cie = { .code_alignment = 1,
			 .data_alignment = -8,
			 .return_column = 16,
			 .program = span_of(x86_64_common, sizeof(x86_64_common), 0, false) },
		.program = span_of(program, sizeof(program), 0, false),
	};
	struct rule_rows rows = { .count = 0 };
	struct rules rules;
	size_t count;

	rules_init(&rules);
	program_run(&function, &machine_x86_64, &rules, &rows);
	count = rules.rows.count;
	for (int i = 0; i < 100; i++)
		program_run(&function, &machine_x86_64, &rules, &rows);
	cr_expect_eq(rules.rows.count, count);
	cr_expect_eq(rows.count, 202);
	rules_deinit(&rules);
	vec_free(&rows);
	assert_no_leaks();
}

/* A program with only rows, or only expressions, is limited. */
Test(unwind_program, limits)
{
	static const uint8_t steps[][4] = {
		{ 0x41, 0x0e, 1, 0 },    /* one byte further, another offset */
		{ 0x41, 0x0f, 1, 0x30 }, /* and an expression */
		{ 0x0a, 0x0a, 0x0a, 0x0a },
	};
	static const size_t counts[] = { LIMIT_CFI_ROWS + 1, LIMIT_CFI_COMPLEX_ROWS + 1, 1 };

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		size_t size_bytes = (size_t)4 * (LIMIT_CFI_ROWS + 100);
		uint8_t *program = memory_alloc(size_bytes, 1);
		struct cfi_fde function = {
			.begin = 0,
			.end = UINT32_MAX,
			.cie = { .code_alignment = 1, .data_alignment = -8, .return_column = 16 },
		};
		struct rule_rows rows = { .count = 0 };
		struct rules rules;

		for (size_t k = 0; k < size_bytes; k++)
			program[k] =
				k % 4 == 2 && i == 0 ? (uint8_t)(k / 4 % 100) : steps[i][k % 4];
		function.program = span_of(program, size_bytes, 0, false);
		function.cie.program = span_of(x86_64_common, sizeof(x86_64_common), 0, false);
		rules_init(&rules);
		program_run(&function, &machine_x86_64, &rules, &rows);
		cr_expect_leq(rows.count, counts[i] + 1, "%zu rows", rows.count);
		cr_expect_eq(rows.at[rows.count - 1].rule.i, RULE_ID_NO_CFI.i);
		rules_deinit(&rules);
		vec_free(&rows);
		memory_free(program);
	}
	assert_no_leaks();
}
