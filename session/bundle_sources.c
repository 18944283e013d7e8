/* SPDX-License-Identifier: MIT */
#include "session/bundle_sources.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "object/file.h"
#include "session/source_file.h"

/* Maximum size of a source file from which kiln bundle --sources packs lines. Generated files can
 * be about 10 MB. */
#define LIMIT_SOURCE_FILE_BYTES (64u << 20)
/*
 * Maximum size of all source files that are read for one bundle: about as much as the sources of a
 * kernel.
 */
#define LIMIT_SOURCE_READ_BYTES (1u << 30)
/* Maximum size of the lines of one source file in a bundle: about 20,000 lines. */
#define LIMIT_SOURCE_LINES_BYTES (1u << 20)
/* Maximum size of all source lines in a bundle: about a million lines. */
#define LIMIT_SOURCES_BYTES (64u << 20)

#define DIRECTORY  "sources"
#define NAME_BYTES 1024u
#define NS_PER_S   INT64_C(1000000000)

/* A source line of a location. */
struct touch {
	struct text path;
	uint32_t line;
};

typedef VEC(struct touch) touch_list;

/* State over all files. */
struct source_packing {
	const struct session *session;
	const struct bundle_options *options;
	struct bundle_sources *sources;
	uint64_t read_bytes;
};

static void add_touch(const struct session *session, struct source_line line, touch_list *list)
{
	struct touch touch = { strings_get(session->profile.strings, line.file), line.line };

	if (touch.line && touch.path.length)
		vec_push(list, touch);
}

static int compare_touches(const void *a, const void *b)
{
	const struct touch *left = a;
	const struct touch *right = b;
	int order = text_compare(left->path, right->path);

	return order ? order : (left->line > right->line) - (left->line < right->line);
}

/* Lists the lines of sampled and calling locations, except in modules whose files are omitted. */
static void list_touches(const struct session *session, const struct bundle_options *options,
			 touch_list *ret)
{
	const struct locations *locations = &session->locations;
	const struct modules *modules = session->profile.modules;
	bool *is_out = memory_zalloc(modules->rows.count + 1, sizeof(*is_out));

	for (size_t i = 0; i < modules->rows.count; i++)
		is_out[i] = bundle_leaves_out(session, options, &modules->rows.at[i]);
	for (size_t i = 0; i < locations->rows.count; i++) {
		const struct location *location = &locations->rows.at[i];

		if (is_out[location->module.i])
			continue;
		add_touch(session, location->at, ret);
		for (uint32_t k = 0; k < location->inlined_count; k++)
			add_touch(session, locations->inlined.at[location->inlined_first + k].at,
				  ret);
	}
	memory_free(is_out);
	if (ret->count)
		qsort(ret->at, ret->count, sizeof(*ret->at), compare_touches);
}

/* Makes a path in the archive, without ".." and without bytes that some systems cannot extract. */
static const char *member_name(struct bundle_sources *sources, struct text path)
{
	char name[NAME_BYTES] = DIRECTORY;
	size_t root = strlen(DIRECTORY);
	size_t length = root;

	for (uint32_t begin = 0; begin < path.length;) {
		const char *slash = memchr(path.at + begin, '/', path.length - begin);
		uint32_t end = slash ? (uint32_t)(slash - path.at) : path.length;
		struct text part = { path.at + begin, end - begin };

		begin = end + 1;
		if (!part.length || text_is(part, "."))
			continue;
		if (text_is(part, "..")) {
			while (length > root && name[--length] != '/')
				;
			continue;
		}
		if (length + part.length + 2 > sizeof(name))
			return NULL;
		name[length++] = '/';
		for (uint32_t i = 0; i < part.length; i++) {
			unsigned char byte = (unsigned char)part.at[i];

			name[length++] = byte < ' ' || byte == 0x7f ? '_' : (char)byte;
		}
	}
	return arena_text(&sources->arena, name, length);
}

