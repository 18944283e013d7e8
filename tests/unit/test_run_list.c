/* SPDX-License-Identifier: MIT */
#include "merging/run_list.h"

#include <criterion/criterion.h>

#include "base/memory.h"
#include "libparse/merged/merged_chunk.h"
#include "libparse/merged/merged_text.h"
#include "merging/run_cursor.h"
#include "tests/support/memory_file.h"
#include "tests/support/random.h"

#define DEPTH_MAX 6
#define NAMES     "abcd"

/* A stack as text, such as "abca": frames of one letter. All stacks are of one event. */
struct made_stack {
	char frames[DEPTH_MAX + 1];
	uint64_t weight;
};

static struct text texts_of_frames[4];
static struct text text_of_group;

static struct text own_text(struct sink *sink)
{
	struct text text = sink_memory(sink);

	text.at = memory_duplicate(text.at, text.length);
	sink_deinit(sink);
	return text;
}

static void make_texts(enum weight_unit unit)
{
	struct merged_group group = { .event = text_of("cycles"), .unit = unit };
	struct sink sink;

	sink_init_memory(&sink);
	merged_group_write(&group, &sink);
	text_of_group = own_text(&sink);
	for (uint32_t i = 0; i < ARRAY_SIZE(texts_of_frames); i++) {
		struct merged_frame frame = { .name = { &NAMES[i], 1 } };

		sink_init_memory(&sink);
		merged_frame_write(&frame, &sink);
		texts_of_frames[i] = own_text(&sink);
	}
}

static void free_texts(void)
{
	memory_free((char *)text_of_group.at);
	for (uint32_t i = 0; i < ARRAY_SIZE(texts_of_frames); i++)
		memory_free((char *)texts_of_frames[i].at);
}

static int compare_stacks(const void *a, const void *b)
{
	return strcmp(((const struct made_stack *)a)->frames,
		      ((const struct made_stack *)b)->frames);
}

/* Writes stacks as a merged profile. Letters sort like the texts that they stand for. */
static void write_stacks(struct made_stack *stacks, uint32_t count, uint64_t capture_count,
			 struct sink *sink)
{
	struct merged_summary summary;
	struct merged_writer writer;
	struct error err;

	qsort(stacks, count, sizeof(*stacks), compare_stacks);
	merged_summary_init(&summary);
	summary.capture_count = capture_count;
	merged_writer_init(&writer, sink, &summary);
	for (uint32_t i = 0; i < count; i++) {
		struct text elements[1 + DEPTH_MAX] = { text_of_group };
		uint32_t depth = (uint32_t)strlen(stacks[i].frames);

		for (uint32_t k = 0; k < depth; k++)
			elements[1 + k] = texts_of_frames[stacks[i].frames[k] - 'a'];
		cr_assert(merged_writer_add(&writer,
					    &(struct merged_stack){
						    .elements = elements,
						    .count = 1 + depth,
						    .sample_count = 1,
						    .weight = stacks[i].weight,
					    },
					    &err));
	}
	merged_writer_finish(&writer);
	merged_writer_deinit(&writer);
	merged_summary_deinit(&summary);
}

static void open_run(const char *path, struct run *ret)
{
	struct input input;
	struct error err;

	cr_assert(input_open(&input, path, &err));
	cr_assert(run_open(ret, &input, &err), "%s", err.text);
}

/* "ab 3, b 1": the stacks of a run, one after another. */
static void expect_stacks(struct text bytes, const char *expected)
{
	struct memory_file file;
	struct run_cursor cursor;
	struct run run;
	struct error err;
	struct sink line;

	memory_file_open(&file, bytes.at, bytes.length);
	open_run(file.path, &run);
	run_cursor_init(&cursor, &run);
	sink_init_memory(&line);
	for (;;) {
		cr_assert(run_cursor_next(&cursor, &err), "%s", err.text);
		if (cursor.is_done)
			break;
		sink_puts(&line, line.used ? ", " : "");
		for (uint32_t i = 1; i < cursor.elements.count; i++)
			sink_char(&line, *cursor.elements.at[i].at);
		sink_printf(&line, " %d", (int)cursor.stacks.weight);
	}
	cr_expect(text_is(sink_memory(&line), expected), "%.*s", (int)line.used,
		  sink_memory(&line).at);
	sink_deinit(&line);
	run_cursor_deinit(&cursor);
	run_close(&run);
	memory_file_close(&file);
}

