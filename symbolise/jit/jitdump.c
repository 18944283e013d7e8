/* SPDX-License-Identifier: MIT */
#include "symbolise/jit/jitdump.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/idtable.h"
#include "base/strings.h"
#include "object/jitdump_head.h"

#define DUMP_VERSION 1u
#define PREFIX_BYTES 16u
#define LOAD_BYTES   40u
#define MOVE_BYTES   48u

#define FLAG_PROCESSOR_CLOCK 1u

enum record_id {
	RECORD_LOAD = 0,
	RECORD_MOVE = 1,
	RECORD_DEBUG_INFO = 2,
	RECORD_CLOSE = 3,
	RECORD_UNWINDING_INFO = 4,
};

/*
 * The number of bytes read at a time: enough for a LOAD record with its name, but without its code.
 */
#define WINDOW_BYTES (64u << 10)

/* A sliding window over the file. Code bytes, most of a dump, are skipped. */
struct window {
	int fd;
	uint64_t file_bytes;
	bool is_swapped;
	uint64_t offset;
	size_t size_bytes;
	unsigned char *bytes;
};

/* The latest code with this index at this address. */
struct code_range {
	uint64_t code_index, address;
	uint32_t code; /* row of codes */
};

struct jitdump_reader {
	struct jitdump *dump;
	struct window window;
	VEC(struct code_range) code_ranges;
	struct idtable table; /* index of code_ranges */
};

struct jitdump_record {
	uint32_t id;
	uint64_t begin, end; /* offsets in the file */
	uint64_t time_ns;
};

static bool window_fill(struct window *window, uint64_t offset)
{
	ssize_t got;

	window->offset = offset;
	window->size_bytes = 0;
	while (window->size_bytes < WINDOW_BYTES) {
		got = pread(window->fd, window->bytes + window->size_bytes,
			    WINDOW_BYTES - window->size_bytes,
			    (off_t)(offset + window->size_bytes));
		if (got <= 0)
			break;
		window->size_bytes += (size_t)got;
	}
	return window->size_bytes > 0;
}

/* Gets size_bytes bytes, at most WINDOW_BYTES, at an offset of the file. */
static bool window_get(struct window *window, uint64_t offset, size_t size_bytes, struct span *ret)
{
	bool is_inside = offset >= window->offset &&
			 offset - window->offset <= window->size_bytes &&
			 size_bytes <= window->size_bytes - (size_t)(offset - window->offset);

	if (!is_inside && (!window_fill(window, offset) || window->size_bytes < size_bytes))
		return false;
	*ret = span_of(window->bytes + (size_t)(offset - window->offset), size_bytes, offset,
		       window->is_swapped);
	return true;
}

static bool read_header(struct jitdump_reader *reader, uint64_t *end_ret, struct error *err)
{
	struct jitdump *dump = reader->dump;
	struct window *window = &reader->window;
	struct span span;
	uint32_t version;
	uint32_t header_bytes;
	uint64_t flags;

	if (!window_get(window, 0, JITDUMP_HEAD_BYTES, &span))
		return error_set(err, ERROR_CORRUPT, "is shorter than the header of a jitdump");
	if (!jitdump_head_order(span.at, JITDUMP_HEAD_BYTES, &window->is_swapped))
		return error_set(err, ERROR_FORMAT, "is not a jitdump");
	span.swapped = window->is_swapped;
	if (!span_skip(&span, 4) || !span_u32(&span, &version) || !span_u32(&span, &header_bytes) ||
	    !span_skip(&span, 8) || !span_u32(&span, &dump->pid) || !span_skip(&span, 8) ||
	    !span_u64(&span, &flags))
		return false;
	if (version != DUMP_VERSION)
		return error_set(err, ERROR_UNSUPPORTED,
				 "is a jitdump of unsupported version %" PRIu32, version);
	if (header_bytes < JITDUMP_HEAD_BYTES || header_bytes > window->file_bytes)
		return error_set_at(err, ERROR_CORRUPT, 8,
				    "has an invalid header size, %" PRIu32 " bytes", header_bytes);
	dump->has_processor_clock = flags & FLAG_PROCESSOR_CLOCK;
	*end_ret = header_bytes;
	return true;
}

