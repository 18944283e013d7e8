/* SPDX-License-Identifier: MIT */
#include "libparse/spooled.h"

#include "base/arithmetic.h"
#include "libparse/text.h"

/* Maximum number of bytes of assembled stacks for each byte of input. */
#define LIMIT_SPOOLED_RATIO 1024u
/*
 * Bytes of assembled stacks that are allowed for any input, beyond those that LIMIT_SPOOLED_RATIO
 * allows.
 */
#define LIMIT_SPOOLED_FREE_BYTES (64u << 20)

#define CHUNK_BYTES ((size_t)1 << 20)

void spooled_init(struct spooled *stacks, const struct input *input)
{
	*stacks = (struct spooled){
		.unit = UNIT_SAMPLES,
		.spool = { .fd = -1 },
		.space = input->space,
		.limit_bytes = LIMIT_SPOOLED_FREE_BYTES + LIMIT_SPOOLED_RATIO * input->size_bytes,
	};
	strings_init(&stacks->strings);
	sink_init_memory(&stacks->lines);
}

void spooled_deinit(struct spooled *stacks)
{
	strings_deinit(&stacks->strings);
	sink_deinit(&stacks->lines);
	input_close(&stacks->spool);
	vec_free(&stacks->frames);
	vec_free(&stacks->path);
	vec_free(&stacks->functions);
	vec_free(&stacks->names);
}

uint32_t spooled_intern_frame(struct spooled *stacks, struct text name)
{
	str_id id = strings_intern(&stacks->strings, name.length ? name.at : "", name.length);

	while (stacks->frames.count < stacks->strings.rows.count) {
		str_id next = { (uint32_t)stacks->frames.count };

		vec_push(&stacks->frames,
			 (struct spooled_frame){ .name = next, .kind = SPOOLED_KIND_COUNT });
	}
	return id.i;
}

/* Moves the lines to the temporary file. After an error, lines are dropped. */
static void write_lines(struct spooled *stacks)
{
	struct error *err = &stacks->err;

	if (!stacks->has_failed && stacks->spool.fd < 0)
		stacks->has_failed = !input_create_spool(&stacks->spool, stacks->space, err);
	if (!stacks->has_failed)
		stacks->has_failed = !input_append_spool(&stacks->spool, stacks->lines.buffer,
							 stacks->lines.used, err);
	if (!stacks->has_failed && stacks->spool.size_bytes > stacks->limit_bytes)
		stacks->has_failed = !error_set(
			err, ERROR_LIMIT,
			"its stacks need more temporary space than kiln allows for a file of this "
			"size; use the capture that the file was made from");
	stacks->lines.used = 0;
}

/* Writes a weight, and the sum of the weights of earlier rows. */
static void write_weight(struct sink *sink, uint64_t weight, uint64_t *sum)
{
	sink_u64(sink, weight);
	sink_char(sink, ' ');
	sink_u64(sink, *sum);
	sink_char(sink, ' ');
	*sum = saturate_add(*sum, weight);
}

static void write_line(struct spooled *stacks, struct spooled_weight self)
{
	struct sink *sink = &stacks->lines;

	write_weight(sink, self.after, &stacks->sum.after);
	if (stacks->has_two_sides)
		write_weight(sink, self.before, &stacks->sum.before);
	for (size_t i = 0; i < stacks->path.count; i++) {
		if (i)
			sink_char(sink, ',');
		sink_u64(sink, stacks->path.at[i]);
	}
	sink_char(sink, '\n');
	if (sink->used >= CHUNK_BYTES)
		write_lines(stacks);
}

bool spooled_push(struct spooled *stacks, const struct spooled_row *row)
{
	if (!row->depth || row->depth > stacks->path.count + 1 ||
	    row->depth > LIMIT_SPOOLED_DEPTH || row->frame >= stacks->frames.count)
		return false;
	stacks->path.count = row->depth - 1;
	vec_push(&stacks->path, row->frame);
	if ((row->self.after || row->self.before) && !stacks->has_failed)
		write_line(stacks, row->self);
	return true;
}

static const char *find_line(const char *from, const char *end)
{
	(void)end;
	return from;
}

