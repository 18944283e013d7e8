/* SPDX-License-Identifier: MIT */
#include "symbolise/inlines.h"

#include <unistd.h>

#include "base/hash.h"
#include "base/idtable.h"
#include "base/limits.h"
#include "dwarf/table_cache.h"
#include "symbolise/split_files.h"

/* One place and its address in the file. */
struct place {
	uint64_t address;
	uint32_t index; /* of naming->locations */
};

/* A text of the table that frames have, and its copy that outlives it. */
struct kept_text {
	const char *from;
	struct text copy;
};

/* One module's. */
struct finder {
	struct naming_job *job;
	struct naming *naming;
	struct inline_table table;
	VEC(struct place) places; /* by address */
	VEC(uint64_t) addresses;  /* theirs, each once */
	VEC(struct text) names;   /* for display, by node of the table; at NULL: not made yet */
	VEC(struct naming_frame) chain;
	struct idtable kept_table; /* of kept */
	VEC(struct kept_text) kept;
};

static const struct elf_file *file_with_debug_information(const struct elf_pair *pair)
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

static int compare_places(const void *a, const void *b)
{
	const struct place *left = a;
	const struct place *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return (left->index > right->index) - (left->index < right->index);
}

static void list_places(struct finder *finder, naming_convert *convert, const void *context)
{
	for (uint32_t i = 0; i < finder->naming->count; i++) {
		uint64_t address = naming_lookup_address(finder->job, finder->naming, i);

		if (convert(context, address, &address))
			vec_push(&finder->places, (struct place){ address, i });
	}
	if (finder->places.count > 1)
		qsort(finder->places.at, finder->places.count, sizeof(*finder->places.at),
		      compare_places);
	for (size_t i = 0; i < finder->places.count; i++)
		if (!i || finder->places.at[i - 1].address != finder->places.at[i].address)
			vec_push(&finder->addresses, finder->places.at[i].address);
}

static struct text name_of(struct finder *finder, uint32_t node)
{
	const struct inline_node *row = &finder->table.nodes.at[node];
	bool is_bare = finder->job->context->options->perf_names;
	struct text *known = &finder->names.at[node];

	if (!known->at)
		*known = naming_display_name(
			finder->job,
			&(struct symbol){
				.name = inline_table_text(&finder->table,
							  is_bare ? row->bare_name : row->name),
			});
	return *known;
}

/* The functions around an address, innermost first, into chain. */
static void make_chain(struct finder *finder, uint64_t address)
{
	const struct inline_table *table = &finder->table;
	const struct inline_line *line = inline_table_find_line(table, address);
	struct text file = inline_table_text(table, line ? line->file : 0);
	uint32_t number = line ? line->line : 0;
	uint32_t node = inline_table_find(table, address);

	finder->chain.count = 0;
	while (node != INLINE_NONE && finder->chain.count < LIMIT_INLINE_DEPTH) {
		const struct inline_node *row = &table->nodes.at[node];

		vec_push(&finder->chain,
			 (struct naming_frame){
				 .name = name_of(finder, node),
				 .file = file,
				 .line = number,
				 .declared_file = inline_table_text(table, row->file),
				 .declared_line = row->line,
			 });
		file = inline_table_text(table, row->call_file);
		number = row->call_line;
		node = row->parent;
	}
}

/* The same few files are those of nearly all frames. */
static struct text keep_text(struct finder *finder, struct text text)
{
	uint64_t hash = hash_u64((uint64_t)(uintptr_t)text.at);
	struct idtable_probe probe = idtable_find(&finder->kept_table, hash);
	struct text copy;
	uint32_t id;

	while ((id = idtable_next(&finder->kept_table, &probe)) != IDTABLE_NONE)
		if (finder->kept.at[id].from == text.at)
			return finder->kept.at[id].copy;
	copy = (struct text){ arena_text(&finder->job->arena, text.at, text.length), text.length };
	idtable_add(&finder->kept_table, hash, (uint32_t)finder->kept.count);
	vec_push(&finder->kept, (struct kept_text){ text.at, copy });
	return copy;
}

/* Keeps the chain, turned round, in the job's arena. */
static void keep_chain(struct finder *finder, struct naming_result *result)
{
	struct arena *arena = &finder->job->arena;
	size_t count = finder->chain.count;
	struct naming_frame *frames;

	result->frames = NULL;
	result->frame_count = 0;
	if (!count)
		return;
	frames = arena_alloc(arena, count * sizeof(*frames), _Alignof(struct naming_frame));
	for (size_t i = 0; i < count; i++) {
		struct naming_frame *frame = &frames[i];

		*frame = finder->chain.at[count - 1 - i];
		frame->file = keep_text(finder, frame->file);
		frame->declared_file = keep_text(finder, frame->declared_file);
	}
	result->frames = frames;
	result->frame_count = (uint32_t)count;
}

/* Code without a symbol may have a name here. */
static void name_outermost(struct finder *finder, uint32_t index)
{
	struct naming_result *result = &finder->naming->results[index];

	if (result->name.at || !result->frame_count || !result->frames[0].name.length)
		return;
	result->name = result->frames[0].name;
	result->symbol_start = naming_lookup_address(finder->job, finder->naming, index);
	finder->naming->named_count++;
}

