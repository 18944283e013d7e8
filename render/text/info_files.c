/* SPDX-License-Identifier: MIT */
#include "render/text/info.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "profile/tree/name_shares.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/text/info_advice.h"

static const char *const match_texts[] = {
	[MATCH_NOT_NEEDED] = "not needed",    [MATCH_VERIFIED] = "verified",
	[MATCH_LATE_BUILD_ID] = "unverified", [MATCH_SAME_FILE] = "same file",
	[MATCH_UNVERIFIED] = "unverified",    [MATCH_MISMATCHED] = "mismatch",
	[MATCH_MISSING] = "missing",          [MATCH_NO_SYMBOLS] = "no symbols",
	[MATCH_CORRUPT] = "corrupt",          [MATCH_NO_FILE] = "no file",
};

/*
 * How a build-id was verified, in text and in JSON. If perf read a build-id only after recording,
 * the file may have been replaced by then.
 */
static const struct {
	const char *text, *word;
} proof_texts[PROOF_COUNT] = {
	[PROOF_NONE] = { ", read by perf after recording", "" },
	[PROOF_INODE] = { ", read by perf after recording; inode matches", "inode" },
	[PROOF_CODE] = { ", read by perf after recording; code matches", "code" },
	[PROOF_OTHER_INODE] = { ", read by perf after recording, belongs to a different file",
				"other inode" },
	[PROOF_OTHER_CODE] = { ", read by perf after recording, belongs to a different file",
			       "other code" },
	[PROOF_REWRITTEN] = { ", read by perf after recording, from a file that was replaced",
			      "rewritten" },
};

/* The column of the continuation lines of a file. */
#define INDENT 40

struct listed {
	const struct module *module;
	struct text path;
	uint64_t self;    /* weight of the samples whose leaf is in the module */
	uint64_t unnamed; /* the part of self in frames without a name */
};

typedef VEC(struct listed) listing;

static bool is_listed(const struct module *module)
{
	return module->location_count > 0 && module->kind != MODULE_NONE &&
	       module->kind != MODULE_MARK;
}

/*
 * Sorts by weight, then by number of addresses, because a missing file matters most if these are
 * large.
 */
static int compare_listed(const void *a, const void *b)
{
	const struct listed *left = a;
	const struct listed *right = b;

	if (left->self != right->self)
		return left->self > right->self ? -1 : 1;
	if (left->module->location_count != right->module->location_count)
		return left->module->location_count > right->module->location_count ? -1 : 1;
	return text_compare(left->path, right->path);
}

/* Adds up the self weight by module; `sums` has one row per module. */
static void sum_selves(const struct profile *profile, struct listed *sums)
{
	for (size_t i = 1; i < profile->stacks.count; i++) {
		const struct stack *stack = &profile->stacks.at[i];
		const struct frame *frame = &profile->frames.at[stack->frame.i];
		struct listed *sum = &sums[frame->module.i];

		sum->self = saturate_add(sum->self, stack->self);
		if (!frame->is_named)
			sum->unnamed = saturate_add(sum->unnamed, stack->self);
	}
}

static void list_modules(const struct profile *profile, listing *ret)
{
	struct listed *sums = memory_zalloc(profile->modules->rows.count, sizeof(*sums));

	sum_selves(profile, sums);
	for (size_t i = 0; i < profile->modules->rows.count; i++) {
		const struct module *module = &profile->modules->rows.at[i];

		if (!is_listed(module))
			continue;
		sums[i].module = module;
		sums[i].path = strings_get(profile->strings, module->path);
		vec_push(ret, sums[i]);
	}
	if (ret->count)
		qsort(ret->at, ret->count, sizeof(*ret->at), compare_listed);
	memory_free(sums);
}

static uint64_t total_of(const struct profile *profile)
{
	return profile->stacks.count ? profile->stacks.at[0].total : 0;
}

