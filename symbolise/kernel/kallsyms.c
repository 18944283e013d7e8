/* SPDX-License-Identifier: MIT */
#include "symbolise/kernel/kallsyms.h"

#include "base/hash.h"
#include "base/scan.h"
#include "base/strings.h"
#include "object/elf.h"
#include "process/module_kind.h"
#include "symbolise/elf/part_stems.h"
#include "symbolise/needed_symbols.h"

/*
 * About the length of a line, and the maximum number of rows to allocate memory for in advance.
 */
#define LINE_BYTES    40
#define RESERVED_ROWS ((size_t)1 << 18)

_Static_assert(LIMIT_SYMBOL_BYTES <= UINT16_MAX, "a row can store the length of a name");

struct line {
	uint64_t address;
	char type;
	struct text name, module;
};

/* Parses a line. has_nul: the list contains NULs, which no name may contain. */
static bool parse_line(struct text text, bool has_nul, struct line *ret)
{
	const char *end;

	if ((has_nul && memchr(text.at, '\0', text.length)) || !scan_hex(&text, &ret->address) ||
	    text.length < 4 || text.at[0] != ' ' || text.at[2] != ' ')
		return false;
	ret->type = text.at[1];
	text.at += 3;
	text.length -= 3;
	end = memchr(text.at, '\t', text.length);
	ret->name = (struct text){ text.at, end ? (uint32_t)(end - text.at) : text.length };
	ret->module = (struct text){ "", 0 };
	if (end) {
		uint32_t length = text.length - ret->name.length - 1;

		if (length < 3 || end[1] != '[' || end[length] != ']')
			return false;
		ret->module = (struct text){ end + 2, length - 2 };
	}
	return ret->name.length > 0 && ret->name.length <= LIMIT_SYMBOL_BYTES;
}

/* Module names in kallsyms have _ where file names have -. */
static char plain(char c)
{
	return c == '-' ? '_' : c;
}

static bool is_same_module(struct text a, struct text b)
{
	if (a.length != b.length)
		return false;
	for (uint32_t i = 0; i < a.length; i++)
		if (plain(a.at[i]) != plain(b.at[i]))
			return false;
	return true;
}

static uint64_t hash_of_module(struct text name)
{
	uint64_t hash = 0;

	for (uint32_t i = 0; i < name.length; i++)
		hash = hash_u64(hash + (unsigned char)plain(name.at[i]) + 1);
	return hash;
}

static uint32_t find_module(const struct kallsyms *kallsyms, struct text name, uint64_t hash)
{
	struct idtable_probe probe = idtable_find(&kallsyms->module_table, hash);
	uint32_t id;

	while ((id = idtable_next(&kallsyms->module_table, &probe)) != IDTABLE_NONE)
		if (is_same_module(kallsyms->modules.at[id].name, name))
			break;
	return id;
}

static uint32_t owner_of(struct kallsyms *kallsyms, struct text module)
{
	uint64_t hash = hash_of_module(module);
	uint32_t id;

	if (!module.length)
		return KALLSYMS_KERNEL;
	id = find_module(kallsyms, module, hash);
	if (id != IDTABLE_NONE)
		return id + 1;
	id = (uint32_t)kallsyms->modules.count;
	vec_push(&kallsyms->modules,
		 (struct kallsyms_module){ .name = module, .first_address = UINT64_MAX });
	idtable_add(&kallsyms->module_table, hash, id);
	return id + 1;
}

/* Notes only code. Since Linux 6.4, a module's data has been allocated separately. */
static void note_extent(struct kallsyms *kallsyms, uint32_t owner, uint64_t address)
{
	struct kallsyms_module *module;

	if (owner == KALLSYMS_KERNEL)
		return;
	module = &kallsyms->modules.at[owner - 1];
	if (address < module->first_address)
		module->first_address = address;
	if (address > module->last_address)
		module->last_address = address;
}

/* Whether symbols of this type name addresses under these rules. */
static bool is_named_type(char type, enum symbol_rules rules)
{
	switch (rules) {
	case SYMBOL_RULES_PERF:
		return strchr("TtWwDdBb", type) != NULL;
	case SYMBOL_RULES_DATA:
		return strchr("TtWwDdBbRrVv", type) != NULL;
	case SYMBOL_RULES_NEAREST:
	case SYMBOL_RULES_LATEST:
		break;
	}
	return strchr("TtWw", type) != NULL;
}

/* Whether the data symbol ends a function. Data symbols that follow other data are not needed. */
static bool is_worth_ending(const struct kallsyms *kallsyms)
{
	size_t count = kallsyms->rows.count;

	return count > 0 && kallsyms->rows.at[count - 1].name_length > 0;
}

/* Symbols that mark the end of a section. No symbol names the data after such a mark. */
static bool is_end_mark(struct text name)
{
	return text_is(name, "_end") || text_is(name, "_etext") || text_is(name, "_edata") ||
	       text_is(name, "__bss_stop");
}