static void take_chains(struct finder *finder)
{
	for (size_t i = 0; i < finder->table.nodes.count; i++)
		vec_push(&finder->names, (struct text){ .at = NULL });
	for (size_t i = 0; i < finder->places.count; i++) {
		const struct place *place = &finder->places.at[i];
		struct naming_result *result = &finder->naming->results[place->index];

		/* Places of equal addresses follow each other, and can share what is kept. */
		if (i && place[-1].address == place->address) {
			const struct naming_result *other =
				&finder->naming->results[place[-1].index];

			result->frames = other->frames;
			result->frame_count = other->frame_count;
		} else {
			make_chain(finder, place->address);
			keep_chain(finder, result);
		}
		name_outermost(finder, place->index);
	}
}

/* Addresses the table does not speak of yet. */
static void drop_covered(struct finder *finder)
{
	size_t kept = 0;

	for (size_t i = 0; i < finder->addresses.count; i++)
		if (!inline_table_covers(&finder->table, finder->addresses.at[i]))
			finder->addresses.at[kept++] = finder->addresses.at[i];
	finder->addresses.count = kept;
}

/* Says why not all is known, the first reason of several. */
static void say(struct finder *finder, const struct error *err)
{
	if (!finder->naming->inline_reason.length)
		finder->naming->inline_reason = naming_text(finder->job, "%s", err->text);
}

static void load(struct finder *finder, const char *folder, const struct build_id *id)
{
	if (!folder || !table_cache_load(folder, id, &finder->table))
		return;
	/* Without lines it is of no use to who wants some. */
	if (finder->job->context->options->wants_lines && !finder->table.has_lines) {
		inline_table_deinit(&finder->table);
		inline_table_init(&finder->table);
	}
	drop_covered(finder);
}

/* Has the file asked for what is not in the table, and adds it. False: the table is as it was. */
static bool ask(struct finder *finder, const struct elf_file *elf, const struct elf_pair *pair)
{
	struct naming_job *job = finder->job;
	struct split_offer split;
	struct dwarf_question question = {
		.fd = elf_share(elf),
		.shared_fd = pair->supplement ? elf_share(pair->supplement) : -1,
		.addresses = finder->addresses.at,
		.address_count = finder->addresses.count,
		.wants_lines = job->context->options->wants_lines || finder->table.has_lines,
	};
	byte_list split_files = { .at = NULL };
	struct inline_table answer;
	struct error err;
	bool good;

	split_files_offer(job, finder->naming, elf, &split);
	question.places = split.places;
	question.archive_fds = split.archive_fds;
	question.archive_count = split.archive_count;
	inline_table_init(&answer);
	if (question.fd < 0)
		good = error_set_errno(&err, "its debug information cannot be handed on");
	else
		good = dwarf_helper_ask(job->context->options->helper, &question, &answer,
					&split_files, &err);
	if (good) {
		split_files_collect(job, finder->naming, &split, &split_files);
		finder->table.has_lines = answer.has_lines;
		inline_table_merge(&finder->table, &answer);
		if (answer.is_incomplete)
			finder->naming->inline_reason = naming_text(
				job, "part of its debug information is missing or damaged");
	} else {
		say(finder, &err);
	}
	inline_table_deinit(&answer);
	vec_free(&split_files);
	if (question.fd >= 0)
		close(question.fd);
	if (question.shared_fd >= 0)
		close(question.shared_fd);
	return good;
}

static void fill_table(struct finder *finder, const struct elf_pair *pair)
{
	const struct elf_file *elf = file_with_debug_information(pair);
	const struct elf_file *any = pair->runtime ? pair->runtime : pair->symbols;
	const char *folder = finder->job->context->options->table_cache;
	struct error err;

	/* Who wants the files as well must see them read. */
	if (!finder->job->context->options->collector)
		load(finder, folder, &any->build_id);
	if (!finder->addresses.count || !elf || !dwarf_helper_is_built_in() ||
	    !ask(finder, elf, pair))
		return;
	if (folder && any->build_id.size_bytes && !finder->table.is_incomplete &&
	    !table_cache_store(folder, &any->build_id, &finder->table, &err))
		say(finder, &err);
}

void inlines_find(struct naming_job *job, struct naming *naming, const struct elf_pair *pair,
		  naming_convert *convert, const void *convert_context)
{
	const struct symbolise_options *options = job->context->options;
	struct finder finder = { .job = job, .naming = naming };

	if (!options->helper || !(pair->runtime || pair->symbols) ||
	    !(options->table_cache || file_with_debug_information(pair)))
		return;
	inline_table_init(&finder.table);
	idtable_init(&finder.kept_table);
	list_places(&finder, convert, convert_context);
	fill_table(&finder, pair);
	take_chains(&finder);
	inline_table_deinit(&finder.table);
	vec_free(&finder.places);
	vec_free(&finder.addresses);
	vec_free(&finder.names);
	vec_free(&finder.chain);
	vec_free(&finder.kept);
	idtable_deinit(&finder.kept_table);
}