static void write_searched_paths(const struct profile *profile, const struct module *module,
				 struct sink *sink)
{
	for (uint32_t i = 0; i < module->searched_count; i++) {
		const struct searched_path *searched =
			&profile->modules->searched_paths.at[module->searched_first + i];

		sink_printf(sink, "%*ssearched: ", INDENT, "");
		escape_terminal(sink, strings_get(profile->strings, searched->path));
		sink_printf(sink, ": %s",
			    searched->match == MATCH_MISSING ? "not found"
							     : match_texts[searched->match]);
		if (searched->reason.i) {
			sink_puts(sink, ", ");
			escape_terminal(sink, strings_get(profile->strings, searched->reason));
		}
		sink_char(sink, '\n');
	}
	if (module->searched_more_count)
		sink_printf(sink, "%*sand %" PRIu32 " more location%s\n", INDENT, "",
			    module->searched_more_count,
			    module->searched_more_count == 1 ? "" : "s");
}

static void write_detail(const struct profile *profile, const char *label, str_id text,
			 struct sink *sink)
{
	if (!text.i)
		return;
	sink_printf(sink, "%*s%s", INDENT, "", label);
	escape_terminal(sink, strings_get(profile->strings, text));
	sink_char(sink, '\n');
}

static bool has_listed_build_id(const struct module *module)
{
	return module->kind == MODULE_FILE && module->build_id.size_bytes &&
	       module->build_id_source == BUILD_ID_BY_RECORDER;
}

static void write_build_id(const struct module *module, struct sink *sink)
{
	char build_id[BUILD_ID_TEXT_BYTES];

	if (module->build_id.size_bytes)
		sink_printf(sink, "%*sbuild-id %s%s\n", INDENT, "",
			    build_id_hex(&module->build_id, build_id),
			    has_listed_build_id(module) ? proof_texts[module->build_id_proof].text
							: "");
	else if (module->listed_build_id.size_bytes)
		sink_printf(
			sink,
			"%*sbuild-id %s belongs to one of several files that were mapped from this "
			"path\n",
			INDENT, "", build_id_hex(&module->listed_build_id, build_id));
	else if (module->match == MATCH_VERIFIED && module->kind == MODULE_FILE)
		sink_printf(sink, "%*scode matches\n", INDENT, "");
}

static void write_module(const struct profile *profile, const struct listed *row, struct sink *sink)
{
	const struct module *module = row->module;

	number_percent_padded(sink, row->self, total_of(profile), 8);
	sink_printf(sink, "  %7" PRIu32 " %7" PRIu32 "  %-10s   ", module->location_count,
		    module->named_count, match_texts[module->match]);
	escape_terminal(sink, row->path);
	if (module->kind == MODULE_ANONYMOUS || module->kind == MODULE_JITDUMP)
		sink_printf(sink, " of process %" PRIu32, module->pid);
	sink_char(sink, '\n');
	write_build_id(module, sink);
	write_detail(profile, "symbols from ", module->symbol_file, sink);
	write_detail(profile, "", module->reason, sink);
	write_detail(profile, "no inlined functions: ", module->inline_reason, sink);
}

/* Sorts by the weight of unnamed frames, largest first. */
static int compare_unnamed(const void *a, const void *b)
{
	const struct listed *left = a;
	const struct listed *right = b;

	if (left->unnamed != right->unnamed)
		return left->unnamed > right->unnamed ? -1 : 1;
	return compare_listed(a, b);
}

/* Writes the advice for the first file for which there is advice. */
static void write_advice(const struct profile *profile, const listing *modules, struct sink *sink)
{
	for (size_t i = 0; i < modules->count; i++)
		if (info_advice_write(profile, modules->at[i].module, modules->at[i].unnamed, sink))
			return;
}

/*
 * If build-ids in the capture are unverified or wrong, suggests perf record --buildid-mmap.
 */
static void write_build_id_advice(const listing *modules, struct sink *sink)
{
	for (size_t i = 0; i < modules->count; i++) {
		const struct module *module = modules->at[i].module;

		if (module->match != MATCH_LATE_BUILD_ID && !module_has_other_build_id(module) &&
		    !module->listed_build_id.size_bytes)
			continue;
		sink_puts(
			sink,
			"\nperf record --buildid-mmap records the build-id of each file when it is "
			"mapped, so that the file can be verified\n");
		return;
	}
}

