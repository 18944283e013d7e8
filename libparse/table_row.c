/* SPDX-License-Identifier: MIT */
#include "libparse/table_row.h"

#include "base/scan.h"
#include "libparse/text.h"

/* Examples: 12, 0.74, 12:01:33, 127.0.0.1, 25% */
static bool is_number(struct text word)
{
	if (!is_digit(word.at[0]))
		return false;
	for (uint32_t i = 1; i < word.length; i++)
		if (!is_digit(word.at[i]) && !memchr(".,:%/-", word.at[i], 6))
			return false;
	return true;
}

struct table_columns table_columns_of(struct text text)
{
	struct table_columns result = { 0 };
	struct text rest = text_trim(text);
	const char *end = rest.at + rest.length;
	struct text word;
	uint32_t word_count = 0;
	bool is_first_number = false;

	while (text_next_word(&rest, &word)) {
		const char *behind = word.at + word.length;

		if (!word_count++)
			is_first_number = is_number(word);
		else if (word_count == 2)
			result.has_number_first = is_first_number;
		result.number_count += is_number(word);
		if (end - behind >= 2)
			result.gap_count +=
				behind[0] == '\t' || behind[1] == ' ' || behind[1] == '\t';
	}
	return result;
}

/* Whether the word begins with at least two capitals: PID, LAT(ms), READ/s, AVGms. */
static bool is_capitals(struct text word)
{
	uint32_t count = 0;

	while (count < word.length && is_upper(word.at[count]))
		count++;
	return count >= 2;
}

bool table_is_heading(struct text line)
{
	uint32_t capitals_count = 0;
	uint32_t other_count = 0;
	struct text word;

	while (text_next_word(&line, &word)) {
		if (is_number(word) || is_lower(word.at[0]))
			return false;
		if (is_capitals(word))
			capitals_count++;
		else
			other_count++;
	}
	return capitals_count >= 2 && capitals_count >= other_count;
}

bool table_next_cell(struct text *rest, char separator, struct text *ret)
{
	const char *end;

	if (!rest->at)
		return false;
	if (rest->length && rest->at[0] == '"') {
		uint32_t at = 1;

		/* In a quoted cell, two quotes stand for one. */
		while (at < rest->length &&
		       (rest->at[at] != '"' || (at + 1 < rest->length && rest->at[at + 1] == '"')))
			at += rest->at[at] == '"' ? 2 : 1;
		if (at >= rest->length)
			return false;
		*ret = (struct text){ rest->at + 1, at - 1 };
		*rest = text_from(*rest, at + 1);
		if (rest->length && rest->at[0] != separator)
			return false;
	} else {
		end = rest->length ? memchr(rest->at, separator, rest->length) : NULL;
		*ret = (struct text){ rest->at, end ? (uint32_t)(end - rest->at) : rest->length };
		*rest = text_from(*rest, ret->length);
		*ret = text_trim(*ret);
	}
	if (rest->length)
		*rest = text_from(*rest, 1);
	else
		rest->at = NULL;
	return true;
}
