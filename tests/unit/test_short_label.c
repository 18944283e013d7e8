/* SPDX-License-Identifier: MIT */
#include "render/short_label.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "base/scan.h"

#define ROWS "tests/fixtures/labels.tsv"

static void check(size_t cells, struct text name, struct text expected)
{
	struct sink sink;
	struct text got;

	sink_init_memory(&sink);
	short_label_write(name, cells, &sink);
	got = sink_memory(&sink);
	cr_expect(text_compare(got, expected) == 0, "%.*s in %zu cells became %.*s, not %.*s",
		  (int)name.length, name.at, cells, (int)got.length, got.at, (int)expected.length,
		  expected.at);
	cr_expect_leq(short_label_cells(got), cells);
	sink_deinit(&sink);
}

/* The viewer's labels are tested with the same rows. */
Test(short_label, names_are_shortened_by_their_structure)
{
	FILE *file = fopen(ROWS, "r");
	char line[1024];
	int count = 0;

	cr_assert(file);
	while (fgets(line, sizeof(line), file)) {
		char *name = strchr(line, '\t');
		char *label = name ? strchr(name + 1, '\t') : NULL;
		uint64_t cells = 0;

		if (line[0] == '#')
			continue;
		cr_assert(label);
		*name = *label = '\0';
		label[1 + strcspn(label + 1, "\n")] = '\0';
		cr_assert(text_to_u64(text_of(line), &cells));
		check(cells, text_of(name + 1), text_of(label + 1));
		count++;
	}
	fclose(file);
	cr_expect_gt(count, 40);
}

Test(short_label, every_width_fits)
{
	static const char *const names[] = {
		"",
		"x",
		"::",
		"a::",
		"/",
		"...",
		"(",
		"……",
		"\xe5\x87\xa6\xe7\x90\x86",
		"\xff\xfe",
		"a\xe5",
		"void a::b<int, long>::c(std::vector<int> const&) [clone .isra.0]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		for (size_t cells = 0; cells < 70; cells++) {
			struct sink sink;

			sink_init_memory(&sink);
			short_label_write(text_of(names[i]), cells, &sink);
			cr_expect_leq(short_label_cells(sink_memory(&sink)), cells, "%s", names[i]);
			sink_deinit(&sink);
		}
}
