/* SPDX-License-Identifier: MIT */
#include "cli/pairing_settings.h"

#include <inttypes.h>

#include "base/scan.h"
#include "cli/duration.h"
#include "cli/notices.h"
#include "render/number.h"
#include "render/text/pairing_caveats.h"
#include "session/off_cpu.h"

static const char *const open_names[] = {
	[PAIRING_OPEN_AUTO] = "auto",
	[PAIRING_OPEN_EXCLUDE] = "exclude",
	[PAIRING_OPEN_INCLUDE] = "include",
	NULL,
};

/* Units of pre-aggregated wait times. */
static const char *const sum_unit_names[] = { "auto", "ns", "us", "ms", "s", NULL };
static const uint64_t sum_units_ns[] = { 0, 1, 1000, 1000000, 1000000000 };

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option wait_options[] = {
	{ .name = "state", .kind = OPTION_TEXT, .offset = AT(pairing.states), .argument = "LETTERS",
	  .help = "keep only waits in these task states, such as D,S (default: all except R)",
	  .more = "LETTERS are task states as ps prints them. R (runnable) means that the thread "
		  "was preempted" },
	{ .name = "min-time", .kind = OPTION_TEXT, .offset = AT(shortest_time), .argument = "TIME",
	  .help = "keep only waits of at least TIME, such as 1.5ms",
	  .more = "Without a unit, TIME is in microseconds" },
	{ .name = "max-time", .kind = OPTION_TEXT, .offset = AT(longest_time), .argument = "TIME",
	  .help = "keep only waits of at most TIME" },
	{ .name = "open", .kind = OPTION_CHOICE, .offset = AT(open_intervals), .argument = "WHAT",
	  .choices = open_names,
	  .help = "set whether to count waits that had not ended when the capture ended",
	  .more = "auto counts such waits only with --time or --around, and never in kiln report" },
	{ .name = "allow-missing-switches", .kind = OPTION_FLAG,
	  .offset = AT(pairing.is_forced),
	  .help = "accept captures that lack some context switches; times are then wrong, and the "
		  "output says so" },
	{ .name = NULL },
};

static const struct option pairing_options[] = {
	{ .name = "preempted", .kind = OPTION_FLAG, .offset = AT(pairing.has_preempted),
	  .help = "also count time in which threads were preempted, as leaf frames [preempted]" },
	{ .name = "runqueue", .kind = OPTION_FLAG, .offset = AT(pairing.has_run_queue),
	  .help = "show run-queue latency separately, as leaf frames [run queue]",
	  .more = "Run-queue latency is the time from the wake-up of a thread until it runs. "
		  "Requires sched:sched_waking or sched:sched_wakeup" },
	{ .name = "wakers", .kind = OPTION_FLAG, .offset = AT(pairing.has_wakers),
	  .help = "append the waker's stack, inverted, above a -- frame",
	  .more = "The waker is the thread that ended the wait. Requires sched:sched_waking or "
		  "sched:sched_wakeup" },
	{ .name = "chain", .kind = OPTION_FLAG, .offset = AT(pairing.has_waker_chain),
	  .help = "append the waker's stack, as --wakers does, then the stack of that thread's "
		  "own waker, and so on" },
	{ .name = "critical", .kind = OPTION_FLAG, .offset = AT(pairing.is_critical),
	  .help = "break down each wait by what its waker was doing in the meantime",
	  .more = "Time in which the waker itself waited is broken down by what its own waker was "
		  "doing, and so on. The parts add up to the wait. Requires sched:sched_waking or "
		  "sched:sched_wakeup" },
	{ .name = "sum-unit", .kind = OPTION_CHOICE, .offset = AT(sum_unit), .argument = "UNIT",
	  .choices = sum_unit_names,
	  .help = "set the time unit of input that contains only sums without a unit, such as "
		  "folded stacks",
	  .more = "auto assumes microseconds for folded stacks and nanoseconds for bpftrace maps" },
	{ .name = "span", .kind = OPTION_TEXT, .offset = AT(pairing.span), .argument = "BEGIN,END",
	  .help = "measure the time between two events",
	  .more = "--span shows the time from each event BEGIN to the next event END in the same "
		  "thread, instead of off-CPU time. An example is "
		  "raw_syscalls:sys_enter,raw_syscalls:sys_exit" },
	{ .name = "key", .kind = OPTION_TEXT, .offset = AT(pairing.key), .argument = "FIELDS",
	  .help = "with --span, pair events only if these fields have equal values (default: tid)",
	  .more = "Events must also be in the same thread, unless FIELDS begins with global, as "
		  "in global,dev,sector" },
	{ .name = NULL },
};

/* clang-format on */
const struct option_group pairing_waits = { "Waits", wait_options };
const struct option_group pairing_settings = { "Off-CPU time", pairing_options };

bool pairing_settings_has_any(const struct settings *settings)
{
	const struct pairing_options *pairing = &settings->pairing;

	return pairing->states || pairing->has_preempted || pairing_options_want_wakes(pairing) ||
	       pairing->is_wall || pairing->span || pairing->key || pairing->is_forced ||
	       settings->shortest_time || settings->longest_time || settings->open_intervals ||
	       settings->sum_unit;
}

