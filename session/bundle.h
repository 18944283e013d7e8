/* SPDX-License-Identifier: MIT */
/*
 * Writes a bundle, an archive with a capture and all files that name its frames, so that the
 * capture can be read anywhere:
 *
 *     kiln-manifest                 the kind of each file, and the modules that it is for
 *     perf.data                     the capture; if it is a directory, perf.data/data and data.N
 *     .build-id/..., perf-7.map     the symbol files: session/bundle_files.h
 *     sources/...                   source lines, if requested: session/bundle_sources.h
 *
 * A bundle contains the symbol files that symbolisation accepts, except those that --min-share
 * omits.
 */
#ifndef SESSION_BUNDLE_H
#define SESSION_BUNDLE_H

#include "base/sink.h"
#include "session/session.h"

struct bundle_options {
	bool is_full;       /* whole files, not only the parts that this capture needs */
	double least_share; /* omit files with a smaller share of samples, from 0 to 1 */
	bool has_sources;   /* include the source lines of sampled locations */
	const char *const *source_directories; /* where to search: session/source_file.h */
	size_t source_directory_count;
};

/* Counts for the user's summary. */
struct bundle_report {
	size_t file_count;    /* without the capture and the manifest */
	size_t module_count;  /* modules with frames that need a file */
	size_t missing_count; /* of these, not found; the profile's modules state the reasons */
	size_t small_count;   /* of these, omitted because of least_share; not in missing_count */
	double small_share;   /* the largest share of these */
	/* number of source files, and of those that changed after the capture */
	size_t source_count, newer_source_count;
	size_t missing_source_count;
	/* the missing file with the most locations, borrowed from the session; NULL if none */
	const char *missing_source;
	const char *missing_source_reason;
};

/*
 * Reads the samples of an open session, symbolises them, and writes the bundle to sink. The suffix
 * of name selects the compression. Must be called instead of session_build_profile.
 */
bool bundle_write(struct session *session, const struct bundle_options *options, const char *name,
		  struct sink *sink, struct bundle_report *ret, struct error *err) WARN_UNUSED;

/*
 * Symbols that this user is not allowed to read, and the share of samples that have no names
 * because of this.
 */
struct bundle_denied {
	bool is_kernel;              /* the kernel's symbols are hidden */
	double kernel_share;         /* share of samples, from 0 to 1 */
	int kptr_restrict, paranoid; /* kernel settings of this host; -1 if unknown */
	size_t file_count;
	const struct module *file; /* the file with the most samples; NULL if none */
	double file_share;
};

/* Must be called after bundle_write. */
struct bundle_denied bundle_denied_of(const struct session *session);

/* Whether no file was found for a module that needs one. */
bool bundle_lacks(const struct module *module);

/* Whether the module's file was omitted because of least_share. */
bool bundle_leaves_out(const struct session *session, const struct bundle_options *options,
		       const struct module *module);

#endif
