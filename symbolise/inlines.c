/* SPDX-License-Identifier: MIT */
#include "symbolise/inlines.h"

#include <unistd.h>

#include "base/hash.h"
#include "base/idtable.h"
#include "dwarf/table_cache.h"
#include "dwarf/table_packing.h"
#include "object/elf_slim.h"
#include "symbolise/prefetch.h"
#include "symbolise/reading_reserve.h"
#include "symbolise/sampled_addresses.h"

/*
 * Maximum number of functions inlined into each other at one address. C++ templates reach a depth
 * of a few dozen.
 */
#define LIMIT_INLINE_DEPTH 128u

/* A text of the inline table, and its copy in the job's arena. */
struct kept_text {
	const char *from;
	struct text copy;
};

/* State of one module between begin and finish. */
struct inlines {
	struct naming_job *job;
	struct naming *naming;
	struct build_id id; /* build-id of the runtime file */
	struct inline_table table;
	bool has_all;  /* the table is complete */
	bool is_asked; /* a helper process is reading */
	struct dwarf_reading reading;
	uint64_t granted_steps; /* steps allowed in addition to the file's own */
	struct split_offer split;
	struct key_row *rows; /* rows of naming->locations, sorted by address in the file */
	size_t row_count;
	address_list addresses; /* distinct addresses to request */
	VEC(struct text) names; /* display names by node; .at is NULL if not made yet */
	VEC(struct naming_frame) stack;
	struct idtable kept_table; /* index of kept */
	VEC(struct kept_text) kept;
};

const struct elf_file *inlines_file(const struct elf_pair *pair)
{
	const struct elf_file *files[] = { pair->symbols, pair->runtime };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		static const char *const sections[] = { ".debug_info", ".zdebug_info" };

		for (size_t k = 0; files[i] && k < ARRAY_SIZE(sections); k++) {
			const struct elf_section *section = elf_find_section(files[i], sections[k]);

			if (section && section->size_bytes)
				return files[i];
		}
	}
	return NULL;
}

static bool wants_slim(const struct naming_job *job)
{
	const struct collector *collector = job->context->options->collector;

	return collector && collector->is_slim;
}

static void list_addresses(struct inlines *inlines, naming_convert *convert, const void *context)
{
	inlines->rows = memory_alloc(inlines->naming->count, sizeof(*inlines->rows));
	inlines->row_count =
		naming_addresses(inlines->job, inlines->naming, convert, context, inlines->rows);
	/* A slim file needs all sampled addresses of the file, from all modules. */
	if (wants_slim(inlines->job)) {
		sampled_addresses_add(inlines->job, inlines->naming, convert, context,
				      &inlines->addresses);
		sampled_addresses_sort(&inlines->addresses);
		return;
	}
	for (size_t i = 0; i < inlines->row_count; i++)
		if (!i || inlines->rows[i - 1].key != inlines->rows[i].key)
			vec_push(&inlines->addresses, inlines->rows[i].key);
}

static struct text name_of(struct inlines *inlines, uint32_t node)
{
	const struct inline_node *row = &inlines->table.nodes.at[node];
	bool is_bare = inlines->job->context->options->perf_names;
	struct text *known = &inlines->names.at[node];

	if (!known->at)
		*known = naming_display_name(
			inlines->job,
			&(struct symbol){
				.name = inline_table_text(&inlines->table,
							  is_bare ? row->bare_name : row->name),
			});
	return *known;
}

/* Returns INLINE_NONE if too many functions are inlined into each other. */
static uint32_t outermost_of(const struct inline_table *table, uint32_t node)
{
	for (uint32_t depth = 0; node != INLINE_NONE && depth < LIMIT_INLINE_DEPTH; depth++) {
		if (table->nodes.at[node].parent == INLINE_NONE)
			return node;
		node = table->nodes.at[node].parent;
	}
	return INLINE_NONE;
}

static bool has_scopes(struct text symbol)
{
	return is_mangled(symbol) || (symbol.length && memchr(symbol.at, ':', symbol.length));
}

/*
 * Whether two nodes are the same function, of which `symbol` is the symbol. Only names without
 * scopes are unique. With -g1, compilers omit the scopes, so members of different classes have the
 * same name unless it is mangled.
 */
static bool is_same_function(const struct inline_table *table, uint32_t node, uint32_t other,
			     struct text symbol)
{
	const struct inline_node *a = &table->nodes.at[node];
	const struct inline_node *b = &table->nodes.at[other];
	struct text name = inline_table_text(table, a->name);

