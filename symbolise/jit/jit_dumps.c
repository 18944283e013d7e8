/* SPDX-License-Identifier: MIT */
#include "symbolise/jit/jit_dumps.h"

#include <inttypes.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/idtable.h"
#include "base/scan.h"
#include "object/host_process.h"
#include "object/jitdump_head.h"
#include "symbolise/jit/jitdump.h"
#include "symbolise/source.h"

/* The first time that a process mapped a dump. */
struct dump_mapping {
	uint32_t dump; /* row of dumps */
	uint32_t pid;
	uint64_t time_ns;
	uint64_t offset; /* of the mapping's record */
};

struct markings {
	VEC(struct dump_mapping) rows;
	struct idtable table;
};

void jit_dumps_init(struct jit_dumps *dumps)
{
	*dumps = (struct jit_dumps){ .rows = { .at = NULL } };
	arena_init(&dumps->arena);
	idmap_init(&dumps->by_module);
	idmap_init(&dumps->by_process);
}

void jit_dumps_deinit(struct jit_dumps *dumps)
{
	for (size_t i = 0; i < dumps->rows.count; i++)
		if (dumps->rows.at[i].is_read) {
			jitdump_deinit(&dumps->rows.at[i].dump);
			close(dumps->rows.at[i].fd);
		}
	vec_free(&dumps->rows);
	idmap_deinit(&dumps->by_module);
	idmap_deinit(&dumps->by_process);
	arena_deinit(&dumps->arena);
}

static PRINTF_LIKE(2, 3) struct text say(struct jit_dumps *dumps, const char *format, ...)
{
	char buffer[1024];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(buffer, sizeof(buffer), format, args);
	va_end(args);
	if (length < 0)
		length = 0;
	if ((size_t)length >= sizeof(buffer))
		length = sizeof(buffer) - 1;
	return (struct text){ arena_text(&dumps->arena, buffer, (size_t)length), (uint32_t)length };
}

/* Gets the PID from "jit-PID.dump". */
static bool parse_name(struct text name, uint32_t *ret)
{
	return scan_prefix(&name, "jit-") && scan_u32(&name, ret) && text_is(name, ".dump") && *ret;
}

static void add_markers(struct jit_dumps *dumps, const struct process_state *state)
{
	for (uint32_t i = 0; i < state->modules->rows.count; i++) {
		const struct module *module = &state->modules->rows.at[i];
		struct text path = strings_get(state->strings, module->path);
		uint32_t file_pid;

		if (module->kind == MODULE_FILE && parse_name(text_basename(path), &file_pid))
			vec_push(&dumps->rows, (struct jit_dump){
						       .marker = { i },
						       .file_pid = file_pid,
					       });
	}
}

static struct jit_dump *find_by_marker(const struct jit_dumps *dumps, module_id marker)
{
	size_t low = vec_count_first(&dumps->rows, dump, dump->marker.i < marker.i);
	return low < dumps->rows.count && dumps->rows.at[low].marker.i == marker.i
		       ? &dumps->rows.at[low]
		       : NULL;
}

static bool is_known(const struct markings *markings, uint64_t hash, uint32_t dump, uint32_t pid)
{
	struct idtable_probe probe = idtable_find(&markings->table, hash);
	uint32_t id;

	while ((id = idtable_next(&markings->table, &probe)) != IDTABLE_NONE)
		if (markings->rows.at[id].dump == dump && markings->rows.at[id].pid == pid)
			return true;
	return false;
}

static void find_markings(struct jit_dumps *dumps, const struct process_state *state,
			  struct markings *markings)
{
	for (size_t i = 0; i < state->rows.count; i++) {
		const struct state_row *row = &state->rows.at[i];
		bool is_mapping = row->kind == STATE_MAP || row->kind == STATE_MAP_DATA;
		struct jit_dump *dump =
			is_mapping ? find_by_marker(dumps, row->mapping.module) : NULL;
		uint32_t number = dump ? (uint32_t)(dump - dumps->rows.at) : 0;
		uint64_t hash = hash_pair(number, row->pid);

		if (!dump || is_known(markings, hash, number, row->pid))
			continue;
		if (!dump->pid)
			dump->pid = row->pid;
		idtable_add(&markings->table, hash, (uint32_t)markings->rows.count);
		vec_push(&markings->rows,
			 (struct dump_mapping){ number, row->pid, row->time_ns, row->offset });
	}
}

