/* SPDX-License-Identifier: MIT */
#include "dwarf/inline_table.h"

/* A number that reads differently in the opposite byte order. */
#define TABLE_MAGIC 0x316c6e69u /* "inl1" */

struct table_header {
	uint32_t magic;
	uint16_t has_lines;
	uint8_t is_incomplete, is_over_budget;
	uint64_t covered_count, segment_count, line_count, node_count, text_bytes;
};

void inline_table_init(struct inline_table *table)
{
	*table = (struct inline_table){ 0 };
	vec_push(&table->text, '\0');
}

void inline_table_deinit(struct inline_table *table)
{
	vec_free(&table->covered);
	vec_free(&table->segments);
	vec_free(&table->lines);
	vec_free(&table->nodes);
	vec_free(&table->text);
}

static int compare_ranges(const void *a, const void *b)
{
	uint64_t left = ((const struct inline_range *)a)->start;
	uint64_t right = ((const struct inline_range *)b)->start;

	return (left > right) - (left < right);
}

static int compare_segments(const void *a, const void *b)
{
	const struct inline_segment *left = a;
	const struct inline_segment *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return (left->node > right->node) - (left->node < right->node);
}

static int compare_lines(const void *a, const void *b)
{
	const struct inline_line *left = a;
	const struct inline_line *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	/*
	 * If one range begins where another ends, both have a row, and the row with a known line is
	 * used.
	 */
	return (left->line < right->line) - (left->line > right->line);
}

static void finish_covered(struct inline_table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->covered.count; i++) {
		struct inline_range range = table->covered.at[i];
		struct inline_range *last = kept ? &table->covered.at[kept - 1] : NULL;

		if (last && range.start <= last->end)
			last->end = range.end > last->end ? range.end : last->end;
		else
			table->covered.at[kept++] = range;
	}
	table->covered.count = kept;
}

static void finish_segments(struct inline_table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->segments.count; i++) {
		struct inline_segment segment = table->segments.at[i];
		struct inline_segment *last = kept ? &table->segments.at[kept - 1] : NULL;

		if (last && segment.start < last->end)
			segment.start = last->end;
		if (segment.start >= segment.end)
			continue;
		if (last && last->end == segment.start && last->node == segment.node)
			last->end = segment.end;
		else
			table->segments.at[kept++] = segment;
	}
	table->segments.count = kept;
}

static void finish_lines(struct inline_table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->lines.count; i++) {
		struct inline_line line = table->lines.at[i];
		struct inline_line *last = kept ? &table->lines.at[kept - 1] : NULL;

		/* Row i - 1 has not moved if it was kept as a row of its own: kept <= i. */
		if (i && table->lines.at[i - 1].address == line.address)
			continue;
		if (last && last->file == line.file && last->line == line.line)
			continue;
		table->lines.at[kept++] = line;
	}
	table->lines.count = kept;
}

/* Merged tables are already sorted. */
#define SORT(vec, compare)                                                        \
	do {                                                                      \
		size_t sorted_ = 1;                                               \
		while (sorted_ < (vec).count &&                                   \
		       compare(&(vec).at[sorted_ - 1], &(vec).at[sorted_]) <= 0)  \
			sorted_++;                                                \
		if (sorted_ < (vec).count)                                        \
			qsort((vec).at, (vec).count, sizeof(*(vec).at), compare); \
	} while (0)

void inline_table_finish(struct inline_table *table)
{
	SORT(table->covered, compare_ranges);
	SORT(table->segments, compare_segments);
	SORT(table->lines, compare_lines);
	finish_covered(table);
	finish_segments(table);
	finish_lines(table);
}

bool inline_table_covers(const struct inline_table *table, uint64_t address)
{
	size_t count = vec_count_first(&table->covered, row, row->start <= address);

	return count > 0 && address < table->covered.at[count - 1].end;
}

uint32_t inline_table_find(const struct inline_table *table, uint64_t address)
{
	size_t count = vec_count_first(&table->segments, row, row->start <= address);

	if (count == 0 || address >= table->segments.at[count - 1].end)
		return INLINE_NONE;
	return table->segments.at[count - 1].node;
}

