/* SPDX-License-Identifier: MIT */
#include "libparse/bcc/bcc_intervals.h"

bool bcc_intervals_open(struct capture *capture, text_record_callback *callback, struct error *err)
{
	static const struct snapshot_choice sum = { .kind = SNAPSHOTS_SUM };
	const struct snapshot_choice *choice = capture->format_options;
	struct snapshots *snapshots = memory_zalloc(1, sizeof(*snapshots));
	struct bcc_parser parser = { .snapshots = snapshots };
	struct slice whole = { .end = capture->input.size_bytes };
	struct text_skips skips = { 0 };

	capture->reader = snapshots;
	snapshots_init(snapshots);
	if (!text_read(capture, whole, callback, &parser, &skips, err))
		return false;
	if (!choice || choice->kind == SNAPSHOTS_AUTO)
		choice = parser.is_of_argdist ? NULL : &sum;
	/* Tables and histograms are short, so one slice is enough. */
	return snapshots_finish(snapshots, choice, err) && text_cut(capture, NULL, err);
}

void bcc_intervals_close(struct capture *capture)
{
	snapshots_deinit(capture->reader);
	memory_free(capture->reader);
}

bool bcc_intervals_read_state(struct capture *capture, const struct event_sink *sink,
			      struct error *err)
{
	(void)err;
	snapshots_report(capture->reader, sink);
	return true;
}

bool bcc_intervals_read_samples(const struct capture *capture, struct slice slice,
				text_record_callback *callback, const struct event_sink *sink,
				struct error *err)
{
	struct bcc_parser parser = { .sink = sink, .decided = capture->reader };
	bool good = text_read(capture, slice, callback, &parser, &parser.skips, err);

	text_report_skips(&parser.skips, sink);
	return good;
}
