/* SPDX-License-Identifier: MIT */
#include "symbolise/jit/perf_map.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/scan.h"
#include "base/strings.h"

/* The number of bytes read at a time. Longer lines are corrupt. */
#define PIECE_BYTES ((size_t)1 << 20)
/*
 * The number of bytes of a line that are read again: two numbers with 0x and blanks, and the
 * longest name.
 */
#define LINE_BYTES (LIMIT_SYMBOL_BYTES + 256)

/* The offset of a line in the file, plus 1, so that later lines have larger numbers. */
typedef uint64_t line_number;

/*
 * For each requested address, finds the last line that covers the address. This line names the
 * address. `nodes` is a segment tree over the addresses. A line therefore costs O(log n),
 * regardless of how many addresses it covers.
 *
 * A line without a size ends where the next line begins. starts and unsized describe the lines that
 * begin after address i - 1 and at or before address i. starts[i] is the highest start, and
 * unsized[i] is the last line without a size.
 */
struct perf_map_reader {
	const struct perf_map_request *request;
	line_number *nodes;
	uint64_t *starts;
	line_number *unsized; /* 0 if there is no such line */
	bool *has_start;
	uint64_t highest_start;
	struct perf_map *map;
	struct checksum checksum;
	bool is_skipping; /* the rest of an overlong line is being skipped */
};

/* Parses a number and the blanks after it. */
static bool parse_number(struct text *line, uint64_t *ret)
{
	/* Some writers put 0x before numbers. */
	if (!scan_hex(line, ret) || !line->length || !is_blank(*line->at))
		return false;
	scan_blanks(line);
	return true;
}

static bool parse_line(struct text line, struct symbol *ret)
{
	uint64_t size_bytes;

	*ret = (struct symbol){
		.limit = UINT64_MAX,
		.binding = SYMBOL_GLOBAL,
		.is_whole = true,
	};
	if (text_has_suffix(line, "\r"))
		line.length--;
	if (memchr(line.at, '\0', line.length) || !parse_number(&line, &ret->start) ||
	    !parse_number(&line, &size_bytes) || !line.length)
		return false;
	if (__builtin_add_overflow(ret->start, size_bytes, &ret->end))
		return false;
	ret->name = line;
	if (ret->name.length > LIMIT_SYMBOL_BYTES)
		ret->name.length = LIMIT_SYMBOL_BYTES;
	return true;
}

