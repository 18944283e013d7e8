/* SPDX-License-Identifier: MIT */
/*
 * Files under a temporary name, which are removed if the program ends early: by a signal such as
 * INT, TERM or HUP, or because memory is exhausted.
 *
 *     create .kiln-12-0 ─▶ unfinished_file_add ─▶ write, rename ─▶ unfinished_file_forget
 */
#ifndef BASE_UNFINISHED_FILE_H
#define BASE_UNFINISHED_FILE_H

/*
 * Lists a file of this process for removal. Returns the number of the file, or 0 if the list is
 * full or the path too long.
 */
unsigned unfinished_file_add(const char *path);

/* Must be called after the file has been renamed or removed. Does nothing for 0. */
void unfinished_file_forget(unsigned number);

/* Removes the listed files. Async-signal-safe. */
void unfinished_files_remove(void);

#endif
