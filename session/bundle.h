/* SPDX-License-Identifier: MIT */
/*
 * A capture and everything that names its frames, as one archive to be read anywhere:
 *
 *     kiln-manifest                 what each file is, and for which modules it was accepted
 *     perf.data                     the capture; of one that is a folder, perf.data/data and data.N
 *     .build-id/..., perf-7.map     what named its frames here: session/bundle_files.h
 *     sources/...                   source lines, if they are asked for: session/bundle_sources.h
 *
 * Bundling is naming: each file that the search accepts is taken along, and nothing else.
 */
#ifndef SESSION_BUNDLE_H
#define SESSION_BUNDLE_H

#include "base/sink.h"
#include "session/session.h"

struct bundle_options {
	bool is_full;       /* whole files, not what of them names the frames of this capture */
	double least_share; /* of the samples, from 0 to 1: files of less are left out */
	bool has_sources;   /* the source lines that samples touch are packed too */
	const char *const *source_folders; /* where they are looked for: session/source_file.h */
	size_t source_folder_count;
};

/* What came of it. */
struct bundle_report {
	size_t file_count;    /* beside the capture and the manifest */
	size_t module_count;  /* that frames are in, and a file was looked for */
	size_t missing_count; /* of these; the profile's modules say why */
	size_t small_count; /* of these, left out for their share; not among those that are missing */
	double small_share; /* the largest of these */
	size_t source_count,
		newer_source_count; /* source files, and those changed after the capture */
	size_t missing_source_count;
	const char
		*missing_source; /* the most used of these, borrowed from the session; NULL: none */
	const char *missing_source_reason;
};

/*
 * Reads the samples of a session that is open, names their frames, and writes the bundle to sink in the
 * form that name, that of the file, asks for. Takes the place of session_build_profile.
 */
bool bundle_write(struct session *session, const struct bundle_options *options, const char *name,
		  struct sink *sink, struct bundle_report *ret, struct error *err) WARN_UNUSED;

/* What the user who runs this may not read, and what of the samples that leaves without names. */
struct bundle_denied {
	bool is_kernel;              /* its symbols are hidden */
	double kernel_share;         /* of the samples, from 0 to 1 */
	int kptr_restrict, paranoid; /* settings of this host's kernel; -1: not known */
	size_t file_count;
	const struct module *file; /* that with the most of the samples; NULL: there is none */
	double file_share;
};

/* For a session that was bundled. */
struct bundle_denied bundle_denied_of(const struct session *session);

/* Whether no file was found for a module that needs one. */
bool bundle_lacks(const struct module *module);

/* Whether its file was left out because few samples have a frame in it. */
bool bundle_leaves_out(const struct session *session, const struct bundle_options *options,
		       const struct module *module);

#endif
