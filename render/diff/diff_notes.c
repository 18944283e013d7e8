/* SPDX-License-Identifier: MIT */
#include "render/diff/diff_notes.h"

#include <math.h>

/* In a line; of more only the number is written. */
#define PAIRS_MAX 3

static const char *const side_names[] = { [DIFF_BEFORE] = "before", [DIFF_AFTER] = "after" };

struct notes {
	const struct diff *diff;
	const char *prefix;
	diff_notes_name *write_name;
	struct sink *sink;
};

/* How a kind of pairs is written. */
struct wording {
	const char *begin, *between, *end;
	bool has_score;
};

static const struct wording wordings[DIFF_PAIR_KINDS] = {
	[DIFF_PAIR_ROOT] = { "threads of one role: ", " is compared with ",
			     "; --no-pair-roots keeps them apart", false },
	[DIFF_PAIR_ALIAS] = { "spellings of one function: ", " is ", "; --no-mend keeps them apart",
			      false },
	[DIFF_PAIR_RENAME] = { "renamed: ", " to ", "", true },
	[DIFF_PAIR_LIKELY] = { "these look renamed: ", " to ",
			       "; --rename auto compares those that are sure", true },
};

static void write_pair(const struct notes *notes, const struct diff_pair *pair,
		       const struct wording *wording)
{
	const struct strings *strings = notes->diff->profile.strings;

	notes->write_name(notes->sink, strings_get(strings, pair->names[DIFF_BEFORE]));
	sink_puts(notes->sink, wording->between);
	notes->write_name(notes->sink, strings_get(strings, pair->names[DIFF_AFTER]));
	if (wording->has_score)
		sink_printf(notes->sink, " (score %.2f)", pair->score);
}

static void write_pairs(const struct notes *notes, enum diff_pair_kind kind)
{
	const struct diff_aligned *aligned = &notes->diff->aligned;
	const struct wording *wording = &wordings[kind];
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
	/* It was asked for, and was not sure. */
	if (kind == DIFF_PAIR_LIKELY && notes->diff->options.alignment.applies_renames)
		sink_puts(notes->sink, "; not sure enough to be compared: take --rename FILE");
	else
		sink_puts(notes->sink, wording->end);
	sink_char(notes->sink, '\n');
}

static void write_mismatches(const struct notes *notes)
{
	const struct diff_aligned *aligned = &notes->diff->aligned;

	if (isfinite(notes->diff->shift_percent))
		sink_printf(
			notes->sink,
			"%sshifted: shares that changed as those of unchanged code did, by about "
			"%+.1f%%\n",
			notes->prefix, notes->diff->shift_percent);
	if (aligned->folds_inlined)
		sink_printf(notes->sink,
			    "%sonly %s has inlined functions: they are folded into their callers; "
			    "--no-mend shows them\n",
			    notes->prefix, side_names[aligned->inlined_side]);
	if (aligned->lacks_kernel)
		sink_printf(notes->sink,
			    "%sonly %s has functions of the kernel, which are new or gone\n",
			    notes->prefix, side_names[aligned->kernel_side]);
	if (aligned->has_other_depth)
		sink_printf(notes->sink,
			    "%sstacks of the same functions are %.1f frames deep before and %.1f "
			    "after: they seem to be unwound in different ways, and only self "
			    "compares\n",
			    notes->prefix, aligned->depth[DIFF_BEFORE], aligned->depth[DIFF_AFTER]);
}

void diff_notes_write(const struct diff *diff, const char *prefix, diff_notes_name *write_name,
		      struct sink *sink)
{
	const struct notes notes = { diff, prefix, write_name, sink };

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
			json_text(json, side_names[side],
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
		json_text(json, "only_inlined", text_of(side_names[aligned->inlined_side]));
	if (aligned->lacks_kernel)
		json_text(json, "only_kernel", text_of(side_names[aligned->kernel_side]));
	json_bool(json, "same_unwinding", !aligned->has_other_depth);
	write_json_pairs(diff, "roots", DIFF_PAIR_ROOT, json);
	write_json_pairs(diff, "spellings", DIFF_PAIR_ALIAS, json);
	write_json_pairs(diff, "renamed", DIFF_PAIR_RENAME, json);
	write_json_pairs(diff, "likely_renamed", DIFF_PAIR_LIKELY, json);
	json_close_object(json);
}
