/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "compat/inferno_line.h"

static void expect_text(struct text text, const char *wanted, const char *line)
{
	cr_expect(text_is(text, wanted), "%s: \"%.*s\", wanted \"%s\"", line, (int)text.length,
		  text.at, wanted);
}

static const struct {
	const char *line, *comm, *pid, *tid;
	const char *event; /* NULL: there is none */
	uint64_t period;
	const char *frame;
} events[] = {
	{ "java 12688 [002] 6544.708352: cpu-clock:", "java", "?", "12688", "cpu-clock", 1, "" },
	{ "V8 Worker 16/17 94.10: 250 cycles:", "V8 Worker", "16", "17", "cycles", 250, "" },
	{ "vote   913    72.176760:     257597 cycles:uppp:", "vote", "?", "913", "cycles", 257597,
	  "" },
	{ "false 6 2.5:  3 cycles:u:  ffff f (m)", "false", "?", "6", "cycles", 3, "ffff f (m)" },
	{ "false 6 2.5:  3 cycles:  ffff f (m)", "false", "?", "6", "cycles", 3, "ffff f (m)" },
	/* The first number is the thread, even inside the comm. Leading blanks are not part of the comm. */
	{ "  foo 12 345 1.5: cycles:", "foo", "?", "12", "cycles", 1, "" },
	{ " 12 1.5: cycles:", "", "?", "12", "cycles", 1, "" },
	/* If a name has a colon, only the part before it is the event. The text of a tracepoint is
	 * a frame. */
	{ "a 1 2.5: sched:sched_switch: x=1", "a", "?", "1", "sched", 1, "x=1" },
	{ "a 1 2.5: cycles:Pu", "a", "?", "1", "cycles", 1, "Pu" },
	{ "a 1 [2] 2.5: 4  cycles:", "a", "?", "1", "cycles", 1, "" },
	{ "a 1 2.5: 18446744073709551616 cycles:", "a", "?", "1", "cycles", 1, "" },
	{ "a 1 2.5: 0 cycles:", "a", "?", "1", "cycles", 0, "" },
	{ "a 1/2//3 no colon", "a", "1/2/", "3", NULL, 1, "" },
	{ "a / x", "a", "", "", NULL, 1, "" },
	{ "a 1 2.5:", "a", "?", "1", "", 1, "" },
};

Test(inferno_line, events)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		const char *line = events[i].line;
		struct inferno_event event;

		cr_assert(inferno_line_event(text_of(line), &event), "%s", line);
		expect_text(event.comm, events[i].comm, line);
		expect_text(event.pid, events[i].pid, line);
		expect_text(event.tid, events[i].tid, line);
		cr_expect_eq(event.event.at != NULL, events[i].event != NULL, "%s", line);
		if (events[i].event)
			expect_text(event.event, events[i].event, line);
		cr_expect_eq(event.period, events[i].period, "%s", line);
		expect_text(event.frame, events[i].frame, line);
	}
}

Test(inferno_line, what_is_no_event)
{
	static const char *const lines[] = {
		"", "a", "a 1", "1 a", "a\t1\t2", "a 1x 2x", "a /x /"
	};
	struct inferno_event event;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		cr_expect_not(inferno_line_event(text_of(lines[i]), &event), "%s", lines[i]);
}

static const struct {
	const char *line, *word, *symbol, *module;
} frames[] = {
	{ "\tffff run+0x1f (/bin/a)", "ffff", "run", "/bin/a" },
	{ "ffff\t run+0xABx (/bin/a)", "ffff", "run+0xABx", "/bin/a" },
	{ "  7f1e  (/lib/libc.so)", "7f1e", " ", "/lib/libc.so" },
	{ " 1 f(int, char)+0x (x)", "1", "f(int, char)", "x" },
	{ " 1 f+0x1 (/bin/x (deleted))", "1", "f+0x1 (/bin/x", "deleted)" },
	{ " 1 a b c ()", "1", "a b c", "" },
	{ " 1 +0x1 (m)", "1", "", "m" },
};

Test(inferno_line, frames)
{
	static const char *const others[] = {
		"",         "\t",          "ffff",        "ffff (m)",
		"ffff run", "ffff run m)", "ffff run (m", "ffff run (",
	};

	for (size_t i = 0; i < ARRAY_SIZE(frames); i++) {
		const char *line = frames[i].line;
		struct inferno_frame frame;

		cr_assert(inferno_line_frame(text_of(line), &frame), "%s", line);
		expect_text(frame.word, frames[i].word, line);
		expect_text(frame.symbol, frames[i].symbol, line);
		expect_text(frame.module, frames[i].module, line);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		struct inferno_frame frame;

		cr_expect_not(inferno_line_frame(text_of(others[i]), &frame), "%s", others[i]);
	}
}