/* Counts the requested addresses below `address`. */
static size_t addresses_below(const struct perf_map_request *request, uint64_t address)
{
	size_t low = 0;
	size_t high = request->address_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (request->addresses[middle].key < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void set_addresses(struct perf_map_reader *reader, size_t begin, size_t end,
			  line_number line)
{
	size_t count = reader->request->address_count;

	for (begin += count, end += count; begin < end; begin /= 2, end /= 2) {
		if (begin & 1)
			reader->nodes[begin++] = line;
		if (end & 1)
			reader->nodes[--end] = line;
	}
}

static line_number line_of_address(const struct perf_map_reader *reader, size_t index)
{
	line_number last = 0;

	for (size_t at = index + reader->request->address_count; at; at /= 2)
		if (reader->nodes[at] > last)
			last = reader->nodes[at];
	return last;
}

static void note_start(struct perf_map_reader *reader, size_t index, const struct symbol *symbol,
		       line_number line)
{
	if (symbol->start > reader->highest_start)
		reader->highest_start = symbol->start;
	if (index == reader->request->address_count)
		return;
	if (!reader->has_start[index] || symbol->start > reader->starts[index]) {
		reader->has_start[index] = true;
		reader->starts[index] = symbol->start;
		reader->unsized[index] = 0;
	}
	if (symbol->start == reader->starts[index] && symbol->end == symbol->start)
		reader->unsized[index] = line;
}

static void take_line(struct perf_map_reader *reader, struct text text, uint64_t offset)
{
	struct symbol symbol;
	size_t first;

	if (!text.length)
		return;
	if (!parse_line(text, &symbol)) {
		reader->map->corrupt_count += reader->map->corrupt_count < UINT32_MAX;
		return;
	}
	first = addresses_below(reader->request, symbol.start);
	note_start(reader, first, &symbol, offset + 1);
	if (symbol.end > symbol.start && first < reader->request->address_count &&
	    reader->request->addresses[first].key < symbol.end)
		set_addresses(reader, first, addresses_below(reader->request, symbol.end),
			      offset + 1);
}

/*
 * Reads the complete lines of a piece that begins at offset. Returns the size of these lines in
 * bytes.
 */
static size_t read_lines(struct perf_map_reader *reader, const char *piece, size_t size_bytes,
			 uint64_t offset)
{
	const char *at = piece;
	const char *end = piece + size_bytes;
	const char *newline;

	while (at < end && (newline = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		if (!reader->is_skipping)
			take_line(reader, (struct text){ at, (uint32_t)(newline - at) },
				  offset + (uint64_t)(at - piece));
		reader->is_skipping = false;
		at = newline + 1;
	}
	return (size_t)(at - piece);
}

static ssize_t read_at(int fd, char *buffer, size_t size_bytes, uint64_t offset)
{
	ssize_t got;

	do
		got = pread(fd, buffer, size_bytes, (off_t)offset);
	while (got < 0 && errno == EINTR);
	return got;
}

static bool too_large(const struct perf_map_request *request, struct error *err)
{
	return error_set(err, ERROR_LIMIT, "is larger than the limit of %llu bytes",
			 (unsigned long long)request->limit_bytes);
}

/* The process may still be writing the last line. A last line without a newline does not count. */
static bool read_pieces(struct perf_map_reader *reader, char *piece, struct error *err)
{
	uint64_t offset = 0; /* file offset of piece */
	size_t held = 0;     /* bytes at the start of piece: an incomplete line */

	for (;;) {
		ssize_t got = read_at(reader->request->fd, piece + held, PIECE_BYTES - held,
				      offset + held);
		size_t used;

		if (got < 0)
			return error_set_errno(err, "cannot read");
		checksum_add(&reader->checksum, piece + held, (size_t)got);
		held += (size_t)got;
		reader->map->size_bytes = offset + held;
		if (reader->map->size_bytes > reader->request->limit_bytes)
			return too_large(reader->request, err);
		if (got == 0)
			return true;
		used = read_lines(reader, piece, held, offset);
		if (used == 0 && held == PIECE_BYTES) {
			reader->map->corrupt_count += !reader->is_skipping;
			reader->is_skipping = true;
			used = held;
		}
		memmove(piece, piece + used, held - used);
		held -= used;
		offset += used;
	}
}

static uint64_t end_of_page_behind(uint64_t address)
{
	uint64_t end = (address | (PAGE_BYTES - 1)) + 1;

	return end ? end : UINT64_MAX;
}

/*
 * Reads a line again, and adds its symbol. last_address: the highest address that the line names.
 */
static void add_symbol(struct perf_map_reader *reader, line_number line, uint64_t last_address)
{
	char buffer[LINE_BYTES];
	ssize_t got = read_at(reader->request->fd, buffer, sizeof(buffer), line - 1);
	const char *newline = got > 0 ? memchr(buffer, '\n', (size_t)got) : NULL;
	struct text text = { buffer, newline ? (uint32_t)(newline - buffer) : (uint32_t)got };
	struct symbol symbol;

	if (got <= 0 || !parse_line(text, &symbol))
		return;
	if (symbol.end == symbol.start)
		symbol.end = last_address + 1;
	symbol.name.at = arena_text(&reader->map->names, symbol.name.at, symbol.name.length);
	symbol_table_add(&reader->map->symbols, &symbol);
}

static int compare_rows(const void *a, const void *b)
{
	const struct key_row *left = a;
	const struct key_row *right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return (left->row > right->row) - (left->row < right->row);
}

/* Lists a line for each address that has a line. Returns the number of lines. */
static size_t choose_lines(const struct perf_map_reader *reader, struct key_row *lines)
{
	const struct perf_map_request *request = reader->request;
	size_t count = 0;
	line_number unsized = 0;
	uint64_t unsized_end = UINT64_MAX;

	for (size_t i = 0; i < request->address_count; i++) {
		line_number line = line_of_address(reader, i);

		if (reader->has_start[i]) {
			unsized = reader->unsized[i];
			unsized_end = reader->starts[i] == reader->highest_start
					      ? end_of_page_behind(reader->starts[i])
					      : UINT64_MAX;
		}
		if (unsized > line && request->addresses[i].key < unsized_end)
			line = unsized;
		if (line)
			lines[count++] = (struct key_row){ line, (uint32_t)i };
	}
	return count;
}

static void add_symbols(struct perf_map_reader *reader)
{
	const struct perf_map_request *request = reader->request;
	struct key_row *lines = memory_alloc(request->address_count, sizeof(*lines));
	size_t count = choose_lines(reader, lines);

	if (count)
		qsort(lines, count, sizeof(*lines), compare_rows);
	for (size_t i = 0; i < count; i++)
		if (i + 1 == count || lines[i + 1].key != lines[i].key)
			add_symbol(reader, lines[i].key, request->addresses[lines[i].row].key);
	memory_free(lines);
	symbol_table_finish(&reader->map->symbols, SYMBOL_RULES_LATEST);
}

static bool read_all(struct perf_map_reader *reader, struct error *err)
{
	char *piece = memory_alloc(PIECE_BYTES, 1);
	bool good;

	checksum_init(&reader->checksum);
	good = read_pieces(reader, piece, err);
	reader->map->checksum = checksum_value(&reader->checksum);
	memory_free(piece);
	if (good)
		add_symbols(reader);
	return good;
}

bool perf_map_read(struct perf_map *map, const struct perf_map_request *request, struct error *err)
{
	struct perf_map_reader reader = { .request = request, .map = map };
	struct stat status;
	bool good;

	*map = (struct perf_map){ .size_bytes = 0 };
	/* Refuse a huge file before reading it. */
	if (fstat(request->fd, &status) == 0 && status.st_size > 0 &&
	    (uint64_t)status.st_size > request->limit_bytes)
		return too_large(request, err);
	arena_init(&map->names);
	symbol_table_init(&map->symbols);
	reader.nodes = memory_zalloc(request->address_count * 2, sizeof(*reader.nodes));
	reader.starts = memory_zalloc(request->address_count, sizeof(*reader.starts));
	reader.unsized = memory_zalloc(request->address_count, sizeof(*reader.unsized));
	reader.has_start = memory_zalloc(request->address_count, sizeof(*reader.has_start));
	good = read_all(&reader, err);
	memory_free(reader.nodes);
	memory_free(reader.starts);
	memory_free(reader.unsized);
	memory_free(reader.has_start);
	if (!good)
		perf_map_deinit(map);
	return good;
}

void perf_map_deinit(struct perf_map *map)
{
	symbol_table_deinit(&map->symbols);
	arena_deinit(&map->names);
}
