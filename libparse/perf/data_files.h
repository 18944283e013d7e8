/* SPDX-License-Identifier: MIT */
/*
 * The record streams of a capture: its data section and, if the capture is a directory, one file
 * for each ring buffer. Streams are independent of each other, and each may be compressed.
 *
 * Source: perf.data-directory-format.txt of the Linux kernel. PERF_RECORD_ID_INDEX contains the
 * number of each ring buffer (idx), and so shows which files should exist.
 */
#ifndef LIBPARSE_PERF_DATA_FILES_H
#define LIBPARSE_PERF_DATA_FILES_H

#include "libparse/perf/perf_reader.h"

/* Lists the streams. If the features mention record files, appends these to the input. */
void data_files_attach(struct capture *capture);

/* Reads the number of ring buffers from an ID_INDEX record. */
void data_files_note_index(struct perf_reader *reader, struct span payload);

/*
 * Marks the capture as partial if record files are missing. Fails if this machine lacked the
 * resources to open a file.
 */
bool data_files_check(struct capture *capture, struct error *err) WARN_UNUSED;

/* The stream at an offset of the input. */
const struct record_stream *data_files_stream_at(const struct perf_reader *reader, uint64_t offset);

#endif
