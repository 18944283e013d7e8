/* SPDX-License-Identifier: MIT */
#include "sandbox/lockdown.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/call_filter.h"

/* Access rights of include/uapi/linux/landlock.h, which older systems lack. */
#define FS_WRITE_FILE  (1ull << 1)
#define FS_READ_FILE   (1ull << 2)
#define FS_READ_DIR    (1ull << 3)
#define FS_REMOVE_DIR  (1ull << 4)
#define FS_REMOVE_FILE (1ull << 5)
#define FS_MAKE_DIR    (1ull << 7)
#define FS_MAKE_REG    (1ull << 8)
#define FS_TRUNCATE    (1ull << 14)
#define FS_READ        (FS_READ_FILE | FS_READ_DIR)
#define FS_WRITE                                                                                \
	(FS_READ | FS_WRITE_FILE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG | \
	 FS_TRUNCATE)
/* The rights that apply to files. A rule for a file must not have other rights. */
#define FS_OF_FILES (FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE)
#define NET_ALL     3ull /* bind and connect TCP */
#define SCOPE_ALL   3ull /* abstract UNIX sockets and signals outside the sandbox */

#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH      1

/*
 * All file rights of an ABI version. A ruleset must handle all these rights, because rights that it
 * does not handle stay allowed.
 */
static uint64_t rights_of(int abi)
{
	static const unsigned bit_counts[] = { 0, 13, 14, 15, 15, 16 };
	unsigned last = sizeof(bit_counts) / sizeof(*bit_counts) - 1;

	return (1ull << bit_counts[(unsigned)abi < last ? (unsigned)abi : last]) - 1;
}

/* The kernel accepts a longer struct if all fields unknown to the kernel are 0. */
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

	kernel.has_seccomp = call_filter_is_available();
	return kernel;
}

/* rules: NULL if no path is allowed. */
static uint64_t handled_rights(int abi, const struct lockdown_rules *rules)
{
	uint64_t rights = rights_of(abi);

	return rules && rules->reach == LOCKDOWN_LISTED_WRITE ? rights & ~FS_READ : rights;
}

static int open_ruleset(int abi, const struct lockdown_rules *rules)
{
	bool needs_network = rules && rules->needs_network;
	struct ruleset ruleset = {
		.handled_fs = handled_rights(abi, rules),
		.handled_net = abi >= 4 && !needs_network ? NET_ALL : 0,
		.scoped = abi >= 6 && !needs_network ? SCOPE_ALL : 0,
	};

	return (int)create_ruleset(&ruleset, sizeof(ruleset), 0);
}

/*
 * No rule is needed for a path that does not exist, or to which Landlock does not apply (a pipe).
 */
static void allow_path(int ruleset, uint64_t handled, const struct lockdown_path *path)
{
	struct path_rule rule = { .parent_fd = open(path->path, O_PATH | O_CLOEXEC) };
	struct stat status;

	if (rule.parent_fd < 0)
		return;
	rule.allowed = handled & (path->access == LOCKDOWN_WRITE ? FS_WRITE : FS_READ);
	if (fstat(rule.parent_fd, &status) != 0 || !S_ISDIR(status.st_mode))
		rule.allowed &= FS_OF_FILES;
	/* A rule without rights is an error, so add none for a path without rights. */
	if (rule.allowed)
		(void)!add_rule(ruleset, &rule);
	close(rule.parent_fd);
}

static bool restrict_files(int abi, const struct lockdown_rules *rules)
{
	int ruleset = open_ruleset(abi, rules);
	bool good;

	if (ruleset < 0)
		return false;
	for (size_t i = 0; rules && i < rules->paths.count; i++)
		allow_path(ruleset, handled_rights(abi, rules), &rules->paths.at[i]);
	good = restrict_self(ruleset) == 0;
	close(ruleset);
	return good;
}

/* Drops all capabilities of the process except the given ones. */
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

unsigned lockdown_worker(const struct lockdown_kernel *kernel, struct call_filter *filter)
{
	unsigned failed = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		failed |= LOCKDOWN_NEW_RIGHTS;
	if (!keep_capabilities(0))
		failed |= LOCKDOWN_CAPABILITIES;
	if (kernel->landlock_abi && !restrict_files(kernel->landlock_abi, NULL))
		failed |= LOCKDOWN_FILES;
	if (kernel->has_seccomp && !call_filter_apply(filter))
		failed |= LOCKDOWN_CALLS;
	return failed;
}

/*
 * The capabilities that root needs: to read and write other users' files, to keep the owner of a
 * replaced file, and to see addresses in /proc/kallsyms.
 */
#define KEPT_CAPABILITIES                                                             \
	(1ull << CAP_DAC_OVERRIDE | 1ull << CAP_DAC_READ_SEARCH | 1ull << CAP_CHOWN | \
	 1ull << CAP_FOWNER | 1ull << CAP_SYSLOG)

static bool restrict_main_calls(bool needs_network)
{
	struct call_filter filter;
	bool good = call_filter_compile(&filter, needs_network ? CALLS_OF_MAIN_WITH_NETWORK
							       : CALLS_OF_MAIN) &&
		    call_filter_apply(&filter);

	call_filter_free(&filter);
	return good;
}

unsigned lockdown_main(const struct lockdown_kernel *kernel, const struct lockdown_rules *rules)
{
	unsigned failed = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		failed |= LOCKDOWN_NEW_RIGHTS;
	if (!keep_capabilities(KEPT_CAPABILITIES))
		failed |= LOCKDOWN_CAPABILITIES;
	if (kernel->landlock_abi && rules->reach != LOCKDOWN_ALL_FILES &&
	    !restrict_files(kernel->landlock_abi, rules))
		failed |= LOCKDOWN_FILES;
	if (kernel->has_seccomp && !restrict_main_calls(rules->needs_network))
		failed |= LOCKDOWN_CALLS;
	return failed;
}
