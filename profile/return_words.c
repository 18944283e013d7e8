/* SPDX-License-Identifier: MIT */
#include "profile/return_words.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/workers.h"

/* The number of slices that are searched for return addresses. */
#define SEARCHED_SLICES 8
/*
 * The number of samples whose stack dumps are searched for return addresses: enough to distinguish
 * the recorded file from other files.
 */
#define LIMIT_RETURN_SAMPLES 512u
/*
 * The number of samples whose callchains are searched for return addresses, of which a callchain
 * has fewer than a stack dump.
 */
#define LIMIT_RETURN_CALLCHAINS 8192u
/*
 * The number of words of each stack dump that are searched for return addresses: the innermost 8
 * kB, or 4 kB of 32-bit programs.
 */
#define LIMIT_RETURN_WORDS 1024u
/*
 * The number of entries of each callchain that are searched for return addresses. perf records 127
 * by default.
 */
#define LIMIT_RETURN_CALLERS 128u

/*
 * The number of recent words that are kept is a power of two. Stacks of successive samples have
 * most words in common.
 */
#define RECENT_BITS 13

/* The first word of a sample's registers is the ABI: 32 or 64 bits. */
#define ABI_32_BIT 1

/* cs, gs, fs and ss of x86-64 programs, as the kernel saves them in a signal frame. */
#define SAVED_SEGMENTS ((uint64_t)0x002b000000000033)
/* The head of the floating-point registers in a signal frame of aarch64: FPSIMD_MAGIC and size. */
#define SAVED_FPSIMD ((uint64_t)0x0000021046508001)

/* The values of cs and ss in a signal frame of i386. */
static const struct {
	uint32_t cs, ss;
} saved_segments[] = {
	{ 0x23, 0x2b }, /* under a 64-bit kernel */
	{ 0x73, 0x7b },
};

void return_words_init(struct return_words *words)
{
	*words = (struct return_words){ .of_dumps = { .at = NULL } };
}

void return_words_deinit(struct return_words *words)
{
	memory_free(words->recent);
	vec_free(&words->of_dumps);
	vec_free(&words->of_callchains);
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

/* Returns false if the word was noted recently. */
static bool note_word(struct return_words *words, const struct recent_word *word)
{
	struct recent_word *recent;

	if (!words->recent)
		words->recent = memory_zalloc((size_t)1 << RECENT_BITS, sizeof(*words->recent));
	recent = &words->recent[hash_u64(word->address) >> (64 - RECENT_BITS)];
	if (recent->address == word->address && recent->space.i == word->space.i &&
	    recent->list == word->list)
		return false;
	*recent = *word;
	return true;
}

static void take_word(const struct return_words_reading *reading, return_word_list *words,
		      space_id space, uint64_t address)
{
	const struct process_state *state = reading->state;
	const struct mapping *mapping;

	if (!note_word(reading->words, &(struct recent_word){ words, address, space }))
		return;
	mapping = address_spaces_find(&state->history.spaces, space, address - 1);
	if (mapping && is_in_doubt(modules_get(state->modules, mapping->module)))
		vec_push(words,
			 (struct return_word){ mapping->module,
					       address - mapping->start + mapping->file_offset });
}

/*
 * Whether a word, given those after it, is the address at which a signal interrupted a program:
 *
 *     x86-64     flags, segment registers
 *     aarch64    flags, padding, floating-point registers
 *     i386       cs, flags, stack pointer, ss
 *
 * Such an address rarely follows a call, so a program with many signals would contradict the right
 * file.
 */
static bool is_interrupted_word(struct span after)
{
	uint64_t flags, second, third;

	if (!span_u64(&after, &flags) || !span_u64(&after, &second))
		return false;
	return second == SAVED_SEGMENTS || (span_u64(&after, &third) && third == SAVED_FPSIMD);
}

static bool is_interrupted_half(struct span after)
{
	uint32_t cs, flags, stack_pointer, ss;

	if (!span_u32(&after, &cs) || !span_u32(&after, &flags) ||
	    !span_u32(&after, &stack_pointer) || !span_u32(&after, &ss))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(saved_segments); i++)
		if (cs == saved_segments[i].cs && ss == saved_segments[i].ss)
			return true;
	return false;
}

static void take_dump(const struct return_words_reading *reading, const struct event_sample *sample,
		      space_id space)
{
	struct span registers = sample->user_registers;
	struct span stack = sample->user_stack;
	uint64_t abi = 0;

	(void)span_u64(&registers, &abi);
	if (sample->user_stack_used_bytes < span_left(&stack))
		stack.end = stack.at + sample->user_stack_used_bytes;
	for (uint32_t i = 0; i < LIMIT_RETURN_WORDS; i++) {
		uint64_t word;
		uint32_t half;

		if (abi == ABI_32_BIT ? !span_u32(&stack, &half) : !span_u64(&stack, &word))
			break;
		word = abi == ABI_32_BIT ? half : word;
		if (word > PAGE_BYTES &&
		    !(abi == ABI_32_BIT ? is_interrupted_half(stack) : is_interrupted_word(stack)))
			take_word(reading, &reading->words->of_dumps, space, word);
	}
}

