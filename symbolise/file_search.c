/* SPDX-License-Identifier: MIT */
#include "symbolise/file_search.h"

#include "base/checksum.h"
#include "base/limits.h"
#include "compress/codec.h"
#include "object/debuginfod.h"
#include "symbolise/elf/linked_files.h"
#include "symbolise/identity.h"
#include "symbolise/search.h"

static const char *full_path(struct naming_job *job, const struct located *located)
{
	if (!located->root)
		return located->path;
	return naming_text(job, "%s%s", located->root, located->path).at;
}

void search_note(struct search *search, const struct located *located, struct file_match match)
{
	const char *path = full_path(search->job, located);
	bool is_damaged = match.status == MATCH_CORRUPT;

	naming_add_path(search->job, search->naming, path, match.status, match.reason);
	if (search->refusal != MATCH_MISSING || match_is_usable(match.status))
		return;
	search->refusal = match.status;
	search->refusal_reason =
		naming_text(search->job, "%s%s %s", path, is_damaged ? ":" : "", match.reason.at);
}

void search_note_unread(struct search *search, const struct located *located, bool is_there,
			const struct error *err)
{
	bool is_denied = err->code == ERROR_DENIED;
	const char *path = full_path(search->job, located);

	search->naming->is_denied |= is_denied;
	if (is_denied && !search->denied_path)
		search->denied_path = path;
	search_note(search, located,
		    is_there    ? (struct file_match){ MATCH_CORRUPT,
						       naming_text(search->job, "%s", err->text) }
		    : is_denied ? (struct file_match){ MATCH_MISSING,
						       text_of("this user may not read it") }
				: (struct file_match){ MATCH_MISSING, text_of("") });
}

/* Keeps what the file is good for; false when it is good for nothing new. */
static bool keep(struct search *search, const struct located *located, struct elf_file *elf)
{
	struct found_files *found = search->found;
	struct elf_symbols symbols;
	bool has_static =
		!found->symbols_path && elf_symbols_open(elf, ELF_SYMBOLS_STATIC, &symbols);
	bool has_code = !found->runtime_path && elf_has_code(elf);
	const char *path = full_path(search->job, located);

	if (has_code) {
		found->runtime_file = *elf;
		found->pair.runtime = &found->runtime_file;
		found->runtime_path = path;
		found->runtime_at = *located;
	}
	if (has_static) {
		found->symbols_path = path;
		found->symbols_at = *located;
		found->pair.symbols = &found->runtime_file;
		if (!has_code) {
			found->symbols_file = *elf;
			found->pair.symbols = &found->symbols_file;
		}
	}
	return has_code || has_static;
}

/* What is to be said of a file that was taken, or could have been. */
static struct file_match describe(const struct search *search, struct file_match match,
				  bool is_kept)
{
	bool is_stripped = !search->found->symbols_path;

	if (!is_kept)
		return (struct file_match){ MATCH_NO_SYMBOLS,
					    text_of(is_stripped ? "has no symbol table"
								: "has nothing that was missing") };
	if (is_stripped && !match.reason.length)
		match.reason = text_of("has no symbol table, but the code");
	return match;
}

/* The first file that is taken says how far names can be trusted, whatever else belongs to it. */
static void take_verdict(struct search *search, const struct located *located,
			 struct file_match match, bool is_first)
{
	struct found_files *found = search->found;

	if (!is_first)
		return;
	found->match = match.status;
	if (match.reason.length)
		found->reason = naming_text(search->job, "%s %s", full_path(search->job, located),
					    match.reason.at);
}

void search_try(struct search *search, const struct located *located, search_judge *judge,
		const void *context)
{
	const struct found_files *found = search->found;
	bool is_first = !found->runtime_path && !found->symbols_path;
	struct file_match match;
	struct elf_file elf;
	struct error err;
	bool is_kept;
	bool is_there;

	if (naming_has_path(search->naming, full_path(search->job, located)))
		return;
	if (!located_open(located, &elf, &is_there, &err)) {
		search_note_unread(search, located, is_there, &err);
		return;
	}
	match = judge(search, located, &elf, context);
	if (!match_is_usable(match.status)) {
		search_note(search, located, match);
		elf_close(&elf);
		return;
	}
	is_kept = keep(search, located, &elf);
	if (is_kept) {
		take_verdict(search, located, match, is_first);
		naming_collect_elf(search->job, search->naming, &elf,
				   full_path(search->job, located), found->match);
	} else {
		elf_close(&elf);
	}
	/* What belongs to an unproven file is as little proven. */
	if (!is_first)
		match = (struct file_match){ found->match, text_of("") };
	search_note(search, located, describe(search, match, is_kept));
}

