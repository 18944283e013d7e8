/* SPDX-License-Identifier: MIT */
#include "symbolise/jit/perf_map.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/scan.h"
#include "base/strings.h"

/* What is read at once; a line that is longer makes no sense. */
#define PIECE_BYTES ((size_t)1 << 20)
/* Two numbers, with 0x and blanks, in front of a name. */
#define LINE_BYTES (LIMIT_SYMBOL_BYTES + 256)

/* Lines are known by where they begin in the file and 1, so a later line has a larger number. */
typedef uint64_t line_number;

/*
 * Which line names which place. A line sets a run of places, and the last one to do so counts: nodes is
 * a segment tree over the places, so that a line costs their logarithm however many it covers.
 *
 * A line without a size ends where the next one begins. Of the lines that begin behind the place before
 * and not behind place i, starts[i] has the highest start, and unsized[i] the last line without a size there.
 */
struct reading {
	const struct perf_map_request *request;
	line_number *nodes;
	uint64_t *starts;
	line_number *unsized; /* 0: none */
	bool *has_start;
	uint64_t highest_start;
	struct perf_map *map;
	struct checksum checksum;
	bool is_skipping; /* the rest of a line that was too long */
};

/* Takes a number and the blanks behind it off the line. */
static bool take_number(struct text *line, uint64_t *ret)
{
	/* Some writers put 0x in front. */
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
	if (memchr(line.at, '\0', line.length) || !take_number(&line, &ret->start) ||
	    !take_number(&line, &size_bytes) || !line.length)
		return false;
	if (__builtin_add_overflow(ret->start, size_bytes, &ret->end))
		return false;
	ret->name = line;
	if (ret->name.length > LIMIT_SYMBOL_BYTES)
		ret->name.length = LIMIT_SYMBOL_BYTES;
	return true;
}

/* How many places lie below address. */
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

static void set_addresses(struct reading *reading, size_t begin, size_t end, line_number line)
{
	size_t count = reading->request->address_count;

	for (begin += count, end += count; begin < end; begin /= 2, end /= 2) {
		if (begin & 1)
			reading->nodes[begin++] = line;
		if (end & 1)
			reading->nodes[--end] = line;
	}
}

static line_number line_of_address(const struct reading *reading, size_t index)
{
	line_number last = 0;

	for (size_t at = index + reading->request->address_count; at; at /= 2)
		if (reading->nodes[at] > last)
			last = reading->nodes[at];
	return last;
}

static void note_start(struct reading *reading, size_t index, const struct symbol *symbol,
		       line_number line)
{
	if (symbol->start > reading->highest_start)
		reading->highest_start = symbol->start;
	if (index == reading->request->address_count)
		return;
	if (!reading->has_start[index] || symbol->start > reading->starts[index]) {
		reading->has_start[index] = true;
		reading->starts[index] = symbol->start;
		reading->unsized[index] = 0;
	}
	if (symbol->start == reading->starts[index] && symbol->end == symbol->start)
		reading->unsized[index] = line;
}

static void take_line(struct reading *reading, struct text text, uint64_t offset)
{
	struct symbol symbol;
	size_t first;

	if (!text.length)
		return;
	if (!parse_line(text, &symbol)) {
		reading->map->damaged_count += reading->map->damaged_count < UINT32_MAX;
		return;
	}
	first = addresses_below(reading->request, symbol.start);
	note_start(reading, first, &symbol, offset + 1);
	if (symbol.end > symbol.start && first < reading->request->address_count &&
	    reading->request->addresses[first].key < symbol.end)
		set_addresses(reading, first, addresses_below(reading->request, symbol.end),
			      offset + 1);
}

