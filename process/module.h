/* SPDX-License-Identifier: MIT */
/*
 * A module (perf calls it a DSO): an executable, a library, the kernel, a kernel module, or the
 * anonymous memory of a process with JIT code. The identity of a module is everything that can
 * distinguish two files: path, build-id, device and inode. For anonymous memory, the process is
 * also part of the identity. /bin/app in two containers is therefore two modules.
 */
#ifndef PROCESS_MODULE_H
#define PROCESS_MODULE_H

#include "base/idtable.h"
#include "base/strings.h"
#include "base/vec.h"
#include "libparse/event.h"

typedef struct {
	uint32_t i;
} module_id;

enum module_kind {
	MODULE_NONE,   /* row 0: the address is not in a known mapping */
	MODULE_FILE,   /* addresses are offsets into the file */
	MODULE_KERNEL, /* from here on, addresses are run-time addresses if not stated otherwise */
	MODULE_KERNEL_MODULE, /* named [ext4] or /lib/modules/.../ext4.ko */
	MODULE_KSYMBOL,       /* BPF program, trampoline: path is the name of the symbol */
	MODULE_ANONYMOUS,     /* memory of process `pid`; its perf-PID.map has the symbols */
	MODULE_JITDUMP, /* JIT code in a jitdump file; addresses are offsets into the jitdump */
	MODULE_VDSO,    /* addresses are offsets into the vdso image */
	MODULE_SPECIAL, /* [stack], [heap], [vsyscall], devices: these have no symbols */
	MODULE_GUEST,
	MODULE_MARK, /* not code; the path is a note about the stack */
};

/* Who read the build-id of a module, and when. */
enum build_id_source {
	BUILD_ID_BY_KERNEL, /* the kernel, at the time of the mapping: perf record --buildid-mmap */
	/*
	 * perf, from the file that was at the path when recording ended If the file was replaced,
	 * or the path is in another mount namespace, the build-id belongs to a different file.
	 */
	BUILD_ID_BY_RECORDER,
};

/* Evidence on whether a build-id that perf read after recording belongs to the mapped file. */
enum build_id_proof {
	PROOF_NONE,  /* no evidence */
	PROOF_INODE, /* the host's file with this build-id has the mapping's device and inode */
	/* in the file with this build-id, a call precedes each sampled return address */
	PROOF_CODE,
	PROOF_OTHER_INODE, /* the host's file with this build-id has a different device or inode */
	/* in the file with this build-id, calls do not precede the sampled return addresses */
	PROOF_OTHER_CODE,
	PROOF_REWRITTEN, /* the mapped file was overwritten after it was mapped */
	PROOF_COUNT,
};

/* Whether the file that symbolised a module is the one that was mapped. */
enum match_status {
	MATCH_NOT_NEEDED,    /* no sampled address is in the module */
	MATCH_VERIFIED,      /* equal build-ids; the one in the capture was read from the mapping */
	MATCH_LATE_BUILD_ID, /* equal build-ids; perf read the one in the capture after recording */
	MATCH_SAME_FILE,     /* no build-id in the capture, but the same host, device and inode */
	MATCH_UNVERIFIED, /* the file was used, although nothing proves that it is the right file */
	MATCH_MISMATCHED, /* rejected: a different build-id */
	MATCH_MISSING,    /* no file was found anywhere */
	MATCH_NO_SYMBOLS, /* the right file, but stripped */
	MATCH_CORRUPT,    /* the right file, but kiln cannot read it */
	MATCH_NO_FILE,    /* there is no file to look for, for example for MODULE_SPECIAL */
};

/*
 * A path that was searched for a module's symbols. `match` is MATCH_MISSING if there was no file.
 * If the file was used, `match` is MATCH_VERIFIED, _LATE_BUILD_ID, _SAME_FILE or _UNVERIFIED.
 * Otherwise, `match` is the reason why the file was rejected.
 */
struct searched_path {
	str_id path;
	enum match_status match;
	/* message: why the file was rejected, or what the file lacks; may be empty */
	str_id reason;
};

