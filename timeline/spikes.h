/* SPDX-License-Identifier: MIT */
/*
 * Windows of a capture that depart from the rest of it: a function takes a larger share of the
 * samples than it does elsewhere, or there are more or fewer samples.
 *
 *     samples  ▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂
 *     compact  ░░░░░░██░░░░░░░░░░██░░░░░░░░   two windows of 20 ms, with compact on top
 *
 * Every function is tested in windows of several widths that overlap by half. A window is compared
 * with the rest of the capture by the tests of kiln diff (diff/significance.h). Counts are divided
 * by the overdispersion of the function in windows of that width: its variance relative to
 * independent samples, without windows that may be spikes. P values are corrected for the number of
 * windows and functions (Bonferroni). docs/time.md describes the method and its error rate.
 */
#ifndef TIMELINE_SPIKES_H
#define TIMELINE_SPIKES_H

#include "timeline/function_series.h"

/* Spikes that are kept, the most significant ones first. */
#define LIMIT_SPIKES 1000u

/* A window is a spike only if the departure is at least this share of its usual samples. */
#define SPIKE_LEAST_SHARE 0.25
/* The same in samples. */
#define SPIKE_LEAST_SAMPLES 4.0

enum spike_kind {
	SPIKE_FUNCTION, /* a function has more samples than elsewhere */
	SPIKE_MORE,     /* there are more samples than elsewhere */
	SPIKE_FEWER,
};

struct spike_options {
	size_t narrowest, widest; /* widths of windows, in bins */
	double confidence;        /* 1 - the probability of any spike where there is none */
};

/* A function in a window. */
struct spike_function {
	uint32_t frame;
	uint64_t self, total;         /* samples in the window */
	double rest_self, rest_total; /* its shares of the samples of the rest of the capture */
	double deviations;            /* of the test of total, in standard deviations */
};

/* Functions that are listed for a spike. */
#define SPIKE_FUNCTIONS 5

struct spike {
	enum spike_kind kind;
	size_t begin, end;       /* bins */
	uint64_t samples;        /* in the window */
	double expected_samples; /* by the rate of the rest */
	double p_value;          /* corrected */
	struct spike_function
		functions[SPIKE_FUNCTIONS]; /* that stand out, the most significant first */
	size_t function_count;
};

struct spikes {
	VEC(struct spike) at; /* by significance; no two overlap */
	uint64_t test_count;  /* comparisons that p values are corrected for */
	bool is_limited;      /* there are more than LIMIT_SPIKES */
};

void spikes_find(struct spikes *spikes, const struct function_series *series,
		 const struct spike_options *options);
void spikes_deinit(struct spikes *spikes);

#endif
