/* SPDX-License-Identifier: MIT */
#include "profile/return_words.h"

#include <criterion/criterion.h>

#include "libparse/callchain.h"
#include "profile/profile.h"
#include "tests/support/leaks.h"

#define PID 7
/* /bin/a is mapped here, from this offset of the file. */
#define START     0x400000
#define OFFSET    0x500
#define ABI_32    1
#define ABI_64    2
#define WORD_MAX  1024 /* of a dump */
#define ENTRY_MAX 128  /* of a callchain */

/* Who read the build-id of the file. */
enum recorded_by {
	NOBODY,
	KERNEL, /* with the mapping */
	PERF,   /* after recording */
};

struct fixture {
	struct profile profile;
	struct process_state state;
	struct return_words words;
	struct return_words_reading reading;
};

static void begin(struct fixture *fixture, enum recorded_by recorded_by)
{
	struct event event = { .kind = EVENT_MMAP };

	profile_init(&fixture->profile);
	process_state_init(&fixture->state, fixture->profile.strings, fixture->profile.modules);
	event.mmap = (struct event_mmap){
		.pid = PID,
		.tid = PID,
		.is_executable = true,
		.address = START,
		.length = 0x10000,
		.file_offset = OFFSET,
		.path = text_of("/bin/a"),
	};
	if (recorded_by == KERNEL)
		event.mmap.build_id = (struct build_id){ .bytes = { 1, 2 }, .size_bytes = 8 };
	process_state_on_event(&fixture->state, &event);
	if (recorded_by == PERF) {
		event = (struct event){ .kind = EVENT_BUILD_ID };
		event.build_id = (struct event_build_id){
			.path = text_of("/bin/a"),
			.build_id = { .bytes = { 1, 2 }, .size_bytes = 8 },
			.cpu_mode = CPU_MODE_USER,
		};
		process_state_on_event(&fixture->state, &event);
	}
	process_state_finish(&fixture->state);
	return_words_init(&fixture->words);
	fixture->reading = (struct return_words_reading){
		.words = &fixture->words,
		.state = &fixture->state,
		.reads_callchains = true,
		.sample_max = 10,
	};
}

static void end(struct fixture *fixture)
{
	return_words_deinit(&fixture->words);
	process_state_deinit(&fixture->state);
	profile_deinit(&fixture->profile);
}

static void send_of(struct fixture *fixture, uint32_t pid, const struct event_sample *sample)
{
	struct event event = { .kind = EVENT_SAMPLE };

	event.sample = *sample;
	event.sample.pid = event.sample.tid = pid;
	return_words_on_event(&fixture->reading, &event);
}

static void send(struct fixture *fixture, const struct event_sample *sample)
{
	send_of(fixture, PID, sample);
}

static void send_callchain(struct fixture *fixture, const uint64_t *ips, size_t count)
{
	send(fixture, &(struct event_sample){ .present = SAMPLE_HAS_CALLCHAIN,
					      .ips = ips,
					      .ip_count = (uint32_t)count });
}

/* Sends the first used_bytes of a dump. */
static void send_dump(struct fixture *fixture, uint64_t abi, const void *bytes, size_t size_bytes,
		      uint64_t used_bytes)
{
	send(fixture, &(struct event_sample){
			      .present = SAMPLE_HAS_USER_STACK,
			      .user_registers = span_of(&abi, sizeof(abi), 0, false),
			      .user_stack = span_of(bytes, size_bytes, 0, false),
			      .user_stack_used_bytes = used_bytes,
		      });
}

/* Checks the offsets of /bin/a, which are all words. */
static void expect_words(struct fixture *fixture, const return_word_list *words,
			 const uint64_t *offsets, size_t count)
{
	return_words_finish(&fixture->words);
	cr_assert_eq(words->count, count, "%zu", words->count);
	for (size_t i = 0; i < count; i++)
		cr_expect_eq(words->at[i].offset, OFFSET + offsets[i], "%zu: %llx", i,
			     (unsigned long long)words->at[i].offset);
	if (count) {
		module_id module = words->at[0].module;
		size_t found;

		cr_expect_eq(return_words_find(words, module, &found), 0);
		cr_expect_eq(found, count);
		module.i++;
		cr_expect_eq(return_words_find(words, module, &found), count);
		cr_expect_eq(found, 0);
	}
}

/* The address after a marker is that of an instruction; the first one is, too. */
Test(return_words, of_callchains_follow_an_address)
{
	static const uint64_t ips[] = {
		START + 1,       START + 2, CALLCHAIN_KERNEL, START + 3,  START + 4,
		START + 0x10000, /* after the last instruction */
		CALLCHAIN_USER,  START + 5, START + 6,        PAGE_BYTES, 0,
		START + 6,       START, /* after an instruction before the mapping */
		START + 0x10001, 0x900000,
	};
	static const uint64_t offsets[] = { 2, 4, 6, 0x10000 };
	struct fixture fixture;

	begin(&fixture, NOBODY);
	send_callchain(&fixture, ips, ARRAY_SIZE(ips));
	expect_words(&fixture, &fixture.words.of_callchains, offsets, ARRAY_SIZE(offsets));
	cr_expect_eq(fixture.words.of_dumps.count, 0);
	end(&fixture);
	assert_no_leaks();
}

