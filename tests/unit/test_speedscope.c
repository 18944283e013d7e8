/* SPDX-License-Identifier: MIT */
#include "libparse/speedscope/speedscope_file.h"

#include <criterion/criterion.h>

#include "libparse/speedscope/speedscope_reader.h"
#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

#define FRAMES  "\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b\",\"file\":\"/x.so\"}]}"
#define SAMPLED "{\"type\":\"sampled\",\"name\":\"t\",\"unit\":"
#define EVENTED "{\"type\":\"evented\",\"name\":\"t\",\"unit\":"

Test(speedscope, weights_and_events)
{
	static const struct {
		const char *input, *folded;
	} rows[] = {
		/* Stacks that share frames with the one before, and with one of no weight. */
		{ "{" FRAMES ",\"profiles\":[" SAMPLED
		  "\"none\",\"samples\":[[0,1,1],[0,1],[0],[0,1,0],[],[1]],"
		  "\"weights\":[1,2,0,4,8,16]}]}",
		  "t 8\nt;a;b 2\nt;a;b;a 4\nt;a;b;b 1\nt;b 16\n" },
		/* Weights before samples, and a unit of time. */
		{ "{\"profiles\":[" SAMPLED
		  "\"microseconds\",\"weights\":[1e-3,2.5],\"samples\":[[0],[1]]}]," FRAMES "}",
		  "t;a 1\nt;b 2500\n" },
		/* Time passes only while a frame is open. */
		{ "{" FRAMES ",\"profiles\":[" EVENTED
		  "\"bytes\",\"events\":[{\"type\":\"O\",\"frame\":0,\"at\":3},"
		  "{\"at\":5,\"frame\":1,\"type\":\"O\"},{\"type\":\"C\",\"frame\":1,\"at\":9},"
		  "{\"type\":\"C\",\"frame\":0,\"at\":10},{\"type\":\"O\",\"frame\":1,\"at\":90},"
		  "{\"type\":\"C\",\"frame\":1,\"at\":91}]}]}",
		  "t;a 3\nt;a;b 4\nt;b 1\n" },
		/* A thread that changes its name, in the form that kiln export adds. */
		{ "{" FRAMES ",\"profiles\":[" SAMPLED
		  "\"none\",\"kiln\":{\"event\":\"cycles\",\"pid\":7,\"tid\":8,"
		  "\"comms\":[[0,\"x\"],[2,\"y\"]]},"
		  "\"samples\":[[0],[0],[0]],\"weights\":[1,2,4]}]}",
		  "x;a 3\ny;a 4\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text_session_expect_whole(rows[i].input, rows[i].folded);
	assert_no_leaks();
}

Test(speedscope, keeps_threads_and_the_active_event)
{
	static const char input[] = "{\"activeProfileIndex\":1," FRAMES ",\"profiles\":[" SAMPLED
				    "\"bytes\",\"samples\":[[0]],\"weights\":[5]}," SAMPLED
				    "\"none\",\"kiln\":{\"event\":\"cycles\",\"pid\":7,\"tid\":8},"
				    "\"samples\":[[1]],\"weights\":[6]}]}";
	struct text_session test;
	const struct profile *profile = &test.session.profile;

	text_session_open(&test, input, strlen(input), NULL);
	cr_assert_eq(profile->events.count, 2);
	cr_expect_str_eq(strings_text(profile->strings, profile->events.at[0].name), "cycles");
	cr_expect_eq(profile->events.at[0].unit, UNIT_EVENTS);
	cr_expect_eq(profile->events.at[1].unit, UNIT_BYTES);
	cr_expect(profile->events.at[0].sample_type & SAMPLE_HAS_TID);
	text_session_close(&test);
	assert_no_leaks();
}

/*
 * A text is recognised by the parts of a speedscope profile, whether or not it begins with $schema.
 */
Test(speedscope, probes)
{
	static const struct {
		const char *head;
		enum confidence confidence;
	} rows[] = {
		{ " {\"$schema\": \"https://www.speedscope.app/file-format-schema.json\"",
		  CONFIDENCE_CERTAIN },
		{ "{\"version\":\"0.0.1\",\"$schema\":\"https://www.speedscope.app/x",
		  CONFIDENCE_NONE },
		{ "{\"shared\":{\"frames\":[{\"name\":\"cut", CONFIDENCE_LIKELY },
		{ "{\"profiles\":[{\"events\":[],\"type\":\"evented\"", CONFIDENCE_LIKELY },
		{ "{\"profiles\":[{\"type\":\"admin\"}]}", CONFIDENCE_NONE },
		{ "{\"shared\":{\"folders\":[]}}", CONFIDENCE_NONE },
		{ "{\"$schema\":\"http://json-schema.org/draft-07/schema#\"}", CONFIDENCE_NONE },
		{ "[{\"$schema\":\"speedscope\"}]", CONFIDENCE_NONE },
		{ "{\"$schema\"", CONFIDENCE_NONE },
		{ "{\"profiles\":[[[[", CONFIDENCE_NONE },
		{ "speedscope", CONFIDENCE_NONE },
		{ "", CONFIDENCE_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct span head = span_of(rows[i].head, strlen(rows[i].head), 0, false);

		cr_expect_eq(speedscope_format.probe(head).confidence, rows[i].confidence, "%s",
			     rows[i].head);
	}
}

/* The first damage is reported, and what precedes it is read. */
Test(speedscope, damage_of_files)
{
	static const struct {
		const char *text;
		ptrdiff_t failed_at; /* -1: it is whole */
		size_t frame_count, profile_count;
		uint64_t corrupt_count;
	} rows[] = {
		{ "{" FRAMES ",\"profiles\":[{\"samples\":[]},{\"events\":[]},{}]}", -1, 2, 2, 1 },
		{ "{" FRAMES ",\"profiles\":[{\"samples\":[", 88, 2, 1, 0 },
		{ "{\"shared\":{\"frames\":[{\"name\":\"a\"},{\"na", 38, 1, 0, 0 },
		{ "{\"shared\":7}", 10, 0, 0, 0 },
		{ "{\"name\":[1],\"profiles\":[{\"name\":{},\"unit\":4,\"samples\":null}]}", -1, 0,
		  0, 1 },
		{ "7", 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct speedscope_file file;
		const char *failed_at;
		struct error err;

		speedscope_file_init(&file);
		file.text = text_of(rows[i].text);
		cr_assert(speedscope_file_read(&file, &failed_at, &err));
		cr_expect_eq(failed_at ? failed_at - rows[i].text : -1, rows[i].failed_at,
			     "%s: %td", rows[i].text, failed_at ? failed_at - rows[i].text : -1);
		cr_expect_eq(file.frames.count, rows[i].frame_count, "%s", rows[i].text);
		cr_expect_eq(file.profiles.count, rows[i].profile_count, "%s", rows[i].text);
		cr_expect_eq(file.corrupt_count, rows[i].corrupt_count, "%s", rows[i].text);
		speedscope_file_deinit(&file);
	}
	assert_no_leaks();
}
