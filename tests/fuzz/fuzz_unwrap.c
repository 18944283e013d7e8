/* SPDX-License-Identifier: MIT */
/*
 * Compressed inputs and archives. Any of them becomes a plain input of bounded size with the same
 * name, or an error. Only a compressed input or an archive is unwrapped.
 */
#include <stdint.h>

#include "compress/codec.h"
#include "libparse/unwrap.h"
#include "tests/support/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void check_spool(const struct input *input, size_t wrapped_bytes)
{
	unsigned char last;
	struct error err;
	size_t got;

	/* Bytes read ahead count as read, and the output may exceed the limit by a block. */
	require(input->size_bytes <= LIMIT_UNWRAP_FREE_BYTES +
					     ((uint64_t)wrapped_bytes * LIMIT_UNWRAP_RATIO) +
					     (64u << 20));
	require(input_read(input, input->size_bytes, &last, 1, &got, &err) && got == 0);
	if (input->size_bytes)
		require(input_read(input, input->size_bytes - 1, &last, 1, &got, &err) && got == 1);
}

/* Names are in order, none of them occurs twice, and every file lies within the stored bytes. */
static void check_contents(const struct contents *contents)
{
	const struct contents_member *last = NULL;

	for (size_t i = 0; i < contents->members.count; i++) {
		const struct contents_member *member = &contents->members.at[i];

		require(member->name.length && member->name.at[0] != '/');
		require(!last || text_compare(last->name, member->name) < 0);
		require(member->begin <= contents->spool.size_bytes &&
			member->size_bytes <= contents->spool.size_bytes - member->begin);
		require(contents_find(contents, member->name) == member);
		last = member;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	size_t head_bytes = size < EXTRACT_HEAD_BYTES ? size : EXTRACT_HEAD_BYTES;
	struct contents contents;
	struct extracted extracted;
	struct memory_file file;
	struct directory directory;
	struct input input;
	struct error err = { 0 };

	if (!extract_format(span_of(bytes, head_bytes, 0, false)))
		return 0;
	memory_file_open(&file, bytes, size);
	require(input_open(&input, file.path, &err));
	directory_init(&directory);
	contents_init(&contents);
	if (unwrap(&input, &directory, &contents, &extracted, &err)) {
		check_spool(&input, size);
		require(!extracted.is_partial || extracted.damage.text[0]);
	} else {
		require(err.code != ERROR_NONE && err.text[0] && input.size_bytes == size);
	}
	require(!strcmp(input.name, file.path));
	check_contents(&contents);
	contents_deinit(&contents);
	input_close(&input);
	directory_deinit(&directory);
	memory_file_close(&file);
	return 0;
}
