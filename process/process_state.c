/* SPDX-License-Identifier: MIT */
#include "process/process_state.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "process/module_kind.h"
#include "process/state_rows.h"

/*
 * Maximum memory for the mappings of all processes over time, regardless of the number of records.
 */
#define LIMIT_MAPPING_BYTES ((uint64_t)64 << 20)
/*
 * Memory for mappings, for each state record: four times the size of a short MMAP2 record. A
 * process with 1000 mappings needs 160 bytes for each record, or 320 if data mappings are kept.
 */
#define LIMIT_MAPPING_BYTES_PER_RECORD 384u

/* Records may use half of the memory, the history a quarter, and samples and symbols the rest. */
#define RECORDS_SHARE 2
#define HISTORY_SHARE 4

/* The build-ids listed for a path, and the files mapped from it. */
struct path_files {
	uint32_t build_id; /* 1 + row of build_ids, or BUILD_ID_AMBIGUOUS; 0 if none */
	struct path_inode {
		uint64_t inode, generation;
		uint32_t device_major, device_minor;
	} inodes[2]; /* index: 0 if the generation is 0, otherwise 1 */
	bool has_several;
	uint32_t module_count;
	module_id first_module, last_module;
};

void process_state_init(struct process_state *state, struct strings *strings,
			struct modules *modules)
{
	*state = (struct process_state){ .strings = strings,
					 .modules = modules,
					 .memory_bytes_max = UINT64_MAX };
	arena_init(&state->arena);
	process_history_init(&state->history);
	idmap_init(&state->cgroups);
	deferred_init(&state->deferred);
}

void process_state_deinit(struct process_state *state)
{
	process_history_deinit(&state->history);
	deferred_deinit(&state->deferred);
	arena_deinit(&state->arena);
	vec_free(&state->attrs);
	vec_free(&state->record_counts);
	vec_free(&state->rows);
	vec_free(&state->build_ids);
	vec_free(&state->namespaces);
	vec_free(&state->switches);
	loss_spans_deinit(&state->loss_spans);
	idmap_deinit(&state->cgroups);
}

static str_id intern(struct process_state *state, struct text text)
{
	return strings_intern(state->strings, text.at, text.length);
}

static module_id intern_module(struct process_state *state, const struct event_mmap *mmap)
{
	struct module module = {
		.kind = module_kind_of(mmap),
		.build_id = mmap->build_id,
		.device_major = mmap->device_major,
		.device_minor = mmap->device_minor,
		.inode = mmap->inode,
		.inode_generation = mmap->inode_generation,
	};
	struct text path = mmap->path;

	switch (module.kind) {
	case MODULE_ANONYMOUS:
		/*
		 * All anonymous memory of a process is symbolised by the same perf-PID.map,
		 * regardless of the name of the mapping.
		 */
		module = (struct module){ .kind = MODULE_ANONYMOUS, .pid = mmap->pid };
		path = text_of("//anon");
		break;
	case MODULE_KERNEL:
		module.reference_symbol = intern(state, module_kernel_reference(mmap->path));
		module.reference_address = mmap->file_offset;
		path = text_of("[kernel.kallsyms]");
		break;
	case MODULE_VDSO:
		/*
		 * perf uses the same name for the 32-bit and 64-bit vdso. The 64-bit vdso is far
		 * above 4 GB.
		 */
		module.is_32_bit = mmap->address <= UINT32_MAX;
		break;
	default:
		break;
	}
	if (mmap->is_kernel) {
		module.start = mmap->address;
		module.end = mmap->address + mmap->length;
	}
	module.path = intern(state, path);
	return modules_intern(state->modules, &module);
}

/*
 * Interns anonymous memory in the data history. Such memory has the recorded name, such as [heap],
 * and no symbols, because the symbols of JIT code are only for code.
 */
static module_id intern_anonymous_data(struct process_state *state, const struct event_mmap *mmap)
{
	struct module module = {
		.kind = MODULE_SPECIAL,
		.path = intern(state, mmap->path.length ? mmap->path : text_of("//anon")),
	};

	return modules_intern(state->modules, &module);
}

