/* SPDX-License-Identifier: MIT */
#include "process/deferred.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#define COOKIE ((uint64_t)3 << 48 | 77)

static void add(struct deferred_callchains *chains, uint32_t tid, uint64_t cookie,
		const uint64_t *ips, size_t count, bool swapped)
{
	uint64_t words[4];

	for (size_t i = 0; i < count; i++)
		words[i] = swapped ? __builtin_bswap64(ips[i]) : ips[i];
	deferred_add(chains, &(struct event_deferred_callchain){
				     .tid = tid,
				     .cookie = cookie,
				     .ips = span_of(words, count * sizeof(*words), 0, swapped),
			     });
}

static const uint64_t user[] = { CALLCHAIN_USER, 0x1000, 0x2000 };

static const struct {
	const char *what;
	uint32_t tid;
	uint64_t ips[4];
	uint32_t ip_count;
	bool good;
	uint64_t expected[6];
	uint32_t expected_count;
} rows[] = {
	{ "behind the kernel's part",
	  7,
	  { CALLCHAIN_KERNEL, 0x99, CALLCHAIN_USER_DEFERRED, COOKIE },
	  4,
	  true,
	  { CALLCHAIN_KERNEL, 0x99, CALLCHAIN_USER, 0x1000, 0x2000 },
	  5 },
	{ "alone",
	  7,
	  { CALLCHAIN_USER_DEFERRED, COOKIE },
	  2,
	  true,
	  { CALLCHAIN_USER, 0x1000, 0x2000 },
	  3 },
	{ "another thread's", 8, { 0x99, CALLCHAIN_USER_DEFERRED, COOKIE }, 3, false, { 0x99 }, 1 },
	{ "another cookie",
	  7,
	  { 0x99, CALLCHAIN_USER_DEFERRED, COOKIE + 1 },
	  3,
	  false,
	  { 0x99 },
	  1 },
	{ "never came, and nothing else", 7, { CALLCHAIN_USER_DEFERRED, 1 }, 2, false, { 0 }, 0 },
	{ "of no thread in particular",
	  8,
	  { CALLCHAIN_USER_DEFERRED, 5 },
	  2,
	  true,
	  { CALLCHAIN_USER, 0x3000 },
	  2 },
	{ "empty", 7, { 0x99, CALLCHAIN_USER_DEFERRED, 6 }, 3, true, { 0x99 }, 1 },
	{ "the first of two",
	  7,
	  { CALLCHAIN_USER_DEFERRED, 8 },
	  2,
	  true,
	  { CALLCHAIN_USER, 0x1000, 0x2000 },
	  3 },
};

static void expect_rows(bool swapped)
{
	static const uint64_t unmarked[] = { 0x3000 };
	struct callchain_buffer chain = { 0 };
	struct deferred_callchains chains;

	deferred_init(&chains);
	add(&chains, 7, COOKIE, user, 3, swapped);
	add(&chains, EVENT_NO_TID, 5, unmarked, 1, swapped);
	add(&chains, 7, 6, NULL, 0, swapped);
	add(&chains, 7, 8, user, 3, swapped);
	add(&chains, 7, 8, unmarked, 1, swapped);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_sample sample = {
			.tid = rows[i].tid,
			.ips = rows[i].ips,
			.ip_count = rows[i].ip_count,
		};

		cr_assert(deferred_is_awaited(sample.ips, sample.ip_count), "%s", rows[i].what);
		cr_expect_eq(deferred_join(&chains, &sample, &chain), rows[i].good, "%s",
			     rows[i].what);
		cr_assert_eq(chain.count, rows[i].expected_count, "%s", rows[i].what);
		for (size_t k = 0; k < chain.count; k++)
			cr_expect_eq(chain.at[k], rows[i].expected[k], "%s: entry %zu",
				     rows[i].what, k);
	}
	deferred_deinit(&chains);
	vec_free(&chain);
	assert_no_leaks();
}

Test(deferred, joined)
{
	expect_rows(false);
}

Test(deferred, joined_from_the_other_byte_order)
{
	expect_rows(true);
}

Test(deferred, not_awaited)
{
	static const uint64_t cut[] = { CALLCHAIN_KERNEL, 0x99, CALLCHAIN_USER_DEFERRED };
	static const uint64_t inside[] = { CALLCHAIN_USER_DEFERRED, 5, 0x99 };

	cr_expect_not(deferred_is_awaited(NULL, 0));
	cr_expect_not(deferred_is_awaited(cut + 2, 1));
	cr_expect_not(deferred_is_awaited(cut, 3));
	cr_expect_not(deferred_is_awaited(inside, 3));
}

/* Memory grows with the number of distinct callchains; each record adds only a row. */
Test(deferred, equal_chains_are_kept_once)
{
	struct deferred_callchains chains;

	deferred_init(&chains);
	for (uint32_t i = 0; i < 1000; i++) {
		uint64_t ips[] = { CALLCHAIN_USER, 0x1000 + i % 3 };

		add(&chains, 7, i, ips, 2, false);
	}
	cr_expect_eq(chains.rows.count, 1000);
	cr_expect_eq(chains.bodies.count, 3);
	deferred_deinit(&chains);
}
