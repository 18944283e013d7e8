/* SPDX-License-Identifier: MIT */
#include "process/module.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

static const struct module plain = {
	.path = { 1 },
	.kind = MODULE_FILE,
	.build_id = { .bytes = { 1, 2, 3, 4, 5, 6, 7, 8 }, .size_bytes = 8 },
	.device_major = 8,
	.inode = 5,
};

/* Each module differs from the first one in one property that distinguishes files. */
Test(module, everything_that_tells_two_apart)
{
	struct module modules[13];
	struct modules interned;

	for (size_t i = 0; i < ARRAY_SIZE(modules); i++)
		modules[i] = plain;
	modules[1].path.i = 2;
	modules[2].kind = MODULE_ANONYMOUS;
	modules[3].pid = 7;
	modules[4].build_id.bytes[7] = 9;
	modules[5].build_id.size_bytes = 7;
	modules[6].build_id.size_bytes = 0;
	modules[7].device_major = 9;
	modules[8].device_minor = 1;
	modules[9].inode = 6;
	modules[10].reference_symbol.i = 3;
	modules[11].reference_address = 4;
	modules[12].start = 5;
	modules_init(&interned);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < ARRAY_SIZE(modules); i++)
			cr_expect_eq(modules_intern(&interned, &modules[i]).i, i, "module %u", i);
	cr_expect_eq(interned.rows.count, ARRAY_SIZE(modules));
	cr_expect_eq(modules_get(&interned, (module_id){ 9 })->inode, 6);
	modules_deinit(&interned);
	assert_no_leaks();
}

Test(module, what_symbolise_finds_out_is_no_part_of_it)
{
	struct module named = plain;
	struct modules modules;

	modules_init(&modules);
	modules_intern(&modules, &plain);
	named.match = MATCH_VERIFIED;
	named.symbol_file.i = 9;
	named.location_count = 4;
	cr_expect_eq(modules_intern(&modules, &named).i, 0);
	/* Bytes after the end of the build-id are not part of it. */
	named.build_id.bytes[8] = 77;
	cr_expect_eq(modules_intern(&modules, &named).i, 0);
	modules_deinit(&modules);
}

/*
 * A capture can have another file of the same path for each record. A search must not visit all of
 * them.
 */
Test(module, many_files_of_one_path)
{
	struct modules modules;

	modules_init(&modules);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 300000; i++) {
			struct module module = { .kind = MODULE_FILE };

			switch (i % 3) {
			case 0:
				module.inode = i;
				break;
			case 1:
				module.device_minor = i;
				break;
			case 2:
				module.build_id.size_bytes = sizeof(i);
				memcpy(module.build_id.bytes, &i, sizeof(i));
				break;
			}
			cr_assert_eq(modules_intern(&modules, &module).i, i);
		}
	modules_deinit(&modules);
	assert_no_leaks();
}
