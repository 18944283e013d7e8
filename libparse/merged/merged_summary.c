/* SPDX-License-Identifier: MIT */
#include "libparse/merged/merged_summary.h"

#include "base/arithmetic.h"
#include "base/leb128.h"
#include "libparse/merged/merged_chunk.h"
#include "libparse/merged/merged_text.h"

/*
 * Files store a kind of loss or fact as its index in these tables. New kinds are added at the end.
 */
static const enum loss_kind stored_losses[] = {
	LOSS_RECORDS,
	LOSS_SAMPLES,
	LOSS_FILTERED,
	LOSS_THROTTLED,
	LOSS_TRUNCATED_BYTES,
	LOSS_TRAILING_BYTES,
	LOSS_CORRUPT_RECORDS,
	LOSS_UNKNOWN_RECORDS,
	LOSS_UNKNOWN_IDS,
	LOSS_SHARED_IDS,
	LOSS_AUX_TRUNCATED,
	LOSS_AUX_TRACES,
	LOSS_MAPS_TRUNCATED,
	LOSS_MAPPINGS,
	LOSS_DEFERRED_CALLCHAINS,
	LOSS_UNWIND_TRUNCATED,
	LOSS_UNWIND_FAILED,
	LOSS_UNWIND_NO_FILE,
	LOSS_UNWIND_NO_REGISTERS,
	LOSS_SKIPPED_LINES,
	LOSS_LONG_LINES,
	LOSS_NEGATIVE_COUNTS,
	LOSS_ROUNDED_COUNTS,
	LOSS_CALLERS,
	LOSS_FULL_MAPS,
};

static const enum fact stored_facts[] = {
	FACT_HOST, FACT_OS_RELEASE, FACT_ARCH,        FACT_TOOL_VERSION,   FACT_COMMAND_LINE,
	FACT_CPU,  FACT_CPU_ID,     FACT_CPUS_ONLINE, FACT_CPUS_AVAILABLE, FACT_MEMORY_KIB,
};

void merged_summary_init(struct merged_summary *summary)
{
	*summary = (struct merged_summary){ .capture_count = 0 };
	arena_init(&summary->arena);
}

void merged_summary_deinit(struct merged_summary *summary)
{
	vec_free(&summary->events);
	vec_free(&summary->label_keys);
	arena_deinit(&summary->arena);
}

static struct text copy(struct merged_summary *summary, struct text text)
{
	return (struct text){ arena_text(&summary->arena, text.length ? text.at : "", text.length),
			      text.length };
}

static void add_facts(struct merged_summary *summary, const struct merged_summary *more)
{
	for (size_t i = 0; i < FACT_COUNT; i++) {
		struct text *own = &summary->facts[i];

		if (!summary->capture_count && more->facts[i].at)
			*own = copy(summary, more->facts[i]);
		else if (!own->at || !more->facts[i].at || !text_equal(*own, more->facts[i]))
			*own = (struct text){ NULL, 0 };
	}
}

void merged_summary_add(struct merged_summary *summary, const struct merged_summary *more,
			uint64_t unknown_count)
{
	summary->losses[LOSS_UNKNOWN_RECORDS] =
		saturate_add(summary->losses[LOSS_UNKNOWN_RECORDS], unknown_count);
	summary->skipped_count = saturate_add(summary->skipped_count, more->skipped_count);
	if (!more->capture_count)
		return;
	add_facts(summary, more);
	summary->capture_count = saturate_add(summary->capture_count, more->capture_count);
	summary->partial_count = saturate_add(summary->partial_count, more->partial_count);
	summary->lacks_sample_counts |= more->lacks_sample_counts;
	saturate_add_all(summary->losses, more->losses, LOSS_KIND_COUNT);
}

void merged_summary_set_fact(struct merged_summary *summary, enum fact fact, struct text value)
{
	for (size_t i = 0; i < ARRAY_SIZE(stored_facts); i++)
		if (stored_facts[i] == fact && value.at && value.length <= LIMIT_MERGED_FACT_BYTES)
			summary->facts[fact] = copy(summary, value);
}

