/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/split_units.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "dwarf/image_maker.h"
#include "dwarf/package_index.h"
#include "object/file.h"

static const char *const package_sections[PACKAGE_SECTION_COUNT] = {
	[PACKAGE_INFO] = ".debug_info.dwo",
	[PACKAGE_ABBREV] = ".debug_abbrev.dwo",
	[PACKAGE_LINE] = ".debug_line.dwo",
	[PACKAGE_STR_OFFSETS] = ".debug_str_offsets.dwo",
	[PACKAGE_RNGLISTS] = ".debug_rnglists.dwo",
};

void split_units_init(struct split_units *units, Elf *program, int program_fd, struct text places)
{
	*units = (struct split_units){
		.program = program,
		.program_fd = program_fd,
		.places = places,
		.package_fd = -1,
	};
}

static void close_unit(struct split_unit *unit)
{
	dwarf_end(unit->dwarf);
	debug_image_close(&unit->linked);
	debug_image_close(&unit->image);
	if (unit->fd >= 0)
		close(unit->fd);
}

void split_units_deinit(struct split_units *units)
{
	for (size_t i = 0; i < units->open.count; i++)
		close_unit(&units->open.at[i]);
	vec_free(&units->open);
	debug_image_close(&units->package);
	if (units->package_fd >= 0)
		close(units->package_fd);
}

