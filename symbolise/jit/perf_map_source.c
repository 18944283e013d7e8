/* SPDX-License-Identifier: MIT */
/* The symbol source for JIT code that is listed in perf-PID.map. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "object/file.h"
#include "symbolise/jit/jit_process.h"
#include "symbolise/jit/map_owners.h"
#include "symbolise/jit/perf_map.h"
#include "symbolise/source.h"

static const char by_pid[] = "matched by PID; the map has no timestamps";
static const char by_own_pid[] = "matched by the PID in its container; the map has no timestamps";
static const char by_user[] = "given by --symbols, and used for the only process with JIT code";
static const char by_user_for_pid[] = "given by --symbols for this process";

/* Names the locations by the map that was read from path. */
static void name_by_map(struct naming_job *job, struct naming *naming, const char *path, int fd,
			const struct perf_map *map, const char *reason)
{
	naming_apply(job, naming, &(struct naming_table){ .symbols = &map->symbols });
	naming_collect(job, &(struct collected_file){
				    .kind = COLLECTED_PERF_MAP,
				    .module = naming->module,
				    .match = MATCH_UNVERIFIED,
				    .path = path,
				    .fd = fd,
				    .size_bytes = map->size_bytes,
			    });
	naming_add_path(job, naming, path, MATCH_UNVERIFIED, text_of(""));
	naming_conclude(job, naming, MATCH_UNVERIFIED, path,
			map->corrupt_count
				? naming_text(job, "%s: %u %s corrupt", path, map->corrupt_count,
					      map->corrupt_count == 1 ? "line is" : "lines are")
				: naming_text(job, "%s", reason));
}

/* Records that the map at path is not used. reason continues a message that begins with the
 * path. */
static void refuse(struct naming_job *job, struct naming *naming, const char *path,
		   enum match_status match, struct text reason)
{
	naming_add_path(job, naming, path, match, reason);
	naming_conclude(job, naming, match, NULL,
			naming_text(job, "%s %.*s", path, (int)reason.length, reason.at));
}

/* Names the locations by the map, or records why the map is not used. Closes fd. */
static void use_map(struct naming_job *job, struct naming *naming, const char *path, int fd,
		    const char *reason)
{
	struct key_row *addresses = memory_alloc(naming->count, sizeof(*addresses));
	struct perf_map_request request = {
		.fd = fd,
		.limit_bytes = LIMIT_SYMBOL_TEXT_BYTES,
		.addresses = addresses,
		.address_count = naming_addresses(job, naming, NULL, NULL, addresses),
	};
	struct perf_map map;
	struct error err;

	if (perf_map_read(&map, &request, &err)) {
		name_by_map(job, naming, path, fd, &map, reason);
		perf_map_deinit(&map);
	} else {
		refuse(job, naming, path, MATCH_CORRUPT,
		       naming_text(job, err.code == ERROR_LIMIT ? "%s" : "cannot be read: %s",
				   err.text));
	}
	memory_free(addresses);
	close(fd);
}

/*
 * A map without a PID in its name is used only if the capture has a single process with JIT code.
 */
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

/*
 * PIDs are reused, in each container and after each boot. If several maps differ, at most one of
 * them belongs to this process.
 */
static const struct index_file *find_contradiction(struct index_matches maps,
						   const struct index_file *chosen)
{
	for (size_t i = 0; i < maps.count; i++)
		if (maps.at[i] != chosen && maps.at[i]->is_explicit == chosen->is_explicit &&
		    !index_file_is_equal(chosen, maps.at[i]))
			return maps.at[i];
	return NULL;
}

/* Maps named by the user come before maps in directories. */
static const struct index_file *first_of(struct index_matches maps)
{
	for (size_t i = 0; i < maps.count; i++)
		if (maps.at[i]->is_explicit)
			return maps.at[i];
	return maps.count ? maps.at[0] : NULL;
}

/* Whether any user may create files in the directory of path. */
static bool is_in_open_directory(struct naming_job *job, struct text path)
{
	struct text directory = path;
	struct stat status;

	directory.length -= text_basename(path).length;
	return stat(directory.length
			    ? naming_text(job, "%.*s", (int)directory.length, directory.at).at
			    : ".",
		    &status) == 0 &&
	       status.st_mode & S_IWOTH;
}

static struct text foreign_reason(struct naming_job *job, int fd)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		status.st_uid = 0;
	return naming_text(
		job,
		"belongs to user %u, who is neither you, root nor the owner of the process; use "
		"--force to accept it",
		(unsigned)status.st_uid);
}