/* Names take at most half of a summary, so it is never too large. */
static bool count_name(struct merged_summary *summary, struct text name, struct error *err)
{
	summary->name_bytes += name.length;
	return summary->name_bytes <= LIMIT_MERGED_SUMMARY_BYTES / 2 ||
	       error_set(err, ERROR_LIMIT,
			 "event names and label keys together exceed the limit of %u bytes",
			 LIMIT_MERGED_SUMMARY_BYTES / 2);
}

struct merged_event *merged_summary_event(struct merged_summary *summary, struct text name,
					  enum weight_unit unit, struct error *err)
{
	size_t index =
		vec_count_first(&summary->events, row, merged_text_compare(row->name, name) < 0);

	if (index < summary->events.count && text_equal(summary->events.at[index].name, name))
		return &summary->events.at[index];
	if (summary->events.count == LIMIT_MERGED_EVENTS) {
		error_set(err, ERROR_LIMIT, "a merged profile can have at most %u events",
			  LIMIT_MERGED_EVENTS);
		return NULL;
	}
	if (!count_name(summary, name, err))
		return NULL;
	vec_push(&summary->events, (struct merged_event){ .unit = unit });
	memmove(&summary->events.at[index + 1], &summary->events.at[index],
		(summary->events.count - 1 - index) * sizeof(*summary->events.at));
	summary->events.at[index] =
		(struct merged_event){ .name = copy(summary, name), .unit = unit };
	return &summary->events.at[index];
}

bool merged_summary_add_key(struct merged_summary *summary, struct text key, struct error *err)
{
	size_t index =
		vec_count_first(&summary->label_keys, row, merged_text_compare(*row, key) < 0);

	if (index < summary->label_keys.count && text_equal(summary->label_keys.at[index], key))
		return true;
	if (summary->label_keys.count == LIMIT_MERGED_KEYS)
		return error_set(err, ERROR_LIMIT,
				 "a merged profile can have at most %u label keys",
				 LIMIT_MERGED_KEYS);
	if (!count_name(summary, key, err))
		return false;
	vec_push(&summary->label_keys, text_of(""));
	memmove(&summary->label_keys.at[index + 1], &summary->label_keys.at[index],
		(summary->label_keys.count - 1 - index) * sizeof(key));
	summary->label_keys.at[index] = copy(summary, key);
	return true;
}

static void write_losses(const struct merged_summary *summary, struct sink *sink)
{
	uint64_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(stored_losses); i++)
		count += summary->losses[stored_losses[i]] != 0;
	leb128_write(sink, count);
	for (size_t i = 0; i < ARRAY_SIZE(stored_losses); i++) {
		if (!summary->losses[stored_losses[i]])
			continue;
		leb128_write(sink, i);
		leb128_write(sink, summary->losses[stored_losses[i]]);
	}
}

static void write_facts(const struct merged_summary *summary, struct sink *sink)
{
	uint64_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(stored_facts); i++)
		count += summary->facts[stored_facts[i]].at != NULL;
	leb128_write(sink, count);
	for (size_t i = 0; i < ARRAY_SIZE(stored_facts); i++) {
		if (!summary->facts[stored_facts[i]].at)
			continue;
		leb128_write(sink, i);
		merged_string_write(sink, summary->facts[stored_facts[i]]);
	}
}

void merged_summary_write(const struct merged_summary *summary, struct sink *sink)
{
	leb128_write(sink, summary->capture_count);
	leb128_write(sink, summary->partial_count);
	leb128_write(sink, summary->skipped_count);
	leb128_write(sink, summary->lacks_sample_counts);
	leb128_write(sink, summary->stack_count);
	write_losses(summary, sink);
	write_facts(summary, sink);
	leb128_write(sink, summary->events.count);
	for (size_t i = 0; i < summary->events.count; i++) {
		const struct merged_event *event = &summary->events.at[i];

		merged_string_write(sink, event->name);
		leb128_write(sink, event->unit);
		leb128_write(sink, event->sample_count);
		leb128_write(sink, event->weight);
	}
	leb128_write(sink, summary->label_keys.count);
	for (size_t i = 0; i < summary->label_keys.count; i++)
		merged_string_write(sink, summary->label_keys.at[i]);
}

