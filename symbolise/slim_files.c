/* SPDX-License-Identifier: MIT */
#include "symbolise/slim_files.h"

#include <elf.h>

#include "dwarf/table_packing.h"
#include "object/elf.h"
#include "object/elf_slim.h"
#include "symbolise/elf/go_names.h"
#include "symbolise/inlines.h"
#include "symbolise/needed_symbols.h"
#include "symbolise/sampled_addresses.h"

/* A module's files while they are reduced. */
struct slim_pair {
	struct naming_job *job;
	const struct naming *naming;
	const struct slim_files *files;
	address_list addresses;
	bool is_in_stubs; /* some sampled address is in the PLT */
	bool is_go;       /* names come from Go's function table */
	bool is_whole;    /* keep whole symbol tables */
	struct sink runtime, symbols;
	byte_list table;
};

static bool has_address(const struct slim_pair *pair, const struct elf_section *section)
{
	for (size_t i = 0; i < pair->addresses.count; i++)
		if (pair->addresses.at[i] >= section->address &&
		    pair->addresses.at[i] - section->address < section->size_bytes)
			return true;
	return false;
}

static bool is_stub_section(const struct elf_section *section)
{
	return section->is_executable && text_has_prefix(section->name, ".plt");
}

static bool has_stub_address(const struct slim_pair *pair, const struct elf_file *elf)
{
	for (size_t i = 0; elf && i < elf->sections.count; i++)
		if (is_stub_section(&elf->sections.at[i]) &&
		    has_address(pair, &elf->sections.at[i]))
			return true;
	return false;
}

static bool has_build_id(const struct elf_file *elf, const struct elf_section *section)
{
	struct build_id ignored;

	return section->type == SHT_NOTE && section->size_bytes <= LIMIT_ELF_NOTE_BYTES &&
	       elf_build_id_of_notes(elf_section_bytes(elf, section), &ignored);
}

static bool is_one_of(struct text name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_is(name, names[i]))
			return true;
	return false;
}

