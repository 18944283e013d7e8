/* SPDX-License-Identifier: MIT */
/* Code compiled at run time, named by the jitdump that has a copy of it. */
#include <sys/stat.h>

#include "symbolise/sources.h"

static void collect(const struct naming_job *job, const struct naming *naming,
		    const struct jit_dump *dump)
{
	struct stat status;

	if (fstat(dump->fd, &status) == 0)
		naming_collect(job, &(struct collected_file){
					    .kind = COLLECTED_JITDUMP,
					    .module = naming->module,
					    .match = dump->match,
					    .path = dump->file.at,
					    .fd = dump->fd,
					    .size_bytes = (uint64_t)status.st_size,
				    });
}

static void run(struct naming_job *job)
{
	const struct naming_context *context = job->context;
	struct naming *naming = &job->namings[0];
	module_id id = naming_module(job, naming);
	const struct jit_dumps *dumps = context->options->jit_dumps;
	const struct jit_dump *dump = dumps ? jit_dumps_of_module(dumps, id) : NULL;

	if (!dump)
		return;
	naming_apply(job, naming, &(struct naming_table){ .symbols = &dump->dump.symbols });
	collect(job, naming, dump);
	naming_add_path(job, naming, dump->file.at, dump->match, text_of(""));
	naming_conclude(job, naming, dump->match, dump->file.at, dump->reason);
}

static const enum module_kind kinds[] = { MODULE_JITDUMP };

const struct symbol_source jitdump_source = {
	.name = "jitdump",
	.kinds = kinds,
	.kind_count = ARRAY_SIZE(kinds),
	.run = run,
};
