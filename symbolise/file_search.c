/* SPDX-License-Identifier: MIT */
#include "symbolise/file_search.h"

#include "base/hash.h"
#include "compress/codec.h"
#include "object/debug_link.h"
#include "object/debuginfod.h"
#include "object/elf.h"
#include "symbolise/build_id_proof.h"

static const char *full_path(struct naming_job *job, const struct located *located)
{
	if (!located->root)
		return located->path;
	return naming_text(job, "%s%s", located->root, located->path).at;
}

/*
 * Records a candidate. The reason of the first refused candidate becomes the reason of the whole
 * search.
 */
static void file_search_note(struct file_search *search, const struct located *located,
			     struct file_match match)
{
	const char *path = full_path(search->job, located);
	bool is_corrupt = match.status == MATCH_CORRUPT;

	naming_add_path(search->job, search->naming, path, match.status, match.reason);
	if (search->refusal != MATCH_MISSING || match_is_usable(match.status))
		return;
	search->refusal = match.status;
	search->refusal_reason =
		naming_text(search->job, "%s%s %s", path, is_corrupt ? ":" : "", match.reason.at);
}

/* Records a candidate like file_search_note, if it could not be opened as ELF. */
static void file_search_note_unread(struct file_search *search, const struct located *located,
				    bool is_there, const struct error *err)
{
	bool is_denied = err->code == ERROR_DENIED;
	const char *path = full_path(search->job, located);
	struct file_match match = { MATCH_MISSING, text_of("") };

	search->naming->is_denied |= is_denied;
	if (is_denied && !search->denied_path)
		search->denied_path = path;
	if (is_there)
		match.status = MATCH_CORRUPT;
	else if (err->code == ERROR_LINK)
		match.status = MATCH_MISMATCHED;
	if (match.status != MATCH_MISSING)
		match.reason = naming_text(search->job, "%s", err->text);
	else if (is_denied)
		match.reason = text_of("permission denied");
	file_search_note(search, located, match);
}

/* Keeps a file for its code or for its symbols. Returns false if the search already has both. */
static bool keep(struct file_search *search, const struct located *located, struct elf_file *elf)
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

/* The status and reason to record for an acceptable file. */
static struct file_match describe(const struct file_search *search, struct file_match match,
				  bool is_kept)
{
	bool is_stripped = !search->found->symbols_path;

	if (!is_kept)
		return (struct file_match){ MATCH_NO_SYMBOLS,
					    text_of(is_stripped ? "has no symbol table"
								: "adds nothing to the files "
								  "found before") };
	if (is_stripped && !match.reason.length)
		match.reason = text_of("has code, but no symbol table");
	return match;
}

/* The first accepted file determines the match status of the module. */
static void set_match(struct file_search *search, const struct located *located,
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

void file_search_try(struct file_search *search, const struct located *located,
		     file_search_check *check, const void *context)
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
	if (!located_open(&search->job->context->locator, located, &elf, &is_there, &err)) {
		file_search_note_unread(search, located, is_there, &err);
		return;
	}
	match = check(search, located, &elf, context);
	if (!match_is_usable(match.status)) {
		file_search_note(search, located, match);
		elf_close(&elf);
		return;
	}
	is_kept = keep(search, located, &elf);
	if (is_kept) {
		set_match(search, located, match, is_first);
		naming_collect_elf(search->job, search->naming, &elf,
				   full_path(search->job, located), found->match);
	} else {
		elf_close(&elf);
	}
	/* The match status of a debug file is never better than the match status of its code. */
	if (!is_first)
		match = (struct file_match){ found->match, text_of("") };
	file_search_note(search, located, describe(search, match, is_kept));
}

