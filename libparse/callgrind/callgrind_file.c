/* SPDX-License-Identifier: MIT */
#include "libparse/callgrind/callgrind_file.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/scan.h"
#include "libparse/callgrind/callgrind_contexts.h"

struct file_part {
	uint32_t events[LIMIT_CALLGRIND_EVENTS]; /* the event of each column */
	uint32_t event_count;
	uint32_t position_count;
	uint32_t thread;
	uint64_t sums[LIMIT_CALLGRIND_EVENTS]; /* sums of the self costs */
	uint64_t summary; /* sum of the first event according to the summary line */
	bool has_costs;   /* costs were read since the last totals line */
	bool is_head;     /* neither costs nor sums of this part have been read yet */
};

struct parser {
	struct callgrind_file *file;
	struct capture *capture;
	struct callgrind_numbers numbers;
	struct file_part part;
	uint32_t function, callee; /* contexts; CALLGRIND_NONE if unknown */
	str_id module;
	bool is_inclusive;                      /* the next line is the cost of calls */
	bool is_of_valgrind;                    /* the creator line was read */
	bool has_two_processes;                 /* the pid: or cmd: lines of the file differ */
	uint64_t costs[LIMIT_CALLGRIND_EVENTS]; /* of `function` */
};

/*
 * Reads a header line, or a line with a name. `rest` is the text after the colon or the equals
 * sign.
 */
typedef bool line_reader(struct parser *parser, struct text rest, uint64_t offset);

static void note_difference(struct parser *parser, uint64_t offset, const char *line,
			    uint32_t column, uint64_t total)
{
	struct capture *capture = parser->capture;
	const struct callgrind_file *file = parser->file;
	const struct callgrind_event *event = &file->events.at[parser->part.events[column]];

	if (capture->is_partial)
		return;
	capture->is_partial = true;
	error_set_at(&capture->damage, ERROR_CORRUPT, offset,
		     "the costs of %s add up to %" PRIu64 ", but the %s line has %" PRIu64
		     ": lines are missing or corrupt",
		     strings_text(&file->stacks.strings, event->name), parser->part.sums[column],
		     line, total);
}

/* Adds the costs of the current function to its stack. */
static void flush_costs(struct parser *parser)
{
	struct file_part *part = &parser->part;

	for (uint32_t i = 0; i < part->event_count; i++) {
		struct callgrind_cost cost = {
			parser->function, part->events[i], part->thread, parser->module, 0,
			parser->costs[i]
		};

		if (!cost.value)
			continue;
		callgrind_stacks_use(&parser->file->stacks, parser->function, parser->module);
		callgrind_costs_add(&parser->file->costs, cost);
		part->sums[i] = saturate_add(part->sums[i], parser->costs[i]);
		part->has_costs = true;
		part->is_head = false;
		parser->costs[i] = 0;
	}
}

/* Without a totals line, as in a truncated file, there may be a summary line. */
static void end_part(struct parser *parser, uint64_t offset)
{
	struct file_part *part = &parser->part;
	struct capture *capture = parser->capture;

	flush_costs(parser);
	if (part->event_count && part->sums[0] < part->summary) {
		note_difference(parser, offset, "summary", 0, part->summary);
	} else if (part->is_head && !capture->is_partial) {
		capture->is_partial = true;
		error_set_at(&capture->damage, ERROR_CORRUPT, offset,
			     "a part ends in its header: its costs are missing");
	}
	part->has_costs = part->is_head = false;
	part->summary = 0;
	memset(part->sums, 0, sizeof(part->sums));
}

static bool read_part(struct parser *parser, struct text rest, uint64_t offset)
{
	(void)rest;
	end_part(parser, offset);
	parser->part.is_head = true;
	parser->part.thread = 0;
	parser->function = parser->callee = CALLGRIND_NONE;
	return true;
}

static bool read_creator(struct parser *parser, struct text rest, uint64_t offset)
{
	(void)offset;
	parser->is_of_valgrind |= text_has_prefix(text_trim(rest), "callgrind-");
	return true;
}

static bool read_thread(struct parser *parser, struct text rest, uint64_t offset)
{
	(void)offset;
	flush_costs(parser);
	return text_to_u32(text_trim(rest), &parser->part.thread);
}

