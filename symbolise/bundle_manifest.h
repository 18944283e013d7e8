/* SPDX-License-Identifier: MIT */
/*
 * The manifest of a bundle is its first member. The manifest is a text that lists each file, and
 * the modules for which the file was accepted on the recording machine. For modules with a
 * build-id, the manifest is not needed. The manifest assigns files to the other modules, by path,
 * device and inode.
 *
 *     kiln-manifest 1
 *     made-by       kiln VERSION
 *     file          NAME KIND BUILD-ID XXH64 SIZE FORM
 *     for           STATUS BUILD-ID MAJOR:MINOR INODE GENERATION PID PATH     of the file above
 *     missing       STATUS BUILD-ID PATH REASON
 *     left-out      SHARE BUILD-ID PATH          below --min-share
 *     identity      PROOF BUILD-ID MAJOR:MINOR INODE GENERATION PATH
 *     source        NAME LINES XXH64 SIZE AGE PATH
 *     no-source     REASON PATH
 *
 * An identity line is about a build-id that perf read after recording. The line states the result
 * from the host: the build-id belongs to the mapped file (inode, code), or to a different file
 * (other-inode, other-code, rewritten).
 *
 * Tabs separate fields. "-" is an unknown field. Bytes below 0x21 and the backslash are written as
 * \xHH.
 */
#ifndef SYMBOLISE_BUNDLE_MANIFEST_H
#define SYMBOLISE_BUNDLE_MANIFEST_H

#include "base/sink.h"
#include "object/index.h"
#include "process/module.h"
#include "symbolise/symbolise.h"

/*
 * The KIND of a split DWARF file. A split DWARF file cannot name addresses without the main file.
 */
#define BUNDLE_MANIFEST_SPLIT "split"

/* A file, and the module without a build-id for which it was accepted. */
struct bundle_manifest_row {
	struct text path;
	uint32_t device_major, device_minor;
	uint64_t inode, inode_generation;
	bool is_same_file; /* the inode proves the file; otherwise, nothing does */
	struct index_file file;
	uint64_t checksum;
};

/* The proof of a build-id that perf read after recording. */
struct bundle_manifest_build_id {
	struct text path;
	uint32_t device_major, device_minor;
	uint64_t inode, inode_generation;
	enum build_id_proof proof;
	struct build_id build_id;
};

/* Lines of a source file in the archive: "NUMBER TAB TEXT". */
struct bundle_manifest_lines {
	struct text path; /* as compiled */
	uint64_t begin, size_bytes;
	uint64_t checksum;
};

struct bundle_manifest {
	bool is_there;
	struct arena arena;
	VEC(struct bundle_manifest_row) rows;            /* sorted by module */
	VEC(struct bundle_manifest_build_id) identities; /* sorted by path */
	VEC(struct bundle_manifest_lines) sources;       /* sorted by path */
};

/* The rows for one module. */
struct bundle_manifest_run {
	const struct bundle_manifest_row *at;
	size_t count;
};

/*
 * Reads the manifest of the archive called name, if the archive has a manifest. Skips corrupt
 * lines.
 */
void bundle_manifest_init(struct bundle_manifest *manifest, const char *name,
			  const struct contents *contents);
void bundle_manifest_deinit(struct bundle_manifest *manifest);

/* Finds the files of a module without a usable build-id, by path, device and inode. */
struct bundle_manifest_run bundle_manifest_find(const struct bundle_manifest *manifest,
						const struct module *module, struct text path);

/* The recorded proof of the module's build-id, or PROOF_NONE. */
enum build_id_proof bundle_manifest_proof(const struct bundle_manifest *manifest,
					  const struct module *module, struct text path);

/* The lines of a source file, or NULL. */
const struct bundle_manifest_lines *
bundle_manifest_find_source(const struct bundle_manifest *manifest, struct text path);

/* A file line to write. */
struct bundle_manifest_file {
	const char *name;
	const char *kind;
	const struct build_id *build_id;
	uint64_t checksum, size_bytes;
	bool is_slim; /* FORM of the file: slim or whole */
};

/* AGE of a source file that changed after the capture was written. */
#define BUNDLE_SOURCE_NEWER "newer"

/* Lines of a source file. */
struct bundle_manifest_source {
	const char *name;
	struct text path; /* as compiled */
	const char *age;  /* newer or older than the capture; "" if unknown */
	uint32_t line_count;
	uint64_t checksum, size_bytes;
};

void bundle_manifest_write_head(struct sink *sink);
void bundle_manifest_write_file(struct sink *sink, const struct bundle_manifest_file *file);
void bundle_manifest_write_for(struct sink *sink, const struct module *module, struct text path,
			       enum match_status match);
void bundle_manifest_write_identity(struct sink *sink, const struct module *module,
				    struct text path);
void bundle_manifest_write_missing(struct sink *sink, const struct module *module, struct text path,
				   struct text reason);
/* share: the share of all samples, from 0 to 1. */
void bundle_manifest_write_left_out(struct sink *sink, const struct module *module,
				    struct text path, double share);
void bundle_manifest_write_source(struct sink *sink, const struct bundle_manifest_source *source);
void bundle_manifest_write_no_source(struct sink *sink, struct text path, const char *reason);

/* Writes the first line of a packed source file. */
void bundle_manifest_write_source_head(struct sink *sink, struct text path);

#endif
