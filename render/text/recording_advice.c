/* SPDX-License-Identifier: MIT */
#include "render/text/recording_advice.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "process/loss.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/text/caveats.h"
#include "render/text/record_line.h"

/*
 * A sample every millisecond on each CPU. Higher frequencies slow the program more than they
 * improve a flame graph.
 */
#define FREQUENCY_MAX_HZ 1000u
#define FREQUENCY_MIN_HZ 49u
/* The default of perf record is 8192 bytes; its limit is 65528. */
#define STACK_DUMP     "dwarf,16384"
#define STACK_DUMP_MAX "dwarf,65528"
/*
 * With frame pointers, most stacks have main, a function that main calls, and the leaf. Functions
 * that main calls directly also have short stacks, so only a large share of short stacks is
 * conclusive.
 */
#define SHORT_STACK_FRAMES 2u
#define SHORT_STACK_SHARE  0.3

enum finding_kind {
	FINDING_CALLCHAINS,
	FINDING_FRAME_POINTERS,
	FINDING_STACK_DUMPS,
	FINDING_LOST,
	FINDING_FREQUENCY,
	FINDING_BUILD_IDS,
	FINDING_KERNEL_SYMBOLS,
	FINDING_KERNEL,
	FINDING_MAPPINGS,
	FINDING_TIMES,
	FINDING_CLOCK,
	FINDING_COUNT,
};

static const struct {
	const char *key, *label;
} finding_names[FINDING_COUNT] = {
	[FINDING_CALLCHAINS] = { "callchains", "callchains" },
	[FINDING_FRAME_POINTERS] = { "frame_pointers", "frame pointers" },
	[FINDING_STACK_DUMPS] = { "stack_dumps", "stack dumps" },
	[FINDING_LOST] = { "lost", "lost samples" },
	[FINDING_FREQUENCY] = { "frequency", "frequency" },
	[FINDING_BUILD_IDS] = { "build_ids", "build-ids" },
	[FINDING_KERNEL_SYMBOLS] = { "kernel_symbols", "kernel symbols" },
	[FINDING_KERNEL] = { "kernel", "kernel" },
	[FINDING_MAPPINGS] = { "mappings", "mappings" },
	[FINDING_TIMES] = { "times", "times" },
	[FINDING_CLOCK] = { "clock", "clock" },
};

struct finding {
	enum finding_kind kind;
	struct sink what; /* what is wrong */
	struct sink how;  /* what to do in addition to the options; can be empty */
	unsigned options; /* bits: enum record_option */
};

struct doctor {
	const struct profile *profile;
	struct finding findings[FINDING_COUNT];
	size_t count;
	struct record_line line;
	char frequency[24];
};

static struct finding *add(struct doctor *doctor, enum finding_kind kind)
{
	struct finding *finding = &doctor->findings[doctor->count++];

	finding->kind = kind;
	sink_init_memory(&finding->what);
	sink_init_memory(&finding->how);
	finding->options = 0;
	return finding;
}

static void request(struct doctor *doctor, struct finding *finding, enum record_option option,
		    const char *value)
{
	finding->options |= 1u << option;
	doctor->line.values[option] = value;
}

/* "47%" */
static void write_share(struct sink *sink, uint64_t part, uint64_t whole)
{
	sink_printf(sink, "%.0f%%", whole ? 100 * (double)part / (double)whole : 0);
}

static bool has_samples(const struct profile_event *event)
{
	return event->sample_count > 0 && !event->is_dummy;
}

static void check_callchains(struct doctor *doctor)
{
	const struct profile *profile = doctor->profile;
	struct finding *finding;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!has_samples(event) || event->has_callchain || event->has_branch_calls)
			continue;
		finding = add(doctor, FINDING_CALLCHAINS);
		sink_text(&finding->what, strings_get(profile->strings, event->name));
		sink_puts(&finding->what, " has no callchains; its flame graph has only one level");
		request(doctor, finding, RECORD_CALL_GRAPH, "fp");
		return;
	}
}

/*
 * The weight of all stacks with user frames, and the weight of the short ones, in total and by
 * module of the leaf.
 */
struct user_stacks {
	uint64_t total, unfinished;
	uint64_t *by_module;
};

