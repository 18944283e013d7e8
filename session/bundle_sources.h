/* SPDX-License-Identifier: MIT */
/*
 * Packs source lines for kiln bundle --sources: the lines around sampled locations
 * (session/source_file.h). Each source file is one member of the archive:
 *
 *     sources/usr/src/app/parse.c
 */
#ifndef SESSION_BUNDLE_SOURCES_H
#define SESSION_BUNDLE_SOURCES_H

#include "compress/pack.h"
#include "base/arena.h"
#include "session/bundle.h"
#include "symbolise/bundle_manifest.h"

struct bundle_source {
	struct text path;     /* as recorded by the compiler; NUL-terminated */
	uint64_t touch_count; /* locations in it */
	/* why the file is not packed, as written to the manifest; NULL if it is packed */
	const char *missing;
	struct bundle_manifest_source manifest; /* set if it is packed */
	size_t begin;                           /* offset in bytes */
};

struct bundle_sources {
	struct arena arena;
	VEC(struct bundle_source) rows; /* by path */
	struct sink bytes;              /* the packed lines */
};

/* Reads the sources of a session whose profile has been built. Does nothing unless
 * options->has_sources. */
void bundle_sources_init(struct bundle_sources *sources, const struct session *session,
			 const struct bundle_options *options);
void bundle_sources_deinit(struct bundle_sources *sources);

void bundle_sources_write_manifest(const struct bundle_sources *sources, struct sink *manifest);
bool bundle_sources_pack(const struct bundle_sources *sources, struct pack *pack,
			 struct error *err) WARN_UNUSED;
void bundle_sources_report(const struct bundle_sources *sources, struct bundle_report *report);

#endif
