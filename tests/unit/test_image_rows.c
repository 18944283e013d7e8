/* SPDX-License-Identifier: MIT */
#include "unwind/image_rows.h"

#include <criterion/criterion.h>
#include <elf.h>

#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"

/* Some linkers write no call frame information for stubs. */
Test(image_rows, stubs)
{
	static const struct {
		uint64_t address;
		bool is_known;
	} rows[] = {
		{ 0x1fff, false }, { 0x2000, false }, { 0x200f, false }, { 0x2010, true },
		{ 0x2016, true },  { 0x201b, false }, { 0x2020, true },  { 0x2040, false },
		{ 0x3000, true },  { 0x300b, true },  { 0x3020, false },
	};
	static const unsigned char zeros[64];
	static const struct elf_writer_section sections[] = {
		{ ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x2000, 16, zeros, 0x40 },
		{ ".plt.sec", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x3000, 16, zeros, 0x20 },
	};
	struct elf_writer writer = { .text_address = 0x1000,
				     .text_offset = 0x1000,
				     .text_bytes = 0x100,
				     .more = sections,
				     .more_count = ARRAY_SIZE(sections) };
	struct elf_file elf;
	struct error err;
	struct image image;
	struct image_rows image_rows;
	struct rules rules;
	unsigned char *bytes;
	size_t size_bytes;

	bytes = elf_writer_write(&writer, &size_bytes);
	cr_assert(elf_open_memory(&elf, bytes, size_bytes, &err), "%s", err.text);
	image_init(&image, &elf, NULL);
	elf_close(&elf);
	memory_free(bytes);
	image_rows_init(&image_rows, &image);
	rules_init(&rules);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		rule_id id = image_rows_find(&image_rows, &machine_x86_64, &rules, rows[i].address);
		const struct rule *rule = &rules.rows.at[id.i];

		cr_expect_eq(rule->kind, rows[i].is_known ? RULE_FRAME : RULE_NO_CFI, "%#llx",
			     (unsigned long long)rows[i].address);
		if (rows[i].is_known)
			cr_expect(rule->cfa_offset == 8 && rule->saved_words[0] == -1);
	}
	rules_deinit(&rules);
	image_rows_deinit(&image_rows);
	image_deinit(&image);
	assert_no_leaks();
}