/* The place of this kind behind another, or the first; NULL: there is none. */
static const char *next_place(struct text places, char kind, const char *last)
{
	const char *end = places.at + places.length;
	const char *at = last ? last + strlen(last) + 1 : places.at;

	while (at < end && *at != kind)
		at += strlen(at) + 1;
	return at < end ? at : NULL;
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

/* The number a skeleton and what it stands for have in common. */
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

static int open_joined(const char *folder, const char *name, bool is_root)
{
	char path[2 * LIMIT_NAME_BYTES];
	struct error ignored;

	if (is_root)
		return file_open_beneath(folder, name, &ignored);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return file_open(path, &ignored);
}

/* Opens what the skeleton names: on this machine if that is allowed, else below what the user named. */
static int open_named(const struct split_units *units, Dwarf_Die *skeleton)
{
	const char *name = attribute_text(skeleton, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
	const char *folder = attribute_text(skeleton, DW_AT_comp_dir, DW_AT_comp_dir);
	const char *base = text_basename(text_of(name)).at;
	char path[2 * LIMIT_NAME_BYTES];
	int fd = -1;

	if (*name == '/' || !folder)
		snprintf(path, sizeof(path), "%s", name);
	else
		snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (next_place(units->places, 'H', NULL)) {
		struct error ignored;

		fd = file_open(path, &ignored);
	}
	for (const char *root = next_place(units->places, 'R', NULL); root && fd < 0;
	     root = next_place(units->places, 'R', root)) {
		fd = open_joined(root + 1, path, true);
		if (fd < 0)
			fd = open_joined(root + 1, name, true);
		if (fd < 0)
			fd = open_joined(root + 1, base, true);
	}
	return fd;
}

/* The content of a section; sized 0 when there is none. */
static struct span section_bytes(Elf *elf, const char *wanted)
{
	Elf_Scn *section = NULL;
	size_t names;

	while (elf_getshdrstrndx(elf, &names) == 0 && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;
		const char *name;

		if (!gelf_getshdr(section, &header) ||
		    !(name = elf_strptr(elf, names, header.sh_name)) || strcmp(name, wanted) != 0)
			continue;
		data = elf_rawdata(section, NULL);
		if (data && data->d_buf)
			return span_of(data->d_buf, data->d_size, 0, false);
	}
	return span_of("", 0, 0, false);
}

static void add_section(struct image_maker *maker, const char *name, struct span bytes,
			uint64_t skipped)
{
	if (!span_skip(&bytes, skipped) || !span_left(&bytes))
		return;
	vec_push(&maker->sections, (struct image_section){
					   .name = name,
					   .bytes = (unsigned char *)bytes.at,
					   .size_bytes = span_left(&bytes),
					   .is_borrowed = true,
				   });
}

/* What of the program's own sections the unit refers to, counted from where its skeleton says. */
static void add_program_sections(const struct split_units *units, Dwarf_Die *skeleton,
				 struct image_maker *maker)
{
	add_section(maker, ".debug_addr.dwo", section_bytes(units->program, ".debug_addr"),
		    attribute_number(skeleton, DW_AT_addr_base, DW_AT_GNU_addr_base));
	add_section(maker, ".debug_ranges.dwo", section_bytes(units->program, ".debug_ranges"),
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

/* Gives libdw the image, and finds the unit of the skeleton's number in it. */
static bool find_unit(struct split_unit *split, struct image_maker *maker, uint64_t number,
		      Dwarf_Die *ret)
{
	Dwarf_CU *unit = NULL;
	Dwarf_CU *next;
	struct error ignored;

	if (!image_maker_finish(maker, &split->linked, &ignored))
		return false;
	split->dwarf = dwarf_begin_elf(split->linked.elf, DWARF_C_READ, NULL);
	while (split->dwarf &&
	       dwarf_get_units(split->dwarf, unit, &next, NULL, NULL, ret, NULL) == 0) {
		if (number_of(ret) == number)
			return true;
		unit = next;
	}
	return false;
}

static bool find_in_file(const struct split_units *units, Dwarf_Die *skeleton,
			 struct split_unit *split, Dwarf_Die *ret)
{
	struct image_maker maker;
	struct error ignored;

	split->fd = open_named(units, skeleton);
	if (split->fd < 0 || !debug_image_open(&split->image, split->fd, true, &ignored))
		return false;
	start_image(split->image.elf, &maker);
	for (size_t i = 0; i < PACKAGE_SECTION_COUNT; i++)
		add_section(&maker, package_sections[i],
			    section_bytes(split->image.elf, package_sections[i]), 0);
	add_section(&maker, ".debug_str.dwo", section_bytes(split->image.elf, ".debug_str.dwo"), 0);
	add_program_sections(units, skeleton, &maker);
	return find_unit(split, &maker, number_of(skeleton), ret);
}

/* A package has the name of the program, and lies beside it. */
static void look_for_package(struct split_units *units)
{
	static const char suffix[] = ".dwp";
	char path[LIMIT_NAME_BYTES + sizeof(suffix)];
	char link[64];
	struct error ignored;
	ssize_t length;

	units->has_looked = true;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", units->program_fd);
	length = readlink(link, path, LIMIT_NAME_BYTES);
	if (length <= 0 || length >= (ssize_t)LIMIT_NAME_BYTES)
		return;
	memcpy(path + length, suffix, sizeof(suffix));
	units->package_fd = file_open(path, &ignored);
	if (units->package_fd >= 0)
		(void)!debug_image_open(&units->package, units->package_fd, true, &ignored);
}

static bool find_in_package(struct split_units *units, Dwarf_Die *skeleton,
			    struct split_unit *split, Dwarf_Die *ret)
{
	struct package_stretch stretches[PACKAGE_SECTION_COUNT];
	struct image_maker maker;
	struct span index;
	Elf *elf;

	if (!units->has_looked)
		look_for_package(units);
	elf = units->package.elf;
	if (!elf)
		return false;
	start_image(elf, &maker);
	index = section_bytes(elf, ".debug_cu_index");
	index.swapped =
		(maker.byte_order == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (!package_index_find(index, number_of(skeleton), stretches))
		return false;
	for (size_t i = 0; i < PACKAGE_SECTION_COUNT; i++) {
		struct span bytes = section_bytes(elf, package_sections[i]);

		if (span_skip(&bytes, stretches[i].offset) &&
		    span_sub(&bytes, stretches[i].size_bytes, &bytes))
			add_section(&maker, package_sections[i], bytes, 0);
	}
	add_section(&maker, ".debug_str.dwo", section_bytes(elf, ".debug_str.dwo"), 0);
	add_program_sections(units, skeleton, &maker);
	return find_unit(split, &maker, number_of(skeleton), ret);
}

bool split_units_find(struct split_units *units, Dwarf_Die *skeleton, Dwarf_Die *ret)
{
	struct split_unit split = { .fd = -1 };

	if (!find_in_package(units, skeleton, &split, ret)) {
		close_unit(&split);
		split = (struct split_unit){ .fd = -1 };
		if (!find_in_file(units, skeleton, &split, ret)) {
			close_unit(&split);
			return false;
		}
	}
	vec_push(&units->open, split);
	return true;
}

#endif
