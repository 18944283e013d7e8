/* SPDX-License-Identifier: MIT */
#include "session/confinement.h"

#include <time.h>

#include "base/attributes.h"
#include "base/memory.h"
#include "base/temporary_space.h"
#include "symbolise/symbolise.h"
#include "sandbox/lockdown.h"

/*
 * Builds with sanitizers or coverage counters need more rights: the leak checker traces this
 * process, reports are symbolised by another program, and counts of executed lines are written to
 * files beside the objects.
 */
#if HAS_ADDRESS_SANITIZER || defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer) || \
	HAS_FEATURE(memory_sanitizer) || defined(COUNTS_LINES)
#define IS_TEST_BUILD true
#else
#define IS_TEST_BUILD false
#endif
#ifdef COUNTS_LINES
#define LOCKS_WORKERS false
#else
#define LOCKS_WORKERS true
#endif

/* The steps of locking the process, as messages name them. */
static const struct {
	enum lockdown_step step;
	const char *name;
} parts[] = {
	{ LOCKDOWN_NEW_RIGHTS, "no_new_privs" },
	{ LOCKDOWN_CAPABILITIES, "capabilities" },
	{ LOCKDOWN_FILES, "Landlock" },
	{ LOCKDOWN_CALLS, "seccomp" },
};

void confinement_plan_add(struct confinement_plan *plan, const char *path, bool is_written)
{
	vec_push(&plan->paths,
		 (struct confinement_path){ memory_duplicate(path, strlen(path)), is_written });
}

void confinement_plan_deinit(struct confinement_plan *plan)
{
	for (size_t i = 0; i < plan->paths.count; i++)
		memory_free(plan->paths.at[i].path);
	vec_free(&plan->paths);
}

/* System files that the C library and kiln read, and libraries that are loaded at first use. */
static const char *const system_paths[] = {
	"/proc/self",
	"/proc/stat",
	"/proc/meminfo",
	"/proc/sys/kernel",
	"/sys/devices/system/cpu",
	"/etc/ld.so.cache",
	"/lib",
	"/lib64",
	"/usr/lib",
	"/usr/lib64",
	"/usr/local/lib",
};

static void make_rules(const struct confinement_plan *plan, struct lockdown_rules *rules)
{
	static const enum lockdown_reach reaches[] = {
		[CONFINEMENT_ALL_FILES] = LOCKDOWN_ALL_FILES,
		[CONFINEMENT_NAMED_OUTPUT] = LOCKDOWN_LISTED_WRITE,
		[CONFINEMENT_NAMED_FILES] = LOCKDOWN_LISTED,
	};

	*rules = (struct lockdown_rules){
		.needs_network = plan->needs_network,
		.reach = reaches[plan->reach],
	};
	for (size_t i = 0; i < plan->paths.count; i++) {
		const struct confinement_path *row = &plan->paths.at[i];

		vec_push(&rules->paths,
			 (struct lockdown_path){ row->path, row->is_written ? LOCKDOWN_WRITE
									    : LOCKDOWN_READ });
	}
	for (size_t i = 0; i < ARRAY_SIZE(system_paths); i++)
		vec_push(&rules->paths, (struct lockdown_path){ system_paths[i], LOCKDOWN_READ });
	vec_push(&rules->paths,
		 (struct lockdown_path){ temporary_space_directory(), LOCKDOWN_WRITE });
}

bool confinement_locks_kiln(void)
{
	return !IS_TEST_BUILD;
}

void confinement_begin(struct confinement *confinement, const struct confinement_plan *plan)
{
	const struct lockdown_kernel kernel = lockdown_probe();
	struct lockdown_rules rules;

	confinement->failed_steps = 0;
	service_start(&confinement->readers,
		      plan->needs_roots ? symbolise_service_kinds : symbolise_rootless_kinds,
		      LOCKS_WORKERS ? &kernel : NULL);
	if (!confinement_locks_kiln())
		return;
	make_rules(plan, &rules);
	/* Time zones are in files, which the C library reads at first use. */
	if (plan->reach == CONFINEMENT_NAMED_FILES)
		tzset();
	confinement->failed_steps = lockdown_main(&kernel, &rules);
	vec_free(&rules.paths);
}

void confinement_end(struct confinement *confinement)
{
	service_stop(&confinement->readers);
}

void confinement_write_failed(const struct confinement *confinement, struct sink *sink)
{
	const char *separator = "";

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!(confinement->failed_steps & parts[i].step))
			continue;
		sink_printf(sink, "%s%s", separator, parts[i].name);
		separator = ", ";
	}
}

static void describe_main(const struct confinement *confinement,
			  const struct lockdown_kernel *kernel, struct sink *sink)
{
	if (!confinement || !confinement_locks_kiln()) {
		sink_puts(sink, confinement ? "none with sanitizers or coverage counters" : "none");
		return;
	}
	if (!kernel->has_seccomp)
		sink_puts(sink, "no seccomp, ");
	else if (!(confinement->failed_steps & LOCKDOWN_CALLS))
		sink_puts(sink, "seccomp, ");
	if (!(confinement->failed_steps & LOCKDOWN_CAPABILITIES))
		sink_puts(sink, "few capabilities");
	if (kernel->landlock_abi)
		sink_puts(sink, "; Landlock, except with --debuginfod");
	if (!confinement->failed_steps)
		return;
	sink_puts(sink, "; refused by the kernel: ");
	confinement_write_failed(confinement, sink);
}

void confinement_describe(const struct confinement *confinement, struct sink *sink)
{
	const struct lockdown_kernel kernel = lockdown_probe();

	sink_puts(sink, "sandbox of debug information: ");
	if (kernel.landlock_abi)
		sink_printf(sink, "Landlock ABI %d, ", kernel.landlock_abi);
	else
		sink_puts(sink, "no Landlock, ");
	sink_printf(sink, "%s, no capabilities\n", kernel.has_seccomp ? "seccomp" : "no seccomp");
	sink_puts(sink, "sandbox of kiln: ");
	describe_main(confinement, &kernel, sink);
	sink_puts(sink, "\n");
}