/* The whole lines of a piece that begins at offset; how many bytes they are. */
static size_t take_lines(struct reading *reading, const char *piece, size_t size_bytes,
			 uint64_t offset)
{
	const char *at = piece;
	const char *end = piece + size_bytes;
	const char *newline;

	while (at < end && (newline = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		if (!reading->is_skipping)
			take_line(reading, (struct text){ at, (uint32_t)(newline - at) },
				  offset + (uint64_t)(at - piece));
		reading->is_skipping = false;
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
	return error_set(err, ERROR_LIMIT, "is larger than %llu bytes",
			 (unsigned long long)request->limit_bytes);
}

/* The process may have been in the middle of the last line, which counts when it has its end. */
static bool read_pieces(struct reading *reading, char *piece, struct error *err)
{
	uint64_t offset = 0; /* of piece */
	size_t held = 0;     /* of it: the beginning of a line */

	for (;;) {
		ssize_t got = read_at(reading->request->fd, piece + held, PIECE_BYTES - held,
				      offset + held);
		size_t used;

		if (got < 0)
			return error_set_errno(err, "cannot read");
		checksum_add(&reading->checksum, piece + held, (size_t)got);
		held += (size_t)got;
		reading->map->size_bytes = offset + held;
		if (reading->map->size_bytes > reading->request->limit_bytes)
			return too_large(reading->request, err);
		if (got == 0)
			return true;
		used = take_lines(reading, piece, held, offset);
		if (used == 0 && held == PIECE_BYTES) {
			reading->map->damaged_count += !reading->is_skipping;
			reading->is_skipping = true;
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

/* Adds the symbol of a line, which is read once more; last_place: the last address that it names. */
static void add_symbol(struct reading *reading, line_number line, uint64_t last_address)
{
	char buffer[LINE_BYTES];
	ssize_t got = read_at(reading->request->fd, buffer, sizeof(buffer), line - 1);
	const char *newline = got > 0 ? memchr(buffer, '\n', (size_t)got) : NULL;
	struct text text = { buffer, newline ? (uint32_t)(newline - buffer) : (uint32_t)got };
	struct symbol symbol;

	if (got <= 0 || !parse_line(text, &symbol))
		return;
	if (symbol.end == symbol.start)
		symbol.end = last_address + 1;
	symbol.name.at = arena_text(&reading->map->names, symbol.name.at, symbol.name.length);
	symbol_table_add(&reading->map->symbols, &symbol);
}

static int compare_rows(const void *a, const void *b)
{
	const struct key_row *left = a;
	const struct key_row *right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return (left->row > right->row) - (left->row < right->row);
}

/* The line for each place, without those that have none; how many. */
static size_t choose_lines(const struct reading *reading, struct key_row *lines)
{
	const struct perf_map_request *request = reading->request;
	size_t count = 0;
	line_number unsized = 0;
	uint64_t unsized_end = UINT64_MAX;

	for (size_t i = 0; i < request->address_count; i++) {
		line_number line = line_of_address(reading, i);

		if (reading->has_start[i]) {
			unsized = reading->unsized[i];
			unsized_end = reading->starts[i] == reading->highest_start
					      ? end_of_page_behind(reading->starts[i])
					      : UINT64_MAX;
		}
		if (unsized > line && request->addresses[i].key < unsized_end)
			line = unsized;
		if (line)
			lines[count++] = (struct key_row){ line, (uint32_t)i };
	}
	return count;
}

static void add_symbols(struct reading *reading)
{
	const struct perf_map_request *request = reading->request;
	struct key_row *lines = memory_alloc(request->address_count, sizeof(*lines));
	size_t count = choose_lines(reading, lines);

	if (count)
		qsort(lines, count, sizeof(*lines), compare_rows);
	for (size_t i = 0; i < count; i++)
		if (i + 1 == count || lines[i + 1].key != lines[i].key)
			add_symbol(reading, lines[i].key, request->addresses[lines[i].row].key);
	memory_free(lines);
	symbol_table_finish(&reading->map->symbols, SYMBOL_RULES_LATEST);
}

static bool read_all(struct reading *reading, struct error *err)
{
	char *piece = memory_alloc(PIECE_BYTES, 1);
	bool good;

	checksum_init(&reading->checksum);
	good = read_pieces(reading, piece, err);
	reading->map->checksum = checksum_value(&reading->checksum);
	memory_free(piece);
	if (good)
		add_symbols(reading);
	return good;
}

bool perf_map_read(struct perf_map *map, const struct perf_map_request *request, struct error *err)
{
	struct reading reading = { .request = request, .map = map };
	struct stat status;
	bool good;

	*map = (struct perf_map){ .size_bytes = 0 };
	/* Not after a gigabyte of it has been read. */
	if (fstat(request->fd, &status) == 0 && status.st_size > 0 &&
	    (uint64_t)status.st_size > request->limit_bytes)
		return too_large(request, err);
	arena_init(&map->names);
	symbol_table_init(&map->symbols);
	reading.nodes = memory_zalloc(request->address_count * 2, sizeof(*reading.nodes));
	reading.starts = memory_zalloc(request->address_count, sizeof(*reading.starts));
	reading.unsized = memory_zalloc(request->address_count, sizeof(*reading.unsized));
	reading.has_start = memory_zalloc(request->address_count, sizeof(*reading.has_start));
	good = read_all(&reading, err);
	memory_free(reading.nodes);
	memory_free(reading.starts);
	memory_free(reading.unsized);
	memory_free(reading.has_start);
	if (!good)
		perf_map_deinit(map);
	return good;
}

void perf_map_deinit(struct perf_map *map)
{
	symbol_table_deinit(&map->symbols);
	arena_deinit(&map->names);
}
