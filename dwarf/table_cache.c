/* SPDX-License-Identifier: MIT */
#include "dwarf/table_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/input.h"
#include "base/unfinished_file.h"
#include "dwarf/inline_table.h"
#include "object/file.h"

#define CACHE_MAGIC   0x43696e6cu /* a number that reads differently in the opposite byte order */
#define CACHE_VERSION 2

static const char suffix[] = ".inl";
static const char leftover_prefix[] = ".kiln-";

/* The number of names that are tried for a temporary file. */
#define LEFTOVERS_MAX 100

struct cache_header {
	uint32_t magic, version;
	uint64_t checksum; /* checksum of the table */
	uint8_t id_bytes[BUILD_ID_BYTES_MAX];
	uint32_t id_size_bytes;
};

static char *path_of(const char *directory, const char *name)
{
	size_t size_bytes = strlen(directory) + strlen(name) + 2;
	char *path = memory_alloc(size_bytes, 1);

	snprintf(path, size_bytes, "%s/%s", directory, name);
	return path;
}

static void name_of(const struct build_id *id, char name[static 64])
{
	char hex[BUILD_ID_TEXT_BYTES];

	snprintf(name, 64, "%s%s", build_id_hex(id, hex), suffix);
}

bool table_cache_read(struct span bytes, const struct build_id *id, struct inline_table *table)
{
	struct cache_header header;
	struct error ignored;

	if (span_left(&bytes) < sizeof(header))
		return false;
	memcpy(&header, bytes.at, sizeof(header));
	bytes.at += sizeof(header);
	return header.magic == CACHE_MAGIC && header.version == CACHE_VERSION &&
	       header.id_size_bytes == id->size_bytes &&
	       memcmp(header.id_bytes, id->bytes, id->size_bytes) == 0 &&
	       header.checksum == hash_checksum(bytes.at, span_left(&bytes)) &&
	       inline_table_read(table, bytes, &ignored);
}

void table_cache_write(const struct inline_table *table, const struct build_id *id,
		       byte_list *bytes)
{
	struct cache_header header = {
		.magic = CACHE_MAGIC,
		.version = CACHE_VERSION,
		.id_size_bytes = id->size_bytes,
	};
	size_t begin = bytes->count;

	memcpy(header.id_bytes, id->bytes, id->size_bytes);
	vec_reserve(bytes, begin + sizeof(header));
	bytes->count += sizeof(header);
	inline_table_write(table, bytes);
	header.checksum = hash_checksum(bytes->at + begin + sizeof(header),
					bytes->count - begin - sizeof(header));
	memcpy(bytes->at + begin, &header, sizeof(header));
}

static bool is_other_format(struct span bytes)
{
	struct cache_header header;

	if (span_left(&bytes) < sizeof(header))
		return false;
	memcpy(&header, bytes.at, sizeof(header));
	return header.magic == __builtin_bswap32(CACHE_MAGIC) ||
	       (header.magic == CACHE_MAGIC && header.version != CACHE_VERSION);
}

enum table_cache_state table_cache_verify(const char *directory,
					  const struct table_cache_entry *entry)
{
	enum table_cache_state state = TABLE_CACHE_UNREADABLE;
	struct inline_table table;
	struct file_bytes bytes;
	struct error ignored;
	struct span span;
	char *path;
	int fd;

	if (!entry->id.size_bytes)
		return TABLE_CACHE_TEMPORARY;
	path = path_of(directory, entry->name);
	fd = file_open(path, &ignored);
	memory_free(path);
	if (fd < 0)
		return state;
	if (file_read(fd, LIMIT_INLINE_TABLE_BYTES, &bytes, &ignored)) {
		span = span_of(bytes.at, bytes.size_bytes, 0, false);
		inline_table_init(&table);
		state = table_cache_read(span, &entry->id, &table) ? TABLE_CACHE_VALID
			: is_other_format(span)                    ? TABLE_CACHE_OTHER_FORMAT
								   : TABLE_CACHE_CORRUPT;
		inline_table_deinit(&table);
		file_bytes_deinit(&bytes);
	}
	close(fd);
	return state;
}

bool table_cache_load(const char *directory, const struct build_id *id, struct inline_table *table)
{
	struct file_bytes bytes;
	struct error ignored;
	char name[64];
	char *path;
	bool good;
	int fd;

	if (!id->size_bytes)
		return false;
	name_of(id, name);
	path = path_of(directory, name);
	fd = file_open(path, &ignored);
	memory_free(path);
	if (fd < 0)
		return false;
	good = file_read(fd, LIMIT_INLINE_TABLE_BYTES, &bytes, &ignored);
	if (good) {
		good = table_cache_read(span_of(bytes.at, bytes.size_bytes, 0, false), id, table);
		file_bytes_deinit(&bytes);
	}
	/*
	 * The time is used to prune the cache. In a read-only directory, the time cannot be set;
	 * but kiln never prunes such a directory.
	 */
	if (good)
		(void)!futimens(fd, NULL);
	close(fd);
	return good;
}

