/* SPDX-License-Identifier: MIT */
/*
 * Source code that goes into a bundle where it is asked for: of each source file that frames point to, the
 * lines around those that samples touch (session/source_lines.h), each file as one member
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
	struct text path;     /* as compiled; NUL behind */
	uint64_t touch_count; /* locations in it */
	const char *missing;  /* why it is not packed, as the manifest has it; NULL: it is */
	struct bundle_manifest_source manifest; /* of one that is packed */
	size_t begin;                           /* in bytes */
};

struct bundle_sources {
	struct arena arena;
	VEC(struct bundle_source) rows; /* by path */
	struct sink bytes;              /* what is packed */
};

/* Reads the sources of a session whose profile was built; without options->has_sources none. */
void bundle_sources_init(struct bundle_sources *sources, const struct session *session,
			 const struct bundle_options *options);
void bundle_sources_deinit(struct bundle_sources *sources);

void bundle_sources_write_manifest(const struct bundle_sources *sources, struct sink *manifest);
bool bundle_sources_pack(const struct bundle_sources *sources, struct pack *pack,
			 struct error *err) WARN_UNUSED;
void bundle_sources_report(const struct bundle_sources *sources, struct bundle_report *report);

#endif
