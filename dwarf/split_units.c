/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/split_units.h"

#include <dwarf.h>
#include <gelf.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "dwarf/package_index.h"
#include "dwarf/units.h"

static const struct {
	enum debug_section section;
	const char *name;
} package_sections[PACKAGE_SECTION_COUNT] = {
	[PACKAGE_INFO] = { DEBUG_INFO, ".debug_info.dwo" },
	[PACKAGE_ABBREV] = { DEBUG_ABBREV, ".debug_abbrev.dwo" },
	[PACKAGE_LINE] = { DEBUG_LINE, ".debug_line.dwo" },
	[PACKAGE_STR_OFFSETS] = { DEBUG_STR_OFFSETS, ".debug_str_offsets.dwo" },
	[PACKAGE_RNGLISTS] = { DEBUG_RNGLISTS, ".debug_rnglists.dwo" },
};

void split_units_init(struct split_units *units, const struct debug_image *program,
		      const struct split_sources *sources, byte_list *used)
{
	*units = (struct split_units){
		.program = program,
		.sources = sources,
		.used = used,
		.open = { .file = { .fd = -1 } },
	};
	arena_init(&units->arena);
}

static void close_unit(struct split_unit *unit)
{
	dwarf_end(unit->dwarf);
	debug_image_close(&unit->linked);
	split_file_close(&unit->file);
	unit->dwarf = NULL;
}

void split_units_deinit(struct split_units *units)
{
	close_unit(&units->open);
	vec_free(&units->files);
	idtable_deinit(&units->file_table);
	for (size_t i = 0; i < units->packages.count; i++) {
		split_file_close(&units->packages.at[i].file);
		image_buffer_deinit(&units->packages.at[i].images);
	}
	vec_free(&units->packages);
	arena_deinit(&units->arena);
}

/* Records that units of this file were used. */
static void note_used(struct split_units *units, const struct split_path *place)
{
	const char *texts[] = { place->offer, place->path };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t k = 0; k <= strlen(texts[i]); k++)
			vec_push(units->used, (unsigned char)texts[i][k]);
}

static const char *attribute_text(Dwarf_Die *unit, unsigned attribute, unsigned older)
{
	Dwarf_Attribute found;
	const char *text = dwarf_formstring(dwarf_attr(unit, attribute, &found));

	return text ? text : dwarf_formstring(dwarf_attr(unit, older, &found));
}

static uint64_t attribute_number(Dwarf_Die *unit, unsigned attribute, unsigned older)
{
	Dwarf_Attribute found;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr(unit, attribute, &found), &value) == 0 ||
	    dwarf_formudata(dwarf_attr(unit, older, &found), &value) == 0)
		return value;
	return 0;
}

bool split_units_is_skeleton(Dwarf_Die *unit)
{
	return attribute_text(unit, DW_AT_dwo_name, DW_AT_GNU_dwo_name) != NULL;
}

/* The id that a skeleton shares with its unit. */
static uint64_t number_of(Dwarf_Die *unit)
{
	uint64_t number = 0;
	uint8_t type;
	Dwarf_Half version;

	if (dwarf_cu_info(unit->cu, &version, &type, NULL, NULL, &number, NULL, NULL) == 0 &&
	    version >= 5)
		return number;
	return attribute_number(unit, DW_AT_GNU_dwo_id, DW_AT_GNU_dwo_id);
}

uint64_t split_units_base(Dwarf_Die *skeleton)
{
	Dwarf_Addr low;

	return dwarf_lowpc(skeleton, &low) == 0 ? low : 0;
}

static void add_section(struct image_maker *maker, const char *name, struct span bytes,
			uint64_t skipped)
{
	if (span_skip(&bytes, skipped) && span_left(&bytes))
		image_maker_add(maker, name, bytes);
}

/*
 * Adds the program's sections that the unit refers to, each from the base that the skeleton states.
 */
static void add_program_sections(const struct split_units *units, Dwarf_Die *skeleton,
				 struct image_maker *maker)
{
	add_section(maker, ".debug_addr.dwo", units->program->sections[DEBUG_ADDR],
		    attribute_number(skeleton, DW_AT_addr_base, DW_AT_GNU_addr_base));
	add_section(maker, ".debug_ranges.dwo", units->program->sections[DEBUG_RANGES],
		    attribute_number(skeleton, DW_AT_GNU_ranges_base, DW_AT_GNU_ranges_base));
}

