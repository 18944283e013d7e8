/* SPDX-License-Identifier: MIT */
#include "sandbox/lockdown.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef HAVE_LIBSECCOMP
#include <seccomp.h>
#endif

#include "base/memory.h"

/* Access rights of include/uapi/linux/landlock.h, which older systems lack. */
#define FS_WRITE_FILE   (1ull << 1)
#define FS_READ_FILE    (1ull << 2)
#define FS_READ_DIR     (1ull << 3)
#define FS_REMOVE_DIR   (1ull << 4)
#define FS_REMOVE_FILE  (1ull << 5)
#define FS_MAKE_DIR     (1ull << 7)
#define FS_MAKE_REG     (1ull << 8)
#define FS_TRUNCATE     (1ull << 14)
#define FS_READ         (FS_READ_FILE | FS_READ_DIR)
#define FS_WRITE                                                                                   \
	(FS_READ | FS_WRITE_FILE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG |    \
	 FS_TRUNCATE)
/* The rights that apply to files; a rule for a file may have no others. */
#define FS_OF_FILES     (FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE)
#define NET_ALL         3ull /* bind and connect TCP */
#define SCOPE_ALL       3ull /* abstract UNIX sockets and signals outside the sandbox */

#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH      1

/* All rights of files that an ABI knows: what is not handled stays allowed. */
static uint64_t rights_of(int abi)
{
	static const unsigned bit_counts[] = { 0, 13, 14, 15, 15, 16 };
	unsigned last = sizeof(bit_counts) / sizeof(*bit_counts) - 1;

	return (1ull << bit_counts[(unsigned)abi < last ? (unsigned)abi : last]) - 1;
}

/* The kernel accepts a longer struct if what it does not know is 0. */
struct ruleset {
	uint64_t handled_fs, handled_net, scoped;
};

struct path_rule {
	uint64_t allowed;
	int32_t parent_fd;
} __attribute__((packed));

#ifdef SYS_landlock_create_ruleset
static long create_ruleset(const struct ruleset *ruleset, size_t size_bytes, unsigned flags)
{
	return syscall(SYS_landlock_create_ruleset, ruleset, size_bytes, flags);
}

static long add_rule(int fd, const struct path_rule *rule)
{
	return syscall(SYS_landlock_add_rule, fd, RULE_PATH_BENEATH, rule, 0u);
}

static long restrict_self(int fd)
{
	return syscall(SYS_landlock_restrict_self, fd, 0u);
}
#else
static long create_ruleset(const struct ruleset *ruleset, size_t size_bytes, unsigned flags)
{
	(void)ruleset, (void)size_bytes, (void)flags;
	return -1;
}

static long add_rule(int fd, const struct path_rule *rule)
{
	(void)fd, (void)rule;
	return -1;
}

static long restrict_self(int fd)
{
	(void)fd;
	return -1;
}
#endif

struct lockdown_kernel lockdown_probe(void)
{
	long abi = create_ruleset(NULL, 0, CREATE_RULESET_VERSION);
	struct lockdown_kernel kernel = { .landlock_abi = abi > 0 ? (int)abi : 0 };

#ifdef HAVE_LIBSECCOMP
	kernel.has_seccomp = prctl(PR_GET_SECCOMP) >= 0;
#endif
	return kernel;
}

static int open_ruleset(int abi, bool needs_network)
{
	struct ruleset ruleset = {
		.handled_fs = rights_of(abi),
		.handled_net = abi >= 4 && !needs_network ? NET_ALL : 0,
		.scoped = abi >= 6 && !needs_network ? SCOPE_ALL : 0,
	};

	return (int)create_ruleset(&ruleset, sizeof(ruleset), 0);
}

/* A path without the file, or on a file system that Landlock leaves out (a pipe), needs no rule. */
static void allow_path(int ruleset, uint64_t handled, const struct lockdown_path *path)
{
	struct path_rule rule = { .parent_fd = open(path->path, O_PATH | O_CLOEXEC) };
	struct stat status;

	if (rule.parent_fd < 0)
		return;
	rule.allowed = handled & (path->access == LOCKDOWN_WRITE ? FS_WRITE : FS_READ);
	if (fstat(rule.parent_fd, &status) != 0 || !S_ISDIR(status.st_mode))
		rule.allowed &= FS_OF_FILES;
	(void)!add_rule(ruleset, &rule);
	close(rule.parent_fd);
}

/* rules: NULL: no path at all. */
static bool restrict_files(const struct lockdown_kernel *kernel, const struct lockdown_rules *rules)
{
	int ruleset;
	bool good;

	if (!kernel->landlock_abi)
		return true;
	ruleset = open_ruleset(kernel->landlock_abi, rules && rules->needs_network);
	if (ruleset < 0)
		return false;
	for (size_t i = 0; rules && i < rules->paths.count; i++)
		allow_path(ruleset, rights_of(kernel->landlock_abi), &rules->paths.at[i]);
	good = restrict_self(ruleset) == 0;
	close(ruleset);
	return good;
}