static bool read_pid(struct parser *parser, struct text rest, uint64_t offset)
{
	uint32_t *known = &parser->file->pid;
	uint32_t pid;

	(void)offset;
	if (!text_to_u32(text_trim(rest), &pid))
		return false;
	parser->has_two_processes |= *known && *known != pid;
	*known = pid;
	return true;
}

static bool read_command(struct parser *parser, struct text rest, uint64_t offset)
{
	str_id *known = &parser->file->command_line;
	str_id command_line;

	(void)offset;
	rest = text_trim(rest);
	command_line = strings_intern(&parser->file->stacks.strings, rest.at, rest.length);
	parser->has_two_processes |= known->i && known->i != command_line.i;
	*known = command_line;
	return true;
}

static bool read_positions(struct parser *parser, struct text rest, uint64_t offset)
{
	struct text word;

	(void)offset;
	parser->part.position_count = 0;
	while (parser->part.position_count < 3 && text_next_word(&rest, &word))
		parser->part.position_count++;
	return true;
}

/*
 * Returns the number of an event, and adds the event if it is new. Returns LIMIT_CALLGRIND_EVENTS
 * if there are too many events.
 */
static uint32_t intern_event(struct callgrind_file *file, struct text name)
{
	str_id id = strings_intern(&file->stacks.strings, name.at, name.length);
	uint32_t i = 0;

	while (i < file->events.count && file->events.at[i].name.i != id.i)
		i++;
	if (i == file->events.count && i < LIMIT_CALLGRIND_EVENTS)
		vec_push(&file->events, (struct callgrind_event){ id, UNIT_EVENTS, 1 });
	return i;
}

static bool read_events(struct parser *parser, struct text rest, uint64_t offset)
{
	struct file_part *part = &parser->part;
	struct text word;

	flush_costs(parser);
	if (part->has_costs)
		end_part(parser, offset);
	part->event_count = 0;
	while (part->event_count < LIMIT_CALLGRIND_EVENTS && text_next_word(&rest, &word)) {
		uint32_t event = intern_event(parser->file, word);

		if (event == LIMIT_CALLGRIND_EVENTS)
			return false;
		part->events[part->event_count++] = event;
	}
	return !rest.length;
}

/* "sysTime : sysTime (elapsed us)": the text in brackets is the unit of --collect-systime. */
static bool read_event(struct parser *parser, struct text rest, uint64_t offset)
{
	static const struct {
		const char *suffix;
		uint64_t factor;
	} units[] = { { " ms)", 1000000 }, { " us)", 1000 }, { " ns)", 1 } };
	struct text name;
	uint32_t event;

	(void)offset;
	rest = text_trim(rest);
	if (!text_next_word(&rest, &name))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!text_has_suffix(rest, units[i].suffix))
			continue;
		event = intern_event(parser->file, name);
		if (event == LIMIT_CALLGRIND_EVENTS)
			return false;
		parser->file->events.at[event].unit = UNIT_NANOSECONDS;
		parser->file->events.at[event].factor = units[i].factor;
	}
	return true;
}

/* A cost. Numbers may be hexadecimal. */
static bool scan_cost(struct text *rest, uint64_t *ret)
{
	scan_blanks(rest);
	return text_has_prefix(*rest, "0x") ? scan_hex(rest, ret) : scan_u64(rest, ret);
}

static bool read_summary(struct parser *parser, struct text rest, uint64_t offset)
{
	(void)offset;
	if (!scan_cost(&rest, &parser->part.summary))
		return false;
	parser->part.is_head = false;
	return true;
}

static bool compare_totals(struct parser *parser, struct text rest, uint64_t offset)
{
	struct file_part *part = &parser->part;

	for (uint32_t i = 0; i < part->event_count; i++) {
		uint64_t total = 0;

		/* Zeros at the end of the line are omitted. */
		if (!scan_cost(&rest, &total) && !text_is_blank(rest))
			return false;
		if (total != part->sums[i])
			note_difference(parser, offset, "totals", i, total);
	}
	return true;
}

static bool read_totals(struct parser *parser, struct text rest, uint64_t offset)
{
	bool good;

	flush_costs(parser);
	good = compare_totals(parser, rest, offset);
	if (good) {
		parser->part.summary = 0;
		parser->part.is_head = false;
	}
	end_part(parser, offset);
	return good;
}

