/* SPDX-License-Identifier: MIT */
#include "libparse/bpftrace/bpftrace_entry.h"

#include "base/arithmetic.h"
#include "libparse/bpftrace/bpftrace_frame.h"
#include "libparse/text.h"

void bpftrace_entry_reset(struct bpftrace_entry *entry, struct text map, uint64_t offset)
{
	entry->map = map;
	entry->key = (struct text){ "", 0 };
	entry->offset = offset;
	entry->parts.count = entry->frames.count = entry->rows.count = 0;
	entry->value = BPFTRACE_NOTHING;
	entry->total = entry->sample_count = 0;
}

void bpftrace_entry_deinit(struct bpftrace_entry *entry)
{
	vec_free(&entry->parts);
	vec_free(&entry->frames);
	vec_free(&entry->rows);
	vec_free(&entry->chain);
}

static int depth_change(char c)
{
	if (c == '(' || c == '[' || c == '{' || c == '<')
		return 1;
	return c == ')' || c == ']' || c == '}' || c == '>' ? -1 : 0;
}

/* Whether brackets are balanced. The commas in (1, 2) and f(int, int) do not separate words. */
static bool has_pairs(struct text words)
{
	int64_t depth = 0;

	for (uint32_t i = 0; i < words.length && depth >= 0; i++)
		depth += depth_change(words.at[i]);
	return depth == 0;
}

/* Skips empty words: an empty string, or a stack that bpftrace failed to record. */
static void add_word(struct bpftrace_entry *entry, const char *begin, const char *end)
{
	if (end > begin)
		vec_push(&entry->parts, (struct bpftrace_part){
						.word = { begin - 1, (uint32_t)(end - begin) + 1 },
					});
}

void bpftrace_entry_add_words(struct bpftrace_entry *entry, struct text words,
			      const char *separator)
{
	uint32_t length = (uint32_t)strlen(separator);
	const char *begin = words.at;
	const char *end = words.at + words.length;
	bool has_depth = has_pairs(words);
	int64_t depth = 0;

	for (const char *at = words.at; at < end; at++) {
		if (has_depth)
			depth += depth_change(*at);
		if (depth || *at != ',' || (size_t)(end - at) < length ||
		    memcmp(at, separator, length) != 0)
			continue;
		add_word(entry, begin, at);
		at += length - 1;
		begin = at + 1;
	}
	add_word(entry, begin, end);
}

void bpftrace_entry_add_stack(struct bpftrace_entry *entry)
{
	vec_push(&entry->parts, (struct bpftrace_part){
					.is_stack = true,
					.frame_first = entry->frames.count,
				});
}

void bpftrace_entry_add_frame(struct bpftrace_entry *entry, struct text line)
{
	line = text_trim(line);
	vec_push(&entry->frames, line);
	entry->parts.at[entry->parts.count - 1].frame_count++;
}

bool bpftrace_entry_has_stack(const struct bpftrace_entry *entry)
{
	return entry->frames.count > 0;
}

enum bpftrace_value bpftrace_value_of(struct text text, uint64_t *ret)
{
	uint32_t begin = text.length && text.at[0] == '-';

	if (text_to_u64(text, ret))
		return BPFTRACE_NUMBER;
	for (uint32_t i = begin; i < text.length; i++)
		if (text.at[i] < '0' || text.at[i] > '9')
			return BPFTRACE_NOTHING;
	return text.length > begin ? BPFTRACE_WRONG : BPFTRACE_NOTHING;
}

uint64_t bpftrace_entry_sum(const struct bpftrace_entry *entry)
{
	uint64_t sum = entry->value == BPFTRACE_STATS ? entry->sample_count : entry->total;

	for (size_t i = 0; i < entry->rows.count; i++)
		sum = saturate_add(sum, entry->rows.at[i].count);
	return sum;
}

enum weight_unit bpftrace_entry_unit(const struct bpftrace_entry *entry, uint64_t *factor_ret)
{
	static const struct {
		const char *word;
		enum weight_unit unit;
		uint64_t factor;
	} words[] = {
		{ "ns", UNIT_NANOSECONDS, 1 },       { "nsecs", UNIT_NANOSECONDS, 1 },
		{ "us", UNIT_NANOSECONDS, 1000 },    { "usecs", UNIT_NANOSECONDS, 1000 },
		{ "ms", UNIT_NANOSECONDS, 1000000 }, { "msecs", UNIT_NANOSECONDS, 1000000 },
		{ "bytes", UNIT_BYTES, 1 },
	};
	struct text map = entry->map;
	uint32_t begin = map.length;

	while (begin && map.at[begin - 1] != '_' && map.at[begin - 1] != '@')
		begin--;
	*factor_ret = 1;
	/* The name gives the unit of a histogram's labels; the weights are counts. */
	if (entry->value == BPFTRACE_ROWS)
		return UNIT_SAMPLES;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!text_is((struct text){ map.at + begin, map.length - begin }, words[i].word))
			continue;
		*factor_ret = words[i].factor;
		return words[i].unit;
	}
	return entry->value == BPFTRACE_STATS ? UNIT_EVENTS : UNIT_SAMPLES;
}

