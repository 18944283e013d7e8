/* SPDX-License-Identifier: MIT */
/*
 * Describes data that is missing from a profile. Each kind of loss has a text, which is the same in
 * kiln info, on stderr and in SVGs. Other functions find the share of affected samples, and the
 * times at which records were lost.
 */
#ifndef PROCESS_LOSS_H
#define PROCESS_LOSS_H

#include "base/vec.h"
#include "libparse/event.h"

struct loss_text {
	const char *key;  /* in JSON */
	const char *text; /* plural, after a number: "records lost while recording" */
	/* all commands print a warning; otherwise, only kiln info lists this kind */
	bool is_warning;
};

/* The affected share of the profile is unknown. */
#define LOSS_SHARE_UNKNOWN (-1.0)

const struct loss_text *loss_text_of(enum loss_kind kind);

/* The text after the count, singular or plural. */
const char *loss_words(enum loss_kind kind, uint64_t count);

/*
 * Returns the share of all samples that was lost or is affected, from 0 to 1. Returns
 * LOSS_SHARE_UNKNOWN if the share is unknown.
 */
double loss_share(enum loss_kind kind, uint64_t count, uint64_t sample_count);

/* The number of stack dumps that were unwound completely. */
uint64_t loss_complete_stacks(const uint64_t losses[LOSS_KIND_COUNT], uint64_t unwound_count);

/*
 * When records were lost. The kernel writes a LOST record as soon as a CPU's buffer has room again.
 * The records were therefore lost after the previous record of this CPU:
 *
 *     CPU 1    3 switch                 9 LOST      lost between 3 and 9
 *     CPU 2         5 out ── 7 in                   may be two off-CPU intervals
 */
struct loss_span {
	uint64_t begin_ns, end_ns; /* lost after begin and up to end */
	uint32_t cpu;              /* or EVENT_NO_CPU */
};

struct loss_spans {
	VEC(struct loss_span) rows;
};

void loss_spans_deinit(struct loss_spans *spans);

/* Adds a LOST record. Records may be added in any order. cpu may be EVENT_NO_CPU. */
void loss_spans_add(struct loss_spans *spans, uint64_t time_ns, uint32_t cpu);

/* Sorts by time. The caller may then move the beginnings of spans to earlier times. */
void loss_spans_sort(struct loss_spans *spans);

/* Must be called after loss_spans_sort, and before loss_spans_overlap. */
void loss_spans_finish(struct loss_spans *spans);

/* Whether records may have been lost in (from_ns, until_ns]. */
bool loss_spans_overlap(const struct loss_spans *spans, uint64_t from_ns, uint64_t until_ns);

#endif
