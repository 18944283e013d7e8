/* SPDX-License-Identifier: MIT */
/*
 * What code belongs to: an executable, a library, the kernel, one of its modules, or the
 * anonymous memory of a process that compiles at run time. perf says dso. A module is
 * identified by everything that can tell two files apart (path, build-id, device and inode, and
 * for anonymous memory the process), so two containers' /bin/app are two modules.
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
	MODULE_NONE,          /* row 0: the address belongs to nothing that is known */
	MODULE_FILE,          /* addresses are offsets into the file */
	MODULE_KERNEL,        /* this and below: addresses are as they ran */
	MODULE_KERNEL_MODULE, /* named [ext4] or /lib/modules/.../ext4.ko */
	MODULE_KSYMBOL,       /* BPF program, trampoline: path is the symbol's own name */
	MODULE_ANONYMOUS,     /* of process pid; named by its perf-PID.map */
	MODULE_JITDUMP, /* code that a process wrote to a file: addresses are offsets into it */
	MODULE_VDSO,    /* addresses are offsets into the vdso image */
	MODULE_SPECIAL, /* [stack], [heap], [vsyscall], devices: never has symbols */
	MODULE_GUEST,
	MODULE_MARK, /* no code: its path says something of the stack */
};

/* Who read the build-id of a module. */
enum build_id_source {
	BUILD_ID_BY_KERNEL, /* with the mapping: perf record --buildid-mmap */
	/* perf, from the file that was at the path when recording ended: of a file that was replaced meanwhile, or
	 * lay at this path in another mount namespace, that is another file's. */
	BUILD_ID_BY_RECORDER,
};

/* What shows whether a build-id of the recorder's is that of the mapping. */
enum build_id_proof {
	PROOF_NONE,  /* nothing does */
	PROOF_INODE, /* the file on the host that has it has the mapping's device and inode */
	PROOF_CODE,  /* in the file that has it, calls precede the captured return addresses */
	PROOF_OTHER_INODE, /* the file on the host that has it is another than the mapped one */
	PROOF_OTHER_CODE,  /* in the file that has it, none precede them */
	PROOF_REWRITTEN,   /* the mapped file has it since it was written over, after the mapping */
	PROOF_COUNT,
};

/* Whether the file that symbolised a module is the one that was mapped. */
enum match_status {
	MATCH_NOT_NEEDED,    /* no sampled address is in the module */
	MATCH_VERIFIED,      /* the build-ids are equal, and that of the capture is the mapping's */
	MATCH_LATE_BUILD_ID, /* they are equal, but perf read that of the capture after recording */
	MATCH_SAME_FILE,     /* no build-id in the capture; same host, device and inode */
	MATCH_UNVERIFIED,    /* used, but nothing proves it is the same */
	MATCH_MISMATCHED,    /* found and refused: another build-id */
	MATCH_MISSING,       /* not found anywhere */
	MATCH_NO_SYMBOLS,    /* the right file, but stripped */
	MATCH_CORRUPT,       /* the right file, but it cannot be read */
	MATCH_NO_FILE,       /* MODULE_KSYMBOL, MODULE_SPECIAL: there is no file to look for */
};

/*
 * A path that was searched for a module's symbols. Its status: nothing was there (MATCH_MISSING), it was
 * used (MATCH_VERIFIED, _LATE_BUILD_ID, _SAME_FILE, _UNVERIFIED), or it was refused.
 */
struct searched_path {
	str_id path;
	enum match_status match;
	str_id reason; /* for people: why it was refused, or what it lacks; perhaps empty */
};

struct module {
	str_id path; /* as captured */
	enum module_kind kind;
	uint32_t pid; /* MODULE_ANONYMOUS, MODULE_JITDUMP */
	struct build_id build_id;
	uint32_t device_major, device_minor;
	uint64_t inode, inode_generation;
	bool is_32_bit; /* MODULE_VDSO: it is that of 32-bit programs, which is another */
	/* MODULE_KERNEL: the symbol the capture names (_text, _stext) and where it ran, which gives
	 * the shift of a symbol list from another boot; 0: unknown. */
	str_id reference_symbol;
	uint64_t reference_address;
	uint64_t start, end; /* kernel and kernel modules: where it lay */

	/* MODULE_FILE, and no part of its identity: the first stretch of it that was mapped to be
	 * run; 0 bytes: unknown. */
	uint64_t mapped_offset, mapped_bytes;
	/* When it was first mapped to be run: by the capture's clock (0: before the recording began), and since
	 * the epoch, at the latest (0: unknown): process/mapping_time.h. */
	uint64_t mapped_ns;
	int64_t mapped_wall_ns;

	/* Nor are these: MODULE_FILE. */
	enum build_id_source build_id_source;
	bool has_rivals; /* several files were mapped from its path, by their inodes */
	/* What perf lists for its path, where several files were mapped from it; it may be of any or none. */
	struct build_id listed_build_id;

	/* MODULE_FILE: two of the processes that map it; and that its path leads to it for none but those
	 * that see other things mounted than the machine does. 0: not known. */
	uint32_t first_pid, last_pid;
	bool is_elsewhere;

	/* MODULE_ANONYMOUS: the process is in a container and calls itself by another number than pid;
	 * or it is in none, and that is known. Neither: the capture does not say. */
	bool has_other_pid, has_host_pid;

	/* Filled by symbolise. */
	enum match_status match;
	enum build_id_proof build_id_proof;
	str_id symbol_file;   /* what named its frames; empty: nothing did */
	str_id reason;        /* for people: why it could not be named, or not trusted */
	str_id inline_reason; /* why its inlined functions are not known though the file tells them */
	bool is_stripped;     /* what named its frames knows only the functions it exports */
	bool is_denied;       /* this user may not read a file that might name them */
	uint32_t location_count, named_count;
	/* Rows of modules.searched_paths, in the order they were tried, and how many more there were. */
	uint32_t searched_first, searched_count, searched_more_count;
};

struct modules {
	VEC(struct module) rows;
	struct idtable table;
	VEC(struct searched_path) searched_paths; /* of all modules; those of one side by side */
	VEC(str_id)
	notes; /* for people: what of the places the user gave cannot be used, and why */
};

void modules_init(struct modules *modules);
void modules_deinit(struct modules *modules);

/* The id of the module with this identity (the fields above mapped_offset), added when new. */
module_id modules_intern(struct modules *modules, const struct module *module);

/* Whether the module's build-id is known to be another file's. */
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