static bool is_user(const struct frame *frame)
{
	return frame->kind == FRAME_USER || frame->kind == FRAME_JIT;
}

/* depths: the number of user frames, by row. */
static void count_user_stacks(const struct profile *profile, uint32_t *depths,
			      struct user_stacks *ret)
{
	/* The innermost user frame of each row. */
	uint32_t *leaves = memory_zalloc(profile->stacks.count, sizeof(*leaves));

	for (size_t row = 1; row < profile->stacks.count; row++) {
		const struct stack *stack = &profile->stacks.at[row];
		const struct frame *frame = &profile->frames.at[stack->frame.i];

		depths[row] = depths[stack->parent] + is_user(frame);
		leaves[row] = is_user(frame) ? frame->module.i : leaves[stack->parent];
		/* Without mappings, the modules of these stacks are unknown. */
		if (!depths[row] ||
		    modules_get(profile->modules, (module_id){ leaves[row] })->kind == MODULE_NONE)
			continue;
		ret->total = saturate_add(ret->total, stack->self);
		if (depths[row] > SHORT_STACK_FRAMES)
			continue;
		ret->unfinished = saturate_add(ret->unfinished, stack->self);
		ret->by_module[leaves[row]] =
			saturate_add(ret->by_module[leaves[row]], stack->self);
	}
	memory_free(leaves);
}

static void add_frame_pointers(struct doctor *doctor, const struct user_stacks *stacks)
{
	const struct profile *profile = doctor->profile;
	struct finding *finding = add(doctor, FINDING_FRAME_POINTERS);
	size_t worst = 0;

	for (size_t i = 1; i < profile->modules->rows.count; i++)
		if (stacks->by_module[i] > stacks->by_module[worst])
			worst = i;
	write_share(&finding->what, stacks->unfinished, stacks->total);
	sink_printf(&finding->what, " of the user stacks have at most %u frames, mostly in ",
		    SHORT_STACK_FRAMES);
	sink_text(&finding->what,
		  text_basename(
			  strings_get(profile->strings, profile->modules->rows.at[worst].path)));
	sink_puts(&finding->what, ", which was probably compiled without frame pointers");
	sink_puts(&finding->how, "or compile with -fno-omit-frame-pointer");
	request(doctor, finding, RECORD_CALL_GRAPH, STACK_DUMP);
}

static bool has_frame_pointer_chains(const struct profile *profile)
{
	if (profile->unwound_count)
		return false;
	for (size_t i = 0; i < profile->events.count; i++)
		if (has_samples(&profile->events.at[i]) && profile->events.at[i].has_callchain &&
		    !profile->events.at[i].has_branch_calls)
			return true;
	return false;
}

static void check_frame_pointers(struct doctor *doctor)
{
	const struct profile *profile = doctor->profile;
	struct user_stacks stacks = { 0 };
	uint32_t *depths;

	if (!has_frame_pointer_chains(profile) || !profile->stacks.count)
		return;
	stacks.by_module = memory_zalloc(profile->modules->rows.count, sizeof(uint64_t));
	depths = memory_zalloc(profile->stacks.count, sizeof(*depths));
	count_user_stacks(profile, depths, &stacks);
	if ((double)stacks.unfinished > SHORT_STACK_SHARE * (double)stacks.total)
		add_frame_pointers(doctor, &stacks);
	memory_free(depths);
	memory_free(stacks.by_module);
}

static void write_loss(const struct profile *profile, enum loss_kind kind, struct sink *sink)
{
	double share = loss_share(kind, profile->losses[kind], profile->sample_count);

	sink_puts(sink, sink->used ? "; " : "");
	number_grouped(sink, profile->losses[kind]);
	sink_printf(sink, " %s", loss_words(kind, profile->losses[kind]));
	if (share > 0)
		sink_printf(sink, " (%.2g%%)", 100 * share);
}

static void check_stack_dumps(struct doctor *doctor)
{
	const struct profile *profile = doctor->profile;
	double share = loss_share(LOSS_UNWIND_TRUNCATED, profile->losses[LOSS_UNWIND_TRUNCATED],
				  profile->unwound_count);
	struct finding *finding;

	if (!profile->unwound_count || share < CAVEAT_SHARE_MIN)
		return;
	finding = add(doctor, FINDING_STACK_DUMPS);
	write_loss(profile, LOSS_UNWIND_TRUNCATED, &finding->what);
	request(doctor, finding, RECORD_CALL_GRAPH, STACK_DUMP_MAX);
}

