/* SPDX-License-Identifier: MIT */
#include "session/bundle_files.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "symbolise/bundle_manifest.h"

#define CHUNK_BYTES ((size_t)1 << 20)
#define NAME_BYTES  512

static const char *const kind_words[COLLECTED_KIND_COUNT] = {
	[COLLECTED_CODE] = "code",
	[COLLECTED_SYMBOLS] = "symbols",
	[COLLECTED_SPLIT] = BUNDLE_MANIFEST_SPLIT,
	[COLLECTED_KALLSYMS] = "kallsyms",
	[COLLECTED_PERF_MAP] = "perf-map",
	[COLLECTED_JITDUMP] = "jitdump",
};

const char *bundle_file_kind(const struct bundle_file *file)
{
	return kind_words[file->kind];
}

static bool add_bytes(struct bundle_files *files, struct checksum *checksum, const void *bytes,
		      size_t size_bytes)
{
	checksum_add(checksum, bytes, size_bytes);
	return input_append_spool(&files->spool, bytes, size_bytes, &files->err);
}

static bool add_descriptor(struct bundle_files *files, struct checksum *checksum, int fd,
			   uint64_t size_bytes)
{
	char *chunk = memory_alloc(CHUNK_BYTES, 1);
	uint64_t offset = 0;
	bool good = true;

	while (good && offset < size_bytes) {
		uint64_t left = size_bytes - offset;
		ssize_t got = pread(fd, chunk, left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES,
				    (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			if (got == 0)
				errno = ENODATA;
			good = error_set_errno(&files->err, "cannot read");
			break;
		}
		good = add_bytes(files, checksum, chunk, (size_t)got);
		offset += (uint64_t)got;
	}
	memory_free(chunk);
	return good;
}

static void copy(struct bundle_files *files, const struct collected_file *file)
{
	struct bundle_file row = {
		.name = arena_text(&files->arena, file->path, strlen(file->path)),
		.kind = file->kind,
		.build_id = file->build_id,
		.match = file->match,
		.is_slim = file->is_slim,
		.module = (uint32_t)(file->module - files->modules->rows.at),
		.begin = files->spool.size_bytes,
		.size_bytes = file->size_bytes,
	};
	struct checksum checksum;
	bool good;

	checksum_init(&checksum);
	good = file->fd >= 0 ? add_descriptor(files, &checksum, file->fd, file->size_bytes)
			     : add_bytes(files, &checksum, file->bytes, (size_t)file->size_bytes);
	row.checksum = checksum_value(&checksum);
	if (good)
		vec_push(&files->rows, row);
	else
		error_prefix(&files->err, "%s", file->path);
}

static void accept_file(void *context, const struct collected_file *file)
{
	struct bundle_files *files = context;

	pthread_mutex_lock(&files->mutex);
	if (files->err.code == ERROR_NONE)
		copy(files, file);
	pthread_mutex_unlock(&files->mutex);
}

static bool wants(void *context, const struct module *module)
{
	const struct bundle_files *files = context;

	return !bundle_leaves_out(files->session, files->options, module);
}

bool bundle_files_init(struct bundle_files *files, const struct session *session,
		       const struct bundle_options *options, struct error *err)
{
	*files = (struct bundle_files){
		.collector = {
			.context = files,
			.is_slim = !options->is_full,
			.keeps_frames = session->unwinding != NULL,
			.wants = wants,
			.accept = accept_file,
		},
		.session = session,
		.options = options,
		.modules = session->profile.modules,
		.err = { .code = ERROR_NONE },
	};
	pthread_mutex_init(&files->mutex, NULL);
	arena_init(&files->arena);
	if (input_create_spool(&files->spool, session->capture.input.space, err))
		return true;
	bundle_files_deinit(files);
	return false;
}

void bundle_files_deinit(struct bundle_files *files)
{
	pthread_mutex_destroy(&files->mutex);
	arena_deinit(&files->arena);
	input_close(&files->spool);
	vec_free(&files->rows);
}

static const char *keep(struct bundle_files *files, const char *name)
{
	return arena_text(&files->arena, name, strlen(name));
}

/*
 * Names a file without a build-id by its checksum. The file's base name is added so that people
 * recognise the file.
 */
static const char *name_by_content(struct bundle_files *files, const struct bundle_file *row)
{
	struct text base = text_basename(text_of(row->name));
	char name[NAME_BYTES];
	int length;

	length = snprintf(name, sizeof(name), "files/xxh64-%016" PRIx64 "/%.*s", row->checksum,
			  (int)(base.length < 255 ? base.length : 255), base.at);
	/* A tar can contain any name, but not every system can extract every name. */
	for (int i = 0; i < length; i++)
		if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
			name[i] = '_';
	return keep(files, name);
}

static const char *name_of(struct bundle_files *files, const struct bundle_file *row)
{
	const struct module *module = &files->modules->rows.at[row->module];
	char hex[BUILD_ID_TEXT_BYTES], name[NAME_BYTES];
	const char *last = row->kind == COLLECTED_KALLSYMS  ? "kallsyms"
			   : module->kind == MODULE_VDSO    ? "vdso"
			   : row->kind == COLLECTED_SYMBOLS ? "debug"
							    : "elf";

	if (row->kind == COLLECTED_PERF_MAP)
		snprintf(name, sizeof(name), "perf-%" PRIu32 ".map", module->pid);
	else if (row->kind == COLLECTED_JITDUMP)
		snprintf(name, sizeof(name), "jit-%" PRIu32 ".dump", module->pid);
	else if (row->build_id.size_bytes < BUILD_ID_BYTES_MIN)
		return name_by_content(files, row);
	else
		snprintf(name, sizeof(name), ".build-id/%.2s/%s/%s",
			 build_id_hex(&row->build_id, hex), hex + 2, last);
	return keep(files, name);
}

static int compare_rows(const void *a, const void *b)
{
	const struct bundle_file *left = a;
	const struct bundle_file *right = b;
	int order = strcmp(left->name, right->name);

	if (order)
		return order;
	if (left->checksum != right->checksum)
		return left->checksum < right->checksum ? -1 : 1;
	return (left->module > right->module) - (left->module < right->module);
}

static void sort(struct bundle_files *files)
{
	if (files->rows.count)
		qsort(files->rows.at, files->rows.count, sizeof(*files->rows.at), compare_rows);
}

/* If different files have the same name, renames all but the first. */
static void separate(struct bundle_files *files)
{
	struct bundle_file *rows = files->rows.at;
	const char *name = NULL;
	uint64_t checksum = 0;

	for (size_t i = 0; i < files->rows.count; i++) {
		if (!name || strcmp(rows[i].name, name) != 0) {
			name = rows[i].name;
			checksum = rows[i].checksum;
		} else if (rows[i].checksum != checksum) {
			rows[i].name = name_by_content(files, &rows[i]);
		}
	}
}

bool bundle_files_finish(struct bundle_files *files, struct error *err)
{
	if (files->err.code != ERROR_NONE) {
		*err = files->err;
		return false;
	}
	for (size_t i = 0; i < files->rows.count; i++)
		files->rows.at[i].name = name_of(files, &files->rows.at[i]);
	sort(files);
	separate(files);
	sort(files);
	return true;
}
