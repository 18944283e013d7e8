/* SPDX-License-Identifier: MIT */
/* Code compiled at run time, named by its process's perf-PID.map. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "object/file.h"
#include "object/host_process.h"
#include "symbolise/perf_map.h"
#include "symbolise/sources.h"

static const char by_pid[] = "matched by process id, at no particular time";
static const char by_own_pid[] =
	"matched by the number the process has in its container, at no particular time";
static const char by_user[] = "given by the user, for the only process that runs such code";

/* Applies what was read from path. */
static void name_by_map(struct naming_job *job, struct naming *naming, const char *path,
			const struct file_bytes *bytes, const char *reason)
{
	struct symbol_table symbols;
	uint32_t damaged_count;

	symbol_table_init(&symbols);
	damaged_count =
		perf_map_read((struct text){ bytes->at, (uint32_t)bytes->size_bytes }, &symbols);
	naming_apply(job, naming, &(struct naming_table){ .symbols = &symbols });
	naming_collect(job, &(struct collected_file){
				    .kind = COLLECTED_PERF_MAP,
				    .module = naming->module,
				    .verdict = VERDICT_UNVERIFIED,
				    .path = path,
				    .fd = -1,
				    .bytes = bytes->at,
				    .size_bytes = bytes->size_bytes,
			    });
	naming_add_place(job, naming, path, VERDICT_UNVERIFIED, text_of(""));
	naming_conclude(job, naming, VERDICT_UNVERIFIED, path,
			damaged_count
				? naming_text(job, "%s: %u lines are damaged", path, damaged_count)
				: naming_text(job, "%s", reason));
	symbol_table_deinit(&symbols);
}

/* Says that the map at path is not used; reason begins with what it is or does. */
static void refuse(struct naming_job *job, struct naming *naming, const char *path,
		   enum module_verdict verdict, struct text reason)
{
	naming_add_place(job, naming, path, verdict, reason);
	naming_conclude(job, naming, verdict, NULL,
			naming_text(job, "%s %.*s", path, (int)reason.length, reason.at));
}

static bool read_map(struct naming_job *job, struct naming *naming, const char *path, int fd,
		     struct file_bytes *ret)
{
	struct error err;
	bool good = file_read(fd, LIMIT_SYMBOL_TEXT_BYTES, ret, &err);

	close(fd);
	if (!good)
		refuse(job, naming, path, VERDICT_DAMAGED,
		       naming_text(job, "cannot be read: %s", err.text));
	return good;
}

/* A map under a name that tells no process can only be meant for one, if there is but one. */
static bool is_only_process(const struct naming_job *job, const struct module *module)
{
	const struct locations *locations = job->context->locations;
	const struct modules *modules = job->context->modules;

	for (size_t i = 0; i < locations->rows.count; i++) {
		const struct module *other = modules_get(modules, locations->rows.at[i].module);

		if (other->kind == MODULE_ANONYMOUS && other != module)
			return false;
	}
	return true;
}

static bool is_same(const struct file_bytes *bytes, const struct index_file *file)
{
	struct file_bytes other;
	struct error ignored;
	int fd = index_file_open(file, &ignored);
	bool good = fd >= 0 && file_read(fd, LIMIT_SYMBOL_TEXT_BYTES, &other, &ignored);
	bool same = good && other.size_bytes == bytes->size_bytes &&
		    memcmp(other.at, bytes->at, bytes->size_bytes) == 0;

	if (fd >= 0)
		close(fd);
	if (good)
		file_bytes_deinit(&other);
	return same;
}

/* Process ids are used again, in each container and after each boot: of several maps that differ
 * only one can be this process's. */
static const struct index_file *find_contradiction(struct index_run maps,
						   const struct index_file *taken,
						   const struct file_bytes *bytes)
{
	for (size_t i = 0; i < maps.count; i++)
		if (maps.at[i] != taken && maps.at[i]->is_explicit == taken->is_explicit &&
		    !is_same(bytes, maps.at[i]))
			return maps.at[i];
	return NULL;
}

/* One that the user named counts before those that lie in a folder. */
static const struct index_file *first_of(struct index_run maps)
{
	for (size_t i = 0; i < maps.count; i++)
		if (maps.at[i]->is_explicit)
			return maps.at[i];
	return maps.count ? maps.at[0] : NULL;
}