static bool is_addressed_by_file_offset(enum module_kind kind)
{
	return kind == MODULE_FILE || kind == MODULE_VDSO;
}

static void note_mapped(struct module *module, const struct event_mmap *mmap, uint64_t time_ns)
{
	if (module->kind != MODULE_FILE || !mmap->is_executable)
		return;
	if (!module->mapped_bytes || time_ns < module->mapped_ns)
		module->mapped_ns = time_ns;
	if (module->mapped_bytes)
		return;
	module->mapped_offset = mmap->file_offset;
	module->mapped_bytes = mmap->length;
}

static void on_mmap(struct process_state *state, struct state_row *row,
		    const struct event_mmap *mmap)
{
	struct mapping *mapping = &row->mapping;
	struct module *module;

	row->kind = mmap->is_kernel       ? STATE_KERNEL_MAP
		    : mmap->is_executable ? STATE_MAP
					  : STATE_MAP_DATA;
	state->mapping_count += !mmap->is_kernel;
	row->pid = mmap->pid;
	row->tid = mmap->tid;
	mapping->module = intern_module(state, mmap);
	module = modules_get(state->modules, mapping->module);
	note_mapped(module, mmap, row->time_ns);
	mapping->layer = module->kind == MODULE_ANONYMOUS ? MAPPING_BELOW : MAPPING_SOLID;
	mapping->start = mmap->address;
	/* The kernel's own mapping may extend to the last byte of the address space. */
	if (__builtin_add_overflow(mmap->address, mmap->length, &mapping->end))
		mapping->end = UINT64_MAX;
	mapping->file_offset =
		is_addressed_by_file_offset(module->kind) ? mmap->file_offset : mmap->address;
	if (row->kind == STATE_MAP_DATA && module->kind == MODULE_ANONYMOUS &&
	    state->history.keeps_data)
		mapping->module = intern_anonymous_data(state, mmap);
	vec_push(&state->rows, *row);
}

static void on_ksymbol(struct process_state *state, struct state_row *row,
		       const struct event_ksymbol *ksymbol)
{
	struct module module = {
		.kind = MODULE_KSYMBOL,
		.path = intern(state, ksymbol->name),
		.start = ksymbol->address,
	};

	if (!ksymbol->length ||
	    __builtin_add_overflow(ksymbol->address, ksymbol->length, &module.end))
		return;
	row->kind = ksymbol->is_unregister ? STATE_KERNEL_UNMAP : STATE_KERNEL_MAP;
	row->mapping = (struct mapping){
		.start = ksymbol->address,
		.end = module.end,
		.file_offset = ksymbol->address,
		.module = modules_intern(state->modules, &module),
	};
	vec_push(&state->rows, *row);
}

static void keep_switch(struct process_state *state, const struct event *event,
			struct event_context_switch change)
{
	if (state->keeps_switches && event->has_time)
		vec_push(&state->switches,
			 (struct recorded_switch){ event->time_ns, event->offset, change });
}

static void on_comm(struct process_state *state, struct state_row *row, const struct event *event)
{
	const struct event_comm *comm = &event->comm;

	row->kind = comm->is_exec ? STATE_EXEC : STATE_COMM;
	row->pid = comm->pid;
	row->tid = comm->tid;
	row->comm = intern(state, comm->comm);
	vec_push(&state->rows, *row);
	if (comm->is_exec)
		keep_switch(state, event,
			    (struct event_context_switch){
				    .tid = comm->tid, .cpu = event->trailer_cpu, .is_exec = true });
}

static void on_namespaces(struct process_state *state, const struct event_namespaces *namespaces)
{
	if (namespaces->pid_namespace)
		vec_push(&state->namespaces,
			 (struct process_namespaces){ namespaces->pid, namespaces->pid_namespace,
						      namespaces->mount_namespace });
}

static void on_build_id(struct process_state *state, const struct event_build_id *build_id)
{
	if (build_id->cpu_mode != CPU_MODE_KERNEL && build_id->cpu_mode != CPU_MODE_USER)
		return;
	vec_push(&state->build_ids, (struct listed_build_id_row){
					    .path = intern(state, build_id->path),
					    .is_kernel = build_id->cpu_mode == CPU_MODE_KERNEL,
					    .build_id = build_id->build_id,
				    });
}

