/* SPDX-License-Identifier: MIT */
#include "session/bundle.h"

#include "base/hash.h"
#include "compress/pack.h"
#include "object/host_kernel.h"
#include "session/bundle_files.h"
#include "session/bundle_sources.h"

#define CAPTURE_NAME "perf.data"
#define CHUNK_BYTES  ((size_t)1 << 20)
#define NAME_BYTES   64

/* One file of the capture: a range of the input. */
struct capture_part {
	char name[NAME_BYTES];
	uint64_t begin, end;
};

typedef VEC(struct capture_part) parts;

bool bundle_lacks(const struct module *module)
{
	switch (module->match) {
	case MATCH_MISMATCHED:
	case MATCH_MISSING:
	case MATCH_CORRUPT:
		return true;
	default:
		return false;
	}
}

/* A capture directory is one input, in which its files are concatenated. */
static void list_parts(const struct capture *capture, parts *ret)
{
	const struct input *input = &capture->input;
	struct capture_part part = { .name = CAPTURE_NAME, .end = input->size_bytes };

	if (input->pieces.count) {
		snprintf(part.name, sizeof(part.name), CAPTURE_NAME "/" DIRECTORY_HEADER_NAME);
		part.end = input->pieces.at[0].begin;
	}
	vec_push(ret, part);
	for (size_t i = 0; i < input->pieces.count; i++) {
		part.begin = input->pieces.at[i].begin;
		part.end = i + 1 < input->pieces.count ? input->pieces.at[i + 1].begin
						       : input->size_bytes;
		snprintf(part.name, sizeof(part.name), CAPTURE_NAME "/" DIRECTORY_HEADER_NAME ".%u",
			 (unsigned)capture->directory.files.at[i].number);
		vec_push(ret, part);
	}
}

static bool add_checksum(const struct input *input, const struct capture_part *part, uint64_t *ret,
			 struct error *err)
{
	char *chunk = memory_alloc(CHUNK_BYTES, 1);
	struct checksum checksum;
	bool good = true;

	checksum_init(&checksum);
	for (uint64_t at = part->begin; good && at < part->end;) {
		uint64_t left = part->end - at;
		size_t got = 0;

		good = input_read(input, at, chunk, left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES,
				  &got, err);
		if (good && !got)
			good = error_set(err, ERROR_IO, "became shorter while it was being read");
		checksum_add(&checksum, chunk, got);
		at += got;
	}
	memory_free(chunk);
	*ret = checksum_value(&checksum);
	return good;
}

static bool write_capture_lines(const struct input *input, const parts *list, struct sink *sink,
				struct error *err)
{
	struct build_id none = { .size_bytes = 0 };

	for (size_t i = 0; i < list->count; i++) {
		const struct capture_part *part = &list->at[i];
		struct bundle_manifest_file file = {
			.name = part->name,
			.kind = "capture",
			.build_id = &none,
			.size_bytes = part->end - part->begin,
		};

		if (!add_checksum(input, part, &file.checksum, err))
			return false;
		bundle_manifest_write_file(sink, &file);
	}
	return true;
}

static bool is_first_of_name(const struct bundle_files *files, size_t i)
{
	return i == 0 || strcmp(files->rows.at[i].name, files->rows.at[i - 1].name) != 0;
}

static struct text path_of(const struct session *session, uint32_t module)
{
	const struct modules *modules = session->profile.modules;

	return strings_get(session->profile.strings, modules->rows.at[module].path);
}

static void write_file_lines(const struct session *session, const struct bundle_files *files,
			     struct sink *sink, struct bundle_report *report)
{
	for (size_t i = 0; i < files->rows.count; i++) {
		const struct bundle_file *row = &files->rows.at[i];

		if (is_first_of_name(files, i)) {
			bundle_manifest_write_file(sink, &(struct bundle_manifest_file){
								 .name = row->name,
								 .kind = bundle_file_kind(row),
								 .build_id = &row->build_id,
								 .checksum = row->checksum,
								 .size_bytes = row->size_bytes,
								 .is_slim = row->is_slim,
							 });
			report->file_count++;
		}
		bundle_manifest_write_for(sink, &files->modules->rows.at[row->module],
					  path_of(session, row->module), row->match);
	}
}

static double share_of(const struct session *session, const struct module *module)
{
	size_t row = (size_t)(module - session->profile.modules->rows.at);

	return row < session->module_shares.count ? session->module_shares.at[row] : 1;
}

/* Returns the share of a file, which can be mapped under several names in several containers. */
static double share_of_file(const struct session *session, const struct module *module)
{
	size_t row = (size_t)(module - session->profile.modules->rows.at);

	return row < session->file_shares.count ? session->file_shares.at[row] : 1;
}

bool bundle_leaves_out(const struct session *session, const struct bundle_options *options,
		       const struct module *module)
{
	return options->least_share > 0 && module->kind == MODULE_FILE &&
	       share_of_file(session, module) < options->least_share;
}

/* If the module is omitted because of --min-share, lists it; otherwise, returns false. */
static bool write_small(const struct session *session, const struct bundle_options *options,
			const struct module *module, struct sink *sink,
			struct bundle_report *report)
{
	double share;

	if (!bundle_leaves_out(session, options, module))
		return false;
	share = share_of_file(session, module);
	report->small_count++;
	report->small_share = share > report->small_share ? share : report->small_share;
	bundle_manifest_write_left_out(sink, module,
				       strings_get(session->profile.strings, module->path), share);
	return true;
}

