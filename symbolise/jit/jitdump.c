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

/* The longest stretch that is looked at in one piece: a LOAD and its name. */
#define WINDOW_BYTES (64u << 10)

/* A piece of the file, moved along. Code is most of a dump and is stepped over. */
struct window {
	int fd;
	uint64_t file_bytes;
	bool is_swapped;
	uint64_t offset;
	size_t size_bytes;
	unsigned char *bytes;
};

/* The code that was last put to an address under a number. */
struct code_range {
	uint64_t code_index, address;
	uint32_t code; /* row of codes */
};

struct reading {
	struct jitdump *dump;
	struct window window;
	VEC(struct code_range) code_ranges;
	struct idtable table; /* of code_ranges */
};

struct jitdump_record {
	uint32_t id;
	uint64_t begin, end; /* in the file */
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

/* The bytes [offset, offset + size_bytes) of the file, of which there are no more than a window. */
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

static bool read_header(struct reading *reading, uint64_t *end_ret, struct error *err)
{
	struct jitdump *dump = reading->dump;
	struct window *window = &reading->window;
	struct span span;
	uint32_t version;
	uint32_t header_bytes;
	uint64_t flags;

	if (!window_get(window, 0, JITDUMP_HEAD_BYTES, &span))
		return error_set(err, ERROR_CORRUPT, "is shorter than the header of a jitdump");
	if (!jitdump_head_order(span.at, JITDUMP_HEAD_BYTES, &window->is_swapped))
		return error_set(err, ERROR_FORMAT, "is no jitdump");
	span.swapped = window->is_swapped;
	if (!span_skip(&span, 4) || !span_u32(&span, &version) || !span_u32(&span, &header_bytes) ||
	    !span_skip(&span, 8) || !span_u32(&span, &dump->pid) || !span_skip(&span, 8) ||
	    !span_u64(&span, &flags))
		return false;
	if (version != DUMP_VERSION)
		return error_set(err, ERROR_UNSUPPORTED, "is a jitdump of version %" PRIu32,
				 version);
	if (header_bytes < JITDUMP_HEAD_BYTES || header_bytes > window->file_bytes)
		return error_set_at(err, ERROR_CORRUPT, 8, "says its header has %" PRIu32 " bytes",
				    header_bytes);
	dump->has_processor_clock = flags & FLAG_PROCESSOR_CLOCK;
	*end_ret = header_bytes;
	return true;
}

/* Remembers where code is, for when it is moved. */
static void note_code(struct reading *reading, uint64_t code_index, uint64_t address, uint32_t code)
{
	uint64_t hash = hash_pair(code_index, address);
	struct idtable_probe probe = idtable_find(&reading->table, hash);
	uint32_t id;

	while ((id = idtable_next(&reading->table, &probe)) != IDTABLE_NONE) {
		struct code_range *code_range = &reading->code_ranges.at[id];

		if (code_range->code_index == code_index && code_range->address == address) {
			code_range->code = code;
			return;
		}
	}
	idtable_add(&reading->table, hash, (uint32_t)reading->code_ranges.count);
	vec_push(&reading->code_ranges, (struct code_range){ code_index, address, code });
}

static const struct jitdump_code *find_code(const struct reading *reading, uint64_t code_index,
					    uint64_t address)
{
	struct idtable_probe probe = idtable_find(&reading->table, hash_pair(code_index, address));
	uint32_t id;

	while ((id = idtable_next(&reading->table, &probe)) != IDTABLE_NONE) {
		const struct code_range *code_range = &reading->code_ranges.at[id];

		if (code_range->code_index == code_index && code_range->address == address)
			return &reading->dump->codes.at[code_range->code];
	}
	return NULL;
}

static bool add_code(struct reading *reading, const struct jitdump_code *code, uint64_t code_index)
{
	struct jitdump *dump = reading->dump;
	uint64_t ignored;

	if (__builtin_add_overflow(code->address, code->size_bytes, &ignored) ||
	    dump->codes.count >= LIMIT_JIT_CODES)
		return false;
	note_code(reading, code_index, code->address, (uint32_t)dump->codes.count);
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
static bool take_load(struct reading *reading, const struct jitdump_record *record,
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
	/* Nothing can run in it. */
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
	if (!add_code(reading, &code, code_index))
		return false;
	add_name(reading->dump, &code, name);
	return true;
}

/* {u32 pid, tid; u64 vma, old address, new address, size, index} */
static bool take_move(struct reading *reading, const struct jitdump_record *record,
		      struct span span)
{
	struct jitdump_code code = { .time_ns = record->time_ns, .is_moved = true };
	const struct jitdump_code *old;
	uint64_t code_index;

	if (!span_u32(&span, &code.pid) || !span_skip(&span, 12) ||
	    !span_u64(&span, &code.moved_from) || !span_u64(&span, &code.address) ||
	    !span_u64(&span, &code.size_bytes) || !span_u64(&span, &code_index))
		return false;
	old = find_code(reading, code_index, code.moved_from);
	if (!old || old->size_bytes != code.size_bytes)
		return false;
	code.offset = old->offset;
	return add_code(reading, &code, code_index);
}

static bool take_record(struct reading *reading, const struct jitdump_record *record)
{
	uint64_t size_bytes = record->end - record->begin;
	uint64_t most = PREFIX_BYTES + LOAD_BYTES + LIMIT_SYMBOL_BYTES;
	size_t seen_bytes = (size_t)(size_bytes < most ? size_bytes : most);
	struct span span;

	if (record->id != RECORD_LOAD && record->id != RECORD_MOVE)
		return true;
	if (!window_get(&reading->window, record->begin, seen_bytes, &span) ||
	    !span_skip(&span, PREFIX_BYTES))
		return false;
	if (record->id == RECORD_MOVE)
		return take_move(reading, record, span);
	return take_load(reading, record, span, seen_bytes);
}

/* False at the end, and where no record can begin. */
static bool next_record(struct reading *reading, uint64_t begin, struct jitdump_record *ret)
{
	struct window *window = &reading->window;
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

static void read_records(struct reading *reading, uint64_t begin)
{
	struct jitdump_record record = { .id = RECORD_DEBUG_INFO };

	while (next_record(reading, begin, &record)) {
		if (!take_record(reading, &record))
			reading->dump->damaged_count++;
		begin = record.end;
		if (record.id == RECORD_CLOSE)
			return;
	}
	reading->dump->is_cut = begin < reading->window.file_bytes;
}

bool jitdump_read(struct jitdump *dump, int fd, struct error *err)
{
	struct reading reading = { .dump = dump, .window = { .fd = fd } };
	struct stat status;
	uint64_t begin = 0;
	bool good;

	if (fstat(fd, &status) != 0)
		return error_set_errno(err, "cannot be read");
	*dump = (struct jitdump){ .pid = 0 };
	arena_init(&dump->arena);
	symbol_table_init(&dump->symbols);
	idtable_init(&reading.table);
	reading.window.file_bytes = (uint64_t)status.st_size;
	reading.window.bytes = memory_alloc(WINDOW_BYTES, 1);
	good = read_header(&reading, &begin, err);
	if (good)
		read_records(&reading, begin);
	symbol_table_finish(&dump->symbols, SYMBOL_RULES_LATEST);
	memory_free(reading.window.bytes);
	vec_free(&reading.code_ranges);
	idtable_deinit(&reading.table);
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