static struct text keep_text(struct process_state *state, struct text text)
{
	return strings_get(state->strings, intern(state, text));
}

static const struct field *keep_fields(struct process_state *state, const struct event_attr *attr)
{
	struct field *fields = arena_alloc(&state->arena, attr->field_count * sizeof(*fields),
					   _Alignof(struct field));

	for (uint32_t i = 0; i < attr->field_count; i++) {
		fields[i] = attr->fields[i];
		fields[i].name = keep_text(state, fields[i].name);
	}
	return fields;
}

static void on_attr(struct process_state *state, const struct event_attr *attr)
{
	struct event_attr row = *attr;

	row.fields = keep_fields(state, attr);
	row.name = keep_text(state, attr->name);
	row.print_format = keep_text(state, attr->print_format);
	/*
	 * perf before 5.9 does not record the time of one moment on both clocks. If the capture's
	 * clock is the wall clock, no such moment is needed.
	 */
	if (attr->is_wall_clock && !state->clock.is_known)
		state->clock = (struct wall_clock){ .is_known = true };
	vec_push(&state->attrs, row);
}

static void on_records(struct process_state *state, const struct event_record_count *records)
{
	struct event_record_count row = *records;

	if (row.name.at)
		row.name = keep_text(state, row.name);
	vec_push(&state->record_counts, row);
}

/*
 * At the end, perf 6.1 and later writes the number of lost samples of each event, without a time.
 * The kernel's LOST records have already counted some of these samples.
 */
static void on_loss(struct process_state *state, const struct event *event)
{
	uint64_t *sum = &state->losses[event->loss.kind];
	bool has_time = event->has_time && event->time_ns;

	if (event->loss.kind == LOSS_RECORDS && event->has_time)
		loss_spans_add(&state->loss_spans, event->time_ns, event->trailer_cpu);
	if (event->loss.kind == LOSS_SAMPLES && !has_time)
		state->recounted_count = saturate_add(state->recounted_count, event->loss.count);
	*sum = saturate_add(*sum, event->loss.count);
}

/*
 * Subtracts lost samples that were counted twice. The remaining lost records are of other types,
 * such as mappings and comms.
 */
static void subtract_recounted_losses(struct process_state *state)
{
	uint64_t *lost = &state->losses[LOSS_RECORDS];

	*lost -= *lost < state->recounted_count ? *lost : state->recounted_count;
}

static void note_time(struct process_state *state, uint64_t time_ns)
{
	if (time_ns && (!state->first_ns || time_ns < state->first_ns))
		state->first_ns = time_ns;
	if (time_ns > state->last_ns)
		state->last_ns = time_ns;
}

/*
 * The place of a record in the order of a timeless capture. No thread wrote what perf synthesized,
 * so its trailer has a tid of 0. It describes the state before the capture, also at the end of the
 * file, where perf record --tail-synthesize writes it.
 */
static uint64_t place_of(const struct event *event)
{
	return event->trailer_tid ? event->offset : 0;
}

void process_state_on_event(void *context, const struct event *event)
{
	struct process_state *state = context;
	struct state_row row = { .time_ns = event->has_time ? event->time_ns : 0,
				 .offset = place_of(event) };

	note_time(state, row.time_ns);
	switch (event->kind) {
	case EVENT_FACT:
		state->facts[event->fact.name] = keep_text(state, event->fact.value);
		break;
	case EVENT_CLOCK:
		state->clock =
			(struct wall_clock){ true, event->clock.wall_ns, event->clock.clock_ns };
		break;
	case EVENT_ATTR:
		on_attr(state, &event->attr);
		break;
	case EVENT_BUILD_ID:
		on_build_id(state, &event->build_id);
		break;
	case EVENT_COMM:
		on_comm(state, &row, event);
		break;
	case EVENT_FORK:
		row.kind = STATE_FORK;
		row.fork = event->fork;
		vec_push(&state->rows, row);
		break;
	case EVENT_MMAP:
		if (!event->mmap.is_guest)
			on_mmap(state, &row, &event->mmap);
		break;
	case EVENT_CGROUP:
		idmap_add(&state->cgroups, event->cgroup.id, intern(state, event->cgroup.path).i);
		break;
	case EVENT_NAMESPACES:
		on_namespaces(state, &event->namespaces);
		break;
	case EVENT_KSYMBOL:
		on_ksymbol(state, &row, &event->ksymbol);
		break;
	case EVENT_DEFERRED_CALLCHAIN:
		deferred_add(&state->deferred, &event->deferred_callchain);
		break;
	case EVENT_LOSS:
		on_loss(state, event);
		break;
	case EVENT_CONTEXT_SWITCH:
		keep_switch(state, event, event->context_switch);
		break;
	case EVENT_RECORD_COUNT:
		on_records(state, &event->record_count);
		break;
	case EVENT_EXIT: /* ignored, because late samples of an exited task still need its state */
		keep_switch(state, event,
			    (struct event_context_switch){ .tid = event->exit.tid,
							   .cpu = event->trailer_cpu,
							   .is_exit = true });
		break;
	case EVENT_SAMPLE: /* samples are read in the second pass */
		break;
	}
}

