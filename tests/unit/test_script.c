/* SPDX-License-Identifier: MIT */
#include "render/text/script.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

#define DEFAULTS                                                                           \
	(SCRIPT_COMM | SCRIPT_PID | SCRIPT_TID | SCRIPT_CPU | SCRIPT_TIME | SCRIPT_EVENT | \
	 SCRIPT_IP | SCRIPT_SYM | SCRIPT_DSO)

static const struct {
	const char *list;
	unsigned fields; /* 0: refused */
	const char *culprit;
} field_rows[] = {
	{ NULL, DEFAULTS, NULL },
	{ "comm", SCRIPT_COMM, NULL },
	{ "comm,ip,sym", SCRIPT_COMM | SCRIPT_IP | SCRIPT_SYM, NULL },
	{ "sym,comm,ip,comm", SCRIPT_COMM | SCRIPT_IP | SCRIPT_SYM, NULL },
	{ "+symoff", DEFAULTS | SCRIPT_SYMOFF, NULL },
	{ "-dso", DEFAULTS & ~(unsigned)SCRIPT_DSO, NULL },
	{ "+symoff,-dso,+period",
	  (DEFAULTS | SCRIPT_SYMOFF | SCRIPT_PERIOD) & ~(unsigned)SCRIPT_DSO, NULL },
	{ "comm,-comm,pid", SCRIPT_PID, NULL },
	{ "comm,tid,pid,time,cpu,event,ip,sym,dso,addr,symoff,period,weight,phys_addr,misc,"
	  "data_src,brstack",
	  (1u << 17) - 1, NULL },
	{ "tod,time", SCRIPT_TOD | SCRIPT_TIME, NULL },
	{ "comm,color", 0, "\"color\"" },
	{ "com", 0, "\"com\"" },
	{ "comm2", 0, "\"comm2\"" },
	{ ",comm", 0, "\"\"" },
	{ "comm,,pid", 0, "\"\"" },
	{ "+", 0, "\"\"" },
	{ "+symoff,--dso", 0, "\"-dso\"" },
};

Test(script, field_lists)
{
	for (size_t i = 0; i < ARRAY_SIZE(field_rows); i++) {
		struct script_options options = { 0 };
		struct error err = { 0 };
		bool good = script_parse_fields(field_rows[i].list, &options, &err);
		const char *list = field_rows[i].list ? field_rows[i].list : "none";

		cr_expect_eq(good, field_rows[i].fields != 0, "%s: %s", list, err.text);
		if (good) {
			cr_expect_eq(options.fields, field_rows[i].fields, "%s: %x", list,
				     options.fields);
		} else {
			cr_expect_eq(err.code, ERROR_USAGE);
			cr_expect_not_null(strstr(err.text, field_rows[i].culprit), "%s: %s", list,
					   err.text);
		}
	}
}

#define ALL_PRESENT                                                                               \
	(SAMPLE_HAS_IP | SAMPLE_HAS_TID | SAMPLE_HAS_TIME | SAMPLE_HAS_ADDRESS | SAMPLE_HAS_CPU | \
	 SAMPLE_HAS_PERIOD | SAMPLE_HAS_WEIGHT | SAMPLE_HAS_DATA_SOURCE |                         \
	 SAMPLE_HAS_PHYSICAL_ADDRESS)

struct layout_row {
	const char *fields;
	uint64_t present;
	size_t frame_count;
	const char *expected;
};