/* Any user can create files in /tmp. */
static bool is_trusted(const struct naming_job *job, int fd, const struct jit_process *owner)
{
	struct stat status;

	return job->context->options->trusts_owners ||
	       (fstat(fd, &status) == 0 &&
		(status.st_uid == 0 || status.st_uid == geteuid() ||
		 (owner->is_running && status.st_uid == owner->process.owner)));
}

/* Names the locations by one of the offered maps. Returns false if no offered map can be read. */
static bool name_by_offered(struct naming_job *job, struct naming *naming,
			    struct index_matches maps, const struct jit_process *process,
			    const char *reason)
{
	const struct index_file *map = first_of(maps);
	const struct index_file *other = map ? find_contradiction(maps, map) : NULL;
	struct error ignored;
	int fd = map ? index_file_open(map, &ignored) : -1;

	if (fd < 0)
		return false;
	if (other) {
		refuse(job, naming, map->path.at, MATCH_MISMATCHED,
		       naming_text(job,
				   "and %s differ, and either may belong to this process; select "
				   "one with --symbols %u=FILE",
				   other->path.at, naming->module->pid));
		close(fd);
	} else if (!map->contents && !map->is_explicit && !map->is_of_container &&
		   !is_trusted(job, fd, process) && is_in_open_directory(job, map->path)) {
		refuse(job, naming, map->path.at, MATCH_MISMATCHED, foreign_reason(job, fd));
		close(fd);
	} else {
		use_map(job, naming, map->path.at, fd, reason);
	}
	return true;
}

/*
 * Whether the file was created after the capture. Returns false if the time of either is unknown.
 */
static bool is_younger(const struct naming_job *job, int fd)
{
	int64_t capture_time_s = job->context->options->capture_time_s;
	struct statx status;

	return capture_time_s && statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &status) == 0 &&
	       status.stx_mask & STATX_BTIME && status.stx_btime.tv_sec > capture_time_s;
}

/*
 * Opens the map in the root directory of its process. If that fails, or if the process has ended,
 * opens the path on this machine. Does not do so for a process that was in a container.
 */
static int open_live(const struct naming_job *job, const struct naming *naming,
		     const struct jit_process *owner, const char *path, struct error *err)
{
	int fd = owner->is_running
			 ? host_process_open_file(job->context->options->roots, naming->module->pid,
						  path, FILE_LAST_LINK_REFUSED, err)
			 : -1;

	if (fd < 0 && owner->own_pid == naming->module->pid)
		fd = file_open_recorded(NULL, path, err);
	return fd;
}

/* Names the locations by the map on this host. Returns false if the map cannot be read. */
static bool name_by_live(struct naming_job *job, struct naming *naming,
			 const struct jit_process *owner)
{
	struct text path = naming_text(job, "/tmp/perf-%u.map", owner->own_pid);
	bool is_inside = owner->own_pid != naming->module->pid;
	struct error err = { .code = ERROR_NONE };
	int fd = open_live(job, naming, owner, path.at, &err);
	bool is_foreign = fd >= 0 && !is_trusted(job, fd, owner);

	if (is_inside)
		path = naming_text(job, "/proc/%u/root%s", naming->module->pid, path.at);
	if (fd < 0 && err.code == ERROR_LINK) {
		refuse(job, naming, path.at, MATCH_MISMATCHED, naming_text(job, "%s", err.text));
		return true;
	}
	if (fd < 0)
		naming_add_path(job, naming, path.at, MATCH_MISSING, text_of(""));
	if (fd < 0)
		return false;
	if (!is_foreign && !is_younger(job, fd)) {
		use_map(job, naming, path.at, fd, is_inside ? by_own_pid : by_pid);
		return true;
	}
	refuse(job, naming, path.at, MATCH_MISMATCHED,
	       is_foreign ? foreign_reason(job, fd)
			  : text_of("belongs to a later process, because it was created after the "
				    "capture"));
	close(fd);
	return true;
}

/* Also reports a jitdump that the process wrote and that could not be read. */
static void conclude_missing(struct naming_job *job, struct naming *naming,
			     const struct jit_process *owner)
{
	const struct jit_dumps *dumps = job->context->options->jit_dumps;
	uint32_t pid = naming->module->pid;
	const struct jit_dump *dump = dumps ? jit_dumps_of_process(dumps, pid) : NULL;
	const struct map_owner *doubt = map_owners_get(job->context->map_owners, pid);
	enum match_status match = MATCH_MISSING;
	struct text reason;

	if (!owner->own_pid)
		reason = naming_text(
			job, "process %u is in a container, and its PID there is unknown", pid);
	else if (dump && !dump->is_read)
		reason = naming_text(job, "%.*s, and no perf-%u.map", (int)dump->reason.length,
				     dump->reason.at, owner->own_pid);
	else
		reason = naming_text(job, "no perf-%u.map was found", owner->own_pid);
	if (dump && !dump->is_read)
		match = dump->match;
	if (doubt)
		reason = naming_text(job, "%s; %s", reason.at, doubt->reason.at);
	else if (!owner->own_pid)
		reason = naming_text(job, "%s; select its map with --symbols %u=FILE", reason.at,
				     pid);
	naming_conclude(job, naming, match, NULL, reason);
}

