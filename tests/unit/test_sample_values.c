/* SPDX-License-Identifier: MIT */
#include "profile/sample_values.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

static const unsigned char raw_bytes[] = { 1, 2, 'm', 'k', 0, 0 };

struct fixture {
	struct profile profile;
	struct process_state state;
	struct grouping grouping;
};

/* Two events; the first has fields id and comm. Cgroup 5 is /a. */
static void begin(struct fixture *fixture, const char *by)
{
	static const struct field fields[] = {
		{ .name = { "id", 2 }, .size_bytes = 1 },
		{ .name = { "comm", 4 },
		  .offset = 2,
		  .size_bytes = 4,
		  .is_array = true,
		  .is_text = true },
	};
	struct event attr = { .kind = EVENT_ATTR };
	struct event cgroup = { .kind = EVENT_CGROUP, .cgroup = { 5, { "/a", 2 } } };
	struct error err;

	profile_init(&fixture->profile);
	process_state_init(&fixture->state, fixture->profile.strings, fixture->profile.modules);
	attr.attr =
		(struct event_attr){ .name = text_of("x:y"), .fields = fields, .field_count = 2 };
	process_state_on_event(&fixture->state, &attr);
	attr.attr = (struct event_attr){ .name = text_of("cycles") };
	process_state_on_event(&fixture->state, &attr);
	process_state_on_event(&fixture->state, &cgroup);
	process_state_finish(&fixture->state);
	profile_begin(&fixture->profile, &fixture->state);
	cr_assert(grouping_parse(by, &fixture->grouping, &err));
}

static void end(struct fixture *fixture)
{
	process_state_deinit(&fixture->state);
	profile_deinit(&fixture->profile);
}

static struct callchain_key take(struct sample_values *values, uint32_t attr, uint64_t cgroup,
				 uint64_t present)
{
	struct event_sample sample = {
		.attr = attr,
		.cgroup = cgroup,
		.present = present,
		.raw = span_of(raw_bytes, sizeof(raw_bytes), 0, false),
	};
	struct callchain_key key = { 0 };

	sample_values_set(values, &sample, &key);
	return key;
}

Test(sample_values, text)
{
	static const struct {
		const char *by;
		uint32_t attr;
		uint64_t cgroup, present;
		const char *parts[3];
	} rows[] = {
		{ "id", 0, 0, SAMPLE_HAS_RAW, { "id=1", "" } },
		{ "event,cgroup,comm,pid,id",
		  0,
		  5,
		  SAMPLE_HAS_RAW | SAMPLE_HAS_CGROUP,
		  { "/a", "id=1", "" } },
		{ "cgroup", 0, 6, SAMPLE_HAS_CGROUP, { "cgroup 6" } },
		{ "cgroup,id", 0, 5, 0, { "[no cgroup]", "[no id]" } },
		{ "id,cgroup", 1, 5, SAMPLE_HAS_RAW | SAMPLE_HAS_CGROUP, { "[no id]", "/a" } },
		{ "nothing", 0, 5, SAMPLE_HAS_RAW, { "[no nothing]" } },
		{ "comm,event", 0, 5, SAMPLE_HAS_RAW, { "" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sample_values values;
		struct fixture fixture;
		struct callchain_key key;

		begin(&fixture, rows[i].by);
		sample_values_init(&values, &fixture.state, &fixture.profile, &fixture.grouping);
		key = take(&values, rows[i].attr, rows[i].cgroup, rows[i].present);
		for (uint32_t k = 0; k < ARRAY_SIZE(rows[i].parts) && rows[i].parts[k]; k++) {
			struct text text = strings_get(&values.texts, (str_id){ key.values });
			struct text part = sample_values_part(text, k);

			cr_expect(text_is(part, rows[i].parts[k]), "row %zu: %.*s", i,
				  (int)part.length, part.at);
		}
		sample_values_deinit(&values);
		end(&fixture);
	}
	assert_no_leaks();
}

/*
 * Workers that met the same values in different orders have the same hashes, and, after merging,
 * the same ids.
 */
Test(sample_values, of_several_workers)
{
	static const uint64_t cgroups[2][3] = { { 5, 6, 7 }, { 7, 8, 5 } };
	struct sample_values values[2];
	struct callchain_key keys[2][3];
	struct fixture fixture;
	struct strings all;

	begin(&fixture, "cgroup");
	strings_init(&all);
	for (int w = 0; w < 2; w++) {
		sample_values_init(&values[w], &fixture.state, &fixture.profile, &fixture.grouping);
		for (int i = 0; i < 3; i++) {
			keys[w][i] = take(&values[w], 0, cgroups[w][i], SAMPLE_HAS_CGROUP);
			/* Merges after each round, as when samples are read. */
			sample_values_merge(&all, &values[w]);
		}
		for (int i = 0; i < 3; i++)
			keys[w][i].values = values[w].of_all.at[keys[w][i].values];
	}
	cr_expect_eq(memcmp(&keys[0][0], &keys[1][2], sizeof(keys[0][0])), 0);
	cr_expect_eq(memcmp(&keys[0][2], &keys[1][0], sizeof(keys[0][0])), 0);
	cr_expect_neq(keys[0][1].values, keys[1][1].values);
	cr_expect_eq(all.rows.count, 5); /* and the empty text */
	for (int w = 0; w < 2; w++)
		sample_values_deinit(&values[w]);
	strings_deinit(&all);
	end(&fixture);
	assert_no_leaks();
}
