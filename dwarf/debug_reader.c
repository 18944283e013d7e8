/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/debug_reader.h"

#include <dwarf.h>

#include "dwarf/debug_image.h"
#include "dwarf/function_tree.h"
#include "dwarf/image_maker.h"
#include "dwarf/line_rows.h"
#include "dwarf/split_units.h"
#include "dwarf/units.h"

/* An address and its unit. */
struct wanted {
	uint32_t unit;
	uint64_t address;
};

struct opened {
	struct debug_image image;
	Dwarf *dwarf;
};

struct dwarf_reader {
	const struct dwarf_files *files;
	struct opened program;
	struct opened shared;
	bool lacks_shared; /* the file of .gnu_debugaltlink (dwz) is missing */
	struct inline_table *table;
	struct reading_budget budget;
	struct units units;
	struct die_names names;
	struct function_tree tree;
	struct unit_entries entries; /* entries of the current unit */
	struct die_walk walk;
	struct split_units splits;
	struct line_rows lines;    /* lines of the current unit */
	VEC(struct wanted) wanted; /* sorted by unit and address */
	VEC(uint64_t) addresses;   /* wanted addresses in the current unit */
	VEC(bool) found;           /* for each of these, whether its function was found */
};

static int compare_wanted(const void *a, const void *b)
{
	const struct wanted *left = a;
	const struct wanted *right = b;

	if (left->unit != right->unit)
		return left->unit < right->unit ? -1 : 1;
	return (left->address > right->address) - (left->address < right->address);
}

/*
 * A unit without ranges may contain any address that no other unit contains, so all units without
 * ranges are searched.
 */
static void ask_units_without_ranges(struct dwarf_reader *reader, uint64_t address)
{
	for (uint32_t i = 0; i < reader->units.rows.count; i++)
		if (!reader->units.rows.at[i].has_ranges &&
		    reading_budget_spend(&reader->budget, 1))
			vec_push(&reader->wanted, (struct wanted){ i, address });
}

static void find_units(struct dwarf_reader *reader, const struct dwarf_request *request)
{
	for (size_t i = 0; i < request->address_count; i++) {
		struct inline_range gap;
		uint32_t unit = units_find(&reader->units, request->addresses[i], &gap);

		if (unit != UNIT_NONE)
			vec_push(&reader->wanted, (struct wanted){ unit, request->addresses[i] });
		else if (gap.start < gap.end)
			vec_push(&reader->table->covered, gap);
		if (unit == UNIT_NONE)
			ask_units_without_ranges(reader, request->addresses[i]);
	}
	if (reader->wanted.count > 1)
		qsort(reader->wanted.at, reader->wanted.count, sizeof(*reader->wanted.at),
		      compare_wanted);
}

/* Whether an entry that is not a function may contain functions. */
static bool holds_functions(int tag, bool enters_all)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
		return enters_all;
	default:
		return false;
	}
}

/*
 * Adds the functions of a unit that have code at the current addresses. Functions are rarely nested
 * in classes or other functions. Classes and functions are therefore searched only for addresses
 * that were not found elsewhere (enters_all).
 */
static void add_functions(struct dwarf_reader *reader, const Dwarf_Die *unit, bool enters_all)
{
	bool enters = true;

	function_tree_begin(&reader->tree);
	die_walk_init(&reader->walk, &reader->entries, unit);
	while (die_walk_next(&reader->walk, enters)) {
		Dwarf_Die *die = die_walk_current(&reader->walk);
		int tag = die_walk_tag(&reader->walk);

		enters = holds_functions(tag, enters_all);
		if (tag != DW_TAG_subprogram ||
		    !function_tree_has_any(&reader->tree, die, reader->addresses.at,
					   reader->addresses.count))
			continue;
		function_tree_add(&reader->tree, die);
		enters = false;
	}
	reader->table->is_incomplete |= reader->walk.is_damaged || reader->tree.walk.is_damaged;
}

/*
 * Removes the addresses for which a function was found, in the segments from this one on. Segments
 * overlap only in a corrupt file, where all of them could contain all addresses.
 */
static void drop_found(struct dwarf_reader *reader, size_t segment_first)
{
	const struct inline_table *table = reader->table;
	size_t kept = 0;

	reader->found.count = 0;
	for (size_t i = 0; i < reader->addresses.count; i++)
		vec_push(&reader->found, false);
	for (size_t i = segment_first; i < table->segments.count; i++) {
		const struct inline_segment *segment = &table->segments.at[i];
		size_t at = vec_count_first(&reader->addresses, address, *address < segment->start);

		for (; at < reader->addresses.count && reader->addresses.at[at] < segment->end &&
		       reading_budget_spend(&reader->budget, 1);
		     at++)
			reader->found.at[at] = true;
	}
	for (size_t i = 0; i < reader->addresses.count; i++)
		if (!reader->found.at[i])
			reader->addresses.at[kept++] = reader->addresses.at[i];
	reader->addresses.count = kept;
}