/* If other events have samples, too, states to which event the shares refer. */
static void write_columns(const struct profile *profile, struct sink *sink)
{
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!event->sample_count || event->is_shown)
			continue;
		sink_puts(sink, "  shares of the event ");
		escape_terminal(sink, strings_get(profile->strings, profile->event_name));
		sink_char(sink, '\n');
		break;
	}
	sink_puts(sink, "   share    addrs   named  match        path\n");
}

void info_files_write_text(const struct profile *profile, struct sink *sink)
{
	listing modules = { 0 };

	list_modules(profile, &modules);
	sink_puts(sink, "\nfiles\n");
	write_columns(profile, sink);
	for (size_t i = 0; i < modules.count; i++)
		write_module(profile, &modules.at[i], sink);
	write_build_id_advice(&modules, sink);
	vec_free(&modules);
}

/* The file in the name of a frame without a symbol: "libc.so.6" of "[libc.so.6+0x1f3c0]". */
static struct text file_of_frame(struct text name)
{
	const char *plus;

	if (name.length < 2 || name.at[0] != '[' || name.at[name.length - 1] != ']')
		return name;
	name = (struct text){ name.at + 1, name.length - 2 };
	plus = memmem(name.at, name.length, "+0x", 3);
	if (plus)
		name.length = (uint32_t)(plus - name.at);
	return name;
}

/* Whether some names are missing or unverified, or inlined functions are missing. */
static bool has_name_problem(const struct module *module)
{
	return module->named_count < module->location_count || name_shares_is_unverified(module) ||
	       module->inline_reason.i;
}

/* "[kernel.kallsyms]" also counts as a path. */
static bool is_asked_for(const struct listed *row, struct text name)
{
	struct text file = file_of_frame(name);

	/* Warnings about any of these problems refer to this list. */
	if (!name.length)
		return has_name_problem(row->module);
	return memmem(row->path.at, row->path.length, file.at, file.length) != NULL;
}

/* Lists the files for --why, sorted by the weight of unnamed frames, largest first. */
static void list_why(const struct profile *profile, struct text name, listing *ret)
{
	listing all = { 0 };

	list_modules(profile, &all);
	for (size_t i = 0; i < all.count; i++)
		if (is_asked_for(&all.at[i], name))
			vec_push(ret, all.at[i]);
	if (ret->count)
		qsort(ret->at, ret->count, sizeof(*ret->at), compare_unnamed);
	vec_free(&all);
}

/* Whether the address of a frame is outside all recorded mappings. */
static bool is_nowhere(const struct frame *frame)
{
	return !frame->is_named && frame->module.i == 0 && frame->kind == FRAME_USER;
}

/* The weight of samples whose leaf or, with is_any_frame, any frame is outside all mappings. */
static uint64_t weight_nowhere(const struct profile *profile, bool is_any_frame)
{
	uint64_t sum = 0;

	for (size_t i = 1; i < profile->stacks.count; i++) {
		const struct stack *stack = &profile->stacks.at[i];

		if (!is_nowhere(&profile->frames.at[stack->frame.i]))
			continue;
		sum = saturate_add(sum, is_any_frame ? stack->total : stack->self);
		if (is_any_frame)
			i = stack->end - 1;
	}
	return sum;
}

static bool is_nowhere_asked_for(const struct profile *profile, struct text name)
{
	if (name.length && !text_is(name, "[unknown]"))
		return false;
	for (size_t i = 0; i < profile->frames.count; i++)
		if (is_nowhere(&profile->frames.at[i]))
			return true;
	return false;
}

