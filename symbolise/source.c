/* SPDX-License-Identifier: MIT */
#include "symbolise/source.h"

#include <stdarg.h>

#include "base/strings.h"

static const struct location *location_of(const struct naming_job *job, const struct naming *naming,
					  uint32_t index)
{
	return &job->context->locations->rows.at[naming->locations[index]];
}

/*
 * A call may be the last instruction of a function. The return address of such a call is then in
 * the next function.
 */
static bool is_before_return(const struct naming_job *job, const struct naming *naming,
			     uint32_t index)
{
	const struct location *location = location_of(job, naming, index);

	return location->is_return && !job->context->options->perf_names && location->address > 0;
}

uint64_t naming_lookup_address(const struct naming_job *job, const struct naming *naming,
			       uint32_t index)
{
	return location_of(job, naming, index)->address - is_before_return(job, naming, index);
}

enum symbol_rules naming_rules(const struct naming_job *job)
{
	const struct symbolise_options *options = job->context->options;

	if (options->wants_data)
		return SYMBOL_RULES_DATA;
	return options->perf_names ? SYMBOL_RULES_PERF : SYMBOL_RULES_NEAREST;
}

static bool convert_code(const void *elf, uint64_t offset, uint64_t *ret)
{
	return elf_address_of_offset(elf, offset, ret);
}

static bool convert_data(const void *elf, uint64_t offset, uint64_t *ret)
{
	return elf_data_address_of_offset(elf, offset, ret);
}

naming_convert *naming_file_convert(const struct naming_job *job)
{
	return job->context->options->wants_data ? convert_data : convert_code;
}

size_t naming_addresses(const struct naming_job *job, const struct naming *naming,
			naming_convert *convert, const void *context, struct key_row *rows)
{
	size_t count = 0;

	for (uint32_t i = 0; i < naming->count; i++) {
		uint64_t address = naming_lookup_address(job, naming, i);

		if (!convert || convert(context, address, &address))
			rows[count++] = (struct key_row){ address, i };
	}
	key_sort(rows, count);
	return count;
}

struct text naming_display_name(struct naming_job *job, const struct symbol *symbol)
{
	const struct symbolise_options *options = job->context->options;
	struct display_parts parts = display_parts_of(symbol->name, symbol->is_whole, options);
	struct text end = text_of(symbol->is_stub ? "@plt" : "");
	char buffer[DISPLAY_NAME_BYTES];

	if (parts.is_mangled && options->demangler)
		return mangled_names_add(&job->mangled, &job->arena, &parts, end);
	return mangled_names_join(&job->arena,
				  display_name(symbol->name, symbol->is_whole, options, buffer),
				  (struct text){ .at = NULL }, end);
}

/*
 * Since Linux 6.2, there can be padding before each function f, named __pfx_f. The padding contains
 * no calls. If the byte before a "return address" is the last byte of the padding, f was
 * interrupted at its first instruction.
 */
static const struct symbol *step_over_padding(struct symbol_cursor cursor,
					      const struct symbol *symbol, uint64_t address)
{
	static const char prefix[] = "__pfx_";

	if (!symbol || symbol->end != address + 1 || symbol->name.length < sizeof(prefix) ||
	    memcmp(symbol->name.at, prefix, sizeof(prefix) - 1) != 0)
		return symbol;
	return symbol_cursor_find(&cursor, symbol->end);
}

void naming_apply(struct naming_job *job, struct naming *naming, const struct naming_table *table)
{
	struct key_row *rows = memory_alloc(naming->count, sizeof(*rows));
	size_t count = naming_addresses(job, naming, table->convert, table->convert_context, rows);
	struct symbol_cursor cursor = { .table = table->symbols };
	const struct symbol *last = NULL;
	struct text name = { .at = NULL };

	for (size_t i = 0; i < count; i++) {
		struct naming_result *result = &naming->results[rows[i].row];
		const struct symbol *symbol = symbol_cursor_find(&cursor, rows[i].key);

		if (is_before_return(job, naming, rows[i].row))
			symbol = step_over_padding(cursor, symbol, rows[i].key);
		if (!symbol || symbol->owner != table->owner || result->name.at)
			continue;
		if (symbol != last)
			name = naming_display_name(job, symbol);
		last = symbol;
		result->name = name;
		result->symbol_start = naming_lookup_address(job, naming, rows[i].row) -
				       (rows[i].key - symbol->start);
		naming->named_count++;
	}
	memory_free(rows);
}

struct text naming_text(struct naming_job *job, const char *format, ...)
{
	struct text text;
	va_list args;

	va_start(args, format);
	text.at = arena_format_list(&job->arena, &text.length, format, args);
	va_end(args);
	return text;
}

static struct naming_path *find_path(const struct naming *naming, const char *path)
{
	for (size_t i = 0; i < naming->searched_paths.count; i++)
		if (text_is(naming->searched_paths.at[i].path, path))
			return &naming->searched_paths.at[i];
	return NULL;
}

bool naming_has_path(const struct naming *naming, const char *path)
{
	const struct naming_path *searched = find_path(naming, path);

	return searched &&
	       (searched->match == MATCH_MISSING || searched->match == MATCH_VERIFIED ||
		searched->match == MATCH_LATE_BUILD_ID || searched->match == MATCH_SAME_FILE ||
		searched->match == MATCH_UNVERIFIED);
}

void naming_add_path(struct naming_job *job, struct naming *naming, const char *path,
		     enum match_status match, struct text reason)
{
	struct naming_path *searched = find_path(naming, path);

	if (searched)
		*searched = (struct naming_path){ searched->path, reason, match };
	else if (naming->searched_paths.count < LIMIT_SEARCHED_PATHS)
		vec_push(&naming->searched_paths,
			 (struct naming_path){ naming_text(job, "%s", path), reason, match });
	else
		naming->searched_more_count++;
}

void naming_collect(const struct naming_job *job, const struct collected_file *file)
{
	const struct collector *collector = job->context->options->collector;

	if (collector && naming_is_collected(job, file->module))
		collector->accept(collector->context, file);
}

bool naming_is_collected(const struct naming_job *job, const struct module *module)
{
	const struct collector *collector = job->context->options->collector;

	return collector && (!collector->wants || collector->wants(collector->context, module));
}

void naming_collect_elf(const struct naming_job *job, const struct naming *naming,
			const struct elf_file *elf, const char *path, enum match_status match)
{
	const struct collector *collector = job->context->options->collector;

	/* Slim files are collected later, when all names are known. */
	if (collector && !collector->is_slim)
		naming_show_elf(job, naming, elf, path, match);
}

void naming_show_elf(const struct naming_job *job, const struct naming *naming,
		     const struct elf_file *elf, const char *path, enum match_status match)
{
	naming_collect(job, &(struct collected_file){
				    .kind = elf_has_code(elf) ? COLLECTED_CODE : COLLECTED_SYMBOLS,
				    .module = naming->module,
				    .match = match,
				    .build_id = elf->build_id,
				    .is_slim = elf->is_slim,
				    .path = path,
				    .fd = elf->fd,
				    .bytes = elf->bytes,
				    .size_bytes = elf->size_bytes,
			    });
}

void naming_conclude(struct naming_job *job, struct naming *naming, enum match_status match,
		     const char *file, struct text reason)
{
	naming->match = match;
	naming->reason = reason;
	if (file)
		naming->symbol_file = naming_text(job, "%s", file);
}