static bool write_bytes(int fd, const byte_list *bytes)
{
	size_t written = 0;

	while (written < bytes->count) {
		ssize_t count = write(fd, bytes->at + written, bytes->count - written);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		written += (size_t)count;
	}
	return true;
}

/*
 * Creates a temporary file with a name unique to this thread; the caller frees the name. Returns
 * NULL on failure. The name may already exist, from an interrupted run, or from a process with the
 * same PID in a different container.
 */
static char *create_leftover(const char *directory, int *fd_ret, struct error *err)
{
	char name[64];
	char *path = NULL;

	for (unsigned i = 0; i < LEFTOVERS_MAX; i++) {
		snprintf(name, sizeof(name), "%s%ld-%ld-%u", leftover_prefix, (long)getpid(),
			 (long)gettid(), i);
		memory_free(path);
		path = path_of(directory, name);
		*fd_ret = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (*fd_ret >= 0)
			return path;
		if (errno != EEXIST)
			break;
	}
	error_set_errno(err, "%s", directory);
	memory_free(path);
	return NULL;
}

bool table_cache_is_read_only(const char *directory)
{
	return access(directory, W_OK) != 0 && (errno == EACCES || errno == EROFS);
}

bool table_cache_store(const char *directory, const struct build_id *id,
		       const struct inline_table *table, struct error *err)
{
	byte_list bytes = { .at = NULL };
	char name[64];
	unsigned unfinished;
	char *from;
	char *to;
	bool good;
	int fd;

	(void)!mkdir(directory, 0777);
	from = create_leftover(directory, &fd, err);
	if (!from)
		return false;
	unfinished = unfinished_file_add(from);
	name_of(id, name);
	to = path_of(directory, name);
	table_cache_write(table, id, &bytes);
	good = write_bytes(fd, &bytes);
	if (!good)
		error_set_errno(err, "%s", directory);
	if (close(fd) != 0 && good)
		good = error_set_errno(err, "%s", directory);
	if (good && rename(from, to) != 0)
		good = error_set_errno(err, "%s", directory);
	if (!good)
		unlink(from);
	unfinished_file_forget(unfinished);
	memory_free(from);
	memory_free(to);
	vec_free(&bytes);
	return good;
}

/*
 * Whether create_leftover could have made the name. Other files with the same prefix were not made
 * by kiln.
 */
static bool is_leftover(const char *name)
{
	size_t prefix = strlen(leftover_prefix);

	return strncmp(name, leftover_prefix, prefix) == 0 && name[prefix] &&
	       name[prefix + strspn(name + prefix, "0123456789-")] == '\0';
}

/* Whether a file belongs to the cache. */
static bool is_entry(const char *name, struct build_id *id)
{
	struct text text = text_of(name);
	char expected[64];

	*id = (struct build_id){ .size_bytes = 0 };
	if (text.length >= sizeof(((struct table_cache_entry *)NULL)->name))
		return false;
	if (is_leftover(name))
		return true;
	if (!text_has_suffix(text, suffix))
		return false;
	text.length -= (uint32_t)strlen(suffix);
	if (!build_id_parse(text, id))
		return false;
	/* Names in upper case are never opened. */
	name_of(id, expected);
	return strcmp(name, expected) == 0;
}

static int compare_entries(const void *a, const void *b)
{
	return strcmp(((const struct table_cache_entry *)a)->name,
		      ((const struct table_cache_entry *)b)->name);
}

bool table_cache_list(const char *directory, table_cache_entries *entries, struct error *err)
{
	DIR *listing = opendir(directory);
	const struct dirent *row;

	if (!listing)
		return error_set_errno(err, "%s", directory);
	while (entries->count < LIMIT_DIRECTORY_FILES && (row = readdir(listing)) != NULL) {
		struct table_cache_entry entry = { .size_bytes = 0 };
		struct stat status;

		if (!is_entry(row->d_name, &entry.id) ||
		    fstatat(dirfd(listing), row->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(status.st_mode))
			continue;
		snprintf(entry.name, sizeof(entry.name), "%.63s", row->d_name);
		entry.size_bytes = (uint64_t)status.st_size;
		entry.used_time_s = status.st_mtim.tv_sec;
		vec_push(entries, entry);
	}
	closedir(listing);
	if (entries->count > 1)
		qsort(entries->at, entries->count, sizeof(*entries->at), compare_entries);
	return true;
}

bool table_cache_remove(const char *directory, const struct table_cache_entry *entry,
			struct error *err)
{
	char *path = path_of(directory, entry->name);
	bool good = unlink(path) == 0 || errno == ENOENT || error_set_errno(err, "%s", path);

	memory_free(path);
	return good;
}
