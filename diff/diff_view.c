/* SPDX-License-Identifier: MIT */
#include "diff/diff_view.h"

#include "diff/diff.h"

bool diff_event_is_known(struct text event)
{
	static const char *const units[] = { "samples", "sample", "ms",      "us",    "µs",
					     "ns",      "s",      "seconds", "bytes", "count",
					     "counts",  "events", "calls" };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (text_is(event, units[i]))
			return false;
	return event.length > 0;
}

static bool are_same(struct text left, struct text right)
{
	return !diff_event_is_known(left) || !diff_event_is_known(right) ||
	       event_names_alike(left, right);
}

bool diff_shows_same(const struct diff *diff, const struct profile *profile)
{
	return !diff->runs.count || diff->options.allows_events ||
	       are_same(strings_get(diff->profile.strings, diff->profile.event_name),
			strings_get(profile->strings, profile->event_name));
}

bool diff_has_two_units(const struct diff *diff)
{
	const struct diff_view *views = diff->views;

	return views[DIFF_BEFORE].is_there && views[DIFF_AFTER].is_there &&
	       views[DIFF_BEFORE].unit != views[DIFF_AFTER].unit;
}

static str_id copy(struct diff *diff, const struct profile *from, str_id id)
{
	struct text text = strings_get(from->strings, id);

	return strings_intern(diff->profile.strings, text.at, text.length);
}

/* The whole takes the words of the first profile that says what was counted, and after's unit. */
static void set_words(struct diff *diff, const struct diff_view *view, enum diff_side side)
{
	struct profile *profile = &diff->profile;
	struct text old = strings_get(profile->strings, profile->event_name);
	struct text new = strings_get(profile->strings, view->event_name);

	if (!diff->runs.count || (!diff_event_is_known(old) && diff_event_is_known(new))) {
		profile->event_name = view->event_name;
		profile->weight_name = view->weight_name;
	}
	if (!diff->runs.count || side == DIFF_AFTER)
		profile->unit = view->unit;
}

/* Of different units only shares can be compared. */
static bool choose_shares(struct diff *diff, struct error *err)
{
	struct diff_normalising *normalising = &diff->options.normalising;

	if (!diff_has_two_units(diff) || normalising->by == DIFF_BY_TOTAL)
		return true;
	if (!diff->is_normalised_by_default)
		return error_set(
			err, ERROR_USAGE,
			"is counted in another unit than the other side, so only shares can "
			"be compared: take --normalise total");
	normalising->by = DIFF_BY_TOTAL;
	diff->exposure[DIFF_BEFORE] = diff->total[DIFF_BEFORE];
	diff->exposure[DIFF_AFTER] = diff->total[DIFF_AFTER];
	return true;
}

static bool check(const struct diff *diff, const struct profile *from,
		  const struct diff_view *known, struct error *err)
{
	struct text own = strings_get(diff->profile.strings, diff->profile.event_name);
	struct text other = strings_get(from->strings, from->event_name);

	if (!diff_shows_same(diff, from))
		return error_set(
			err, ERROR_USAGE,
			"shows %.*s where the other side shows %.*s; choose what both have "
			"with --event, or name both by a pattern, as in --event 'cycles*'",
			(int)other.length, other.at, (int)own.length, own.at);
	if (known->is_there && known->unit != from->unit)
		return error_set(err, ERROR_USAGE,
				 "shows %.*s, which is counted in something else than the other "
				 "runs of its side; choose what all have with --event, or count "
				 "samples with --weight samples",
				 (int)other.length, other.at);
	return true;
}

bool diff_view_add(struct diff *diff, const struct profile *profile, enum diff_side side,
		   struct error *err)
{
	struct diff_view *view = &diff->views[side];

	if (!check(diff, profile, view, err))
		return false;
	if (!view->is_there)
		*view = (struct diff_view){
			.event_name = copy(diff, profile, profile->event_name),
			.weight_name = copy(diff, profile, profile->weight_name),
			.unit = profile->unit,
			.is_there = true,
		};
	set_words(diff, view, side);
	if (diff->options.normalising.by == DIFF_BY_DEFAULT) {
		diff->is_normalised_by_default = true;
		diff->options.normalising.by = diff_normalisation_of(profile);
	}
	return choose_shares(diff, err);
}

struct profile diff_view_of(const struct diff *diff, enum diff_side side)
{
	struct profile profile = diff->profile;

	if (!diff_has_two_units(diff))
		return profile;
	profile.event_name = diff->views[side].event_name;
	profile.weight_name = diff->views[side].weight_name;
	profile.unit = diff->views[side].unit;
	return profile;
}