	return a->name == a->bare_name && b->name == b->bare_name &&
	       text_equal(name, inline_table_text(table, b->name)) &&
	       (is_mangled(name) || !has_scopes(symbol));
}

/*
 * A function that is inlined into itself has one name: that of its symbol, which may be an alias of
 * the name in debug information (_IO_setb and __GI__IO_setb). The symbol of a clone (f.constprop.0)
 * is not a name of the inlined function.
 */
static struct text name_in(struct inlines *inlines, uint32_t node, uint32_t outermost,
			   struct text symbol)
{
	struct text name = name_of(inlines, node);

	if (inlines->job->context->options->perf_names || node == outermost ||
	    outermost == INLINE_NONE || !symbol.length ||
	    !is_same_function(&inlines->table, node, outermost, symbol) ||
	    (symbol.length >= name.length && memcmp(symbol.at, name.at, name.length) == 0))
		return name;
	return symbol;
}

/*
 * Whether a function is shown. Without the file that dwz shares between programs, inlined functions
 * have no names. Their callers are then shown in their place.
 */
static bool is_shown(const struct inlines *inlines, const struct inline_node *node)
{
	return node->parent == INLINE_NONE || inline_table_text(&inlines->table, node->name).length;
}

/*
 * Stores the functions that contain address in stack, innermost first. symbol: the name of the
 * outermost function, if it is known.
 */
static void make_stack(struct inlines *inlines, uint64_t address, struct text symbol)
{
	const struct inline_table *table = &inlines->table;
	const struct inline_line *line = inline_table_find_line(table, address);
	struct text file = inline_table_text(table, line ? line->file : 0);
	uint32_t number = line ? line->line : 0;
	uint32_t node = inline_table_find(table, address);
	uint32_t outermost = outermost_of(table, node);

	inlines->stack.count = 0;
	for (uint32_t depth = 0; node != INLINE_NONE && depth < LIMIT_INLINE_DEPTH; depth++) {
		const struct inline_node *row = &table->nodes.at[node];

		if (is_shown(inlines, row))
			vec_push(&inlines->stack,
				 (struct naming_frame){
					 .name = name_in(inlines, node, outermost, symbol),
					 .file = file,
					 .line = number,
					 .declared_file = inline_table_text(table, row->file),
					 .declared_line = row->line,
				 });
		file = inline_table_text(table, row->call_file);
		number = row->call_line;
		node = row->parent;
	}
	/* Assemblers and compilers describe the lines of some code, such as thunks, but no function. */
	if (!inlines->stack.count && number)
		vec_push(&inlines->stack, (struct naming_frame){ .name = text_of(""),
								 .file = file,
								 .line = number,
								 .declared_file = text_of("") });
}

/* Nearly all frames have the same few source files, so each text is kept once. */
static struct text keep_text(struct inlines *inlines, struct text text)
{
	uint64_t hash = hash_u64((uint64_t)(uintptr_t)text.at);
	struct idtable_probe probe = idtable_find(&inlines->kept_table, hash);
	struct text copy;
	uint32_t id;

	while ((id = idtable_next(&inlines->kept_table, &probe)) != IDTABLE_NONE)
		if (inlines->kept.at[id].from == text.at)
			return inlines->kept.at[id].copy;
	copy = (struct text){ arena_text(&inlines->job->arena, text.at, text.length), text.length };
	idtable_add(&inlines->kept_table, hash, (uint32_t)inlines->kept.count);
	vec_push(&inlines->kept, (struct kept_text){ text.at, copy });
	return copy;
}

/* Copies the stack to the job's arena, outermost first. */
static void keep_inlined(struct inlines *inlines, struct naming_result *result)
{
	struct arena *arena = &inlines->job->arena;
	size_t count = inlines->stack.count;
	struct naming_frame *frames;

	result->frames = NULL;
	result->frame_count = 0;
	if (!count)
		return;
	frames = arena_alloc(arena, count * sizeof(*frames), _Alignof(struct naming_frame));
	for (size_t i = 0; i < count; i++) {
		struct naming_frame *frame = &frames[i];

		*frame = inlines->stack.at[count - 1 - i];
		frame->file = keep_text(inlines, frame->file);
		frame->declared_file = keep_text(inlines, frame->declared_file);
	}
	result->frames = frames;
	result->frame_count = (uint32_t)count;
}

/* Code without a symbol may have a name in debug information. */
static void name_outermost(struct inlines *inlines, uint32_t index)
{
	struct naming_result *result = &inlines->naming->results[index];

	if (result->name.at || !result->frame_count || !result->frames[0].name.length)
		return;
	result->name = result->frames[0].name;
	result->symbol_start = naming_lookup_address(inlines->job, inlines->naming, index);
	inlines->naming->named_count++;
}