bool spooled_replace(struct spooled *stacks, struct capture *capture, struct error *err)
{
	struct input old = capture->input;

	write_lines(stacks);
	if (stacks->has_failed) {
		*err = stacks->err;
		return false;
	}
	sink_deinit(&stacks->lines);
	vec_free(&stacks->path);
	/* Keep the name and the time of the original input. */
	capture->input = stacks->spool;
	capture->input.name = old.name;
	capture->input.written_time_ns = old.written_time_ns;
	old.name = stacks->spool.name;
	stacks->spool = (struct input){ .fd = -1 };
	input_close(&old);
	return text_cut(capture, find_line, err);
}

struct spooled_parser {
	const struct event_sink *sink;
	const struct spooled *stacks;
	VEC(struct text) frames;
	uint64_t offset;
};

/* kiln wrote these lines itself, so they need no validation. */
static uint64_t read_number(const char **at, const char *end)
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
	uint64_t index = read_number(&at, at + number.length);

	return index < stacks->frames.count
		       ? strings_get(&stacks->strings, stacks->frames.at[index].name)
		       : text_of("");
}

/*
 * Returns the samples of a row, in proportion to its weight. sum: the sum of the weights of earlier
 * rows. Rounding errors carry over to the next row, so that the sum of all rows is exact.
 */
static uint64_t deal(uint64_t samples, uint64_t total, uint64_t sum, uint64_t weight)
{
	uint64_t end = saturate_add(sum, weight);

	if (!samples || !total)
		return weight > 0;
	return ratio_of(samples, end, total).quotient - ratio_of(samples, sum, total).quotient;
}

static void split(struct spooled_parser *parser, const char *at, const char *end)
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

static void send(struct spooled_parser *parser, struct text event, uint64_t weight,
		 uint64_t samples)
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
	struct event sample_event = { .kind = EVENT_SAMPLE, .offset = parser->offset };

	sample_event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN,
		.period = weight,
		.text = &text,
	};
	event_send(parser->sink, &sample_event);
}

static void read_line(struct spooled_parser *parser, struct text line)
{
	const struct spooled *stacks = parser->stacks;
	const char *at = line.at;
	const char *end = at + line.length;
	struct spooled_weight weight = { 0 };
	struct spooled_weight samples = { 0 };

	weight.after = read_number(&at, end);
	samples.after =
		deal(stacks->samples.after, stacks->sum.after, read_number(&at, end), weight.after);
	if (stacks->has_two_sides) {
		weight.before = read_number(&at, end);
		samples.before = deal(stacks->samples.before, stacks->sum.before,
				      read_number(&at, end), weight.before);
	}
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

static void read_lines(void *context, struct text_window *window)
{
	struct spooled_parser *parser = context;
	const char *next = window->at;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		parser->offset = text_offset(window, line.at);
		read_line(parser, line);
		window->at = next;
	}
}

bool spooled_read_samples(const struct capture *capture, struct slice slice,
			  const struct event_sink *sink, struct error *err)
{
	struct spooled_parser parser = { .sink = sink, .stacks = capture->reader };
	struct text_skips skips = { 0 };
	bool good = text_read(capture, slice, read_lines, &parser, &skips, err);

	vec_free(&parser.frames);
	return good;
}

/*
 * Whether the name only repeats the module, because the symbol is unknown: "[libc.so.6]" in
 * /lib/libc.so.6.
 */
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

void spooled_read_frame(const void *reader, struct text raw, event_frame_callback *callback,
			void *context)
{
	const struct spooled *stacks = reader;
	const char *at = raw.at;
	uint64_t index = read_number(&at, at + raw.length);
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
	callback(context, &frame);
}

/* Sends the functions of one side of a comparison. */
static void send_functions(const struct spooled *stacks, bool is_before, struct text event,
			   event_function_callback *callback, void *context)
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
			callback(context, &function);
	}
	for (size_t i = 0; i < stacks->names.count; i++) {
		const struct spooled_name *row = &stacks->names.at[i];
		struct event_function_total function = {
			.event = event,
			.name = strings_get(&stacks->strings, row->name),
			.total = is_before ? row->total.before : row->total.after,
		};

		callback(context, &function);
	}
}

void spooled_read_functions(const struct capture *capture, event_function_callback *callback,
			    void *context)
{
	const struct spooled *stacks = capture->reader;

	if (!stacks->has_two_sides) {
		send_functions(stacks, false, strings_get(&stacks->strings, stacks->event),
			       callback, context);
		return;
	}
	send_functions(stacks, false, text_of("after"), callback, context);
	send_functions(stacks, true, text_of("before"), callback, context);
}
