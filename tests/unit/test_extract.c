/* SPDX-License-Identifier: MIT */
#include "compress/extract.h"

#include <criterion/criterion.h>

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/sink.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

#define FILE_BYTES ((size_t)1 << 20)

/* What the visitor is to do, and what it has seen. */
struct visit {
	bool fails;
	int fails_reads_of; /* makes reads of this descriptor fail; -1: none */
	struct sink names;
	struct input spool;
};

static bool visit_file(void *context, struct text name, struct span head, struct input **ret,
		       struct error *err)
{
	struct visit *visit = context;

	sink_printf(&visit->names, "%s %zu; ", name.at ? name.at : "-", span_left(&head));
	if (visit->fails_reads_of >= 0) {
		int directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		cr_assert(directory >= 0);
		cr_assert(dup2(directory, visit->fails_reads_of) >= 0);
		close(directory);
	}
	*ret = &visit->spool;
	return !visit->fails || error_set(err, ERROR_RESOURCE, "no room for %s", "it");
}

/* space: of the file to which contents are appended; NULL: not limited. */
static void visit_init(struct visit *visit, struct temporary_space *space)
{
	struct error err;

	*visit = (struct visit){ .fails_reads_of = -1, .spool = { .fd = -1 } };
	sink_init_memory(&visit->names);
	cr_assert(input_create_spool(&visit->spool, space, &err));
}

static void visit_deinit(struct visit *visit)
{
	sink_deinit(&visit->names);
	input_close(&visit->spool);
}

struct archived {
	unsigned char *bytes;
	size_t size_bytes;
};

/*
 * Writes a file with these contents. hole_bytes: so many zeros of its beginning are not in the
 * archive. filters: for libarchive; is_tar: otherwise only the file is compressed.
 */
static struct archived archive_file(const void *content, size_t size_bytes, size_t hole_bytes,
				    int (*filter)(struct archive *), bool is_tar)
{
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	struct archived ret = { .bytes = memory_alloc(size_bytes + 65536, 1) };

	cr_assert_eq(filter(archive), ARCHIVE_OK);
	cr_assert_eq(is_tar ? archive_write_set_format_pax(archive)
			    : archive_write_set_format_raw(archive),
		     ARCHIVE_OK);
	cr_assert_eq(
		archive_write_open_memory(archive, ret.bytes, size_bytes + 65536, &ret.size_bytes),
		ARCHIVE_OK);
	archive_entry_set_pathname(entry, "file");
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_size(entry, (la_int64_t)size_bytes);
	if (hole_bytes)
		archive_entry_sparse_add_entry(entry, (la_int64_t)hole_bytes,
					       (la_int64_t)(size_bytes - hole_bytes));
	cr_assert_eq(archive_write_header(archive, entry), ARCHIVE_OK, "%s",
		     archive_error_string(archive));
	cr_assert_eq(archive_write_data(archive, content, size_bytes), (la_ssize_t)size_bytes);
	cr_assert_eq(archive_write_close(archive), ARCHIVE_OK);
	archive_entry_free(entry);
	archive_write_free(archive);
	return ret;
}

/* Bytes that no codec makes much shorter. */
static unsigned char *make_content(void)
{
	unsigned char *content = memory_alloc(FILE_BYTES, 1);
	uint32_t state = 1;

	for (size_t i = 0; i < FILE_BYTES; i++) {
		state = state * 1664525 + 1013904223;
		content[i] = (unsigned char)(state >> 24);
	}
	return content;
}

/* tar omits the holes of files, also at their beginning. They take temporary space like data. */
Test(extract, holes_are_filled)
{
	static const size_t holes[] = { 512, 100000 };
	unsigned char *content = make_content();
	unsigned char *read = memory_alloc(FILE_BYTES + 1, 1);

	for (size_t i = 0; i < ARRAY_SIZE(holes); i++) {
		struct temporary_space space = { .limit_bytes = holes[i] / 2 };
		struct archived archived;
		struct extracted extracted;
		struct memory_file file;
		struct input input;
		struct error err;
		struct visit visit;
		size_t got;

		memset(content, 0, holes[i]);
		archived = archive_file(content, FILE_BYTES, holes[i],
					archive_write_add_filter_none, true);
		cr_expect_lt(archived.size_bytes, FILE_BYTES - holes[i] + 10000);
		memory_file_open(&file, archived.bytes, archived.size_bytes);
		cr_assert(input_open(&input, file.path, &err));
		visit_init(&visit, NULL);
		cr_assert(extract(&input, &(struct extract_visitor){ &visit, visit_file, NULL },
				  &extracted, &err),
			  "%s", err.text);
		cr_expect_not(extracted.is_partial);
		cr_expect_eq(visit.spool.size_bytes, FILE_BYTES);
		cr_assert(input_read(&visit.spool, 0, read, FILE_BYTES + 1, &got, &err));
		cr_expect(got == FILE_BYTES && memcmp(read, content, got) == 0, "%zu", holes[i]);
		visit_deinit(&visit);
		visit_init(&visit, &space);
		cr_expect_not(extract(&input, &(struct extract_visitor){ &visit, visit_file, NULL },
				      &extracted, &err));
		cr_expect_eq(err.code, ERROR_RESOURCE, "%s", err.text);
		visit_deinit(&visit);
		input_close(&input);
		memory_file_close(&file);
		memory_free(archived.bytes);
	}
	memory_free(read);
	memory_free(content);
	assert_no_leaks();
}

