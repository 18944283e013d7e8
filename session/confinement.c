/* SPDX-License-Identifier: MIT */
#include "session/confinement.h"

#include "dwarf/helper.h"
#include "sandbox/lockdown.h"

/* The leak checker traces this process, and reports are symbolised by another program. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
	__has_feature(memory_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

void confinement_begin(struct confinement *confinement, bool needs_network)
{
	struct lockdown_rules rules = { .needs_network = needs_network };
	struct lockdown_kernel kernel = lockdown_probe();

	service_start(&confinement->readers, dwarf_service_kinds, &kernel);
	/* Landlock would hide /proc/PID/root, and with it the files of containers. */
	kernel.landlock_abi = 0;
	/* Where a step fails, as in some containers, the others hold. */
	if (!IS_SANITIZED)
		(void)!lockdown_main(&kernel, &rules);
}

void confinement_end(struct confinement *confinement)
{
	service_stop(&confinement->readers);
}

void confinement_describe(bool is_asked_for, struct sink *sink)
{
	const struct lockdown_kernel kernel = lockdown_probe();
	const char *seccomp = kernel.has_seccomp ? "seccomp, " : "no seccomp, ";

	sink_puts(sink, "sandbox of debug information: ");
	if (kernel.landlock_abi)
		sink_printf(sink, "Landlock ABI %d, ", kernel.landlock_abi);
	else
		sink_puts(sink, "no Landlock, ");
	sink_printf(sink, "%sno capabilities\n", seccomp);
	if (IS_SANITIZED)
		sink_puts(sink, "sandbox of kiln: none with sanitizers\n");
	else if (!is_asked_for)
		sink_puts(sink, "sandbox of kiln: none\n");
	else
		sink_printf(sink, "sandbox of kiln: %sfew capabilities\n", seccomp);
}