/* Decides which stacks are kernel stacks. */
static void mark_kernel(struct bpftrace_entry *entry)
{
	struct bpftrace_part *first = NULL;
	uint32_t stack_count = 0;
	bool is_any = false;

	for (size_t i = 0; i < entry->parts.count; i++) {
		struct bpftrace_part *part = &entry->parts.at[i];

		if (!part->is_stack || !part->frame_count)
			continue;
		part->is_kernel = bpftrace_frame_is_of_kernel(
			entry->frames.at[part->frame_first + part->frame_count - 1]);
		is_any |= part->is_kernel;
		if (!stack_count++)
			first = part;
	}
	if (stack_count == 2 && !is_any)
		first->is_kernel = true;
}

static bool is_number(struct text word)
{
	for (uint32_t i = 1; i < word.length; i++)
		if (word.at[i] < '0' || word.at[i] > '9')
			return false;
	return true;
}

/*
 * Finds the word that serves as the comm: the first word that is not a number. If all words are
 * numbers, the first word serves as the comm.
 */
static const struct bpftrace_part *find_comm(const struct bpftrace_entry *entry)
{
	const struct bpftrace_part *first = NULL;

	for (size_t i = 0; i < entry->parts.count; i++) {
		const struct bpftrace_part *part = &entry->parts.at[i];

		if (part->is_stack)
			continue;
		if (!is_number(part->word))
			return part;
		if (!first)
			first = part;
	}
	return first;
}

/* The frame with its newline. */
static struct text marked_frame(struct text frame)
{
	const char *end = frame.at + frame.length;

	while (*end != '\n')
		end++;
	frame.length = (uint32_t)(end + 1 - frame.at);
	return frame;
}

static void add_stacks(struct bpftrace_entry *entry, bool of_kernel)
{
	for (size_t i = 0; i < entry->parts.count; i++) {
		const struct bpftrace_part *part = &entry->parts.at[i];

		if (!part->is_stack || part->is_kernel != of_kernel)
			continue;
		for (size_t k = 0; k < part->frame_count; k++) {
			struct text frame = entry->frames.at[part->frame_first + k];

			vec_push(&entry->chain, of_kernel ? marked_frame(frame) : frame);
		}
	}
}

/* Builds the callchain, innermost first; the first entry is reserved for a row of a histogram. */
static void build_chain(struct bpftrace_entry *entry, const struct bpftrace_part *comm)
{
	entry->chain.count = 0;
	vec_push(&entry->chain, (struct text){ "", 0 });
	mark_kernel(entry);
	add_stacks(entry, true);
	add_stacks(entry, false);
	for (size_t i = entry->parts.count; i-- > 0;)
		if (!entry->parts.at[i].is_stack && &entry->parts.at[i] != comm)
			vec_push(&entry->chain, entry->parts.at[i].word);
}

static void read_name(void *context, const struct event_frame *frame)
{
	*(struct text *)context = frame->name;
}

/* Without a word, the outermost function serves as the comm, as in folded stacks. */
static struct text read_outermost(struct bpftrace_entry *entry)
{
	struct text name = { "", 0 };

	/* The first entry of the chain is reserved, and is not a frame. */
	if (entry->chain.count == 1)
		return entry->map;
	bpftrace_read_frame(NULL, entry->chain.at[--entry->chain.count], read_name, &name);
	return name.length ? name : text_of("[unknown]");
}

/* Whether the key has a stack, even one that bpftrace failed to record. */
static bool has_stack_part(const struct bpftrace_entry *entry)
{
	for (size_t i = 0; i < entry->parts.count; i++)
		if (entry->parts.at[i].is_stack)
			return true;
	return false;
}

bool bpftrace_entry_send(struct bpftrace_entry *entry, const struct event_sink *sink)
{
	const struct bpftrace_part *comm = find_comm(entry);
	struct event event = { .kind = EVENT_SAMPLE, .offset = entry->offset };
	struct event_text_sample text = { .event = entry->map, .sample_count = 1 };
	uint64_t factor;

	if (entry->value == BPFTRACE_NOTHING || entry->value == BPFTRACE_WRONG)
		return entry->value != BPFTRACE_WRONG;
	text.unit = bpftrace_entry_unit(entry, &factor);
	text.is_histogram = entry->value == BPFTRACE_ROWS;
	text.is_table = !text.is_histogram && !has_stack_part(entry);
	build_chain(entry, comm);
	text.comm = comm ? (struct text){ comm->word.at + 1, comm->word.length - 1 }
			 : read_outermost(entry);
	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN,
		.text = &text,
	};
	text.frames = entry->chain.at;
	text.frame_count = (uint32_t)entry->chain.count;
	for (size_t i = 0; i < entry->rows.count; i++) {
		entry->chain.at[0] = entry->rows.at[i].label;
		event.sample.period = text.sample_count = entry->rows.at[i].count;
		if (text.sample_count)
			event_send(sink, &event);
	}
	if (entry->value == BPFTRACE_ROWS)
		return true;
	text.frames++;
	text.frame_count--;
	if (entry->value == BPFTRACE_STATS)
		text.sample_count = entry->sample_count;
	else if (text.unit == UNIT_SAMPLES)
		text.sample_count = entry->total;
	if (__builtin_mul_overflow(entry->total, factor, &event.sample.period))
		return false;
	event_send(sink, &event);
	return true;
}
