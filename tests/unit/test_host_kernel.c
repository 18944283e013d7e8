/* SPDX-License-Identifier: MIT */
#include "object/host_kernel.h"

#include <criterion/criterion.h>

#include "tests/support/scratch.h"

/* Writes one note as the kernel does, in the byte order of this machine. */
static size_t write_note(unsigned char *bytes, uint32_t kind)
{
	uint32_t head[] = { 4, 8, kind };

	memcpy(bytes, head, sizeof(head));
	memcpy(bytes + sizeof(head), "GNU\0abcdefgh", 12);
	return sizeof(head) + 12;
}

/* The metadata of a module that the kernel has loaded; the name is not trusted. */
Test(host_kernel, module_build_id)
{
	static const struct {
		const char *name;
		bool is_found;
	} rows[] = {
		{ "nf_conntrack", true }, { "nf-conntrack", true },  { "ext4", false },
		{ "other_note", false },  { "cut", false },          { "", false },
		{ "..", false },          { "nf/conntrack", false },
	};
	unsigned char note[64];
	struct scratch scratch;
	char name[200];

	scratch_open(&scratch);
	scratch_write(&scratch, "module/nf_conntrack/notes/.note.gnu.build-id", note,
		      write_note(note, 3));
	scratch_write(&scratch, "module/other_note/notes/.note.gnu.build-id", note,
		      write_note(note, 1));
	scratch_write(&scratch, "module/cut/notes/.note.gnu.build-id", note,
		      write_note(note, 3) - 5);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct build_id id;

		cr_expect_eq(host_module_build_id(scratch.path, text_of(rows[i].name), &id),
			     rows[i].is_found, "%s", rows[i].name);
		cr_expect_eq(id.size_bytes, rows[i].is_found ? 8 : 0, "%s", rows[i].name);
		cr_expect(!rows[i].is_found || memcmp(id.bytes, "abcdefgh", 8) == 0);
	}
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	cr_expect_not(host_module_build_id(scratch.path, text_of(name), &(struct build_id){ 0 }));
	scratch_close(&scratch);
}

/* These texts are not the list of any kernel. */
Test(host_kernel, other_lists)
{
	static const char *const texts[] = { "", "no line", "\n", "\t[x]\n",
					     "ffffffff81000000 T no_such_symbol\n" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		cr_expect_not(host_kernel_has_list(text_of(texts[i])), "%s", texts[i]);
}

Test(host_kernel, settings)
{
	cr_expect_eq(host_kernel_setting("no_such_setting"), -1);
	/* Every Linux has this one, and it is positive. */
	cr_expect_gt(host_kernel_setting("pid_max"), 0);
}
