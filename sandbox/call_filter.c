/* SPDX-License-Identifier: MIT */
#include "sandbox/call_filter.h"

#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_LIBSECCOMP
#include <seccomp.h>
#endif

#include "base/memory.h"

#ifdef HAVE_LIBSECCOMP

/*
 * A placeholder for the process id in a compiled filter. No process has this id, because
 * PID_MAX_LIMIT is 4 million.
 */
#define PID_TO_COME 0x5eedface

/* A libc may use one of several calls for the same purpose. */
static const char *const worker_calls[] = {
	"alarm",
	"brk",
	"clock_gettime",
	"clock_gettime64",
	"close",
	"exit",
	"exit_group",
	"fstat",
	"fstat64",
	"fstatat64",
	"futex",
	"futex_time64",
	"getpid",
	"getrandom",
	"gettid",
	"gettimeofday",
	"_llseek",
	"lseek",
	"madvise",
	"mmap",
	"mmap2",
	"mprotect",
	"mremap",
	"munmap",
	"newfstatat",
	"pread64",
	"read",
	"recv",
	"recvfrom",
	"recvmsg",
	"restart_syscall",
	"rt_sigaction",
	"rt_sigprocmask",
	"rt_sigreturn",
	"sched_yield",
	"send",
	"sendmsg",
	"sendto",
	"setitimer",
	"sigaltstack",
	"sigreturn",
	"statx",
	"write",
	"writev",
};

static const uint32_t worker_fcntls[] = {
	F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL,
};

/*
 * These system calls start programs, access other processes, or change the system's state. These
 * system calls would help an attacker, and reading a profile does not need them.
 */
static const char *const refused_calls[] = {
	"fork",
	"vfork",
	"execve",
	"execveat",
	"ptrace",
	"process_vm_readv",
	"process_vm_writev",
	"process_madvise",
	"process_mrelease",
	"pidfd_getfd",
	"pidfd_send_signal",
	"kcmp",
	"mount",
	"umount",
	"umount2",
	"move_mount",
	"mount_setattr",
	"open_tree",
	"fsopen",
	"fsconfig",
	"fsmount",
	"fspick",
	"pivot_root",
	"chroot",
	"setns",
	"unshare",
	"open_by_handle_at",
	"chmod",
	"fchmodat",
	"fchmodat2",
	"chown",
	"lchown",
	"fchownat",
	"setxattr",
	"lsetxattr",
	"removexattr",
	"lremovexattr",
	"bpf",
	"perf_event_open",
	"kexec_load",
	"kexec_file_load",
	"init_module",
	"finit_module",
	"delete_module",
	"add_key",
	"request_key",
	"keyctl",
	"userfaultfd",
	"io_uring_setup",
	"io_uring_enter",
	"io_uring_register",
	"reboot",
	"swapon",
	"swapoff",
	"sethostname",
	"setdomainname",
	"settimeofday",
	"clock_settime",
	"clock_settime64",
	"clock_adjtime",
	"clock_adjtime64",
	"adjtimex",
	"iopl",
	"ioperm",
	"modify_ldt",
	"quotactl",
	"quotactl_fd",
	"acct",
	"syslog",
	"fanotify_init",
	"mknod",
	"mknodat",
	"vhangup",
};

static const char *const network_calls[] = {
	"socket", "connect", "bind", "listen", "accept", "accept4", "sendmmsg",
};

/* The first argument is a process or thread. */
static const char *const signal_calls[] = {
	"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
};

/* The number of arguments of clone() that come before the flags. */
#ifdef __s390__
#define CLONE_FLAGS_ARGUMENT 1
#else
#define CLONE_FLAGS_ARGUMENT 0
#endif

/* A filter that is being made. */
struct making {
	scmp_filter_ctx filter;
	bool is_good;
};

/*
 * If an older libseccomp lacks a call, the filter leaves out this call. The missing calls need
 * capabilities that kiln drops, or are other names for allowed calls. libseccomp itself ignores
 * calls that the architecture lacks.
 */
static void add_rule(struct making *making, uint32_t action, const char *call,
		     const struct scmp_arg_cmp *condition)
{
	int number = seccomp_syscall_resolve_name(call);

	if (number != __NR_SCMP_ERROR)
		making->is_good &= seccomp_rule_add_array(making->filter, action, number,
							  condition ? 1 : 0, condition) == 0;
}

static void add_calls(struct making *making, uint32_t action, const char *const *calls,
		      size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_rule(making, action, calls[i], NULL);
}

/* A rule for one command of fcntl(). The kernel ignores the upper half of the argument. */
static void add_fcntl(struct making *making, uint32_t action, uint32_t command)
{
	const struct scmp_arg_cmp is_command = SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, command);

	add_rule(making, action, "fcntl", &is_command);
	add_rule(making, action, "fcntl64", &is_command);
}

#define ADD_CALLS(making, action, calls) add_calls(making, action, calls, ARRAY_SIZE(calls))

/* Also allows a process to send signals to itself, as abort() does. */
static void list_worker(struct making *making)
{
	const struct scmp_arg_cmp to_itself = { .op = SCMP_CMP_EQ, .datum_a = PID_TO_COME };

	ADD_CALLS(making, SCMP_ACT_ALLOW, worker_calls);
	for (size_t i = 0; i < ARRAY_SIZE(worker_fcntls); i++)
		add_fcntl(making, SCMP_ACT_ALLOW, worker_fcntls[i]);
	add_rule(making, SCMP_ACT_ALLOW, "kill", &to_itself);
	add_rule(making, SCMP_ACT_ALLOW, "tkill", &to_itself);
	add_rule(making, SCMP_ACT_ALLOW, "tgkill", &to_itself);
}

