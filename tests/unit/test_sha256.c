/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "base/memory.h"
#include "base/sha256.h"

/* FIPS 180-4's examples, and lengths around the end of a block; as sha256sum prints them. */
Test(sha256, known_answers)
{
	static const struct {
		const char *text;
		size_t count; /* how often text is repeated */
		const char *wanted;
	} rows[] = {
		{ "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
		{ "a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
		{ "a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a" },
		{ "a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
		{ "a", 1000000,
		  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t length = strlen(rows[i].text);
		char *bytes = memory_alloc(length * rows[i].count + 1, 1);
		unsigned char hash[SHA256_BYTES];
		char got[2 * SHA256_BYTES + 1];

		for (size_t k = 0; k < rows[i].count; k++)
			memcpy(bytes + k * length, rows[i].text, length);
		sha256_of((struct text){ bytes, (uint32_t)(length * rows[i].count) }, hash);
		for (size_t k = 0; k < SHA256_BYTES; k++)
			snprintf(got + 2 * k, 3, "%02x", hash[k]);
		cr_expect_str_eq(got, rows[i].wanted);
		memory_free(bytes);
	}
}
