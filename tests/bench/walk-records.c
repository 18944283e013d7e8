/* SPDX-License-Identifier: MIT */
/*
 * walk-records FILE: visits all records of a perf.data file on one thread with kiln's reader of
 * records, and does nothing else. kiln reads all samples with the same reader, so it cannot take
 * less CPU time. FILE must have this machine's byte order, must not be compressed, and must not be
 * from a pipe.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "libparse/perf/walk.h"

/* The file header of perf.data: magic, its size, the offset of the records, and their size. */
#define MAGIC           "PERFILE2"
#define HEAD_SIZE_AT    8
#define PIPE_HEAD_BYTES 16
#define DATA_AT         40
#define FILE_HEAD_BYTES 56

static bool find_records(const struct input *input, uint64_t *begin, uint64_t *end,
			 struct error *err)
{
	unsigned char head[FILE_HEAD_BYTES];
	size_t got;

	if (!input_read(input, 0, head, sizeof(head), &got, err))
		return false;
	if (got < sizeof(head) || memcmp(head, MAGIC, strlen(MAGIC)) != 0)
		return error_set(err, ERROR_FORMAT, "not a perf.data file of this byte order");
	if (span_load_u64(head + HEAD_SIZE_AT, false) == PIPE_HEAD_BYTES)
		return error_set(err, ERROR_UNSUPPORTED, "perf record wrote to a pipe");
	*begin = span_load_u64(head + DATA_AT, false);
	if (__builtin_add_overflow(*begin, span_load_u64(head + DATA_AT + 8, false), end) ||
	    *begin < sizeof(head) || *end > input->size_bytes)
		return error_set(err, ERROR_CORRUPT, "the records extend beyond the file");
	return true;
}

static bool walk_records(const struct input *input, uint64_t *count, struct error *err)
{
	enum walk_result result;
	struct record record;
	struct walk walk;
	uint64_t begin = 0, end = 0, offset;
	bool is_compressed = false;

	*count = 0;
	if (!find_records(input, &begin, &end, err))
		return false;
	walk_init(&walk, input, begin, end, end, false);
	while ((result = walk_next(&walk, &record, err)) == WALK_RECORD) {
		*count += record.type == RECORD_SAMPLE;
		is_compressed |=
			record.type == RECORD_COMPRESSED || record.type == RECORD_COMPRESSED2;
	}
	offset = walk.offset;
	walk_deinit(&walk);
	if (is_compressed)
		return error_set(err, ERROR_UNSUPPORTED, "the records are compressed");
	if (result == WALK_TRUNCATED || result == WALK_CORRUPT)
		return error_set(err, ERROR_CORRUPT, "corrupt record at byte %" PRIu64, offset);
	return result == WALK_END;
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
		fprintf(stderr, "walk-records: %s: %s\n", argv[1], err.text);
		return 1;
	}
	printf("%" PRIu64 " samples\n", count);
	return 0;
}