static void write_nowhere(const struct profile *profile, struct sink *sink)
{
	number_percent_padded(sink, weight_nowhere(profile, false), total_of(profile), 8);
	sink_printf(sink,
		    "%*s[unknown]\n%*saddresses outside all recorded mappings, on the stacks of ",
		    INDENT - 2 - 8, "no file      ", INDENT, "");
	number_percent_padded(sink, weight_nowhere(profile, true), total_of(profile), 0);
	sink_printf(sink,
		    " of the profile\n%*susually wrong return addresses, from code without frame "
		    "pointers; see kiln doctor\n",
		    INDENT, "");
}

bool info_files_write_why(const struct profile *profile, struct text name, struct sink *sink)
{
	bool has_nowhere = is_nowhere_asked_for(profile, name);
	listing modules = { 0 };
	size_t count;

	list_why(profile, name, &modules);
	count = modules.count + has_nowhere;
	if (count)
		write_columns(profile, sink);
	else if (!name.length)
		sink_puts(sink, "all frames have names\n");
	for (size_t i = 0; i < modules.count; i++) {
		write_module(profile, &modules.at[i], sink);
		write_searched_paths(profile, modules.at[i].module, sink);
	}
	if (has_nowhere)
		write_nowhere(profile, sink);
	write_advice(profile, &modules, sink);
	vec_free(&modules);
	return count || !name.length;
}

static void json_searched_paths(const struct profile *profile, const struct module *module,
				struct json *json)
{
	json_open_array(json, "looked_in");
	for (uint32_t i = 0; i < module->searched_count; i++) {
		const struct searched_path *searched =
			&profile->modules->searched_paths.at[module->searched_first + i];

		json_open_object(json, NULL);
		json_text(json, "path", strings_get(profile->strings, searched->path));
		json_text(json, "match_status", text_of(match_texts[searched->match]));
		json_text(json, "reason", strings_get(profile->strings, searched->reason));
		json_close_object(json);
	}
	json_close_array(json);
}

static void json_module(const struct profile *profile, const struct listed *row, struct json *json)
{
	const struct module *module = row->module;
	char build_id[BUILD_ID_TEXT_BYTES];

	build_id_hex(&module->build_id, build_id);
	json_open_object(json, NULL);
	json_text(json, "path", row->path);
	if (module->kind == MODULE_ANONYMOUS || module->kind == MODULE_JITDUMP)
		json_u64(json, "pid", module->pid);
	json_text(json, "build_id", text_of(build_id));
	if (module->kind == MODULE_FILE && *build_id)
		json_text(json, "build_id_source",
			  text_of(has_listed_build_id(module) ? "perf" : "kernel"));
	if (has_listed_build_id(module))
		json_text(json, "build_id_proof",
			  text_of(proof_texts[module->build_id_proof].word));
	json_text(json, "match_status", text_of(match_texts[module->match]));
	json_text(json, "symbol_file", strings_get(profile->strings, module->symbol_file));
	json_text(json, "reason", strings_get(profile->strings, module->reason));
	if (module->inline_reason.i)
		json_text(json, "inline_reason",
			  strings_get(profile->strings, module->inline_reason));
	json_u64(json, "self", row->self);
	json_u64(json, "addresses", module->location_count);
	json_u64(json, "named", module->named_count);
	json_searched_paths(profile, module, json);
	json_close_object(json);
}

static void json_modules(const struct profile *profile, const listing *modules, struct json *json)
{
	json_open_array(json, "files");
	for (size_t i = 0; i < modules->count; i++)
		json_module(profile, &modules->at[i], json);
	json_close_array(json);
}

void info_files_write_json(const struct profile *profile, struct json *json)
{
	listing modules = { 0 };

	list_modules(profile, &modules);
	json_modules(profile, &modules, json);
	vec_free(&modules);
}

bool info_files_write_why_json(const struct profile *profile, struct text name, struct json *json)
{
	listing modules = { 0 };
	bool is_there;

	list_why(profile, name, &modules);
	is_there = !name.length || modules.count || is_nowhere_asked_for(profile, name);
	json_u64(json, "total", total_of(profile));
	json_u64(json, "unknown", weight_nowhere(profile, false));
	json_modules(profile, &modules, json);
	vec_free(&modules);
	return is_there;
}
