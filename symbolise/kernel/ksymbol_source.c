/* SPDX-License-Identifier: MIT */
/* BPF programs and trampolines: the capture itself says what they are called. */
#include "symbolise/sources.h"

static void run(struct naming_job *job)
{
	struct naming *naming = &job->namings[0];

	for (uint32_t i = 0; i < naming->count && naming->path.length; i++) {
		naming->results[i] = (struct naming_result){
			.name = naming->path,
			.symbol_start = naming->module->start,
		};
		naming->named_count++;
	}
	naming->match = MATCH_NO_FILE;
}

static const enum module_kind kinds[] = { MODULE_KSYMBOL };

const struct symbol_source ksymbol_source = {
	.name = "ksymbol",
	.kinds = kinds,
	.kind_count = ARRAY_SIZE(kinds),
	.run = run,
};
