/* SPDX-License-Identifier: MIT */
#include "libparse/bcc/bcc_columns.h"

#include "base/scan.h"
#include "libparse/text.h"

enum role {
	ROLE_KEY,
	ROLE_ID,
	ROLE_OTHER, /* what is neither counted nor part of the key */
	ROLE_COUNT,
	ROLE_SUM,
};

struct bcc_column {
	const char *header;
	enum role role;
	const char *event; /* of what is counted */
	enum weight_unit unit;
	uint64_t factor; /* how much of the unit one is */
};

/* A header must come before any that is its prefix. */
static const struct bcc_column known[] = {
	{ .header = "SYSCALL", .role = ROLE_KEY },
	{ .header = "PPC HCALL", .role = ROLE_KEY },
	{ .header = "FUNC", .role = ROLE_KEY },
	{ .header = "METHOD", .role = ROLE_KEY },
	{ .header = "NAME/TYPE", .role = ROLE_KEY },
	{ .header = "TYPE", .role = ROLE_KEY },
	{ .header = "HARDIRQ", .role = ROLE_KEY },
	{ .header = "SOFTIRQ", .role = ROLE_KEY },
	{ .header = "KVM_EXIT_REASON", .role = ROLE_KEY },
	{ .header = "COMM", .role = ROLE_KEY },
	{ .header = "EVENT", .role = ROLE_KEY },
	{ .header = "PID", .role = ROLE_ID },
	{ .header = "TID", .role = ROLE_ID },
	{ .header = "TIDS", .role = ROLE_ID }, /* of kvmexit -T */
	{ .header = "ADDR", .role = ROLE_OTHER },
	{ .header = "MIN (us)", .role = ROLE_OTHER },
	{ .header = "MAX (us)", .role = ROLE_OTHER },
	{ .header = "AVG (us)", .role = ROLE_OTHER },
	{ .header = "COUNT", .role = ROLE_COUNT, .event = "COUNT" },
	{ .header = "# CALLS", .role = ROLE_COUNT, .event = "CALLS" },
	{ .header = "# ALLOCS", .role = ROLE_COUNT, .event = "ALLOCS" },
	{ .header = "TOTAL_count", .role = ROLE_COUNT, .event = "TOTAL_count" },
	{ "TOTAL_usecs", ROLE_SUM, "TOTAL_usecs", UNIT_NANOSECONDS, 1000 },
	{ "TOTAL_nsecs", ROLE_SUM, "TOTAL_nsecs", UNIT_NANOSECONDS, 1 },
	{ "TIME (us)", ROLE_SUM, "TIME", UNIT_NANOSECONDS, 1000 },
	{ "TIME (ms)", ROLE_SUM, "TIME", UNIT_NANOSECONDS, 1000000 },
	{ "# BYTES", ROLE_SUM, "BYTES", UNIT_BYTES, 1 },
};

/* Removes the header of one column from the front; NULL: it is unknown. */
static const struct bcc_column *read_header(struct text *rest)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		uint32_t length = (uint32_t)strlen(known[i].header);

		if (!text_has_prefix(*rest, known[i].header) ||
		    (length < rest->length && !is_blank(rest->at[length])))
			continue;
		*rest = text_trim((struct text){ rest->at + length, rest->length - length });
		return &known[i];
	}
	return NULL;
}

/* The event of the table: time or bytes if it has them, else the count. */
static bool find_event(struct bcc_columns *columns)
{
	const struct bcc_column *counted = NULL;

	for (uint32_t i = 0; i < columns->count; i++)
		if (columns->at[i]->event && (!counted || columns->at[i]->role == ROLE_SUM))
			counted = columns->at[i];
	if (!counted)
		return false;
	columns->event = text_of(counted->event);
	columns->unit = counted->role == ROLE_SUM ? counted->unit : UNIT_SAMPLES;
	return true;
}

bool bcc_columns_parse(struct text line, struct bcc_columns *ret)
{
	struct text rest = text_trim(line);
	uint32_t key_count = 0;
	uint32_t id_count = 0;

	*ret = (struct bcc_columns){ .count = 0 };
	while (rest.length) {
		const struct bcc_column *column = read_header(&rest);

		if (!column || ret->count == BCC_COLUMNS_MAX)
			return false;
		id_count += column->role == ROLE_ID;
		if (column->role == ROLE_KEY) {
			key_count++;
			ret->key = ret->count;
			ret->has_section = strcmp(column->header, "EVENT") == 0;
		}
		ret->at[ret->count++] = column;
	}
	return key_count == 1 && id_count <= BCC_IDS_MAX && find_event(ret);
}

/* "3415860.022" times factor, a power of ten; fractions of the result are dropped. */
static bool read_number(struct text word, uint64_t factor, uint64_t *ret)
{
	const char *point = word.length ? memchr(word.at, '.', word.length) : NULL;
	struct text whole = word;
	uint64_t value;

	if (point)
		whole.length = (uint32_t)(point - word.at);
	if (!text_to_u64(whole, &value) || __builtin_mul_overflow(value, factor, &value))
		return false;
	for (const char *at = point; at && ++at < word.at + word.length; factor /= 10) {
		if (*at < '0' || *at > '9' ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0') * (factor / 10), &value))
			return false;
	}
	*ret = value;
	return true;
}

static bool read_cell(const struct bcc_column *column, struct text word, struct bcc_row *row)
{
	uint64_t ignored;

	switch (column->role) {
	case ROLE_ID:
		row->ids[row->id_count++] = word;
		return text_to_u64(word, &ignored);
	case ROLE_COUNT:
		return text_to_u64(word, &row->sample_count);
	case ROLE_SUM:
		return read_number(word, column->factor, &row->weight);
	case ROLE_KEY:
	case ROLE_OTHER:
		break;
	}
	return true;
}

static bool read_last_word(struct text *rest, struct text *ret)
{
	uint32_t begin;

	*rest = text_trim(*rest);
	begin = rest->length;
	while (begin && !is_blank(rest->at[begin - 1]))
		begin--;
	*ret = (struct text){ rest->at + begin, rest->length - begin };
	rest->length = begin;
	return ret->length > 0;
}

bool bcc_columns_read(const struct bcc_columns *columns, struct text line, struct bcc_row *ret)
{
	struct text rest = line;
	struct text word;

	*ret = (struct bcc_row){ .sample_count = 1 };
	for (uint32_t i = 0; i < columns->key; i++)
		if (!text_next_word(&rest, &word) || !read_cell(columns->at[i], word, ret))
			return false;
	for (uint32_t i = columns->count; i-- > columns->key + 1;)
		if (!read_last_word(&rest, &word) || !read_cell(columns->at[i], word, ret))
			return false;
	ret->key = text_trim(rest);
	if (columns->unit == UNIT_SAMPLES)
		ret->weight = ret->sample_count;
	return ret->key.length > 0;
}