/* Adds the files in this order to a list with this much memory, and writes the sum. */
static void merge_files(const struct memory_file *files, const uint32_t *order, uint32_t count,
			uint64_t memory_bytes, struct sink *sink)
{
	struct run_list list;
	struct error err;

	run_list_init(&list, memory_bytes, 0);
	for (uint32_t i = 0; i < count; i++) {
		struct run run;

		open_run(files[order[i]].path, &run);
		cr_assert(run_list_add(&list, &run, &err), "%s", err.text);
	}
	cr_assert(run_list_merge(&list, sink, &err), "%s", err.text);
	run_list_deinit(&list);
}

Test(run_list, equal_stacks_are_added_up)
{
	struct made_stack first[] = { { "b", 1 }, { "ab", 1 }, { "ab", 2 }, { "", 5 } };
	struct made_stack second[] = { { "abc", 4 }, { "b", 7 } };
	static const uint32_t order[] = { 1, 0 };
	struct memory_file files[2];
	struct sink sink;

	make_texts(UNIT_EVENTS);
	sink_init_memory(&sink);
	write_stacks(first, ARRAY_SIZE(first), 1, &sink);
	expect_stacks(sink_memory(&sink), " 5, ab 3, b 1");
	memory_file_open(&files[0], sink_memory(&sink).at, sink.used);
	sink.used = 0;
	write_stacks(second, ARRAY_SIZE(second), 1, &sink);
	memory_file_open(&files[1], sink_memory(&sink).at, sink.used);
	sink.used = 0;
	merge_files(files, order, 2, 1 << 20, &sink);
	expect_stacks(sink_memory(&sink), " 5, ab 3, abc 4, b 8");
	sink_deinit(&sink);
	memory_file_close(&files[0]);
	memory_file_close(&files[1]);
	free_texts();
}

/* Any order and grouping of merges gives the bytes of one capture that has all stacks. */
#define FILE_COUNT 12
#define STACKS_MAX 40

static uint32_t make_stacks(struct random *random, struct made_stack *stacks)
{
	uint32_t count = random_below(random, STACKS_MAX);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t depth = random_below(random, DEPTH_MAX + 1);

		stacks[i] = (struct made_stack){ .weight = random_below(random, 3) };
		for (uint32_t k = 0; k < depth; k++)
			stacks[i].frames[k] = NAMES[random_below(random, 4)];
	}
	return count;
}

static void shuffle(struct random *random, uint32_t *order)
{
	for (uint32_t i = 0; i < FILE_COUNT; i++)
		order[i] = i;
	for (uint32_t i = FILE_COUNT - 1; i > 0; i--) {
		uint32_t other = random_below(random, i + 1);
		uint32_t swap = order[i];

		order[i] = order[other];
		order[other] = swap;
	}
}

/* Merges in groups of random sizes, and then the sums. */
static void merge_groups(struct random *random, const struct memory_file *files,
			 uint64_t memory_bytes, struct sink *sink)
{
	struct memory_file sums[FILE_COUNT];
	uint32_t order[FILE_COUNT];
	uint32_t in_order[FILE_COUNT];
	uint32_t sum_count = 0;

	shuffle(random, order);
	for (uint32_t i = 0; i < FILE_COUNT;) {
		uint32_t count = 1 + random_below(random, FILE_COUNT - i);

		sink->used = 0;
		merge_files(files, order + i, count, memory_bytes, sink);
		memory_file_open(&sums[sum_count], sink_memory(sink).at, sink->used);
		in_order[sum_count] = sum_count;
		sum_count++;
		i += count;
	}
	sink->used = 0;
	merge_files(sums, in_order, sum_count, memory_bytes, sink);
	for (uint32_t i = 0; i < sum_count; i++)
		memory_file_close(&sums[i]);
}

