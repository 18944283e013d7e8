/* SPDX-License-Identifier: MIT */
/*
 * Takes rights from a process before it reads hostile bytes. The process cannot regain these
 * rights, and its children do not have them either.
 *
 *                    worker                    main
 *     files          only open descriptors     listed paths, each to read or to write
 *     system calls   a short list is allowed   programs, sockets, ptrace, mount, ... are refused
 *     capabilities   none                      those that root needs to read, write and own files,
 *                                              and to read the addresses of kernel symbols
 *
 * The kernel enforces these limits: Landlock (Linux 5.13) for files, seccomp for system calls
 * (sandbox/call_filter.h). If the kernel lacks one of these mechanisms, the others still apply.
 */
#ifndef SANDBOX_LOCKDOWN_H
#define SANDBOX_LOCKDOWN_H

#include <stdbool.h>

#include "base/attributes.h"
#include "base/vec.h"

struct call_filter;

/*
 * The kernel protections that kiln uses. Tests clear some of these protections to simulate an old
 * kernel.
 */
struct lockdown_kernel {
	int landlock_abi; /* 0 if the kernel lacks Landlock */
	bool has_seccomp;
};

/* Returns the protections that this kernel and this build support. */
struct lockdown_kernel lockdown_probe(void);

/* The steps of a lock; a mask represents a set of steps. */
enum lockdown_step {
	LOCKDOWN_NEW_RIGHTS = 1 << 0, /* no_new_privs: set-user-ID programs give no rights */
	LOCKDOWN_CAPABILITIES = 1 << 1,
	LOCKDOWN_FILES = 1 << 2, /* Landlock */
	LOCKDOWN_CALLS = 1 << 3, /* seccomp */
};

/*
 * Locks this process to its open descriptors. filter: CALLS_OF_WORKER. Returns the steps that
 * failed although this kernel supports them.
 */
unsigned lockdown_worker(const struct lockdown_kernel *kernel,
			 struct call_filter *filter) WARN_UNUSED;

enum lockdown_access {
	LOCKDOWN_READ, /* may read a file, or everything below a directory */
	/* may read, and also write, create, rename and remove files and directories there */
	LOCKDOWN_WRITE,
};

struct lockdown_path {
	const char *path; /* borrowed */
	enum lockdown_access access;
};

/* Which files the main process may open. */
enum lockdown_reach {
	LOCKDOWN_ALL_FILES,    /* all files that the user may open */
	LOCKDOWN_LISTED_WRITE, /* the listed paths for writing, all files for reading */
	LOCKDOWN_LISTED,       /* the listed paths */
};

/*
 * The rules of the main process. A path that does not exist is ignored. A process with Landlock
 * cannot follow /proc/PID/root of a process without Landlock. symbolise/root_service.h follows such
 * links instead.
 */
struct lockdown_rules {
	enum lockdown_reach reach;
	VEC(struct lockdown_path) paths;
	bool needs_network;
};

/*
 * Locks this process. Must be called before kiln starts threads, because filters and capabilities
 * belong to a thread. Threads of an emulator or a preloaded library are not locked. Returns the
 * steps that failed although this kernel supports them.
 */
unsigned lockdown_main(const struct lockdown_kernel *kernel,
		       const struct lockdown_rules *rules) WARN_UNUSED;

#endif