/* Names by one of the maps offered; false when there is none to be read. */
static bool name_by_offered(struct naming_job *job, struct naming *naming, struct index_run maps,
			    const char *reason)
{
	const struct index_file *map = first_of(maps);
	const struct index_file *other;
	struct file_bytes bytes;
	struct error ignored;
	int fd = map ? index_file_open(map, &ignored) : -1;

	if (fd < 0)
		return false;
	if (!read_map(job, naming, map->path.at, fd, &bytes))
		return true;
	other = find_contradiction(maps, map, &bytes);
	if (other)
		refuse(job, naming, map->path.at, VERDICT_MISMATCH,
		       naming_text(job, "and %s differ, and nothing tells which is of this process",
				   other->path.at));
	else
		name_by_map(job, naming, map->path.at, &bytes, reason);
	file_bytes_deinit(&bytes);
	return true;
}

/* Whether the file came into being after the capture was made; false where that is not known. */
static bool is_younger(const struct naming_job *job, int fd)
{
	int64_t capture_time_s = job->context->options->capture_time_s;
	struct statx status;

	return capture_time_s && statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &status) == 0 &&
	       status.stx_mask & STATX_BTIME && status.stx_btime.tv_sec > capture_time_s;
}

/* What is known of the process whose code it is. */
struct owner {
	uint32_t own_pid; /* the number it has for itself, by which its map is called; 0: unknown */
	bool is_running;  /* on this machine */
	struct host_process process;
};

static struct owner find_owner(const struct naming_job *job, const struct module *module)
{
	const struct symbolise_options *options = job->context->options;
	const struct jit_dump *dump =
		options->jit_dumps ? jit_dumps_of_process(options->jit_dumps, module->pid) : NULL;
	struct owner owner = { .own_pid = module->has_other_pid ? 0 : module->pid };

	owner.is_running = options->use_host_files &&
			   host_process_find(module->pid, options->capture_time_s, &owner.process);
	/* A jitdump is called by the same number, and the capture has its name. */
	if (dump)
		owner.own_pid = dump->file_pid;
	else if (owner.is_running)
		owner.own_pid = owner.process.own_pid;
	return owner;
}

/* Anyone can leave a file in /tmp. */
static bool is_trusted(int fd, const struct owner *owner)
{
	struct stat status;

	return fstat(fd, &status) == 0 &&
	       (status.st_uid == 0 || status.st_uid == geteuid() ||
		(owner->is_running && status.st_uid == owner->process.owner));
}

/* The map as its process sees it, if that runs, else as all do that are in no container. */
static int open_live(const struct naming *naming, const struct owner *owner, const char *path)
{
	struct error ignored;
	int fd = owner->is_running ? file_open_in_process(naming->module->pid, path, &ignored) : -1;

	if (fd < 0 && owner->own_pid == naming->module->pid)
		fd = file_open(path, &ignored);
	return fd;
}

/* The map on the machine of the capture; false when there is none to be read. */
static bool name_by_live(struct naming_job *job, struct naming *naming, const struct owner *owner)
{
	struct text path = naming_text(job, "/tmp/perf-%u.map", owner->own_pid);
	bool is_inside = owner->own_pid != naming->module->pid;
	struct file_bytes bytes;
	int fd = open_live(naming, owner, path.at);
	bool is_foreign = fd >= 0 && !is_trusted(fd, owner);

	if (is_inside)
		path = naming_text(job, "/proc/%u/root%s", naming->module->pid, path.at);
	if (fd < 0)
		naming_add_place(job, naming, path.at, VERDICT_MISSING, text_of(""));
	if (fd < 0)
		return false;
	if (is_foreign || is_younger(job, fd)) {
		close(fd);
		refuse(job, naming, path.at, VERDICT_MISMATCH,
		       text_of(is_foreign ? "belongs to neither you, root nor who ran the process"
					  : "is of a later process: it was created after the "
					    "capture"));
		return true;
	}
	if (read_map(job, naming, path.at, fd, &bytes)) {
		name_by_map(job, naming, path.at, &bytes, is_inside ? by_own_pid : by_pid);
		file_bytes_deinit(&bytes);
	}
	return true;
}

