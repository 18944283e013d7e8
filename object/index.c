/* SPDX-License-Identifier: MIT */
#include "object/index.h"

#include <dirent.h>
#include <errno.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/input.h"
#include "base/scan.h"
#include "compress/codec.h"
#include "object/elf.h"
#include "object/file.h"
#include "object/host_kernel.h"
#include "object/jitdump_head.h"
#include "object/module_file.h"
#include "object/store.h"

/* The nesting depth to which symbol directories are searched. No sysroot is deeper. */
#define LIMIT_INDEX_DEPTH 32u

/* Enough bytes for the ELF header, or for the first line of kallsyms. */
#define HEAD_BYTES 64

struct name_list {
	VEC(struct text) rows;
};

void file_index_init(struct file_index *index)
{
	*index = (struct file_index){ .seen_max = LIMIT_DIRECTORY_FILES };
	arena_init(&index->arena);
}

void file_index_deinit(struct file_index *index)
{
	arena_deinit(&index->arena);
	vec_free(&index->files);
	vec_free(&index->directories);
	vec_free(&index->notes);
	for (size_t i = 0; i < index->archives.count; i++) {
		contents_deinit(index->archives.at[i]);
		memory_free(index->archives.at[i]);
	}
	vec_free(&index->archives);
	vec_free(&index->given_pids);
	vec_free(&index->by_build_id);
	vec_free(&index->by_name);
	vec_free(&index->by_pid);
	vec_free(&index->by_module);
	vec_free(&index->archived_split);
}

/* The PID in "perf-PID.map". */
static bool parse_map_name(struct text name, uint32_t *ret)
{
	return scan_prefix(&name, "perf-") && scan_u32(&name, ret) && text_is(name, ".map");
}

/* Whether a text begins like "ffffffff81000000 T _text". Addresses have 8 or 16 digits. */
static bool looks_like_kallsyms(struct text head)
{
	struct text left = head;
	uint64_t address;
	uint32_t digits;

	if (!scan_hex(&left, &address))
		return false;
	digits = head.length - left.length;
	return (digits == 8 || digits == 16) && left.length > 3 && left.at[0] == ' ' &&
	       ((left.at[1] >= 'a' && left.at[1] <= 'z') ||
		(left.at[1] >= 'A' && left.at[1] <= 'Z')) &&
	       left.at[2] == ' ';
}

/* Whether a text begins like "7f3a1000 40 name", with or without 0x. */
static bool looks_like_perf_map(struct text head)
{
	for (int i = 0; i < 2; i++) {
		uint64_t number;

		if (!scan_hex(&head, &number) || !head.length || *head.at != ' ')
			return false;
		head = (struct text){ head.at + 1, head.length - 1 };
	}
	return true;
}

static bool is_kallsyms_name(struct text name)
{
	return text_has_prefix(name, "kallsyms") || text_has_prefix(name, "System.map");
}

static struct text parent_of(struct text path)
{
	struct text name = text_basename(path);

	path.length -= name.length;
	return path.length ? (struct text){ path.at, path.length - 1 } : path;
}

/* Parses a build-id from "ab/cdef", with its first byte as a directory, or from a name alone. */
static struct build_id build_id_of_names(struct text first_byte, struct text name)
{
	struct build_id id = { .size_bytes = 0 };
	char hex[BUILD_ID_TEXT_BYTES];

	if (first_byte.length == 2 && name.length + 2u < sizeof(hex)) {
		memcpy(hex, first_byte.at, 2);
		memcpy(hex + 2, name.at, name.length);
		if (build_id_parse((struct text){ hex, name.length + 2 }, &id))
			return id;
	}
	build_id_parse(name, &id);
	return id;
}

/*
 * perf's cache has kallsyms copies in directories named after the whole build-id of the kernel.
 * Links to these directories have the first byte as a directory.
 */
static struct build_id directory_build_id(struct text path)
{
	struct text directory = parent_of(path);

	return build_id_of_names(text_basename(parent_of(directory)), text_basename(directory));
}

/* Debug packages contain .build-id/ab/cdef.debug, which may be compressed (cdef.debug.gz). */
static struct build_id file_build_id(struct text path)
{
	struct text name = text_basename(path);
	const char *dot = memchr(name.at, '.', name.length);

	if (dot)
		name.length = (uint32_t)(dot - name.at);
	return build_id_of_names(text_basename(parent_of(path)), name);
}

int index_file_open(const struct index_file *file, struct error *err)
{
	if (!file->contents)
		return file_open(file->path.at, err);
	return file_copy_range(file->contents->spool.fd, file->begin, file->size_bytes, err);
}

bool index_file_open_elf(const struct index_file *file, struct elf_file *elf, struct error *err)
{
	if (!file->contents)
		return elf_open(elf, file->path.at, err);
	return elf_open_range(elf, file->contents->spool.fd, file->begin, file->size_bytes, err);
}

