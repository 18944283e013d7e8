/* SPDX-License-Identifier: MIT */
#include "dwarf/image_maker.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#ifdef HAVE_LIBDW

static void make(struct image_buffer *buffer, const char *first, const char *second,
		 uint64_t copied_bytes, struct debug_image *ret)
{
	struct image_maker maker = { .buffer = buffer, .byte_order = ELFDATA2LSB };
	struct error err;

	*ret = (struct debug_image){ .file = NULL };
	image_maker_add(&maker, ".debug_str.dwo", span_of(first, strlen(first), 0, false));
	image_maker_add(&maker, ".debug_info.dwo", span_of(second, strlen(second), 0, false));
	cr_expect_eq(image_maker_copied_bytes(&maker), copied_bytes);
	cr_assert(image_maker_finish(&maker, ret, &err), "%s", err.text);
	debug_image_find_sections(ret);
}

static void expect_section(const struct debug_image *image, enum debug_section section,
			   const char *content)
{
	struct span bytes = debug_image_section(image, section);

	cr_assert_eq(span_left(&bytes), strlen(content), "section %d", (int)section);
	cr_expect_eq(memcmp(bytes.at, content, strlen(content)), 0, "section %d", (int)section);
}

/* The first section is copied again only if an image needs more memory than those before it. */
Test(image_maker, images_share_a_buffer)
{
	static const struct {
		char byte;
		size_t count;
		bool copies_first;
	} rows[] = {
		{ 'a', 1000, true }, { 'b', 10, false },  { 'c', 1000, false },
		{ 'd', 5000, true }, { 'e', 5100, true }, { 'f', 9000, false },
	};
	static const char first[] = "strings that all units share";
	struct image_buffer buffer = { .bytes = NULL };

	elf_version(EV_CURRENT);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t before = buffer.capacity_bytes;
		struct debug_image image;
		char content[10000];

		memset(content, rows[i].byte, rows[i].count);
		content[rows[i].count] = '\0';
		make(&buffer, first, content, rows[i].count + (i ? 0 : strlen(first)), &image);
		expect_section(&image, DEBUG_STR, first);
		expect_section(&image, DEBUG_INFO, content);
		cr_expect_eq(buffer.capacity_bytes != before, rows[i].copies_first, "row %zu", i);
		debug_image_close(&image);
	}
	image_buffer_deinit(&buffer);
	assert_no_leaks();
}

Test(image_maker, an_image_of_its_own)
{
	struct debug_image image;

	elf_version(EV_CURRENT);
	make(NULL, "strings", "entries", strlen("strings") + strlen("entries"), &image);
	expect_section(&image, DEBUG_STR, "strings");
	expect_section(&image, DEBUG_INFO, "entries");
	debug_image_close(&image);
	assert_no_leaks();
}

#endif