const struct inline_line *inline_table_find_line(const struct inline_table *table, uint64_t address)
{
	size_t count = vec_count_first(&table->lines, row, row->address <= address);

	if (count == 0 || !table->lines.at[count - 1].line)
		return NULL;
	return &table->lines.at[count - 1];
}

/*
 * A table that is merged into another table, and the positions at which its nodes and its text
 * begin in that table.
 */
struct merged {
	const struct inline_table *from;
	uint32_t node_base, text_base;
};

static void add_segments(struct inline_table *table, const struct merged *merged,
			 struct inline_range range)
{
	const struct inline_table *from = merged->from;
	size_t i;

	i = vec_count_first(&from->segments, row, row->start <= range.start);
	if (i > 0)
		i--;
	for (; i < from->segments.count && from->segments.at[i].start < range.end; i++) {
		struct inline_segment segment = from->segments.at[i];

		if (segment.start < range.start)
			segment.start = range.start;
		if (segment.end > range.end)
			segment.end = range.end;
		if (segment.start >= segment.end)
			continue;
		segment.node += merged->node_base;
		vec_push(&table->segments, segment);
	}
}

static void add_lines(struct inline_table *table, const struct merged *merged,
		      struct inline_range range)
{
	const struct inline_table *from = merged->from;
	size_t i;

	if (!from->has_lines)
		return;
	i = vec_count_first(&from->lines, row, row->address <= range.start);
	if (i > 0)
		i--;
	for (; i < from->lines.count && from->lines.at[i].address < range.end; i++) {
		struct inline_line line = from->lines.at[i];

		if (line.address < range.start)
			line.address = range.start;
		line.file += merged->text_base;
		vec_push(&table->lines, line);
	}
	vec_push(&table->lines, (struct inline_line){ .address = range.end });
}

static void add_nodes(struct inline_table *table, const struct merged *merged)
{
	const struct inline_table *from = merged->from;

	for (size_t i = 0; i < from->nodes.count; i++) {
		struct inline_node node = from->nodes.at[i];

		if (node.parent != INLINE_NONE)
			node.parent += merged->node_base;
		node.name += merged->text_base;
		node.bare_name += merged->text_base;
		node.call_file += merged->text_base;
		node.file += merged->text_base;
		vec_push(&table->nodes, node);
	}
	for (size_t i = 0; i < from->text.count; i++)
		vec_push(&table->text, from->text.at[i]);
}

void inline_table_merge(struct inline_table *table, const struct inline_table *from)
{
	struct merged merged = { from, (uint32_t)table->nodes.count, (uint32_t)table->text.count };
	size_t own_count = table->covered.count;
	size_t own = 0;

	for (size_t i = 0; i < from->covered.count; i++) {
		struct inline_range range = from->covered.at[i];

		while (range.start < range.end) {
			struct inline_range part = range;

			while (own < own_count && table->covered.at[own].end <= range.start)
				own++;
			if (own < own_count && table->covered.at[own].start < range.end)
				part.end = table->covered.at[own].start;
			if (part.start < part.end) {
				add_segments(table, &merged, part);
				add_lines(table, &merged, part);
				vec_push(&table->covered, part);
			}
			if (own == own_count || table->covered.at[own].start >= range.end)
				break;
			range.start = table->covered.at[own].end;
		}
	}
	add_nodes(table, &merged);
	table->is_incomplete |= from->is_incomplete;
	inline_table_finish(table);
}

static void write_bytes(byte_list *bytes, const void *from, size_t size_bytes)
{
	vec_reserve(bytes, bytes->count + size_bytes);
	if (size_bytes)
		memcpy(bytes->at + bytes->count, from, size_bytes);
	bytes->count += size_bytes;
}

#define WRITE_ROWS(bytes, vec) write_bytes(bytes, (vec).at, (vec).count * sizeof(*(vec).at))