static void write_name(void *context, const struct event_frame *frame)
{
	struct sink *sink = context;

	if (sink->used)
		sink_char(sink, '|');
	sink_text(sink, frame->name);
}

static const struct {
	const char *symbol, *module, *names;
} names[] = {
	{ "go/build.(*importReader).readByte", "x", "go/build.(*importReader).readByte" },
	{ "foo<Vec::<usize>>(Vec<usize>)", "x", "foo<Vec::<usize>>" },
	{ "base(BasicType) const", "x", "base" },
	{ "a(anonymous namespace)::f()", "x", "a(anonymous namespace)::f" },
	{ "[(x)]::f()", "x", "[(x)]::f" },
	/* If a name has a bracket that closes nothing, it keeps its arguments. */
	{ "operator>(int)", "x", "operator>(int)" },
	{ "a;b", "x", "a:b" },
	{ "\"q\" 'r'", "x", "\"q\" 'r'" },
	{ "a->b_[i]->", "x", "a|b_[i]|_[i]" },
	{ "Lorg/A;::f", "x", "org/A:::f" },
	{ "Large", "x", "Large" },
	{ "(no function)", "x", "" },
	{ "[unknown]", "[unknown]", "[unknown <1f>]" },
	{ "[unknown]", "/lib/libc.so", "[libc.so <1f>]" },
	{ "k", "[kernel.kallsyms]", "k_[k]" },
	{ "k", "/lib/modules/x.ko", "k_[k]" },
	{ "k", "/boot/vmlinux", "k_[k]" },
	{ "k", "vmlinux-5.4.14-cloudflare_2020", "k_[k]" },
	{ "k", "vmlinux/x", "k" },
	{ "k", "mlinux", "k" },
	{ "k", "/tmp/perf-12.map", "k_[j]" },
	{ "k_[j]", "/tmp/perf-x.map", "k_[j]" },
	{ "k", "/home/x/jitted-12-3.so", "k_[j]" },
	{ "k", "/home/jitted-12-3.s", "k" },
};

Test(inferno_line, names)
{
	const struct collapse_naming naming = {
		.marks_kernel = true,
		.marks_jit = true,
		.shows_addresses = true,
		.is_java = true,
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct inferno_frame frame = {
			.word = text_of("1f"),
			.symbol = text_of(names[i].symbol),
			.module = text_of(names[i].module),
		};
		struct sink sink;

		sink_init_memory(&sink);
		inferno_line_name(&frame, &naming, write_name, &sink);
		expect_text(sink_memory(&sink), names[i].names, names[i].symbol);
		sink_deinit(&sink);
	}
}

static const struct {
	const char *name;
	const char *meant; /* NULL: not a name of this kind */
} rust_names[] = {
	{ "core::fmt::write::h0123456789abcdef", "core::fmt::write" },
	{ "_$LT$a..B$u20$as$u20$C$GT$::d::hFEDCBA9876543210", "<a::B as C>::d" },
	{ "_$RF$$u5b$T$u3b$N$u5d$::x..y.z::h0123456789abcdef", "&[T;N]::x::y.z" },
	{ "f$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "f{{closure}}" },
	/* The rest of a name after an unknown escape stays unchanged. */
	{ "a..b$u99$c..d$GT$::h0123456789abcdef", "a::b$u99$c..d$GT$" },
	{ "a$::h0123456789abcdef", "a$" },
	{ "h0123456789abcdef", "" },
	{ "mainh0123456789abcdef", "main" },
	{ "main", NULL },
	{ "", NULL },
	{ "0123456789abcdef", NULL },
	{ "main::h0123456789abcde", NULL },
	{ "main::g0123456789abcdef", NULL },
	{ "main::h0123456789abcdeg", NULL },
};

Test(inferno_line, legacy_rust_names)
{
	for (size_t i = 0; i < ARRAY_SIZE(rust_names); i++) {
		const struct inferno_frame frame = { .symbol = text_of(rust_names[i].name) };
		struct sink sink;

		sink_init_memory(&sink);
		inferno_line_write_symbol(&frame, &sink);
		expect_text(sink_memory(&sink),
			    rust_names[i].meant ? rust_names[i].meant : rust_names[i].name,
			    rust_names[i].name);
		sink_deinit(&sink);
	}
}
