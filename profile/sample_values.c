/* SPDX-License-Identifier: MIT */
#include "profile/sample_values.h"

#include <inttypes.h>

#include "base/hash.h"

static bool is_value(const struct grouping *grouping, uint32_t level)
{
	return grouping->by[level] == GROUP_CGROUP || grouping->by[level] == GROUP_FIELD;
}

static void find_fields(struct sample_values *values, const struct profile *profile)
{
	const struct grouping *grouping = values->grouping;
	size_t next = 0;

	values->fields = memory_zalloc(profile->events.count * values->level_count,
				       sizeof(const struct field *));
	for (size_t i = 0; i < profile->events.count; i++)
		for (uint32_t k = 0; k < grouping->count; k++) {
			if (!is_value(grouping, k))
				continue;
			if (grouping->by[k] == GROUP_FIELD)
				values->fields[next] = profile_find_field(
					profile, &profile->events.at[i], grouping->fields[k]);
			next++;
		}
}

void sample_values_init(struct sample_values *values, const struct process_state *state,
			const struct profile *profile, const struct grouping *grouping)
{
	*values = (struct sample_values){ .state = state, .grouping = grouping };
	for (uint32_t i = 0; grouping && i < grouping->count; i++)
		values->level_count += is_value(grouping, i);
	strings_init(&values->texts);
	sink_init_memory(&values->line);
	if (values->level_count)
		find_fields(values, profile);
}

void sample_values_deinit(struct sample_values *values)
{
	strings_deinit(&values->texts);
	sink_deinit(&values->line);
	memory_free(values->fields);
	vec_free(&values->of_all);
}

static void write_cgroup(struct sample_values *values, const struct event_sample *sample)
{
	const struct process_state *state = values->state;
	uint32_t path = idmap_find(&state->cgroups, sample->cgroup);

	if (!(sample->present & SAMPLE_HAS_CGROUP))
		sink_puts(&values->line, "[no cgroup]");
	else if (path == IDMAP_NONE)
		sink_printf(&values->line, "cgroup %" PRIu64, sample->cgroup);
	else
		sink_text(&values->line, strings_get(state->strings, (str_id){ path }));
}

static void write_field(struct sample_values *values, const struct event_sample *sample,
			struct text name, const struct field *field)
{
	struct sink *line = &values->line;

	if (!field || !(sample->present & SAMPLE_HAS_RAW)) {
		sink_puts(line, "[no ");
		sink_text(line, name);
		sink_char(line, ']');
		return;
	}
	sink_text(line, name);
	sink_char(line, '=');
	field_write(field, sample->raw, line);
}

static void write_label(struct sample_values *values, const struct event_text_sample *sample,
			struct text key)
{
	struct sink *line = &values->line;
	const struct event_label *label = sample->labels;
	const struct event_label *end = label ? label + sample->label_count : NULL;

	while (label < end && !text_equal(label->key, key))
		label++;
	if (label == end)
		sink_puts(line, "[no ");
	sink_text(line, key);
	sink_char(line, label < end ? '=' : ']');
	if (label < end)
		sink_text(line, label->value);
}

/* Events in texts do not have tracepoint fields, but the samples may have labels. */
static void write_text_values(struct sample_values *values, const struct event_sample *sample)
{
	const struct grouping *grouping = values->grouping;

	for (uint32_t i = 0; i < grouping->count; i++) {
		if (!is_value(grouping, i))
			continue;
		if (grouping->by[i] == GROUP_CGROUP)
			write_cgroup(values, sample);
		else
			write_label(values, sample->text, grouping->fields[i]);
		sink_char(&values->line, '\0');
	}
}

static void write_values(struct sample_values *values, const struct event_sample *sample)
{
	const struct grouping *grouping = values->grouping;
	const struct field **field = values->fields + (size_t)sample->attr * values->level_count;

	for (uint32_t i = 0; i < grouping->count; i++) {
		if (!is_value(grouping, i))
			continue;
		if (grouping->by[i] == GROUP_CGROUP)
			write_cgroup(values, sample);
		else
			write_field(values, sample, grouping->fields[i], *field);
		sink_char(&values->line, '\0');
		field++;
	}
}

void sample_values_set(struct sample_values *values, const struct event_sample *sample,
		       struct callchain_key *key)
{
	struct text text;

	if (!values->level_count)
		return;
	values->line.used = 0;
	if (sample->text)
		write_text_values(values, sample);
	else
		write_values(values, sample);
	text = sink_memory(&values->line);
	key->values = strings_intern(&values->texts, text.at, text.length).i;
	key->values_hash = (uint32_t)hash_bytes(text.at, text.length, 0);
}

void sample_values_merge(struct strings *all, struct sample_values *from)
{
	for (size_t i = from->of_all.count; i < from->texts.rows.count; i++) {
		struct text text = from->texts.rows.at[i];

		vec_push(&from->of_all, strings_intern(all, text.at, text.length).i);
	}
}

struct text sample_values_part(struct text text, uint32_t index)
{
	struct span rest = span_of(text.at, text.length, 0, false);
	struct text part = { "", 0 };

	for (uint32_t i = 0; i <= index; i++)
		if (!span_cstring(&rest, &part))
			return text_of("");
	return part;
}
