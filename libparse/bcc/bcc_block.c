/* SPDX-License-Identifier: MIT */
#include "libparse/bcc/bcc_block.h"

#include "libparse/bcc/bcc_frame.h"
#include "libparse/ftrace/kernel_entry.h"

void bcc_block_reset(struct bcc_block *block, uint64_t offset, const char *end)
{
	block->lines.count = 0;
	block->end = end;
	block->offset = offset;
	block->comm = (struct text){ NULL, 0 };
	block->has_pid = block->has_two_threads = block->has_delimiter = false;
	block->value = 0;
	block->count = 1;
}

void bcc_block_deinit(struct bcc_block *block)
{
	vec_free(&block->lines);
}

/* `word` includes the blank before it, which distinguishes words from frames. */
static void push_word(struct bcc_block *block, struct text word)
{
	vec_push(&block->lines, (struct text){ word.at - 1, word.length + 1 });
}

/* Removes a pid from the end of a name. The pid is bare, or between the given brackets. */
static struct text read_pid(struct bcc_block *block, struct text name, char opening, char closing)
{
	const char *blank = name.length ? memrchr(name.at, ' ', name.length) : NULL;
	struct text word;
	uint64_t pid;

	if (!blank)
		return name;
	word = (struct text){ blank + 1, name.length - (uint32_t)(blank + 1 - name.at) };
	if (opening) {
		if (word.length < 3 || word.at[0] != opening || word.at[word.length - 1] != closing)
			return name;
		word = (struct text){ word.at + 1, word.length - 2 };
	}
	if (!text_to_u64(word, &pid) || pid > UINT32_MAX)
		return name;
	block->has_pid = true;
	block->pid = (uint32_t)pid;
	return text_trim((struct text){ name.at, (uint32_t)(blank - name.at) });
}

static bool read_thread(struct bcc_block *block, struct text line)
{
	bool is_thread = text_has_prefix(line, "target:") || text_has_prefix(line, "waker:");
	struct text name;

	if (!is_thread)
		return false;
	name = (struct text){ line.at, line.length };
	while (name.at[0] != ':')
		name = (struct text){ name.at + 1, name.length - 1 };
	name = text_trim((struct text){ name.at + 1, name.length - 1 });
	block->has_pid = false;
	name = read_pid(block, name, '\0', '\0');
	if (!block->has_two_threads) {
		/* The innermost frame comes first. */
		block->has_two_threads = true;
		block->has_pid = false;
		push_word(block, name);
	} else {
		block->comm = name;
	}
	return true;
}

/* "--", "-                -", "-                app (4711)". */
static bool read_dashes(struct bcc_block *block, struct text line)
{
	struct text rest = line;
	struct text word;

	text_next_word(&rest, &word);
	rest = text_trim(rest);
	if (!text_is(word, "-") && !text_is(word, "--"))
		return false;
	if (!rest.length) {
		/* The kernel and user stacks are separated by one dash, as in folded stacks. */
		block->has_delimiter = true;
		push_word(block, (struct text){ word.at, 1 });
	} else if (block->has_two_threads) {
		vec_push(&block->lines, text_of(" --"));
	} else {
		block->comm = read_pid(block, rest, '(', ')');
	}
	return true;
}

void bcc_block_add_frame(struct bcc_block *block, struct text line)
{
	vec_push(&block->lines, text_trim(line));
}

enum bcc_line bcc_block_add_line(struct bcc_block *block, struct text line)
{
	struct text trimmed = text_trim(line);

	if (trimmed.length && scan_digits_length(trimmed) == trimmed.length)
		return text_to_u64(trimmed, &block->value) ? BCC_LINE_ENDS : BCC_LINE_WRONG;
	if (!read_thread(block, trimmed) && !read_dashes(block, trimmed))
		bcc_block_add_frame(block, trimmed);
	return BCC_LINE_ADDED;
}

bool bcc_block_begins_leak(struct text line, uint64_t *bytes_ret, uint64_t *count_ret)
{
	struct text rest = text_trim(line);
	struct text word;
	uint64_t ignored;

	/* Any other line is a frame. */
	if (!scan_digits_length(rest))
		return false;
	return text_next_word(&rest, &word) &&
	       text_to_u64(word, bytes_ret ? bytes_ret : &ignored) &&
	       text_next_word(&rest, &word) && text_is(word, "bytes") &&
	       text_next_word(&rest, &word) && text_is(word, "in") &&
	       text_next_word(&rest, &word) &&
	       text_to_u64(word, count_ret ? count_ret : &ignored) &&
	       text_next_word(&rest, &word) && text_is(word, "allocations");
}