void inline_table_write(const struct inline_table *table, byte_list *bytes)
{
	struct table_header header = {
		.magic = TABLE_MAGIC,
		.has_lines = table->has_lines,
		.is_incomplete = table->is_incomplete,
		.is_over_budget = table->is_over_budget,
		.covered_count = table->covered.count,
		.segment_count = table->segments.count,
		.line_count = table->lines.count,
		.node_count = table->nodes.count,
		.text_bytes = table->text.count,
	};

	write_bytes(bytes, &header, sizeof(header));
	WRITE_ROWS(bytes, table->covered);
	WRITE_ROWS(bytes, table->segments);
	WRITE_ROWS(bytes, table->lines);
	WRITE_ROWS(bytes, table->nodes);
	WRITE_ROWS(bytes, table->text);
}

static bool read_header(struct span *bytes, struct table_header *ret)
{
	if (span_left(bytes) < sizeof(*ret))
		return false;
	memcpy(ret, bytes->at, sizeof(*ret));
	bytes->at += sizeof(*ret);
	return ret->magic == TABLE_MAGIC && ret->has_lines <= 1 && ret->is_incomplete <= 1 &&
	       ret->is_over_budget <= 1 && ret->node_count < INLINE_NONE && ret->text_bytes > 0 &&
	       ret->text_bytes < UINT32_MAX;
}

/* If there are fewer bytes, the calling function returns false. */
#define READ_ROWS(bytes, row_count, vec)                                \
	do {                                                            \
		size_t size_ = (size_t)(row_count) * sizeof(*(vec).at); \
		if ((row_count) > span_left(bytes) / sizeof(*(vec).at)) \
			return false;                                   \
		vec_reserve(&(vec), (size_t)(row_count));               \
		if (size_)                                              \
			memcpy((vec).at, (bytes)->at, size_);           \
		(vec).count = (size_t)(row_count);                      \
		(bytes)->at += size_;                                   \
	} while (0)

static bool read_all_rows(struct inline_table *table, struct span *bytes)
{
	struct table_header header;

	if (!read_header(bytes, &header))
		return false;
	READ_ROWS(bytes, header.covered_count, table->covered);
	READ_ROWS(bytes, header.segment_count, table->segments);
	READ_ROWS(bytes, header.line_count, table->lines);
	READ_ROWS(bytes, header.node_count, table->nodes);
	READ_ROWS(bytes, header.text_bytes, table->text);
	table->has_lines = header.has_lines;
	table->is_incomplete = header.is_incomplete;
	table->is_over_budget = header.is_over_budget;
	return span_left(bytes) == 0;
}

static bool are_disjoint(const struct inline_table *table)
{
	for (size_t i = 0; i < table->covered.count; i++) {
		const struct inline_range *range = &table->covered.at[i];

		if (range->start >= range->end || (i && range[-1].end > range->start))
			return false;
	}
	for (size_t i = 0; i < table->segments.count; i++) {
		const struct inline_segment *segment = &table->segments.at[i];

		if (segment->start >= segment->end || segment->node >= table->nodes.count ||
		    (i && segment[-1].end > segment->start))
			return false;
	}
	for (size_t i = 1; i < table->lines.count; i++)
		if (table->lines.at[i - 1].address >= table->lines.at[i].address)
			return false;
	return true;
}

static bool are_texts(const struct inline_table *table)
{
	size_t size = table->text.count;

	if (table->text.at[0] || table->text.at[size - 1])
		return false;
	for (size_t i = 0; i < table->nodes.count; i++) {
		const struct inline_node *node = &table->nodes.at[i];

		if ((node->parent != INLINE_NONE && node->parent >= i) || node->name >= size ||
		    node->bare_name >= size || node->call_file >= size || node->file >= size)
			return false;
	}
	for (size_t i = 0; i < table->lines.count; i++)
		if (table->lines.at[i].file >= size)
			return false;
	return true;
}

bool inline_table_read(struct inline_table *table, struct span bytes, struct error *err)
{
	if (read_all_rows(table, &bytes) && are_disjoint(table) && are_texts(table))
		return true;
	inline_table_deinit(table);
	inline_table_init(table);
	return error_set(err, ERROR_CORRUPT, "corrupt table of inlined functions");
}
