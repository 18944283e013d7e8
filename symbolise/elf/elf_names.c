/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/elf_names.h"

#include <elf.h>

#include "base/memory.h"
#include "symbolise/elf/go_names.h"
#include "symbolise/needed_symbols.h"

typedef bool symbol_filter(const struct elf_file *elf, const struct elf_symbol *symbol);

/* $a, $d, $t and $x mark code and data on ARM and RISC-V. Compilers generate .L names. */
static bool is_internal_mark(struct text name)
{
	if (text_has_prefix(name, ".L"))
		return true;
	return name.length >= 2 && name.at[0] == '$' && memchr("adtx", name.at[1], 4) &&
	       (name.length == 2 || name.at[2] == '.');
}

static bool is_code(const struct elf_file *elf, const struct elf_symbol *symbol)
{
	const struct elf_section *section = &elf->sections.at[symbol->section];

	if (symbol->section == 0 || symbol->name.length == 0 || !section->is_loaded)
		return false;
	switch (symbol->kind) {
	case ELF_SYMBOL_FUNCTION:
	case ELF_SYMBOL_IFUNC:
		return true;
	case ELF_SYMBOL_NOTYPE:
		return section->is_executable && !is_internal_mark(symbol->name);
	case ELF_SYMBOL_OBJECT:
	case ELF_SYMBOL_OTHER:
		break;
	}
	return false;
}

/* perf 6.1 also reads data symbols, and filters labels by the name of their section. */
static bool is_read_by_perf(const struct elf_file *elf, const struct elf_symbol *symbol)
{
	struct text section = elf->sections.at[symbol->section].name;

	if (symbol->section == 0 || symbol->name.length == 0)
		return false;
	switch (symbol->kind) {
	case ELF_SYMBOL_FUNCTION:
	case ELF_SYMBOL_IFUNC:
	case ELF_SYMBOL_OBJECT:
		return true;
	case ELF_SYMBOL_NOTYPE:
		return !symbol->is_hidden && !is_internal_mark(symbol->name) &&
		       (memmem(section.at, section.length, ".text", 5) ||
			memmem(section.at, section.length, ".data", 5));
	case ELF_SYMBOL_OTHER:
		break;
	}
	return false;
}

/* Programs read data, and data can also be in or between functions. */
static bool is_code_or_data(const struct elf_file *elf, const struct elf_symbol *symbol)
{
	if (is_code(elf, symbol))
		return true;
	return symbol->kind == ELF_SYMBOL_OBJECT && symbol->section && symbol->name.length &&
	       elf->sections.at[symbol->section].is_loaded && !is_internal_mark(symbol->name);
}

static enum symbol_binding binding_of(enum elf_binding binding)
{
	switch (binding) {
	case ELF_BINDING_LOCAL:
		return SYMBOL_LOCAL;
	case ELF_BINDING_WEAK:
		return SYMBOL_WEAK;
	case ELF_BINDING_GLOBAL:
		break;
	}
	return SYMBOL_GLOBAL;
}

static void add_symbol(const struct elf_file *elf, const struct elf_symbol *symbol,
		       struct symbol_table *table)
{
	const struct elf_section *section = &elf->sections.at[symbol->section];
	struct symbol row = {
		.start = symbol->value,
		.name = symbol->name,
		.binding = binding_of(symbol->binding),
		.is_label = symbol->kind == ELF_SYMBOL_NOTYPE,
	};

	/* The lowest bit of a Thumb function's address is a flag. */
	if (elf->machine == EM_ARM && symbol->kind == ELF_SYMBOL_FUNCTION)
		row.start &= ~(uint64_t)1;
	/* Symbol values in a relocatable file are relative to their section. */
	if (elf->type == ET_REL)
		row.start += section->address;
	if (__builtin_add_overflow(row.start, symbol->size_bytes, &row.end))
		row.end = UINT64_MAX;
	if (__builtin_add_overflow(section->address, section->size_bytes, &row.limit))
		row.limit = UINT64_MAX;
	symbol_table_add(table, &row);
}

static void add_all(const struct elf_file *elf, enum elf_symbol_table which, symbol_filter *filter,
		    struct symbol_table *table)
{
	struct elf_symbols symbols;
	struct elf_symbol symbol;