/* Keeps the given capabilities of those that the process has. */
static bool keep_capabilities(uint64_t kept)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

	for (unsigned i = 0; prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++)
		if (!(kept >> i & 1))
			(void)prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capget, &header, data) != 0)
		return false;
	for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].effective &= (uint32_t)(kept >> 32 * i);
		data[i].permitted &= (uint32_t)(kept >> 32 * i);
		data[i].inheritable = 0;
	}
	return syscall(SYS_capset, &header, data) == 0;
}

#ifdef HAVE_LIBSECCOMP

/* A libc may use one of several calls for the same purpose; those that an architecture lacks are ignored. */
static const int reader_calls[] = {
	SCMP_SYS(alarm),
	SCMP_SYS(brk),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_gettime64),
	SCMP_SYS(close),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
	SCMP_SYS(fcntl),
	SCMP_SYS(fcntl64),
	SCMP_SYS(fstat),
	SCMP_SYS(fstat64),
	SCMP_SYS(fstatat64),
	SCMP_SYS(futex),
	SCMP_SYS(futex_time64),
	SCMP_SYS(getpid),
	SCMP_SYS(getrandom),
	SCMP_SYS(gettid),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(_llseek),
	SCMP_SYS(lseek),
	SCMP_SYS(madvise),
	SCMP_SYS(mmap),
	SCMP_SYS(mmap2),
	SCMP_SYS(mprotect),
	SCMP_SYS(mremap),
	SCMP_SYS(munmap),
	SCMP_SYS(newfstatat),
	SCMP_SYS(pread64),
	SCMP_SYS(read),
	SCMP_SYS(recv),
	SCMP_SYS(recvfrom),
	SCMP_SYS(recvmsg),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sched_yield),
	SCMP_SYS(send),
	SCMP_SYS(sendmsg),
	SCMP_SYS(sendto),
	SCMP_SYS(setitimer),
	SCMP_SYS(sigaltstack),
	SCMP_SYS(sigreturn),
	SCMP_SYS(statx),
	SCMP_SYS(write),
	SCMP_SYS(writev),
};

/* What no reading of profiles needs, and what an attacker would: programs, other processes, the system's state. */
static const int refused_calls[] = {
	SCMP_SYS(execve),
	SCMP_SYS(execveat),
	SCMP_SYS(ptrace),
	SCMP_SYS(process_vm_readv),
	SCMP_SYS(process_vm_writev),
	SCMP_SYS(process_madvise),
	SCMP_SYS(pidfd_getfd),
	SCMP_SYS(pidfd_send_signal),
	SCMP_SYS(kcmp),
	SCMP_SYS(mount),
	SCMP_SYS(umount2),
	SCMP_SYS(move_mount),
	SCMP_SYS(mount_setattr),
	SCMP_SYS(open_tree),
	SCMP_SYS(fsopen),
	SCMP_SYS(fsconfig),
	SCMP_SYS(fsmount),
	SCMP_SYS(fspick),
	SCMP_SYS(pivot_root),
	SCMP_SYS(chroot),
	SCMP_SYS(setns),
	SCMP_SYS(unshare),
	SCMP_SYS(open_by_handle_at),
	SCMP_SYS(bpf),
	SCMP_SYS(perf_event_open),
	SCMP_SYS(kexec_load),
	SCMP_SYS(kexec_file_load),
	SCMP_SYS(init_module),
	SCMP_SYS(finit_module),
	SCMP_SYS(delete_module),
	SCMP_SYS(add_key),
	SCMP_SYS(request_key),
	SCMP_SYS(keyctl),
	SCMP_SYS(userfaultfd),
	SCMP_SYS(io_uring_setup),
	SCMP_SYS(io_uring_enter),
	SCMP_SYS(io_uring_register),
	SCMP_SYS(reboot),
	SCMP_SYS(swapon),
	SCMP_SYS(swapoff),
	SCMP_SYS(sethostname),
	SCMP_SYS(setdomainname),
	SCMP_SYS(settimeofday),
	SCMP_SYS(clock_settime),
	SCMP_SYS(clock_settime64),
	SCMP_SYS(clock_adjtime),
	SCMP_SYS(adjtimex),
	SCMP_SYS(iopl),
	SCMP_SYS(ioperm),
	SCMP_SYS(modify_ldt),
	SCMP_SYS(quotactl),
	SCMP_SYS(acct),
	SCMP_SYS(syslog),
	SCMP_SYS(fanotify_init),
	SCMP_SYS(mknod),
	SCMP_SYS(mknodat),
	SCMP_SYS(vhangup),
};