/* Makes a name for a path whose own name is not valid, or is already the name of another path. */
static const char *name_by_content(struct bundle_sources *sources, struct text path)
{
	char name[NAME_BYTES];
	int length = snprintf(name, sizeof(name), DIRECTORY "/xxh64-%016" PRIx64 ".lines",
			      checksum_of(path.at, path.length));

	return arena_text(&sources->arena, name, (size_t)length);
}

static const char *age_of(const struct session *session, const struct stat *status)
{
	int64_t capture_time_ns = session->capture.input.written_time_ns;
	int64_t time_s = status->st_mtim.tv_sec;
	int64_t capture_time_s = capture_time_ns / NS_PER_S;

	if (!capture_time_ns)
		return "";
	return time_s > capture_time_s || (time_s == capture_time_s &&
					   status->st_mtim.tv_nsec > capture_time_ns % NS_PER_S)
		       ? BUNDLE_SOURCE_NEWER
		       : "older";
}

/* Appends the lines of an open file. Returns why they are not packed, or NULL. */
static const char *read_file(struct source_packing *packing, struct bundle_source *source,
			     const struct stat *status, int fd, const uint32_t *lines, size_t count)
{
	struct sink *bytes = &packing->sources->bytes;
	struct bundle_manifest_source *manifest = &source->manifest;
	struct file_bytes file;
	struct error ignored;
	enum source_match match;

	if ((uint64_t)status->st_size > LIMIT_SOURCE_FILE_BYTES ||
	    (packing->read_bytes += (uint64_t)status->st_size) > LIMIT_SOURCE_READ_BYTES)
		return "too-large";
	if (!file_read(fd, LIMIT_SOURCE_FILE_BYTES, &file, &ignored))
		return "not-found";
	bundle_manifest_write_source_head(bytes, source->path);
	match = source_lines_write((struct text){ file.at, (uint32_t)file.size_bytes }, lines,
				   count, bytes, &manifest->line_count);
	file_bytes_deinit(&file);
	if (match != SOURCE_MATCHES)
		return match == SOURCE_NOT_TEXT ? "not-text" : "other-version";
	manifest->size_bytes = bytes->used - source->begin;
	if (manifest->size_bytes > LIMIT_SOURCE_LINES_BYTES || bytes->used > LIMIT_SOURCES_BYTES)
		return "too-large";
	manifest->checksum = checksum_of(bytes->buffer + source->begin, manifest->size_bytes);
	manifest->path = source->path;
	manifest->age = age_of(packing->session, status);
	manifest->name = member_name(packing->sources, source->path);
	return NULL;
}

static const char *open_and_read(struct source_packing *packing, struct bundle_source *source,
				 const uint32_t *lines, size_t count)
{
	const struct source_directories directories = {
		.directories = packing->options->source_directories,
		.count = packing->options->source_directory_count,
		.uses_host = packing->session->is_same_host,
	};
	enum source_file_status status;
	struct stat stat;
	const char *missing;
	int fd = -1;

	status = source_file_open(&directories, source->path, &fd);
	if (status != SOURCE_FILE_OPEN)
		return status == SOURCE_FILE_NOT_FOUND ? "not-found" : "not-source";
	missing = fstat(fd, &stat) == 0 ? read_file(packing, source, &stat, fd, lines, count)
					: "not-found";
	close(fd);
	return missing;
}

/* Adds the source file of these touched lines. */
static void add_source(struct source_packing *packing, const struct touch *touches, size_t count)
{
	struct bundle_sources *sources = packing->sources;
	struct bundle_source source = {
		.path = touches[0].path,
		.touch_count = count,
		.begin = sources->bytes.used,
	};
	uint32_t *lines = memory_alloc(count, sizeof(*lines));
	size_t line_count = 0;

	for (size_t i = 0; i < count; i++)
		if (!line_count || lines[line_count - 1] != touches[i].line)
			lines[line_count++] = touches[i].line;
	source.missing = open_and_read(packing, &source, lines, line_count);
	if (source.missing)
		sources->bytes.used = source.begin;
	vec_push(&sources->rows, source);
	memory_free(lines);
}