/* The first address after a marker is the address of an instruction, not a return address. */
static void take_callchain(const struct return_words_reading *reading,
			   const struct event_sample *sample, space_id space)
{
	bool is_return = false;

	for (uint32_t i = 0; i < sample->ip_count && i < LIMIT_RETURN_CALLERS; i++) {
		uint64_t ip = sample->ips[i];
		bool is_marker = ip >= CALLCHAIN_MARKER_FIRST;

		if (is_return && !is_marker && ip > PAGE_BYTES)
			take_word(reading, &reading->words->of_callchains, space, ip);
		is_return = !is_marker;
	}
}

void return_words_on_event(void *context, const struct event *event)
{
	struct return_words_reading *reading = context;
	const struct event_sample *sample = &event->sample;
	bool has_dump = sample->present & SAMPLE_HAS_USER_STACK;
	struct process_moment moment;

	if (event->kind != EVENT_SAMPLE || !reading->sample_max ||
	    !(has_dump || (reading->reads_callchains && sample->ip_count)))
		return;
	reading->sample_max--;
	moment = process_history_find(&reading->state->history, sample->pid, sample->tid,
				      process_state_time_of(reading->state, event));
	if (has_dump)
		take_dump(reading, sample, moment.space);
	else
		take_callchain(reading, sample, moment.space);
}

static int compare(const void *a, const void *b)
{
	const struct return_word *left = a;
	const struct return_word *right = b;

	if (left->module.i != right->module.i)
		return left->module.i < right->module.i ? -1 : 1;
	return (left->offset > right->offset) - (left->offset < right->offset);
}

static void sort(return_word_list *words)
{
	size_t kept = 0;

	if (!words->count)
		return;
	qsort(words->at, words->count, sizeof(*words->at), compare);
	for (size_t i = 0; i < words->count; i++)
		if (!kept || compare(&words->at[kept - 1], &words->at[i]) != 0)
			words->at[kept++] = words->at[i];
	words->count = kept;
}

void return_words_finish(struct return_words *words)
{
	memory_free(words->recent);
	words->recent = NULL;
	sort(&words->of_dumps);
	sort(&words->of_callchains);
}

struct return_search {
	const struct capture *capture;
	const struct process_state *state;
	bool reads_callchains;
	size_t slice_count;
	struct return_words words[SEARCHED_SLICES];
};

static void search_slice(void *context, size_t index)
{
	struct return_search *search = context;
	const struct capture *capture = search->capture;
	size_t slice = capture->slices.count * index / search->slice_count;
	struct return_words_reading reading = {
		.words = &search->words[index],
		.state = search->state,
		.reads_callchains = search->reads_callchains,
		.sample_max = (search->reads_callchains ? LIMIT_RETURN_CALLCHAINS
							: LIMIT_RETURN_SAMPLES) /
			      SEARCHED_SLICES,
	};
	struct event_sink sink = { .context = &reading, .on_event = return_words_on_event };
	struct error ignored;

	(void)!capture_read_samples(capture, capture->slices.at[slice], &sink, &ignored);
	return_words_finish(&search->words[index]);
}

static void append(return_word_list *words, const return_word_list *from)
{
	for (size_t i = 0; i < from->count; i++)
		vec_push(words, from->at[i]);
}

void return_words_search(struct return_words *words, const struct capture *capture,
			 const struct process_state *state, bool reads_callchains,
			 unsigned thread_count)
{
	struct return_search search = {
		.capture = capture,
		.state = state,
		.reads_callchains = reads_callchains,
		.slice_count = capture->slices.count,
	};

	if (search.slice_count > SEARCHED_SLICES)
		search.slice_count = SEARCHED_SLICES;
	workers_run(thread_count, search.slice_count, search_slice, &search);
	for (size_t i = 0; i < search.slice_count; i++) {
		append(&words->of_dumps, &search.words[i].of_dumps);
		append(&words->of_callchains, &search.words[i].of_callchains);
		return_words_deinit(&search.words[i]);
	}
	return_words_finish(words);
}

size_t return_words_find(const return_word_list *words, module_id module, size_t *count)
{
	size_t low = vec_count_first(words, row, row->module.i < module.i);
	size_t end;

	for (end = low; end < words->count && words->at[end].module.i == module.i; end++)
		;
	*count = end - low;
	return low;
}
