/* SPDX-License-Identifier: MIT */
/*
 * The layout of a perf.data file: header, sections, feature bits.
 *
 *     0        104                                     data.offset            data end
 *     | header | ids ... | attrs: (attr, ids section)* | records ........... | feature sections |
 *
 * All offsets come from the header; sections may be in any order. A header of 16 bytes means a
 * pipe: records follow immediately, and contain the data that files have in their headers. Source:
 * perf.data-file-format.txt and tools/perf/util/header.h of the Linux kernel.
 */
#ifndef LIBPARSE_PERF_PERF_FILE_H
#define LIBPARSE_PERF_PERF_FILE_H

#include "base/error.h"
#include "base/input.h"
#include "base/span.h"

#define PERF_FEATURE_BITS 256

struct perf_section {
	uint64_t offset, size_bytes;
};

struct perf_file {
	bool swapped;
	bool is_big_endian;
	bool is_pipe;
	uint64_t attr_entry_bytes; /* size of an entry: the attr, and the section of its ids */
	struct perf_section attrs, data, event_types;
	bool has_data_size; /* false if recording was killed; data then extends to the end */
	bool is_cut;        /* truncated inside the data, of which data.size_bytes are left */
	uint64_t features[PERF_FEATURE_BITS / 64];
};

/* Whether the input begins with the magic of perf.data. */
bool perf_file_probe(struct span head);

/*
 * Whether a header begins here: magic and a plausible size. head must have PERF_FILE_BEGIN_BYTES.
 */
bool perf_file_begins(struct span head);

#define PERF_FILE_BEGIN_BYTES 16

/* Reads and checks the header. The error describes what is wrong with the header. */
bool perf_file_read(const struct input *input, struct perf_file *ret,
		    struct error *err) WARN_UNUSED;

static inline bool perf_file_has_feature(const struct perf_file *file, unsigned feature)
{
	return file->features[feature / 64] >> (feature % 64) & 1;
}

#endif
