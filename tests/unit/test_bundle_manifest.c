/* SPDX-License-Identifier: MIT */
#include "symbolise/bundle_manifest.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

static void put(struct contents *contents, const char *name, const char *text, size_t length)
{
	struct input *spool;
	struct error err;

	cr_assert(contents_add_file(contents, text_of(name), span_of(text, length, 0, false),
				    &spool, &err));
	cr_assert_not_null(spool);
	cr_assert(input_append_spool(spool, text, length, &err));
}

/* Makes an archive with a manifest, a file "code" of five bytes, and a file "other" of six. */
static void make(struct contents *contents, const char *text, size_t length)
{
	contents_init(contents);
	put(contents, "code", "\177ELF1", 5);
	put(contents, "other", "\177ELF22", 6);
	put(contents, CONTENTS_MANIFEST_NAME, text, length);
	contents_finish(contents);
}

static const struct module modules[] = {
	{ .inode = 5, .device_major = 8, .device_minor = 1, .inode_generation = 3 },
	{ .inode = 6, .device_major = 8, .device_minor = 1, .inode_generation = UINT64_MAX },
	{ .inode = 5,
	  .build_id = { { 0xaa, 0xbb, 1, 2, 3, 4, 5, 6 }, 8 },
	  .build_id_proof = PROOF_INODE },
};

/* Most of these paths must be escaped in a line of text. */
static const char *const paths[] = { "/usr/bin/app", "a b\tc\nd\\x41\x7f\xff", "-", "" };

Test(bundle_manifest, what_is_written_is_read)
{
	for (size_t p = 0; p < ARRAY_SIZE(paths); p++) {
		struct bundle_manifest_file code = { "code", "code", &modules[0].build_id,
						     0x1234, 5,      false };
		struct bundle_manifest_file other = { "other", "code", &modules[0].build_id,
						      7,       6,      true };
		struct bundle_manifest_run run;
		struct bundle_manifest manifest;
		struct contents contents;
		struct sink text;

		sink_init_memory(&text);
		bundle_manifest_write_head(&text);
		bundle_manifest_write_file(&text, &code);
		bundle_manifest_write_for(&text, &modules[0], text_of(paths[p]), MATCH_SAME_FILE);
		bundle_manifest_write_for(&text, &modules[2], text_of(paths[p]), MATCH_VERIFIED);
		bundle_manifest_write_file(&text, &other);
		bundle_manifest_write_for(&text, &modules[1], text_of(paths[p]), MATCH_UNVERIFIED);
		bundle_manifest_write_missing(&text, &modules[1], text_of(paths[p]),
					      text_of("gone"));
		bundle_manifest_write_identity(&text, &modules[1], text_of(paths[p]));
		bundle_manifest_write_identity(&text, &modules[2], text_of(paths[p]));
		make(&contents, text.buffer, text.used);
		bundle_manifest_init(&manifest, "x.tar", &contents);
		cr_expect(manifest.is_there);
		cr_expect_eq(manifest.rows.count, 2);
		run = bundle_manifest_find(&manifest, &modules[0], text_of(paths[p]));
		cr_assert_eq(run.count, 1, "path %zu", p);
		cr_expect_str_eq(run.at[0].file.path.at, "x.tar/code");
		cr_expect_eq(run.at[0].checksum, 0x1234);
		cr_expect(run.at[0].is_same_file);
		run = bundle_manifest_find(&manifest, &modules[1], text_of(paths[p]));
		cr_assert_eq(run.count, 1, "path %zu", p);
		cr_expect_str_eq(run.at[0].file.path.at, "x.tar/other");
		cr_expect_not(run.at[0].is_same_file);
		cr_expect_eq(bundle_manifest_find(&manifest, &modules[2], text_of(paths[p])).count,
			     0);
		cr_expect_eq(bundle_manifest_find(&manifest, &modules[0], text_of("/usr")).count,
			     0);
		cr_expect_eq(bundle_manifest_proof(&manifest, &modules[2], text_of(paths[p])),
			     PROOF_INODE, "path %zu", p);
		cr_expect_eq(bundle_manifest_proof(&manifest, &modules[2], text_of("/usr")),
			     PROOF_NONE);
		cr_expect_eq(bundle_manifest_proof(&manifest, &modules[1], text_of(paths[p])),
			     PROOF_NONE);
		bundle_manifest_deinit(&manifest);
		contents_deinit(&contents);
		sink_deinit(&text);
	}
	assert_no_leaks();
}

#define HEAD  "kiln-manifest\t1\n"
#define CODE  "file\tcode\tcode\t-\t0\t5\n"
#define BEGIN "for\tsame-file\t-\t8:1\t5\t3\t0\t"