/* Opens an archive or compressed file with random content, and extracts it. */
static bool extract_random(struct visit *visit, int (*filter)(struct archive *), bool is_tar,
			   struct extracted *ret, struct error *err)
{
	unsigned char *content = make_content();
	struct archived archived = archive_file(content, FILE_BYTES, 0, filter, is_tar);
	struct memory_file file;
	struct input input;
	bool good;

	memory_file_open(&file, archived.bytes, archived.size_bytes);
	cr_assert(input_open(&input, file.path, err));
	if (visit->fails_reads_of >= 0)
		visit->fails_reads_of = input.fd;
	good = extract(&input, &(struct extract_visitor){ visit, visit_file, NULL }, ret, err);
	input_close(&input);
	memory_file_close(&file);
	memory_free(archived.bytes);
	memory_free(content);
	return good;
}

Test(extract, the_visitor_can_fail)
{
	for (int is_tar = 0; is_tar < 2; is_tar++) {
		struct visit visit;
		struct extracted extracted;
		struct error err;

		visit_init(&visit, NULL);
		visit.fails = true;
		cr_expect_not(extract_random(&visit, archive_write_add_filter_gzip, is_tar,
					     &extracted, &err));
		cr_expect_eq(err.code, ERROR_RESOURCE);
		cr_expect_str_eq(err.text, "no room for it");
		cr_expect_eq(visit.spool.size_bytes, 0);
		visit_deinit(&visit);
	}
	assert_no_leaks();
}

/* There is no room for the contents: for the first bytes of a file, and for others. */
Test(extract, temporary_space_is_limited)
{
	static const uint64_t limits[] = { 1, EXTRACT_HEAD_BYTES, FILE_BYTES - 1 };

	for (size_t i = 0; i < 2 * ARRAY_SIZE(limits); i++) {
		struct temporary_space space = { .limit_bytes = limits[i / 2] };
		struct visit visit;
		struct extracted extracted;
		struct error err;

		visit_init(&visit, &space);
		cr_expect_not(extract_random(&visit, archive_write_add_filter_gzip, i % 2,
					     &extracted, &err));
		cr_expect_eq(err.code, ERROR_RESOURCE, "%zu: %s", i, err.text);
		cr_expect_leq(visit.spool.size_bytes, limits[i / 2], "%zu", i);
		visit_deinit(&visit);
	}
	assert_no_leaks();
}

/* If a read fails, the file is read up to there, and the reason is reported. */
Test(extract, reads_can_fail)
{
	static int (*const filters[])(struct archive *) = {
		archive_write_add_filter_none,
		archive_write_add_filter_gzip,
		archive_write_add_filter_xz,
	};

	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		struct visit visit;
		struct extracted extracted;
		struct error err;

		visit_init(&visit, NULL);
		visit.fails_reads_of = 0;
		cr_assert(extract_random(&visit, filters[i], true, &extracted, &err), "%s",
			  err.text);
		cr_expect(extracted.is_partial);
		cr_expect(strstr(extracted.damage.text, "Is a directory"), "%s",
			  extracted.damage.text);
		cr_expect_lt(visit.spool.size_bytes, FILE_BYTES);
		visit_deinit(&visit);
	}
	assert_no_leaks();
}

/* A file that cannot be read at all. */
Test(extract, the_first_read_can_fail)
{
	struct input input = { .fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
			       .size_bytes = 1000 };
	struct extracted extracted;
	struct visit visit;
	struct error err;

	visit_init(&visit, NULL);
	cr_expect_not(extract(&input, &(struct extract_visitor){ &visit, visit_file, NULL },
			      &extracted, &err));
	cr_expect_eq(err.code, ERROR_IO);
	cr_expect_str_eq(err.text, "cannot read at byte 0: Is a directory");
	visit_deinit(&visit);
	close(input.fd);
	assert_no_leaks();
}

#else

Test(extract, libarchive_is_needed)
{
	cr_skip_test("kiln was built without libarchive");
}

#endif