static bool ignore(struct parser *parser, struct text rest, uint64_t offset)
{
	(void)parser;
	(void)rest;
	(void)offset;
	return true;
}

static bool read_function(struct parser *parser, struct text rest, uint64_t offset)
{
	(void)offset;
	flush_costs(parser);
	parser->function = callgrind_numbers_function(&parser->numbers, rest);
	return parser->function != CALLGRIND_NONE;
}

static bool read_callee(struct parser *parser, struct text rest, uint64_t offset)
{
	(void)offset;
	parser->callee = callgrind_numbers_function(&parser->numbers, rest);
	return parser->callee != CALLGRIND_NONE;
}

/* Reads the target of a jump, because its number may be used later. */
static bool read_target(struct parser *parser, struct text rest, uint64_t offset)
{
	(void)offset;
	return callgrind_numbers_function(&parser->numbers, rest) != CALLGRIND_NONE;
}

static bool read_module(struct parser *parser, struct text rest, uint64_t offset)
{
	(void)offset;
	flush_costs(parser);
	return callgrind_numbers_module(&parser->numbers, rest, &parser->module);
}

static bool read_module_of_callee(struct parser *parser, struct text rest, uint64_t offset)
{
	str_id ignored;

	(void)offset;
	return callgrind_numbers_module(&parser->numbers, rest, &ignored);
}

static bool read_calls(struct parser *parser, struct text rest, uint64_t offset)
{
	(void)rest;
	(void)offset;
	parser->is_inclusive = true;
	if (parser->function != CALLGRIND_NONE)
		callgrind_stacks_use(&parser->file->stacks, parser->function, parser->module);
	if (parser->callee != CALLGRIND_NONE)
		callgrind_stacks_use_callee(&parser->file->stacks, parser->callee);
	return parser->callee != CALLGRIND_NONE;
}

static const struct {
	const char *prefix;
	line_reader *read;
} lines[] = {
	{ "fn=", read_function },
	{ "cfn=", read_callee },
	{ "calls=", read_calls },
	{ "ob=", read_module },
	{ "cob=", read_module_of_callee },
	{ "jfn=", read_target },
	{ "fl=", ignore },
	{ "fi=", ignore },
	{ "fe=", ignore },
	{ "cfi=", ignore },
	{ "cfl=", ignore },
	{ "jfi=", ignore },
	{ "jump=", ignore },
	{ "jcnd=", ignore },
	{ "part:", read_part },
	{ "thread:", read_thread },
	{ "pid:", read_pid },
	{ "cmd:", read_command },
	{ "positions:", read_positions },
	{ "events:", read_events },
	{ "event:", read_event },
	{ "summary:", read_summary },
	{ "totals:", read_totals },
	{ "version:", ignore },
	{ "creator:", read_creator },
	{ "desc:", ignore },
};

/* Skips "12", "0x4a", "+3", "-4" or "*". */
static bool skip_position(struct text *rest)
{
	uint64_t ignored;
	bool is_relative;

	scan_blanks(rest);
	if (scan_char(rest, '*'))
		return true;
	is_relative = scan_char(rest, '+') || scan_char(rest, '-');
	if (is_relative && rest->length && is_blank(*rest->at))
		return false;
	return scan_cost(rest, &ignored);
}

/*
 * Returns false if the line is not a cost line, or if its function is unknown. In both cases, no
 * cost is added.
 */
static bool read_cost_line(struct parser *parser, struct text line)
{
	bool is_inclusive = parser->is_inclusive;
	uint64_t costs[LIMIT_CALLGRIND_EVENTS];
	uint32_t count = 0;

	parser->is_inclusive = false;
	for (uint32_t i = 0; i < parser->part.position_count; i++)
		if (!skip_position(&line))
			return false;
	while (count < parser->part.event_count && scan_cost(&line, &costs[count]))
		count++;
	if (!text_is_blank(line))
		return false;
	if (is_inclusive || !count)
		return true;
	if (parser->function == CALLGRIND_NONE)
		return false;
	for (uint32_t i = 0; i < count; i++)
		parser->costs[i] = saturate_add(parser->costs[i], costs[i]);
	return true;
}