/* Malformed lines are skipped. */
Test(bundle_manifest, damage)
{
	static const struct {
		const char *text;
		bool is_there;
		size_t count;
	} rows[] = {
		{ HEAD CODE BEGIN "/a\n", true, 1 },
		{ HEAD CODE BEGIN "/a", true, 1 },
		{ HEAD "news\tof later\n" CODE "\n" BEGIN "/a\tand more\n", true, 1 },
		{ "kiln-manifest\t2\n" CODE BEGIN "/a\n", false, 0 },
		{ "kiln-manifest\n" CODE BEGIN "/a\n", false, 0 },
		{ CODE BEGIN "/a\n", false, 0 },
		{ HEAD BEGIN "/a\n", true, 0 },
		{ HEAD "file\tabsent\tcode\t-\t0\t5\n" BEGIN "/a\n", true, 0 },
		{ HEAD "file\t../code\tcode\t-\t0\t5\n" BEGIN "/a\n", true, 0 },
		{ HEAD "file\tcode\tcode\t-\t0\t6\n" BEGIN "/a\n", true, 0 },
		{ HEAD "file\tcode\tcode\t-\tx\t5\n" BEGIN "/a\n", true, 0 },
		{ HEAD "file\tcode\tcode\t-\t0\n" BEGIN "/a\n", true, 0 },
		{ HEAD CODE "file\n" BEGIN "/a\n", true, 0 },
		{ HEAD CODE "for\tsame-file\t-\t8\t5\t3\t0\t/a\n", true, 0 },
		{ HEAD CODE "for\tsame-file\t-\t8:4294967296\t5\t3\t0\t/a\n", true, 0 },
		{ HEAD CODE "for\tsame-file\t-\t8:1\t18446744073709551616\t3\t0\t/a\n", true, 0 },
		{ HEAD CODE "for\tsame-file\t-\t8:1\t-1\t3\t0\t/a\n", true, 0 },
		{ HEAD CODE "for\tsame-file\taabb\t8:1\t5\t3\t0\t/a\n", true, 0 },
		{ HEAD CODE "for\tsame-file\t-\t8:1\t5\t3\t0\n", true, 0 },
		{ HEAD CODE BEGIN "\\x2fa\n", true, 1 },
		{ HEAD CODE BEGIN "/a\\x2\n", true, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bundle_manifest manifest;
		struct contents contents;

		make(&contents, rows[i].text, strlen(rows[i].text));
		bundle_manifest_init(&manifest, "x.tar", &contents);
		cr_expect_eq(manifest.is_there, rows[i].is_there, "row %zu", i);
		cr_expect_eq(manifest.rows.count, rows[i].count, "row %zu", i);
		bundle_manifest_deinit(&manifest);
		contents_deinit(&contents);
	}
	assert_no_leaks();
}

/* Two builds that were at one path, one after the other; and lines without information. */
Test(bundle_manifest, identities)
{
#define ID "aabb010203040506"
	static const struct {
		const char *line;
		enum build_id_proof proof;
	} rows[] = {
		{ "identity\tinode\t" ID "\t0:0\t5\t0\t/a\n", PROOF_INODE },
		{ "identity\tcode\t" ID "\t0:0\t5\t0\t/a\n", PROOF_CODE },
		{ "identity\tother-inode\t" ID "\t0:0\t5\t0\t/a\n", PROOF_OTHER_INODE },
		{ "identity\tother-code\t" ID "\t0:0\t5\t0\t/a\tmore\n", PROOF_OTHER_CODE },
		{ "identity\tlater\t" ID "\t0:0\t5\t0\t/a\n", PROOF_NONE },
		{ "identity\tinode\tccbb010203040506\t0:0\t5\t0\t/a\n", PROOF_NONE },
		{ "identity\tinode\t-\t0:0\t5\t0\t/a\n", PROOF_NONE },
		{ "identity\tinode\t" ID "\t0:1\t5\t0\t/a\n", PROOF_NONE },
		{ "identity\tinode\t" ID "\t0:0\t6\t0\t/a\n", PROOF_NONE },
		{ "identity\tinode\t" ID "\t0:0\t5\t1\t/a\n", PROOF_NONE },
		{ "identity\tinode\t" ID "\t0:0\t5\t0\t/b\n", PROOF_NONE },
		{ "identity\tinode\t" ID "\t0:0\t5\t0\n", PROOF_NONE },
		{ "identity\tinode\t" ID "\t0\t5\t0\t/a\n", PROOF_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bundle_manifest manifest;
		struct contents contents;
		struct sink text;

		sink_init_memory(&text);
		sink_printf(&text, HEAD "%s", rows[i].line);
		make(&contents, text.buffer, text.used);
		bundle_manifest_init(&manifest, "x.tar", &contents);
		cr_expect_eq(bundle_manifest_proof(&manifest, &modules[2], text_of("/a")),
			     rows[i].proof, "row %zu", i);
		bundle_manifest_deinit(&manifest);
		contents_deinit(&contents);
		sink_deinit(&text);
	}
	assert_no_leaks();
}

Test(bundle_manifest, there_may_be_none)
{
	struct bundle_manifest manifest;
	struct contents contents;

	contents_init(&contents);
	contents_finish(&contents);
	bundle_manifest_init(&manifest, "x.tar", &contents);
	cr_expect_not(manifest.is_there);
	cr_expect_eq(bundle_manifest_find(&manifest, &modules[0], text_of("/a")).count, 0);
	bundle_manifest_deinit(&manifest);
	contents_deinit(&contents);
	assert_no_leaks();
}