/* The frame with the newline after it. The last line of the input may lack the newline. */
static struct text marked_frame(const struct bcc_block *block, struct text frame)
{
	const char *end = frame.at + frame.length;

	while (end < block->end && *end != '\n')
		end++;
	if (end < block->end)
		frame.length = (uint32_t)(end + 1 - frame.at);
	return frame;
}

bool bcc_block_has(const struct bcc_block *block, const char *function)
{
	bool has = false;

	for (size_t i = 0; i < block->lines.count && !has; i++) {
		struct event_frame frame = { .name = { "", 0 } };

		bcc_frame_parse(block->lines.at[i], &frame);
		has = text_is(frame.name, function);
	}
	return has;
}

/*
 * Returns how many of the innermost lines are the kernel stack: up to the delimiter, or to a kernel
 * entry.
 */
static size_t kernel_count(const struct bcc_block *block)
{
	size_t count = 0;

	for (size_t i = 0; i < block->lines.count; i++) {
		struct event_frame frame = { .name = { "", 0 } };
		struct text line = block->lines.at[i];

		if (text_is_indented(line)) {
			if (block->has_delimiter)
				return i;
			continue;
		}
		bcc_frame_parse(line, &frame);
		if (kernel_entry_is(frame.name))
			count = i + 1;
	}
	return block->has_delimiter ? 0 : count;
}

static bool is_kernel_address(struct text line)
{
	struct event_frame frame = { .name = { "", 0 } };

	bcc_frame_parse(line, &frame);
	return frame.address >> 60 == 0xf;
}

static void mark_kernel(struct bcc_block *block)
{
	size_t count = block->has_two_threads ? 0 : kernel_count(block);

	for (size_t i = 0; i < block->lines.count; i++) {
		struct text *line = &block->lines.at[i];

		if (!text_is_indented(*line) && (i < count || is_kernel_address(*line)))
			*line = marked_frame(block, *line);
	}
}

static void name_frame(void *context, const struct event_frame *frame)
{
	*(struct text *)context = frame->name;
}

/* Without a comm, the outermost function serves as the comm, as in folded stacks. */
static struct text read_outermost(struct bcc_block *block, const struct bcc_measure *measure)
{
	struct text name = { "", 0 };
	struct text *last;

	if (!block->lines.count)
		return measure->event;
	last = &block->lines.at[--block->lines.count];
	/* stackcount -P prints "app [4711]". */
	name = read_pid(block, *last, '[', ']');
	if (block->has_pid || measure->has_bare_comms)
		return name;
	bcc_read_frame(NULL, *last, name_frame, &name);
	return name.length ? name : text_of("[unknown]");
}

bool bcc_block_send(struct bcc_block *block, const struct bcc_measure *measure,
		    const struct event_sink *sink)
{
	bool is_time = block->has_two_threads;
	struct event event = { .kind = EVENT_SAMPLE, .offset = block->offset };
	struct event_text_sample text = {
		.comm = block->comm,
		.event = measure->event,
		.unit = is_time ? UNIT_NANOSECONDS : measure->unit,
		.sample_count = block->count,
	};

	if (is_time && measure->unit == UNIT_SAMPLES)
		text.event = text_of("blocked time");
	event.sample.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN;
	if (__builtin_mul_overflow(block->value, is_time ? 1000 : measure->factor,
				   &event.sample.period))
		return false;
	if (!text.comm.at)
		text.comm = read_outermost(block, measure);
	text.comm = bcc_unquoted(text.comm);
	if (block->has_pid) {
		event.sample.present |= SAMPLE_HAS_TID;
		event.sample.pid = event.sample.tid = block->pid;
	}
	mark_kernel(block);
	if (text.unit == UNIT_SAMPLES)
		text.sample_count = block->value;
	text.frames = block->lines.at;
	text.frame_count = (uint32_t)block->lines.count;
	event.sample.text = &text;
	event_send(sink, &event);
	return true;
}
