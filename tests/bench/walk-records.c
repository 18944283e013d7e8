/* SPDX-License-Identifier: MIT */
/*
 * walk-records FILE: visits all records of a perf.data file with kiln's reader of records, and does
 * nothing else. No program that reads all samples of the file through read() can be faster. FILE
 * has this machine's byte order, and is not compressed.
 */
#include <stdio.h>

#include "libparse/perf/walk.h"

/* The file header of perf.data: the offset of the records, and their size. */
#define DATA_OFFSET_AT  40
#define FILE_HEAD_BYTES 56

static bool walk_records(const struct input *input, uint64_t *count, struct error *err)
{
	unsigned char head[FILE_HEAD_BYTES];
	struct walk walk;
	struct record record;
	enum walk_result result;
	uint64_t begin, end;
	size_t got;

	*count = 0;
	if (!input_read(input, 0, head, sizeof(head), &got, err))
		return false;
	if (got < sizeof(head))
		return error_set(err, ERROR_CORRUPT, "no file header");
	begin = span_load_u64(head + DATA_OFFSET_AT, false);
	if (__builtin_add_overflow(begin, span_load_u64(head + DATA_OFFSET_AT + 8, false), &end) ||
	    end > input->size_bytes)
		return error_set(err, ERROR_CORRUPT, "the records do not end in the file");
	walk_init(&walk, input, begin, end, end, false);
	while ((result = walk_next(&walk, &record, err)) == WALK_RECORD)
		*count += record.type == RECORD_SAMPLE;
	walk_deinit(&walk);
	return result == WALK_END || error_set(err, ERROR_CORRUPT, "a record is damaged");
}

int main(int argc, char **argv)
{
	struct input input;
	struct error err;
	uint64_t count;
	bool good;

	if (argc != 2) {
		fprintf(stderr, "usage: walk-records FILE\n");
		return 2;
	}
	good = input_open(&input, argv[1], &err);
	if (good) {
		good = walk_records(&input, &count, &err);
		input_close(&input);
	}
	if (!good) {
		fprintf(stderr, "walk-records: %s\n", err.text);
		return 1;
	}
	printf("%llu samples\n", (unsigned long long)count);
	return 0;
}
