/* SPDX-License-Identifier: MIT */
#include "profile/tree/flamegraph_tree.h"

#include "base/arithmetic.h"
#include "base/sink.h"
#include "libparse/folded/folded_line.h"
#include "libparse/text.h"
#include "profile/tree/stack_transform.h"
#include "profile/tree/stack_tree.h"

#define CHUNK_BYTES ((size_t)1 << 20)
#define NO_FRAME    UINT32_MAX
/* Counts with decimals are in millionths. */
#define MILLION 1000000u

/* key: the first 8 bytes of the line, which decide nearly all comparisons. */
struct sorted_line {
	uint64_t key;
	struct text text;
};

struct flamegraph_line {
	struct text stack;
	uint64_t before, count;
	bool has_before;
};

struct flamegraph_builder {
	const struct flamegraph_tree_options *options;
	struct flamegraph_tree *result;
	VEC(char *) blocks; /* the bytes of the inputs */
	struct arena reversed;
	VEC(struct sorted_line) lines;
	uint32_t decimals;
	struct stack_tree_chart tree;
	VEC(uint32_t) frame_of_name; /* by str_id */
	VEC(bool) is_base;           /* by frame */
	VEC(uint32_t) frames;        /* frames of the current line */
	struct sink name;            /* scratch */
};

static uint64_t key_of(struct text text)
{
	uint64_t key = 0;

	for (uint32_t i = 0; i < 8; i++)
		key = key << 8 | (i < text.length ? (unsigned char)text.at[i] : 0);
	return key;
}

static int compare_lines(const void *a, const void *b)
{
	const struct sorted_line *left = a;
	const struct sorted_line *right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return text_compare(left->text, right->text);
}

/* Removes a count from the end of a line, and one blank before it. */
static bool take_count(struct text *line, uint32_t decimals, struct folded_number *ret)
{
	struct text rest = *line;

	if (!folded_line_take_number(&rest, decimals, ret))
		return false;
	line->length -= ret->length + 1;
	return true;
}

static bool parse_line(const struct flamegraph_builder *builder, struct text text,
		       uint32_t decimals, struct flamegraph_line *ret, bool *has_decimals_ret)
{
	bool is_inferno = builder->options->is_inferno;
	struct folded_number last;
	struct folded_number first;

	*ret = (struct flamegraph_line){ .has_before = false };
	if (!take_count(&text, decimals, &last))
		return false;
	*has_decimals_ret = last.decimals != 0;
	ret->count = last.value;
	ret->stack = text = is_inferno ? text_trim(text) : text;
	if (take_count(&text, decimals, &first)) {
		*has_decimals_ret |= first.decimals != 0;
		ret->has_before = true;
		ret->before = first.value;
		ret->stack = is_inferno ? text_trim(text) : text;
	}
	return ret->stack.length || !is_inferno;
}

/* Perl's split drops empty frames at the end. */
static struct text without_empty_end(const struct flamegraph_builder *builder, struct text stack)
{
	while (!builder->options->is_inferno && stack.length && stack.at[stack.length - 1] == ';')
		stack.length--;
	return stack;
}

/* Returns the line with its stack reversed, in the arena. */
static struct text reverse_line(struct flamegraph_builder *builder, struct text line)
{
	struct flamegraph_line parsed;
	bool ignored;
	struct text stack;
	char *to;
	uint32_t at = 0;

	if (!parse_line(builder, line, 0, &parsed, &ignored))
		return line;
	stack = without_empty_end(builder, parsed.stack);
	to = arena_alloc(&builder->reversed, line.length, 1);
	while (stack.length) {
		const char *semicolon = memrchr(stack.at, ';', stack.length);
		uint32_t begin = semicolon ? (uint32_t)(semicolon + 1 - stack.at) : 0;

		memcpy(to + at, stack.at + begin, stack.length - begin);
		at += stack.length - begin;
		if (semicolon)
			to[at++] = ';';
		stack.length = semicolon ? begin - 1 : 0;
	}
	memcpy(to + at, line.at + parsed.stack.length, line.length - parsed.stack.length);
	line = (struct text){ to, at + line.length - parsed.stack.length };
	return builder->options->is_inferno ? text_trim(line) : line;
}

static bool has_bases(const struct flamegraph_tree_options *options)
{
	return options->bases && options->bases->count;
}

/*
 * Starts the line at the innermost base, as inferno does. Neither the first frame nor the last
 * frame, which still includes the count, can be a base. Returns false if there is no base.
 */
static bool cut_line_to_base(const struct flamegraph_tree_options *options, struct text *line)
{
	const char *semicolon = NULL;
	struct text rest = *line;

	while (has_bases(options) && (semicolon = memrchr(rest.at, ';', rest.length))) {
		uint32_t begin = (uint32_t)(semicolon + 1 - rest.at);

		if (name_patterns_fit(options->bases,
				      (struct text){ rest.at + begin, rest.length - begin })) {
			*line = (struct text){ line->at + begin, line->length - begin };
			return true;
		}
		rest.length = begin - 1;
	}
	return !has_bases(options);
}

