/* SPDX-License-Identifier: MIT */
/*
 * Two captures whose profiles are added up. The sum must be a tree, with the weight and the samples of both.
 *
 *     | u8 size of the first, in units of 1/256 of the rest; odd: by module | first | second |
 */
#include <stdint.h>

#include "base/arithmetic.h"
#include "profile/tree/merge.h"
#include "tests/support/memory_file.h"
#include "tests/support/session_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool build(const uint8_t *bytes, size_t size, bool parts_modules, struct profile *ret)
{
	const struct view view = { .grouping = GROUPING_BY_COMM,
				   .naming.parts_modules = parts_modules };
	struct session_options options = { .view = &view };
	struct session session;
	struct error err = { 0 };
	bool good;

	if (!session_checks_open(&session, memory_file_reuse(bytes, size), &options))
		return false;
	good = session_build_profile(&session, &err);
	if (good)
		*ret = session_take_profile(&session);
	else
		session_checks_error(&err);
	session_close(&session);
	return good;
}

static void merge(struct profile *profile, const struct profile *from, bool parts_modules)
{
	uint64_t total = saturate_add(profile->stacks.at[0].total, from->stacks.at[0].total);
	uint64_t samples = profile->view_sample_count + from->view_sample_count;
	struct error err = { 0 };

	if (!profile_merge(profile, from, parts_modules, &err)) {
		session_checks_error(&err);
		return;
	}
	session_checks_tree(profile);
	require(profile->stacks.at[0].total == total);
	require(profile->view_sample_count == samples);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct profile profiles[2];
	bool parts_modules;
	size_t first;

	if (size < 1)
		return 0;
	parts_modules = bytes[0] % 2;
	first = (size - 1) * bytes[0] / 256;
	if (!build(bytes + 1, first, parts_modules, &profiles[0]))
		return 0;
	if (build(bytes + 1 + first, size - 1 - first, parts_modules, &profiles[1])) {
		merge(&profiles[0], &profiles[1], parts_modules);
		profile_deinit(&profiles[1]);
	}
	profile_deinit(&profiles[0]);
	return 0;
}
