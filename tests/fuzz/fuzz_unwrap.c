/* SPDX-License-Identifier: MIT */
/*
 * Compressed inputs and archives. Whatever they are, what comes out is a plain input of bounded
 * size under the same name, or an error; and unwrapping is asked for only where there is a wrapping.
 */
#include <stdint.h>

#include "base/limits.h"
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

	/* What was read ahead is counted as read, and a block more may come out than allowed. */
	require(input->size_bytes <= LIMIT_UNWRAP_FREE_BYTES +
					     ((uint64_t)wrapped_bytes * LIMIT_UNWRAP_RATIO) +
					     (64u << 20));
	require(input_read(input, input->size_bytes, &last, 1, &got, &err) && got == 0);
	if (input->size_bytes)
		require(input_read(input, input->size_bytes - 1, &last, 1, &got, &err) && got == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	size_t head_bytes = size < UNWRAP_HEAD_BYTES ? size : UNWRAP_HEAD_BYTES;
	struct memory_file file;
	struct folder folder;
	struct input input;
	struct error damage = { 0 };
	struct error err = { 0 };
	bool is_partial = false;

	if (!unwrap_probe(span_of(bytes, head_bytes, 0, false)))
		return 0;
	memory_file_open(&file, bytes, size);
	require(input_open(&input, file.path, &err));
	folder_init(&folder);
	if (unwrap(&input, &folder, &is_partial, &damage, &err)) {
		check_spool(&input, size);
		require(!is_partial || damage.text[0]);
	} else {
		require(err.code != ERROR_NONE && err.text[0] && input.size_bytes == size);
	}
	require(!strcmp(input.name, file.path));
	input_close(&input);
	folder_deinit(&folder);
	memory_file_close(&file);
	return 0;
}