/* Where it was bundled it was accepted for this module. */
static struct file_match judge_bundled(const struct search *search, const struct located *located,
				       const struct elf_file *elf, const void *context)
{
	const struct manifest_row *row = context;

	(void)search;
	(void)located;
	if (!elf->bytes || checksum_of(elf->bytes, (size_t)elf->size_bytes) != row->checksum)
		return (struct file_match){ MATCH_CORRUPT,
					    text_of("is not what the manifest says") };
	return (struct file_match){ row->is_same_file ? MATCH_SAME_FILE : MATCH_UNVERIFIED,
				    text_of("is the file by the word of the bundle") };
}

void search_try_bundled(struct search *search)
{
	const struct naming *naming = search->naming;
	const struct manifest *manifest = search->job->context->options->manifest;
	struct manifest_run run = { .count = 0 };

	if (manifest && !search->wanted.size_bytes)
		run = manifest_find(manifest, naming->module, naming->path);
	for (size_t i = 0; i < run.count; i++) {
		struct located located = located_offered(LOCATED_BY_BUNDLE, &run.at[i].file);

		search_try(search, &located, judge_bundled, &run.at[i]);
	}
}

static bool is_complete(const struct found_files *found)
{
	return found->runtime_path && found->symbols_path;
}

/* Context: where the file came from, for people, or NULL. */
static struct file_match judge_by_build_id(const struct search *search,
					   const struct located *located,
					   const struct elf_file *elf, const void *context)
{
	const char *source = context;
	struct file_match match =
		file_match_check(search->job, search->naming, &search->wanted, located, elf);

	if (!source || !*source)
		return match;
	if (!match_is_usable(match.status))
		match.reason = naming_text(search->job, "%s; it %s: delete it to fetch it again",
					   match.reason.at, source);
	else if (!match.reason.length)
		match.reason = text_of(source);
	return match;
}

static void try_all(struct search *search, struct text path)
{
	const struct locator *locator = &search->job->context->locator;
	const struct module *module = search->naming->module;
	struct locate_query query = { path,
				      search->wanted,
				      { module->first_pid, module->last_pid } };
	struct located_list list = { .rows = { .at = NULL } };

	locate_objects(locator, &query, &search->job->arena, &list);
	for (size_t i = 0; i < list.rows.count && !is_complete(search->found); i++)
		/* Of files without proof one is taken, and no other is mixed with it. */
		if (search->wanted.size_bytes || !search->found->runtime_path)
			search_try(search, &list.rows.at[i], judge_by_build_id, NULL);
	vec_free(&list.rows);
}

/*
 * Where the path says nothing of which file it is, others may be offered: of the same name in other folders, or
 * kept under another name and given by the user. Their code decides.
 */
static void try_by_code(struct search *search)
{
	const struct file_index *index = search->job->context->locator.index;
	struct text name = text_basename(locate_original_path(search->naming->path));

	if (!search->naming->module->has_rivals && !identity_is_contradicted(search->naming))
		return;
	for (size_t i = 0; i < index->files.count && !search->found->runtime_path; i++) {
		const struct index_file *file = &index->files.at[i];
		struct located located = located_offered(LOCATED_BY_NAME, file);

		if (file->kind == INDEX_ELF && !file->has_no_name && !file->is_packed &&
		    (file->is_explicit || text_equal(text_basename(file->path), name)))
			search_try(search, &located, judge_by_build_id, NULL);
	}
}

/* Asks servers for a file of the build-id, when the user wants that at all. */
static void ask_servers(struct search *search, enum debuginfod_kind kind)
{
	static const char *const names[] = {
		[DEBUGINFOD_EXECUTABLE] = "executable", [DEBUGINFOD_DEBUGINFO] = "debuginfo"
	};
	struct debuginfod *debuginfod = search->job->context->options->debuginfod;
	struct debuginfod_query query = { .build_id = search->wanted, .kind = kind };
	struct located located = { .how = LOCATED_BY_BUILD_ID };
	char hex[BUILD_ID_TEXT_BYTES];
	const char *source;
	struct error err;

	if (!debuginfod || !search->wanted.size_bytes)
		return;
	query.name = naming_text(search->job, "%s", text_basename(search->naming->path).at).at;
	located.path = debuginfod_find(debuginfod, &query, &search->job->arena, &source, &err);
	if (located.path) {
		search_try(search, &located, judge_by_build_id, source);
		return;
	}
	located.path = naming_text(search->job, "debuginfod %s %s",
				   build_id_hex(&search->wanted, hex), names[kind])
			       .at;
	search_note(search, &located,
		    (struct file_match){ MATCH_MISSING, naming_text(search->job, "%s", err.text) });
}

