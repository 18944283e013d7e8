/* SPDX-License-Identifier: MIT */
#include "render/info_files.h"

#include <inttypes.h>

#include "base/saturate.h"
#include "render/escape.h"
#include "render/info_advice.h"
#include "render/number.h"

static const char *const verdict_texts[] = {
	[VERDICT_UNTOUCHED] = "not needed",  [VERDICT_VERIFIED] = "verified",
	[VERDICT_SAME_FILE] = "same file",   [VERDICT_UNVERIFIED] = "unverified",
	[VERDICT_MISMATCH] = "mismatch",     [VERDICT_MISSING] = "missing",
	[VERDICT_NO_SYMBOLS] = "no symbols", [VERDICT_DAMAGED] = "damaged",
	[VERDICT_NONE_NEEDED] = "no file",
};

/* Where the lines below a file's own begin. */
#define INDENT 40

struct listed {
	const struct module *module;
	struct text path;
	uint64_t self;    /* weight of the samples that ended in it */
	uint64_t unnamed; /* of those the part that ended in code without a name */
};

typedef VEC(struct listed) listing;

static bool is_listed(const struct module *module)
{
	return module->location_count > 0 && module->kind != MODULE_NONE &&
	       module->kind != MODULE_MARK;
}

/* The heaviest first, then those with the most places: there a missing file hurts most. */
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

/* Adds up what ended in each module; sums has a row for each. */
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

static void write_places(const struct profile *profile, const struct module *module,
			 struct sink *sink)
{
	for (uint32_t i = 0; i < module->place_count; i++) {
		const struct module_place *place =
			&profile->modules->places.at[module->place_first + i];

		sink_printf(sink, "%*slooked: ", INDENT, "");
		escape_terminal(sink, strings_get(profile->strings, place->path));
		sink_printf(sink, ": %s",
			    place->verdict == VERDICT_MISSING ? "nothing there"
							      : verdict_texts[place->verdict]);
		if (place->reason.i) {
			sink_puts(sink, ", ");
			escape_terminal(sink, strings_get(profile->strings, place->reason));
		}
		sink_char(sink, '\n');
	}
	if (module->place_more_count)
		sink_printf(sink, "%*sand in %" PRIu32 " places more\n", INDENT, "",
			    module->place_more_count);
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

static void write_module(const struct profile *profile, const struct listed *row, struct sink *sink)
{
	const struct module *module = row->module;
	char build_id[BUILD_ID_TEXT_BYTES];

	build_id_hex(&module->build_id, build_id);
	number_percent_padded(sink, row->self, total_of(profile), 8);
	sink_printf(sink, "  %7" PRIu32 " %7" PRIu32 "  %-10s   ", module->location_count,
		    module->named_count, verdict_texts[module->verdict]);
	escape_terminal(sink, row->path);
	if (module->kind == MODULE_ANONYMOUS || module->kind == MODULE_JITDUMP)
		sink_printf(sink, " of process %" PRIu32, module->pid);
	sink_char(sink, '\n');
	if (*build_id)
		sink_printf(sink, "%*sbuild-id %s\n", INDENT, "", build_id);
	write_detail(profile, "named by ", module->symbol_file, sink);
	write_detail(profile, "", module->reason, sink);
	write_detail(profile, "no inlined functions: ", module->inline_reason, sink);
}

/* The one with the most that has no name first. */
static int compare_unnamed(const void *a, const void *b)
{
	const struct listed *left = a;
	const struct listed *right = b;

	if (left->unnamed != right->unnamed)
		return left->unnamed > right->unnamed ? -1 : 1;
	return compare_listed(a, b);
}

/* Of the worst about which something can be done; leaves modules in another order. */
static void write_advice(const struct profile *profile, listing *modules, struct sink *sink)
{
	if (modules->count)
		qsort(modules->at, modules->count, sizeof(*modules->at), compare_unnamed);
	for (size_t i = 0; i < modules->count; i++)
		if (info_advice_write(profile, modules->at[i].module, modules->at[i].unnamed, sink))
			return;
}

void info_files_write_text(const struct profile *profile, bool with_places, struct sink *sink)
{
	listing modules = { 0 };

	list_modules(profile, &modules);
	sink_puts(sink, "\nfiles\n   share   places   named  verdict      path\n");
	for (size_t i = 0; i < modules.count; i++) {
		write_module(profile, &modules.at[i], sink);
		if (with_places)
			write_places(profile, modules.at[i].module, sink);
	}
	if (with_places)
		write_advice(profile, &modules, sink);
	vec_free(&modules);
}

static void json_places(const struct profile *profile, const struct module *module,
			struct json *json)
{
	json_open_array(json, "looked_in");
	for (uint32_t i = 0; i < module->place_count; i++) {
		const struct module_place *place =
			&profile->modules->places.at[module->place_first + i];

		json_open_object(json, NULL);
		json_text(json, "path", strings_get(profile->strings, place->path));
		json_text(json, "verdict", text_of(verdict_texts[place->verdict]));
		json_text(json, "reason", strings_get(profile->strings, place->reason));
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
	json_text(json, "verdict", text_of(verdict_texts[module->verdict]));
	json_text(json, "symbol_file", strings_get(profile->strings, module->symbol_file));
	json_text(json, "reason", strings_get(profile->strings, module->reason));
	if (module->inline_reason.i)
		json_text(json, "inline_reason",
			  strings_get(profile->strings, module->inline_reason));
	json_u64(json, "self", row->self);
	json_u64(json, "places", module->location_count);
	json_u64(json, "named", module->named_count);
	json_places(profile, module, json);
	json_close_object(json);
}

void info_files_write_json(const struct profile *profile, struct json *json)
{
	listing modules = { 0 };

	list_modules(profile, &modules);
	json_open_array(json, "files");
	for (size_t i = 0; i < modules.count; i++)
		json_module(profile, &modules.at[i], json);
	json_close_array(json);
	vec_free(&modules);
}
