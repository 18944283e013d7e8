/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "base/attributes.h"
#include "profile/tree/name_shares.h"
#include "tests/support/profile_maker.h"

/* Frames are NAME|MODULE, with modules 1 and 2; a frame with a module, but no name, is unnamed. */
static const struct {
	const char *what;
	enum module_kind kinds[2];
	enum match_status match; /* of module 1 */
	struct {
		const char *frames;
		uint64_t weight;
	} stacks[4];
	enum name_problem problem;
	uint64_t weight;
	uint32_t worst, module_count;
	uint64_t worst_weight;
} rows[] = {
	{ "the table in the header: a stack counts once",
	  { MODULE_FILE, MODULE_ANONYMOUS },
	  MATCH_MISSING,
	  { { "app;|1;read", 3 },
	    { "app;main;|2", 5 },
	    { "app;main;|1;|1", 1 },
	    { "app;main", 2 } },
	  NAME_UNKNOWN,
	  9,
	  2,
	  2,
	  5 },
	{ "a stack through two files counts for each of them, and once in all",
	  { MODULE_FILE, MODULE_FILE },
	  MATCH_MISSING,
	  { { "app;|1;|2", 3 }, { "app;|2", 4 } },
	  NAME_UNKNOWN,
	  7,
	  2,
	  2,
	  7 },
	{ "the program that fills the flame graph, not the library that calls its main",
	  { MODULE_FILE, MODULE_FILE },
	  MATCH_MISSING,
	  { { "app;|1;|2;|2;|2", 8 }, { "app;|1", 2 } },
	  NAME_UNKNOWN,
	  10,
	  2,
	  2,
	  8 },
	{ "the program with most self weight, not the library with the deepest stacks",
	  { MODULE_FILE, MODULE_FILE },
	  MATCH_MISSING,
	  { { "app;|1", 6 }, { "app;|1;|2;|2;|2;|2;|2;|2", 4 } },
	  NAME_UNKNOWN,
	  10,
	  1,
	  2,
	  10 },
	{ "if no leaf is without a name, the largest area",
	  { MODULE_FILE, MODULE_FILE },
	  MATCH_MISSING,
	  { { "app;|1;read", 2 }, { "app;|1;|2;|2;read", 8 } },
	  NAME_UNKNOWN,
	  10,
	  2,
	  2,
	  8 },
	{ "the program on all stacks, not a library with slightly more self weight",
	  { MODULE_FILE, MODULE_FILE },
	  MATCH_MISSING,
	  { { "app;|1", 48 }, { "app;|1;|2", 52 } },
	  NAME_UNKNOWN,
	  100,
	  1,
	  2,
	  100 },
	{ "of equals the file, as nothing can be done about code in none",
	  { MODULE_FILE, MODULE_FILE },
	  MATCH_MISSING,
	  { { "app;|0;|1", 3 } },
	  NAME_UNKNOWN,
	  3,
	  1,
	  2,
	  3 },
	{ "names that may be wrong",
	  { MODULE_FILE, MODULE_FILE },
	  MATCH_UNVERIFIED,
	  { { "app;main|1;read|1", 6 }, { "app", 2 } },
	  NAME_UNVERIFIED,
	  6,
	  1,
	  1,
	  6 },
	{ "no perf map can be proven, and none is a doubt",
	  { MODULE_ANONYMOUS, MODULE_FILE },
	  MATCH_UNVERIFIED,
	  { { "app;main|1", 6 } },
	  NAME_UNVERIFIED,
	  0,
	  0,
	  0,
	  0 },
	{ "an empty profile",
	  { MODULE_FILE, MODULE_FILE },
	  MATCH_MISSING,
	  { { NULL, 0 } },
	  NAME_UNKNOWN,
	  0,
	  0,
	  0,
	  0 },
};

Test(name_shares, shares)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker maker;
		struct name_shares shares;
		const struct name_share *share = &shares.problems[rows[i].problem];
		uint64_t total = 0;

		profile_maker_init(&maker);
		profile_maker_module(&maker, rows[i].kinds[0], "/lib/one");
		profile_maker_module(&maker, rows[i].kinds[1], "/lib/two");
		for (size_t k = 0; k < 4 && rows[i].stacks[k].frames; k++) {
			profile_maker_stack(&maker, rows[i].stacks[k].frames,
					    rows[i].stacks[k].weight);
			total += rows[i].stacks[k].weight;
		}
		profile_maker_build(&maker, NULL);
		modules_get(maker.profile.modules, (module_id){ 1 })->match = rows[i].match;
		shares = name_shares_of(&maker.profile);
		cr_expect_eq(shares.total, total, "%s", rows[i].what);
		cr_expect_eq(share->weight, rows[i].weight, "%s", rows[i].what);
		cr_expect_eq(share->worst.i, rows[i].worst, "%s", rows[i].what);
		cr_expect_eq(share->worst_weight, rows[i].worst_weight, "%s", rows[i].what);
		cr_expect_eq(share->module_count, rows[i].module_count, "%s", rows[i].what);
		profile_maker_deinit(&maker);
	}
}

Test(name_shares, parts)
{
	cr_expect_float_eq(name_shares_part(&(struct name_shares){ .total = 11 }, 9), 9.0 / 11,
			   1e-9);
	cr_expect_float_eq(name_shares_part(&(struct name_shares){ .total = 0 }, 0), 0, 1e-9);
}