Test(run_list, order_and_grouping_do_not_matter)
{
	struct random random = { 23 };

	make_texts(UNIT_EVENTS);
	for (uint32_t round = 0; round < 20; round++) {
		/* With little memory, two runs are merged at a time, with several levels of
		 * temporary files. */
		uint64_t memory_bytes = round % 2 ? 1 << 20 : 64 << 20;
		struct made_stack all[FILE_COUNT * STACKS_MAX];
		struct memory_file files[FILE_COUNT];
		uint32_t count = 0;
		struct sink expected;
		struct sink sink;

		sink_init_memory(&expected);
		sink_init_memory(&sink);
		for (uint32_t i = 0; i < FILE_COUNT; i++) {
			uint32_t own_count = make_stacks(&random, all + count);
			struct made_stack own[STACKS_MAX];

			memcpy(own, all + count, own_count * sizeof(*own));
			sink.used = 0;
			write_stacks(own, own_count, 1, &sink);
			memory_file_open(&files[i], sink_memory(&sink).at, sink.used);
			count += own_count;
		}
		write_stacks(all, count, FILE_COUNT, &expected);
		merge_groups(&random, files, memory_bytes, &sink);
		cr_expect(text_equal(sink_memory(&sink), sink_memory(&expected)), "round %u",
			  round);
		for (uint32_t i = 0; i < FILE_COUNT; i++)
			memory_file_close(&files[i]);
		sink_deinit(&sink);
		sink_deinit(&expected);
	}
	free_texts();
}

Test(run_list, different_units_are_refused)
{
	struct made_stack stacks[] = { { "a", 1 } };
	struct memory_file files[2];
	struct run_list list;
	struct run run;
	struct error err;
	struct sink sink;

	for (int i = 0; i < 2; i++) {
		make_texts(i ? UNIT_BYTES : UNIT_EVENTS);
		sink_init_memory(&sink);
		write_stacks(stacks, 1, 1, &sink);
		memory_file_open(&files[i], sink_memory(&sink).at, sink.used);
		sink_deinit(&sink);
		free_texts();
	}
	run_list_init(&list, 1 << 20, 0);
	open_run(files[0].path, &run);
	cr_assert(run_list_add(&list, &run, &err));
	open_run(files[1].path, &run);
	cr_expect_not(run_list_add(&list, &run, &err));
	cr_expect_eq(err.code, ERROR_USAGE);
	cr_expect(strstr(err.text, "weights of cycles are bytes here, but events in"), "%s",
		  err.text);
	run_list_deinit(&list);
	memory_file_close(&files[0]);
	memory_file_close(&files[1]);
}

/* What a file states about its stacks must be true, because merging relies on it. */
Test(run_list, verify_finds_stacks_out_of_order)
{
	/* Two chunks with the same stack. */
	struct made_stack stacks[] = { { "ab", 1 } };
	struct merged_summary summary;
	struct memory_file file;
	struct sink once;
	struct sink bytes;
	struct text chunk;
	struct run run;
	struct error err;
	struct sink raw;

	make_texts(UNIT_EVENTS);
	sink_init_memory(&once);
	sink_init_memory(&bytes);
	sink_init_memory(&raw);
	write_stacks(stacks, 1, 1, &once);
	merged_summary_init(&summary);
	summary.capture_count = 1;
	summary.stack_count = 2;
	merged_summary_write(&summary, &raw);
	chunk = text_from(sink_memory(&once), MERGED_HEADER_BYTES);
	chunk.length = MERGED_CHUNK_BYTES + (uint8_t)chunk.at[8];
	merged_header_write(&bytes);
	sink_text(&bytes, chunk);
	sink_text(&bytes, chunk);
	merged_chunk_write(MERGED_SUMMARY, sink_memory(&raw), 0, &bytes);
	memory_file_open(&file, sink_memory(&bytes).at, bytes.used);
	open_run(file.path, &run);
	cr_expect_not(run_verify(&run, &err));
	cr_expect(strstr(err.text, "its stacks are not in order"), "%s", err.text);
	run_close(&run);
	memory_file_close(&file);
	merged_summary_deinit(&summary);
	sink_deinit(&raw);
	sink_deinit(&bytes);
	sink_deinit(&once);
	free_texts();
}
