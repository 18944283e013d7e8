/* SPDX-License-Identifier: MIT */
#include "profile/text_samples.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/idtable.h"
#include "base/memory.h"
#include "process/module_kind.h"
#include "process/process_history.h"

/* Maximum number of label keys of one event. A few keys suffice to describe a host. */
#define LIMIT_LABEL_KEYS 1024u

/* The fixed part of a serialised head, followed by the event's name, label keys and the comm. */
struct head_prefix {
	uint32_t unit;
	uint32_t is_histogram;
	uint32_t is_table;
	uint32_t has_comm;
	uint32_t event_length;
	uint32_t keys_length; /* each key ends in NUL */
};

void text_samples_init(struct text_samples *samples)
{
	*samples = (struct text_samples){ .last_head = RAW_TEXT_NONE };
	raw_texts_init(&samples->frames);
	raw_texts_init(&samples->heads);
}

void text_samples_deinit(struct text_samples *samples)
{
	raw_texts_deinit(&samples->frames);
	raw_texts_deinit(&samples->heads);
	vec_free(&samples->counts);
	vec_free(&samples->chain);
	vec_free(&samples->chain_rows);
	vec_free(&samples->line);
	vec_free(&samples->of_heads);
	vec_free(&samples->of_frames);
	vec_free(&samples->is_kernel);
}

void text_samples_clear(struct text_samples *samples)
{
	text_samples_deinit(samples);
	text_samples_init(samples);
}

static uint32_t length_of_keys(const struct event_text_sample *text)
{
	uint32_t length = 0;

	for (uint32_t i = 0; i < text->label_count; i++)
		length += text->labels[i].key.length + 1;
	return length;
}

static char *copy_text(char *to, struct text text)
{
	if (text.length)
		memcpy(to, text.at, text.length);
	return to + text.length;
}

static struct text write_head(struct text_samples *samples, const struct event_text_sample *text)
{
	struct head_prefix prefix = { text->unit,         text->is_histogram,
				      text->is_table,     text->comm.at != NULL,
				      text->event.length, length_of_keys(text) };
	size_t length =
		sizeof(prefix) + text->event.length + prefix.keys_length + text->comm.length;
	char *at;

	vec_reserve(&samples->line, length);
	at = samples->line.at;
	memcpy(at, &prefix, sizeof(prefix));
	at = copy_text(at + sizeof(prefix), text->event);
	for (uint32_t i = 0; i < text->label_count; i++) {
		at = copy_text(at, text->labels[i].key);
		*at++ = '\0';
	}
	copy_text(at, text->comm);
	return (struct text){ samples->line.at, (uint32_t)length };
}

void text_samples_set_head(struct text_samples *samples, const struct event_sample *sample,
			   struct callchain_key *key)
{
	struct text head = write_head(samples, sample->text);
	const struct raw_text *last = samples->last_head == RAW_TEXT_NONE
					      ? NULL
					      : &samples->heads.rows.at[samples->last_head];

	if (!last || !text_equal(last->text, head)) {
		samples->last_head =
			raw_texts_intern(&samples->heads, head, raw_texts_number(head));
		last = &samples->heads.rows.at[samples->last_head];
	}
	while (samples->counts.count < samples->heads.rows.count)
		vec_push(&samples->counts, (struct text_count){ .first_time_ns = UINT64_MAX });
	key->head = last->number;
	key->unnamed_tid = sample->text->comm.at ? 0 : sample->tid;
}

const uint64_t *text_samples_callchain(struct text_samples *samples,
				       const struct event_text_sample *text, uint32_t *count_ret)
{
	uint32_t count = text->frame_count;

	vec_reserve(&samples->chain, count);
	raw_texts_intern_all(&samples->frames, text->frames, count, samples->chain.at);
	if (text->is_outermost_first)
		for (uint32_t i = 0; i < count / 2; i++) {
			uint64_t number = samples->chain.at[i];

			samples->chain.at[i] = samples->chain.at[count - 1 - i];
			samples->chain.at[count - 1 - i] = number;
		}
	*count_ret = count;
	return samples->chain.at;
}

const uint32_t *text_samples_rows(struct text_samples *samples, const struct text *frames,
				  uint32_t count)
{
	vec_reserve(&samples->chain_rows, count);
	raw_texts_intern_rows(&samples->frames, frames, count, samples->chain_rows.at);
	return samples->chain_rows.at;
}

/* The standard error of a sum is at most the sum of the standard errors. */
static void add_deviation(struct text_count *count, double deviation, uint64_t deviation_count,
			  uint32_t run_count)
{
	count->deviation += deviation;
	count->deviation_count += deviation_count;
	if (run_count > count->run_count)
		count->run_count = run_count;
}

