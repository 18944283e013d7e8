/* SPDX-License-Identifier: MIT */
#include "symbolise/mangled_names.h"

#include "base/hash.h"
#include "base/workers.h"
#include "symbolise/demangle/demangle_service.h"

/* The requests of all jobs, in the order in which their names were found. */
struct demangling {
	const struct service *service;
	VEC(struct demangle_request) requests;
	struct idtable by_name;
	struct demangling_part {
		struct arena arena;
		struct error err;
		bool failed;
	} * parts; /* parts of DEMANGLE_JOB_NAMES requests */
	size_t part_count;
};

void mangled_names_init(struct mangled_names *names)
{
	*names = (struct mangled_names){ 0 };
	idtable_init(&names->by_address);
}

void mangled_names_deinit(struct mangled_names *names)
{
	vec_free(&names->rows);
	idtable_deinit(&names->by_address);
}

struct text mangled_names_join(struct arena *arena, struct text head, struct text suffix,
			       struct text end)
{
	static const char dots[] = "...";
	uint32_t length = head.length + suffix.length;
	char *text = arena_alloc(arena, (size_t)length + end.length + 1, 1);

	memcpy(text, head.at, head.length);
	if (suffix.length)
		memcpy(text + head.length, suffix.at, suffix.length);
	if (end.length)
		memcpy(text + length, end.at, end.length);
	text[length + end.length] = '\0';
	/* The file readers truncate names to this length. */
	if (length == LIMIT_SYMBOL_BYTES)
		memcpy(text + length - strlen(dots), dots, strlen(dots));
	return (struct text){ text, length + end.length };
}

static uint64_t hash_of_address(const char *at)
{
	return hash_u64((uint64_t)(uintptr_t)at);
}

struct text mangled_names_add(struct mangled_names *names, struct arena *arena,
			      const struct display_parts *parts, struct text end)
{
	struct text given = mangled_names_join(arena, parts->stem, parts->suffix, end);

	if (parts->stem.length > LIMIT_MANGLED_BYTES)
		return given;
	idtable_add(&names->by_address, hash_of_address(given.at), (uint32_t)names->rows.count);
	vec_push(&names->rows, (struct mangled_name){
				       .given = given,
				       .stem_length = parts->stem.length,
				       .end_length = end.length,
				       .hashes = parts->hashes,
			       });
	return given;
}

struct text mangled_names_shown(const struct mangled_names *names, struct text text)
{
	struct idtable_probe probe;
	uint32_t id;

	/* All mangled names begin with an underscore. */
	if (!text.length || text.at[0] != '_')
		return text;
	probe = idtable_find(&names->by_address, hash_of_address(text.at));
	while ((id = idtable_next(&names->by_address, &probe)) != IDTABLE_NONE) {
		const struct mangled_name *row = &names->rows.at[id];

		if (row->given.at == text.at)
			return row->shown.at ? row->shown : text;
	}
	return text;
}

static struct text stem_of(const struct mangled_name *row)
{
	return (struct text){ row->given.at, row->stem_length };
}

static uint32_t add_request(struct demangling *demangling, const struct mangled_name *row)
{
	struct text stem = stem_of(row);
	uint64_t hash = hash_bytes(stem.at, stem.length, row->hashes);
	struct idtable_probe probe = idtable_find(&demangling->by_name, hash);
	uint32_t id;

	while ((id = idtable_next(&demangling->by_name, &probe)) != IDTABLE_NONE) {
		const struct demangle_request *known = &demangling->requests.at[id];

		if (known->hashes == row->hashes && text_equal(known->name, stem))
			return id;
	}
	id = (uint32_t)demangling->requests.count;
	idtable_add(&demangling->by_name, hash, id);
	vec_push(&demangling->requests,
		 (struct demangle_request){ .name = stem, .hashes = row->hashes });
	return id;
}

static size_t part_size(const struct demangling *demangling, size_t index)
{
	size_t left = demangling->requests.count - index * DEMANGLE_JOB_NAMES;

	return left < DEMANGLE_JOB_NAMES ? left : DEMANGLE_JOB_NAMES;
}

static void run_part(void *context, size_t index)
{
	struct demangling *demangling = context;
	struct demangling_part *part = &demangling->parts[index];

	part->failed = !demangle_in_worker(demangling->service,
					   demangling->requests.at + index * DEMANGLE_JOB_NAMES,
					   part_size(demangling, index), &part->arena, &part->err);
}

static void run_parts(struct demangling *demangling, unsigned thread_count)
{
	demangling->part_count =
		(demangling->requests.count + DEMANGLE_JOB_NAMES - 1) / DEMANGLE_JOB_NAMES;
	demangling->parts = memory_zalloc(demangling->part_count, sizeof(*demangling->parts));
	for (size_t i = 0; i < demangling->part_count; i++)
		arena_init(&demangling->parts[i].arena);
	workers_run(thread_count, demangling->part_count, run_part, demangling);
}

static size_t end_parts(struct demangling *demangling, struct error *err)
{
	size_t failed_count = 0;

	for (size_t i = 0; i < demangling->part_count; i++) {
		struct demangling_part *part = &demangling->parts[i];

		if (part->failed && !failed_count)
			*err = part->err;
		failed_count += part->failed ? part_size(demangling, i) : 0;
		arena_deinit(&part->arena);
	}
	memory_free(demangling->parts);
	return failed_count;
}

static void show(const struct demangling *demangling, struct mangled_names *names,
		 struct arena *arena)
{
	for (size_t i = 0; i < names->rows.count; i++) {
		struct mangled_name *row = &names->rows.at[i];
		struct text head = demangling->requests.at[row->request].shown;
		const char *suffix = row->given.at + row->stem_length;
		uint32_t suffix_length = row->given.length - row->stem_length - row->end_length;

		if (head.at)
			row->shown = mangled_names_join(
				arena, head, (struct text){ suffix, suffix_length },
				(struct text){ suffix + suffix_length, row->end_length });
	}
}

size_t mangled_names_demangle(struct mangled_names *const *jobs, size_t job_count,
			      const struct service *service, unsigned thread_count,
			      struct arena *arena, struct error *err)
{
	struct demangling demangling = { .service = service };
	size_t failed_count;

	idtable_init(&demangling.by_name);
	for (size_t i = 0; i < job_count; i++)
		for (size_t k = 0; k < jobs[i]->rows.count; k++)
			jobs[i]->rows.at[k].request =
				add_request(&demangling, &jobs[i]->rows.at[k]);
	run_parts(&demangling, thread_count);
	for (size_t i = 0; i < job_count; i++)
		show(&demangling, jobs[i], arena);
	failed_count = end_parts(&demangling, err);
	vec_free(&demangling.requests);
	idtable_deinit(&demangling.by_name);
	return failed_count;
}
