/* SPDX-License-Identifier: MIT */
#include "libparse/perf/compressed_records.h"
#include "libparse/perf/perf_reader.h"

#include "libparse/perf/abi.h"
#include "libparse/perf/data_files.h"
#include "libparse/perf/sample_reader.h"
#include "libparse/perf/walk.h"

/* Slices after the end of the file are decompressed records. */
static void open_slice(const struct capture *capture, struct slice slice, struct walk *walk)
{
	const struct perf_reader *reader = capture->reader;
	uint64_t base = capture->input.size_bytes;
	const struct input *spool;

	if (slice.begin < base || !reader->compressed) {
		walk_init(walk, &capture->input, slice.begin, slice.end,
			  data_files_stream_at(reader, slice.begin)->end, reader->file.swapped);
		return;
	}
	spool = compressed_records_spool(reader->compressed);
	walk_init(walk, spool, slice.begin - base, slice.end - base, spool->size_bytes,
		  reader->file.swapped);
	walk->base = base;
}

bool sample_pass_run(const struct capture *capture, struct slice slice,
		     const struct event_sink *sink, struct error *err)
{
	const struct perf_reader *reader = capture->reader;
	enum walk_result result;
	struct sample_reader samples;
	struct record record;
	struct walk walk;

	sample_reader_init(&samples, reader, sink);
	open_slice(capture, slice, &walk);
	walk.cache = capture->cache;
	while ((result = walk_next(&walk, &record, err)) == WALK_RECORD)
		if (record.type == RECORD_SAMPLE)
			sample_reader_read(&samples, &record);
	if (result == WALK_TRUNCATED || result == WALK_CORRUPT)
		error_set_at(err, ERROR_CORRUPT, walk.offset,
			     "the file changed while it was being read; run kiln again");
	walk_deinit(&walk);
	sample_reader_deinit(&samples);
	return result == WALK_END;
}
