/* SPDX-License-Identifier: MIT */
/*
 * Writes the output file of a command, or standard output. Until a regular file is complete, it has
 * no name, or a temporary one if the file system does not support unnamed files. Until then, an
 * existing file stays unchanged, and an error or a signal leaves no partial file (but SIGKILL
 * leaves a temporary one).
 *
 *     -o flame.svg ─▶ link to out/a.svg ─▶ (unnamed file in out/) ─▶ out/.kiln-PID-0 ─▶ out/a.svg
 *                     output_open                                    output_commit
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <sys/stat.h>

#include "base/sink.h"

struct output {
	struct sink sink;
	const char *path;    /* NULL means standard output */
	char *target;        /* path with symbolic links resolved */
	char *temporary;     /* NULL if the file has no name yet */
	unsigned unfinished; /* number of the temporary file: base/unfinished_file.h */
	int fd;
	bool is_replacing;    /* the output is a regular file, new or existing */
	struct stat replaced; /* the old file; st_nlink is 0 if there is none */
};

/*
 * Opens path, or standard output for NULL and "-". If the name ends in .gz or .zst, the file is a
 * series of gzip members or zstd frames. After an error, output_discard does nothing. In
 * a directory like /tmp, where anybody can create files but only the owner can delete them, a link
 * or file that belongs to another user is an error, because it could redirect the output.
 */
bool output_open(struct output *output, const char *path, struct error *err) WARN_UNUSED;

/* Flushes the sink and gives the file its final name. Closes the file even after an error. */
bool output_commit(struct output *output, struct error *err) WARN_UNUSED;

/* Closes the file and removes it. */
void output_discard(struct output *output);

/*
 * Commits the output if is_good is set, and otherwise discards it. Returns true if both the caller
 * and the commit succeeded.
 */
bool output_close(struct output *output, bool is_good, struct error *err) WARN_UNUSED;

/*
 * The path that must be writable for this output: the directory of the file that it replaces, or a
 * device or pipe itself. The caller frees it. NULL if the output is standard output, or cannot be
 * written.
 */
char *output_written_path(const char *path);

/* The name without the suffix of a compressed file, .gz or .zst. */
struct text output_plain_name(const char *path);

/*
 * For a caller that compresses its output itself: the suffix of the name asks for no further
 * compression. To be called before anything is written.
 */
void output_write_unchanged(struct output *output);

/* The path, or "standard output" for NULL and "-". */
const char *output_name(const char *path);

/*
 * Fails if the path is standard output, and standard output is a terminal. what: the format for the
 * message, such as "SVG".
 */
bool output_check_terminal(const char *path, const char *what, struct error *err) WARN_UNUSED;

/*
 * Returns the width of the terminal in characters: COLUMNS, or the width of standard output, or 80.
 */
uint32_t output_terminal_width(void);

#endif
