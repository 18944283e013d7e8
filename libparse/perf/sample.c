/* SPDX-License-Identifier: MIT */
#include "libparse/perf/sample.h"

#include "libparse/callchain.h"
#include "libparse/perf/abi.h"

#define WORD_BYTES 8

static uint8_t take_word(uint64_t sample_type, uint64_t bit, uint8_t *next)
{
	return sample_type & bit ? (*next)++ : WORD_ABSENT;
}

static void plan_trailer(struct sample_plan *plan, const struct perf_attr *attr)
{
	uint64_t type = attr->sample_type;
	uint8_t next = 0;
	uint8_t id;
	uint8_t identifier;

	take_word(type, SAMPLE_TID, &next);
	plan->trailer_time = take_word(type, SAMPLE_TIME, &next);
	id = take_word(type, SAMPLE_ID, &next);
	take_word(type, SAMPLE_STREAM_ID, &next);
	plan->trailer_cpu = take_word(type, SAMPLE_CPU, &next);
	identifier = take_word(type, SAMPLE_IDENTIFIER, &next);
	plan->trailer_id = identifier != WORD_ABSENT ? identifier : id;
	plan->trailer_words = next;
	plan->has_trailer = attr->flags & ATTR_FLAG_SAMPLE_ID_ALL;
}

void sample_plan_init(struct sample_plan *plan, const struct perf_attr *attr)
{
	uint64_t type = attr->sample_type;
	uint8_t next = 0;

	*plan = (struct sample_plan){
		.sample_type = type,
		.has_unknown_fields = type & ~SAMPLE_KNOWN,
		.read_format = attr->read_format,
		.branch_sample_type = attr->branch_sample_type,
		/*
		 * If a frequency was set, the period varied and was not recorded, so each sample
		 * counts as 1.
		 */
		.default_period = attr->flags & ATTR_FLAG_FREQ || !attr->sample_period
					  ? 1
					  : attr->sample_period,
		.user_register_count = (uint8_t)__builtin_popcountll(attr->sample_regs_user),
		.interrupt_register_count = (uint8_t)__builtin_popcountll(attr->sample_regs_intr),
	};
	plan->identifier = take_word(type, SAMPLE_IDENTIFIER, &next);
	plan->ip = take_word(type, SAMPLE_IP, &next);
	plan->tid = take_word(type, SAMPLE_TID, &next);
	plan->time = take_word(type, SAMPLE_TIME, &next);
	plan->address = take_word(type, SAMPLE_ADDR, &next);
	plan->id = take_word(type, SAMPLE_ID, &next);
	plan->stream_id = take_word(type, SAMPLE_STREAM_ID, &next);
	plan->cpu = take_word(type, SAMPLE_CPU, &next);
	plan->period = take_word(type, SAMPLE_PERIOD, &next);
	plan->fixed_words = next;
	plan_trailer(plan, attr);
}

void sample_buffers_init(struct sample_buffers *buffers)
{
	*buffers = (struct sample_buffers){
		.ips = memory_alloc(LIMIT_CALLCHAIN_ENTRIES, sizeof(*buffers->ips)),
	};
}

void sample_buffers_deinit(struct sample_buffers *buffers)
{
	memory_free(buffers->ips);
	vec_free(&buffers->branches);
}

static uint64_t word(const struct span *payload, uint8_t index, uint64_t absent)
{
	if (index == WORD_ABSENT)
		return absent;
	return span_load_u64(payload->at + index * WORD_BYTES, payload->swapped);
}

/* A field of 32 bits: one half of a 64-bit word. half: 0 or 1. */
static uint32_t half_word(const struct span *payload, uint8_t index, size_t half, uint32_t absent)
{
	if (index == WORD_ABSENT)
		return absent;
	return span_load_u32(payload->at + index * WORD_BYTES + half * 4, payload->swapped);
}