static void add_line(struct kallsyms *kallsyms, const struct line *line, enum symbol_rules rules)
{
	bool is_named = is_named_type(line->type, rules) &&
			!(rules == SYMBOL_RULES_DATA && is_end_mark(line->name));
	struct kallsyms_row row = {
		.address = line->address,
		.binding = line->type == 'W' || line->type == 'w'   ? SYMBOL_WEAK
			   : line->type >= 'A' && line->type <= 'Z' ? SYMBOL_GLOBAL
								    : SYMBOL_LOCAL,
	};

	kallsyms->line_count++;
	/* Absolute symbols are constants, not addresses. */
	if (line->type == 'A' || line->type == 'a' || line->type == 'U' || line->name.at[0] == '$')
		return;
	if (line->address)
		kallsyms->has_address = true;
	if (!is_named && (rules == SYMBOL_RULES_PERF || !is_worth_ending(kallsyms)))
		return;
	row.owner = owner_of(kallsyms, line->module);
	if (is_named) {
		row.name_offset = (uint32_t)(line->name.at - kallsyms->text.at);
		row.name_length = (uint16_t)line->name.length;
	}
	if (is_named_type(line->type, SYMBOL_RULES_NEAREST))
		note_extent(kallsyms, row.owner, line->address);
	if (kallsyms->rows.count < LIMIT_SYMBOLS)
		vec_push(&kallsyms->rows, row);
}

static void check_reference(struct kallsyms *kallsyms, const struct line *line,
			    struct text reference)
{
	if (kallsyms->has_reference || line->module.length || !reference.length ||
	    !text_equal(line->name, reference))
		return;
	kallsyms->has_reference = true;
	kallsyms->reference_address = line->address;
}

static void check_ends(struct kallsyms *kallsyms, const struct line *line)
{
	if (line->module.length || !text_has_prefix(line->name, "_e"))
		return;
	if (text_is(line->name, "_etext"))
		kallsyms->text_end = line->address;
	if (text_is(line->name, "_edata"))
		kallsyms->data_end = line->address;
}

void kallsyms_init(struct kallsyms *kallsyms, struct text text, struct text reference,
		   enum symbol_rules rules)
{
	const char *at = text.at;
	const char *end = text.at + text.length;
	bool has_nul = text.length && memchr(text.at, '\0', text.length);

	*kallsyms = (struct kallsyms){ .text = text, .rules = rules };
	symbol_table_init(&kallsyms->symbols);
	idtable_init(&kallsyms->module_table);
	vec_reserve(&kallsyms->rows, text.length / LINE_BYTES < RESERVED_ROWS
					     ? text.length / LINE_BYTES
					     : RESERVED_ROWS);
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		struct line line;

		/* A line without a newline may be truncated. */
		if (!newline)
			break;
		if (parse_line((struct text){ at, (uint32_t)(newline - at) }, has_nul, &line)) {
			check_reference(kallsyms, &line, reference);
			check_ends(kallsyms, &line);
			add_line(kallsyms, &line, rules);
		}
		at = newline + 1;
	}
}

void kallsyms_deinit(struct kallsyms *kallsyms)
{
	vec_free(&kallsyms->rows);
	symbol_table_deinit(&kallsyms->symbols);
	idtable_deinit(&kallsyms->module_table);
	vec_free(&kallsyms->modules);
}

static struct text name_of(const struct kallsyms *kallsyms, const struct kallsyms_row *row)
{
	return (struct text){ kallsyms->text.at + row->name_offset, row->name_length };
}

/* Ascending addresses. */
struct addresses {
	const uint64_t *at;
	size_t count;
};

/* Whether exactly the first `count` addresses are below `address`. */
static bool is_count_below(const struct addresses *addresses, uint64_t address, size_t count)
{
	return (count == 0 || addresses->at[count - 1] < address) &&
	       (count == addresses->count || addresses->at[count] >= address);
}

/* Counts the addresses below `address`. near: probably the result, or one less. */
static size_t count_below(const struct addresses *addresses, uint64_t address, size_t near)
{
	if (is_count_below(addresses, address, near))
		return near;
	if (near < addresses->count && is_count_below(addresses, address, near + 1))
		return near + 1;
	return vec_count_first(addresses, at, *at < address);
}

/* The rows above one of the addresses, up to and including the next one. */
struct gap {
	uint64_t lowest, highest; /* lowest > highest if there are no rows */
};

/*
 * Chooses the outermost rows of each gap. For each address, these include all rows at the last
 * start up to the address, and all rows at the next start, where the symbol ends.
 *
 *     rows          a       b  c        d   e   f
 *     addresses                    |              |
 *     chosen        a          c        d       f
 */
static void choose_around(struct kallsyms *kallsyms, const struct addresses *addresses)
{
	struct gap *gaps = memory_alloc(addresses->count + 1, sizeof(*gaps));
	size_t at = 0;

	for (size_t i = 0; i <= addresses->count; i++)
		gaps[i] = (struct gap){ UINT64_MAX, 0 };
	for (size_t i = 0; i < kallsyms->rows.count; i++) {
		uint64_t address = kallsyms->rows.at[i].address;

		at = count_below(addresses, address, at);
		if (address < gaps[at].lowest)
			gaps[at].lowest = address;
		if (address > gaps[at].highest)
			gaps[at].highest = address;
	}
	for (size_t i = 0; i < kallsyms->rows.count; i++) {
		struct kallsyms_row *row = &kallsyms->rows.at[i];

		at = count_below(addresses, row->address, at);
		row->is_chosen =
			row->address == gaps[at].lowest || row->address == gaps[at].highest;
	}
	memory_free(gaps);
}