/* Writes the evidence for the build-ids of modules. The evidence depends on files of this host. */
static void write_identity_lines(const struct session *session, struct sink *sink)
{
	const struct modules *modules = session->profile.modules;

	for (uint32_t i = 0; i < modules->rows.count; i++)
		bundle_manifest_write_identity(sink, &modules->rows.at[i], path_of(session, i));
}

static void write_missing_lines(const struct session *session, const struct bundle_options *options,
				struct sink *sink, struct bundle_report *report)
{
	const struct modules *modules = session->profile.modules;

	for (uint32_t i = 0; i < modules->rows.count; i++) {
		const struct module *module = &modules->rows.at[i];

		if (module->match == MATCH_NOT_NEEDED || module->match == MATCH_NO_FILE)
			continue;
		report->module_count++;
		if (write_small(session, options, module, sink, report) || !bundle_lacks(module))
			continue;
		report->missing_count++;
		bundle_manifest_write_missing(
			sink, module, path_of(session, i),
			strings_get(session->profile.strings, module->reason));
	}
}

static bool pack_all(const struct session *session, const struct bundle_files *files,
		     const struct bundle_sources *sources, const parts *list, struct text manifest,
		     struct pack *pack, struct error *err)
{
	if (!pack_bytes(pack, CONTENTS_MANIFEST_NAME, manifest.at, manifest.length, err))
		return false;
	for (size_t i = 0; i < list->count; i++)
		if (!pack_input(pack, list->at[i].name, &session->capture.input, list->at[i].begin,
				list->at[i].end - list->at[i].begin, err))
			return false;
	for (size_t i = 0; i < files->rows.count; i++) {
		const struct bundle_file *row = &files->rows.at[i];

		if (session->options.on_step)
			session->options.on_step(session->options.progress_context, "packing", i,
						 files->rows.count);
		if (is_first_of_name(files, i) &&
		    !pack_input(pack, row->name, &files->spool, row->begin, row->size_bytes, err))
			return false;
	}
	return bundle_sources_pack(sources, pack, err);
}

static bool write_archive(const struct session *session, const struct bundle_files *files,
			  const struct bundle_sources *sources, const parts *list,
			  struct text manifest, const char *name, struct sink *sink,
			  struct error *err)
{
	struct pack *pack = pack_create(name, sink, err);

	if (!pack)
		return false;
	if (pack_all(session, files, sources, list, manifest, pack, err))
		return pack_finish(pack, err);
	pack_destroy(pack);
	return false;
}

static bool write_all(const struct session *session, const struct bundle_options *options,
		      const struct bundle_files *files, const char *name, struct sink *sink,
		      struct bundle_report *ret, struct error *err)
{
	struct bundle_sources sources;
	struct sink manifest;
	parts list = { 0 };
	bool good;

	bundle_sources_init(&sources, session, options);
	bundle_sources_report(&sources, ret);
	sink_init_memory(&manifest);
	list_parts(&session->capture, &list);
	bundle_manifest_write_head(&manifest);
	good = write_capture_lines(&session->capture.input, &list, &manifest, err);
	write_file_lines(session, files, &manifest, ret);
	write_missing_lines(session, options, &manifest, ret);
	write_identity_lines(session, &manifest);
	bundle_sources_write_manifest(&sources, &manifest);
	good = good && write_archive(session, files, &sources, &list, sink_memory(&manifest), name,
				     sink, err);
	vec_free(&list);
	sink_deinit(&manifest);
	bundle_sources_deinit(&sources);
	return good;
}

/* Recorded branches are used, too, even if a flame graph would not show them. */
static void choose_all(struct session *session)
{
	for (size_t i = 0; i < session->profile.events.count; i++)
		session->view.has_branch_history |= session->profile.events.at[i].has_branches &&
						    !session->profile.events.at[i].has_branch_calls;
}

bool bundle_write(struct session *session, const struct bundle_options *options, const char *name,
		  struct sink *sink, struct bundle_report *ret, struct error *err)
{
	struct bundle_files files;
	bool good;

	*ret = (struct bundle_report){ .file_count = 0 };
	if (!bundle_files_init(&files, session, options, err))
		return false;
	choose_all(session);
	session->options.wants_module_shares = true;
	session->options.collector = &files.collector;
	good = session_build_profile(session, err) && bundle_files_finish(&files, err) &&
	       write_all(session, options, &files, name, sink, ret, err);
	session->options.collector = NULL;
	bundle_files_deinit(&files);
	return good;
}

static void add_kernel(struct bundle_denied *denied, double share)
{
	denied->is_kernel = true;
	/*
	 * Kernel frames are in nearly every stack, so the shares of kernel modules overlap. Use the
	 * largest.
	 */
	denied->kernel_share = share > denied->kernel_share ? share : denied->kernel_share;
}

static void add_file(struct bundle_denied *denied, const struct module *module, double share)
{
	denied->file_count++;
	if (denied->file && share <= denied->file_share)
		return;
	denied->file = module;
	denied->file_share = share;
}

struct bundle_denied bundle_denied_of(const struct session *session)
{
	const struct modules *modules = session->profile.modules;
	struct bundle_denied denied = { .kptr_restrict = -1, .paranoid = -1 };

	for (size_t i = 0; i < modules->rows.count; i++) {
		const struct module *module = &modules->rows.at[i];

		if (!module->is_denied || module->named_count || !module->location_count)
			continue;
		if (module->kind == MODULE_KERNEL || module->kind == MODULE_KERNEL_MODULE)
			add_kernel(&denied, share_of(session, module));
		else
			add_file(&denied, module, share_of(session, module));
	}
	if (denied.is_kernel) {
		denied.kptr_restrict = host_kernel_setting("kptr_restrict");
		denied.paranoid = host_kernel_setting("perf_event_paranoid");
	}
	return denied;
}
