/* SPDX-License-Identifier: MIT */
/*
 * What a bundle says of its own files: a text, its first member, that tells for each file what it is
 * and which modules of the capture it was accepted for on the machine they ran on. A module with a
 * build-id needs none of that; one without is known by its path, device and inode, which mean nothing
 * elsewhere, and there the manifest is all that leads to its file.
 *
 *     kiln-manifest 1
 *     made-by       kiln VERSION
 *     file          NAME KIND BUILD-ID XXH64 SIZE FORM
 *     for           VERDICT BUILD-ID MAJOR:MINOR INODE GENERATION PID PATH     of the file above
 *     missing       VERDICT BUILD-ID PATH REASON
 *     left-out      SHARE BUILD-ID PATH          few samples have a frame in it
 *     identity      PROOF BUILD-ID MAJOR:MINOR INODE GENERATION PATH
 *     source        NAME LINES XXH64 SIZE AGE PATH
 *     no-source     REASON PATH
 *
 * An identity line says of a module whose build-id perf read after recording what the host showed: that it is the
 * mapping's (inode, code), or another file's (other-inode, other-code, rewritten).
 *
 * Fields are separated by tabs; a field that is not known is "-"; bytes below 0x21 and the backslash are
 * written as \xHH.
 */
#ifndef SYMBOLISE_BUNDLE_MANIFEST_H
#define SYMBOLISE_BUNDLE_MANIFEST_H

#include "base/sink.h"
#include "object/index.h"
#include "process/module.h"
#include "symbolise/symbolise.h"

/* The kind of a file that has split debug information of what it is for, and names nothing alone. */
#define BUNDLE_MANIFEST_SPLIT "split"

/* A file, and a module without a build-id that it was accepted for. */
struct bundle_manifest_row {
	struct text path;
	uint32_t device_major, device_minor;
	uint64_t inode, inode_generation;
	bool is_same_file; /* proven by the inode; else nothing did */
	struct index_file file;
	uint64_t checksum;
};

/* What is known of a module whose build-id perf read after recording. */
struct bundle_manifest_build_id {
	struct text path;
	uint32_t device_major, device_minor;
	uint64_t inode, inode_generation;
	enum build_id_proof proof;
	struct build_id build_id;
};

struct bundle_manifest {
	bool is_there;
	struct arena arena;
	VEC(struct bundle_manifest_row) rows;            /* by module */
	VEC(struct bundle_manifest_build_id) identities; /* by path */
};

/* The rows for one module. */
struct bundle_manifest_run {
	const struct bundle_manifest_row *at;
	size_t count;
};

/* Reads that of the archive called name, if there is one in it. Lines that are damaged are left out. */
void bundle_manifest_init(struct bundle_manifest *manifest, const char *name,
			  const struct contents *contents);
void bundle_manifest_deinit(struct bundle_manifest *manifest);

/* By its path, device and inode: of a module whose build-id says nothing. */
struct bundle_manifest_run bundle_manifest_find(const struct bundle_manifest *manifest,
						const struct module *module, struct text path);

/* What the host showed of the module's build-id; PROOF_NONE: nothing is known. */
enum build_id_proof bundle_manifest_proof(const struct bundle_manifest *manifest,
					  const struct module *module, struct text path);

/* Writing one, line by line. */
struct bundle_manifest_file {
	const char *name;
	const char *kind;
	const struct build_id *build_id;
	uint64_t checksum, size_bytes;
	bool is_slim; /* FORM: slim, else whole */
};

/* AGE of a source file that was changed after the capture was written. */
#define BUNDLE_SOURCE_NEWER "newer"

/* Lines of a source file. */
struct bundle_manifest_source {
	const char *name;
	struct text path; /* as compiled */
	const char *age;  /* beside the capture: newer, older; "": not known */
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
/* share: of the samples, from 0 to 1. */
void bundle_manifest_write_left_out(struct sink *sink, const struct module *module,
				    struct text path, double share);
void bundle_manifest_write_source(struct sink *sink, const struct bundle_manifest_source *source);
void bundle_manifest_write_no_source(struct sink *sink, struct text path, const char *reason);

/* The first line of the file with the lines of a source file: compress/contents.h has its first word. */
void bundle_manifest_write_source_head(struct sink *sink, struct text path);

#endif