/*
 * The memory that grows with the number of records, including the memory that process_state_finish
 * will need.
 */
static uint64_t memory_bytes(const struct process_state *state)
{
	const struct strings *strings = state->strings;

	return state->rows.capacity * (sizeof(*state->rows.at) + sizeof(void *)) +
	       state->switches.capacity * sizeof(*state->switches.at) +
	       state->build_ids.capacity * sizeof(*state->build_ids.at) +
	       state->namespaces.capacity * sizeof(*state->namespaces.at) +
	       state->cgroups.rows.capacity * sizeof(*state->cgroups.rows.at) +
	       state->deferred.rows.capacity * sizeof(*state->deferred.rows.at) +
	       state->deferred.arena.total_bytes +
	       state->modules->rows.capacity * sizeof(*state->modules->rows.at) +
	       strings->arena.total_bytes +
	       strings->rows.capacity * (sizeof(*strings->rows.at) + sizeof(struct path_files));
}

bool process_state_check_memory(void *context, struct error *err)
{
	const struct process_state *state = context;

	return memory_bytes(state) <= state->memory_bytes_max / RECORDS_SHARE ||
	       error_set(err, ERROR_LIMIT,
			 "records of mappings, threads and other state need more than half of "
			 "the %" PRIu64 " bytes that kiln may use; allow more with --memory",
			 state->memory_bytes_max);
}

static void add_code(struct process_state *state, struct code_moment from, uint32_t pid,
		     bool is_gone, const struct mapping *mapping)
{
	struct state_row row = {
		.time_ns = from.time_ns,
		.offset = from.offset,
		.kind = is_gone ? STATE_UNMAP : STATE_MAP,
		.pid = pid,
		.mapping = *mapping,
	};

	row.mapping.layer = MAPPING_ABOVE;
	vec_push(&state->rows, row);
}

void process_state_map_code(struct process_state *state, struct code_moment from, uint32_t pid,
			    const struct mapping *mapping)
{
	add_code(state, from, pid, false, mapping);
}

void process_state_unmap_code(struct process_state *state, struct code_moment from, uint32_t pid,
			      const struct mapping *mapping)
{
	add_code(state, from, pid, true, mapping);
}

static bool has_timeless_attrs(const struct process_state *state)
{
	for (size_t i = 0; i < state->attrs.count; i++)
		if (state->attrs.at[i].sample_type & SAMPLE_HAS_TIME)
			return false;
	return state->attrs.count;
}

static void build_history(struct process_state *state)
{
	uint64_t memory_bytes_max = state->memory_bytes_max / HISTORY_SHARE;

	state->is_timeless = has_timeless_attrs(state);
	state->history.mapping_bytes_max =
		LIMIT_MAPPING_BYTES + (uint64_t)state->rows.count * LIMIT_MAPPING_BYTES_PER_RECORD;
	if (state->history.mapping_bytes_max > memory_bytes_max)
		state->history.mapping_bytes_max = memory_bytes_max;
	state_rows_apply(&state->history, state->rows.at, state->rows.count, state->is_timeless);
	state->losses[LOSS_MAPPINGS] =
		saturate_add(state->losses[LOSS_MAPPINGS], state->history.dropped_count);
	vec_free(&state->rows);
}

