/* SPDX-License-Identifier: MIT */
/* Fills session->annotation: counts samples by address, then reads the code and its lines. */
#include <elf.h>

#include "annotate/disassembly.h"
#include "base/arithmetic.h"
#include "base/near_name.h"
#include "base/sink.h"
#include "profile/selection/choose_event.h"
#include "session/sampling.h"
#include "session/session.h"
#include "session/source_file.h"
#include "session/symbol_files.h"
#include "symbolise/elf/function_code.h"

/* Maximum size of the code that is disassembled for all functions of an annotation. */
#define LIMIT_ANNOTATED_BYTES (4u << 20)

/* The samples of one event at a location. */
struct leaf_count {
	uint32_t location, event; /* event: column of the annotation */
	struct annotation_count count;
};

/* The locations with samples in one function, as a range of annotating.leaves. */
struct sampled_function {
	struct annotated_function row;
	size_t leaf_first, leaf_count;
};

struct annotating {
	struct session *session;
	struct annotation *annotation;
	uint32_t *columns;          /* by event of the profile; ANNOTATION_NONE if not shown */
	struct selection leaves_of; /* the selection, but without the requested functions */
	VEC(struct leaf_count) leaves;
	VEC(struct sampled_function) functions;
	uint64_t code_bytes; /* disassembled so far */
	bool has_names;      /* a sample is in a function with a name */
};

static const struct location *location_of(const struct annotating *annotating, size_t leaf)
{
	return &annotating->session->locations.rows.at[annotating->leaves.at[leaf].location];
}

static void add_count(struct annotation_count *to, struct annotation_count count)
{
	to->sample_count = saturate_add(to->sample_count, count.sample_count);
	to->weight = saturate_add(to->weight, count.weight);
}

/* Lists the events that are shown; if there are too many, only the first ones. */
static bool choose_columns(struct annotating *annotating, struct error *err)
{
	struct session *session = annotating->session;
	struct annotation *annotation = annotating->annotation;
	const struct profile *profile = &session->profile;

	annotating->columns = memory_alloc(profile->events.count, sizeof(uint32_t));
	if (!choose_event(&session->profile, &session->view, err))
		return error_prefix(err, "%s", session->capture.input.name);
	for (uint32_t i = 0; i < profile->events.count; i++) {
		annotating->columns[i] = ANNOTATION_NONE;
		if (!profile->events.at[i].is_shown ||
		    annotation->event_count == ANNOTATION_EVENTS_MAX)
			continue;
		annotating->columns[i] = annotation->event_count;
		annotation->events[annotation->event_count++] = i;
	}
	return true;
}