static bool refuse(struct jit_dump *dump, enum match_status match, struct text reason)
{
	dump->match = match;
	dump->reason = reason;
	return false;
}

/* The header contains the time of creation, so equal headers mean the same dump. */
static bool read_head(int fd, unsigned char head[static JITDUMP_HEAD_BYTES])
{
	return pread(fd, head, JITDUMP_HEAD_BYTES, 0) == (ssize_t)JITDUMP_HEAD_BYTES;
}

static bool is_same_dump(const struct index_file *file, const struct index_file *other)
{
	unsigned char head[JITDUMP_HEAD_BYTES], other_head[JITDUMP_HEAD_BYTES];
	struct error ignored;
	int fd = index_file_open(file, &ignored);
	int other_fd = index_file_open(other, &ignored);
	bool is_same = fd >= 0 && other_fd >= 0 && read_head(fd, head) &&
		       read_head(other_fd, other_head) &&
		       memcmp(head, other_head, sizeof(head)) == 0;

	if (fd >= 0)
		close(fd);
	if (other_fd >= 0)
		close(other_fd);
	return is_same;
}

/* Files that the user named rank first, then files whose path ends in the mapped path. */
static unsigned rank_of(const struct index_file *file, struct text path)
{
	bool lies_there =
		path.length && file->path.length > path.length &&
		memcmp(file->path.at + file->path.length - path.length, path.at, path.length) == 0;

	return (unsigned)file->is_explicit * 2 + lies_there;
}

/*
 * Chooses the best offered file. Returns NULL if there is no such file, or if several files are
 * equally good. dump->reason then lists these files.
 */
static const struct index_file *choose_offered(struct jit_dumps *dumps, struct jit_dump *dump,
					       struct index_matches offered, struct text path)
{
	const struct index_file *best = NULL;
	const struct index_file *other = NULL;

	for (size_t i = 0; i < offered.count; i++) {
		const struct index_file *file = offered.at[i];

		if (!best || rank_of(file, path) > rank_of(best, path)) {
			best = file;
			other = NULL;
		} else if (!other && rank_of(file, path) == rank_of(best, path) &&
			   !is_same_dump(file, best)) {
			other = file;
		}
	}
	if (!other)
		return best;
	refuse(dump, MATCH_MISMATCHED,
	       say(dumps, "%s and %s differ, and either may belong to this process", best->path.at,
		   other->path.at));
	return NULL;
}

static bool read_fd(struct jit_dumps *dumps, struct jit_dump *dump, int fd, const char *path)
{
	struct error err;

	dump->is_read = jitdump_read(&dump->dump, fd, &err);
	dump->fd = fd;
	if (!dump->is_read) {
		close(fd);
		return refuse(dump, MATCH_CORRUPT, say(dumps, "%s %s", path, err.text));
	}
	dump->file = say(dumps, "%s", path);
	dump->match = MATCH_UNVERIFIED;
	if (dump->dump.pid == dump->file_pid)
		return true;
	dump->is_read = false;
	jitdump_deinit(&dump->dump);
	close(fd);
	return refuse(dump, MATCH_MISMATCHED,
		      say(dumps, "%s belongs to process %" PRIu32, path, dump->dump.pid));
}

static bool read_offered(struct jit_dumps *dumps, struct jit_dump *dump,
			 const struct file_index *index, struct text path)
{
	const struct index_file *file =
		choose_offered(dumps, dump, file_index_find_jitdump(index, dump->file_pid), path);
	struct error err;
	int fd;

	if (!file)
		return false;
	fd = index_file_open(file, &err);
	if (fd < 0)
		return refuse(dump, MATCH_CORRUPT, say(dumps, "%s: %s", file->path.at, err.text));
	return read_fd(dumps, dump, fd, file->path.at);
}