/* The image that contains a unit of the program. */
static const struct debug_image *image_of(const struct dwarf_reader *reader, Dwarf_Die *unit)
{
	return dwarf_cu_getdwarf(unit->cu) == reader->program.dwarf ? &reader->program.image
								    : &reader->splits.open.linked;
}

/* Counts the work for a unit's lines, because libdw always reads the whole line table. */
static bool spend_lines(struct dwarf_reader *reader, Dwarf_Die *unit)
{
	struct span lines = debug_image_section(image_of(reader, unit), DEBUG_LINE);
	Dwarf_Attribute attribute;
	Dwarf_Word offset;
	uint32_t size_bytes;

	if (dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &attribute), &offset) != 0 ||
	    !span_skip(&lines, offset) || !span_u32(&lines, &size_bytes))
		return true;
	if (size_bytes > span_left(&lines))
		size_bytes = (uint32_t)span_left(&lines);
	return reading_budget_spend(&reader->budget, size_bytes);
}

/*
 * Reads the list of source files of a unit. A split unit refers to the list of its skeleton. A list
 * in the split file may be one for type units, with other numbers (clang), so it is used only if
 * the skeleton has none.
 */
static void read_files(struct dwarf_reader *reader, Dwarf_Die *skeleton, Dwarf_Die *unit)
{
	size_t count;

	reader->tree.files = NULL;
	reader->names.split_files = NULL;
	if (!reader->table->has_lines || !spend_lines(reader, unit) ||
	    !spend_lines(reader, skeleton))
		return;
	if (dwarf_getsrcfiles(skeleton, &reader->tree.files, &count) != 0 &&
	    dwarf_getsrcfiles(unit, &reader->tree.files, &count) != 0)
		reader->tree.files = NULL;
	if (unit->cu != skeleton->cu)
		reader->names.split_files = reader->tree.files;
}

/* Reads the functions at reader->addresses from a unit. */
static void read_unit(struct dwarf_reader *reader, Dwarf_Die *unit)
{
	size_t segment_first = reader->table->segments.count;
	size_t covered_first = reader->table->covered.count;
	size_t row_count = reader->table->lines.count;
	Dwarf_Die die = *unit;

	reader->tree.base = 0;
	if (split_units_is_skeleton(&die)) {
		die_names_forget(&reader->names);
		unit_entries_forget(&reader->entries);
		if (split_units_find(&reader->splits, unit, &die))
			reader->tree.base = split_units_base(unit);
		else
			reader->table->is_incomplete = true;
	}
	read_files(reader, unit, &die);
	if (!unit_entries_read(&reader->entries, image_of(reader, &die), &die)) {
		reader->table->is_incomplete = true;
		return;
	}
	add_functions(reader, &die, false);
	drop_found(reader, segment_first);
	if (reader->addresses.count)
		add_functions(reader, &die, true);
	drop_found(reader, segment_first);
	for (size_t i = 0; i < reader->addresses.count; i++)
		vec_push(&reader->table->covered,
			 (struct inline_range){ reader->addresses.at[i],
						reader->addresses.at[i] + 1 });
	if (!reader->table->has_lines || reader->budget.is_exceeded)
		return;
	line_rows_read(&reader->lines, unit);
	for (size_t i = covered_first;
	     i < reader->table->covered.count &&
	     reading_budget_spend(&reader->budget, 1 + reader->table->lines.count - row_count);
	     i++) {
		row_count = reader->table->lines.count;
		line_rows_add(&reader->lines, reader->table->covered.at[i], &reader->names);
	}
}

static void read_units(struct dwarf_reader *reader)
{
	for (size_t i = 0; i < reader->wanted.count && !reader->budget.is_exceeded;) {
		uint32_t unit = reader->wanted.at[i].unit;
		Dwarf_Die entry;

		reader->addresses.count = 0;
		for (; i < reader->wanted.count && reader->wanted.at[i].unit == unit; i++)
			vec_push(&reader->addresses, reader->wanted.at[i].address);
		if (units_entry(&reader->units, unit, &entry))
			read_unit(reader, &entry);
		else
			reader->table->is_incomplete = true;
	}
}

static struct reading_budget make_budget(const struct dwarf_reader *reader,
					 const struct dwarf_request *request)
{
	return (struct reading_budget){
		.left = debug_image_steps(&reader->program.image) +
			debug_image_steps(&reader->shared.image) +
			request->address_count * LIMIT_DWARF_STEPS_PER_ADDRESS,
		.reserve = request->reserve_steps,
	};
}

