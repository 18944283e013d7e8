/* SPDX-License-Identifier: MIT */
#include "render/text/branch_text.h"

#include <inttypes.h>

#include "base/attributes.h"

/* The new type says what it is. */
#define TYPE_EXTENDED 15

/* By PERF_BR_* and PERF_BR_NEW_* of linux/perf_event.h. */
static const char *const types[] = {
	"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
	"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
};

static const char *const new_types[] = {
	"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5",
};

static const char *const speculations[] = {
	NULL,
	"SPEC_WRONG_PATH",
	"NON_SPEC_CORRECT_PATH",
	"SPEC_CORRECT_PATH",
};

static const char *type_of(const struct event_branch *branch)
{
	if (branch->type == TYPE_EXTENDED)
		return branch->new_type < ARRAY_SIZE(new_types) ? new_types[branch->new_type] : "";
	return branch->type < ARRAY_SIZE(types) ? types[branch->type] : "";
}

static char prediction_of(const struct event_branch *branch)
{
	if (branch->is_predicted)
		return 'P';
	return branch->is_mispredicted ? 'M' : '-';
}

void branch_text_write(const struct event_branch *branch, struct sink *sink)
{
	sink_printf(sink, "0x%" PRIx64 "/0x%" PRIx64 "/%c/%c/%c/%" PRIu16 "/%s", branch->from,
		    branch->to, prediction_of(branch), branch->is_in_transaction ? 'X' : '-',
		    branch->is_abort ? 'A' : '-', branch->cycles, type_of(branch));
	if (branch->speculation && branch->speculation < ARRAY_SIZE(speculations))
		sink_printf(sink, "/%s", speculations[branch->speculation]);
}
