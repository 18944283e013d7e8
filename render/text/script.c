/* SPDX-License-Identifier: MIT */
#include "render/text/script.h"

#include <inttypes.h>

#include "profile/frame_name.h"
#include "render/escape.h"

/* Bits of a record's misc field, with the letters that perf prints for them. */
#define MISC_CPU_MODE_MASK     7
#define NANOSECONDS_PER_SECOND ((uint64_t)1000000000)
#define MISC_COLUMNS           6

/* The branch type is in new_type instead. */
#define TYPE_EXTENDED 15

/* Indexed by PERF_BR_* and PERF_BR_NEW_* of linux/perf_event.h. */
static const char *const types[] = {
	"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
	"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
};

static const char *const new_types[] = {
	"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5",
};

static const char *const speculations[] = {
	NULL,
	"SPEC_WRONG_PATH",
	"NON_SPEC_CORRECT_PATH",
	"SPEC_CORRECT_PATH",
};

static const char *type_of(const struct event_branch *branch)
{
	if (branch->type == TYPE_EXTENDED)
		return branch->new_type < ARRAY_SIZE(new_types) ? new_types[branch->new_type] : "";
	return branch->type < ARRAY_SIZE(types) ? types[branch->type] : "";
}

static char prediction_of(const struct event_branch *branch)
{
	if (branch->is_predicted)
		return 'P';
	return branch->is_mispredicted ? 'M' : '-';
}

void script_write_branch(const struct event_branch *branch, struct sink *sink)
{
	sink_printf(sink, "0x%" PRIx64 "/0x%" PRIx64 "/%c/%c/%c/%" PRIu16 "/%s", branch->from,
		    branch->to, prediction_of(branch), branch->is_in_transaction ? 'X' : '-',
		    branch->is_abort ? 'A' : '-', branch->cycles, type_of(branch));
	if (branch->speculation && branch->speculation < ARRAY_SIZE(speculations))
		sink_printf(sink, "/%s", speculations[branch->speculation]);
}

static const struct {
	const char *name;
	unsigned field;
} field_names[] = {
	{ "comm", SCRIPT_COMM },
	{ "tid", SCRIPT_TID },
	{ "pid", SCRIPT_PID },
	{ "time", SCRIPT_TIME },
	{ "cpu", SCRIPT_CPU },
	{ "event", SCRIPT_EVENT },
	{ "ip", SCRIPT_IP },
	{ "sym", SCRIPT_SYM },
	{ "dso", SCRIPT_DSO },
	{ "addr", SCRIPT_ADDR },
	{ "symoff", SCRIPT_SYMOFF },
	{ "period", SCRIPT_PERIOD },
	{ "weight", SCRIPT_WEIGHT },
	{ "misc", SCRIPT_MISC },
	{ "data_src", SCRIPT_DATA_SRC },
	{ "phys_addr", SCRIPT_PHYS_ADDR },
	{ "brstack", SCRIPT_BRSTACK },
	{ "trace", SCRIPT_TRACE },
	{ "srcline", SCRIPT_SRCLINE },
	{ "tod", SCRIPT_TOD },
};

#define DEFAULT_FIELDS                                                                     \
	(SCRIPT_COMM | SCRIPT_PID | SCRIPT_TID | SCRIPT_CPU | SCRIPT_TIME | SCRIPT_EVENT | \
	 SCRIPT_IP | SCRIPT_SYM | SCRIPT_DSO)

static unsigned find_field(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(field_names); i++)
		if (strlen(field_names[i].name) == length &&
		    memcmp(field_names[i].name, name, length) == 0)
			return field_names[i].field;
	return 0;
}

bool script_parse_fields(const char *list, struct script_options *ret, struct error *err)
{
	ret->fields = DEFAULT_FIELDS;
	if (!list)
		return true;
	if (*list != '+' && *list != '-')
		ret->fields = 0;
	while (*list) {
		char change = *list == '+' || *list == '-' ? *list++ : '+';
		size_t length = strcspn(list, ",");
		unsigned field = find_field(list, length);

		if (!field)
			return error_set(err, ERROR_USAGE,
					 "--fields: unknown field \"%.*s\"; man kiln-script lists "
					 "the fields",
					 (int)length, list);
		if (change == '+')
			ret->fields |= field;
		else
			ret->fields &= ~field;
		list += length;
		if (*list == ',')
			list++;
	}
	return true;
}

void script_writer_init(struct script_writer *writer, struct profile *profile,
			const struct locations *locations, const struct script_options *options)
{
	*writer = (struct script_writer){
		.profile = profile,
		.locations = locations,
		.options = *options,
	};
	for (size_t i = 0; i < profile->events.count; i++) {
		size_t length = strings_get(profile->strings, profile->events.at[i].name).length;

		if (length > writer->event_width)
			writer->event_width = length;
	}
}

