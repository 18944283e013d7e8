/* SPDX-License-Identifier: MIT */
/*
 * The last chunk of a merged profile: the data that its stacks do not contain. The sum of several
 * summaries does not depend on their order or grouping.
 */
#ifndef LIBPARSE_MERGED_MERGED_SUMMARY_H
#define LIBPARSE_MERGED_MERGED_SUMMARY_H

#include "base/arena.h"
#include "base/sink.h"
#include "base/span.h"
#include "base/vec.h"
#include "libparse/event.h"

/* Maximum number of events of a merged profile, which exceeds the number of tracepoints of a
 * kernel. kiln keeps the list of events of each open file in memory. */
#define LIMIT_MERGED_EVENTS 8192u
/* Maximum number of label keys of a merged profile. A few keys are enough to describe a host. */
#define LIMIT_MERGED_KEYS 1024u
/* Maximum size of a decompressed summary. kiln keeps the summary of each open file in memory. */
#define LIMIT_MERGED_SUMMARY_BYTES (1u << 20)
/* Maximum size of a fact, such as the kernel release. Longer facts are not stored. */
#define LIMIT_MERGED_FACT_BYTES 4096u

struct merged_event {
	struct text name;
	enum weight_unit unit;
	uint64_t sample_count, weight;
};

struct merged_summary {
	struct arena arena; /* owns all texts */
	uint64_t capture_count, partial_count;
	uint64_t skipped_count; /* inputs that kiln merge could not read */
	bool lacks_sample_counts;
	uint64_t losses[LOSS_KIND_COUNT];
	struct text facts[FACT_COUNT]; /* .at is NULL if unknown, or if captures differ */
	/* The writer derives these fields from the stacks. */
	uint64_t stack_count;
	VEC(struct merged_event) events; /* sorted by name, as stacks are */
	VEC(struct text) label_keys;     /* sorted */
	uint64_t name_bytes;             /* of both */
};

void merged_summary_init(struct merged_summary *summary);
void merged_summary_deinit(struct merged_summary *summary);

/*
 * Adds the data that stacks do not contain: captures, losses, facts. unknown_count: skipped chunks.
 */
void merged_summary_add(struct merged_summary *summary, const struct merged_summary *more,
			uint64_t unknown_count);

/* Copies a fact into the summary. Only some facts are stored; others are ignored. */
void merged_summary_set_fact(struct merged_summary *summary, enum fact fact, struct text value);

/*
 * Finds an event by its name, or adds it with this unit. Texts are copied. Returns NULL, with err,
 * if a limit is exceeded. The result is valid until the next call.
 */
struct merged_event *merged_summary_event(struct merged_summary *summary, struct text name,
					  enum weight_unit unit, struct error *err);
/* Adds a label key, if it is new. */
bool merged_summary_add_key(struct merged_summary *summary, struct text key,
			    struct error *err) WARN_UNUSED;

void merged_summary_write(const struct merged_summary *summary, struct sink *sink);

/* Reads into an initialised summary. Bytes after the known fields are ignored. */
bool merged_summary_read(struct merged_summary *summary, struct span bytes,
			 struct error *err) WARN_UNUSED;

#endif