/* A later kiln may store more kinds of losses and facts, which are skipped. */
static bool read_losses(struct merged_summary *summary, struct span *span)
{
	uint64_t count;
	uint64_t number;
	uint64_t last = 0;
	uint64_t value;

	if (!leb128_unsigned(span, &count))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		if (!leb128_unsigned(span, &number) || !leb128_unsigned(span, &value) ||
		    (i && number <= last))
			return false;
		last = number;
		if (number < ARRAY_SIZE(stored_losses))
			summary->losses[stored_losses[number]] = value;
	}
	return true;
}

static bool read_facts(struct merged_summary *summary, struct span *span)
{
	uint64_t count;
	uint64_t number;
	uint64_t last = 0;
	struct text value;

	if (!leb128_unsigned(span, &count))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		if (!leb128_unsigned(span, &number) || !merged_string_read(span, &value) ||
		    (i && number <= last) || value.length > LIMIT_MERGED_FACT_BYTES)
			return false;
		last = number;
		if (number < ARRAY_SIZE(stored_facts))
			summary->facts[stored_facts[number]] = copy(summary, value);
	}
	return true;
}

/* Names are in order, so none is repeated. */
static bool read_events(struct merged_summary *summary, struct span *span)
{
	struct text last = { "", 0 };
	struct merged_event event;
	uint64_t count;
	uint64_t unit;

	if (!leb128_unsigned(span, &count) || count > LIMIT_MERGED_EVENTS)
		return false;
	for (uint64_t i = 0; i < count; i++) {
		if (!merged_string_read(span, &event.name) ||
		    merged_text_compare(last, event.name) >= 0 || !leb128_unsigned(span, &unit) ||
		    unit > UNIT_MILLIONTHS || !leb128_unsigned(span, &event.sample_count) ||
		    !leb128_unsigned(span, &event.weight))
			return false;
		last = event.name = copy(summary, event.name);
		event.unit = (enum weight_unit)unit;
		vec_push(&summary->events, event);
	}
	return true;
}

static bool read_keys(struct merged_summary *summary, struct span *span)
{
	struct text last = { "", 0 };
	struct text key;
	uint64_t count;

	if (!leb128_unsigned(span, &count) || count > LIMIT_MERGED_KEYS)
		return false;
	for (uint64_t i = 0; i < count; i++) {
		if (!merged_string_read(span, &key) || merged_text_compare(last, key) >= 0)
			return false;
		last = copy(summary, key);
		vec_push(&summary->label_keys, last);
	}
	return true;
}

bool merged_summary_read(struct merged_summary *summary, struct span bytes, struct error *err)
{
	uint64_t lacks;

	if (!leb128_unsigned(&bytes, &summary->capture_count) ||
	    !leb128_unsigned(&bytes, &summary->partial_count) ||
	    !leb128_unsigned(&bytes, &summary->skipped_count) || !leb128_unsigned(&bytes, &lacks) ||
	    !leb128_unsigned(&bytes, &summary->stack_count) || !read_losses(summary, &bytes) ||
	    !read_facts(summary, &bytes) || !read_events(summary, &bytes) ||
	    !read_keys(summary, &bytes) || summary->partial_count > summary->capture_count)
		return error_set(
			err, ERROR_CORRUPT,
			"the summary is corrupt, or exceeds the limit of %u events or %u label "
			"keys",
			LIMIT_MERGED_EVENTS, LIMIT_MERGED_KEYS);
	summary->lacks_sample_counts = lacks;
	return true;
}
