/* SPDX-License-Identifier: MIT */
#include "session/source_file.h"

#include <inttypes.h>
#include <strings.h>
#include <unistd.h>

#include "base/strings.h"
#include "object/file.h"

/* Case is ignored: .S is assembler, .C is C++. */
static const char *const endings[] = {
	"ada", "adb", "ads", "asm", "c",   "c++", "cc",   "cpp", "cr",  "cs",  "cu",    "cuh",
	"cxx", "d",   "def", "f",   "f03", "f08", "f77",  "f90", "f95", "for", "fs",    "go",
	"h",   "h++", "hh",  "hpp", "hs",  "hxx", "i",    "ii",  "inc", "inl", "ipp",   "java",
	"jl",  "js",  "jsx", "kt",  "l",   "ll",  "lua",  "m",   "ml",  "mli", "mm",    "mod",
	"nim", "pas", "php", "pl",  "pm",  "py",  "pyx",  "rb",  "rs",  "s",   "scala", "swift",
	"sx",  "tcc", "tpp", "ts",  "tsx", "v",   "vala", "y",   "yy",  "zig",
};

bool source_file_has_name(struct text path)
{
	struct text base = text_basename(path);
	const char *dot = base.length ? memrchr(base.at, '.', base.length) : NULL;
	struct text ending;

	if (!dot || dot == base.at)
		return false;
	ending = (struct text){ dot + 1, base.length - (uint32_t)(dot + 1 - base.at) };
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (strlen(endings[i]) == ending.length &&
		    strncasecmp(endings[i], ending.at, ending.length) == 0)
			return true;
	return false;
}

/*
 * Whether the open file itself is named like a source file, because a link with such a name can
 * point to any file.
 */
static bool is_source(int fd)
{
	char name[64], path[LIMIT_NAME_BYTES];
	ssize_t length;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	length = readlink(name, path, sizeof(path));
	return length > 0 && (size_t)length < sizeof(path) &&
	       source_file_has_name((struct text){ path, (uint32_t)length });
}

/* root: the directory that path must not leave; NULL if any path on this machine is allowed. */
static enum source_file_status open_source(const char *root, const char *path, int *ret_fd)
{
	struct error ignored;
	int fd =
		root ? file_open_beneath(root, path, &ignored) : file_open_captured(path, &ignored);

	if (fd < 0)
		return SOURCE_FILE_NOT_FOUND;
	if (!is_source(fd)) {
		close(fd);
		return SOURCE_FILE_NOT_SOURCE;
	}
	*ret_fd = fd;
	return SOURCE_FILE_OPEN;
}

/*
 * Returns the rest of path after a prefix, which must be whole components; NULL if path does not
 * begin with it.
 */
static const char *after_prefix(const char *path, const char *prefix, size_t length)
{
	while (length && prefix[length - 1] == '/')
		length--;
	if (strncmp(path, prefix, length) != 0 || (length && path[length] != '/'))
		return NULL;
	return path + length;
}

static enum source_file_status open_in_directory(const char *directory, const char *path,
						 int *ret_fd)
{
	const char *separator = strchr(directory, '=');
	const char *left =
		separator ? after_prefix(path, directory, (size_t)(separator - directory)) : path;

	return left ? open_source(separator ? separator + 1 : directory, left, ret_fd)
		    : SOURCE_FILE_NOT_FOUND;
}

enum source_file_status source_file_open(const struct source_directories *directories,
					 struct text path, int *ret_fd)
{
	enum source_file_status status = SOURCE_FILE_NOT_FOUND;

	if (!source_file_has_name(path))
		return SOURCE_FILE_NOT_SOURCE;
	for (size_t i = 0; i < directories->count && status == SOURCE_FILE_NOT_FOUND; i++)
		status = open_in_directory(directories->directories[i], path.at, ret_fd);
	if (status == SOURCE_FILE_NOT_FOUND && directories->uses_host && *path.at == '/')
		status = open_source(NULL, path.at, ret_fd);
	return status;
}

static struct text take_line(struct text *file)
{
	const char *end = memchr(file->at, '\n', file->length);
	uint32_t length = end ? (uint32_t)(end - file->at) : file->length;
	struct text line = { file->at, length };

	length += end ? 1 : 0;
	*file = (struct text){ file->at + length, file->length - length };
	return line;
}

static bool is_near(uint64_t number, uint64_t touched)
{
	return number + SOURCE_LINES_MARGIN >= touched && number <= touched + SOURCE_LINES_MARGIN;
}

static void write_near_lines(struct text file, const uint32_t *touched, size_t count,
			     struct sink *sink, uint32_t *ret_line_count)
{
	size_t next = 0;

	for (uint32_t number = 1; file.length && next < count; number++) {
		struct text line = take_line(&file);

		if (is_near(number, touched[next])) {
			sink_printf(sink, "%" PRIu32 "\t", number);
			sink_text(sink, line);
			sink_char(sink, '\n');
			++*ret_line_count;
		}
		/* Write a line only once, even if it is near two touched lines. */
		while (next < count && (uint64_t)touched[next] + SOURCE_LINES_MARGIN <= number)
			next++;
	}
}

static uint32_t count_lines(struct text file)
{
	uint32_t count = 0;

	for (; file.length; count++)
		take_line(&file);
	return count;
}

enum source_match source_lines_write(struct text file, const uint32_t *touched, size_t count,
				     struct sink *sink, uint32_t *ret_line_count)
{
	*ret_line_count = 0;
	if (file.length && memchr(file.at, '\0', file.length))
		return SOURCE_NOT_TEXT;
	if (count && count_lines(file) < touched[count - 1])
		return SOURCE_OTHER_VERSION;
	write_near_lines(file, touched, count, sink, ret_line_count);
	return SOURCE_MATCHES;
}
