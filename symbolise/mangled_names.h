/* SPDX-License-Identifier: MIT */
/*
 * The mangled names that jobs found. A worker demangles all these names together, after all jobs.
 * Until then, a result contains the mangled name. The address of this text identifies the name.
 *
 *     job ─ mangled_names_add ─▶ "_ZN3net4pollEv@plt" ─┐
 *     job ─ mangled_names_add ─▶ "_ZN3net4pollEv"     ─┴▶ worker ─▶ "net::poll@plt", "net::poll"
 */
#ifndef SYMBOLISE_MANGLED_NAMES_H
#define SYMBOLISE_MANGLED_NAMES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/idtable.h"
#include "base/vec.h"
#include "sandbox/service.h"
#include "symbolise/demangle/display_name.h"

/* A mangled name; its texts are in the arena. */
struct mangled_name {
	struct text given; /* the name in results: stem, suffix and end */
	struct text shown; /* text after demangling; .at is NULL if the name stays unchanged */
	uint32_t stem_length, end_length;
	enum demangle_hashes hashes;
	uint32_t request;
};

struct mangled_names {
	VEC(struct mangled_name) rows;
	struct idtable by_address;
};

void mangled_names_init(struct mangled_names *names);
void mangled_names_deinit(struct mangled_names *names);

/* Adds a name, and returns the text that represents it in results. end: "@plt", or nothing. */
struct text mangled_names_add(struct mangled_names *names, struct arena *arena,
			      const struct display_parts *parts, struct text end);

/* Returns the demangled form if text is one of the names. Otherwise, returns text. */
struct text mangled_names_shown(const struct mangled_names *names, struct text text);

/*
 * Demangles the names of several jobs in workers. Each distinct name is demangled once. Returns the
 * number of names that stay mangled because a worker failed. err is the first reason. Texts are in
 * the arena.
 */
size_t mangled_names_demangle(struct mangled_names *const *jobs, size_t job_count,
			      const struct service *service, unsigned thread_count,
			      struct arena *arena, struct error *err);

/*
 * Joins the shown name of a symbol in the arena: head (demangled or not), suffix and end. Marks a
 * name that was truncated.
 */
struct text mangled_names_join(struct arena *arena, struct text head, struct text suffix,
			       struct text end);

#endif