/* The bundle's manifest lists the file for this module. */
static struct file_match match_bundled(const struct file_search *search,
				       const struct located *located, const struct elf_file *elf,
				       const void *context)
{
	const struct bundle_manifest_row *row = context;

	(void)search;
	(void)located;
	if (!elf->bytes || checksum_of(elf->bytes, (size_t)elf->size_bytes) != row->checksum)
		return (struct file_match){ MATCH_CORRUPT,
					    text_of("differs from the file that the manifest "
						    "lists") };
	return (struct file_match){ row->is_same_file ? MATCH_SAME_FILE : MATCH_UNVERIFIED,
				    text_of("is the file that the bundle's manifest lists for this "
					    "DSO") };
}

void file_search_try_bundled(struct file_search *search)
{
	const struct naming *naming = search->naming;
	const struct bundle_manifest *manifest = search->job->context->options->manifest;
	struct bundle_manifest_run run = { .count = 0 };

	if (manifest && !search->wanted.size_bytes)
		run = bundle_manifest_find(manifest, naming->module, naming->path);
	for (size_t i = 0; i < run.count; i++) {
		struct located located = located_offered(LOCATED_BY_BUNDLE, &run.at[i].file);

		file_search_try(search, &located, match_bundled, &run.at[i]);
	}
}

static struct file_match refuse(struct text reason)
{
	return (struct file_match){ MATCH_MISMATCHED, reason };
}

static struct file_match match_crc(const struct file_search *search, const struct elf_file *elf,
				   const struct debug_link *link)
{
	struct error err;
	uint32_t crc;

	if (elf->bytes)
		crc = debug_link_crc_of(elf->bytes, (size_t)elf->size_bytes);
	else if (!debug_link_crc(elf->fd, &crc, &err))
		return (struct file_match){ MATCH_CORRUPT,
					    naming_text(search->job, "%s", err.text) };
	if (crc != link->crc)
		return refuse(naming_text(search->job,
					  "has CRC %08x, but the debug link of %s has %08x", crc,
					  search->found->runtime_path, link->crc));
	return (struct file_match){ search->found->match, text_of("") };
}

/* Prefer build-ids. A CRC proves less, and requires reading the whole file. */
static struct file_match match_linked(const struct file_search *search,
				      const struct located *located, const struct elf_file *elf,
				      const void *context)
{
	const struct build_id *ours = &search->found->runtime_file.build_id;
	char theirs_hex[BUILD_ID_TEXT_BYTES], ours_hex[BUILD_ID_TEXT_BYTES];

	(void)located;
	if (!ours->size_bytes || !elf->build_id.size_bytes)
		return match_crc(search, elf, context);
	if (build_id_equal(ours, &elf->build_id))
		return (struct file_match){ search->found->match, text_of("") };
	return refuse(naming_text(search->job, "has build-id %s, but %s has %s",
				  build_id_hex(&elf->build_id, theirs_hex),
				  search->found->runtime_path, build_id_hex(ours, ours_hex)));
}

/*
 * Finds the separate debug file named by .gnu_debuglink in the code's file. The debug file is used
 * if its build-id equals the build-id of the code. If one of these two files has no build-id, the
 * CRC must match.
 */
static void file_search_debug_link(struct file_search *search)
{
	struct located_list list = { .rows = { .at = NULL } };
	struct debug_link link;
	struct locate_link query = { .from = &search->found->runtime_at,
				     .captured_path = locate_original_path(search->naming->path) };

	if (!debug_link_read(&search->found->runtime_file, &link))
		return;
	query.name = link.name;
	locate_debug_file(&search->job->context->locator, &query, &search->job->arena, &list);
	for (size_t i = 0; i < list.rows.count && !search->found->symbols_path; i++)
		file_search_try(search, &list.rows.at[i], match_linked, &link);
	vec_free(&list.rows);
}