void script_writer_deinit(struct script_writer *writer)
{
	vec_free(&writer->module_names);
}

static void write_padding(struct sink *sink, size_t used, size_t width)
{
	for (; used < width; used++)
		sink_char(sink, ' ');
}

/* Writes a number like "%16lx": right-aligned, without prefix. */
static void write_hex(struct sink *sink, uint64_t value, size_t width)
{
	char digits[16];
	size_t at = sizeof(digits);

	do
		digits[--at] = "0123456789abcdef"[value & 15];
	while (value >>= 4);
	write_padding(sink, sizeof(digits) - at, width);
	sink_bytes(sink, digits + at, sizeof(digits) - at);
}

static void write_thread(const struct script_writer *writer, const struct event_sample *sample,
			 struct sink *sink)
{
	unsigned both = SCRIPT_PID | SCRIPT_TID;

	if ((writer->options.fields & both) == both)
		sink_printf(sink, "%5d/%-5d ", (int32_t)sample->pid, (int32_t)sample->tid);
	else if (writer->options.fields & SCRIPT_PID)
		sink_printf(sink, "%5d ", (int32_t)sample->pid);
	else if (writer->options.fields & SCRIPT_TID)
		sink_printf(sink, "%5d ", (int32_t)sample->tid);
}

static void write_misc(const struct event_sample *sample, struct sink *sink)
{
	static const char letters[] = "?KUHGg??";
	size_t width = MISC_COLUMNS - 1;

	sink_char(sink, letters[sample->misc & MISC_CPU_MODE_MASK]);
	while (width--)
		sink_char(sink, ' ');
}

static bool has(const struct script_sample *sample, uint64_t field)
{
	return sample->sample->present & field;
}

static void write_start(const struct script_writer *writer, const struct script_sample *sample,
			struct sink *sink)
{
	unsigned fields = writer->options.fields;
	bool has_ns = writer->options.has_ns;

	if (fields & SCRIPT_COMM) {
		bool has_frames = fields & SCRIPT_IP && has(sample, SAMPLE_HAS_CALLCHAIN);

		if (!has_frames)
			write_padding(sink, sample->comm.length, 16);
		escape_terminal(sink, sample->comm);
		sink_char(sink, ' ');
	}
	write_thread(writer, sample->sample, sink);
	if (fields & SCRIPT_CPU && has(sample, SAMPLE_HAS_CPU))
		sink_printf(sink, "[%03d] ", (int32_t)sample->sample->cpu);
	if (fields & SCRIPT_MISC)
		write_misc(sample->sample, sink);
	if (fields & SCRIPT_TOD && has(sample, SAMPLE_HAS_TIME)) {
		wall_clock_write(&writer->profile->clock, sample->time_ns, has_ns, sink);
		sink_char(sink, ' ');
	}
	if (fields & SCRIPT_TIME && has(sample, SAMPLE_HAS_TIME))
		sink_printf(sink, "%5" PRIu64 ".%0*" PRIu64 ": ",
			    sample->time_ns / NANOSECONDS_PER_SECOND, has_ns ? 9 : 6,
			    sample->time_ns % NANOSECONDS_PER_SECOND / (has_ns ? 1 : 1000));
}

static void write_values(const struct script_writer *writer, const struct script_sample *sample,
			 struct sink *sink)
{
	const struct event_sample *values = sample->sample;
	unsigned fields = writer->options.fields;

	if (fields & SCRIPT_PERIOD)
		sink_printf(sink, "%10" PRIu64 " ", values->period);
	if (fields & SCRIPT_EVENT) {
		struct text name = strings_get(writer->profile->strings, sample->event->name);

		write_padding(sink, name.length, writer->event_width);
		escape_terminal(sink, name);
		sink_puts(sink, ": ");
	}
	if (fields & SCRIPT_TRACE && sample->trace.length)
		escape_terminal(sink, sample->trace);
	if (fields & SCRIPT_ADDR && has(sample, SAMPLE_HAS_ADDRESS))
		write_hex(sink, values->address, 16);
	if (fields & SCRIPT_DATA_SRC && has(sample, SAMPLE_HAS_DATA_SOURCE))
		sink_printf(sink, "%16" PRIx64, values->data_source);
	if (fields & SCRIPT_WEIGHT && has(sample, SAMPLE_HAS_WEIGHT | SAMPLE_HAS_WEIGHT_STRUCT))
		sink_printf(sink, "%16" PRIu64, values->weight);
}

