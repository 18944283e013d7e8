/* SPDX-License-Identifier: MIT */
#include "libparse/script/perf_script_frame.h"

#include <criterion/criterion.h>

Test(perf_script_frame, reads_name_and_module)
{
	static const struct {
		const char *raw, *name, *module;
		uint64_t address, offset;
		bool is_inlined;
	} rows[] = {
		{ "\t    1149 parse+0x9 (/bin/app)", "parse", "/bin/app", 0x1149, .offset = 9 },
		{ "\tffffffff81752a2a do_read ([kernel.kallsyms])", "do_read", "[kernel.kallsyms]",
		  .address = 0xffffffff81752a2a },
		{ "\t 1 [unknown] (/bin/app)", "", "/bin/app", .address = 1 },
		{ "\t 1 [unknown] ([unknown])", "", "", .address = 1 },
		{ "\t 1 f (/usr/bin/x (deleted))", "f", "/usr/bin/x (deleted)", .address = 1 },
		{ "\t 1 f (/a path (with) brackets/x)", "f", "/a path (with) brackets/x",
		  .address = 1 },
		{ "\t 1 f (/a)b", "f (/a)b", "", .address = 1 },
		{ "\t 1 f (/a)b)", "f", "/a)b", .address = 1 },
		{ "\t 1 std::function<void (int)>::operator()(int)+0x2 (/x)",
		  "std::function<void (int)>::operator()(int)", "/x", 1, .offset = 2 },
		{ "\t 1 operator new(unsigned long) (/x)", "operator new(unsigned long)", "/x",
		  .address = 1 },
		{ "\t 1 f(void (*)(int))", "f(void (*)(int))", "", .address = 1 },
		{ "\t 1 next (inlined)", "next", "", 1, .is_inlined = true },
		{ "\t 1 Ljava/lang/Thread;::run (/tmp/perf-17.map)", "Ljava/lang/Thread;::run",
		  "/tmp/perf-17.map", .address = 1 },
		{ "\t 1 a b c+0xfz (/x)", "a b c+0xfz", "/x", .address = 1 },
		{ "\t 1  (/x)", "", "/x", .address = 1 },
		{ "\t 1", "", "", .address = 1 },
		{ " main+0x1 (/x)", "main", "/x", .offset = 1 },
		{ "\t 1 f+0x1 (/x)\n  file.c:12", "f", "/x", .address = 1, .offset = 1 },
		{ "", "", .module = "" },
		{ ")", ")", .module = "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_frame got;

		perf_script_parse_frame(text_of(rows[i].raw), &got);
		cr_assert(text_is(got.name, rows[i].name), "%s: %.*s", rows[i].raw,
			  (int)got.name.length, got.name.at);
		cr_assert(text_is(got.module, rows[i].module), "%s: %.*s", rows[i].raw,
			  (int)got.module.length, got.module.at);
		cr_assert(got.address == rows[i].address && got.offset == rows[i].offset, "%s",
			  rows[i].raw);
		cr_assert_eq(got.is_inlined, rows[i].is_inlined, "%s", rows[i].raw);
	}
}

#define FRAME "ffffffff81775b9a elf_load+0x28a ([kernel.kallsyms])"
#define PAD   "               "

Test(perf_script_frame, finds_the_frame_among_other_fields)
{
	static const struct {
		const char *rest, *frame;
	} rows[] = {
		{ FRAME, FRAME },
		{ "10 main (/bin/app)", "10 main (/bin/app)" },
		{ "10", "10" },
		{ "", "" },
		/* -F addr, without and with a symbol; -F weight,ins_lat */
		{ "558354896240 " FRAME, FRAME },
		{ "558354896240 environ+0x0 (/bin/dash) " FRAME, FRAME },
		{ "0" PAD "0 " FRAME, FRAME },
		{ "558354896240     7fcece6ef110", "7fcece6ef110" },
		{ "558354896240" PAD "0     7fcece6ef110", "7fcece6ef110" },
		/* -F data_src,weight */
		{ "1e05080021 |OP LOAD|LVL L1 hit|BLK  N/A              12     7fcece6ef110 f(int) (/a b)",
		  "7fcece6ef110 f(int) (/a b)" },
		/* -F phys_addr,data_page_size; insnlen; insn; iregs */
		{ FRAME PAD "0", FRAME },
		{ FRAME "        12345000", FRAME },
		{ FRAME "        12345000 4K", FRAME },
		{ FRAME " N/A 2M", FRAME },
		{ FRAME " ilen: 3 insn: 48 89 c3", FRAME },
		{ FRAME " ABI:2    AX:0x0    BX:0x7f00", FRAME },
		{ FRAME " \t IPC: 0.89 (17/19) ", FRAME },
		{ FRAME "\t\tmovq %rsp, %rbp", FRAME },
		{ FRAME " ABI:2    AX:0x0        12345000 N/A", FRAME },
		/* The same without a module. */
		{ "558354896240     7fcece6ef110 main+0x4 ABI:2    AX:0x0",
		  "7fcece6ef110 main+0x4" },
		{ "7fcece6ef110 main        12345000 N/A", "7fcece6ef110 main" },
		{ "7fcece6ef110        12345000", "7fcece6ef110" },
		/* -F brstack, of several versions; brstacksym */
		{ FRAME " 0x401136/0x401149/P/-/-/4  0x4/0x5/M/-/-/0 ", FRAME },
		{ FRAME " 0x4(/a)/0x5(/b)/-/X/A/4/  0x4(/a)/0x5(/b)/N/-/-/4/COND/-", FRAME },
		{ FRAME "f+0x1([kernel])/g([kernel])/P/-/-/4/ f([kernel])/g([kernel])/P/-/-/4/",
		  FRAME },
		{ "10 f<a, b> (/c (deleted))operator new(/d)/g<a, b>(/d)/P/-/-/4/",
		  "10 f<a, b> (/c (deleted))" },
		/* Names that are not followed by a module, and modules that look like other fields. */
		{ "10 A::operator()(int) const", "10 A::operator()(int) const" },
		{ "10 f(int) [clone .cold]", "10 f(int) [clone .cold]" },
		{ "10 (anonymous namespace)::f", "10 (anonymous namespace)::f" },
		{ "10 F<void (), A>::f", "10 F<void (), A>::f" },
		{ "10 void ABI::f<int () const>", "10 void ABI::f<int () const>" },
		{ "10 f (/P/-/x (deleted))", "10 f (/P/-/x (deleted))" },
		{ "10 add 4 (/x)", "10 add 4 (/x)" },
		{ "10 f (/my\tapp)", "10 f (/my\tapp)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text frame = perf_script_single_frame(text_of(rows[i].rest));

		cr_expect(text_is(frame, rows[i].frame), "%s: %.*s", rows[i].rest,
			  (int)frame.length, frame.at);
	}
}

Test(perf_script_frame, tells_frames_from_samples_whose_comm_is_padded)
{
	static const struct {
		const char *line;
		bool is_frame;
	} rows[] = {
		{ "\t    1149 parse+0x9 (app)", true },
		{ "\tparse (app)", true },
		{ "      1149 parse+0x9 (app)", true },
		{ "        dd [unknown] (app)", true },
		{ "        dd 1234 [000] 5.000001: cycles: ", false },
		{ "       app 1234 [000] 5.000001: cycles: ", false },
		{ "dd 1234 5.000001: cycles: ", false },
		{ " 1234 [000] 5.000001: cycles: ", false },
		{ "", false },
		{ "   ", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_assert_eq(perf_script_is_frame(text_of(rows[i].line)), rows[i].is_frame, "%s",
			     rows[i].line);
}

Test(perf_script_frame, tells_addresses_from_words)
{
	static const struct {
		const char *line;
		bool has_address;
	} rows[] = {
		{ "\t    1149 parse+0x9 (app)", true },
		{ "\t1149", true },
		{ "            1149", true },
		{ "    9 Thread_1", false },
		{ "\tffffffff81000130 entry_SYSCALL_64 ([kernel.kallsyms])", true },
		{ "\t             add [unknown] (app)", true },
		{ "                add [unknown] (app)", true },
		{ "\tadd x0, x0, 1", false },
		{ "\tADD1 R1", false },
		{ "\tgit_index_free(index);", false },
		{ "\t0x10 main", false },
		{ "1149 parse", false },
		{ "", false },
		{ "\t", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_assert_eq(perf_script_has_address(text_of(rows[i].line)), rows[i].has_address,
			     "%s", rows[i].line);
}

/* Lists and prose, indented by a tab or blanks, also begin with numbers. */
Test(perf_script_frame, tells_frames_of_perf_from_lists)
{
	static const struct {
		const char *line;
		bool is_certain;
	} rows[] = {
		{ "\t            1149 parse", true },
		{ "                    1149 parse", true },
		{ "\tffffffff81000130 entry_SYSCALL_64", true },
		{ "\t1149 parse+0x9", true },
		{ "\t1149 parse (/bin/app)", true },
		{ "    1149 [unknown] ([vdso])", true },
		{ "\t1149 parse (app)", false },
		{ "\t2005 a person", false },
		{ "\t12 passed (3 skipped)", false },
		{ "\t12 see also (b/c)", false },
		{ "    1a2b3c4d5e6f fix bug", false },
		{ "parse+0x9 (/bin/app)", false },
		{ "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_assert_eq(perf_script_is_certain_frame(text_of(rows[i].line)),
			     rows[i].is_certain, "%s", rows[i].line);
}