/*
 * A stripped file may hold the symbols of its functions in packed form, as an ELF file of its own
 * (MiniDebugInfo). They are its own, so there is nothing to prove.
 */
static void unpack_symbols(struct search *search)
{
	struct found_files *found = search->found;
	const struct elf_section *section =
		elf_find_section(&found->runtime_file, ".gnu_debugdata");
	struct error err;
	size_t size_bytes;

	if (!section)
		return;
	if (!codec_decompress(CODEC_XZ, elf_section_bytes(&found->runtime_file, section),
			      LIMIT_DEBUGDATA_BYTES, &found->unpacked, &size_bytes, &err) ||
	    !elf_open_memory(&found->symbols_file, found->unpacked, size_bytes, &err)) {
		found->reason = naming_text(search->job, "%s: .gnu_debugdata: %s",
					    found->runtime_path, err.text);
		return;
	}
	found->pair.symbols = &found->symbols_file;
	found->symbols_path = found->runtime_path;
}

static void say_missing(struct search *search)
{
	struct found_files *found = search->found;
	char hex[BUILD_ID_TEXT_BYTES];

	found->match = search->refusal;
	found->reason = search->refusal_reason;
	if (identity_is_contradicted(search->naming)) {
		found->match = MATCH_MISMATCHED;
		found->reason = search->naming->proof_reason;
	}
	if (found->match != MATCH_MISSING)
		return;
	if (search->denied_path) {
		bool is_own = text_is(search->naming->path, search->denied_path);

		found->reason = naming_text(search->job, "%s%sthis user may not read it",
					    is_own ? "" : search->denied_path, is_own ? "" : ": ");
		return;
	}
	build_id_hex(&search->wanted, hex);
	if (search->naming->module->listed_build_id.size_bytes) {
		found->reason =
			text_of("not found, and the build-id read by perf after recording is "
				"of one of several files mapped from this path");
		return;
	}
	found->reason =
		*hex ? naming_text(search->job, "no file with build-id %s was found", hex)
		     : naming_text(search->job, "not found, and the capture has no build-id");
}

void search_begin(struct search *search, struct naming_job *job, struct naming *naming,
		  struct found_files *found)
{
	*search = (struct search){
		.job = job,
		.naming = naming,
		.found = found,
		.wanted = naming->module->build_id,
		.refusal = MATCH_MISSING,
	};
	*found = (struct found_files){
		.runtime_file = { .fd = -1 },
		.symbols_file = { .fd = -1 },
		.supplement_file = { .fd = -1 },
	};
}

static void run(struct naming_job *job, struct naming *naming, struct text path,
		struct found_files *found)
{
	struct search search;

	search_begin(&search, job, naming, found);
	identity_settle(job, naming);
	if (identity_is_contradicted(naming) && !job->context->options->trusts_paths)
		search.wanted = (struct build_id){ .size_bytes = 0 };
	search_try_bundled(&search);
	try_all(&search, path);
	if (!search.wanted.size_bytes && !found->runtime_path && path.length)
		try_by_code(&search);
	/* What was taken without proof may have its symbols in a file of its own build-id. */
	if (found->runtime_path && !search.wanted.size_bytes &&
	    found->runtime_file.build_id.size_bytes) {
		search.wanted = found->runtime_file.build_id;
		try_all(&search, (struct text){ "", 0 });
	}
	if (!found->runtime_path)
		ask_servers(&search, DEBUGINFOD_EXECUTABLE);
	if (found->runtime_path && !found->symbols_path)
		linked_files_find_symbols(&search);
	if (!found->symbols_path)
		ask_servers(&search, DEBUGINFOD_DEBUGINFO);
	if (found->runtime_path && !found->symbols_path)
		unpack_symbols(&search);
	if (found->symbols_path)
		linked_files_find_supplement(&search);
	if (!found->runtime_path && !found->symbols_path)
		say_missing(&search);
}

void file_search(struct naming_job *job, struct naming *naming, struct found_files *found)
{
	run(job, naming, naming->path, found);
}

void file_search_by_build_id(struct naming_job *job, struct naming *naming,
			     struct found_files *found)
{
	run(job, naming, (struct text){ "", 0 }, found);
}

void found_files_close(struct found_files *found)
{
	elf_close(&found->runtime_file);
	elf_close(&found->symbols_file);
	elf_close(&found->supplement_file);
	memory_free(found->unpacked);
}