/* On the host of the capture, also checks the inode. */
static bool read_live(struct jit_dumps *dumps, struct jit_dump *dump, const struct module *marker,
		      struct text path, const struct host_roots *roots)
{
	const char *name = arena_text(&dumps->arena, path.at, path.length);
	struct stat status;
	struct error err;
	int fd = -1;

	if (!path.length || path.at[0] != '/')
		return false;
	/* The PID may have been reused. The inode is checked below. */
	if (marker->inode)
		fd = host_process_open_file(roots, dump->pid, name, FILE_LAST_LINK_REFUSED, &err);
	if (fd < 0)
		fd = file_open_recorded(NULL, name, &err);
	if (fd < 0)
		return err.code == ERROR_LINK &&
		       refuse(dump, MATCH_MISMATCHED, say(dumps, "%s %s", name, err.text));
	if (fstat(fd, &status) != 0 || (marker->inode && status.st_ino != marker->inode)) {
		close(fd);
		return refuse(dump, MATCH_MISMATCHED,
			      say(dumps, "%s is not the file that the process mapped", name));
	}
	if (!read_fd(dumps, dump, fd, name))
		return false;
	if (marker->inode)
		dump->match = MATCH_SAME_FILE;
	return true;
}

static void find_file(struct jit_dumps *dumps, struct jit_dump *dump,
		      const struct process_state *state, const struct jit_dumps_options *options)
{
	const struct module *marker = modules_get(state->modules, dump->marker);
	struct text path = strings_get(state->strings, marker->path);

	/* Many file names can lead to the same dump, so the limit applies to all dumps together. */
	if (dumps->read_count >= LIMIT_JIT_CODES) {
		refuse(dump, MATCH_CORRUPT,
		       say(dumps, "the jitdump was not read, because other jitdumps already "
				  "contain the maximum number of functions"));
		return;
	}
	dump->match = MATCH_MISSING;
	dump->reason = say(dumps, "no jit-%" PRIu32 ".dump was found", dump->file_pid);
	if (!read_offered(dumps, dump, options->index, path) && dump->match == MATCH_MISSING &&
	    options->uses_host)
		read_live(dumps, dump, marker, path, options->roots);
}

/* Whether all events of the capture use the dump's clock. */
static bool is_comparable(const struct jit_dump *dump, const struct process_state *state)
{
	for (size_t i = 0; i < state->attrs.count; i++)
		if (!state->attrs.at[i].is_monotonic)
			return false;
	return state->attrs.count > 0 && !dump->dump.has_processor_clock;
}

static void add_module(struct jit_dump *dump, struct process_state *state)
{
	const struct module *marker = modules_get(state->modules, dump->marker);

	dump->module = modules_intern(state->modules, &(struct module){
							      .kind = MODULE_JITDUMP,
							      .path = marker->path,
							      .pid = dump->pid,
							      .device_major = marker->device_major,
							      .device_minor = marker->device_minor,
							      .inode = marker->inode,
						      });
}

/*
 * Gets the PID of the process that ran the code. Returns false if the PID of this process in the
 * capture is unknown.
 */
static bool find_process(const struct jit_dump *dump, const struct dump_mapping *marking,
			 const struct jitdump_code *code, uint32_t *ret)
{
	bool is_of_writer = code->pid == dump->dump.pid;

	/*
	 * A forked child appends to its parent's dump. The dump's PIDs are valid in the capture if
	 * the PID of the dump's writer is valid there.
	 */
	*ret = is_of_writer ? marking->pid : code->pid;
	return is_of_writer || marking->pid == dump->dump.pid;
}