/* Remembers where code is, for later MOVE records. */
static void note_code(struct jitdump_reader *reader, uint64_t code_index, uint64_t address,
		      uint32_t code)
{
	uint64_t hash = hash_pair(code_index, address);
	struct idtable_probe probe = idtable_find(&reader->table, hash);
	uint32_t id;

	while ((id = idtable_next(&reader->table, &probe)) != IDTABLE_NONE) {
		struct code_range *code_range = &reader->code_ranges.at[id];

		if (code_range->code_index == code_index && code_range->address == address) {
			code_range->code = code;
			return;
		}
	}
	idtable_add(&reader->table, hash, (uint32_t)reader->code_ranges.count);
	vec_push(&reader->code_ranges, (struct code_range){ code_index, address, code });
}

static const struct jitdump_code *find_code(const struct jitdump_reader *reader,
					    uint64_t code_index, uint64_t address)
{
	struct idtable_probe probe = idtable_find(&reader->table, hash_pair(code_index, address));
	uint32_t id;

	while ((id = idtable_next(&reader->table, &probe)) != IDTABLE_NONE) {
		const struct code_range *code_range = &reader->code_ranges.at[id];

		if (code_range->code_index == code_index && code_range->address == address)
			return &reader->dump->codes.at[code_range->code];
	}
	return NULL;
}

static bool add_code(struct jitdump_reader *reader, const struct jitdump_code *code,
		     uint64_t code_index)
{
	struct jitdump *dump = reader->dump;
	uint64_t ignored;

	if (__builtin_add_overflow(code->address, code->size_bytes, &ignored) ||
	    dump->codes.count >= LIMIT_JIT_CODES)
		return false;
	note_code(reader, code_index, code->address, (uint32_t)dump->codes.count);
	vec_push(&dump->codes, *code);
	return true;
}

static void add_name(struct jitdump *dump, const struct jitdump_code *code, struct text name)
{
	char *copy = arena_text(&dump->arena, name.at, name.length);

	symbol_table_add(&dump->symbols, &(struct symbol){
						 .start = code->offset,
						 .end = code->offset + code->size_bytes,
						 .limit = UINT64_MAX,
						 .name = { copy, name.length },
						 .binding = SYMBOL_GLOBAL,
						 .is_whole = true,
					 });
}

/* {u32 pid, tid; u64 vma, address, size, index; char name[]; code} */
static bool read_load(struct jitdump_reader *reader, const struct jitdump_record *record,
		      struct span span, size_t seen_bytes)
{
	struct jitdump_code code = { .time_ns = record->time_ns };
	uint64_t body_bytes = record->end - record->begin - PREFIX_BYTES;
	uint64_t code_index;
	size_t name_bytes;
	const char *nul;
	struct text name;

	if (!span_u32(&span, &code.pid) || !span_skip(&span, 12) ||
	    !span_u64(&span, &code.address) || !span_u64(&span, &code.size_bytes) ||
	    !span_u64(&span, &code_index))
		return false;
	/* Empty code has no addresses. */
	if (!code.size_bytes)
		return true;
	if (code.size_bytes > body_bytes - LOAD_BYTES)
		return false;
	code.offset = record->end - code.size_bytes;
	name_bytes = seen_bytes - PREFIX_BYTES - LOAD_BYTES;
	if (name_bytes > code.offset - record->begin - PREFIX_BYTES - LOAD_BYTES)
		name_bytes = (size_t)(code.offset - record->begin - PREFIX_BYTES - LOAD_BYTES);
	nul = name_bytes ? memchr(span.at, '\0', name_bytes) : NULL;
	name = (struct text){ (const char *)span.at, (uint32_t)name_bytes };
	if (nul)
		name.length = (uint32_t)(nul - name.at);
	if (!name.length || (!nul && name.length < LIMIT_SYMBOL_BYTES))
		return false;
	if (!add_code(reader, &code, code_index))
		return false;
	add_name(reader->dump, &code, name);
	return true;
}

