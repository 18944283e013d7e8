/* SPDX-License-Identifier: MIT */
#include "profile/return_words.h"

#include "base/memory.h"

/* Words of each stack dump that are searched for return addresses: the innermost 8 kB. */
#define LIMIT_RETURN_WORDS 1024u

/* The first word of a sample's registers is the ABI: 32 or 64 bits. */
#define ABI_32_BIT 1

void return_words_init(struct return_words *words)
{
	*words = (struct return_words){ .rows = { .at = NULL } };
}

void return_words_deinit(struct return_words *words)
{
	vec_free(&words->rows);
}

/*
 * Whether a module's build-id is missing or may be wrong. A build-id that the kernel recorded with
 * the mapping is certain.
 */
static bool is_in_doubt(const struct module *module)
{
	return module->kind == MODULE_FILE &&
	       (!module->build_id.size_bytes || module->build_id_source == BUILD_ID_BY_RECORDER);
}

static void take_word(struct return_words_reading *reading, space_id space, uint64_t address)
{
	const struct process_state *state = reading->state;
	const struct mapping *mapping =
		address_spaces_find(&state->history.spaces, space, address - 1);

	if (mapping && is_in_doubt(modules_get(state->modules, mapping->module)))
		vec_push(&reading->words->rows,
			 (struct return_word){ mapping->module,
					       address - mapping->start + mapping->file_offset });
}

void return_words_on_event(void *context, const struct event *event)
{
	struct return_words_reading *reading = context;
	const struct event_sample *sample = &event->sample;
	struct process_moment moment;
	struct span stack, registers;
	uint64_t abi = 0;

	if (event->kind != EVENT_SAMPLE || !reading->sample_max ||
	    !(sample->present & SAMPLE_HAS_USER_STACK))
		return;
	reading->sample_max--;
	registers = sample->user_registers;
	stack = sample->user_stack;
	(void)span_u64(&registers, &abi);
	moment = process_history_find(&reading->state->history, sample->pid, sample->tid,
				      event->has_time ? event->time_ns : UINT64_MAX - 1);
	if (sample->user_stack_used_bytes < span_left(&stack))
		stack.end = stack.at + sample->user_stack_used_bytes;
	for (uint32_t i = 0; i < LIMIT_RETURN_WORDS; i++) {
		uint64_t word;
		uint32_t half;

		if (abi == ABI_32_BIT ? !span_u32(&stack, &half) : !span_u64(&stack, &word))
			break;
		word = abi == ABI_32_BIT ? half : word;
		if (word > PAGE_BYTES)
			take_word(reading, moment.space, word);
	}
}

static int compare(const void *a, const void *b)
{
	const struct return_word *left = a;
	const struct return_word *right = b;

	if (left->module.i != right->module.i)
		return left->module.i < right->module.i ? -1 : 1;
	return (left->offset > right->offset) - (left->offset < right->offset);
}

void return_words_finish(struct return_words *words)
{
	size_t kept = 0;

	if (!words->rows.count)
		return;
	qsort(words->rows.at, words->rows.count, sizeof(*words->rows.at), compare);
	for (size_t i = 0; i < words->rows.count; i++)
		if (!kept || compare(&words->rows.at[kept - 1], &words->rows.at[i]) != 0)
			words->rows.at[kept++] = words->rows.at[i];
	words->rows.count = kept;
}

size_t return_words_find(const struct return_words *words, module_id module, size_t *count)
{
	size_t low = vec_count_first(&words->rows, row, row->module.i < module.i);
	size_t end;

	for (end = low; end < words->rows.count && words->rows.at[end].module.i == module.i; end++)
		;
	*count = end - low;
	return low;
}