static const int network_calls[] = {
	SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind),    SCMP_SYS(listen),
	SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(sendmmsg),
};

static void add_calls(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		(void)seccomp_rule_add(filter, action, calls[i], 0);
}

#define ADD_CALLS(filter, action, calls)                                                           \
	add_calls(filter, action, calls, sizeof(calls) / sizeof(*(calls)))

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

static struct lockdown_filter export(scmp_filter_ctx filter)
{
	struct lockdown_filter ret = { .instructions = NULL };
	int fd = memfd_create("kiln", MFD_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return ret;
	if (seccomp_export_bpf(filter, fd) == 0 && fstat(fd, &status) == 0) {
		size_t size_bytes = (size_t)status.st_size;

		ret.instructions = memory_alloc(size_bytes, 1);
		ret.count = size_bytes / sizeof(struct sock_filter);
		if (!read_all(fd, ret.instructions, size_bytes))
			lockdown_filter_free(&ret);
	}
	close(fd);
	return ret;
}

struct lockdown_filter lockdown_compile_reader(const struct lockdown_kernel *kernel)
{
	struct lockdown_filter ret = { .instructions = NULL };
	scmp_filter_ctx filter = kernel->has_seccomp ? seccomp_init(SCMP_ACT_ERRNO(EPERM)) : NULL;

	if (!filter)
		return ret;
	ADD_CALLS(filter, SCMP_ACT_ALLOW, reader_calls);
	ret = export(filter);
	seccomp_release(filter);
	return ret;
}

/* A process may send signals to itself only, and may not type on its terminal. */
static void refuse_arguments(scmp_filter_ctx filter)
{
	static const int signal_calls[] = { SCMP_SYS(kill), SCMP_SYS(tgkill) };
	static const unsigned terminal_requests[] = { 0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */ };

	for (size_t i = 0; i < sizeof(signal_calls) / sizeof(*signal_calls); i++)
		(void)seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), signal_calls[i], 1,
				       SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid(), 0));
	for (size_t i = 0; i < sizeof(terminal_requests) / sizeof(*terminal_requests); i++)
		(void)seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
				       SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu,
					       terminal_requests[i]));
}

static struct lockdown_filter compile_main(const struct lockdown_kernel *kernel, bool needs_network)
{
	struct lockdown_filter ret = { .instructions = NULL };
	scmp_filter_ctx filter = kernel->has_seccomp ? seccomp_init(SCMP_ACT_ALLOW) : NULL;

	if (!filter)
		return ret;
	ADD_CALLS(filter, SCMP_ACT_ERRNO(EPERM), refused_calls);
	if (!needs_network)
		ADD_CALLS(filter, SCMP_ACT_ERRNO(EPERM), network_calls);
	refuse_arguments(filter);
	ret = export(filter);
	seccomp_release(filter);
	return ret;
}

#else

struct lockdown_filter lockdown_compile_reader(const struct lockdown_kernel *kernel)
{
	(void)kernel;
	return (struct lockdown_filter){ .instructions = NULL };
}

static struct lockdown_filter compile_main(const struct lockdown_kernel *kernel, bool needs_network)
{
	(void)kernel, (void)needs_network;
	return (struct lockdown_filter){ .instructions = NULL };
}

#endif

void lockdown_filter_free(struct lockdown_filter *filter)
{
	memory_free(filter->instructions);
	*filter = (struct lockdown_filter){ .instructions = NULL };
}

static bool apply(const struct lockdown_kernel *kernel, const struct lockdown_filter *filter)
{
	struct sock_fprog program = { .len = (unsigned short)filter->count,
				      .filter = filter->instructions };

	if (!kernel->has_seccomp)
		return true;
	return filter->count && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

bool lockdown_reader(const struct lockdown_kernel *kernel, const struct lockdown_filter *filter)
{
	bool good = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;

	good &= keep_capabilities(0);
	good &= restrict_files(kernel, NULL);
	return apply(kernel, filter) && good;
}

/* What root needs to read files of others, also through /proc/PID/root, to keep the owner of what it replaces, and for
 * addresses in /proc/kallsyms. */
#define KEPT_CAPABILITIES                                                                          \
	(1ull << CAP_DAC_OVERRIDE | 1ull << CAP_DAC_READ_SEARCH | 1ull << CAP_CHOWN |              \
	 1ull << CAP_FOWNER | 1ull << CAP_SYSLOG | 1ull << CAP_SYS_PTRACE)

bool lockdown_main(const struct lockdown_kernel *kernel, const struct lockdown_rules *rules)
{
	struct lockdown_filter filter = compile_main(kernel, rules->needs_network);
	bool good = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;

	good &= keep_capabilities(KEPT_CAPABILITIES);
	good &= restrict_files(kernel, rules);
	good &= apply(kernel, &filter);
	lockdown_filter_free(&filter);
	return good;
}