static struct text module_name(struct script_writer *writer, module_id id)
{
	struct strings *strings = writer->profile->strings;
	str_id *known;

	while (writer->module_names.count <= id.i)
		vec_push(&writer->module_names, STR_EMPTY);
	known = &writer->module_names.at[id.i];
	if (known->i == STR_EMPTY.i)
		*known = frame_name_of_module(strings, modules_get(writer->profile->modules, id));
	return strings_get(strings, *known);
}

static void write_symbol(const struct script_writer *writer, const struct location *location,
			 struct sink *sink)
{
	sink_char(sink, ' ');
	if (!location->is_named) {
		sink_puts(sink, "[unknown]");
		return;
	}
	escape_terminal(sink, strings_get(writer->profile->strings, location->name));
	if (writer->options.fields & SCRIPT_SYMOFF) {
		sink_puts(sink, "+0x");
		write_hex(sink, location->address - location->symbol_start, 0);
	}
}

/* Writes the source line on a separate line, after the frame. */
static void write_source_line(const struct script_writer *writer, const struct source_line *at,
			      struct sink *sink)
{
	if (!(writer->options.fields & SCRIPT_SRCLINE))
		return;
	sink_puts(sink, "\n  ");
	if (at->line)
		escape_terminal(sink,
				text_basename(strings_get(writer->profile->strings, at->file)));
	else
		sink_puts(sink, "??");
	sink_printf(sink, ":%" PRIu32, at->line);
}

static void write_location(struct script_writer *writer, const struct location *location,
			   uint64_t address, struct sink *sink)
{
	write_hex(sink, address, 16);
	if (writer->options.fields & SCRIPT_SYM)
		write_symbol(writer, location, sink);
	if (writer->options.fields & SCRIPT_DSO) {
		sink_puts(sink, " (");
		escape_terminal(sink, module_name(writer, location->module));
		sink_char(sink, ')');
	}
	write_source_line(writer, &location->at, sink);
}

/* Writes the functions inlined at an address, innermost first, without a DSO. */
static void write_inlined(struct script_writer *writer, const struct location *location,
			  uint32_t number, struct sink *sink)
{
	const struct inlined *inlined =
		&writer->locations->inlined.at[location->inlined_first + number];

	sink_char(sink, '\t');
	write_hex(sink, location->address, 16);
	if (writer->options.fields & SCRIPT_SYM) {
		sink_char(sink, ' ');
		escape_terminal(sink, strings_get(writer->profile->strings, inlined->name));
	}
	write_source_line(writer, &inlined->at, sink);
	sink_puts(sink, " (inlined)\n");
}

static void write_frames(struct script_writer *writer, const struct script_sample *sample,
			 struct sink *sink)
{
	sink_char(sink, '\n');
	for (size_t i = 0; i < sample->frame_count; i++) {
		size_t k = writer->options.is_inverted ? sample->frame_count - 1 - i : i;
		const struct location *location = &writer->locations->rows.at[sample->frames[k].i];

		uint32_t count = location->inlined_count;

		for (uint32_t j = count; j-- > 0 && !writer->options.is_inverted;)
			write_inlined(writer, location, j, sink);
		sink_char(sink, '\t');
		write_location(writer, location, location->address, sink);
		sink_char(sink, '\n');
		for (uint32_t j = 0; j < count && writer->options.is_inverted; j++)
			write_inlined(writer, location, j, sink);
	}
}

static void write_branches(const struct event_sample *sample, struct sink *sink)
{
	for (uint32_t i = 0; i < sample->branch_count; i++) {
		sink_char(sink, ' ');
		script_write_branch(&sample->branches[i], sink);
		sink_char(sink, ' ');
	}
}

void script_write(struct script_writer *writer, const struct script_sample *sample,
		  struct sink *sink)
{
	write_start(writer, sample, sink);
	write_values(writer, sample, sink);
	if (writer->options.fields & SCRIPT_IP && has(sample, SAMPLE_HAS_CALLCHAIN)) {
		write_frames(writer, sample, sink);
	} else if (writer->options.fields & SCRIPT_IP && sample->frame_count) {
		sink_char(sink, ' ');
		/* perf prints a single address as recorded, but the addresses of a callchain as
		 * offsets into files. */
		write_location(writer, &writer->locations->rows.at[sample->frames[0].i],
			       sample->sample->ip, sink);
	}
	if (writer->options.fields & SCRIPT_BRSTACK)
		write_branches(sample->sample, sink);
	if (writer->options.fields & SCRIPT_PHYS_ADDR && has(sample, SAMPLE_HAS_PHYSICAL_ADDRESS))
		write_hex(sink, sample->sample->physical_address, 16);
	sink_char(sink, '\n');
}
