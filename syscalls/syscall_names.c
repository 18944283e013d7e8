/* SPDX-License-Identifier: MIT */
#include "syscalls/syscall_names.h"

/* From this number on, all architectures have the same system calls. */
#define SHARED_FIRST 424u

/*
 * Source: include/uapi/asm-generic/errno-base.h and errno.h of the Linux kernel, from error 1 on.
 */
static const char error_names[] =
	"EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT "
	"ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG "
	"ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY "
	"ELOOP - ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT EBADE "
	"EBADR EXFULL ENOANO EBADRQC EBADSLT - EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG "
	"EREMOTE ENOLINK EADV ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ "
	"EBADFD EREMCHG ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE EUSERS "
	"ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT "
	"EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETDOWN ENETUNREACH "
	"ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS "
	"ETIMEDOUT ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM "
	"ENAVAIL EISNAM EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED "
	"EKEYREVOKED EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE ERFKILL EHWPOISON";

/*
 * Source: include/linux/errno.h. For these results, the kernel restarts the call, or the program
 * gets EINTR. Tracepoints show the original result.
 */
#define RESTART_FIRST 512u
static const char restart_names[] = "ERESTARTSYS ERESTARTNOINTR ERESTARTNOHAND ENOIOCTLCMD "
				    "ERESTART_RESTARTBLOCK";

/* Returns the word with this index, counted from 0. */
static struct text word_at(const char *words, uint32_t index)
{
	const char *at = words;
	size_t length;

	for (uint32_t i = 0; i < index; i++) {
		at = strchr(at, ' ');
		if (!at)
			return (struct text){ NULL, 0 };
		at++;
	}
	length = strcspn(at, " ");
	return (struct text){ length == 1 && *at == '-' ? NULL : at, (uint32_t)length };
}

static bool find_word(const char *words, struct text word, uint32_t *index_ret)
{
	uint32_t index = 0;

	for (const char *at = words; at; index++) {
		size_t length = strcspn(at, " ");

		if (text_equal((struct text){ at, (uint32_t)length }, word)) {
			*index_ret = index;
			return true;
		}
		at = at[length] ? at + length + 1 : NULL;
	}
	return false;
}

enum syscall_abi syscall_abi_of(struct text arch)
{
	static const struct {
		const char *arch;
		enum syscall_abi abi;
	} rows[] = {
		{ "x86_64", SYSCALL_ABI_X86_64 },       { "i386", SYSCALL_ABI_I386 },
		{ "i486", SYSCALL_ABI_I386 },           { "i586", SYSCALL_ABI_I386 },
		{ "i686", SYSCALL_ABI_I386 },           { "aarch64", SYSCALL_ABI_GENERIC },
		{ "aarch64_be", SYSCALL_ABI_GENERIC },  { "riscv64", SYSCALL_ABI_GENERIC },
		{ "loongarch64", SYSCALL_ABI_GENERIC }, { "s390x", SYSCALL_ABI_S390X },
	};

	for (size_t i = 0; arch.at && i < ARRAY_SIZE(rows); i++)
		if (text_is(arch, rows[i].arch))
			return rows[i].abi;
	return SYSCALL_ABI_UNKNOWN;
}

struct text syscall_name(enum syscall_abi abi, uint32_t number)
{
	static const char *const tables[] = {
		[SYSCALL_ABI_X86_64] = syscall_names_x86_64,
		[SYSCALL_ABI_I386] = syscall_names_i386,
		[SYSCALL_ABI_GENERIC] = syscall_names_generic,
		[SYSCALL_ABI_S390X] = syscall_names_s390x,
	};

	if (abi == SYSCALL_ABI_UNKNOWN)
		return (struct text){ NULL, 0 };
	if (number >= SHARED_FIRST)
		return word_at(syscall_names_shared, number - SHARED_FIRST);
	return word_at(tables[abi], number);
}

struct text syscall_error_name(uint32_t error)
{
	if (error >= RESTART_FIRST)
		return word_at(restart_names, error - RESTART_FIRST);
	return error ? word_at(error_names, error - 1) : (struct text){ NULL, 0 };
}

uint32_t syscall_error_of(struct text name)
{
	uint32_t index;

	if (find_word(error_names, name, &index))
		return index + 1;
	return find_word(restart_names, name, &index) ? index + RESTART_FIRST : 0;
}
