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

void spooled_init(struct spooled *stacks)
{
	*stacks = (struct spooled){ .unit = UNIT_SAMPLES };
	strings_init(&stacks->strings);
}

void spooled_deinit(struct spooled *stacks)
{
	strings_deinit(&stacks->strings);
	vec_free(&stacks->frames);
	vec_free(&stacks->rows);
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

bool spooled_push(struct spooled *stacks, const struct spooled_row *row)
{
	uint32_t before = stacks->rows.count ? stacks->rows.at[stacks->rows.count - 1].depth : 0;

	if (!row->depth || row->depth > before + 1 || row->depth > LIMIT_SPOOLED_DEPTH ||
	    row->frame >= stacks->frames.count)
		return false;
	vec_push(&stacks->rows, *row);
	return true;
}

/* Distributes samples over rows in proportion to their weights. Rounding errors carry over to
 * the next row, so the sum is exact. */
struct dealing {
	uint64_t samples, weight; /* totals */
	uint64_t dealt, done;     /* sums over the rows so far */
};

static uint64_t deal(struct dealing *dealing, uint64_t weight)
{
	uint64_t until;
	uint64_t dealt;

	if (!dealing->samples || !dealing->weight)
		return weight > 0;
	dealing->done = saturate_add(dealing->done, weight);
	until = ratio_of(dealing->samples, dealing->done, dealing->weight).quotient;
	dealt = until - dealing->dealt;
	dealing->dealt = until;
	return dealt;
}

static void write_line(const struct spooled_row *row, struct spooled_weight samples,
		       const uint32_t *path, struct sink *sink)
{
	const uint64_t numbers[] = { row->self.after, samples.after, row->self.before,
				     samples.before };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		sink_u64(sink, numbers[i]);
		sink_char(sink, ' ');
	}
	for (uint32_t i = 0; i < row->depth; i++) {
		if (i)
			sink_char(sink, ',');
		sink_u64(sink, path[i]);
	}
	sink_char(sink, '\n');
}

static bool write_chunk(struct sink *sink, struct input *spool, uint64_t limit_bytes,
			struct error *err)
{
	if (!input_append_spool(spool, sink->buffer, sink->used, err))
		return false;
	sink->used = 0;
	return spool->size_bytes <= limit_bytes ||
	       error_set(err, ERROR_LIMIT,
			 "its stacks take more temporary space than the limit "
			 "for a file of this size; use the capture that the file was made from");
}

static bool write_rows(const struct spooled *stacks, struct sink *sink, struct input *spool,
		       uint64_t limit_bytes, struct error *err)
{
	uint32_t *path;
	uint32_t depth_max = 0;
	struct dealing after = { .samples = stacks->samples.after };
	struct dealing before = { .samples = stacks->samples.before };
	bool good = true;

	for (size_t i = 0; i < stacks->rows.count; i++) {
		after.weight = saturate_add(after.weight, stacks->rows.at[i].self.after);
		before.weight = saturate_add(before.weight, stacks->rows.at[i].self.before);
		if (stacks->rows.at[i].depth > depth_max)
			depth_max = stacks->rows.at[i].depth;
	}
	path = memory_alloc(depth_max, sizeof(*path));
	for (size_t i = 0; good && i < stacks->rows.count; i++) {
		const struct spooled_row *row = &stacks->rows.at[i];

		path[row->depth - 1] = row->frame;
		if (!row->self.after && !row->self.before)
			continue;
		write_line(row,
			   (struct spooled_weight){ deal(&after, row->self.after),
						    deal(&before, row->self.before) },
			   path, sink);
		if (sink->used >= CHUNK_BYTES)
			good = write_chunk(sink, spool, limit_bytes, err);
	}
	memory_free(path);
	return good && write_chunk(sink, spool, limit_bytes, err);
}

static bool write_spool(const struct spooled *stacks, struct input *spool,
			struct temporary_space *space, uint64_t limit_bytes, struct error *err)
{
	struct sink sink;
	bool good;

	sink_init_memory(&sink);
	good = input_create_spool(spool, space, err) &&
	       write_rows(stacks, &sink, spool, limit_bytes, err);
	sink_deinit(&sink);
	return good;
}

static const char *find_line(const char *from, const char *end)
{
	(void)end;
	return from;
}

bool spooled_replace(struct spooled *stacks, struct capture *capture, struct error *err)
{
	struct input spool = { .fd = -1 };
	struct input old = capture->input;
	uint64_t limit_bytes = LIMIT_SPOOLED_FREE_BYTES + LIMIT_SPOOLED_RATIO * old.size_bytes;

	if (!write_spool(stacks, &spool, old.space, limit_bytes, err)) {
		input_close(&spool);
		return false;
	}
	vec_free(&stacks->rows);
	/* Keep the name and the time of the original input. */
	capture->input = spool;
	capture->input.name = old.name;
	capture->input.written_time_ns = old.written_time_ns;
	old.name = spool.name;
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
	struct spooled_weight weight;
	struct spooled_weight samples;

	weight.after = read_number(&at, end);
	samples.after = read_number(&at, end);
	weight.before = read_number(&at, end);
	samples.before = read_number(&at, end);
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