/* For each chosen part such as f.cold, also chooses f, because function_parts_mark needs f. */
static void choose_stems(struct kallsyms *kallsyms)
{
	struct part_stems stems;

	part_stems_init(&stems);
	for (size_t i = 0; i < kallsyms->rows.count; i++)
		if (kallsyms->rows.at[i].is_chosen)
			part_stems_add(&stems, name_of(kallsyms, &kallsyms->rows.at[i]));
	for (size_t i = 0; i < kallsyms->rows.count && stems.rows.count; i++) {
		struct kallsyms_row *row = &kallsyms->rows.at[i];

		row->is_chosen |= part_stems_find(&stems, name_of(kallsyms, row)) != NULL;
	}
	part_stems_deinit(&stems);
}

void kallsyms_choose(struct kallsyms *kallsyms, const uint64_t *addresses, size_t address_count)
{
	symbol_table_deinit(&kallsyms->symbols);
	symbol_table_init(&kallsyms->symbols);
	choose_around(kallsyms, &(struct addresses){ addresses, address_count });
	choose_stems(kallsyms);
	for (size_t i = 0; i < kallsyms->rows.count; i++) {
		const struct kallsyms_row *row = &kallsyms->rows.at[i];

		if (row->is_chosen)
			symbol_table_add(&kallsyms->symbols,
					 &(struct symbol){
						 .start = row->address,
						 .end = row->address,
						 .limit = UINT64_MAX,
						 .name = name_of(kallsyms, row),
						 .owner = row->owner,
						 .binding = (enum symbol_binding)row->binding,
					 });
	}
	symbol_table_finish(&kallsyms->symbols, kallsyms->rules);
}

uint32_t kallsyms_find_module(const struct kallsyms *kallsyms, struct text path)
{
	struct text name = module_kernel_module_name(path);
	uint32_t row = find_module(kallsyms, name, hash_of_module(name));

	return row == IDTABLE_NONE ? KALLSYMS_NO_OWNER : row + 1;
}

bool kallsyms_has_module_in(const struct kallsyms *kallsyms, uint32_t owner, uint64_t start,
			    uint64_t end)
{
	const struct kallsyms_module *module = &kallsyms->modules.at[owner - 1];

	return module->first_address >= start && module->last_address < end;
}

void kallsyms_write_without(const struct kallsyms *kallsyms, struct text text,
			    const uint32_t *owners, size_t owner_count, struct sink *sink)
{
	while (text.length) {
		const char *newline = memchr(text.at, '\n', text.length);
		uint32_t length = newline ? (uint32_t)(newline - text.at) : text.length;
		struct line line;
		uint32_t owner = KALLSYMS_KERNEL;
		bool is_kept = true;

		if (parse_line((struct text){ text.at, length }, true, &line) && line.module.length)
			owner = kallsyms_find_module(kallsyms, line.module);
		for (size_t i = 0; i < owner_count; i++)
			is_kept &= owners[i] != owner || owner == KALLSYMS_NO_OWNER;
		length += newline ? 1 : 0;
		if (is_kept)
			sink_bytes(sink, text.at, length);
		text = (struct text){ text.at + length, text.length - length };
	}
}

/* Whether the line identifies the captured kernel. */
static bool is_landmark(const struct line *line, struct text reference)
{
	return !line->module.length &&
	       (text_equal(line->name, reference) || text_is(line->name, "_etext") ||
		text_is(line->name, "_edata"));
}

void kallsyms_write_around(struct text text, struct text reference, const uint64_t *addresses,
			   size_t address_count, struct sink *sink)
{
	VEC(struct candidate_symbol) rows = { .at = NULL };
	VEC(struct text) lines = { .at = NULL };
	VEC(bool) landmarks = { .at = NULL };
	bool *keeps;

	while (text.length) {
		const char *newline = memchr(text.at, '\n', text.length);
		uint32_t length = newline ? (uint32_t)(newline - text.at) + 1 : text.length;
		struct line line;

		if (newline && parse_line((struct text){ text.at, length - 1 }, true, &line)) {
			vec_push(&rows, (struct candidate_symbol){ line.address, line.address,
								   line.name });
			vec_push(&lines, (struct text){ text.at, length });
			vec_push(&landmarks, is_landmark(&line, reference));
		}
		text = (struct text){ text.at + length, text.length - length };
	}
	keeps = memory_zalloc(rows.count + 1, sizeof(*keeps));
	needed_symbols_mark(rows.at, rows.count, addresses, address_count, keeps);
	for (size_t i = 0; i < rows.count; i++)
		if (keeps[i] || landmarks.at[i])
			sink_text(sink, lines.at[i]);
	memory_free(keeps);
	vec_free(&rows);
	vec_free(&lines);
	vec_free(&landmarks);
}