void text_samples_count(struct text_samples *samples, const struct event *event, uint64_t period)
{
	const struct event_sample *sample = &event->sample;
	struct text_count *count = &samples->counts.at[samples->last_head];

	count->sample_count = saturate_add(count->sample_count, sample->text->sample_count);
	count->period_sum = saturate_add(count->period_sum, period);
	count->present |= sample->present;
	count->has_callchain |= sample->text->frame_count > 1;
	add_deviation(count, sample->text->deviation, sample->text->has_deviation,
		      sample->text->run_count);
}

uint64_t *text_samples_first_time(struct text_samples *samples)
{
	return &samples->counts.at[samples->last_head].first_time_ns;
}

void text_samples_merge(struct text_samples *all, struct text_samples *from)
{
	raw_texts_merge(&all->frames, &from->frames, from->merged_count);
	from->merged_count = from->frames.rows.count;
	for (size_t i = 0; i < from->heads.rows.count; i++) {
		const struct raw_text *raw = &from->heads.rows.at[i];
		struct text_count *more = &from->counts.at[i];
		uint32_t row = raw_texts_intern(&all->heads, raw->text, raw->number);
		struct text_count *count;

		if (row == all->counts.count)
			vec_push(&all->counts, (struct text_count){ .first_time_ns = UINT64_MAX });
		count = &all->counts.at[row];
		count->sample_count = saturate_add(count->sample_count, more->sample_count);
		count->period_sum = saturate_add(count->period_sum, more->period_sum);
		count->present |= more->present;
		count->has_callchain |= more->has_callchain;
		add_deviation(count, more->deviation, more->deviation_count, more->run_count);
		if (more->first_time_ns < count->first_time_ns)
			count->first_time_ns = more->first_time_ns;
		*more = (struct text_count){ .first_time_ns = UINT64_MAX };
	}
	all->heads.is_ambiguous |= from->heads.is_ambiguous;
}

/*
 * Interned text ends at its first NUL, so NULs are removed first. A file with a hole contains
 * thousands of NULs, which would be invisible in a name.
 */
static str_id intern(struct strings *strings, struct text text)
{
	bool has_nul = text.length && memchr(text.at, '\0', text.length);
	uint32_t length = 0;
	char *copy;
	str_id id;

	if (!has_nul)
		return strings_intern(strings, text.length ? text.at : "", text.length);
	copy = memory_alloc(text.length, 1);
	for (uint32_t i = 0; i < text.length; i++)
		if (text.at[i])
			copy[length++] = text.at[i];
		else if (!i || text.at[i - 1])
			copy[length++] = '?';
	id = strings_intern(strings, copy, length);
	memory_free(copy);
	return id;
}

static module_id intern_module(struct profile *profile, const struct event_frame *frame,
			       module_id kernel)
{
	struct module module = {
		.path = intern(profile->strings, frame->module),
		.build_id = frame->build_id,
	};

	if (!frame->module.length)
		return frame->is_kernel ? kernel : (module_id){ 0 };
	module.kind = module_kind_of_text(frame->module, &module.pid);
	/* A BPF program is a separate module, whose path is the name of its function. */
	if (frame->is_kernel && module.kind == MODULE_FILE)
		module.kind = MODULE_KSYMBOL;
	return modules_intern(profile->modules, &module);
}

static bool is_kernel_module(const struct profile *profile, module_id module)
{
	switch (modules_get(profile->modules, module)->kind) {
	case MODULE_KERNEL:
	case MODULE_KERNEL_MODULE:
	case MODULE_KSYMBOL:
		return true;
	default:
		return false;
	}
}

/* The module of an earlier frame. */
struct known_module {
	struct text path; /* of the module, which is that of the frame; .at is NULL if none */
	bool is_kernel;   /* as in event_frame */
	module_id module;
};

#define KNOWN_MODULES_COUNT 32

/* The context of the frame reader. */
struct finisher {
	struct text_samples *samples;
	struct profile *profile;
	struct locations *locations;
	module_id kernel;
	struct idtable event_of_name; /* rows of profile->events by name */
	struct idtable field_of_key;  /* rows of profile->fields by event and key */
	struct known_module known_modules[KNOWN_MODULES_COUNT]; /* by length of the path */
};

/* Most frames have the module of an earlier frame, so most paths need not be looked up. */
static module_id find_module(struct finisher *finisher, const struct event_frame *frame)
{
	struct known_module *known =
		&finisher->known_modules[frame->module.length % KNOWN_MODULES_COUNT];
	struct profile *profile = finisher->profile;
	module_id module;
	struct text path;

	if (known->path.at && !frame->build_id.size_bytes && known->is_kernel == frame->is_kernel &&
	    text_equal(known->path, frame->module))
		return known->module;
	module = intern_module(profile, frame, finisher->kernel);
	path = strings_get(profile->strings, modules_get(profile->modules, module)->path);
	if (!frame->build_id.size_bytes && text_equal(path, frame->module))
		*known = (struct known_module){ path, frame->is_kernel, module };
	return module;
}