/* Names the locations by a map that the user named, if the map can belong to only one process. */
static bool name_by_only(struct naming_job *job, struct naming *naming,
			 const struct jit_process *owner)
{
	const struct file_index *index = job->context->locator.index;
	struct index_matches nameless = file_index_find_pid(index, 0);
	struct index_matches only = file_index_find_only_map(index);

	if (!nameless.count && (owner->own_pid || !only.count))
		return false;
	if (file_index_has_map_for(index, naming->module->pid) ||
	    !is_only_process(job, naming->module))
		return false;
	return (nameless.count && name_by_offered(job, naming, nameless, owner, by_user)) ||
	       (!owner->own_pid && only.count && !only.at[0]->for_pid &&
		name_by_offered(job, naming, only, owner, by_user));
}

/* Names the locations by the map that map_owners found. */
static bool name_by_addresses(struct naming_job *job, struct naming *naming)
{
	const struct map_owner *found =
		map_owners_get(job->context->map_owners, naming->module->pid);
	struct error ignored;
	int fd = found && found->map ? index_file_open(found->map, &ignored) : -1;

	if (fd >= 0)
		use_map(job, naming, found->map->path.at, fd, found->reason.at);
	return fd >= 0;
}

/* Names the locations by a map that has this PID in its name, or was given for this PID. */
static bool name_by_number(struct naming_job *job, struct naming *naming,
			   const struct jit_process *owner)
{
	const struct file_index *index = job->context->locator.index;
	uint32_t pid = naming->module->pid;
	map_list maps = { .at = NULL };
	const char *reason = owner->own_pid == pid ? by_pid : by_own_pid;
	bool is_named;

	jit_process_add_maps(owner, index, &maps);
	if (maps.count && maps.at[0]->for_pid == pid)
		reason = by_user_for_pid;
	is_named = name_by_offered(job, naming, (struct index_matches){ maps.at, maps.count },
				   owner, reason);
	vec_free(&maps);
	return is_named;
}

/* In a bundle, the name of each map contains the PID from the capture. */
static bool name_by_bundled(struct naming_job *job, struct naming *naming,
			    const struct jit_process *owner)
{
	const struct bundle_manifest *manifest = job->context->options->manifest;
	uint32_t pid = naming->module->pid;

	return manifest && manifest->is_there && pid &&
	       !file_index_has_map_for(job->context->locator.index, pid) &&
	       name_by_offered(job, naming, file_index_find_pid(job->context->locator.index, pid),
			       owner, by_pid);
}

/* Adds the unreadable jitdump of the process to the searched paths. */
static void add_jitdump_path(struct naming_job *job, struct naming *naming)
{
	const struct naming_context *context = job->context;
	const struct jit_dumps *dumps = context->options->jit_dumps;
	const struct jit_dump *dump =
		dumps ? jit_dumps_of_process(dumps, naming->module->pid) : NULL;
	struct text path;

	if (!dump || dump->is_read)
		return;
	path = strings_get(context->strings, modules_get(context->modules, dump->marker)->path);
	naming_add_path(job, naming, naming_text(job, "%.*s", (int)path.length, path.at).at,
			dump->match, dump->match == MATCH_MISSING ? text_of("") : dump->reason);
}

/* There is no single path to report for the directories and files of --symbols. */
static void add_offered_path(struct naming_job *job, struct naming *naming, uint32_t pid)
{
	const struct file_index *index = job->context->locator.index;

	if (index->files.count || index->directories.count)
		naming_add_path(job, naming, naming_text(job, "perf-%u.map", pid).at, MATCH_MISSING,
				text_of("in the files of --symbols"));
}

static void run(struct naming_job *job)
{
	struct naming *naming = &job->namings[0];
	struct jit_process owner = jit_process_find(job->context, naming->module);

	add_jitdump_path(job, naming);
	if (name_by_bundled(job, naming, &owner) || name_by_addresses(job, naming) ||
	    name_by_number(job, naming, &owner))
		return;
	if (owner.own_pid)
		add_offered_path(job, naming, owner.own_pid);
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