static void count_stacks(struct annotating *annotating, const struct resolved *resolved)
{
	struct session *session = annotating->session;
	const struct view *view = &session->view;

	for (size_t i = 0; i < resolved->stacks.count; i++) {
		const struct resolved_stack *stack = &resolved->stacks.at[i];
		uint32_t column = annotating->columns[resolved->keys.at[stack->key].event];
		struct leaf_count leaf = { stack->leaf.i,
					   column,
					   { stack->sample_count, stack->period_sum } };

		if (column == ANNOTATION_NONE ||
		    !selection_includes_leaf(&annotating->leaves_of, &session->profile,
					     &session->locations, stack->leaf))
			continue;
		add_count(&annotating->annotation->totals[column], leaf.count);
		if (stack->leaf.i == LOCATION_NONE.i ||
		    !session->locations.rows.at[stack->leaf.i].is_named)
			continue;
		annotating->has_names = true;
		if (!selection_includes_leaf(&view->selection, &session->profile,
					     &session->locations, stack->leaf))
			continue;
		session->visited_count += stack->sample_count;
		vec_push(&annotating->leaves, leaf);
	}
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Orders by function, then by address and event. */
static int compare_leaves(const void *a, const void *b, void *context)
{
	const struct annotating *annotating = context;
	const struct leaf_count *left = a, *right = b;
	const struct location *rows = annotating->session->locations.rows.at;
	const struct location *one = &rows[left->location], *other = &rows[right->location];
	int order = compare_numbers(one->module.i, other->module.i);

	if (!order)
		order = compare_numbers(one->symbol_start, other->symbol_start);
	if (!order)
		order = compare_numbers(one->name.i, other->name.i);
	if (!order)
		order = compare_numbers(one->address, other->address);
	return order ? order : compare_numbers(left->event, right->event);
}

static bool is_same_function(const struct location *a, const struct location *b)
{
	return a->module.i == b->module.i && a->symbol_start == b->symbol_start &&
	       a->name.i == b->name.i;
}

/* Orders by the weight of the first event that differs, then by name. */
static int compare_functions(const void *a, const void *b, void *context)
{
	const struct annotating *annotating = context;
	const struct profile *profile = &annotating->session->profile;
	const struct annotated_function *left = &((const struct sampled_function *)a)->row;
	const struct annotated_function *right = &((const struct sampled_function *)b)->row;
	int order;

	for (uint32_t i = 0; i < annotating->annotation->event_count; i++)
		if (left->counts[i].weight != right->counts[i].weight)
			return left->counts[i].weight > right->counts[i].weight ? -1 : 1;
	order = text_compare(strings_get(profile->strings, left->name),
			     strings_get(profile->strings, right->name));
	if (!order)
		order = compare_numbers(left->module.i, right->module.i);
	return order ? order : compare_numbers(left->start, right->start);
}

/* Groups the samples by function. */
static void find_functions(struct annotating *annotating)
{
	const struct location *last = NULL;

	if (annotating->leaves.count)
		qsort_r(annotating->leaves.at, annotating->leaves.count,
			sizeof(*annotating->leaves.at), compare_leaves, annotating);
	for (size_t i = 0; i < annotating->leaves.count; i++) {
		const struct location *location = location_of(annotating, i);
		const struct leaf_count *leaf = &annotating->leaves.at[i];
		struct sampled_function *function;

		if (!last || !is_same_function(last, location))
			vec_push(&annotating->functions, (struct sampled_function){
				.row = {
					.name = location->name,
					.module = location->module,
					.start = location->symbol_start,
					.address = location->symbol_start,
				},
				.leaf_first = i,
			});
		last = location;
		function = &annotating->functions.at[annotating->functions.count - 1];
		add_count(&function->row.counts[leaf->event], leaf->count);
		function->leaf_count++;
	}
	annotating->annotation->matched_count = (uint32_t)annotating->functions.count;
	if (annotating->functions.count)
		qsort_r(annotating->functions.at, annotating->functions.count,
			sizeof(*annotating->functions.at), compare_functions, annotating);
	if (annotating->functions.count > annotating->session->options.annotation->function_max)
		annotating->functions.count = annotating->session->options.annotation->function_max;
}

/* Reads the code of all functions, module by module, so that each file is opened only once. */
static struct function_code *read_code(struct annotating *annotating)
{
	struct session *session = annotating->session;
	struct symbolise_options options = symbol_files_options(session);
	size_t count = annotating->functions.count;
	struct function_code *codes = memory_zalloc(count, sizeof(*codes));
	struct function_code *batch = memory_alloc(count, sizeof(*batch));
	size_t *rows = memory_alloc(count, sizeof(*rows));
	bool *is_done = memory_zalloc(count, sizeof(*is_done));
	struct code_files files;

	options.prefetch = NULL;
	code_files_init(&files, session->profile.modules, session->profile.strings, &options);
	for (size_t i = 0; i < count; i++) {
		module_id module = annotating->functions.at[i].row.module;
		enum module_kind kind = modules_get(session->profile.modules, module)->kind;
		size_t batch_count = 0;

		for (size_t k = i; k < count && !is_done[i]; k++) {
			if (annotating->functions.at[k].row.module.i != module.i)
				continue;
			batch[batch_count] = (struct function_code){
				.offset = annotating->functions.at[k].row.start
			};
			rows[batch_count++] = k;
		}
		if (batch_count && (kind == MODULE_FILE || kind == MODULE_VDSO))
			function_code_read(&files, module, batch, batch_count);
		for (size_t k = 0; k < batch_count; k++) {
			codes[rows[k]] = batch[k];
			is_done[rows[k]] = true;
		}
	}
	code_files_deinit(&files);
	memory_free(batch);
	memory_free(rows);
	memory_free(is_done);
	return codes;
}

static enum disassembly_machine machine_of(const struct function_code *code)
{
	switch (code->machine) {
	case EM_X86_64:
		return code->is_64_bit ? DISASSEMBLY_X86_64 : DISASSEMBLY_I386;
	case EM_386:
		return DISASSEMBLY_I386;
	case EM_AARCH64:
		return DISASSEMBLY_AARCH64;
	case EM_S390:
		return DISASSEMBLY_S390X;
	default:
		return DISASSEMBLY_NONE;
	}
}

static struct text say(struct annotating *annotating, const char *format, ...) PRINTF_LIKE(2, 3);
static struct text say(struct annotating *annotating, const char *format, ...)
{
	struct text text;
	va_list args;

	va_start(args, format);
	text.at = arena_format_list(&annotating->annotation->arena, &text.length, format, args);
	va_end(args);
	return text;
}

static const char *path_of(const struct annotating *annotating, module_id module)
{
	const struct profile *profile = &annotating->session->profile;

	return strings_text(profile->strings, modules_get(profile->modules, module)->path);
}

/* Returns why a function cannot be disassembled. */
static struct text code_problem(struct annotating *annotating,
				const struct annotated_function *function,
				const struct function_code *code)
{
	const struct profile *profile = &annotating->session->profile;
	const struct module *module = modules_get(profile->modules, function->module);
	const char *path = path_of(annotating, function->module);

	if (module->kind != MODULE_FILE && module->kind != MODULE_VDSO)
		return say(annotating, "not disassembled: kiln reads only the code of executables "
				       "and libraries, not kernel or JIT-compiled code");
	switch (code->status) {
	case FUNCTION_CODE_MISSING:
		return say(annotating,
			   "not disassembled: %s was not found; kiln info --why lists where kiln "
			   "searched",
			   path);
	case FUNCTION_CODE_SLIM:
		return say(annotating,
			   "not disassembled: the bundle has no code; add --symbols with a "
			   "directory that contains %s, or make the bundle with kiln bundle --full",
			   path);
	case FUNCTION_CODE_WITHOUT_END:
		return say(annotating,
			   "not disassembled: the symbol tables of %s do not contain the end of "
			   "the function",
			   path);
	case FUNCTION_CODE_TOO_LARGE:
		return say(annotating,
			   "not disassembled: the code is larger than the limit of %u bytes",
			   LIMIT_FUNCTION_CODE_BYTES);
	case FUNCTION_CODE_CORRUPT:
		return say(annotating, "not disassembled: %s ends before the function", path);
	case FUNCTION_CODE_READ:
		break;
	}
	if (!disassembly_load())
		return say(annotating,
			   "not disassembled: kiln was built without capstone, or the library is "
			   "not installed; only addresses with samples are listed");
	if (annotating->code_bytes > LIMIT_ANNOTATED_BYTES)
		return say(annotating,
			   "not disassembled: the functions together exceed the limit of %u bytes",
			   LIMIT_ANNOTATED_BYTES);
	return say(annotating,
		   "not disassembled: kiln disassembles code of x86-64, i386, aarch64 and s390x; "
		   "%s is for a different architecture",
		   path);
}

static void on_instruction(void *context, const struct disassembled *instruction)
{
	struct annotating *annotating = context;
	struct arena *arena = &annotating->annotation->arena;

	annotation_add_instruction(
		annotating->annotation,
		&(struct annotated_instruction){
			.address = instruction->address,
			.size_bytes = instruction->size_bytes,
			.text = { arena_text(arena, instruction->text.at, instruction->text.length),
				  instruction->text.length },
			.is_jump = instruction->is_jump,
			.ends_flow = instruction->ends_flow,
			.is_inside = instruction->is_inside,
			.has_target = instruction->has_target,
			.target = instruction->target,
			.target_row = ANNOTATION_NONE,
			.target_name = STR_EMPTY,
			.inlined = STR_EMPTY,
		});
}

static uint64_t address_of(const struct annotated_function *function, uint64_t offset)
{
	return offset - function->start + function->address;
}

/* Disassembles a function. Instructions begin at addresses with samples. */
static bool list_instructions(struct annotating *annotating,
			      const struct sampled_function *function,
			      const struct annotated_function *row,
			      const struct function_code *code)
{
	uint64_t *starts = memory_alloc(function->leaf_count, sizeof(*starts));
	struct disassembly_code all = {
		.machine = machine_of(code),
		.bytes = code->bytes,
		.size_bytes = code->size_bytes,
		.address = row->address,
		.starts = starts,
		.start_count = function->leaf_count,
	};
	bool good;

	for (size_t i = 0; i < function->leaf_count; i++)
		starts[i] =
			address_of(row, location_of(annotating, function->leaf_first + i)->address);
	good = disassemble(&all, on_instruction, annotating);
	memory_free(starts);
	return good;
}

/* Lists the addresses with samples as instructions without text. */
static void list_sampled(struct annotating *annotating, const struct sampled_function *function,
			 const struct annotated_function *row)
{
	for (size_t i = 0; i < function->leaf_count; i++) {
		uint64_t address =
			address_of(row, location_of(annotating, function->leaf_first + i)->address);
		const struct annotation *annotation = annotating->annotation;

		if (row->instruction_count &&
		    annotation->instructions.at[annotation->instructions.count - 1].address ==
			    address)
			continue;
		annotation_add_instruction(annotating->annotation,
					   &(struct annotated_instruction){
						   .address = address,
						   .target_row = ANNOTATION_NONE,
					   });
	}
}

/* Adds a function to the annotation. */
static void add_function(struct annotating *annotating, const struct sampled_function *function,
			 const struct function_code *code)
{
	struct annotation *annotation = annotating->annotation;
	struct annotated_function *row;
	bool is_read = code->status == FUNCTION_CODE_READ;

	vec_push(&annotation->functions, function->row);
	row = &annotation->functions.at[annotation->functions.count - 1];
	row->instruction_first = (uint32_t)annotation->instructions.count;
	row->size_bytes = code->size_bytes;
	if (code->size_bytes)
		row->address = code->address;
	if (is_read)
		annotating->code_bytes += code->size_bytes;
	if (!is_read || annotating->code_bytes > LIMIT_ANNOTATED_BYTES ||
	    !list_instructions(annotating, function, row, code)) {
		row->code_problem = code_problem(annotating, row, code);
		list_sampled(annotating, function, row);
	}
	annotation_link_jumps(annotation, row);
	for (size_t i = 0; i < function->leaf_count; i++) {
		size_t leaf = function->leaf_first + i;

		annotation_add_samples(
			annotation, row, address_of(row, location_of(annotating, leaf)->address),
			annotating->leaves.at[leaf].event, annotating->leaves.at[leaf].count);
	}
}

/* A location for each instruction, and for each called function. */
struct code_locations {
	struct locations all;
	VEC(uint32_t) at, target; /* by instruction; target: UINT32_MAX: none */
};

static uint64_t offset_of(const struct annotated_function *function, uint64_t address)
{
	return address - function->address + function->start;
}

static void locate_instructions(const struct annotation *annotation, struct code_locations *ret)
{
	for (size_t i = 0; i < annotation->functions.count; i++) {
		const struct annotated_function *function = &annotation->functions.at[i];

		for (uint32_t k = 0; k < function->instruction_count; k++) {
			const struct annotated_instruction *row =
				&annotation->instructions.at[function->instruction_first + k];
			bool leads_out = row->has_target &&
					 row->target - function->address >= function->size_bytes;

			vec_push(&ret->at,
				 locations_intern(&ret->all, function->module,
						  offset_of(function, row->address), false)
					 .i);
			vec_push(&ret->target,
				 leads_out
					 ? locations_intern(&ret->all, function->module,
							    offset_of(function, row->target), false)
						   .i
					 : UINT32_MAX);
		}
	}
}

static void take_lines(struct annotation *annotation, const struct code_locations *code)
{
	for (size_t i = 0; i < annotation->instructions.count; i++) {
		struct annotated_instruction *row = &annotation->instructions.at[i];
		const struct location *at = &code->all.rows.at[code->at.at[i]];
		const struct location *target = code->target.at[i] == UINT32_MAX
							? NULL
							: &code->all.rows.at[code->target.at[i]];

		row->at = at->at;
		if (at->inlined_count) {
			const struct inlined *inlined =
				&code->all.inlined.at[at->inlined_first + at->inlined_count - 1];

			row->at = inlined->at;
			row->inlined = inlined->name;
		}
		if (target && target->is_named) {
			row->target_name = target->name;
			row->target_offset = target->address - target->symbol_start;
		}
	}
}

static void explain_lines(struct annotating *annotating, const struct modules *modules)
{
	struct annotation *annotation = annotating->annotation;
	const struct strings *strings = annotating->session->profile.strings;

	for (size_t i = 0; i < annotation->functions.count; i++) {
		struct annotated_function *function = &annotation->functions.at[i];
		const struct module *module = &modules->rows.at[function->module.i];
		bool has_lines = false;

		for (uint32_t k = 0; k < function->instruction_count && !has_lines; k++)
			has_lines = annotation->instructions.at[function->instruction_first + k]
					    .at.line;
		if (has_lines)
			continue;
		function->line_problem =
			strings_get(strings, module->inline_reason).length
				? strings_get(strings, module->inline_reason)
			: !dwarf_helper_is_built_in()
				? text_of("source lines require libdw, but kiln was built without "
					  "it")
				: say(annotating,
				      "source lines are not known: no debug information "
				      "for %s was found",
				      path_of(annotating, function->module));
	}
}

/*
 * Finds the source line and inlined function of each instruction. The statistics of modules still
 * count only the samples, not these instructions.
 */
static void find_lines(struct annotating *annotating)
{
	struct session *session = annotating->session;
	struct symbolise_options options = symbol_files_options(session);
	struct modules modules = { .rows = { .at = NULL } };
	struct code_locations code = { .at = { .at = NULL } };

	for (size_t i = 0; i < session->profile.modules->rows.count; i++)
		vec_push(&modules.rows, session->profile.modules->rows.at[i]);
	locations_init(&code.all);
	locate_instructions(annotating->annotation, &code);
	options.wants_lines = true;
	options.prefetch = NULL;
	symbolise(&modules, &code.all, session->profile.strings, &options);
	take_lines(annotating->annotation, &code);
	explain_lines(annotating, &modules);
	locations_deinit(&code.all);
	vec_free(&code.at);
	vec_free(&code.target);
	vec_free(&modules.rows);
	vec_free(&modules.searched_paths);
	vec_free(&modules.notes);
}

/* Names the functions of the samples, without their inlined functions, which is fast. */
static void name_functions(struct session *session)
{
	struct symbolise_options options = symbol_files_options(session);

	options.service = NULL;
	options.prefetch = NULL;
	symbolise(session->profile.modules, &session->locations, session->profile.strings,
		  &options);
}

/* The number of functions listed by explain_inlined. */
#define CONTAINERS_MAX 3

/* Whether a requested function was inlined at a location. Returns its name. */
static bool has_inlined(const struct annotating *annotating, const struct location *location,
			str_id *ret)
{
	const struct session *session = annotating->session;

	for (uint32_t i = 0; i < location->inlined_count; i++) {
		*ret = session->locations.inlined.at[location->inlined_first + i].name;
		if (name_patterns_fit(&session->view.selection.symbols,
				      strings_get(session->profile.strings, *ret)))
			return true;
	}
	return false;
}

/*
 * If none of the functions has samples, but one of them was inlined into functions with samples,
 * fails with an error that lists the functions with samples.
 */
static bool explain_inlined(struct annotating *annotating, struct error *err)
{
	struct session *session = annotating->session;
	const struct strings *strings = session->profile.strings;
	struct nearest containers = { .count = 0 };
	str_id inlined = STR_EMPTY, name;
	struct sink list;

	session_symbolise(session, &session->locations);
	for (size_t i = 0; i < session->locations.rows.count; i++) {
		const struct location *location = &session->locations.rows.at[i];

		if (!location->is_named || location->is_return ||
		    !has_inlined(annotating, location, &name))
			continue;
		nearest_offer(&containers, strings_get(strings, location->name), 0);
		inlined = name;
	}
	if (!containers.count)
		return true;
	sink_init_memory(&list);
	for (size_t i = 0; i < containers.count && i < CONTAINERS_MAX; i++) {
		sink_puts(&list, i ? ", " : "");
		sink_text(&list, containers.at[i].name);
	}
	error_set(err, ERROR_NO_MATCH,
		  "%s: %s has no code of its own, because it was inlined; annotate %.*s instead",
		  session->capture.input.name, strings_text(strings, inlined),
		  (int)sink_memory(&list).length, sink_memory(&list).at);
	sink_deinit(&list);
	return false;
}

/* Fails if none of the functions has samples for a reason other than a wrong name. */
static bool explain_missing(struct annotating *annotating, struct error *err)
{
	const struct session *session = annotating->session;

	if (session->profile.sample_count && !annotating->has_names)
		return error_set(err, ERROR_NO_MATCH,
				 "%s: no function with samples has a name; kiln info --why %s "
				 "lists the symbol files that are missing",
				 session->capture.input.name, session->capture.input.name);
	return explain_inlined(annotating, err);
}

static bool annotate(struct annotating *annotating, const struct sampling *sampling,
		     struct error *err)
{
	struct function_code *codes;

	if (!choose_columns(annotating, err))
		return false;
	name_functions(annotating->session);
	annotating->session->has_visited = true;
	for (size_t i = 0; i < sampling->count; i++)
		count_stacks(annotating, &sampling->at[i].resolved);
	find_functions(annotating);
	if (!annotating->functions.count && !explain_missing(annotating, err))
		return false;
	codes = read_code(annotating);
	for (size_t i = 0; i < annotating->functions.count; i++) {
		add_function(annotating, &annotating->functions.at[i], &codes[i]);
		function_code_deinit(&codes[i]);
	}
	memory_free(codes);
	find_lines(annotating);
	source_lines_read(annotating->session, annotating->annotation);
	return true;
}

bool annotate_stacks(struct session *session, const struct sampling *sampling, struct error *err)
{
	struct annotating annotating = {
		.session = session,
		.annotation = &session->annotation,
		.leaves_of = session->view.selection,
	};
	bool good;

	if (session_is_text(session))
		return error_set(err, ERROR_UNSUPPORTED,
				 "%s: the input contains function names but no addresses, which "
				 "kiln annotate requires; use the perf.data file",
				 session->capture.input.name);
	annotating.leaves_of.symbols = (name_patterns){ .at = NULL };
	good = annotate(&annotating, sampling, err);
	memory_free(annotating.columns);
	vec_free(&annotating.leaves);
	vec_free(&annotating.functions);
	return good;
}