static void add_location(void *context, const struct event_frame *frame)
{
	struct finisher *finisher = context;
	struct profile *profile = finisher->profile;
	struct location location = {
		.module = find_module(finisher, frame),
		.address = frame->address,
		.symbol_start = frame->address - frame->offset,
		.is_named = frame->is_exact || frame->name.length > 0,
		.name = intern(profile->strings, frame->name),
		.is_exact = frame->is_exact,
		.kind = frame->is_inlined ? LOCATION_INLINED
			: frame->is_jit   ? LOCATION_JIT
			: frame->is_group ? LOCATION_GROUP
			: frame->is_mark  ? LOCATION_MARK
					  : LOCATION_OF_MODULE,
	};
	struct module *module = modules_get(profile->modules, location.module);

	module->location_count++;
	module->named_count += location.is_named;
	vec_push(&finisher->locations->rows, location);
	vec_push(&finisher->samples->is_kernel, is_kernel_module(profile, location.module));
}

/* Extends an event with the data of another head that has the event's name. */
static void extend_event(struct profile_event *event, const struct head_prefix *prefix)
{
	event->is_histogram |= prefix->is_histogram;
	/* An event is a table only if all its rows are keys. */
	event->is_table |= !event->sample_count;
	event->is_table &= prefix->is_table;
	/* If any head has no periods, the event's samples are counted. */
	if (prefix->unit == UNIT_SAMPLES)
		event->unit = UNIT_SAMPLES;
}

/* Returns the event with this name; adds it if it is new. */
static uint32_t find_event(struct finisher *finisher, struct text name,
			   const struct head_prefix *prefix)
{
	struct profile *profile = finisher->profile;
	str_id id = intern(profile->strings, name);
	struct idtable_probe probe = idtable_find(&finisher->event_of_name, hash_u64(id.i));
	uint32_t count = (uint32_t)profile->events.count;
	uint32_t row;

	while ((row = idtable_next(&finisher->event_of_name, &probe)) != IDTABLE_NONE) {
		if (profile->events.at[row].name.i != id.i)
			continue;
		extend_event(&profile->events.at[row], prefix);
		return row;
	}
	idtable_add(&finisher->event_of_name, hash_u64(id.i), count);
	vec_push(&profile->events, (struct profile_event){
					   .name = id,
					   .unit = (enum weight_unit)prefix->unit,
					   .is_histogram = prefix->is_histogram,
					   .is_table = prefix->is_table,
					   .first_time_ns = UINT64_MAX,
				   });
	return count;
}

/* Adds the events that the capture described before its samples, such as the maps of bpftrace. */
static void add_described_events(struct finisher *finisher)
{
	for (uint32_t row = 0; row < finisher->profile->events.count; row++) {
		struct profile_event *event = &finisher->profile->events.at[row];

		event->has_attr = false;
		idtable_add(&finisher->event_of_name, hash_u64(event->name.i), row);
	}
}

static void add_head(struct finisher *finisher, size_t row)
{
	struct text_samples *samples = finisher->samples;
	struct profile *profile = finisher->profile;
	struct text raw = samples->heads.rows.at[row].text;
	const struct text_count *count = &samples->counts.at[row];
	struct head_prefix prefix;
	struct profile_event *event;
	struct text_head head;
	const char *at = raw.at + sizeof(prefix);

	memcpy(&prefix, raw.at, sizeof(prefix));
	head.event = find_event(finisher, (struct text){ at, prefix.event_length }, &prefix);
	at += prefix.event_length + prefix.keys_length;
	head.comm = prefix.has_comm
			    ? intern(profile->strings,
				     (struct text){ at, (uint32_t)(raw.at + raw.length - at) })
				      .i
			    : PROCESS_HISTORY_NONE;
	vec_push(&samples->of_heads, head);

	event = &profile->events.at[head.event];
	event->sample_count = saturate_add(event->sample_count, count->sample_count);
	event->period_sum = saturate_add(event->period_sum, count->period_sum);
	event->sample_type |= count->present;
	event->has_callchain |= count->has_callchain;
	event->deviation += count->deviation;
	event->has_deviation =
		count->deviation_count && count->deviation_count == count->sample_count;
	event->run_count = count->run_count;
	if (count->first_time_ns < event->first_time_ns)
		event->first_time_ns = count->first_time_ns;
	profile->sample_count = saturate_add(profile->sample_count, count->sample_count);
}

/*
 * Adds a key to the fields of an event, unless it is already there. The fields of the event must be
 * the last fields.
 */
