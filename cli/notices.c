/* SPDX-License-Identifier: MIT */
#include "cli/notices.h"

#include <string.h>

#include "base/memory.h"
#include "base/sink.h"

#define PRINTED_COUNT 2

void notices_free(struct notices *notices)
{
	for (size_t i = 0; i < notices->rows.count; i++)
		memory_free(notices->rows.at[i].text);
	vec_free(&notices->rows);
}

void notices_add(struct notices *notices, double weight, const char *text)
{
	size_t at = notices->rows.count;

	for (size_t i = 0; i < notices->rows.count; i++)
		if (strcmp(notices->rows.at[i].text, text) == 0)
			return;
	vec_push(&notices->rows, (struct notice){ weight, memory_duplicate(text, strlen(text)) });
	/* Insert the notice after others of the same weight. */
	while (at && notices->rows.at[at - 1].weight < weight) {
		struct notice swapped = notices->rows.at[at];

		notices->rows.at[at] = notices->rows.at[at - 1];
		notices->rows.at[--at] = swapped;
	}
}

void notices_print(const struct notices *notices, bool prints_all, void (*print)(const char *text))
{
	size_t count = notices->rows.count;
	size_t shown = prints_all || count < PRINTED_COUNT ? count : PRINTED_COUNT;
	struct sink line;

	sink_init_memory(&line);
	for (size_t i = 0; i < shown; i++) {
		line.used = 0;
		sink_puts(&line, notices->rows.at[i].text);
		if (i + 1 == shown && shown < count)
			sink_printf(&line, " (and %zu more warning%s; use --verbose)",
				    count - shown, count - shown == 1 ? "" : "s");
		sink_char(&line, '\0');
		print(line.buffer);
	}
	sink_deinit(&line);
}