/* Warns about properties of the capture that make the whole result uncertain. */
static void warn_of_capture(const struct settings *settings, const struct session *session)
{
	const struct pairing_counts *counts = &session->offcpu.pairing.counts;

	if (session->offcpu.has_guessed_fields)
		command_notice(
			settings, NOTICE_GUESSED,
			"%s: the capture does not describe its tracepoints; kiln assumes the "
			"fields of known kernels",
			session->capture.input.name);
	if (session->offcpu.wait_sums.assumed_ns)
		command_notice(settings, NOTICE_GUESSED,
			       "%s: the unit of the counts is not recorded; kiln assumes %s; use "
			       "--sum-unit to set the unit",
			       session->capture.input.name,
			       session->offcpu.wait_sums.assumed_ns == 1
				       ? "nanoseconds (nsecs in "
					 "bpftrace)"
				       : "microseconds (as printed by "
					 "offcputime -f)");
	if (offcpu_lacks_callchains(&session->offcpu, &session->profile))
		command_notice(
			settings, NOTICE_UNKNOWN,
			"%s: the samples have no callchains, only an address; record with perf "
			"record -g",
			session->capture.input.name);
	if (session->offcpu.pairing.critical.undivided_count)
		command_notice(settings, NOTICE_UNKNOWN,
			       "%s: %" PRIu64 " %s shown as [blocked], because the chain of wakers "
			       "is too long, or would take too long to follow",
			       session->capture.input.name,
			       session->offcpu.pairing.critical.undivided_count,
			       session->offcpu.pairing.critical.undivided_count == 1
				       ? "part of a wait is"
				       : "parts of waits are");
	if (session->offcpu.unrecorded_cpu_count)
		command_notice(settings, NOTICE_WRONG,
			       "%s: context switches on %" PRIu64 " CPU%s were not recorded, so "
			       "time there counts as off-CPU; record with perf record -a, without "
			       "-C",
			       session->capture.input.name, session->offcpu.unrecorded_cpu_count,
			       session->offcpu.unrecorded_cpu_count == 1 ? "" : "s");
	if (counts->lacks_most)
		command_notice(
			settings, NOTICE_WRONG,
			"%s: the beginning or end of most off-CPU times was not recorded, perhaps "
			"because only some threads were recorded; record all threads with perf "
			"record -a",
			session->capture.input.name);
	if (session->offcpu.has_switch_event)
		command_notice(settings, NOTICE_ASIDE,
			       "%s: context switches were recorded without stacks; each is shown "
			       "with the stack of the thread's previous sample",
			       session->capture.input.name);
}

/*
 * If few spans could be paired, the reason may be that one thread begins a span and a different
 * thread ends it.
 */
static void suggest_global_key(const struct settings *settings, const struct session *session)
{
	const struct pairing_counts *counts = &session->offcpu.pairing.counts;
	const char *key = settings->pairing.key;
	uint64_t unpaired = counts->without_begin + counts->without_end + counts->open_at_start +
			    counts->open_left_out + counts->open_counted;

	if (!settings->pairing.span || unpaired <= counts->paired || (key && strstr(key, "global")))
		return;
	command_notice(
		settings, NOTICE_GUESSED,
		"%s: most BEGIN events have no END event in the same thread; use --key global,%s "
		"to match events of different threads",
		session->capture.input.name, key && !strstr(key, "tid") ? key : "FIELD");
}

/* Warns about intervals that were ignored or are uncertain. */
static void warn_of_counts(const struct settings *settings, const struct session *session)
{
	const struct pairing_counts *counts = &session->offcpu.pairing.counts;
	uint64_t count = pairing_caveats_count(counts);
	double share = (double)count / (double)(pairing_caveats_all(counts) + 1);
	struct sink line;

	sink_init_memory(&line);
	if (counts->unplaced_ns) {
		number_duration(&line, counts->unplaced_ns);
		command_notice(settings, NOTICE_UNKNOWN,
			       "%s: %.*s of on-CPU time is not shown, because the threads have no "
			       "samples",
			       session->capture.input.name, (int)sink_memory(&line).length,
			       sink_memory(&line).at);
	}
	line.used = 0;
	if (!count) {
		sink_deinit(&line);
		return;
	}
	pairing_caveats_write(counts, settings->pairing.span, &line);
	command_notice(settings, share, "%s: %.*s%s", session->capture.input.name,
		       (int)sink_memory(&line).length, sink_memory(&line).at,
		       settings->pairing.span ? "" : "; kiln info lists all problems");
	sink_deinit(&line);
}

void pairing_settings_warn(const struct settings *settings, const struct session *session)
{
	warn_of_capture(settings, session);
	warn_of_counts(settings, session);
	suggest_global_key(settings, session);
}

bool pairing_settings_build_profile(struct inputs *inputs, struct profile *ret)
{
	profile_init(ret);
	if (!inputs->has_failed)
		inputs_warn_of_repeats(inputs->settings, &inputs->paths);
	while (inputs_next(inputs)) {
		if (inputs_read(inputs, session_build_offcpu))
			pairing_settings_warn(inputs->settings, &inputs->session);
		inputs_close(inputs, ret);
	}
	return inputs_finish(inputs);
}

bool pairing_settings_finish(struct settings *settings, struct error *err)
{
	struct pairing_options *pairing = &settings->pairing;

	pairing->reads_records = true;
	pairing->sum_unit_ns = sum_units_ns[settings->sum_unit];
	pairing->open = (enum pairing_open)settings->open_intervals;
	if (!duration_parse("min-time", settings->shortest_time, &pairing->shortest_ns, err) ||
	    !duration_parse("max-time", settings->longest_time, &pairing->longest_ns, err))
		return false;
	/* Check for 0, which would mean no limit. */
	return !settings->longest_time || pairing->longest_ns ||
	       error_set(err, ERROR_USAGE, "--max-time must be more than 0");
}