static int compare_names(const void *a, const void *b)
{
	const struct bundle_source *left = *(struct bundle_source *const *)a;
	const struct bundle_source *right = *(struct bundle_source *const *)b;
	int order = strcmp(left->manifest.name, right->manifest.name);

	return order ? order : text_compare(left->path, right->path);
}

/* If different paths have the same name, renames all but the first. */
static void separate(struct bundle_sources *sources)
{
	VEC(struct bundle_source *) packed = { .at = NULL };
	const char *name = NULL;

	for (size_t i = 0; i < sources->rows.count; i++) {
		struct bundle_source *source = &sources->rows.at[i];

		if (!source->missing && !source->manifest.name)
			source->manifest.name = name_by_content(sources, source->path);
		if (!source->missing)
			vec_push(&packed, source);
	}
	if (packed.count)
		qsort(packed.at, packed.count, sizeof(struct bundle_source *), compare_names);
	for (size_t i = 0; i < packed.count; i++) {
		if (name && strcmp(packed.at[i]->manifest.name, name) == 0)
			packed.at[i]->manifest.name = name_by_content(sources, packed.at[i]->path);
		else
			name = packed.at[i]->manifest.name;
	}
	vec_free(&packed);
}

void bundle_sources_init(struct bundle_sources *sources, const struct session *session,
			 const struct bundle_options *options)
{
	struct source_packing packing = { session, options, sources, 0 };
	touch_list list = { .at = NULL };
	size_t end;

	*sources = (struct bundle_sources){ .rows = { .at = NULL } };
	arena_init(&sources->arena);
	sink_init_memory(&sources->bytes);
	if (options->has_sources)
		list_touches(session, options, &list);
	for (size_t i = 0; i < list.count; i = end) {
		for (end = i + 1; end < list.count; end++)
			if (!text_equal(list.at[end].path, list.at[i].path))
				break;
		if (session->options.on_step)
			session->options.on_step(session->options.progress_context,
						 "reading sources", i, list.count);
		add_source(&packing, list.at + i, end - i);
	}
	separate(sources);
	vec_free(&list);
}

void bundle_sources_deinit(struct bundle_sources *sources)
{
	arena_deinit(&sources->arena);
	sink_deinit(&sources->bytes);
	vec_free(&sources->rows);
}

void bundle_sources_write_manifest(const struct bundle_sources *sources, struct sink *manifest)
{
	for (size_t i = 0; i < sources->rows.count; i++) {
		const struct bundle_source *source = &sources->rows.at[i];

		if (source->missing)
			bundle_manifest_write_no_source(manifest, source->path, source->missing);
		else
			bundle_manifest_write_source(manifest, &source->manifest);
	}
}

bool bundle_sources_pack(const struct bundle_sources *sources, struct pack *pack, struct error *err)
{
	for (size_t i = 0; i < sources->rows.count; i++) {
		const struct bundle_source *source = &sources->rows.at[i];

		if (!source->missing &&
		    !pack_bytes(pack, source->manifest.name, sources->bytes.buffer + source->begin,
				source->manifest.size_bytes, err))
			return false;
	}
	return true;
}

void bundle_sources_report(const struct bundle_sources *sources, struct bundle_report *report)
{
	const struct bundle_source *most = NULL;

	for (size_t i = 0; i < sources->rows.count; i++) {
		const struct bundle_source *source = &sources->rows.at[i];

		if (!source->missing) {
			report->source_count++;
			report->newer_source_count +=
				strcmp(source->manifest.age, BUNDLE_SOURCE_NEWER) == 0;
			continue;
		}
		report->missing_source_count++;
		if (!most || source->touch_count > most->touch_count)
			most = source;
	}
	report->missing_source = most ? most->path.at : NULL;
	report->missing_source_reason = most ? most->missing : NULL;
}