static const struct layout_row layout_rows[] = {
	{ NULL, ALL_PRESENT | SAMPLE_HAS_CALLCHAIN, 3,
	  "my app  4711/4712  [003]    12.000345:     cycles: \n"
	  "\t            1149 parse (/bin/app)\n"
	  "\t            2210 [unknown] (/tmp/perf-4711.map)\n"
	  "\t            3000 [unknown] ([unknown])\n"
	  "\n" },
	{ NULL, ALL_PRESENT, 1,
	  "          my app  4711/4712  [003]    12.000345:     cycles:            7f1149 parse "
	  "(/bin/app)\n" },
	{ NULL, ALL_PRESENT, 0, "          my app  4711/4712  [003]    12.000345:     cycles: \n" },
	{ NULL, ALL_PRESENT | SAMPLE_HAS_CALLCHAIN, 0,
	  "my app  4711/4712  [003]    12.000345:     cycles: \n\n" },
	{ NULL, SAMPLE_HAS_IP, 1,
	  "          my app  4711/4712      cycles:            7f1149 parse (/bin/app)\n" },
	{ "comm", ALL_PRESENT | SAMPLE_HAS_CALLCHAIN, 3, "          my app \n" },
	{ "pid", ALL_PRESENT, 1, " 4711 \n" },
	{ "tid", ALL_PRESENT, 1, " 4712 \n" },
	{ "ip", ALL_PRESENT, 1, "           7f1149\n" },
	{ "ip,sym,symoff", ALL_PRESENT | SAMPLE_HAS_CALLCHAIN, 2,
	  "\n\t            1149 parse+0x49\n\t            2210 [unknown]\n\n" },
	{ "event,period", ALL_PRESENT, 1, "    200040     cycles: \n" },
	{ "time,misc", ALL_PRESENT, 1, "U        12.000345: \n" },
	{ "addr", ALL_PRESENT, 1, "        deadbeef\n" },
	{ "weight,data_src", ALL_PRESENT, 1, "              1f              77\n" },
	{ "phys_addr", ALL_PRESENT, 1, "            cafe\n" },
	{ "brstack", ALL_PRESENT | SAMPLE_HAS_BRANCHES, 1,
	  " 0x10/0x20/P/-/-/7/  0x30/0x40/M/-/-/0/CALL \n" },
	{ "ip,brstack,phys_addr", ALL_PRESENT | SAMPLE_HAS_BRANCHES | SAMPLE_HAS_CALLCHAIN, 1,
	  "\n\t            1149\n"
	  " 0x10/0x20/P/-/-/7/  0x30/0x40/M/-/-/0/CALL             cafe\n" },
	{ "tid,brstack", ALL_PRESENT, 1, " 4712 \n" },
	{ "addr,phys_addr,weight,data_src,cpu,time", SAMPLE_HAS_IP, 1, "\n" },
};

static void make(struct profile_maker *maker, location_id frames[3])
{
	struct location *parse;

	profile_maker_init(maker);
	profile_maker_event(maker, "page-fault", UNIT_EVENTS);
	profile_maker_module(maker, MODULE_FILE, "/bin/app");
	modules_intern(
		maker->profile.modules,
		&(struct module){ .kind = MODULE_ANONYMOUS,
				  .pid = 4711,
				  .path = strings_intern_text(maker->profile.strings, "//anon") });
	frames[0] = locations_intern(&maker->locations, (module_id){ 1 }, 0x1149, false);
	frames[1] = locations_intern(&maker->locations, (module_id){ 2 }, 0x2210, true);
	frames[2] = locations_intern(&maker->locations, (module_id){ 0 }, 0x3000, true);
	parse = &maker->locations.rows.at[frames[0].i];
	parse->is_named = true;
	parse->name = strings_intern_text(maker->profile.strings, "parse");
	parse->symbol_start = 0x1100;
}

