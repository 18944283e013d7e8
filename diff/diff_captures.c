/* SPDX-License-Identifier: MIT */
#include "diff/diff_captures.h"

#include <inttypes.h>
#include <math.h>

#include "base/sink.h"

#define NS_PER_SECOND ((uint64_t)1000000000)
/* Differences above these limits are reported: a factor, and percentage points. */
#define DURATION_FACTOR_MAX 2
#define LOSS_POINTS_MAX     1

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

static str_id copy(struct strings *strings, struct text text)
{
	return text.at ? strings_intern(strings, text.at, text.length) : STR_EMPTY;
}

/* Returns the event that is shown, or NULL if its attributes are unknown. */
static const struct profile_event *described_event(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].is_shown && profile->events.at[i].has_attr)
			return &profile->events.at[i];
	return NULL;
}

static str_id rate_of(const struct profile_event *event, struct strings *strings)
{
	char text[64];

	if (!event->sample_period)
		return STR_EMPTY;
	if (event->is_frequency)
		snprintf(text, sizeof(text), "%" PRIu64 " Hz", event->sample_period);
	else
		snprintf(text, sizeof(text), "every %" PRIu64, event->sample_period);
	return strings_intern_text(strings, text);
}

static const char *callchains_of(const struct profile_event *event)
{
	if (event->has_branch_calls)
		return "branch records (LBR)";
	if (event->sample_type & SAMPLE_HAS_USER_STACK)
		return "DWARF";
	return event->sample_type & SAMPLE_HAS_CALLCHAIN ? "frame pointers" : "none";
}

static const char *code_of(const struct profile_event *event)
{
	if (event->excludes_kernel)
		return event->excludes_user ? "neither" : "user code only";
	return event->excludes_user ? "kernel only" : "user code and kernel";
}

static void set_texts(struct diff_capture *capture, const struct profile *profile,
		      struct strings *strings)
{
	static const enum fact facts[] = {
		[DIFF_CAPTURE_HOST] = FACT_HOST,         [DIFF_CAPTURE_ARCH] = FACT_ARCH,
		[DIFF_CAPTURE_KERNEL] = FACT_OS_RELEASE, [DIFF_CAPTURE_CPU] = FACT_CPU,
		[DIFF_CAPTURE_CPUS] = FACT_CPUS_ONLINE,
	};
	const struct profile_event *event = described_event(profile);
	struct text name = strings_get(profile->strings, profile->event_name);

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		capture->texts[i] = copy(strings, profile->facts[facts[i]]);
	if (diff_event_is_known(name))
		capture->texts[DIFF_CAPTURE_EVENT] = copy(strings, name);
	if (!event)
		return;
	capture->texts[DIFF_CAPTURE_RATE] = rate_of(event, strings);
	capture->texts[DIFF_CAPTURE_CALLCHAINS] =
		strings_intern_text(strings, callchains_of(event));
	capture->texts[DIFF_CAPTURE_CODE] = strings_intern_text(strings, code_of(event));
}

static double percent(uint64_t part, uint64_t rest)
{
	return part ? 100 * (double)part / ((double)part + (double)rest) : 0;
}

static void set_numbers(struct diff_capture *capture, const struct profile *profile)
{
	double *numbers = capture->numbers;
	const uint64_t *losses = profile->losses;

	for (int key = DIFF_CAPTURE_TEXTS; key < DIFF_CAPTURE_KEYS; key++)
		numbers[key] = NAN;
	if (profile_duration_ns(profile))
		numbers[DIFF_CAPTURE_DURATION] = (double)profile_duration_ns(profile);
	/* Text formats do not report lost samples. */
	if (!described_event(profile))
		return;
	numbers[DIFF_CAPTURE_LOST] =
		percent(losses[LOSS_RECORDS] + losses[LOSS_SAMPLES], profile->sample_count);
	numbers[DIFF_CAPTURE_THROTTLED] = percent(losses[LOSS_THROTTLED], profile->sample_count);
}

/* Returns why a capture could not be read completely, or NULL. */
static const char *partial_reason_of(const struct profile *profile)
{
	if (profile->partial_reason)
		return profile->partial_reason;
	return profile->losses[LOSS_CORRUPT_RECORDS] || profile->losses[LOSS_UNKNOWN_IDS]
		       ? "corrupt records or records of unknown events were skipped"
		       : NULL;
}

void diff_captures_add(diff_capture_list *captures, const struct profile *profile,
		       enum diff_side side, struct strings *strings)
{
	struct diff_capture capture = {
		.side = side,
		.file = copy(strings, strings_get(profile->strings, profile->input_name)),
		.command = copy(strings, profile->facts[FACT_COMMAND_LINE]),
	};
	const char *partial = partial_reason_of(profile);

	if (partial)
		capture.partial = strings_intern_text(strings, partial);
	if (profile->clock.is_known && profile_has_time(profile))
		capture.recorded_s =
			wall_clock_of(&profile->clock, profile->first_time_ns) / NS_PER_SECOND;
	else if (!profile->clock.is_known)
		capture.recorded = copy(strings, profile->facts[FACT_WALL_CLOCK]);
	set_texts(&capture, profile, strings);
	set_numbers(&capture, profile);
	vec_push(captures, capture);
}

double diff_captures_mean(const diff_capture_list *captures, enum diff_side side,
			  enum diff_capture_key key)
{
	double sum = 0;
	uint32_t count = 0;

	for (size_t i = 0; i < captures->count; i++) {
		double number = captures->at[i].numbers[key];

		if (captures->at[i].side != side || isnan(number))
			continue;
		sum += number;
		count++;
	}
	return count ? sum / count : NAN;
}

/* Whether any two captures have different texts. False if a side has no text. */
static bool texts_differ(const diff_capture_list *captures, const struct strings *strings,
			 enum diff_capture_key key)
{
	str_id first = STR_EMPTY;
	bool is_known[DIFF_SIDES] = { false };
	bool has_other = false;

	for (size_t i = 0; i < captures->count; i++) {
		str_id text = captures->at[i].texts[key];

		if (!text.i)
			continue;
		is_known[captures->at[i].side] = true;
		if (!first.i)
			first = text;
		has_other |= key == DIFF_CAPTURE_EVENT
				     ? !event_names_alike(strings_get(strings, first),
							  strings_get(strings, text))
				     : text.i != first.i;
	}
	return has_other && is_known[DIFF_BEFORE] && is_known[DIFF_AFTER];
}

bool diff_captures_differ(const diff_capture_list *captures, const struct strings *strings,
			  enum diff_capture_key key)
{
	double before;
	double after;

	if (key < DIFF_CAPTURE_TEXTS)
		return texts_differ(captures, strings, key);
	before = diff_captures_mean(captures, DIFF_BEFORE, key);
	after = diff_captures_mean(captures, DIFF_AFTER, key);
	/* Comparisons with NAN are false. */
	if (key == DIFF_CAPTURE_DURATION)
		return before > DURATION_FACTOR_MAX * after || after > DURATION_FACTOR_MAX * before;
	return fabs(before - after) > LOSS_POINTS_MAX;
}