#define BUILD_ID_AMBIGUOUS UINT32_MAX

/*
 * The table is indexed by path. If a path has two build-ids, they cannot be assigned to mappings. A
 * path has two build-ids in two containers, or if the file was replaced. A wrong build-id is worse
 * than none.
 */
static void index_build_id(const struct process_state *state, uint32_t *slot, uint32_t index)
{
	if (!*slot)
		*slot = index + 1;
	else if (*slot == BUILD_ID_AMBIGUOUS ||
		 memcmp(&state->build_ids.at[*slot - 1].build_id,
			&state->build_ids.at[index].build_id, sizeof(struct build_id)) != 0)
		*slot = BUILD_ID_AMBIGUOUS;
}

/*
 * Older perf versions list only files with samples. A second file with the same path, in another
 * container or after an update, may not be listed. The second file would then get the build-id of
 * the first. Inodes distinguish the two files. perf reads some inodes from /proc at its start
 * (generation 0). On overlay file systems, the inodes that perf reads differ from the kernel's. An
 * inode from perf and an inode from the kernel are therefore compared only if the device is the
 * same. Each mount of an image has its own device, so two inodes from the same source are compared
 * regardless of their device.
 */
static void compare_inode(struct path_files *files, const struct module *module)
{
	bool has_generation = module->inode_generation != 0;
	struct path_inode *seen = &files->inodes[has_generation];
	const struct path_inode *other = &files->inodes[!has_generation];
	struct path_inode own = { module->inode, module->inode_generation, module->device_major,
				  module->device_minor };

	if (module->kind != MODULE_FILE || module->build_id.size_bytes || !module->inode)
		return;
	files->has_several |=
		seen->inode && (seen->inode != own.inode || seen->generation != own.generation);
	files->has_several |= other->inode && other->inode != own.inode &&
			      other->device_major == own.device_major &&
			      other->device_minor == own.device_minor;
	*seen = own;
}

/* Assigns the build-id listed for a module's path to the module. */
static void assign_build_id(struct module *module, const struct path_files *files,
			    const struct listed_build_id_row *listed)
{
	module->has_rivals = module->kind == MODULE_FILE && files->has_several;
	/* perf lists only the vdso of its own word size under this name. */
	if (module->build_id.size_bytes || module->is_32_bit || !listed)
		return;
	if (module->has_rivals) {
		module->listed_build_id = listed->build_id;
		return;
	}
	module->build_id = listed->build_id;
	if (module->kind == MODULE_FILE)
		module->build_id_source = BUILD_ID_BY_RECORDER;
}

/* Adds a module to the ring of its path. */
static void link_rival(struct modules *modules, struct path_files *files, module_id id)
{
	if (!files->module_count++)
		files->first_module = files->last_module = id;
	modules->rows.at[files->last_module.i].next_rival = id;
	modules->rows.at[id.i].next_rival = files->first_module;
	files->last_module = id;
}

static void assign_build_ids(struct process_state *state)
{
	struct path_files *by_path;
	struct modules *modules = state->modules;
	uint32_t of_kernel = 0;

	by_path = memory_zalloc(state->strings->rows.count, sizeof(*by_path));
	for (uint32_t i = 0; i < state->build_ids.count; i++) {
		const struct listed_build_id_row *row = &state->build_ids.at[i];
		struct text path = strings_get(state->strings, row->path);
		bool is_kernel = row->is_kernel && !module_is_kernel_module_path(path);

		index_build_id(state, is_kernel ? &of_kernel : &by_path[row->path.i].build_id, i);
	}
	for (size_t i = 0; i < modules->rows.count; i++)
		compare_inode(&by_path[modules->rows.at[i].path.i], &modules->rows.at[i]);
	for (size_t i = 0; i < modules->rows.count; i++) {
		struct module *module = &modules->rows.at[i];
		struct path_files *files = &by_path[module->path.i];
		uint32_t found = module->kind == MODULE_KERNEL ? of_kernel : files->build_id;

		assign_build_id(module, files,
				found && found != BUILD_ID_AMBIGUOUS
					? &state->build_ids.at[found - 1]
					: NULL);
		if (module->has_rivals)
			link_rival(modules, files, (module_id){ (uint32_t)i });
	}
	memory_free(by_path);
	vec_free(&state->build_ids);
}

