/* SPDX-License-Identifier: MIT */
#include "profile/ingest.h"

#include <criterion/criterion.h>

#include "tests/support/callchain_list.h"
#include "tests/support/leaks.h"

#define PRESENT (SAMPLE_HAS_IP | SAMPLE_HAS_TID | SAMPLE_HAS_TIME | SAMPLE_HAS_PERIOD)

struct fixture {
	struct profile profile;
	struct process_state state;
	struct ingest ingest;
};

static void take_state(struct fixture *fixture, const struct event *event)
{
	process_state_on_event(&fixture->state, event);
}

/* Makes two events, and process 7, which is called "old", and from time 100 on "new". */
static void begin(struct fixture *fixture, const struct ingest_options *options)
{
	profile_init(&fixture->profile);
	process_state_init(&fixture->state, fixture->profile.strings, fixture->profile.modules);
	for (int i = 0; i < 2; i++)
		take_state(fixture, &(struct event){ .kind = EVENT_ATTR,
						     .attr = { .name = text_of("cycles"),
							       .sample_type = SAMPLE_HAS_TIME } });
	for (int i = 0; i < 2; i++)
		take_state(fixture,
			   &(struct event){ .kind = EVENT_COMM,
					    .has_time = true,
					    .time_ns = i ? 100 : 1,
					    .comm = { 7, 7, false, text_of(i ? "new" : "old") } });
	process_state_finish(&fixture->state);
	profile_begin(&fixture->profile, &fixture->state);
	ingest_init(&fixture->ingest, &fixture->state, &fixture->profile, &view_default, options);
}

static void end(struct fixture *fixture)
{
	ingest_deinit(&fixture->ingest);
	process_state_deinit(&fixture->state);
	profile_deinit(&fixture->profile);
}

static void take(struct fixture *fixture, uint64_t time_ns, const struct event_sample *sample)
{
	struct event event = {
		.kind = EVENT_SAMPLE,
		.has_time = time_ns,
		.time_ns = time_ns,
		.offset = 1000 + time_ns,
	};

	event.sample = *sample;
	ingest_on_event(&fixture->ingest, &event);
}

struct chain_row {
	const char *what;
	bool has_chain;
	uint64_t ips[5];
	uint32_t count;
	uint32_t expected, literal; /* number of entries that are kept; 9: the ip alone */
};

#define IP_ALONE 9

static const struct chain_row chain_rows[] = {
	{ "plain", true, { CALLCHAIN_USER, 0x5000, 0x6000 }, 3, 3, 3 },
	{ "junk at the end", true, { CALLCHAIN_USER, 0x5000, 0xfff }, 3, 2, 3 },
	{ "more junk", true, { CALLCHAIN_USER, 0x5000, 0, 1, 0xfff }, 5, 2, 5 },
	{ "the lowest address there is", true, { CALLCHAIN_USER, 0x5000, 0x1000 }, 3, 3, 3 },
	{ "junk in the middle", true, { CALLCHAIN_USER, 7, 0x5000 }, 3, 3, 3 },
	{ "nothing but junk", true, { 7, 8 }, 2, 1, 2 },
	{ "a marker at the end", true, { 0x5000, CALLCHAIN_USER }, 2, 2, 2 },
	{ "empty", true, { 0 }, 0, IP_ALONE, 0 },
	{ "none recorded", false, { 0 }, 0, IP_ALONE, IP_ALONE },
};

Test(ingest, chains_are_trimmed_but_for_comparison_with_perf)
{
	for (size_t i = 0; i < ARRAY_SIZE(chain_rows); i++) {
		for (int is_literal = 0; is_literal < 2; is_literal++) {
			const struct chain_row *row = &chain_rows[i];
			uint32_t kept = is_literal ? row->literal : row->expected;
			struct event_sample sample = {
				.pid = 7,
				.tid = 7,
				.present = PRESENT | (row->has_chain ? SAMPLE_HAS_CALLCHAIN : 0),
				.ip = 0xabc0,
				.ips = row->count ? row->ips : NULL,
				.ip_count = row->count,
			};
			struct ingest_options options = { .is_literal = is_literal };
			const struct callchain_key key = { 0 };
			struct fixture fixture;
			const uint64_t *ips;
			uint32_t count;

			begin(&fixture, &options);
			ips = ingest_callchain_of(&fixture.ingest, &sample, &key, &count);
			cr_expect_eq(count, kept == IP_ALONE ? 1 : kept, "%s, literal %d",
				     row->what, is_literal);
			if (kept == IP_ALONE)
				cr_expect_eq(ips[0], 0xabc0, "%s", row->what);
			else if (kept)
				cr_expect_eq(memcmp(ips, row->ips, kept * 8), 0, "%s", row->what);
			end(&fixture);
		}
	}
	assert_no_leaks();
}

/* A sample without an address is counted, but has no frames. */
Test(ingest, no_chain_and_no_ip)
{
	struct event_sample sample = {
		.pid = 7, .tid = 7, .present = SAMPLE_HAS_TID, .ip = 0x1234
	};
	struct ingest_options options = { 0 };
	struct callchain_list list;
	struct fixture fixture;

	begin(&fixture, &options);
	take(&fixture, 50, &sample);
	callchain_list_init(&list, &fixture.ingest.chains);
	cr_assert_eq(list.rows.count, 1);
	cr_expect_eq(list.rows.at[0].chain.ip, CALLCHAIN_NO_IP);
	callchain_list_deinit(&list);
	end(&fixture);
}