bool index_file_is_equal(const struct index_file *file, const struct index_file *other)
{
	struct error ignored;
	int fd = index_file_open(file, &ignored);
	int other_fd = index_file_open(other, &ignored);
	bool is_equal = fd >= 0 && other_fd >= 0 && file_is_equal(fd, other_fd);

	if (fd >= 0)
		close(fd);
	if (other_fd >= 0)
		close(other_fd);
	return is_equal;
}

static bool read_elf(struct index_file *file, int fd)
{
	struct elf_file elf;
	struct error ignored;
	int again = file->contents ? -1 : dup(fd);

	file->kind = INDEX_ELF;
	if (file->contents ? !index_file_open_elf(file, &elf, &ignored)
			   : again < 0 || !elf_open_fd(&elf, again, &ignored))
		return false;
	file->build_id = elf.build_id;
	elf_close(&elf);
	return true;
}

/*
 * A distribution has thousands of compressed modules, too many to decompress each for its build-id.
 * Compressed modules are found by name, or by path in symbol stores.
 */
static bool read_packed(struct index_file *file, int fd)
{
	if (file->is_explicit)
		return read_elf(file, fd);
	file->kind = INDEX_ELF;
	file->is_compressed = true;
	file->build_id = directory_build_id(file->path);
	if (!file->build_id.size_bytes)
		file->build_id = file_build_id(file->path);
	return module_file_is(file->path) || file->build_id.size_bytes;
}

/*
 * A list of the running kernel's symbols is used only for this kernel, regardless of the path of
 * the list.
 */