static void add_codes(struct jit_dumps *dumps, const struct jit_dump *dump,
		      const struct dump_mapping *marking, struct process_state *state)
{
	bool has_times = is_comparable(dump, state);

	for (size_t i = 0; i < dump->dump.codes.count; i++) {
		const struct jitdump_code *code = &dump->dump.codes.at[i];
		struct mapping mapping = { .start = code->moved_from };
		struct code_moment from = { has_times ? code->time_ns : marking->time_ns,
					    marking->offset };
		uint32_t pid;

		if (!find_process(dump, marking, code, &pid))
			continue;
		/* Many processes can map the same dump. */
		if (dumps->added_count++ >= LIMIT_JIT_CODES)
			return;
		if (code->is_moved &&
		    !__builtin_add_overflow(mapping.start, code->size_bytes, &mapping.end))
			process_state_unmap_code(state, from, pid, &mapping);
		mapping = (struct mapping){
			.start = code->address,
			.end = code->address + code->size_bytes,
			.file_offset = code->offset,
			.module = dump->module,
		};
		process_state_map_code(state, from, pid, &mapping);
	}
}

static void describe(struct jit_dumps *dumps, struct jit_dump *dump,
		     const struct process_state *state)
{
	if (dump->dump.corrupt_count)
		dump->reason = say(dumps, "%" PRIu32 " %s of the jitdump %s corrupt",
				   dump->dump.corrupt_count,
				   dump->dump.corrupt_count == 1 ? "record" : "records",
				   dump->dump.corrupt_count == 1 ? "is" : "are");
	else if (dump->dump.is_cut)
		dump->reason = say(dumps, "the jitdump is truncated within a record");
	else if (is_comparable(dump, state))
		dump->reason = say(dumps, dump->match == MATCH_SAME_FILE ? "" : "matched by PID");
	else
		dump->reason =
			say(dumps, "the jitdump and the capture use different clocks, so replaced "
				   "code has its latest name; record with perf record -k mono");
	if (!is_comparable(dump, state))
		dump->match = MATCH_UNVERIFIED;
}

static void read_all(struct jit_dumps *dumps, struct process_state *state,
		     const struct jit_dumps_options *options)
{
	for (size_t i = 0; i < dumps->rows.count; i++) {
		struct jit_dump *dump = &dumps->rows.at[i];

		find_file(dumps, dump, state, options);
		idmap_add(&dumps->by_process, dump->pid, (uint32_t)i);
		if (!dump->is_read)
			continue;
		dumps->read_count += dump->dump.codes.count;
		add_module(dump, state);
		idmap_add(&dumps->by_module, dump->module.i, (uint32_t)i);
		describe(dumps, dump, state);
	}
	idmap_sort(&dumps->by_process);
	idmap_sort(&dumps->by_module);
}

void jit_dumps_find(struct jit_dumps *dumps, struct process_state *state,
		    const struct jit_dumps_options *options)
{
	struct markings markings = { .rows = { .at = NULL } };

	add_markers(dumps, state);
	if (!dumps->rows.count)
		return;
	idtable_init(&markings.table);
	find_markings(dumps, state, &markings);
	read_all(dumps, state, options);
	for (size_t i = 0; i < markings.rows.count; i++) {
		const struct dump_mapping *marking = &markings.rows.at[i];
		const struct jit_dump *dump = &dumps->rows.at[marking->dump];

		if (dump->is_read)
			add_codes(dumps, dump, marking, state);
	}
	idtable_deinit(&markings.table);
	vec_free(&markings.rows);
}

static const struct jit_dump *find_row(const struct jit_dumps *dumps, const struct idmap *map,
				       uint32_t key)
{
	uint32_t row = idmap_find(map, key);

	return row == IDMAP_NONE ? NULL : &dumps->rows.at[row];
}

/* The jitdump with a module's code, or NULL. */
static const struct jit_dump *jit_dumps_of_module(const struct jit_dumps *dumps, module_id module)
{
	return find_row(dumps, &dumps->by_module, module.i);
}

const struct jit_dump *jit_dumps_of_process(const struct jit_dumps *dumps, uint32_t pid)
{
	return find_row(dumps, &dumps->by_process, pid);
}

/* Symbol source for code in a jitdump. */
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