static void start_image(Elf *elf, struct image_maker *maker)
{
	GElf_Ehdr header;

	*maker = (struct image_maker){ .byte_order = ELFDATA2LSB };
	if (gelf_getehdr(elf, &header)) {
		maker->byte_order = header.e_ident[EI_DATA];
		maker->machine = header.e_machine;
	}
}

/* Returns false if the file cannot be identified. */
static bool identify(const struct split_path *place, const struct split_file *file,
		     struct split_identity *ret)
{
	struct stat status;
	char *end;

	if (*place->offer == 'A') {
		*ret = (struct split_identity){ UINT64_MAX, strtoul(place->offer + 1, &end, 10),
						0 };
		ret->offset = *end == ':' ? strtoull(end + 1, NULL, 10) : 0;
		return true;
	}
	if (fstat(file->fd, &status) != 0)
		return false;
	*ret = (struct split_identity){ status.st_dev, status.st_ino, 0 };
	return true;
}

/* Increases the budget for a file, but only once. */
static void earn(struct split_units *units, const struct split_path *place,
		 const struct split_file *file)
{
	struct split_identity one;
	struct idtable_probe probe;
	uint64_t hash;
	uint32_t id;

	if (!identify(place, file, &one))
		return;
	hash = hash_u64(hash_u64(hash_u64(one.device) ^ one.inode) ^ one.offset);
	probe = idtable_find(&units->file_table, hash);
	while ((id = idtable_next(&units->file_table, &probe)) != IDTABLE_NONE)
		if (memcmp(&units->files.at[id], &one, sizeof(one)) == 0)
			return;
	idtable_add(&units->file_table, hash, (uint32_t)units->files.count);
	vec_push(&units->files, one);
	units->budget->left += debug_image_steps(&file->image);
}

static bool open_split(struct split_units *units, const struct split_path *place,
		       struct split_file *ret)
{
	size_t section_count;

	if (!split_file_open(ret, units->sources, place))
		return false;
	earn(units, place, ret);
	debug_image_find_sections(&ret->image);
	/*
	 * The sections count each time the file is opened, because many units may refer to one
	 * file.
	 */
	return elf_getshdrnum(ret->image.elf, &section_count) == 0 &&
	       reading_budget_spend(units->budget, section_count);
}

/* Counts the work of copying sections to an image. */
static bool spend_copies(struct split_units *units, const struct image_maker *maker)
{
	return reading_budget_spend(units->budget, 1 + image_maker_copied_bytes(maker) /
								   DWARF_COPY_BYTES_PER_STEP);
}

/* Opens the image with libdw, and finds the unit with the skeleton's id. */
static bool find_unit(struct split_units *units, struct split_unit *split,
		      struct image_maker *maker, uint64_t number, Dwarf_Die *ret)
{
	Dwarf_Off unit = 0;
	Dwarf_Off next;
	Dwarf_Off table;
	size_t header_bytes;
	struct error ignored;

	if (!spend_copies(units, maker)) {
		image_maker_deinit(maker);
		return false;
	}
	if (!image_maker_finish(maker, &split->linked, &ignored))
		return false;
	split->dwarf = dwarf_begin_elf(split->linked.elf, DWARF_C_READ, NULL);
	debug_image_find_sections(&split->linked);
	for (; split->dwarf &&
	       dwarf_next_unit(split->dwarf, unit, &next, &header_bytes, NULL, &table, NULL, NULL,
			       NULL, NULL) == 0 &&
	       next > unit;
	     unit = next) {
		if (!units_spend(&split->linked, unit + header_bytes, table, units->budget))
			return false;
		if (dwarf_offdie(split->dwarf, unit + header_bytes, ret) &&
		    number_of(ret) == number)
			return true;
	}
	return false;
}

static bool link_file(struct split_units *units, Dwarf_Die *skeleton, struct split_unit *split,
		      Dwarf_Die *ret)
{
	const struct span *sections = split->file.image.split_sections;
	struct image_maker maker;

	start_image(split->file.image.elf, &maker);
	for (size_t i = 0; i < PACKAGE_SECTION_COUNT; i++)
		add_section(&maker, package_sections[i].name, sections[package_sections[i].section],
			    0);
	add_section(&maker, ".debug_str.dwo", sections[DEBUG_STR], 0);
	add_program_sections(units, skeleton, &maker);
	return find_unit(units, split, &maker, number_of(skeleton), ret);
}