	if (!elf || !elf_symbols_open(elf, which, &symbols))
		return;
	for (uint32_t i = 0; i < symbols.count; i++)
		if (elf_symbols_get(&symbols, i, &symbol) && filter(elf, &symbol))
			add_symbol(elf, &symbol, table);
}

static symbol_filter *filter_of(enum symbol_rules rules)
{
	switch (rules) {
	case SYMBOL_RULES_PERF:
		return is_read_by_perf;
	case SYMBOL_RULES_DATA:
		return is_code_or_data;
	case SYMBOL_RULES_NEAREST:
	case SYMBOL_RULES_LATEST:
		break;
	}
	return is_code;
}

static void read_static(const struct elf_pair *pair, enum symbol_rules rules,
			struct symbol_table *table)
{
	add_all(pair->symbols, ELF_SYMBOLS_STATIC, filter_of(rules), table);
}

/* A separate debug file has a .dynsym section without content, so read the runtime file. */
static void read_dynamic(const struct elf_pair *pair, enum symbol_rules rules,
			 struct symbol_table *table)
{
	add_all(pair->runtime, ELF_SYMBOLS_DYNAMIC, filter_of(rules), table);
}

static void read_stubs(const struct elf_pair *pair, enum symbol_rules rules,
		       struct symbol_table *table)
{
	if (pair->runtime && rules == SYMBOL_RULES_PERF)
		plt_names_add_as_perf(pair->runtime, table);
	else if (pair->runtime)
		plt_names_add(pair->runtime, table);
}

/* Go's function table survives stripping. */
static void read_go(const struct elf_pair *pair, enum symbol_rules rules,
		    struct symbol_table *table)
{
	if (pair->runtime && !pair->symbols && rules != SYMBOL_RULES_PERF)
		go_names_add(pair->runtime, table);
}

typedef void symbol_reader(const struct elf_pair *pair, enum symbol_rules rules,
			   struct symbol_table *table);

static symbol_reader *const readers[] = {
	read_static,
	read_dynamic,
	read_stubs,
	read_go,
};

static void read_all(const struct elf_pair *pair, enum symbol_rules rules,
		     struct symbol_table *table)
{
	for (size_t i = 0; i < ARRAY_SIZE(readers); i++)
		readers[i](pair, rules, table);
}

void elf_names_build(const struct elf_pair *pair, enum symbol_rules rules,
		     struct symbol_table *table)
{
	read_all(pair, rules, table);
	symbol_table_finish(table, rules);
}

/*
 * Lists the distinct addresses of the locations, in ascending order. Returns their number.
 * naming_apply also looks up the symbol behind padding, which is kept as a neighbour.
 */
static size_t list_addresses(const struct naming_job *job, const struct naming *naming,
			     naming_convert *convert, const void *context, uint64_t *addresses)
{
	struct key_row *rows = memory_alloc(naming->count, sizeof(*rows));
	size_t row_count = naming_addresses(job, naming, convert, context, rows);
	size_t count = 0;

	for (size_t i = 0; i < row_count; i++)
		if (!count || addresses[count - 1] < rows[i].key)
			addresses[count++] = rows[i].key;
	memory_free(rows);
	return count;
}

void elf_names_apply(struct naming_job *job, struct naming *naming, const struct elf_pair *pair,
		     naming_convert *convert, const void *convert_context)
{
	uint64_t *addresses = memory_alloc(naming->count, sizeof(*addresses));
	size_t count = list_addresses(job, naming, convert, convert_context, addresses);
	struct symbol_table symbols;

	symbol_table_init(&symbols);
	read_all(pair, naming_rules(job), &symbols);
	needed_symbols_keep(&symbols, addresses, count);
	symbol_table_finish(&symbols, naming_rules(job));
	naming_apply(job, naming,
		     &(struct naming_table){
			     .symbols = &symbols,
			     .convert = convert,
			     .convert_context = convert_context,
		     });
	symbol_table_deinit(&symbols);
	memory_free(addresses);
}

bool elf_names_find(const struct elf_file *elf, struct text name, uint64_t *ret)
{
	struct elf_symbols symbols;
	struct elf_symbol symbol;

	if (!elf_symbols_open(elf, ELF_SYMBOLS_STATIC, &symbols))
		return false;
	for (uint32_t i = 0; i < symbols.count; i++)
		if (elf_symbols_get(&symbols, i, &symbol) && symbol.section &&
		    text_equal(symbol.name, name)) {
			*ret = symbol.value;
			return true;
		}
	return false;
}