static void take_inlined(struct inlines *inlines)
{
	for (size_t i = 0; i < inlines->table.nodes.count; i++)
		vec_push(&inlines->names, (struct text){ .at = NULL });
	for (size_t i = 0; i < inlines->row_count; i++) {
		const struct key_row *row = &inlines->rows[i];
		struct naming_result *result = &inlines->naming->results[row->row];

		/* Locations with equal addresses are adjacent, and share their frames. */
		if (i && row[-1].key == row->key) {
			const struct naming_result *other = &inlines->naming->results[row[-1].row];

			result->frames = other->frames;
			result->frame_count = other->frame_count;
		} else {
			make_stack(inlines, row->key, result->name);
			keep_inlined(inlines, result);
		}
		name_outermost(inlines, row->row);
	}
}

/* Lists the addresses that the table does not cover yet. */
static void drop_covered(struct inlines *inlines)
{
	size_t kept = 0;

	for (size_t i = 0; i < inlines->addresses.count; i++)
		if (!inline_table_covers(&inlines->table, inlines->addresses.at[i]))
			inlines->addresses.at[kept++] = inlines->addresses.at[i];
	inlines->addresses.count = kept;
}

/* Sets the reason why debug information is missing, unless a reason is already set. */
static void say(struct inlines *inlines, const struct error *err)
{
	if (!inlines->naming->inline_reason.length)
		inlines->naming->inline_reason = naming_text(inlines->job, "%s", err->text);
}

static void say_incomplete(struct inlines *inlines)
{
	inlines->naming->inline_reason =
		naming_text(inlines->job, "part of the debug information is missing or corrupt");
}

static const struct elf_section *slim_section(const struct elf_file *elf)
{
	const struct elf_section *section =
		elf && elf->is_slim ? elf_find_section(elf, ELF_SLIM_SECTION) : NULL;

	return section && section->size_bytes ? section : NULL;
}

/* Uses the inline table for this file in the bundle. */
static void load_slim(struct inlines *inlines, const struct elf_file *elf)
{
	const struct elf_section *section = slim_section(elf);
	struct error err;

	if (!section || inlines->table.covered.count)
		return;
	if (!inline_table_unpack(&inlines->table, elf_section_bytes(elf, section), &err))
		say(inlines, &err);
	else if (inlines->table.is_incomplete)
		say_incomplete(inlines);
	drop_covered(inlines);
}

static void load(struct inlines *inlines, const char *directory)
{
	if (!directory || !table_cache_load(directory, &inlines->id, &inlines->table))
		return;
	/* A table without source lines is useless if lines are requested. */
	if (inlines->job->context->options->wants_lines && !inlines->table.has_lines) {
		inline_table_deinit(&inlines->table);
		inline_table_init(&inlines->table);
	}
	drop_covered(inlines);
}

/* Starts a helper process. */
static bool begin_reading(struct inlines *inlines, const struct elf_file *elf,
			  const struct elf_pair *pair)
{
	const struct symbolise_options *options = inlines->job->context->options;
	struct dwarf_files files = {
		.fd = elf_share(elf),
		.shared_fd = pair->supplement ? elf_share(pair->supplement) : -1,
		.archive_fds = inlines->split.archive_fds,
		.archive_count = inlines->split.archive_count,
		.wants_lines = options->wants_lines || inlines->table.has_lines,
	};
	struct error err;
	bool good;

	if (files.fd < 0)
		good = error_set_errno(
			&err, "the debug information cannot be passed to the helper process");
	else
		good = dwarf_helper_begin(options->service, &files, &inlines->reading, &err);
	if (!good)
		say(inlines, &err);
	if (files.fd >= 0)
		close(files.fd);
	if (files.shared_fd >= 0)
		close(files.shared_fd);
	return good;
}

/*
 * Requests the addresses that the table lacks from a helper process. The process was prefetched, or
 * is new.
 */
static void ask(struct inlines *inlines, const struct elf_file *elf, const struct elf_pair *pair)
{
	struct reading_reserve *reserve = inlines->job->context->reserve;
	struct error err;

	if (!reading_reserve_allows(reserve)) {
		error_set(&err, ERROR_LIMIT,
			  "not read, because the debug information of %u other files took too much "
			  "time or memory",
			  LIMIT_DWARF_FAILURES);
		say(inlines, &err);
		return;
	}
	inlines->granted_steps = reading_reserve_left(reserve);
	split_files_offer(inlines->job, inlines->naming, elf, &inlines->split);
	inlines->is_asked =
		prefetch_take(inlines->job->context->options->prefetch,
			      naming_module(inlines->job, inlines->naming), &inlines->reading) ||
		begin_reading(inlines, elf, pair);
	if (inlines->is_asked)
		dwarf_reading_send(&inlines->reading,
				   &(struct dwarf_request){
					   .addresses = inlines->addresses.at,
					   .address_count = inlines->addresses.count,
					   .places = inlines->split.places,
					   .reserve_steps = inlines->granted_steps,
				   });
}

