/* SPDX-License-Identifier: MIT */
#include "compress/pack.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <unistd.h>

#include "compress/extract.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

#ifdef HAVE_LIBARCHIVE
static const char content[] = "two\nlines\n";

struct seen {
	struct sink text;
	struct input spool;
};

static bool take_file(void *context, struct text name, struct span head, struct input **ret,
		      struct error *err)
{
	struct seen *seen = context;

	(void)err;
	sink_printf(&seen->text, "%s %zu; ", name.at, span_left(&head));
	*ret = &seen->spool;
	return true;
}

static void pack_two(const char *name, const struct input *input, struct sink *sink)
{
	struct error err;
	struct pack *pack = pack_create(name, sink, &err);

	cr_assert(pack, "%s: %s", name, err.text);
	cr_assert(pack_bytes(pack, "first", content, sizeof(content) - 1, &err));
	cr_assert(pack_input(pack, "a/deep/second", input, 4, 5, &err));
	cr_assert(pack_finish(pack, &err), "%s", err.text);
}

static void check_unpacked(const char *name, const struct sink *packed)
{
	struct seen seen = { .spool = { .fd = -1 } };
	struct extract_visitor visitor = { &seen, take_file, NULL };
	struct extracted extracted;
	struct memory_file file;
	struct input input;
	struct error err;
	char bytes[64] = "";
	size_t got;

	memory_file_open(&file, packed->buffer, packed->used);
	cr_assert(input_open(&input, file.path, &err));
	cr_assert(input_create_spool(&seen.spool, NULL, &err));
	sink_init_memory(&seen.text);
	cr_assert(extract(&input, &visitor, &extracted, &err), "%s: %s", name, err.text);
	cr_expect(extracted.is_archive && !extracted.is_partial, "%s", name);
	sink_char(&seen.text, '\0');
	cr_expect_str_eq(seen.text.buffer, "first 10; a/deep/second 5; ");
	cr_assert(input_read(&seen.spool, 0, bytes, sizeof(bytes), &got, &err));
	cr_expect_str_eq(bytes, "two\nlines\nlines");
	sink_deinit(&seen.text);
	input_close(&seen.spool);
	input_close(&input);
	memory_file_close(&file);
}

/* Each form has the format of its name, is reproducible, and is read back unchanged. */
Test(pack, forms)
{
	static const struct {
		const char *name;
		const char *expected;
	} rows[] = {
		{ "x.tar", "tar" },    { "x.tar.gz", "gzip" },  { "x.tgz", "gzip" },
		{ "x.tar.xz", "xz" },  { "x.txz", "xz" },       { "x.tar.bz2", "bzip2" },
		{ "x.tbz2", "bzip2" }, { "x.tar.zst", "zstd" }, { "x.gz.other", "zstd" },
		{ "", "zstd" },        { NULL, "zstd" },
	};
	struct memory_file file;
	struct input input;
	struct error err;

	memory_file_open(&file, content, sizeof(content) - 1);
	cr_assert(input_open(&input, file.path, &err));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink packed, again;

		sink_init_memory(&packed);
		sink_init_memory(&again);
		pack_two(rows[i].name, &input, &packed);
		pack_two(rows[i].name, &input, &again);
		cr_expect_str_eq(extract_format(span_of(packed.buffer, packed.used, 0, false)),
				 rows[i].expected, "row %zu", i);
		cr_expect(packed.used == again.used &&
				  memcmp(packed.buffer, again.buffer, packed.used) == 0,
			  "row %zu", i);
		check_unpacked(rows[i].name ? rows[i].name : "none", &packed);
		sink_deinit(&packed);
		sink_deinit(&again);
	}
	input_close(&input);
	memory_file_close(&file);
	assert_no_leaks();
}

/* A capture that is truncated while it is bundled. */
Test(pack, a_file_that_became_shorter)
{
	struct memory_file file;
	struct input input;
	struct error err;
	struct sink sink;
	struct pack *pack;

	memory_file_open(&file, content, sizeof(content) - 1);
	cr_assert(input_open(&input, file.path, &err));
	memory_file_truncate(&file, 4);
	sink_init_memory(&sink);
	pack = pack_create("x.tar", &sink, &err);
	cr_assert_not_null(pack);
	cr_expect_not(pack_input(pack, "a", &input, 0, input.size_bytes, &err));
	cr_expect_str_eq(err.text, "became shorter while it was being read");
	pack_destroy(pack);
	sink_deinit(&sink);
	input_close(&input);
	memory_file_close(&file);
	assert_no_leaks();
}
Test(pack, a_file_that_cannot_be_read)
{
	struct input input = { .fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
			       .size_bytes = 100 };
	struct error err;
	struct sink sink;
	struct pack *pack;

	sink_init_memory(&sink);
	pack = pack_create("x.tar", &sink, &err);
	cr_assert_not_null(pack);
	cr_expect_not(pack_input(pack, "a", &input, 0, 100, &err));
	cr_expect_eq(err.code, ERROR_IO);
	cr_expect_str_eq(err.text, "cannot read at byte 0: Is a directory");
	pack_destroy(pack);
	sink_deinit(&sink);
	close(input.fd);
	assert_no_leaks();
}
#else
Test(pack, without_libarchive_it_says_so)
{
	struct sink sink;
	struct error err;

	sink_init_memory(&sink);
	cr_expect_null(pack_create("x.tar", &sink, &err));
	cr_expect_eq(err.code, ERROR_UNSUPPORTED);
	sink_deinit(&sink);
}
#endif