static bool try_supplement(struct file_search *search, const struct located *located,
			   const struct build_id *wanted)
{
	struct found_files *found = search->found;
	struct file_match match;
	struct elf_file elf;
	struct error err;
	bool is_there;

	if (!located_open(&search->job->context->locator, located, &elf, &is_there, &err)) {
		file_search_note_unread(search, located, is_there, &err);
		return false;
	}
	match = file_match_check(search->job, search->naming, wanted, located, &elf);
	if (!match_is_usable(match.status)) {
		file_search_note(search, located, match);
		elf_close(&elf);
		return false;
	}
	file_search_note(
		search, located,
		(struct file_match){ found->match,
				     text_of("is a dwz file, which several debug files share") });
	found->supplement_file = elf;
	found->pair.supplement = &found->supplement_file;
	found->supplement_path =
		naming_text(search->job, "%s%s", located->root ? located->root : "", located->path)
			.at;
	naming_collect_elf(search->job, search->naming, &elf, found->supplement_path, found->match);
	return true;
}

void file_search_alt_link(struct file_search *search)
{
	const struct locator *locator = &search->job->context->locator;
	struct located_list list = { .rows = { .at = NULL } };
	struct debug_supplement supplement;
	struct locate_link query = { .from = &search->found->symbols_at };

	/* The path of a separate debug file is not recorded. */
	if (search->found->pair.symbols == search->found->pair.runtime)
		query.captured_path = locate_original_path(search->naming->path);
	if (!debug_link_read_supplement(search->found->pair.symbols, &supplement))
		return;
	query.name = supplement.path;
	locate_objects(locator, &(struct locate_query){ .build_id = supplement.build_id },
		       &search->job->arena, &list);
	locate_supplement(locator, &query, &search->job->arena, &list);
	for (size_t i = 0; i < list.rows.count; i++)
		if (try_supplement(search, &list.rows.at[i], &supplement.build_id))
			break;
	vec_free(&list.rows);
}

static bool is_complete(const struct found_files *found)
{
	return found->runtime_path && found->symbols_path;
}

/* context: a text that states where the file was fetched from, or NULL. */
static struct file_match match_by_build_id(const struct file_search *search,
					   const struct located *located,
					   const struct elf_file *elf, const void *context)
{
	const char *source = context;
	struct file_match match =
		file_match_check(search->job, search->naming, &search->wanted, located, elf);

	if (!source || !*source)
		return match;
	if (!match_is_usable(match.status))
		match.reason = naming_text(search->job,
					   "%s; the file %s; delete the file to download it again",
					   match.reason.at, source);
	else if (!match.reason.length)
		match.reason = text_of(source);
	return match;
}

static void try_all(struct file_search *search, struct text path)
{
	const struct locator *locator = &search->job->context->locator;
	const struct module *module = search->naming->module;
	struct locate_query query = { .path = path,
				      .build_id = search->wanted,
				      .pids = { module->first_pid, module->last_pid },
				      .is_recorded = true };
	struct located_list list = { .rows = { .at = NULL } };

	locate_objects(locator, &query, &search->job->arena, &list);
	for (size_t i = 0; i < list.rows.count && !is_complete(search->found); i++)
		/*
		 * Without a build-id, use only the first acceptable file, so that two unproven
		 * files are never mixed.
		 */
		if (search->wanted.size_bytes || !search->found->runtime_path)
			file_search_try(search, &list.rows.at[i], match_by_build_id, NULL);
	vec_free(&list.rows);
}

/*
 * If the path does not identify the file, tries offered files with the same name in other
 * directories, and files that the user named. The code of these files decides whether one of them
 * matches.
 */
static void try_by_code(struct file_search *search)
{
	const struct file_index *index = search->job->context->locator.index;
	struct text name = text_basename(locate_original_path(search->naming->path));

	if (!search->naming->module->has_rivals && !build_id_is_contradicted(search->naming))
		return;
	for (size_t i = 0; i < index->files.count && !search->found->runtime_path; i++) {
		const struct index_file *file = &index->files.at[i];
		struct located located = located_offered(LOCATED_BY_NAME, file);

		if (file->kind == INDEX_ELF && !file->has_no_name && !file->is_compressed &&
		    (file->is_explicit || text_equal(text_basename(file->path), name)))
			file_search_try(search, &located, match_by_build_id, NULL);
	}
}

