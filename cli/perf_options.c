/* SPDX-License-Identifier: MIT */
/*
 * Options of perf report and perf script that kiln has under a different name, or that request what
 * kiln always does. Commands list these groups last, so that their own short names take precedence.
 */
#include "cli/settings.h"

#define AT(field) offsetof(struct settings, field)

/* clang-format off */
static const struct option input_options[] = {
	{ .short_name = 'i', .name = "input", .kind = OPTION_LIST, .offset = AT(inputs), .argument = "INPUT" },
	{ .short_name = 'f', .name = "force", .kind = OPTION_FLAG, .offset = AT(trusts_owners) },
	{ .name = NULL },
};

static const struct option symbol_options[] = {
	{ .short_name = 'k', .name = "vmlinux", .kind = OPTION_LIST, .offset = AT(symbol_paths),
	  .argument = "FILE" },
	{ .name = "kallsyms", .kind = OPTION_LIST, .offset = AT(symbol_paths), .argument = "FILE" },
	{ .name = "symfs", .kind = OPTION_LIST, .offset = AT(symbol_paths), .argument = "DIRECTORY" },
	{ .name = "demangle", .kind = OPTION_FLAG, .offset = AT(is_ignored) },
	{ .name = "inline", .kind = OPTION_FLAG, .offset = AT(is_ignored) },
	{ .name = NULL },
};

static const struct option selection_options[] = {
	{ .name = "comms", .kind = OPTION_TEXT, .offset = AT(comms), .argument = "NAMES" },
	{ .name = "dsos", .kind = OPTION_TEXT, .offset = AT(dsos), .argument = "NAMES" },
	/* Commands that do not select by frame refuse these options with the reason. */
	{ .name = "dso", .kind = OPTION_TEXT, .offset = AT(dsos), .argument = "NAMES" },
	{ .name = "user-only", .kind = OPTION_FLAG, .offset = AT(view.selection.user_only) },
	{ .name = "kernel-only", .kind = OPTION_FLAG, .offset = AT(view.selection.kernel_only) },
	{ .short_name = 'S', .name = "symbol", .kind = OPTION_TEXT, .offset = AT(symbols), .argument = "NAMES" },
	{ .name = "symbol-filter", .kind = OPTION_TEXT, .offset = AT(symbol_part), .argument = "TEXT" },
	{ .name = "max-stack", .kind = OPTION_NUMBER, .offset = AT(callchain_max), .argument = "N",
	  .minimum = 1, .maximum = UINT32_MAX },
	{ .name = NULL },
};

static const struct option stack_options[] = {
	{ .short_name = 'g', .name = "call-graph", .kind = OPTION_TEXT, .offset = AT(call_graph),
	  .argument = "caller or callee" },
	{ .name = NULL },
};
/* clang-format on */

const struct option_group settings_perf_input = { "Input", input_options };
const struct option_group settings_perf_symbols = { "Names", symbol_options };
const struct option_group settings_perf_selection = { "Selection", selection_options };
const struct option_group settings_perf_stacks = { "Stacks", stack_options };