static bool add_key(struct finisher *finisher, uint32_t event_row, struct text key,
		    struct error *err)
{
	struct profile *profile = finisher->profile;
	struct profile_event *event = &profile->events.at[event_row];
	str_id id = intern(profile->strings, key);
	uint64_t hash = hash_pair(event_row, id.i);
	struct idtable_probe probe = idtable_find(&finisher->field_of_key, hash);
	uint32_t row;

	key = strings_get(profile->strings, id);
	while ((row = idtable_next(&finisher->field_of_key, &probe)) != IDTABLE_NONE)
		if (row >= event->field_first && text_equal(profile->fields.at[row].name, key))
			return true;
	if (event->field_count == LIMIT_LABEL_KEYS)
		return error_set(err, ERROR_LIMIT,
				 "labels of an event have more keys than the limit of %u",
				 LIMIT_LABEL_KEYS);
	idtable_add(&finisher->field_of_key, hash, (uint32_t)profile->fields.count);
	/* A label is a text, so it cannot be a weight. */
	vec_push(&profile->fields, (struct field){ .name = key, .is_array = true });
	event->field_count++;
	return true;
}

/* Adds the label keys in one head to the fields of its event. */
static bool add_keys(struct finisher *finisher, uint32_t event_row, struct text raw,
		     struct error *err)
{
	struct head_prefix prefix;
	struct span keys;
	struct text key;

	memcpy(&prefix, raw.at, sizeof(prefix));
	keys = span_of(raw.at + sizeof(prefix) + prefix.event_length, prefix.keys_length, 0, false);
	while (span_cstring(&keys, &key))
		if (!add_key(finisher, event_row, key, err))
			return false;
	return true;
}

struct head_of_event {
	uint32_t event, head;
};

static int compare_heads(const void *a, const void *b)
{
	const struct head_of_event *left = a;
	const struct head_of_event *right = b;

	if (left->event != right->event)
		return left->event < right->event ? -1 : 1;
	return (left->head > right->head) - (left->head < right->head);
}

/*
 * Adds labels as fields, because --by treats labels like tracepoint fields. The fields of an event
 * are adjacent.
 */
static bool list_labels(struct finisher *finisher, struct error *err)
{
	const struct text_samples *samples = finisher->samples;
	struct profile *profile = finisher->profile;
	size_t count = samples->heads.rows.count;
	struct head_of_event *order = memory_alloc(count + 1, sizeof(*order));
	bool good = true;

	for (uint32_t i = 0; i < count; i++)
		order[i] = (struct head_of_event){ samples->of_heads.at[i].event, i };
	if (count)
		qsort(order, count, sizeof(*order), compare_heads);
	for (size_t i = 0; good && i < count; i++) {
		struct profile_event *event = &profile->events.at[order[i].event];

		if (!i || order[i].event != order[i - 1].event)
			event->field_first = (uint32_t)profile->fields.count;
		good = add_keys(finisher, order[i].event,
				samples->heads.rows.at[order[i].head].text, err);
	}
	memory_free(order);
	return good;
}

bool text_samples_finish(struct text_samples *samples, event_frame_reader *read_frame,
			 const void *reader, struct profile *profile, struct locations *locations,
			 module_id kernel, struct error *err)
{
	struct finisher finisher = {
		.samples = samples,
		.profile = profile,
		.locations = locations,
		.kernel = kernel,
	};
	bool good;

	if (samples->frames.is_ambiguous || samples->heads.is_ambiguous)
		return error_set(err, ERROR_LIMIT,
				 "two different frames have the same hash by chance; run kiln "
				 "again");
	idtable_init(&finisher.event_of_name);
	add_described_events(&finisher);
	vec_reserve(&samples->of_frames, samples->frames.rows.count + 1);
	vec_reserve(&samples->is_kernel, samples->frames.rows.count);
	vec_reserve(&locations->rows, samples->frames.rows.count);
	for (size_t i = 0; i < samples->frames.rows.count; i++) {
		vec_push(&samples->of_frames, (uint32_t)locations->rows.count);
		read_frame(reader, samples->frames.rows.at[i].text, add_location, &finisher);
	}
	vec_push(&samples->of_frames, (uint32_t)locations->rows.count);
	for (size_t i = 0; i < samples->heads.rows.count; i++)
		add_head(&finisher, i);
	idtable_deinit(&finisher.event_of_name);
	idtable_init(&finisher.field_of_key);
	good = list_labels(&finisher, err);
	idtable_deinit(&finisher.field_of_key);
	if (!good)
		return false;
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].unit == UNIT_SAMPLES)
			profile->events.at[i].period_sum = profile->events.at[i].sample_count;
	raw_texts_forget(&samples->frames);
	for (size_t i = 0; i < profile->modules->rows.count; i++)
		modules_get(profile->modules, (module_id){ (uint32_t)i })->match = MATCH_NO_FILE;
	return true;
}