/* Counts the work of listing candidate files, because many units may have the same long path. */
static bool spend_paths(struct split_units *units, const char *name, const char *directory)
{
	size_t name_bytes = strnlen(name, LIMIT_NAME_BYTES) +
			    (directory ? strnlen(directory, LIMIT_NAME_BYTES) : 0);

	return reading_budget_spend(units->budget, name_bytes / DWARF_NAME_BYTES_PER_STEP +
							   units->sources->places.length /
								   DWARF_COPY_BYTES_PER_STEP);
}

/*
 * Searches candidate files. Only the id proves that a file is the right one. The name of a file
 * proves nothing.
 */
static bool find_in_file(struct split_units *units, Dwarf_Die *skeleton, Dwarf_Die *ret)
{
	const char *name = attribute_text(skeleton, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
	const char *directory = attribute_text(skeleton, DW_AT_comp_dir, DW_AT_comp_dir);
	split_path_list places = { .at = NULL };
	struct arena arena;
	bool is_found = false;

	if (!spend_paths(units, name, directory))
		return false;
	arena_init(&arena);
	split_paths_of_unit(units->sources, name, directory, &arena, &places);
	for (size_t i = 0; i < places.count && !is_found; i++) {
		struct split_unit split = { .dwarf = NULL };

		is_found = open_split(units, &places.at[i], &split.file) &&
			   link_file(units, skeleton, &split, ret);
		if (is_found) {
			note_used(units, &places.at[i]);
			units->open = split;
		} else {
			close_unit(&split);
		}
	}
	vec_free(&places);
	arena_deinit(&arena);
	return is_found;
}

static void search_packages(struct split_units *units)
{
	split_path_list places = { .at = NULL };

	units->has_searched = true;
	split_paths_of_package(units->sources, &units->arena, &places);
	for (size_t i = 0; i < places.count; i++) {
		struct split_package package = { .place = places.at[i] };

		if (open_split(units, &places.at[i], &package.file))
			vec_push(&units->packages, package);
		else
			split_file_close(&package.file);
	}
	vec_free(&places);
}

static bool link_package(struct split_units *units, struct split_package *package,
			 Dwarf_Die *skeleton, struct split_unit *split, Dwarf_Die *ret)
{
	const struct debug_image *image = &package->file.image;
	struct package_range ranges[PACKAGE_SECTION_COUNT];
	struct image_maker maker;

	start_image(image->elf, &maker);
	if (!package_index_find(image->sections[DEBUG_CU_INDEX], number_of(skeleton), units->budget,
				ranges))
		return false;
	add_section(&maker, ".debug_str.dwo", image->split_sections[DEBUG_STR], 0);
	if (maker.sections.count)
		maker.buffer = &package->images;
	for (size_t i = 0; i < PACKAGE_SECTION_COUNT; i++) {
		struct span bytes = image->split_sections[package_sections[i].section];

		if (span_skip(&bytes, ranges[i].offset) &&
		    span_sub(&bytes, ranges[i].size_bytes, &bytes))
			add_section(&maker, package_sections[i].name, bytes, 0);
	}
	add_program_sections(units, skeleton, &maker);
	return find_unit(units, split, &maker, number_of(skeleton), ret);
}

static bool find_in_package(struct split_units *units, Dwarf_Die *skeleton, Dwarf_Die *ret)
{
	if (!units->has_searched)
		search_packages(units);
	for (size_t i = 0; i < units->packages.count; i++) {
		struct split_package *package = &units->packages.at[i];
		struct split_unit split = { .file = { .fd = -1 } };

		if (!link_package(units, package, skeleton, &split, ret)) {
			close_unit(&split);
			continue;
		}
		if (!package->is_used)
			note_used(units, &package->place);
		package->is_used = true;
		units->open = split;
		return true;
	}
	return false;
}

bool split_units_find(struct split_units *units, Dwarf_Die *skeleton, Dwarf_Die *ret)
{
	Dwarf_Die found;

	close_unit(&units->open);
	/* Units with other ids are closed again, so *ret must not contain such a unit. */
	if (!find_in_package(units, skeleton, &found) && !find_in_file(units, skeleton, &found))
		return false;
	*ret = found;
	return true;
}

#endif