/* What else would have named the code, if the process wrote it. */
static void conclude_missing(struct naming_job *job, struct naming *naming,
			     const struct owner *owner)
{
	const struct jit_dumps *dumps = job->context->options->jit_dumps;
	uint32_t pid = naming->module->pid;
	const struct jit_dump *dump = dumps ? jit_dumps_of_process(dumps, pid) : NULL;

	if (!owner->own_pid)
		naming_conclude(job, naming, VERDICT_MISSING, NULL,
				naming_text(job,
					    "process %u is in a container and called otherwise "
					    "there: which perf-PID.map is its own cannot be told, "
					    "unless --symbols names the file",
					    pid));
	else if (dump && !dump->is_read)
		naming_conclude(job, naming, dump->verdict, NULL,
				naming_text(job, "%.*s, and no perf-%u.map",
					    (int)dump->reason.length, dump->reason.at,
					    owner->own_pid));
	else
		naming_conclude(job, naming, VERDICT_MISSING, NULL,
				naming_text(job, "no perf-%u.map was found", owner->own_pid));
}

/* A file that the user named, when it can be meant for one process alone. */
static bool name_by_only(struct naming_job *job, struct naming *naming, const struct owner *owner)
{
	const struct file_index *index = job->context->locator.index;
	struct index_run nameless = file_index_find_pid(index, 0);
	struct index_run only = file_index_find_only_map(index);

	if (!nameless.count && (owner->own_pid || !only.count))
		return false;
	if (!is_only_process(job, naming->module))
		return false;
	return (nameless.count && name_by_offered(job, naming, nameless, by_user)) ||
	       (!owner->own_pid && only.count && name_by_offered(job, naming, only, by_user));
}

/* Whatever the process called itself, a bundle has its map under the number of the capture. */
static bool name_by_bundled(struct naming_job *job, struct naming *naming)
{
	const struct manifest *manifest = job->context->options->manifest;
	uint32_t pid = naming->module->pid;

	return manifest && manifest->is_there && pid &&
	       name_by_offered(job, naming, file_index_find_pid(job->context->locator.index, pid),
			       by_pid);
}

/* The dump the process wrote, which could not be read: else this code would be in it. */
static void add_dump_place(struct naming_job *job, struct naming *naming)
{
	const struct naming_context *context = job->context;
	const struct jit_dumps *dumps = context->options->jit_dumps;
	const struct jit_dump *dump =
		dumps ? jit_dumps_of_process(dumps, naming->module->pid) : NULL;
	struct text path;

	if (!dump || dump->is_read)
		return;
	path = strings_get(context->strings, modules_get(context->modules, dump->marker)->path);
	naming_add_place(job, naming, naming_text(job, "%.*s", (int)path.length, path.at).at,
			 dump->verdict,
			 dump->verdict == VERDICT_MISSING ? text_of("") : dump->reason);
}

/* What the user gave has no places in which a map would lie, only files. */
static void add_offered_place(struct naming_job *job, struct naming *naming, uint32_t pid)
{
	const struct file_index *index = job->context->locator.index;

	if (index->files.count || index->folders.count)
		naming_add_place(job, naming, naming_text(job, "perf-%u.map", pid).at,
				 VERDICT_MISSING, text_of("among what --symbols gives"));
}

static void run(struct naming_job *job)
{
	struct naming *naming = &job->namings[0];
	struct owner owner = find_owner(job, naming->module);
	const char *reason = owner.own_pid == naming->module->pid ? by_pid : by_own_pid;

	add_dump_place(job, naming);
	if (name_by_bundled(job, naming))
		return;
	if (owner.own_pid &&
	    name_by_offered(job, naming,
			    file_index_find_pid(job->context->locator.index, owner.own_pid),
			    reason))
		return;
	if (owner.own_pid)
		add_offered_place(job, naming, owner.own_pid);
	if (name_by_only(job, naming, &owner) ||
	    (owner.own_pid && job->context->options->use_host_files &&
	     name_by_live(job, naming, &owner)))
		return;
	conclude_missing(job, naming, &owner);
}

static const enum module_kind kinds[] = { MODULE_ANONYMOUS };

const struct symbol_source perf_map_source = {
	.name = "perf map",
	.kinds = kinds,
	.kind_count = ARRAY_SIZE(kinds),
	.run = run,
};