Test(script, layout)
{
	static const struct event_branch branches[] = {
		{ .from = 0x10, .to = 0x20, .is_predicted = true, .cycles = 7 },
		{ .from = 0x30, .to = 0x40, .is_mispredicted = true, .type = 4 },
	};
	struct profile_maker maker;
	location_id frames[3];

	make(&maker, frames);
	for (size_t i = 0; i < ARRAY_SIZE(layout_rows); i++) {
		const struct layout_row *row = &layout_rows[i];
		struct event_sample values = {
			.pid = 4711,
			.tid = 4712,
			.cpu = 3,
			.misc = CPU_MODE_USER,
			.present = row->present,
			.ip = 0x7f1149,
			.address = 0xdeadbeef,
			.period = 200040,
			.weight = 77,
			.data_source = 0x1f,
			.physical_address = 0xcafe,
			.branches = branches,
			.branch_count = row->present & SAMPLE_HAS_BRANCHES ? 2 : 0,
		};
		struct script_sample sample = {
			.sample = &values,
			.time_ns = 12000345999,
			.comm = text_of("my app"),
			.event = &maker.profile.events.at[0],
			.frames = frames,
			.frame_count = row->frame_count,
		};
		struct script_options options = { 0 };
		struct script_writer writer;
		struct error err;
		struct sink sink;

		cr_assert(script_parse_fields(row->fields, &options, &err));
		sink_init_memory(&sink);
		script_writer_init(&writer, &maker.profile, &maker.locations, &options);
		script_write(&writer, &sample, &sink);
		sink_char(&sink, '\0');
		cr_expect_str_eq(sink.buffer, row->expected, "row %zu:\n%s\nwanted:\n%s", i,
				 sink.buffer, row->expected);
		script_writer_deinit(&writer);
		sink_deinit(&sink);
	}
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

/* A sample without a callchain is printed with its innermost frame, in either order. */
Test(script, chains_in_the_order_of_calls)
{
	static const struct {
		uint64_t present;
		const char *expected;
	} rows[] = {
		{ SAMPLE_HAS_IP | SAMPLE_HAS_CALLCHAIN,
		  "\n\t            3000\n\t            2210\n\t            1149\n\n" },
		{ SAMPLE_HAS_IP, "           7f1149\n" },
	};
	struct script_options options = { .is_inverted = true };
	struct profile_maker maker;
	struct script_writer writer;
	location_id frames[3];
	struct error err;

	make(&maker, frames);
	cr_assert(script_parse_fields("ip", &options, &err));
	script_writer_init(&writer, &maker.profile, &maker.locations, &options);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_sample values = { .present = rows[i].present, .ip = 0x7f1149 };
		struct script_sample sample = {
			.sample = &values,
			.event = &maker.profile.events.at[0],
			.frames = frames,
			.frame_count = 3,
		};
		struct sink sink;

		sink_init_memory(&sink);
		script_write(&writer, &sample, &sink);
		sink_char(&sink, '\0');
		cr_expect_str_eq(sink.buffer, rows[i].expected, "row %zu:\n%s", i, sink.buffer);
		sink_deinit(&sink);
	}
	script_writer_deinit(&writer);
	profile_maker_deinit(&maker);
}

static const struct {
	struct event_branch branch;
	const char *expected;
} rows[] = {
	{ { .from = 0, .to = 0 }, "0x0/0x0/-/-/-/0/" },
	{ { .from = 0xffffffffb4208e16, .to = 0x10, .is_predicted = true, .cycles = 65535 },
	  "0xffffffffb4208e16/0x10/P/-/-/65535/" },
	{ { .from = 1, .to = 2, .is_mispredicted = true, .type = 4 }, "0x1/0x2/M/-/-/0/CALL" },
	{ { .from = 1, .to = 2, .is_in_transaction = true, .is_abort = true, .type = 14 },
	  "0x1/0x2/-/X/A/0/NO_TX" },
	{ { .from = 1, .to = 2, .type = 15, .new_type = 2 }, "0x1/0x2/-/-/-/0/FAULT_INST" },
	{ { .from = 1, .to = 2, .type = 15, .new_type = 15 }, "0x1/0x2/-/-/-/0/" },
	{ { .from = 1, .to = 2, .type = 6, .new_type = 2 }, "0x1/0x2/-/-/-/0/RET" },
	{ { .from = 1, .to = 2, .type = 1, .speculation = 3 },
	  "0x1/0x2/-/-/-/0/COND/SPEC_CORRECT_PATH" },
	{ { .from = 1, .to = 2, .is_predicted = true, .is_mispredicted = true },
	  "0x1/0x2/P/-/-/0/" },
};

Test(script, rows)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		script_write_branch(&rows[i].branch, &sink);
		sink_char(&sink, '\0');
		cr_expect_str_eq(sink.buffer, rows[i].expected, "row %zu: %s", i, sink.buffer);
		sink_deinit(&sink);
	}
}