/* Empties the table, because an incomplete table would omit inlined functions without notice. */
static void refuse(struct inline_table *table)
{
	bool has_lines = table->has_lines;

	inline_table_deinit(table);
	inline_table_init(table);
	table->has_lines = has_lines;
	table->is_incomplete = table->is_over_budget = true;
}

static void read_all(struct dwarf_reader *reader, const struct dwarf_request *request,
		     const struct dwarf_opener *opener, byte_list *split_files)
{
	const struct debug_image *image = &reader->program.image;
	struct address_index index = { .ranges = { .at = NULL } };
	struct split_sources sources = { reader->files, request->places, opener };

	reader->budget = make_budget(reader, request);
	split_units_init(&reader->splits, image, &sources, split_files);
	reader->splits.budget = &reader->budget;
	die_names_init(&reader->names, reader->table, &reader->budget);
	function_tree_init(&reader->tree, &reader->names, reader->table, &reader->budget);
	address_index_read(&index, debug_image_section(image, DEBUG_ARANGES));
	unit_entries_init(&reader->entries, &reader->budget);
	reader->tree.unit = &reader->entries;
	units_read(&reader->units, reader->program.dwarf, image, &index, &reader->budget);
	address_index_deinit(&index);
	find_units(reader, request);
	read_units(reader);
	if (reader->budget.is_exceeded)
		refuse(reader->table);
	inline_table_finish(reader->table);
	units_deinit(&reader->units);
	line_rows_deinit(&reader->lines);
	function_tree_deinit(&reader->tree);
	unit_entries_deinit(&reader->entries);
	die_names_deinit(&reader->names);
	split_units_deinit(&reader->splits);
	vec_free(&reader->wanted);
	vec_free(&reader->addresses);
	vec_free(&reader->found);
}

static void close_opened(struct opened *opened)
{
	dwarf_end(opened->dwarf);
	debug_image_close(&opened->image);
}

static bool open_file(struct opened *opened, int fd, bool has_lines, struct error *err)
{
	*opened = (struct opened){ .dwarf = NULL };
	if (!debug_image_open(&opened->image, fd, has_lines, err))
		return false;
	opened->dwarf = dwarf_begin_elf(opened->image.elf, DWARF_C_READ, NULL);
	debug_image_find_sections(&opened->image);
	if (opened->dwarf)
		return true;
	error_set(err, ERROR_CORRUPT, "%s", dwarf_errmsg(-1));
	debug_image_close(&opened->image);
	return false;
}

/* Opens empty debug information, which keeps libdw from searching for a file itself. */
static bool open_nothing(struct opened *opened, struct error *err)
{
	struct image_maker maker = { .byte_order = ELFDATA2LSB };

	*opened = (struct opened){ .dwarf = NULL };
	image_maker_add(&maker, ".debug_str", span_of("", 1, 0, false));
	if (!image_maker_finish(&maker, &opened->image, err))
		return false;
	opened->dwarf = dwarf_begin_elf(opened->image.elf, DWARF_C_READ, NULL);
	return opened->dwarf != NULL;
}

/* Passes the dwz file to libdw, which would otherwise open any file with that name. */
static void open_shared(struct dwarf_reader *reader)
{
	const struct dwarf_files *files = reader->files;
	struct error ignored;

	if (!debug_image_has_section(reader->program.image.file, ".gnu_debugaltlink"))
		return;
	if (files->shared_fd < 0 ||
	    !open_file(&reader->shared, files->shared_fd, files->wants_lines, &ignored)) {
		reader->lacks_shared = true;
		if (!open_nothing(&reader->shared, &ignored))
			return;
	}
	dwarf_setalt(reader->program.dwarf, reader->shared.dwarf);
}

struct dwarf_reader *dwarf_reader_open(const struct dwarf_files *files, struct error *err)
{
	struct dwarf_reader *reader = memory_zalloc(1, sizeof(*reader));

	reader->files = files;
	if (!open_file(&reader->program, files->fd, files->wants_lines, err)) {
		memory_free(reader);
		return NULL;
	}
	open_shared(reader);
	return reader;
}

uint64_t dwarf_reader_answer(struct dwarf_reader *reader, const struct dwarf_request *request,
			     const struct dwarf_opener *opener, struct inline_table *table,
			     byte_list *split_files)
{
	reader->table = table;
	table->has_lines = reader->files->wants_lines;
	table->is_incomplete |= reader->lacks_shared;
	read_all(reader, request, opener, split_files);
	return reader->budget.drawn;
}

void dwarf_reader_close(struct dwarf_reader *reader)
{
	close_opened(&reader->program);
	close_opened(&reader->shared);
	memory_free(reader);
}

#endif