/* Returns the highest frequency of an event with samples, or 0 if no event has a frequency. */
static uint64_t highest_frequency(const struct profile *profile)
{
	uint64_t highest = 0;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (has_samples(event) && event->is_frequency && event->sample_period > highest)
			highest = event->sample_period;
	}
	return highest;
}

static void request_frequency(struct doctor *doctor, struct finding *finding, uint64_t frequency)
{
	if (frequency < FREQUENCY_MIN_HZ)
		return;
	snprintf(doctor->frequency, sizeof(doctor->frequency), "%" PRIu64, frequency);
	request(doctor, finding, RECORD_FREQUENCY, doctor->frequency);
}

/* Lost and throttled samples have the same cause: the kernel wrote more than perf could read. */
/*
 * Returns about half of a sampling rate. Samples at a divisor of the timer frequency would be in
 * step with timer ticks; all usual timer frequencies are multiples of 10.
 */
static uint64_t half_of(uint64_t frequency)
{
	uint64_t half = (frequency > FREQUENCY_MAX_HZ ? FREQUENCY_MAX_HZ : frequency) / 2;

	return half % 10 == 0 && half ? half - 1 : half;
}

static void check_lost(struct doctor *doctor)
{
	static const enum loss_kind kinds[] = { LOSS_RECORDS, LOSS_SAMPLES, LOSS_THROTTLED };
	const struct profile *profile = doctor->profile;
	uint64_t frequency = highest_frequency(profile);
	struct finding *finding = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!profile->losses[kinds[i]])
			continue;
		if (!finding)
			finding = add(doctor, FINDING_LOST);
		write_loss(profile, kinds[i], &finding->what);
	}
	if (!finding)
		return;
	request_frequency(doctor, finding, half_of(frequency));
	if (profile->losses[LOSS_RECORDS] || profile->losses[LOSS_SAMPLES])
		request(doctor, finding, RECORD_BUFFER, "8M");
	if (!frequency)
		sink_puts(&finding->how, "or select fewer events with --filter, -p or -C");
}

static void check_frequency(struct doctor *doctor)
{
	uint64_t frequency = highest_frequency(doctor->profile);
	struct finding *finding;

	if (frequency <= FREQUENCY_MAX_HZ)
		return;
	finding = add(doctor, FINDING_FREQUENCY);
	number_grouped(&finding->what, frequency);
	sink_puts(&finding->what, " samples a second on each CPU slow the program down; a flame "
				  "graph needs at most 1,000");
	if (!doctor->line.values[RECORD_FREQUENCY])
		request_frequency(doctor, finding, FREQUENCY_MAX_HZ - 1);
	else
		finding->options |= 1u << RECORD_FREQUENCY;
}

static void check_build_ids(struct doctor *doctor)
{
	const struct modules *modules = doctor->profile->modules;
	uint32_t sampled = 0;
	uint32_t without = 0;
	uint32_t late = 0;
	struct finding *finding;

	for (size_t i = 1; i < modules->rows.count; i++) {
		const struct module *module = &modules->rows.at[i];

		if (module->kind != MODULE_FILE || !module->location_count)
			continue;
		sampled++;
		if (!module->build_id.size_bytes)
			without++;
		else if (module->build_id_source != BUILD_ID_BY_KERNEL)
			late++;
	}
	if (!without && !late)
		return;
	finding = add(doctor, FINDING_BUILD_IDS);
	if (without)
		sink_printf(&finding->what, "%u of %u DSOs %s no build-id", without, sampled,
			    without == 1 ? "has" : "have");
	if (late)
		sink_printf(&finding->what, "%sthe %s of %u of %u DSOs %s read after recording",
			    without ? "; " : "", late == 1 ? "build-id" : "build-ids", late,
			    sampled, late == 1 ? "was" : "were");
	sink_puts(&finding->how,
		  "requires perf 5.12 and Linux 5.12; or run kiln bundle on the host");
	request(doctor, finding, RECORD_BUILD_IDS, "");
}

