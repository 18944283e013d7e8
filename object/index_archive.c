/* SPDX-License-Identifier: MIT */
/* Reads archives and compressed files among the symbol files. */
#include <unistd.h>

#include "compress/extract.h"
#include "object/file.h"
#include "object/index.h"

static void add_contents(struct file_index *index, const struct contents *contents,
			 const struct index_file *kind)
{
	for (size_t i = 0; i < contents->members.count; i++) {
		const struct contents_member *member = &contents->members.at[i];
		struct index_file file = *kind;

		if (member->is_source)
			continue;
		if (!kind->is_explicit)
			file.path = file_index_join(index, kind->path, member->name);
		file.contents = contents;
		file.begin = member->begin;
		file.size_bytes = member->size_bytes;
		file_index_add_contents_of(index, &file, contents->spool.fd);
	}
}

void file_index_add_contents(struct file_index *index, const char *path,
			     const struct contents *contents, bool has_names)
{
	size_t length = strlen(path);
	struct index_file kind = {
		.path = { arena_text(&index->arena, path, length), (uint32_t)length },
		.has_no_name = !has_names,
	};

	add_contents(index, contents, &kind);
}

static void refuse(struct file_index *index, const char *path, const struct error *err)
{
	if (index->refusal.code != ERROR_NONE)
		return;
	index->refusal = *err;
	error_prefix(&index->refusal, "%s", path);
}

/* An archive being extracted, or a file being decompressed. */
struct archive_adding {
	struct contents *contents;
	struct text path;
};

static bool take_file(void *context, struct text name, struct span head, struct input **ret,
		      struct error *err)
{
	const struct archive_adding *extracting = context;

	return contents_add_file(extracting->contents, name.at ? name : extracting->path, head, ret,
				 err);
}

static void take_link(void *context, struct text name, struct text target, bool is_hard)
{
	const struct archive_adding *extracting = context;

	contents_add_link(extracting->contents, name, target, is_hard);
}

static bool is_wrapped(const char *path)
{
	unsigned char head[EXTRACT_HEAD_BYTES];
	struct error ignored;
	int fd = file_open(path, &ignored);
	ssize_t got = fd < 0 ? -1 : pread(fd, head, sizeof(head), 0);

	if (fd >= 0)
		close(fd);
	return got > 0 && extract_format(span_of(head, (size_t)got, 0, false));
}

bool file_index_add_compressed(struct file_index *index, struct text path)
{
	struct contents *contents;
	struct archive_adding extracting = { .path = path };
	struct extract_visitor visitor = { &extracting, take_file, take_link };
	struct extracted extracted = { .is_archive = false };
	struct error err;
	struct input input;
	bool good;

	if (!is_wrapped(path.at) || !input_open(&input, path.at, &err))
		return false;
	contents = extracting.contents = memory_alloc(1, sizeof(*contents));
	contents_init(contents);
	contents->space = index->space;
	vec_push(&index->archives, contents);
	good = extract(&input, &visitor, &extracted, &err);
	if (!good)
		refuse(index, path.at, &err);
	else if (extracted.is_partial)
		refuse(index, path.at, &extracted.damage);
	input_close(&input);
	contents_finish(contents);
	add_contents(index, contents,
		     &(struct index_file){ .path = path, .is_explicit = !extracted.is_archive });
	return good;
}
