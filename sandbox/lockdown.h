/* SPDX-License-Identifier: MIT */
/*
 * What a process gives up before it reads hostile bytes. Nothing can be regained, and children inherit it.
 *
 *                    reader                      main
 *     files          only open descriptors       listed paths, each to read or to write, if Landlock is used
 *     system calls   a short list is allowed     programs, sockets, ptrace, mount, ... are refused
 *     capabilities   none                        those that root needs to read and write files
 *
 * The kernel enforces it: Landlock (Linux 5.13) for files, seccomp (built with libseccomp) for system calls. Where
 * one is missing, the others remain.
 */
#ifndef SANDBOX_LOCKDOWN_H
#define SANDBOX_LOCKDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

/* What is used of the kernel; tests clear it to simulate an old one. */
struct lockdown_kernel {
	int landlock_abi; /* 0: none */
	bool has_seccomp; /* the kernel has it, and kiln was built with libseccomp */
};

/* What this kernel and this build have. */
struct lockdown_kernel lockdown_probe(void);

/* A compiled list of system calls, to be applied by any number of children. */
struct lockdown_filter {
	void *instructions; /* struct sock_filter; NULL: no seccomp */
	size_t count;
};

/* Compiles the list of the reader. */
struct lockdown_filter lockdown_compile_reader(const struct lockdown_kernel *kernel);
void lockdown_filter_free(struct lockdown_filter *filter);

/* Locks this process to its open descriptors. False if a step failed that this kernel should have. */
bool lockdown_reader(const struct lockdown_kernel *kernel, const struct lockdown_filter *filter);

enum lockdown_access {
	LOCKDOWN_READ,  /* a file, or all below a folder */
	LOCKDOWN_WRITE, /* also write, create, rename and remove files and folders there */
};

struct lockdown_path {
	const char *path; /* borrowed */
	enum lockdown_access access;
};

/* The rules of the main process. A path that does not exist is ignored. */
struct lockdown_rules {
	VEC(struct lockdown_path) paths;
	bool needs_network;
};

/* Locks this process, before it has threads. False if a step failed that this kernel should have. */
bool lockdown_main(const struct lockdown_kernel *kernel, const struct lockdown_rules *rules);

#endif