static void read_list(struct index_file *file, int fd)
{
	struct statfs system;

	file->kind = INDEX_KALLSYMS;
	file->build_id = directory_build_id(file->path);
	file->is_host = fstatfs(fd, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
	if (file->is_host)
		host_kernel_build_id(&file->build_id);
}

/* Identifies the file. Returns false if the file is not a symbol file. */
static bool look_into(struct index_file *file, int fd)
{
	struct text name = text_basename(file->path);
	char head[HEAD_BYTES];
	size_t wanted = file->contents && file->size_bytes < HEAD_BYTES ? (size_t)file->size_bytes
									: HEAD_BYTES;
	ssize_t got = pread(fd, head, wanted, (off_t)file->begin);
	struct text start = { head, got > 0 ? (uint32_t)got : 0 };

	if (text_has_prefix(start, CONTENTS_SOURCE_NAME "\t"))
		return false;
	if (text_has_prefix(start, "\177ELF"))
		return read_elf(file, fd);
	if (codec_of_object(span_of(start.at, start.length, 0, false)) != CODEC_NONE)
		return read_packed(file, fd);
	if (jitdump_head_read(start.at, start.length, &file->pid)) {
		file->kind = INDEX_JITDUMP;
		return true;
	}
	if (parse_map_name(name, &file->pid)) {
		file->kind = INDEX_PERF_MAP;
		return true;
	}
	if (is_kallsyms_name(name) || looks_like_kallsyms(start)) {
		read_list(file, fd);
		return true;
	}
	file->kind = INDEX_PERF_MAP;
	return file->is_explicit && looks_like_perf_map(start);
}

void file_index_add_contents_of(struct file_index *index, struct index_file *file, int fd)
{
	bool names_something;

	file->for_pid = index->for_pid;
	file->is_of_container = index->is_of_container || (file->for_pid && !file->is_explicit);
	names_something = look_into(file, fd);
	if (file->kind == INDEX_PERF_MAP && file->is_explicit && file->for_pid)
		file->pid = file->for_pid;
	if (!names_something)
		return;
	vec_push(&index->files, *file);
	if (file->kind == INDEX_PERF_MAP && file->for_pid &&
	    !file_index_has_map_for(index, file->for_pid))
		vec_push(&index->given_pids, file->for_pid);
}

static bool add_file(struct file_index *index, struct text path, bool is_explicit)
{
	struct index_file file = { .path = path, .is_explicit = is_explicit };
	struct error ignored;
	int fd = file_open(path.at, &ignored);

	if (fd < 0)
		return false;
	file_index_add_contents_of(index, &file, fd);
	close(fd);
	return true;
}

static int compare_names(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

struct text file_index_join(struct file_index *index, struct text directory, struct text name)
{
	char *path = arena_alloc(&index->arena, (size_t)directory.length + name.length + 2, 1);

	memcpy(path, directory.at, directory.length);
	path[directory.length] = '/';
	memcpy(path + directory.length + 1, name.at, name.length);
	path[directory.length + 1 + name.length] = '\0';
	return (struct text){ path, directory.length + 1 + name.length };
}

static bool is_synthetic(const char *path)
{
	struct statfs system;

	return statfs(path, &system) == 0 &&
	       (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC);
}

/* Lists the paths of a directory's entries, sorted. */
static struct name_list list_directory(struct file_index *index, struct text path)
{
	struct name_list list = { .rows = { .at = NULL } };
	DIR *directory = is_synthetic(path.at) ? NULL : opendir(path.at);
	struct dirent *entry;

	while (directory && (entry = readdir(directory)) != NULL) {
		struct text name = text_of(entry->d_name);

		if (text_is(name, ".") || text_is(name, ".."))
			continue;
		if (index->seen_count == index->seen_max) {
			index->has_more_files = true;
			break;
		}
		index->seen_count++;
		vec_push(&list.rows, file_index_join(index, path, name));
	}
	if (directory)
		closedir(directory);
	if (list.rows.count)
		qsort(list.rows.at, list.rows.count, sizeof(*list.rows.at), compare_names);
	return list;
}

/*
 * The user has not offered any other files on this machine. The user has not offered other files on
 * this machine.
 */
static bool leads_inside(const char *root, const char *link)
{
	char *real_root = realpath(root, NULL);
	char *real_link = realpath(link, NULL);
	size_t length = real_root ? strlen(real_root) : 0;
	bool is_inside = real_root && real_link && strncmp(real_link, real_root, length) == 0 &&
			 (real_link[length] == '/' || length == 1);

	memory_free(real_root);
	memory_free(real_link);
	return is_inside;
}

/*
 * Links to directories are not followed. Such links may be circular, or lead to files that are
 * found anyway.
 */
static void add_directory(struct file_index *index, const char *root, struct text path,
			  unsigned depth)
{
	struct name_list list = list_directory(index, path);

	for (size_t i = 0; i < list.rows.count; i++) {
		struct text inner = list.rows.at[i];
		struct stat status;

		if (lstat(inner.at, &status) != 0 ||
		    (S_ISLNK(status.st_mode) &&
		     (index->is_of_container || !leads_inside(root, inner.at))))
			continue;
		if (!S_ISDIR(status.st_mode))
			add_file(index, inner, false);
		else if (store_covers(root, inner))
			index->has_store = true;
		else if (depth < LIMIT_INDEX_DEPTH)
			add_directory(index, root, inner, depth + 1);
		else
			index->has_deeper_directories = true;
	}
	vec_free(&list.rows);
}

static void note(struct file_index *index, const char *format, ...) PRINTF_LIKE(2, 3);

static void note(struct file_index *index, const char *format, ...)
{
	struct text text;
	va_list args;

	va_start(args, format);
	text.at = arena_format_list(&index->arena, &text.length, format, args);
	va_end(args);
	vec_push(&index->notes, text);
}

/* Adds a note if a directory has no symbol files, or was not searched completely. */
static void note_directory(struct file_index *index, struct text path, size_t count_before)
{
	bool is_cut = index->has_more_files || index->has_deeper_directories;

	if (index->files.count == count_before && !index->has_store && !is_cut)
		note(index, "%s contains no ELF file, kernel symbol list, perf map or jitdump",
		     path.at);
	if (index->has_more_files)
		note(index, "%s: searched only up to the limit of %zu files", path.at,
		     index->seen_max);
	if (index->has_deeper_directories)
		note(index, "%s: searched only %u directory levels deep, which is the limit",
		     path.at, LIMIT_INDEX_DEPTH);
	index->has_more_files = index->has_deeper_directories = index->has_store = false;
}

bool file_index_add(struct file_index *index, const char *path)
{
	size_t count_before = index->files.count;
	size_t length = strlen(path);
	struct stat status;
	struct text copy;

	while (length > 1 && path[length - 1] == '/')
		length--;
	copy = (struct text){ arena_text(&index->arena, path, length), (uint32_t)length };
	if (stat(copy.at, &status) != 0) {
		note(index, "%s: %s", copy.at, strerror(errno));
		return false;
	}
	if (!S_ISDIR(status.st_mode)) {
		bool is_read =
			file_index_add_compressed(index, copy) || add_file(index, copy, true);

		if (index->files.count == count_before)
			note(index,
			     "%s is not an ELF file, a kernel symbol list, a perf map, a jitdump or "
			     "an archive of these",
			     copy.at);
		return is_read;
	}
	vec_push(&index->directories, copy);
	add_directory(index, copy.at, copy, 0);
	note_directory(index, copy, count_before);
	return true;
}

bool file_index_add_for(struct file_index *index, uint32_t pid, const char *path)
{
	struct stat status;
	bool good;

	index->for_pid = pid;
	index->is_of_container = !pid || (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
	good = file_index_add(index, path);
	index->for_pid = 0;
	index->is_of_container = false;
	return good;
}
