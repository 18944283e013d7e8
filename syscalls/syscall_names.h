/* SPDX-License-Identifier: MIT */
/*
 * The names of system calls by number, which depends on the architecture, and the names of errors,
 * which are the same on all these architectures:
 *
 *     x86-64   0 read   1 write   2 open
 *     i386     3 read   4 write   5 open          aarch64   63 read   64 write   56 openat
 */
#ifndef SYSCALLS_SYSCALL_NAMES_H
#define SYSCALLS_SYSCALL_NAMES_H

#include "base/strings.h"

enum syscall_abi {
	SYSCALL_ABI_UNKNOWN,
	SYSCALL_ABI_X86_64,
	SYSCALL_ABI_I386,
	SYSCALL_ABI_GENERIC, /* aarch64 and newer architectures */
	SYSCALL_ABI_S390X,
	SYSCALL_ABI_COUNT,
};

/* Linux returns -1 to -4095 for errors. */
#define SYSCALL_ERROR_MAX 4095u

/*
 * The tables: names separated by a blank, "-" for unused numbers. The last table begins with number
 * 424.
 */
extern const char syscall_names_x86_64[];
extern const char syscall_names_i386[];
extern const char syscall_names_generic[];
extern const char syscall_names_s390x[];
extern const char syscall_names_shared[];

/* arch: as uname -m prints it. */
enum syscall_abi syscall_abi_of(struct text arch);

/* .at is NULL if the name is unknown. Searches a table, so callers should keep the result. */
struct text syscall_name(enum syscall_abi abi, uint32_t number);

/* The name of an error, such as ENOENT for 2; .at is NULL if the name is unknown. */
struct text syscall_error_name(uint32_t error);

/* The error with this name, or 0 if it is unknown. */
uint32_t syscall_error_of(struct text name);

#endif