/*
 * Draws steps from the reserve, if reading took more than the file's own steps. Returns false if
 * the reserve has too few steps left.
 */
static bool pay(struct inlines *inlines, const struct inline_table *answer)
{
	uint64_t steps = answer->is_over_budget ? UINT64_MAX : inlines->reading.drawn_steps;

	return reading_reserve_draw(inlines->job->context->reserve, inlines->job->number, steps);
}

/* Adds the answer to the table. Returns false if the table is unchanged. */
static bool hear(struct inlines *inlines)
{
	byte_list split_files = { .at = NULL };
	struct inline_table answer;
	struct error err;
	bool good;

	inline_table_init(&answer);
	good = dwarf_reading_receive(&inlines->reading,
				     &(struct dwarf_opener){ split_files_open, &inlines->split },
				     &answer, &split_files, &err);
	if (good && !pay(inlines, &answer)) {
		error_set(&err, ERROR_LIMIT,
			  "its debug information takes more work to read than the limit for a file "
			  "of this size");
		say(inlines, &err);
		good = false;
	} else if (good) {
		/* For a slim file, the table contains all debug information. */
		if (!wants_slim(inlines->job))
			split_files_collect(inlines->job, inlines->naming, &inlines->split,
					    &split_files);
		inlines->table.has_lines = answer.has_lines;
		inline_table_merge(&inlines->table, &answer);
		if (answer.is_incomplete)
			say_incomplete(inlines);
	} else {
		if (err.code == ERROR_LIMIT)
			reading_reserve_fail(inlines->job->context->reserve);
		say(inlines, &err);
	}
	inline_table_deinit(&answer);
	vec_free(&split_files);
	return good;
}

static void store(struct inlines *inlines)
{
	const char *directory = inlines->job->context->options->table_cache;
	struct error err;

	if (directory && inlines->id.size_bytes && !inlines->table.is_incomplete &&
	    !table_cache_is_read_only(directory) &&
	    !table_cache_store(directory, &inlines->id, &inlines->table, &err))
		inlines->naming->cache_reason = naming_text(inlines->job, "%s", err.text);
}

struct inlines *inlines_begin(struct naming_job *job, struct naming *naming,
			      const struct elf_pair *pair, naming_convert *convert,
			      const void *convert_context)
{
	const struct symbolise_options *options = job->context->options;
	const struct elf_file *any = pair->runtime ? pair->runtime : pair->symbols;
	const struct elf_file *elf = inlines_file(pair);
	struct inlines *inlines;

	if (!options->service || !any ||
	    !(options->table_cache || elf || slim_section(pair->runtime) ||
	      slim_section(pair->symbols)))
		return NULL;
	inlines = memory_alloc(1, sizeof(*inlines));
	*inlines = (struct inlines){ .job = job, .naming = naming, .id = any->build_id };
	inline_table_init(&inlines->table);
	idtable_init(&inlines->kept_table);
	list_addresses(inlines, convert, convert_context);
	load_slim(inlines, pair->runtime);
	load_slim(inlines, pair->symbols);
	/*
	 * A collector must know which split files were read, so do not use the cache for a
	 * collector.
	 */
	if (!options->collector)
		load(inlines, options->table_cache);
	inlines->has_all = !inlines->addresses.count || !elf;
	if (!inlines->has_all && dwarf_helper_is_built_in())
		ask(inlines, elf, pair);
	return inlines;
}

bool inlines_finish(struct inlines *inlines, struct inline_table *table)
{
	bool has_all;

	inline_table_init(table);
	if (!inlines)
		return true;
	if (inlines->is_asked && hear(inlines)) {
		inlines->has_all = true;
		store(inlines);
	}
	take_inlined(inlines);
	has_all = inlines->has_all;
	inline_table_deinit(table);
	*table = inlines->table;
	memory_free(inlines->rows);
	vec_free(&inlines->addresses);
	vec_free(&inlines->names);
	vec_free(&inlines->stack);
	vec_free(&inlines->kept);
	idtable_deinit(&inlines->kept_table);
	memory_free(inlines);
	return has_all;
}
