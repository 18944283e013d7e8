/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "base/hash.h"
#include "base/scan.h"
#include "object/file.h"
#include "session/session.h"
#include "session/source_file.h"

/*
 * Maximum size of a source file whose lines kiln annotate prints. Generated files can be about 10
 * MB.
 */
#define LIMIT_LISTED_SOURCE_BYTES (64u << 20)
/* Maximum size of all source files of an annotation. */
#define LIMIT_LISTED_SOURCES_BYTES (512u << 20)
/* Maximum length of a source line as it is printed. */
#define LINE_BYTES 400u

static int compare_lines(const void *a, const void *b)
{
	const struct source_line *left = &((const struct annotation_line *)a)->at;
	const struct source_line *right = &((const struct annotation_line *)b)->at;

	if (left->file.i != right->file.i)
		return left->file.i < right->file.i ? -1 : 1;
	return (left->line > right->line) - (left->line < right->line);
}

/* Lists the distinct lines of all instructions, in order. */
static void list_lines(struct annotation *annotation)
{
	size_t kept = 0;

	for (size_t i = 0; i < annotation->instructions.count; i++) {
		struct source_line at = annotation->instructions.at[i].at;

		/* Adjacent instructions usually have the same source line. */
		if (at.line && !(i && annotation->instructions.at[i - 1].at.line == at.line &&
				 annotation->instructions.at[i - 1].at.file.i == at.file.i))
			vec_push(&annotation->lines, (struct annotation_line){ .at = at });
	}
	if (annotation->lines.count)
		qsort(annotation->lines.at, annotation->lines.count, sizeof(*annotation->lines.at),
		      compare_lines);
	for (size_t i = 0; i < annotation->lines.count; i++)
		if (!kept ||
		    compare_lines(&annotation->lines.at[kept - 1], &annotation->lines.at[i]) != 0)
			annotation->lines.at[kept++] = annotation->lines.at[i];
	annotation->lines.count = kept;
}

/* Returns a copy of a line, without trailing blanks, and with a few blanks in place of each tab. */
static struct text keep_line(struct annotation *annotation, struct text line)
{
	char buffer[LINE_BYTES];
	uint32_t length = 0;

	for (uint32_t i = 0; i < line.length && length + 4 < LINE_BYTES; i++) {
		if (line.at[i] != '\t') {
			buffer[length++] = line.at[i];
			continue;
		}
		do
			buffer[length++] = ' ';
		while (length % 4);
	}
	while (length && (buffer[length - 1] == ' ' || buffer[length - 1] == '\r'))
		length--;
	return (struct text){ arena_text(&annotation->arena, buffer, length), length };
}

/* Copies the texts of lines. All lines are from one file, and in order. */
static void take_lines(struct annotation *annotation, struct annotation_line *lines, size_t count,
		       struct text file)
{
	size_t next = 0;

	if (file.length && memchr(file.at, '\0', file.length))
		return;
	for (uint32_t number = 1; file.length && next < count; number++) {
		const char *end = memchr(file.at, '\n', file.length);
		uint32_t length = end ? (uint32_t)(end - file.at) : file.length;

		if (lines[next].at.line == number)
			lines[next++].text =
				keep_line(annotation, (struct text){ file.at, length });
		file = text_from(file, length + (end ? 1 : 0));
	}
}

/* Like take_lines, for lines from a bundle: "NUMBER TAB TEXT", after a header line. */
static void take_packed_lines(struct annotation *annotation, struct annotation_line *lines,
			      size_t count, struct text file)
{
	size_t next = 0;

	while (file.length && next < count) {
		const char *end = memchr(file.at, '\n', file.length);
		uint32_t length = end ? (uint32_t)(end - file.at) : file.length;
		struct text line = { file.at, length };
		uint64_t number;

		file = text_from(file, length + (end ? 1 : 0));
		if (!scan_u64(&line, &number) || !scan_char(&line, '\t'))
			continue;
		while (next < count && lines[next].at.line < number)
			next++;
		if (next < count && lines[next].at.line == number)
			lines[next++].text = keep_line(annotation, line);
	}
}

/* Reads the lines of one file from the bundle with the capture. */
static bool read_packed(const struct session *session, struct annotation *annotation,
			struct annotation_line *lines, size_t count, uint64_t *left_bytes)
{
	const struct bundle_manifest_lines *packed = bundle_manifest_find_source(
		&session->manifest, strings_get(session->profile.strings, lines[0].at.file));
	struct file_bytes file;
	struct error ignored;
	bool good;
	int fd;

	if (!packed || packed->size_bytes > LIMIT_LISTED_SOURCE_BYTES ||
	    packed->size_bytes > *left_bytes)
		return false;
	fd = file_copy_range(session->capture.contents.spool.fd, packed->begin, packed->size_bytes,
			     &ignored);
	if (fd < 0)
		return false;
	good = file_read(fd, packed->size_bytes, &file, &ignored);
	close(fd);
	if (!good)
		return false;
	*left_bytes -= file.size_bytes;
	good = checksum_of(file.at, file.size_bytes) == packed->checksum;
	if (good)
		take_packed_lines(annotation, lines, count,
				  (struct text){ file.at, (uint32_t)file.size_bytes });
	file_bytes_deinit(&file);
	return good;
}

/* Reads the lines of one file. Returns whether it was found. */
static bool read_file(const struct session *session, struct annotation *annotation,
		      struct annotation_line *lines, size_t count, uint64_t *left_bytes)
{
	const struct source_directories directories = {
		.directories = session->options.annotation->source_directories,
		.count = session->options.annotation->source_directory_count,
		.uses_host = session->is_same_host,
	};
	struct text path = strings_get(session->profile.strings, lines[0].at.file);
	struct file_bytes file;
	struct error ignored;
	bool good;
	int fd;

	if (source_file_open(&directories, path, &fd) != SOURCE_FILE_OPEN)
		return false;
	good = file_read(fd,
			 *left_bytes < LIMIT_LISTED_SOURCE_BYTES ? (size_t)*left_bytes
								 : LIMIT_LISTED_SOURCE_BYTES,
			 &file, &ignored);
	close(fd);
	if (!good)
		return false;
	*left_bytes -= file.size_bytes;
	take_lines(annotation, lines, count, (struct text){ file.at, (uint32_t)file.size_bytes });
	file_bytes_deinit(&file);
	return true;
}

void source_lines_read(const struct session *session, struct annotation *annotation)
{
	uint64_t left_bytes = LIMIT_LISTED_SOURCES_BYTES;
	size_t end;

	list_lines(annotation);
	for (size_t i = 0; i < annotation->lines.count; i = end) {
		struct annotation_line *lines = &annotation->lines.at[i];
		bool is_found;

		for (end = i + 1; end < annotation->lines.count; end++)
			if (annotation->lines.at[end].at.file.i != lines->at.file.i)
				break;
		annotation->file_count++;
		is_found = read_file(session, annotation, lines, end - i, &left_bytes) ||
			   read_packed(session, annotation, lines, end - i, &left_bytes);
		if (!is_found && !annotation->missing_file_count++)
			annotation->missing_file = lines->at.file;
	}
}
