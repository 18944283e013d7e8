/* SPDX-License-Identifier: MIT */
/* Code compiled at run time, named by its process's perf-PID.map. */
#include <unistd.h>

#include "base/limits.h"
#include "object/file.h"
#include "symbolise/perf_map.h"
#include "symbolise/sources.h"

/* Reads and applies the file at path; false when there is none to be read. */
static bool name_by_map(struct naming_job *job, struct naming *naming, const char *path)
{
	struct symbol_table symbols;
	struct file_bytes bytes;
	struct error err;
	int fd = file_open(path, &err);
	uint32_t damaged_count;

	if (fd < 0)
		return false;
	if (!file_read(fd, LIMIT_SYMBOL_TEXT_BYTES, &bytes, &err)) {
		close(fd);
		naming_conclude(job, naming, VERDICT_DAMAGED, NULL,
				naming_text(job, "%s: %s", path, err.text));
		return true;
	}
	close(fd);
	symbol_table_init(&symbols);
	damaged_count =
		perf_map_read((struct text){ bytes.at, (uint32_t)bytes.size_bytes }, &symbols);
	naming_apply(job, naming, &(struct naming_table){ .symbols = &symbols });
	naming_conclude(job, naming, VERDICT_UNVERIFIED, path,
			damaged_count ? naming_text(job, "%s: %u lines are damaged", path,
						    damaged_count)
				      : naming_text(job, "matched by process id, at no particular time"));
	symbol_table_deinit(&symbols);
	file_bytes_deinit(&bytes);
	return true;
}

static bool name_by_index(struct naming_job *job, struct naming *naming)
{
	const struct file_index *index = &job->context->locator.index;

	for (size_t i = 0; i < index->files.count; i++) {
		const struct index_file *file = &index->files.at[i];

		/* A map under another name was named by the user, who knows whose it is. */
		if (file->kind == INDEX_PERF_MAP &&
		    (file->pid == naming->module->pid || (!file->pid && file->is_explicit)) &&
		    name_by_map(job, naming, file->path.at))
			return true;
	}
	return false;
}

static void run(struct naming_job *job)
{
	struct naming *naming = &job->namings[0];
	struct text name = naming_text(job, "/tmp/perf-%u.map", naming->module->pid);

	if (name_by_index(job, naming) ||
	    (job->context->options->use_host_files && name_by_map(job, naming, name.at)))
		return;
	naming_conclude(job, naming, VERDICT_MISSING, NULL,
			naming_text(job, "no %s was found", name.at + strlen("/tmp/")));
}

static const enum module_kind kinds[] = { MODULE_ANONYMOUS };

const struct symbol_source perf_map_source = {
	.name = "perf map",
	.kinds = kinds,
	.kind_count = ARRAY_SIZE(kinds),
	.run = run,
};
