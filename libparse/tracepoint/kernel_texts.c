/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/kernel_texts.h"

#include "base/scan.h"

/*
 * Maximum number of kernel strings to which tracepoints point. Linux 6.18 has about 100 such
 * strings.
 */
#define LIMIT_KERNEL_TEXTS 65536u

/* Reads a line of the form 0xADDRESS : "TEXT". */
static bool read_line(struct text line, struct kernel_text *ret)
{
	static const char separator[] = " : \"";
	uint32_t length = sizeof(separator) - 1;

	if (!scan_hex(&line, &ret->address) || !text_has_prefix(line, separator))
		return false;
	line = (struct text){ line.at + length, line.length - length };
	ret->text = (struct text){ line.at, line.length - 1 };
	return text_has_suffix(line, "\"");
}

static int compare(const void *a, const void *b)
{
	const struct kernel_text *left = a;
	const struct kernel_text *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return text_compare(left->text, right->text);
}

void kernel_texts_read(struct kernel_texts *texts, struct text text, struct arena *arena)
{
	while (text.length && texts->rows.count < LIMIT_KERNEL_TEXTS) {
		const char *newline = memchr(text.at, '\n', text.length);
		uint32_t length = newline ? (uint32_t)(newline - text.at) : text.length;
		uint32_t step = newline ? length + 1 : length;
		struct kernel_text row;

		if (read_line((struct text){ text.at, length }, &row)) {
			row.text.at = arena_text(arena, row.text.at, row.text.length);
			vec_push(&texts->rows, row);
		}
		text = (struct text){ text.at + step, text.length - step };
	}
	if (texts->rows.count)
		qsort(texts->rows.at, texts->rows.count, sizeof(*texts->rows.at), compare);
}

void kernel_texts_deinit(struct kernel_texts *texts)
{
	vec_free(&texts->rows);
}

struct text kernel_texts_find(const struct kernel_texts *texts, uint64_t address)
{
	size_t begin = vec_count_first(&texts->rows, text, text->address < address);
	if (begin == texts->rows.count || texts->rows.at[begin].address != address)
		return (struct text){ 0 };
	return texts->rows.at[begin].text;
}