struct module {
	str_id path; /* as captured */
	enum module_kind kind;
	uint32_t pid; /* MODULE_ANONYMOUS, MODULE_JITDUMP */
	struct build_id build_id;
	uint32_t device_major, device_minor;
	uint64_t inode, inode_generation;
	bool is_32_bit; /* MODULE_VDSO: the vdso of 32-bit programs */
	/*
	 * MODULE_KERNEL: the reference symbol of the capture (_text, _stext) and its address. The
	 * address serves to relocate symbols from another boot. Both are 0 if unknown.
	 */
	str_id reference_symbol;
	uint64_t reference_address;
	uint64_t start, end; /* kernel and kernel modules: the mapped address range */

	/*
	 * The fields from here on are not part of the identity. MODULE_FILE: the first range of the
	 * file that was mapped executable. 0 bytes if unknown.
	 */
	uint64_t mapped_offset, mapped_bytes;
	/*
	 * The time when the module was first mapped executable. mapped_ns: by the capture's clock;
	 * 0 if before the recording. mapped_wall_ns: the latest possible time since the epoch; 0 if
	 * unknown. See process/mapping_time.h.
	 */
	uint64_t mapped_ns;
	int64_t mapped_wall_ns;

	/* Valid only for MODULE_FILE. */
	enum build_id_source build_id_source;
	bool has_rivals;      /* files with different inodes were mapped from the module's path */
	module_id next_rival; /* has_rivals: all modules with the same path form a ring */
	/*
	 * The build-id that perf lists for the module's path, if several files were mapped from
	 * this path. The listed build-id may belong to any of these files, or to none.
	 */
	struct build_id listed_build_id;

	/*
	 * MODULE_FILE: up to two of the processes that map the file; 0 if unknown. is_elsewhere: no
	 * process that maps the file is in the host's mount namespace.
	 */
	uint32_t first_pid, last_pid;
	bool is_elsewhere;

	/*
	 * MODULE_ANONYMOUS. has_other_pid: the process is in a container, where it has another pid.
	 * has_host_pid: the process is known not to be in a container. If both are false, nothing
	 * is known about the process.
	 */
	bool has_other_pid, has_host_pid;

	/* The symbolise step sets the fields below. */
	enum match_status match;
	enum build_id_proof build_id_proof;
	str_id symbol_file;   /* the file that symbolised the module; empty if none */
	str_id reason;        /* message: why the module was not symbolised, or is not trusted */
	str_id inline_reason; /* message: why the file's inlined functions were not read */
	bool is_stripped;     /* the symbol file has only exported functions */
	bool is_denied;       /* a possible symbol file is not readable for the user */
	uint32_t location_count, named_count;
	/*
	 * Rows of modules.searched_paths, in search order. searched_more_count: the number of
	 * further paths that were searched.
	 */
	uint32_t searched_first, searched_count, searched_more_count;
};

struct modules {
	VEC(struct module) rows;
	struct idtable table;
	/* paths of all modules; contiguous for each module */
	VEC(struct searched_path) searched_paths;
	/* messages: which symbol paths from the user cannot be used, and why */
	VEC(str_id) notes;
};

void modules_init(struct modules *modules);
void modules_deinit(struct modules *modules);

/*
 * Returns the id of the module with this identity (the fields above mapped_offset). Adds a module
 * that is new.
 */
module_id modules_intern(struct modules *modules, const struct module *module);

/* Makes modules_intern find modules whose identity changed after they were added. */
void modules_index(struct modules *modules);

/* Modules without a path, such as those of marks, are not builds of the same file. */
static inline bool module_has_path(const struct module *module)
{
	return module->kind != MODULE_NONE && module->path.i != STR_EMPTY.i;
}

/* Whether two modules are the same file, or builds of a file, as far as their paths say. */
static inline bool module_is_build_of(const struct module *module, const struct module *other)
{
	return module_has_path(module) && module_has_path(other) && module->path.i == other->path.i;
}

/* Whether the module's build-id is known to belong to a different file. */
static inline bool module_has_other_build_id(const struct module *module)
{
	return module->build_id_proof == PROOF_OTHER_INODE ||
	       module->build_id_proof == PROOF_OTHER_CODE ||
	       module->build_id_proof == PROOF_REWRITTEN;
}

static inline struct module *modules_get(const struct modules *modules, module_id id)
{
	return &modules->rows.at[id.i];
}

#endif
