/* SPDX-License-Identifier: MIT */
#include "session/confinement.h"

#include "base/attributes.h"
#include "dwarf/helper.h"
#include "sandbox/lockdown.h"

/* The leak checker traces this process, and reports are symbolised by another program. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	__has_feature(memory_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

/* The parts of the lock, as users read about them. */
static const struct {
	enum lockdown_step step;
	const char *name;
} parts[] = {
	{ LOCKDOWN_NEW_RIGHTS, "no_new_privs" },
	{ LOCKDOWN_CAPABILITIES, "capabilities" },
	{ LOCKDOWN_FILES, "Landlock" },
	{ LOCKDOWN_CALLS, "seccomp" },
};

void confinement_begin(struct confinement *confinement, bool needs_network)
{
	struct lockdown_rules rules = { .needs_network = needs_network };
	struct lockdown_kernel kernel = lockdown_probe();

	confinement->failed_steps = 0;
	service_start(&confinement->readers, dwarf_service_kinds, &kernel);
	/* Landlock would hide /proc/PID/root, and with it the files of containers. */
	kernel.landlock_abi = 0;
	if (!IS_SANITIZED)
		confinement->failed_steps = lockdown_main(&kernel, &rules);
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
	if (!confinement || IS_SANITIZED) {
		sink_puts(sink, confinement ? "none with sanitizers" : "none");
		return;
	}
	if (!kernel->has_seccomp)
		sink_puts(sink, "no seccomp, ");
	else if (!(confinement->failed_steps & LOCKDOWN_CALLS))
		sink_puts(sink, "seccomp, ");
	if (!(confinement->failed_steps & LOCKDOWN_CAPABILITIES))
		sink_puts(sink, "few capabilities");
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
