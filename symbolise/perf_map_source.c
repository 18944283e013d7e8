/* SPDX-License-Identifier: MIT */
/* Code compiled at run time, named by its process's perf-PID.map. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "object/file.h"
#include "symbolise/perf_map.h"
#include "symbolise/sources.h"

/* Reads and applies the file at path; false when there is none to be read. */
static bool name_by_map(struct naming_job *job, struct naming *naming, const char *path,
			const char *reason)
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
			damaged_count
				? naming_text(job, "%s: %u lines are damaged", path, damaged_count)
				: naming_text(job, "%s", reason));
	symbol_table_deinit(&symbols);
	file_bytes_deinit(&bytes);
	return true;
}

static const char by_pid[] = "matched by process id, at no particular time";
static const char by_user[] = "given by the user, for the only process that runs such code";

/* A map under a name that tells no process can only be meant for one, if there is but one. */
static bool is_only_process(const struct naming_job *job)
{
	const struct modules *modules = job->context->modules;
	size_t count = 0;

	for (size_t i = 0; i < modules->rows.count; i++)
		count += modules->rows.at[i].kind == MODULE_ANONYMOUS;
	return count == 1;
}

static bool name_by_index(struct naming_job *job, struct naming *naming)
{
	const struct file_index *index = &job->context->locator.index;

	for (size_t i = 0; i < index->files.count; i++) {
		const struct index_file *file = &index->files.at[i];

		if (file->kind != INDEX_PERF_MAP)
			continue;
		if (file->pid && file->pid == naming->module->pid &&
		    name_by_map(job, naming, file->path.at, by_pid))
			return true;
		if (!file->pid && file->is_explicit && is_only_process(job) &&
		    name_by_map(job, naming, file->path.at, by_user))
			return true;
	}
	return false;
}

/* Anyone can leave a file in /tmp. */
static bool is_own_or_root(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && (status.st_uid == 0 || status.st_uid == geteuid());
}

static void run(struct naming_job *job)
{
	struct naming *naming = &job->namings[0];
	struct text name = naming_text(job, "/tmp/perf-%u.map", naming->module->pid);

	if (name_by_index(job, naming) ||
	    (job->context->options->use_host_files && is_own_or_root(name.at) &&
	     name_by_map(job, naming, name.at, by_pid)))
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