/* Without the kernel's address, perf record has no kernel mapping with a reference symbol. */
static void check_kernel_symbols(struct doctor *doctor)
{
	const struct modules *modules = doctor->profile->modules;
	bool has_kernel = false;
	bool has_address = false;
	struct finding *finding;

	for (size_t i = 0; i < modules->rows.count; i++) {
		const struct module *module = &modules->rows.at[i];

		has_kernel |= module->kind == MODULE_KERNEL && module->location_count;
		has_address |= module->kind == MODULE_KERNEL &&
			       (module->start || module->reference_address);
	}
	if (!has_kernel || has_address)
		return;
	finding = add(doctor, FINDING_KERNEL_SYMBOLS);
	sink_puts(&finding->what, "the addresses of kernel symbols were hidden from perf");
	sink_puts(&finding->how,
		  "record as root, or first run: sudo sysctl kernel.kptr_restrict=0");
}

static bool command_has(const struct profile *profile, const char *word)
{
	struct text line = profile->facts[FACT_COMMAND_LINE];

	return line.at && memmem(line.at, line.length, word, strlen(word));
}

/* perf adds ":u" to events that the user is not allowed to count in the kernel. */
static void check_kernel(struct doctor *doctor)
{
	const struct profile *profile = doctor->profile;
	struct finding *finding;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!has_samples(event) || !event->excludes_kernel || event->excludes_user ||
		    !profile->facts[FACT_COMMAND_LINE].at || command_has(profile, ":") ||
		    command_has(profile, "--all-user"))
			continue;
		finding = add(doctor, FINDING_KERNEL);
		sink_text(&finding->what, strings_get(profile->strings, event->name));
		sink_puts(&finding->what,
			  " does not count in the kernel, because the user was not permitted to "
			  "record it");
		sink_puts(&finding->how, "record as root, or first run: sudo sysctl "
					 "kernel.perf_event_paranoid=1");
		return;
	}
}

/* The weight of samples whose leaf is not in a known mapping. */
static uint64_t unmapped_weight(const struct profile *profile)
{
	uint64_t weight = 0;

	for (size_t row = 1; row < profile->stacks.count; row++) {
		const struct stack *stack = &profile->stacks.at[row];
		const struct frame *frame = &profile->frames.at[stack->frame.i];

		/* A function that several DSOs have may have no module, but it has a name. */
		if (is_user(frame) && !frame->is_named &&
		    modules_get(profile->modules, frame->module)->kind == MODULE_NONE)
			weight = saturate_add(weight, stack->self);
	}
	return weight;
}

static void check_mappings(struct doctor *doctor)
{
	const struct profile *profile = doctor->profile;
	uint64_t total = profile->stacks.count ? profile->stacks.at[0].total : 0;
	uint64_t unmapped = unmapped_weight(profile);
	bool is_incomplete = profile->losses[LOSS_MAPS_TRUNCATED] > 0;
	struct finding *finding;

	if (!is_incomplete && (double)unmapped < CAVEAT_SHARE_MIN * (double)total)
		return;
	if (!is_incomplete && !unmapped)
		return;
	finding = add(doctor, FINDING_MAPPINGS);
	if (is_incomplete) {
		write_loss(profile, LOSS_MAPS_TRUNCATED, &finding->what);
		request(doctor, finding, RECORD_MAP_TIMEOUT, "5000");
	}
	if (unmapped) {
		sink_puts(&finding->what, finding->what.used ? "; " : "");
		write_share(&finding->what, unmapped, total);
		sink_puts(&finding->what, " of the samples are in no known mapping");
		sink_puts(&finding->how, "record as root, and avoid losing records, because lost "
					 "records may describe mappings");
	}
}

static void check_times(struct doctor *doctor)
{
	const struct profile *profile = doctor->profile;
	struct finding *finding;

	if (!profile->sample_count)
		return;
	if (!profile_has_time(profile)) {
		finding = add(doctor, FINDING_TIMES);
		sink_puts(&finding->what,
			  "samples have no time, so heat maps and --time do not work");
		request(doctor, finding, RECORD_TIMES, "");
	}
	if (profile->clock.is_known)
		return;
	finding = add(doctor, FINDING_CLOCK);
	sink_puts(&finding->what, "the wall-clock time is unknown, so the capture cannot be "
				  "compared with logs");
	request(doctor, finding, RECORD_CLOCK, "mono");
}