static bool read_line(struct parser *parser, struct text line, uint64_t offset)
{
	if (is_digit(*line.at) || memchr("+-*", *line.at, 3))
		return read_cost_line(parser, line);
	if (*line.at == '#')
		return true;
	parser->is_inclusive = false;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (text_has_prefix(line, lines[i].prefix))
			return lines[i].read(parser, text_from(line, strlen(lines[i].prefix)),
					     offset);
	return false;
}

static void read_lines(void *context, struct text_window *window)
{
	struct parser *parser = context;
	struct text line;

	while (text_next_line(&window->at, window->end, window->is_last, &line)) {
		uint64_t offset = text_offset(window, line.at);

		line = text_trim(line);
		if (line.length && !read_line(parser, line, offset))
			text_skip(&parser->file->skips, offset);
	}
}

void callgrind_file_init(struct callgrind_file *file)
{
	*file = (struct callgrind_file){ .pid = 0 };
	callgrind_stacks_init(&file->stacks);
	callgrind_costs_init(&file->costs);
}

void callgrind_file_deinit(struct callgrind_file *file)
{
	callgrind_stacks_deinit(&file->stacks);
	vec_free(&file->events);
	callgrind_costs_deinit(&file->costs);
}

static bool fail_without_costs(const struct parser *parser, struct error *err)
{
	if (parser->capture->is_partial)
		return error_set(
			err, ERROR_CORRUPT,
			"contains no costs, because it is truncated; copy or record it again");
	if (parser->is_of_valgrind)
		return error_set(err, ERROR_UNSUPPORTED,
				 "contains no costs; it is truncated, or callgrind collected none: "
				 "check its options --toggle-collect and --instr-atstart");
	return error_set(err, ERROR_UNSUPPORTED,
			 "contains no costs that callgrind of Valgrind wrote; use another "
			 "--input-format");
}

static bool check(const struct parser *parser, struct error *err)
{
	const struct callgrind_stacks *stacks = &parser->file->stacks;

	if (!parser->file->costs.rows.count)
		return fail_without_costs(parser, err);
	if (stacks->depth_max > 1 && stacks->has_callers)
		return true;
	if (!parser->is_of_valgrind)
		return error_set(
			err, ERROR_UNSUPPORTED,
			"contains costs of functions, but no stacks; kiln reads only files "
			"of callgrind with --separate-callers");
	return error_set(err, ERROR_UNSUPPORTED,
			 "is a callgrind.out of valgrind with costs of calls, but without stacks, "
			 "which kiln cannot read; record with `valgrind --tool=callgrind "
			 "--separate-callers=50` for stacks, or view it with KCachegrind or "
			 "callgrind_annotate");
}

static bool finish(struct parser *parser, struct error *err)
{
	struct callgrind_file *file = parser->file;

	end_part(parser, parser->capture->input.size_bytes);
	if (parser->numbers.is_too_large || !callgrind_stacks_finish(&file->stacks))
		return error_set(err, ERROR_LIMIT,
				 "its stacks have more functions than the limit of %u",
				 LIMIT_CALLGRIND_NODES);
	if (parser->has_two_processes)
		return error_set(err, ERROR_UNSUPPORTED,
				 "has the costs of several processes, because its lines pid: or "
				 "cmd: differ; use one callgrind file for each input");
	if (!check(parser, err))
		return false;
	file->cut_count = callgrind_costs_finish(&file->costs, &file->stacks);
	if (file->stacks.name_bytes >
	    LIMIT_CALLGRIND_FREE_NAME_BYTES +
		    LIMIT_CALLGRIND_NAME_BYTES_PER_BYTE * parser->capture->input.size_bytes)
		return error_set(err, ERROR_LIMIT,
				 "the names of its functions in all DSOs have more bytes than the "
				 "limit for a file of this size");
	return true;
}

bool callgrind_file_read(struct callgrind_file *file, struct capture *capture, struct error *err)
{
	struct parser parser = {
		.file = file,
		.capture = capture,
		.part.position_count = 1,
		.function = CALLGRIND_NONE,
		.callee = CALLGRIND_NONE,
	};
	bool good;

	callgrind_numbers_init(&parser.numbers, &file->stacks);
	good = text_read(capture, (struct slice){ .end = capture->input.size_bytes }, read_lines,
			 &parser, &file->skips, err);
	good = good && finish(&parser, err);
	callgrind_numbers_deinit(&parser.numbers);
	return good;
}
