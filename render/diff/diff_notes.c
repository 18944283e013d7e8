/* SPDX-License-Identifier: MIT */
#include "render/diff/diff_notes.h"

#include <math.h>

/* Maximum number of pairs listed in a line; the rest are only counted. */
#define PAIRS_MAX 3

struct notes_writer {
	const struct diff *diff;
	const char *prefix;
	diff_text_name *write_name;
	struct sink *sink;
};

/* The wording for a kind of pair. */
struct pair_wording {
	const char *begin, *between, *end;
	bool has_score;
};

static const struct pair_wording wordings[DIFF_PAIR_KINDS] = {
	[DIFF_PAIR_ROOT] = { "threads that do the same work: ", " is compared with ",
			     "; --no-pair-roots compares them separately", false },
	[DIFF_PAIR_ALIAS] = { "variants of one function name: ", " is ",
			      "; --no-mend compares "
			      "them separately",
			      false },
	[DIFF_PAIR_RENAME] = { "renamed: ", " to ", "", true },
	[DIFF_PAIR_LIKELY] = { "possibly renamed: ", " to ",
			       "; use --rename auto to compare those with a high score", true },
};

static void write_pair(const struct notes_writer *notes, const struct diff_pair *pair,
		       const struct pair_wording *wording)
{
	const struct strings *strings = notes->diff->profile.strings;

	notes->write_name(notes->sink, strings_get(strings, pair->names[DIFF_BEFORE]));
	sink_puts(notes->sink, wording->between);
	notes->write_name(notes->sink, strings_get(strings, pair->names[DIFF_AFTER]));
	if (wording->has_score)
		sink_printf(notes->sink, " (score %.2f)", pair->score);
}

static void write_pairs(const struct notes_writer *notes, enum diff_pair_kind kind)
{
	const struct diff_aligned *aligned = &notes->diff->aligned;
	const struct pair_wording *wording = &wordings[kind];
	size_t count = diff_aligned_count(aligned, kind);
	size_t written = 0;

	if (!count)
		return;
	sink_puts(notes->sink, notes->prefix);
	sink_puts(notes->sink, wording->begin);
	for (size_t i = 0; i < aligned->pairs.count && written < PAIRS_MAX; i++) {
		if (aligned->pairs.at[i].kind != kind)
			continue;
		sink_puts(notes->sink, written++ ? ", " : "");
		write_pair(notes, &aligned->pairs.at[i], wording);
	}
	if (count > PAIRS_MAX)
		sink_printf(notes->sink, " and %zu more", count - PAIRS_MAX);
	/* The score was too low for --rename auto. */
	if (kind == DIFF_PAIR_LIKELY && notes->diff->options.alignment.applies_renames)
		sink_puts(notes->sink, "; score too low to compare, use --rename FILE");
	else
		sink_puts(notes->sink, wording->end);
	sink_char(notes->sink, '\n');
}

static void write_mismatches(const struct notes_writer *notes)
{
	const struct diff_aligned *aligned = &notes->diff->aligned;

	if (isfinite(notes->diff->shift_percent))
		sink_printf(notes->sink,
			    "%sshifted: the share changed by about %+.1f%%, as did the "
			    "shares of unchanged functions\n",
			    notes->prefix, notes->diff->shift_percent);
	if (aligned->folds_inlined)
		sink_printf(notes->sink,
			    "%sonly %s has inlined functions, so these are merged into their "
			    "callers; --no-mend shows them\n",
			    notes->prefix, diff_side_names[aligned->inlined_side]);
	if (aligned->lacks_kernel)
		sink_printf(notes->sink,
			    "%sonly %s has kernel functions, so these are new or "
			    "gone\n",
			    notes->prefix, diff_side_names[aligned->kernel_side]);
	if (aligned->has_other_depth)
		sink_printf(
			notes->sink,
			"%sstacks of the same functions are %.1f frames deep before and %.1f "
			"after: the sides were unwound differently, so only self is comparable\n",
			notes->prefix, aligned->depth[DIFF_BEFORE], aligned->depth[DIFF_AFTER]);
}

void diff_notes_write(const struct diff *diff, const char *prefix, diff_text_name *write_name,
		      struct sink *sink)
{
	const struct notes_writer notes = { diff, prefix, write_name, sink };

	write_mismatches(&notes);
	for (int kind = 0; kind < DIFF_PAIR_KINDS; kind++)
		write_pairs(&notes, (enum diff_pair_kind)kind);
}

static void write_json_pairs(const struct diff *diff, const char *key, enum diff_pair_kind kind,
			     struct json *json)
{
	json_open_array(json, key);
	for (size_t i = 0; i < diff->aligned.pairs.count; i++) {
		const struct diff_pair *pair = &diff->aligned.pairs.at[i];

		if (pair->kind != kind)
			continue;
		json_open_object(json, NULL);
		for (int side = 0; side < DIFF_SIDES; side++)
			json_text(json, diff_side_names[side],
				  strings_get(diff->profile.strings, pair->names[side]));
		json_number(json, "score", pair->score);
		json_close_object(json);
	}
	json_close_array(json);
}

void diff_notes_json(const struct diff *diff, struct json *json)
{
	const struct diff_aligned *aligned = &diff->aligned;

	json_open_object(json, "alignment");
	if (aligned->folds_inlined)
		json_text(json, "only_inlined", text_of(diff_side_names[aligned->inlined_side]));
	if (aligned->lacks_kernel)
		json_text(json, "only_kernel", text_of(diff_side_names[aligned->kernel_side]));
	json_bool(json, "same_unwinding", !aligned->has_other_depth);
	write_json_pairs(diff, "roots", DIFF_PAIR_ROOT, json);
	write_json_pairs(diff, "spellings", DIFF_PAIR_ALIAS, json);
	write_json_pairs(diff, "renamed", DIFF_PAIR_RENAME, json);
	write_json_pairs(diff, "likely_renamed", DIFF_PAIR_LIKELY, json);
	json_close_object(json);
}