static void add_line(struct flamegraph_builder *builder, struct text text)
{
	const struct flamegraph_tree_options *options = builder->options;
	struct flamegraph_line parsed;
	bool has_decimals;

	if (options->is_inferno)
		text = text_trim(text);
	if (options->skips_comments) {
		while (text.length && strchr(" \t\r", text.at[text.length - 1]))
			text.length--;
		if (!text.length || text_has_prefix(text, "# "))
			return;
	}
	if (!parse_line(builder, text, 0, &parsed, &has_decimals)) {
		builder->result->ignored_count++;
		return;
	}
	if (has_decimals && options->is_inferno)
		builder->result->cut_count++;
	else if (has_decimals)
		builder->decimals = FOLDED_DECIMALS;
	if (options->is_reversed)
		text = reverse_line(builder, text);
	else if (options->is_inferno && !options->keeps_order && !cut_line_to_base(options, &text))
		return;
	vec_push(&builder->lines, (struct sorted_line){ key_of(text), text });
}

static void add_lines(struct flamegraph_builder *builder, const char *at, const char *end)
{
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((stop ? stop : end) - at);

		if (length < UINT32_MAX)
			add_line(builder, (struct text){ at, (uint32_t)length });
		else
			builder->result->ignored_count++;
		at += length + (stop != NULL);
	}
}

static bool read_input(struct flamegraph_builder *builder, const struct input *input,
		       struct error *err)
{
	VEC(char) bytes = { 0 };
	size_t got = CHUNK_BYTES;
	bool good = true;

	while (good && got == CHUNK_BYTES) {
		vec_reserve(&bytes, bytes.count + CHUNK_BYTES);
		good = input_read(input, bytes.count, bytes.at + bytes.count, CHUNK_BYTES, &got,
				  err);
		bytes.count += good ? got : 0;
	}
	vec_push(&builder->blocks, bytes.at);
	if (good)
		add_lines(builder, bytes.at, bytes.at + bytes.count);
	return good;
}

static enum frame_kind kind_of(struct text name)
{
	if (text_has_suffix(name, "_[k]"))
		return FRAME_KERNEL;
	if (text_has_suffix(name, "_[i]"))
		return FRAME_INLINED;
	return text_has_suffix(name, "_[j]") ? FRAME_JIT : FRAME_USER;
}

static void push_frame(struct flamegraph_builder *builder, struct text name)
{
	struct profile *profile = &builder->result->profile;
	str_id id = strings_intern(profile->strings, name.at, name.length);

	while (builder->frame_of_name.count <= id.i)
		vec_push(&builder->frame_of_name, NO_FRAME);
	if (builder->frame_of_name.at[id.i] == NO_FRAME) {
		builder->frame_of_name.at[id.i] = (uint32_t)profile->frames.count;
		vec_push(&profile->frames,
			 (struct frame){ .name = id, .kind = kind_of(name), .is_named = true });
		vec_push(&builder->is_base,
			 has_bases(builder->options) &&
				 name_patterns_fit(builder->options->bases, name));
	}
	vec_push(&builder->frames, builder->frame_of_name.at[id.i]);
}

static void push_waker(struct flamegraph_builder *builder, struct text name)
{
	builder->name.used = 0;
	sink_text(&builder->name, name);
	sink_puts(&builder->name, "_[w]");
	push_frame(builder, sink_memory(&builder->name));
}

/* Splits a stack into frames. With marks_wakers, stacks after the first "--" belong to wakers. */
static void split(struct flamegraph_builder *builder, struct text stack)
{
	bool is_waker = false;
	bool is_first = true;
	bool is_done;

	builder->frames.count = 0;
	/* If marks_wakers is set, "--" may be appended; empty frames are then no longer at the
	 * end. */
	if (!builder->options->marks_wakers)
		stack = without_empty_end(builder, stack);
	for (is_done = stack.length == 0; !is_done;) {
		const char *semicolon = memchr(stack.at, ';', stack.length);
		struct text name = { stack.at,
				     semicolon ? (uint32_t)(semicolon - stack.at) : stack.length };
		bool is_between = !is_first && semicolon && text_is(name, "--");

		if (is_waker && !is_between)
			push_waker(builder, name);
		else
			push_frame(builder, name);
		is_waker |= builder->options->marks_wakers && is_between;
		is_first = false;
		is_done = !semicolon;
		stack.length -= name.length + (semicolon != NULL);
		stack.at = semicolon ? semicolon + 1 : stack.at;
	}
	/* flamegraph.pl also adds "--" to stacks without a waker. */
	if (builder->options->marks_wakers && !is_waker)
		push_frame(builder, text_of("--"));
}

/* Starts the stack at the outermost base. Returns false if there is no base. */
static bool cut_to_base(struct flamegraph_builder *builder)
{
	const struct stack_transform transform = { .is_base = builder->is_base.at };
	uint32_t count = (uint32_t)builder->frames.count;

	if (builder->options->is_inferno || !has_bases(builder->options))
		return true;
	if (!stack_transform_apply(&transform, builder->frames.at, &count, 0))
		return false;
	builder->frames.count = count;
	return true;
}