static void write_options(const struct doctor *doctor, const struct finding *finding,
			  struct sink *sink)
{
	const char *separator = "";

	for (int i = 0; i < RECORD_OPTION_COUNT; i++) {
		if (!(finding->options & 1u << i))
			continue;
		sink_puts(sink, separator);
		record_line_write_option(&doctor->line, (enum record_option)i, sink);
		separator = " ";
	}
}

#define LABEL_COLUMNS 16

static void write_finding(const struct doctor *doctor, const struct finding *finding,
			  struct sink *sink)
{
	sink_printf(sink, "\n%-*s ", LABEL_COLUMNS, finding_names[finding->kind].label);
	escape_terminal(sink, sink_memory(&finding->what));
	sink_printf(sink, "\n%*s ", LABEL_COLUMNS, "");
	write_options(doctor, finding, sink);
	if (finding->how.used) {
		if (finding->options)
			sink_printf(sink, "\n%*s ", LABEL_COLUMNS, "");
		sink_text(sink, sink_memory(&finding->how));
	}
	sink_char(sink, '\n');
}

static void write_line(const struct doctor *doctor, struct sink *sink)
{
	struct text recorded = doctor->profile->facts[FACT_COMMAND_LINE];

	record_line_write(&doctor->line, recorded.at ? recorded : text_of(""), sink);
}

static void write_text(const struct doctor *doctor, struct sink *sink)
{
	struct sink line;

	escape_terminal(sink, strings_get(doctor->profile->strings, doctor->profile->input_name));
	if (!doctor->count) {
		sink_puts(sink, ": nothing would make the next recording better\n");
		return;
	}
	sink_printf(sink, ": %zu %s would make the next recording better\n", doctor->count,
		    doctor->count == 1 ? "change" : "changes");
	for (size_t i = 0; i < doctor->count; i++)
		write_finding(doctor, &doctor->findings[i], sink);
	sink_init_memory(&line);
	write_line(doctor, &line);
	sink_puts(sink, "\nrecord again with\n  ");
	escape_terminal(sink, sink_memory(&line));
	sink_char(sink, '\n');
	sink_deinit(&line);
}

static void write_json(const struct doctor *doctor, struct sink *sink)
{
	struct sink text;
	struct json json;

	sink_init_memory(&text);
	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_text(&json, "input",
		  strings_get(doctor->profile->strings, doctor->profile->input_name));
	json_open_array(&json, "findings");
	for (size_t i = 0; i < doctor->count; i++) {
		const struct finding *finding = &doctor->findings[i];

		text.used = 0;
		write_options(doctor, finding, &text);
		json_open_object(&json, NULL);
		json_text(&json, "name", text_of(finding_names[finding->kind].key));
		json_text(&json, "text", sink_memory(&finding->what));
		json_text(&json, "options", sink_memory(&text));
		json_text(&json, "advice", sink_memory(&finding->how));
		json_close_object(&json);
	}
	json_close_array(&json);
	text.used = 0;
	write_line(doctor, &text);
	json_text(&json, "record", sink_memory(&text));
	json_close_object(&json);
	json_finish(&json);
	sink_deinit(&text);
}

static bool was_recorded(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].has_attr)
			return true;
	return false;
}

bool recording_advice_write(const struct profile *profile, bool is_json, struct sink *sink,
			    struct error *err)
{
	struct doctor doctor = { .profile = profile };

	if (!was_recorded(profile))
		return error_set(err, ERROR_USAGE,
				 "perf record did not write this input; kiln info describes it");
	check_callchains(&doctor);
	check_frame_pointers(&doctor);
	check_stack_dumps(&doctor);
	check_lost(&doctor);
	check_frequency(&doctor);
	check_build_ids(&doctor);
	check_kernel_symbols(&doctor);
	check_kernel(&doctor);
	check_mappings(&doctor);
	check_times(&doctor);
	if (is_json)
		write_json(&doctor, sink);
	else
		write_text(&doctor, sink);
	for (size_t i = 0; i < doctor.count; i++) {
		sink_deinit(&doctor.findings[i].what);
		sink_deinit(&doctor.findings[i].how);
	}
	return true;
}