/* Whether names depend on this section, which is not a symbol table. */
static bool is_for_names(const struct slim_pair *pair, const struct elf_section *section)
{
	static const char *const always[] = { ".comment", ".gnu_debuglink", ".gnu_debugdata" };
	static const char *const of_go[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
	bool is_relocation =
		section->is_loaded && (section->type == SHT_RELA || section->type == SHT_REL);

	return is_one_of(section->name, always, ARRAY_SIZE(always)) ||
	       (pair->is_in_stubs && (is_stub_section(section) || is_relocation)) ||
	       (pair->is_go &&
		(is_relocation || is_one_of(section->name, of_go, ARRAY_SIZE(of_go))));
}

static bool is_for_frames(const struct slim_pair *pair, const struct elf_section *section)
{
	static const char *const names[] = { ".eh_frame", ".eh_frame_hdr", ".debug_frame" };

	return pair->job->context->options->collector->keeps_frames &&
	       is_one_of(section->name, names, ARRAY_SIZE(names));
}

static bool *choose_sections(const struct slim_pair *pair, const struct elf_file *elf)
{
	bool *keeps = memory_zalloc(elf->sections.count, sizeof(*keeps));

	for (size_t i = 1; i < elf->sections.count; i++) {
		const struct elf_section *section = &elf->sections.at[i];
		bool is_table = section->type == SHT_SYMTAB || section->type == SHT_DYNSYM;

		keeps[i] |= is_table || section->type == SHT_SYMTAB_SHNDX ||
			    has_build_id(elf, section) || is_for_names(pair, section) ||
			    is_for_frames(pair, section);
		if (is_table && section->link < elf->sections.count)
			keeps[section->link] = true;
	}
	return keeps;
}

/* Marks the symbols that the addresses need. Returns NULL to keep all symbols. */
static bool *choose_symbols(const struct slim_pair *pair, const struct elf_file *elf,
			    enum elf_symbol_table which)
{
	VEC(struct candidate_symbol) rows = { .at = NULL };
	VEC(uint32_t) numbers = { .at = NULL };
	struct elf_symbols symbols;
	bool *marks, *keeps;

	/*
	 * PLT relocations refer to dynamic symbols by index. Kernel modules have section-relative
	 * addresses.
	 */
	if (pair->is_whole || elf->type == ET_REL ||
	    (which == ELF_SYMBOLS_DYNAMIC && pair->is_in_stubs) ||
	    !elf_symbols_open(elf, which, &symbols))
		return NULL;
	keeps = memory_zalloc(symbols.count + 1, sizeof(*keeps));
	for (uint32_t i = 0; i < symbols.count; i++) {
		struct elf_symbol symbol;
		struct candidate_symbol row;

		if (!elf_symbols_get(&symbols, i, &symbol) || !symbol.section ||
		    !symbol.name.length)
			continue;
		row = (struct candidate_symbol){ symbol.value, symbol.value, symbol.name };
		if (__builtin_add_overflow(row.start, symbol.size_bytes, &row.end))
			row.end = UINT64_MAX;
		keeps[i] = text_is(symbol.name, "_etext") || text_is(symbol.name, "_edata") ||
			   text_equal(symbol.name, pair->files->kept_name);
		vec_push(&rows, row);
		vec_push(&numbers, i);
	}
	marks = memory_zalloc(rows.count + 1, sizeof(*marks));
	needed_symbols_mark(rows.at, rows.count, pair->addresses.at, pair->addresses.count, marks);
	for (size_t i = 0; i < rows.count; i++)
		keeps[numbers.at[i]] |= marks[i];
	memory_free(marks);
	vec_free(&rows);
	vec_free(&numbers);
	return keeps;
}

static bool write_slim(const struct slim_pair *pair, const struct elf_file *elf, bool has_table,
		       struct sink *sink)
{
	bool *sections = choose_sections(pair, elf);
	bool *keeps_static = choose_symbols(pair, elf, ELF_SYMBOLS_STATIC);
	bool *keeps_dynamic = choose_symbols(pair, elf, ELF_SYMBOLS_DYNAMIC);
	struct elf_slim_plan plan = {
		.elf = elf,
		.keeps_section = sections,
		.keeps_symbol = { [ELF_SYMBOLS_STATIC] = keeps_static,
				  [ELF_SYMBOLS_DYNAMIC] = keeps_dynamic },
		.keeps_all_relocations = pair->is_go,
		.table = has_table ? (const void *)pair->table.at : "",
		.table_bytes = has_table ? pair->table.count : 0,
	};
	bool good = elf_slim_write(&plan, sink);

	memory_free(sections);
	memory_free(keeps_static);
	memory_free(keeps_dynamic);
	return good;
}

static bool are_same_names(const struct slim_pair *pair, const struct symbol_table *whole,
			   const struct symbol_table *slim)
{
	struct symbol_cursor in_whole = { .table = whole };
	struct symbol_cursor in_slim = { .table = slim };

	for (size_t i = 0; i < pair->addresses.count; i++) {
		const struct symbol *a = symbol_cursor_find(&in_whole, pair->addresses.at[i]);
		const struct symbol *b = symbol_cursor_find(&in_slim, pair->addresses.at[i]);

		if (!a != !b || (a && (!text_equal(a->name, b->name) || a->start != b->start ||
				       a->is_stub != b->is_stub || a->is_whole != b->is_whole)))
			return false;
	}
	return true;
}

static bool name_alike(const struct slim_pair *pair, const struct elf_pair *whole,
		       const struct elf_pair *slim)
{
	static const enum symbol_rules rules[] = { SYMBOL_RULES_NEAREST, SYMBOL_RULES_PERF };
	bool good = true;

	for (size_t i = 0; i < ARRAY_SIZE(rules) && good; i++) {
		struct symbol_table a, b;

		symbol_table_init(&a);
		symbol_table_init(&b);
		elf_names_build(whole, rules[i], &a);
		elf_names_build(slim, rules[i], &b);
		good = are_same_names(pair, &a, &b);
		symbol_table_deinit(&a);
		symbol_table_deinit(&b);
	}
	return good;
}

static bool open_slim(const struct sink *sink, const struct elf_file *whole, struct elf_file *ret)
{
	struct text bytes = sink_memory(sink);
	struct error ignored;

	if (!elf_open_memory(ret, bytes.at, bytes.length, &ignored))
		return false;
	if (ret->build_id.size_bytes == whole->build_id.size_bytes &&
	    memcmp(ret->build_id.bytes, whole->build_id.bytes, whole->build_id.size_bytes) == 0 &&
	    elf_has_code(ret) == (elf_has_code(whole) && whole->type != ET_REL))
		return true;
	elf_close(ret);
	return false;
}

/* Whether the reduced files give the same names as the whole files. */
static bool is_good(const struct slim_pair *pair)
{
	const struct elf_pair *whole = &pair->files->found->pair;
	struct elf_file runtime = { .fd = -1 };
	struct elf_file symbols = { .fd = -1 };
	struct elf_pair slim = { .symbols = whole->symbols };
	bool good = true;

	if (pair->runtime.used) {
		good = open_slim(&pair->runtime, whole->runtime, &runtime);
		slim.runtime = &runtime;
		if (whole->symbols == whole->runtime)
			slim.symbols = &runtime;
	}
	if (good && pair->symbols.used) {
		good = open_slim(&pair->symbols, whole->symbols, &symbols);
		slim.symbols = &symbols;
	}
	/* Kernel modules (ET_REL) keep their whole tables. */
	if (good && (whole->runtime ? whole->runtime : whole->symbols)->type != ET_REL)
		good = name_alike(pair, whole, &slim);
	elf_close(&runtime);
	elf_close(&symbols);
	return good;
}

/* The separate debug file; NULL if symbols are in the runtime file or its .gnu_debugdata. */
static const struct elf_file *separate_symbols(const struct found_files *found)
{
	return found->pair.symbols && found->pair.symbols != found->pair.runtime &&
			       !found->decompressed
		       ? found->pair.symbols
		       : NULL;
}

static bool can_be_slim(const struct elf_file *elf)
{
	return !elf->is_slim && (elf->segments.count || elf->type == ET_REL);
}

/*
 * Whether only its CRC identifies the debug file. Such a file must not be reduced, because its CRC
 * would change.
 */
static bool is_known_by_crc(const struct found_files *found)
{
	return found->pair.runtime && (!found->pair.runtime->build_id.size_bytes ||
				       !found->pair.symbols->build_id.size_bytes);
}

static bool write_pair(struct slim_pair *pair, bool is_whole)
{
	const struct found_files *found = pair->files->found;
	const struct elf_file *symbols = separate_symbols(found);

	pair->is_whole = is_whole;
	pair->runtime.used = pair->symbols.used = 0;
	if (found->pair.runtime && !write_slim(pair, found->pair.runtime, true, &pair->runtime))
		return false;
	if (symbols && !is_known_by_crc(found) &&
	    !write_slim(pair, symbols, !found->pair.runtime, &pair->symbols))
		return false;
	return is_good(pair);
}

static void show(const struct slim_pair *pair, const struct elf_file *elf, const char *path,
		 const struct sink *slim)
{
	const struct found_files *found = pair->files->found;
	struct text bytes = slim ? sink_memory(slim) : (struct text){ "", 0 };

	if (!bytes.length) {
		naming_show_elf(pair->job, pair->naming, elf, path, found->match);
		return;
	}
	naming_collect(pair->job,
		       &(struct collected_file){
			       .kind = elf_has_code(elf) ? COLLECTED_CODE : COLLECTED_SYMBOLS,
			       .module = pair->naming->module,
			       .match = found->match,
			       .build_id = elf->build_id,
			       .is_slim = true,
			       .path = path,
			       .fd = -1,
			       .bytes = bytes.at,
			       .size_bytes = bytes.length,
		       });
}

static void show_all(const struct slim_pair *pair, bool is_slim)
{
	const struct found_files *found = pair->files->found;
	const struct elf_file *symbols = separate_symbols(found);

	if (found->pair.runtime)
		show(pair, found->pair.runtime, found->runtime_path,
		     is_slim ? &pair->runtime : NULL);
	if (symbols)
		show(pair, symbols, found->symbols_path, is_slim ? &pair->symbols : NULL);
	/* Debug information that was not extracted needs the dwz supplement. */
	if (found->pair.supplement && !(is_slim && pair->files->table))
		show(pair, found->pair.supplement, found->supplement_path, NULL);
}

static bool make_slim(struct slim_pair *pair)
{
	const struct found_files *found = pair->files->found;
	const struct elf_file *symbols = separate_symbols(found);

	if (!pair->files->table || (found->pair.runtime && !can_be_slim(found->pair.runtime)) ||
	    (symbols && !can_be_slim(symbols)))
		return false;
	sampled_addresses_add(pair->job, pair->naming, pair->files->convert,
			      pair->files->convert_context, &pair->addresses);
	sampled_addresses_sort(&pair->addresses);
	pair->is_in_stubs = has_stub_address(pair, found->pair.runtime);
	pair->is_go =
		found->pair.runtime && !found->pair.symbols && go_names_are_in(found->pair.runtime);
	inline_table_pack(pair->files->table, &pair->table);
	return write_pair(pair, false) || write_pair(pair, true);
}

void slim_files_collect(struct naming_job *job, const struct naming *naming,
			const struct slim_files *files)
{
	const struct collector *collector = job->context->options->collector;
	struct slim_pair pair = { .job = job, .naming = naming, .files = files };

	if (!collector || !collector->is_slim || !naming_is_collected(job, naming->module))
		return;
	sink_init_memory(&pair.runtime);
	sink_init_memory(&pair.symbols);
	/* The vDSO is small, so keep it whole. */
	show_all(&pair, naming->module->kind != MODULE_VDSO && make_slim(&pair));
	sink_deinit(&pair.runtime);
	sink_deinit(&pair.symbols);
	vec_free(&pair.addresses);
	vec_free(&pair.table);
}