Test(ingest, a_period_of_zero_counts_one)
{
	static const uint64_t periods[] = { 0, 10, 0, 1 };
	struct ingest_options options = { 0 };
	struct callchain_list list;
	struct fixture fixture;

	begin(&fixture, &options);
	for (size_t i = 0; i < ARRAY_SIZE(periods); i++)
		take(&fixture, 50,
		     &(struct event_sample){ .pid = 7,
					     .tid = 7,
					     .present = PRESENT,
					     .ip = 0x5000,
					     .period = periods[i] });
	cr_expect_eq(fixture.ingest.events[0].sample_count, 4);
	cr_expect_eq(fixture.ingest.events[0].period_sum, 13);
	callchain_list_init(&list, &fixture.ingest.chains);
	cr_assert_eq(list.rows.count, 1);
	cr_expect_eq(list.rows.at[0].chain.period_sum, 13);
	cr_expect_eq(list.rows.at[0].chain.sample_count, 4);
	callchain_list_deinit(&list);
	end(&fixture);
}

Test(ingest, a_sample_has_the_state_of_its_time)
{
	static const struct {
		uint64_t time_ns; /* 0: the end */
		uint32_t pid, tid;
		const char *comm;
		uint32_t unnamed_tid;
	} rows[] = {
		{ 50, 7, 7, "old", 0 },
		{ 150, 7, 7, "new", 0 },
		{ 60, 7, 7, "old", 0 },
		{ 0, 7, 7, "new", 0 },
		{ 50, 9, 9, NULL, 9 },
		{ 99, 7, 7, "old", 0 },
		{ 100, 7, 7, "new", 0 },
		/* Another thread with the same slot in the cache of recent look-ups. */
		{ 100, 7, 7 + 1024, NULL, 7 + 1024 },
		{ 100, 7, 7, "new", 0 },
		{ 50, 8, 7, "old", 0 },
	};
	struct ingest_options options = { 0 };
	struct fixture fixture;

	begin(&fixture, &options);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event event = { .kind = EVENT_SAMPLE,
				       .has_time = rows[i].time_ns,
				       .time_ns = rows[i].time_ns };
		struct callchain_key key;

		event.sample.attr = 1;
		event.sample.pid = rows[i].pid;
		event.sample.tid = rows[i].tid;
		event.sample.cpu_mode = CPU_MODE_USER;
		key = ingest_key_of(&fixture.ingest, &event);
		cr_expect_eq(key.event, 1);
		cr_expect_eq(key.entry_kind, CPU_MODE_USER);
		cr_expect_eq(key.unnamed_tid, rows[i].unnamed_tid, "row %zu", i);
		cr_expect_eq(key.comm,
			     rows[i].comm
				     ? strings_intern_text(fixture.profile.strings, rows[i].comm).i
				     : PROCESS_HISTORY_NONE,
			     "row %zu", i);
	}
	end(&fixture);
}

Test(ingest, counts_go_to_the_profile)
{
	static const struct {
		uint32_t event;
		uint64_t time_ns;
	} samples[] = { { 0, 300 }, { 0, 200 }, { 1, 500 }, { 0, 0 } };
	struct ingest_options options = { .keeps_rows = true };
	struct fixture fixture;
	struct event loss = { .kind = EVENT_LOSS, .loss = { LOSS_UNKNOWN_IDS, 3 } };

	begin(&fixture, &options);
	cr_expect_not(profile_has_time(&fixture.profile));
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++)
		take(&fixture, samples[i].time_ns,
		     &(struct event_sample){ .attr = samples[i].event,
					     .pid = 7,
					     .tid = 7,
					     .present = PRESENT,
					     .period = 10 });
	ingest_on_event(&fixture.ingest, &loss);
	for (int twice = 1; twice <= 2; twice++) {
		const struct profile *profile = &fixture.profile;
		uint64_t times = (uint64_t)twice;

		ingest_add_counts(&fixture.ingest, &fixture.profile);
		cr_expect_eq(profile->sample_count, 4 * times);
		cr_expect_eq(profile->events.at[0].sample_count, 3 * times);
		cr_expect_eq(profile->events.at[0].period_sum, 30 * times);
		cr_expect_eq(profile->events.at[0].first_time_ns, 200);
		cr_expect_eq(profile->events.at[1].first_time_ns, 500);
		cr_expect_eq(profile->losses[LOSS_UNKNOWN_IDS], 3 * times);
		cr_expect_eq(profile->first_time_ns, 200);
		cr_expect_eq(profile->last_time_ns, 500);
		cr_expect(profile_has_time(profile));
	}
	cr_assert_eq(fixture.ingest.rows.count, 4);
	cr_expect_eq(fixture.ingest.rows.at[1].time_ns, 200);
	cr_expect_eq(fixture.ingest.rows.at[1].offset, 1200);
	cr_expect_eq(fixture.ingest.rows.at[3].time_ns, 0);
	end(&fixture);
	assert_no_leaks();
}