static inline bool read_fixed(const struct sample_plan *plan, struct span *payload,
			      struct event_sample *ret, uint64_t *time_ns_ret)
{
	if (span_left(payload) < plan->fixed_words * WORD_BYTES)
		return false;
	ret->ip = word(payload, plan->ip, 0);
	ret->pid = half_word(payload, plan->tid, 0, UINT32_MAX);
	ret->tid = half_word(payload, plan->tid, 1, UINT32_MAX);
	ret->address = word(payload, plan->address, 0);
	ret->id = word(payload, plan->identifier != WORD_ABSENT ? plan->identifier : plan->id, 0);
	ret->stream_id = word(payload, plan->stream_id, 0);
	ret->cpu = half_word(payload, plan->cpu, 0, UINT32_MAX);
	ret->period = word(payload, plan->period, plan->default_period);
	*time_ns_ret = word(payload, plan->time, 0);
	return span_skip(payload, plan->fixed_words * WORD_BYTES);
}

bool sample_read_fixed(const struct sample_plan *plan, struct span *payload,
		       struct event_sample *ret, uint64_t *time_ns_ret)
{
	return read_fixed(plan, payload, ret, time_ns_ret);
}

/* Skips the readings, which the first pass has read (readings.c). */
static bool skip_read_values(const struct sample_plan *plan, struct span *span)
{
	uint64_t format = plan->read_format;
	uint64_t times = !!(format & READ_FORMAT_TOTAL_TIME_ENABLED) +
			 !!(format & READ_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t per_value = 1 + !!(format & READ_FORMAT_ID) + !!(format & READ_FORMAT_LOST);
	uint64_t count = 1;

	if (!(format & READ_FORMAT_GROUP))
		return span_skip(span, (times + per_value) * WORD_BYTES);
	if (!span_u64(span, &count) || count > span_left(span) / WORD_BYTES)
		return false;
	return span_skip(span, (times + count * per_value) * WORD_BYTES);
}

static bool read_callchain_length(struct span *span, uint64_t *ret)
{
	return span_u64(span, ret) && *ret <= span_left(span) / WORD_BYTES &&
	       *ret <= LIMIT_CALLCHAIN_ENTRIES;
}

bool sample_read_callchain(struct span *span, uint64_t *ips, struct event_sample *ret)
{
	uint64_t count;

	if (!read_callchain_length(span, &count))
		return false;
	memcpy(ips, span->at, count * WORD_BYTES);
	for (uint64_t i = 0; span->swapped && i < count; i++)
		ips[i] = __builtin_bswap64(ips[i]);
	/* Nearly all entries are addresses, which stay unchanged. */
	for (uint64_t i = 0; i < count; i++)
		if (ips[i] >= CALLCHAIN_MARKER_FIRST)
			ips[i] = callchain_entry(ips[i]);
	ret->ips = ips;
	ret->ip_count = (uint32_t)count;
	return span_skip(span, count * WORD_BYTES);
}

static bool skip_callchain(struct span *span)
{
	uint64_t count;

	return read_callchain_length(span, &count) && span_skip(span, count * WORD_BYTES);
}

static bool read_raw(struct span *span, struct event_sample *ret)
{
	uint32_t size_bytes;

	return span_u32(span, &size_bytes) && span_sub(span, size_bytes, &ret->raw);
}

/*
 * An entry of a branch stack (struct perf_branch_entry in linux/perf_event.h). The third word of an
 * entry has C bit-fields, which compilers for big-endian machines lay out from the other end:
 *
 *     | u64 from | u64 to | mispred predicted in_tx abort cycles:16 type:4 spec:2 new_type:4 priv:3 |
 *                           bit 0 ─▶ little-endian                         big-endian: bit 63 ─▶
 */
#define BRANCH_ENTRY_BYTES 24

struct branch_flags {
	uint64_t word;
	unsigned next; /* number of the next field's first bit */
	bool is_big_endian;
};

static unsigned next_flag(struct branch_flags *flags, unsigned bits)
{
	unsigned shift = flags->is_big_endian ? 64 - flags->next - bits : flags->next;

	flags->next += bits;
	return (unsigned)(flags->word >> shift & ((1u << bits) - 1));
}

static void read_branch_entries(struct span entries, size_t count, struct event_branch *ret)
{
	for (size_t i = 0; i < count; i++) {
		const unsigned char *entry = entries.at + i * BRANCH_ENTRY_BYTES;
		struct event_branch *branch = &ret[i];
		struct branch_flags flags = {
			.word = span_load_u64(entry + 16, entries.swapped),
			.is_big_endian = span_is_big_endian(&entries),
		};

		branch->from = span_load_u64(entry, entries.swapped);
		branch->to = span_load_u64(entry + 8, entries.swapped);
		branch->is_mispredicted = next_flag(&flags, 1);
		branch->is_predicted = next_flag(&flags, 1);
		branch->is_in_transaction = next_flag(&flags, 1);
		branch->is_abort = next_flag(&flags, 1);
		branch->cycles = (uint16_t)next_flag(&flags, 16);
		branch->type = (uint8_t)next_flag(&flags, 4);
		branch->speculation = (uint8_t)next_flag(&flags, 2);
		branch->new_type = (uint8_t)next_flag(&flags, 4);
		branch->privilege = (uint8_t)next_flag(&flags, 3);
	}
}

/*
 * Variants of the branch stack. The attr does not show which variant is used, but only one fits the
 * size of the record.
 */
struct branch_form {
	bool lacks_empty_index;
	bool lacks_counters;
};

static bool read_branches(const struct sample_plan *plan, const struct branch_form *form,
			  struct span *span, struct sample_buffers *buffers,
			  struct event_sample *ret)
{
	struct span entries;
	uint64_t count;
	bool has_index = plan->branch_sample_type & BRANCH_SAMPLE_HW_INDEX;

	if (!span_u64(span, &count) || count > span_left(span) / BRANCH_ENTRY_BYTES)
		return false;
	ret->branches_hw_index = 0;
	/* If there are no branches, some kernels also omit the index. */
	if (has_index && (count || !form->lacks_empty_index) &&
	    !span_u64(span, &ret->branches_hw_index))
		return false;
	if (!span_sub(span, count * BRANCH_ENTRY_BYTES, &entries))
		return false;
	vec_reserve(&buffers->branches, count);
	read_branch_entries(entries, count, buffers->branches.at);
	ret->branches = buffers->branches.at;
	ret->branch_count = (uint32_t)count;
	return !(plan->branch_sample_type & BRANCH_SAMPLE_COUNTERS) || form->lacks_counters ||
	       span_skip(span, count * WORD_BYTES);
}

/* *ret becomes the abi word and the registers. With abi 0, there are no registers. */
static bool read_registers(struct span *span, uint8_t register_count, struct span *ret)
{
	struct span ahead = *span;
	uint64_t abi;

	if (!span_u64(&ahead, &abi))
		return false;
	return span_sub(span, abi ? WORD_BYTES * (1u + register_count) : WORD_BYTES, ret);
}

static bool read_user_stack(struct span *span, struct event_sample *ret)
{
	uint64_t size_bytes;

	if (!span_u64(span, &size_bytes))
		return false;
	ret->user_stack = (struct span){ 0 };
	ret->user_stack_used_bytes = 0;
	if (!size_bytes)
		return true;
	if (!span_sub(span, size_bytes, &ret->user_stack) ||
	    !span_u64(span, &ret->user_stack_used_bytes))
		return false;
	if (ret->user_stack_used_bytes > size_bytes)
		ret->user_stack_used_bytes = size_bytes;
	return true;
}

static bool read_optional(uint64_t sample_type, uint64_t bits, struct span *span, uint64_t *ret)
{
	return !(sample_type & bits) || span_u64(span, ret);
}

static bool skip_aux(uint64_t sample_type, struct span *span)
{
	uint64_t size_bytes;

	return !(sample_type & SAMPLE_AUX) ||
	       (span_u64(span, &size_bytes) && span_skip(span, size_bytes));
}

/* Samples of tracepoints have no other fields. */
#define FIELDS_UP_TO_RAW                                                                           \
	((uint64_t)(SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_READ |             \
		    SAMPLE_CALLCHAIN | SAMPLE_ID | SAMPLE_CPU | SAMPLE_PERIOD | SAMPLE_STREAM_ID | \
		    SAMPLE_RAW | SAMPLE_IDENTIFIER))

static bool read_variable(const struct sample_plan *plan, const struct branch_form *form,
			  struct span *span, struct sample_buffers *buffers,
			  struct event_sample *ret)
{
	uint64_t type = plan->sample_type;

	if (type & SAMPLE_READ && !skip_read_values(plan, span))
		return false;
	if (type & SAMPLE_CALLCHAIN &&
	    !(buffers->ignores_callchains ? skip_callchain(span)
					  : sample_read_callchain(span, buffers->ips, ret)))
		return false;
	if (type & SAMPLE_RAW && !read_raw(span, ret))
		return false;
	if (!(type & ~FIELDS_UP_TO_RAW))
		return true;
	if (type & SAMPLE_BRANCH_STACK && !read_branches(plan, form, span, buffers, ret))
		return false;
	if (type & SAMPLE_REGS_USER &&
	    !read_registers(span, plan->user_register_count, &ret->user_registers))
		return false;
	if (type & SAMPLE_STACK_USER && !read_user_stack(span, ret))
		return false;
	if (!read_optional(type, SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT, span, &ret->weight) ||
	    !read_optional(type, SAMPLE_DATA_SRC, span, &ret->data_source) ||
	    !read_optional(type, SAMPLE_TRANSACTION, span, &ret->transaction))
		return false;
	if (type & SAMPLE_REGS_INTR &&
	    !read_registers(span, plan->interrupt_register_count, &ret->interrupt_registers))
		return false;
	return read_optional(type, SAMPLE_PHYS_ADDR, span, &ret->physical_address) &&
	       read_optional(type, SAMPLE_CGROUP, span, &ret->cgroup) &&
	       read_optional(type, SAMPLE_DATA_PAGE_SIZE, span, &ret->data_page_size) &&
	       read_optional(type, SAMPLE_CODE_PAGE_SIZE, span, &ret->code_page_size) &&
	       skip_aux(type, span);
}

static const struct branch_form branch_forms[] = {
	{ .lacks_empty_index = false, .lacks_counters = false },
	{ .lacks_empty_index = true, .lacks_counters = false },
	{ .lacks_empty_index = false, .lacks_counters = true },
	{ .lacks_empty_index = true, .lacks_counters = true },
};

bool sample_read(const struct sample_plan *plan, const struct span *payload,
		 struct sample_buffers *buffers, struct event_sample *ret, uint64_t *time_ns_ret)
{
	struct span span = *payload;
	struct event_sample fixed;

	ret->present = plan->sample_type;
	if (!read_fixed(plan, &span, ret, time_ns_ret))
		return false;
	if (!(plan->sample_type & SAMPLE_BRANCH_STACK))
		return read_variable(plan, &branch_forms[0], &span, buffers, ret) &&
		       (span_left(&span) == 0 || plan->has_unknown_fields);
	fixed = *ret;
	for (size_t i = 0; i < ARRAY_SIZE(branch_forms); i++) {
		struct span rest = span;

		/* Undo the changes that were made for the form that did not fit. */
		*ret = fixed;
		if (read_variable(plan, &branch_forms[i], &rest, buffers, ret) &&
		    (span_left(&rest) == 0 || plan->has_unknown_fields))
			return true;
	}
	return false;
}