void process_state_end_events(struct process_state *state)
{
	if (state->has_ended)
		return;
	state->has_ended = true;
	state->switches.count =
		switch_records_drop_other_execs(state->switches.at, state->switches.count);
	subtract_recounted_losses(state);
	assign_build_ids(state);
}

/* The inode of the host's pid namespace, constant since Linux 3.8. */
#define OWN_PID_NAMESPACE 0xeffffffcu

/*
 * Recorded pids belong to the pid namespace in which perf ran. If perf ran in a container, it does
 * not see other namespaces.
 */
static void mark_contained(struct process_state *state)
{
	struct idmap contained, others;
	bool is_one = true;

	for (size_t i = 1; i < state->namespaces.count; i++)
		is_one &= state->namespaces.at[i].pid_namespace ==
			  state->namespaces.at[0].pid_namespace;
	if (is_one)
		return;
	idmap_init(&contained);
	idmap_init(&others);
	for (size_t i = 0; i < state->namespaces.count; i++)
		if (state->namespaces.at[i].pid_namespace != OWN_PID_NAMESPACE)
			idmap_add(&contained, state->namespaces.at[i].pid, 0);
		else
			idmap_add(&others, state->namespaces.at[i].pid, 0);
	idmap_sort(&contained);
	idmap_sort(&others);
	for (size_t i = 0; i < state->modules->rows.count; i++) {
		struct module *module = &state->modules->rows.at[i];

		if (module->kind != MODULE_ANONYMOUS)
			continue;
		module->has_other_pid = idmap_find(&contained, module->pid) != IDMAP_NONE;
		module->has_host_pid =
			!module->has_other_pid && idmap_find(&others, module->pid) != IDMAP_NONE;
	}
	idmap_deinit(&others);
	idmap_deinit(&contained);
}

/*
 * Returns the host's mount namespace: the namespace of pid 1. If that is unknown, returns the
 * namespace of the first process outside all containers. Returns 0 if unknown.
 */
static uint64_t find_host_mounts(const struct process_state *state)
{
	uint64_t found = 0;

	for (size_t i = 0; i < state->namespaces.count; i++) {
		const struct process_namespaces *row = &state->namespaces.at[i];

		if (row->pid_namespace != OWN_PID_NAMESPACE)
			continue;
		if (row->pid == 1)
			return row->mount_namespace;
		if (!found)
			found = row->mount_namespace;
	}
	return found;
}

/*
 * Records the first and the last process that maps each file. Also records whether all processes
 * that map the file are outside the host's mount namespace.
 */
static void note_mappers(struct process_state *state)
{
	uint64_t host_mounts = find_host_mounts(state);
	struct idmap elsewhere;

	idmap_init(&elsewhere);
	for (size_t i = 0; host_mounts && i < state->namespaces.count; i++)
		if (state->namespaces.at[i].mount_namespace != host_mounts)
			idmap_add(&elsewhere, state->namespaces.at[i].pid, 0);
	idmap_sort(&elsewhere);
	for (size_t i = 0; i < state->rows.count; i++) {
		const struct state_row *row = &state->rows.at[i];
		struct module *module = row->kind == STATE_MAP
						? modules_get(state->modules, row->mapping.module)
						: NULL;
		bool is_elsewhere = idmap_find(&elsewhere, row->pid) != IDMAP_NONE;

		if (!module || module->kind != MODULE_FILE)
			continue;
		module->is_elsewhere = is_elsewhere && (!module->first_pid || module->is_elsewhere);
		if (!module->first_pid)
			module->first_pid = row->pid;
		module->last_pid = row->pid;
	}
	idmap_deinit(&elsewhere);
}

void process_state_finish(struct process_state *state)
{
	process_state_end_events(state);
	mark_contained(state);
	note_mappers(state);
	idmap_sort(&state->cgroups);
	build_history(state);
}
