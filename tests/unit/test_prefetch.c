/* SPDX-License-Identifier: MIT */
#include "symbolise/prefetch.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#ifdef HAVE_LIBDW

#define FORMS "tests/fixtures/inlined/forms/"

static struct prefetch *create(const struct service *helper, unsigned thread_count,
			       const char *table_cache)
{
	static const struct file_index nothing;

	return prefetch_create(&(struct symbolise_options){
		.index = &nothing,
		.service = helper,
		.table_cache = table_cache,
		.thread_count = thread_count,
	});
}

static void offer(struct prefetch *readers, uint32_t module, const char *path)
{
	struct elf_file elf;
	struct error err;

	cr_assert(elf_open(&elf, path, &err), "%s: %s", path, err.text);
	prefetch_offer(readers, (module_id){ module },
		       &(struct elf_pair){ .runtime = &elf, .symbols = &elf });
	elf_close(&elf);
}

/* Whether the module has a reader, and that reader has read the module's file. */
static bool take(struct prefetch *readers, uint32_t module)
{
	uint64_t address = 0x700;
	struct dwarf_request question = { .addresses = &address,
					  .address_count = 1,
					  .places = { "", 0 } };
	struct dwarf_reading reading;
	struct inline_table table;
	struct error err;

	if (!prefetch_take(readers, (module_id){ module }, &reading))
		return false;
	inline_table_init(&table);
	dwarf_reading_send(&reading, &question);
	cr_expect(dwarf_reading_receive(&reading, NULL, &table, NULL, &err), "%s", err.text);
	cr_expect(inline_table_covers(&table, address));
	inline_table_deinit(&table);
	return true;
}

/* Files to decompress are prefetched, with all threads but one. */
Test(prefetch, are_few)
{
	struct service helper;
	struct prefetch *readers;

	service_start(&helper, symbolise_service_kinds, NULL);
	readers = create(&helper, 3, NULL);
	offer(readers, 1, FORMS "plain");
	offer(readers, 2, FORMS "zlib");
	offer(readers, 3, FORMS "split");
	offer(readers, 4, FORMS "zlib");
	offer(readers, 5, FORMS "zlib");
	prefetch_start(readers);
	cr_expect(!take(readers, 1));
	cr_expect(take(readers, 2));
	cr_expect(!take(readers, 2));
	cr_expect(!take(readers, 3));
	cr_expect(!take(readers, 5));
	/* The reader of module 4 was not taken. */
	prefetch_destroy(readers);
	service_stop(&helper);
	assert_no_leaks();
}

Test(prefetch, that_never_start)
{
	struct service helper;
	struct prefetch *readers;

	service_start(&helper, symbolise_service_kinds, NULL);
	cr_expect_null(create(NULL, 2, NULL));
	cr_expect_null(create(&helper, 1, NULL));
	cr_expect_null(create(&helper, 2, "cache"));
	readers = create(&helper, 2, NULL);
	offer(readers, 2, FORMS "zlib");
	cr_expect(!take(readers, 2));
	prefetch_destroy(readers);
	offer(NULL, 2, FORMS "zlib");
	prefetch_start(NULL);
	cr_expect(!take(NULL, 2));
	prefetch_destroy(NULL);
	service_stop(&helper);
	assert_no_leaks();
}

#endif
