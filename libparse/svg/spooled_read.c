/* SPDX-License-Identifier: MIT */
#include "libparse/svg/spooled.h"

#include "libparse/text.h"

struct parser {
	const struct event_sink *sink;
	const struct spooled *stacks;
	VEC(struct text) frames;
	uint64_t offset;
};

/* Lines are our own, so nothing is asked of them but that they end. */
static uint64_t take_number(const char **at, const char *end)
{
	uint64_t value = 0;

	while (*at < end && **at >= '0' && **at <= '9')
		value = value * 10 + (uint64_t)(*(*at)++ - '0');
	if (*at < end)
		(*at)++;
	return value;
}

static struct text frame_name(const struct spooled *stacks, struct text number)
{
	const char *at = number.at;
	uint64_t index = take_number(&at, at + number.length);

	return index < stacks->frames.count
		       ? strings_get(&stacks->strings, stacks->frames.at[index].name)
		       : text_of("");
}

static void split(struct parser *parser, const char *at, const char *end)
{
	parser->frames.count = 0;
	while (at < end) {
		const char *stop = memchr(at, ',', (size_t)(end - at));

		if (!stop)
			stop = end;
		vec_push(&parser->frames, (struct text){ at, (uint32_t)(stop - at) });
		at = stop + (stop < end);
	}
}

static void send(struct parser *parser, struct text event, uint64_t weight, uint64_t samples)
{
	struct event_text_sample text = {
		.comm = frame_name(parser->stacks, parser->frames.at[0]),
		.event = event,
		.unit = parser->stacks->unit,
		.sample_count = parser->stacks->unit == UNIT_SAMPLES ? weight : samples,
		.frames = parser->frames.at + 1,
		.frame_count = (uint32_t)parser->frames.count - 1,
		.is_outermost_first = true,
	};
	struct event told = { .kind = EVENT_SAMPLE, .offset = parser->offset };

	told.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN,
		.period = weight,
		.text = &text,
	};
	event_send(parser->sink, &told);
}

static void take_line(struct parser *parser, struct text line)
{
	const struct spooled *stacks = parser->stacks;
	const char *at = line.at;
	const char *end = at + line.length;
	struct spooled_weight weight;
	struct spooled_weight samples;

	weight.after = take_number(&at, end);
	samples.after = take_number(&at, end);
	weight.before = take_number(&at, end);
	samples.before = take_number(&at, end);
	split(parser, at, end);
	if (!parser->frames.count)
		return;
	if (!stacks->has_two_sides) {
		send(parser, strings_get(&stacks->strings, stacks->event), weight.after,
		     samples.after);
		return;
	}
	send(parser, text_of("after"), weight.after, samples.after);
	send(parser, text_of("before"), weight.before, samples.before);
}

static void take_lines(void *context, struct text_window *window)
{
	struct parser *parser = context;
	const char *next = window->at;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		parser->offset = text_offset(window, line.at);
		take_line(parser, line);
		window->at = next;
	}
}

bool spooled_read_samples(const struct capture *capture, struct slice slice,
			  const struct event_sink *sink, struct error *err)
{
	struct parser parser = { .sink = sink, .stacks = capture->reader };
	struct text_skips skips = { 0 };
	bool good = text_read(capture, slice, take_lines, &parser, &skips, err);

	vec_free(&parser.frames);
	return good;
}

/* "[libc.so.6]" of /lib/libc.so.6, "[ext4]" of itself: the name stands for one that is not known. */
static bool is_unnamed(struct text name, struct text module)
{
	struct text base = text_basename(module);

	if (text_is(name, "[unknown]"))
		return true;
	if (base.length && base.at[0] == '[')
		return text_equal(name, base);
	return base.length && name.length == base.length + 2 && name.at[0] == '[' &&
	       name.at[name.length - 1] == ']' &&
	       text_equal((struct text){ name.at + 1, base.length }, base);
}

void spooled_read_frame(const void *reader, struct text raw, event_frame_callback *take,
			void *context)
{
	const struct spooled *stacks = reader;
	const char *at = raw.at;
	uint64_t index = take_number(&at, at + raw.length);
	struct spooled_frame row = { .kind = SPOOLED_MARK };
	struct event_frame frame = { .name = { "", 0 }, .module = { "", 0 } };

	if (index < stacks->frames.count)
		row = stacks->frames.at[index];
	frame.name = strings_get(&stacks->strings, row.name);
	frame.module = strings_get(&stacks->strings, row.module);
	frame.is_exact = frame.name.length && !is_unnamed(frame.name, frame.module);
	if (!frame.is_exact)
		frame.name = text_of("");
	frame.is_group = row.kind == SPOOLED_GROUP;
	frame.is_mark = row.kind == SPOOLED_MARK;
	frame.is_kernel = row.kind == SPOOLED_KERNEL || text_has_suffix(frame.name, "_[k]");
	frame.is_inlined = row.kind == SPOOLED_INLINED || text_has_suffix(frame.name, "_[i]");
	frame.is_jit = row.kind == SPOOLED_JIT || text_has_suffix(frame.name, "_[j]");
	take(context, &frame);
}

/* Tells of one side; the numbers of the other are beside its own. */
static void tell_functions(const struct spooled *stacks, bool is_before, struct text event,
			   event_function_callback *take, void *context)
{
	char number[24];

	for (size_t i = 0; i < stacks->functions.count && i < stacks->frames.count; i++) {
		const struct spooled_function *row = &stacks->functions.at[i];
		struct event_function_total function = {
			.event = event,
			.self = is_before ? row->self.before : row->self.after,
			.total = is_before ? row->total.before : row->total.after,
		};

		snprintf(number, sizeof(number), "%zu", i);
		function.frame = text_of(number);
		if (function.total)
			take(context, &function);
	}
	for (size_t i = 0; i < stacks->names.count; i++) {
		const struct spooled_name *row = &stacks->names.at[i];
		struct event_function_total function = {
			.event = event,
			.name = strings_get(&stacks->strings, row->name),
			.total = is_before ? row->total.before : row->total.after,
		};

		take(context, &function);
	}
}

void spooled_read_functions(const struct capture *capture, event_function_callback *take,
			    void *context)
{
	const struct spooled *stacks = capture->reader;

	if (!stacks->has_two_sides) {
		tell_functions(stacks, false, strings_get(&stacks->strings, stacks->event), take,
			       context);
		return;
	}
	tell_functions(stacks, false, text_of("after"), take, context);
	tell_functions(stacks, true, text_of("before"), take, context);
}