/* {u32 pid, tid; u64 vma, old address, new address, size, index} */
static bool read_move(struct jitdump_reader *reader, const struct jitdump_record *record,
		      struct span span)
{
	struct jitdump_code code = { .time_ns = record->time_ns, .is_moved = true };
	const struct jitdump_code *old;
	uint64_t code_index;

	if (!span_u32(&span, &code.pid) || !span_skip(&span, 12) ||
	    !span_u64(&span, &code.moved_from) || !span_u64(&span, &code.address) ||
	    !span_u64(&span, &code.size_bytes) || !span_u64(&span, &code_index))
		return false;
	old = find_code(reader, code_index, code.moved_from);
	if (!old || old->size_bytes != code.size_bytes)
		return false;
	code.offset = old->offset;
	return add_code(reader, &code, code_index);
}

static bool take_record(struct jitdump_reader *reader, const struct jitdump_record *record)
{
	uint64_t size_bytes = record->end - record->begin;
	uint64_t most = PREFIX_BYTES + LOAD_BYTES + LIMIT_SYMBOL_BYTES;
	size_t seen_bytes = (size_t)(size_bytes < most ? size_bytes : most);
	struct span span;

	if (record->id != RECORD_LOAD && record->id != RECORD_MOVE)
		return true;
	if (!window_get(&reader->window, record->begin, seen_bytes, &span) ||
	    !span_skip(&span, PREFIX_BYTES))
		return false;
	if (record->id == RECORD_MOVE)
		return read_move(reader, record, span);
	return read_load(reader, record, span, seen_bytes);
}

/* Returns false at the end of the file, or if there is no valid record at begin. */
static bool next_record(struct jitdump_reader *reader, uint64_t begin, struct jitdump_record *ret)
{
	struct window *window = &reader->window;
	struct span span;
	uint32_t size_bytes;

	*ret = (struct jitdump_record){ .begin = begin };
	if (window->file_bytes - begin < PREFIX_BYTES ||
	    !window_get(window, begin, PREFIX_BYTES, &span) || !span_u32(&span, &ret->id) ||
	    !span_u32(&span, &size_bytes) || !span_u64(&span, &ret->time_ns) ||
	    size_bytes < PREFIX_BYTES || size_bytes > window->file_bytes - begin)
		return false;
	ret->end = begin + size_bytes;
	return true;
}

static void read_records(struct jitdump_reader *reader, uint64_t begin)
{
	struct jitdump_record record = { .id = RECORD_DEBUG_INFO };

	while (next_record(reader, begin, &record)) {
		if (!take_record(reader, &record))
			reader->dump->corrupt_count++;
		begin = record.end;
		if (record.id == RECORD_CLOSE)
			return;
	}
	reader->dump->is_cut = begin < reader->window.file_bytes;
}

bool jitdump_read(struct jitdump *dump, int fd, struct error *err)
{
	struct jitdump_reader reader = { .dump = dump, .window = { .fd = fd } };
	struct stat status;
	uint64_t begin = 0;
	bool good;

	if (fstat(fd, &status) != 0)
		return error_set_errno(err, "cannot be read");
	*dump = (struct jitdump){ .pid = 0 };
	arena_init(&dump->arena);
	symbol_table_init(&dump->symbols);
	idtable_init(&reader.table);
	reader.window.file_bytes = (uint64_t)status.st_size;
	reader.window.bytes = memory_alloc(WINDOW_BYTES, 1);
	good = read_header(&reader, &begin, err);
	if (good)
		read_records(&reader, begin);
	symbol_table_finish(&dump->symbols, SYMBOL_RULES_LATEST);
	memory_free(reader.window.bytes);
	vec_free(&reader.code_ranges);
	idtable_deinit(&reader.table);
	if (!good)
		jitdump_deinit(dump);
	return good;
}

void jitdump_deinit(struct jitdump *dump)
{
	vec_free(&dump->codes);
	symbol_table_deinit(&dump->symbols);
	arena_deinit(&dump->arena);
}