/* Adds the new rows of a line. If the leaf is new, it gets the difference of the two counts. */
static void add_stack(struct flamegraph_builder *builder, const struct flamegraph_line *line)
{
	struct profile *profile = &builder->result->profile;
	size_t first = profile->deltas.count;

	stack_tree_chart_add(&builder->tree, builder->frames.at, (uint32_t)builder->frames.count,
			     line->count);
	while (profile->deltas.count < profile->stacks.count)
		vec_push(&profile->deltas, (struct delta){ .is_known = line->has_before });
	if (profile->deltas.count > first && line->has_before)
		profile->deltas.at[profile->deltas.count - 1].value =
			(int64_t)(line->count - line->before);
}

/* Drops the decimals, because inferno does not round. */
static void cut_decimals(struct flamegraph_line *line)
{
	line->count /= MILLION;
	line->before /= MILLION;
}

static void note_delta(struct flamegraph_tree *result, const struct flamegraph_line *line)
{
	uint64_t delta = line->count > line->before ? line->count - line->before
						    : line->before - line->count;

	if (delta > result->profile.largest_delta)
		result->profile.largest_delta = delta;
}

static void build(struct flamegraph_builder *builder)
{
	const struct flamegraph_tree_options *options = builder->options;
	struct flamegraph_tree *result = builder->result;
	uint32_t decimals = options->is_inferno ? FOLDED_DECIMALS : builder->decimals;
	bool has_two = false;
	size_t count = builder->lines.count;

	if (!options->keeps_order && count)
		qsort(builder->lines.at, count, sizeof(*builder->lines.at), compare_lines);
	result->profile.largest_delta = builder->decimals ? MILLION : 1;
	stack_tree_chart_init(&builder->tree, &result->profile);
	vec_push(&result->profile.deltas, (struct delta){ .is_known = false });
	for (size_t i = 0; i < count; i++) {
		bool is_last_first = options->keeps_order && options->is_last_first;
		struct flamegraph_line line;
		bool ignored;

		if (!parse_line(builder, builder->lines.at[is_last_first ? count - 1 - i : i].text,
				decimals, &line, &ignored)) {
			result->ignored_count++;
			continue;
		}
		if (options->is_inferno)
			cut_decimals(&line);
		/* The first line opens the root. */
		if (i == 0)
			result->profile.deltas.at[0].is_known = line.has_before;
		if (line.has_before)
			note_delta(result, &line);
		has_two |= line.has_before;
		split(builder, line.stack);
		if (cut_to_base(builder))
			add_stack(builder, &line);
	}
	stack_tree_finish(&result->profile);
	result->profile.view_sample_count =
		builder->tree.weight_before / (builder->decimals ? MILLION : 1);
	result->profile.sample_count = result->profile.view_sample_count;
	if (!has_two)
		vec_free(&result->profile.deltas);
	if (builder->decimals)
		result->profile.unit = UNIT_MILLIONTHS;
}

static void start(struct flamegraph_builder *builder, struct flamegraph_tree *result,
		  const struct flamegraph_tree_options *options)
{
	*builder = (struct flamegraph_builder){ .options = options, .result = result };
	*result = (struct flamegraph_tree){ 0 };
	profile_init(&result->profile);
	/* Module 0 stands for frames whose module is unknown. */
	modules_intern(result->profile.modules, &(struct module){ .kind = MODULE_NONE });
	result->profile.unit = UNIT_SAMPLES;
	result->profile.event_name = strings_intern_text(result->profile.strings, "samples");
	arena_init(&builder->reversed);
	sink_init_memory(&builder->name);
}

/* Builds the tree, unless reading failed. */
static bool finish(struct flamegraph_builder *builder, bool is_good)
{
	if (is_good)
		build(builder);
	else
		flamegraph_tree_deinit(builder->result);
	for (size_t i = 0; i < builder->blocks.count; i++)
		memory_free(builder->blocks.at[i]);
	vec_free(&builder->blocks);
	arena_deinit(&builder->reversed);
	vec_free(&builder->lines);
	vec_free(&builder->frame_of_name);
	vec_free(&builder->frames);
	vec_free(&builder->is_base);
	stack_tree_chart_deinit(&builder->tree);
	sink_deinit(&builder->name);
	return is_good;
}

bool flamegraph_tree_read_input(struct flamegraph_tree *tree, const struct input *input,
				const struct flamegraph_tree_options *options, struct error *err)
{
	struct flamegraph_builder builder;

	start(&builder, tree, options);
	return finish(&builder, read_input(&builder, input, err));
}

bool flamegraph_tree_read(struct flamegraph_tree *tree, const char *const *paths, size_t path_count,
			  const struct flamegraph_tree_options *options, struct error *err)
{
	struct flamegraph_builder builder;
	bool good = true;

	start(&builder, tree, options);
	for (size_t i = 0; good && i < path_count; i++) {
		struct input input;

		good = input_open(&input, paths[i], err);
		if (!good)
			break;
		good = read_input(&builder, &input, err);
		input_close(&input);
	}
	return finish(&builder, good);
}

void flamegraph_tree_deinit(struct flamegraph_tree *tree)
{
	profile_deinit(&tree->profile);
}
