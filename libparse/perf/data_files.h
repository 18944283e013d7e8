/* SPDX-License-Identifier: MIT */
/*
 * The streams of records of a capture: its data section, and when it is a folder the files beside
 * it, one for each buffer that was recorded from. Each is a stream of its own, compressed or not.
 *
 * Source: perf.data-directory-format.txt of the Linux kernel; which files there should be is told
 * by PERF_RECORD_ID_INDEX, whose idx counts the buffers.
 */
#ifndef LIBPARSE_PERF_DATA_FILES_H
#define LIBPARSE_PERF_DATA_FILES_H

#include "libparse/perf/perf_reader.h"

/* Joins the files to the input, when the features say that there are some, and lists the streams. */
void data_files_attach(struct capture *capture);

/* Takes note of how many buffers an ID_INDEX record knows. */
void data_files_note_index(struct perf_reader *reader, struct span payload);

/* Notes in the capture which files should be there and are not. */
void data_files_check(struct capture *capture);

/* The stream that holds what is at an offset of the input. */
const struct record_stream *data_files_stream_at(const struct perf_reader *reader, uint64_t offset);

#endif