/*
 * Threads are allowed, but processes and namespaces are not. A filter cannot read the flags of
 * clone3(), which are in memory. After ENOSYS, libc uses clone().
 */
static void refuse_processes(struct making *making)
{
	static const uint64_t namespaces[] = {
		CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
		CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET,
	};
	const struct scmp_arg_cmp no_thread =
		SCMP_CMP64(CLONE_FLAGS_ARGUMENT, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0);

	add_rule(making, SCMP_ACT_ERRNO(ENOSYS), "clone3", NULL);
	add_rule(making, SCMP_ACT_ERRNO(EPERM), "clone", &no_thread);
	for (size_t i = 0; i < ARRAY_SIZE(namespaces); i++) {
		const struct scmp_arg_cmp has_flag = SCMP_CMP64(
			CLONE_FLAGS_ARGUMENT, SCMP_CMP_MASKED_EQ, namespaces[i], namespaces[i]);

		add_rule(making, SCMP_ACT_ERRNO(EPERM), "clone", &has_flag);
	}
}

static void refuse_ioctl(struct making *making, uint32_t request)
{
	/* The kernel ignores the upper half of the argument. */
	const struct scmp_arg_cmp is_request = SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, request);

	add_rule(making, SCMP_ACT_ERRNO(EPERM), "ioctl", &is_request);
}

/* A file can also send signals to its owner, when it becomes readable. */
static void refuse_signals(struct making *making)
{
	static const uint32_t owner_fcntls[] = { F_SETOWN, F_SETOWN_EX, F_SETSIG };
	static const uint32_t owner_ioctls[] = { FIOSETOWN, SIOCSPGRP };
	const struct scmp_arg_cmp to_another = { .op = SCMP_CMP_NE, .datum_a = PID_TO_COME };

	for (size_t i = 0; i < ARRAY_SIZE(owner_fcntls); i++)
		add_fcntl(making, SCMP_ACT_ERRNO(EPERM), owner_fcntls[i]);
	for (size_t i = 0; i < ARRAY_SIZE(owner_ioctls); i++)
		refuse_ioctl(making, owner_ioctls[i]);

	for (size_t i = 0; i < ARRAY_SIZE(signal_calls); i++)
		add_rule(making, SCMP_ACT_ERRNO(EPERM), signal_calls[i], &to_another);
}

/* Refuses requests that put text into the terminal's input. The shell would run such text. */
static void refuse_typing(struct making *making)
{
	static const uint32_t requests[] = { TIOCSTI, TIOCLINUX };

	for (size_t i = 0; i < ARRAY_SIZE(requests); i++)
		refuse_ioctl(making, requests[i]);
}

static void list_main(struct making *making, bool has_network)
{
	ADD_CALLS(making, SCMP_ACT_ERRNO(EPERM), refused_calls);
	if (!has_network)
		ADD_CALLS(making, SCMP_ACT_ERRNO(EPERM), network_calls);
	refuse_processes(making);
	refuse_signals(making);
	refuse_typing(making);
}

static bool read_all(int fd, void *to, size_t size_bytes)
{
	char *at = to;

	while (size_bytes) {
		ssize_t count = pread(fd, at, size_bytes, at - (char *)to);

		if (count <= 0)
			return false;
		at += count;
		size_bytes -= (size_t)count;
	}
	return true;
}

static bool export(scmp_filter_ctx filter, struct call_filter *ret)
{
	int fd = memfd_create("kiln", MFD_CLOEXEC);
	struct stat status;
	bool good = false;

	if (fd < 0)
		return false;
	if (seccomp_export_bpf(filter, fd) == 0 && fstat(fd, &status) == 0) {
		size_t size_bytes = (size_t)status.st_size;

		ret->instructions = memory_alloc(size_bytes, 1);
		ret->count = size_bytes / sizeof(struct sock_filter);
		good = read_all(fd, ret->instructions, size_bytes);
	}
	close(fd);
	return good;
}

bool call_filter_is_available(void)
{
	return prctl(PR_GET_SECCOMP) >= 0;
}

bool call_filter_compile(struct call_filter *filter, enum call_list list)
{
	uint32_t otherwise = list == CALLS_OF_WORKER ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_ALLOW;
	struct making making = { .filter = seccomp_init(otherwise), .is_good = true };

	*filter = (struct call_filter){ .instructions = NULL };
	if (!making.filter)
		return false;
	if (list == CALLS_OF_WORKER)
		list_worker(&making);
	else
		list_main(&making, list == CALLS_OF_MAIN_WITH_NETWORK);
	making.is_good = making.is_good && export(making.filter, filter);
	seccomp_release(making.filter);
	if (!making.is_good)
		call_filter_free(filter);
	return making.is_good;
}

/* Each process has its own copy of the instructions. */
static void insert_pid(struct call_filter *filter)
{
	struct sock_filter *instructions = filter->instructions;

	for (size_t i = 0; i < filter->count; i++)
		if (BPF_CLASS(instructions[i].code) == BPF_JMP && instructions[i].k == PID_TO_COME)
			instructions[i].k = (uint32_t)getpid();
}

#else

bool call_filter_is_available(void)
{
	return false;
}

bool call_filter_compile(struct call_filter *filter, enum call_list list)
{
	(void)list;
	*filter = (struct call_filter){ .instructions = NULL };
	return false;
}

static void insert_pid(struct call_filter *filter)
{
	(void)filter;
}

#endif

bool call_filter_apply(struct call_filter *filter)
{
	struct sock_fprog program = { .len = (unsigned short)filter->count,
				      .filter = filter->instructions };

	insert_pid(filter);
	return filter->count && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

void call_filter_free(struct call_filter *filter)
{
	memory_free(filter->instructions);
	*filter = (struct call_filter){ .instructions = NULL };
}