/* Asks the debuginfod servers, if enabled, for a file by build-id. */
static void ask_servers(struct file_search *search, enum debuginfod_kind kind)
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
		file_search_try(search, &located, match_by_build_id, source);
		return;
	}
	located.path = naming_text(search->job, "debuginfod %s %s",
				   build_id_hex(&search->wanted, hex), names[kind])
			       .at;
	file_search_note(
		search, &located,
		(struct file_match){ MATCH_MISSING, naming_text(search->job, "%s", err.text) });
}

/*
 * A stripped file may contain a compressed symbol table of its functions (MiniDebugInfo). This
 * table is part of the file, so it needs no check.
 */
static void unpack_symbols(struct file_search *search)
{
	struct found_files *found = search->found;
	const struct elf_section *section =
		elf_find_section(&found->runtime_file, ".gnu_debugdata");
	struct error err;
	size_t size_bytes;

	if (!section)
		return;
	if (!codec_decompress(CODEC_XZ, elf_section_bytes(&found->runtime_file, section),
			      LIMIT_DEBUGDATA_BYTES, &found->decompressed, &size_bytes, &err) ||
	    !elf_open_memory(&found->symbols_file, found->decompressed, size_bytes, &err)) {
		found->reason = naming_text(search->job, "%s: .gnu_debugdata: %s",
					    found->runtime_path, err.text);
		return;
	}
	found->pair.symbols = &found->symbols_file;
	found->symbols_path = found->runtime_path;
}

static void say_missing(struct file_search *search)
{
	struct found_files *found = search->found;
	char hex[BUILD_ID_TEXT_BYTES];

	found->match = search->refusal;
	found->reason = search->refusal_reason;
	if (build_id_is_contradicted(search->naming)) {
		found->match = MATCH_MISMATCHED;
		found->reason = search->naming->proof_reason;
	}
	if (found->match != MATCH_MISSING)
		return;
	if (search->denied_path) {
		bool is_own = text_is(search->naming->path, search->denied_path);

		found->reason = naming_text(search->job, "%s%spermission denied",
					    is_own ? "" : search->denied_path, is_own ? "" : ": ");
		return;
	}
	build_id_hex(&search->wanted, hex);
	if (search->naming->module->listed_build_id.size_bytes) {
		found->reason =
			text_of("not found; several files were mapped from this path, and the "
				"build-id that perf read after recording belongs to one of them");
		return;
	}
	if (*hex)
		found->reason = naming_text(search->job, "no file with build-id %s was found", hex);
	else if (file_index_has_bundle(search->job->context->options->index))
		found->reason = text_of("not found; the capture has no build-id, so a file of a "
					"bundle is used only if the bundle is the input");
	else
		found->reason = text_of("not found; the capture has no build-id");
}

void file_search_begin(struct file_search *search, struct naming_job *job, struct naming *naming,
		       struct found_files *found)
{
	*search = (struct file_search){
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
	struct file_search search;

	file_search_begin(&search, job, naming, found);
	build_id_proof_find(job, naming);
	if (build_id_is_contradicted(naming) && !job->context->options->trusts_paths)
		search.wanted = (struct build_id){ .size_bytes = 0 };
	file_search_try_bundled(&search);
	try_all(&search, path);
	if (!search.wanted.size_bytes && !found->runtime_path && path.length)
		try_by_code(&search);
	/* An unproven file may have a debug file with its own build-id. */
	if (found->runtime_path && !search.wanted.size_bytes &&
	    found->runtime_file.build_id.size_bytes) {
		search.wanted = found->runtime_file.build_id;
		try_all(&search, (struct text){ "", 0 });
	}
	if (!found->runtime_path)
		ask_servers(&search, DEBUGINFOD_EXECUTABLE);
	if (found->runtime_path && !found->symbols_path)
		file_search_debug_link(&search);
	if (!found->symbols_path)
		ask_servers(&search, DEBUGINFOD_DEBUGINFO);
	if (found->runtime_path && !found->symbols_path)
		unpack_symbols(&search);
	if (found->symbols_path)
		file_search_alt_link(&search);
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
	memory_free(found->decompressed);
}