Test(return_words, of_dumps_have_the_size_of_the_abi)
{
	static const uint64_t words[] = { START + 9, 0, START + 5, (uint64_t)(START + 7) << 32, 1,
					  START + 3 };
	static const uint64_t whole[] = { 5, 9 };
	static const uint64_t halves[] = { 5, 7, 9 };
	struct fixture fixture;

	for (unsigned abi = ABI_32; abi <= ABI_64; abi++) {
		begin(&fixture, NOBODY);
		/* The last word is beyond the used bytes. */
		send_dump(&fixture, abi, words, sizeof(words), sizeof(words) - 8);
		expect_words(&fixture, &fixture.words.of_dumps, abi == ABI_32 ? halves : whole,
			     abi == ABI_32 ? ARRAY_SIZE(halves) : ARRAY_SIZE(whole));
		end(&fixture);
	}
	assert_no_leaks();
}

/* Signal frames, each followed by one whose registers are others. */
static const uint64_t of_x86_64[] = {
	START + 9, 0,     START + 5, 0x246,     0x002b000000000033,
	START + 3, 0x246, 0x33,      START + 7, 0x246,
};
static const uint64_t of_aarch64[] = {
	START + 9, 0, START + 5, 0x40000000, 0, 0x0000021046508001, START + 3, 0, START + 7, 0x210,
};
static const uint32_t of_i386[] = {
	START + 9, 0, START + 5, 0x23, 0x202, 0xffd0, 0x2b, START + 5, 0x73, 0x202, 0xffd0,
	0x7b,      0, START + 3, 0x23, 0x202, 0xffd0, 0x7b, START + 7, 0x73, 0x202,
};

Test(return_words, of_dumps_without_interrupted_addresses)
{
	static const struct {
		uint64_t abi;
		const void *words;
		size_t size_bytes;
	} rows[] = {
		{ ABI_64, of_x86_64, sizeof(of_x86_64) },
		{ ABI_64, of_aarch64, sizeof(of_aarch64) },
		{ ABI_32, of_i386, sizeof(of_i386) },
	};
	static const uint64_t offsets[] = { 3, 7, 9 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fixture fixture;

		begin(&fixture, NOBODY);
		send_dump(&fixture, rows[i].abi, rows[i].words, rows[i].size_bytes,
			  rows[i].size_bytes);
		expect_words(&fixture, &fixture.words.of_dumps, offsets, ARRAY_SIZE(offsets));
		end(&fixture);
	}
	assert_no_leaks();
}

/* A process without mappings does not hide the words of another one, and words can repeat. */
Test(return_words, of_each_process)
{
	static const uint64_t ips[] = { START + 1, START + 2, START + 2 };
	static const uint64_t offsets[] = { 2 };
	const struct event_sample sample = { .present = SAMPLE_HAS_CALLCHAIN,
					     .ips = ips,
					     .ip_count = ARRAY_SIZE(ips) };
	struct fixture fixture;

	begin(&fixture, NOBODY);
	send_of(&fixture, PID + 1, &sample);
	send_of(&fixture, PID, &sample);
	send_of(&fixture, PID, &sample);
	expect_words(&fixture, &fixture.words.of_callchains, offsets, ARRAY_SIZE(offsets));
	end(&fixture);
	assert_no_leaks();
}

/* A build-id from the kernel is certain, so its module is not checked. */
Test(return_words, of_modules_in_doubt)
{
	static const uint64_t ips[] = { START + 1, START + 2 };
	static const uint64_t offsets[] = { 2 };
	static const struct {
		enum recorded_by recorded_by;
		size_t count;
	} rows[] = {
		{ NOBODY, 1 },
		{ PERF, 1 },
		{ KERNEL, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fixture fixture;

		begin(&fixture, rows[i].recorded_by);
		send_callchain(&fixture, ips, ARRAY_SIZE(ips));
		expect_words(&fixture, &fixture.words.of_callchains, offsets, rows[i].count);
		end(&fixture);
	}
	assert_no_leaks();
}

Test(return_words, limits)
{
	static uint64_t words[WORD_MAX + 1];
	struct fixture fixture;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = START + 1 + i;
	begin(&fixture, NOBODY);
	fixture.reading.sample_max = 2;
	send_dump(&fixture, ABI_64, words, sizeof(words), sizeof(words));
	send_callchain(&fixture, words, ARRAY_SIZE(words));
	send_callchain(&fixture, words, ARRAY_SIZE(words));
	cr_expect_eq(fixture.words.of_dumps.count, WORD_MAX);
	/* Without the first. */
	cr_expect_eq(fixture.words.of_callchains.count, ENTRY_MAX - 1);
	end(&fixture);

	begin(&fixture, NOBODY);
	fixture.reading.reads_callchains = false;
	send_callchain(&fixture, words, ARRAY_SIZE(words));
	send(&fixture, &(struct event_sample){ .present = 0 });
	cr_expect_eq(fixture.words.of_callchains.count, 0);
	cr_expect_eq(fixture.reading.sample_max, 10);
	end(&fixture);
	assert_no_leaks();
}
