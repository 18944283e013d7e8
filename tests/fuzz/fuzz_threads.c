/* SPDX-License-Identifier: MIT */
/* The number of threads has no effect on the output: one thread and two give the same bytes. */
#include <stdint.h>
#include <stdlib.h>

#include "render/text/folded.h"
#include "render/text/info.h"
#include "tests/fuzz/perf_mutations.h"
#include "tests/support/memory_file.h"
#include "tests/support/session_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int compare_offsets(const void *a, const void *b)
{
	const struct sample_row *left = a;
	const struct sample_row *right = b;

	return (left->offset > right->offset) - (left->offset < right->offset);
}

/*
 * Slices are long. They are cut after every sample, so that a small input has work for several
 * threads.
 */
static void cut_slices(struct session *session)
{
	struct session index;
	struct error err;
	VEC(struct slice) cut = { 0 };
	size_t row = 0;

	require(session_checks_open(&index, session->capture.input.name, &session->options));
	require(session_index_samples(&index, &err));
	if (index.rows.count)
		qsort(index.rows.at, index.rows.count, sizeof(*index.rows.at), compare_offsets);
	for (size_t i = 0; i < session->capture.slices.count; i++) {
		struct slice slice = session->capture.slices.at[i];

		for (; row < index.rows.count && index.rows.at[row].offset < slice.end; row++) {
			uint64_t offset = index.rows.at[row].offset;

			require(offset >= slice.begin);
			if (offset == slice.begin)
				continue;
			vec_push(&cut, (struct slice){ .begin = slice.begin, .end = offset });
			slice.begin = offset;
		}
		vec_push(&cut, slice);
	}
	session_close(&index);
	session->capture.slices.count = 0;
	for (size_t i = 0; i < cut.count; i++)
		vec_push(&session->capture.slices, cut.at[i]);
	vec_free(&cut);
}

static bool write_with(unsigned thread_count, const char *path, struct sink *sink)
{
	struct session_options options = { .thread_count = thread_count };
	struct session session;
	struct error err = { 0 };
	bool good;

	if (!session_checks_open(&session, path, &options))
		return false;
	if (thread_count > 1)
		cut_slices(&session);
	good = session_build_profile(&session, &err);
	if (good) {
		folded_write(&session.profile, sink);
		info_write_json(&session.profile, NULL, sink);
	} else {
		session_checks_error(&err);
	}
	session_close(&session);
	return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *path = memory_file_reuse(bytes, size);
	struct sink one;
	struct sink two;

	sink_init_memory(&one);
	sink_init_memory(&two);
	if (write_with(1, path, &one)) {
		require(write_with(2, path, &two));
		require(text_equal(sink_memory(&one), sink_memory(&two)));
	}
	sink_deinit(&one);
	sink_deinit(&two);
	return 0;
}
