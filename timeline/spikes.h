/* SPDX-License-Identifier: MIT */
/*
 * Finds windows of a capture that differ from the rest of the capture, because a function has a
 * larger share of the samples, or because there are more or fewer samples.
 *
 *     samples  ▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂
 *     compact  ░░░░░░██░░░░░░░░░░██░░░░░░░░   two windows of 20 ms, with compact on top
 *
 * Every function is tested in windows of several widths that overlap by half. A window is compared
 * with the rest of the capture by the tests of kiln diff (diff/significance.h). Counts are divided
 * by the overdispersion of the function in windows of this width. The overdispersion is the
 * variance of the function's counts relative to independent samples; windows that may be spikes are
 * excluded. P values are corrected for the number of windows and functions (Bonferroni).
 * docs/time.md describes the method and its error rate.
 */
#ifndef TIMELINE_SPIKES_H
#define TIMELINE_SPIKES_H

#include "timeline/function_series.h"

/* Maximum number of spikes. The most significant ones are kept. */
#define LIMIT_SPIKES 1000u

/* The smallest excess of a spike, as a share of the usual number of samples in its window. */
#define SPIKE_LEAST_SHARE 0.25
/* The smallest excess of a spike, in samples. */
#define SPIKE_LEAST_SAMPLES 4.0

enum spike_kind {
	SPIKE_FUNCTION, /* a function has more samples than elsewhere */
	SPIKE_MORE,     /* there are more samples than elsewhere */
	SPIKE_FEWER,
};

struct spike_options {
	size_t narrowest, widest; /* widths of windows, in bins */
	/* 1 minus the probability of reporting spikes if there are none */
	double confidence;
};

/* A function in a window. */
struct spike_function {
	uint32_t frame;
	uint64_t self, total;         /* samples in the window */
	double rest_self, rest_total; /* its shares of the samples in the rest of the capture */
	double deviations;            /* result of the test for `total`, in standard deviations */
};

/* Maximum number of functions that are listed for a spike. */
#define SPIKE_FUNCTIONS 5

struct spike {
	enum spike_kind kind;
	size_t begin, end;       /* bins */
	uint64_t samples;        /* in this window */
	double expected_samples; /* number of samples at the rate of the rest of the capture */
	double p_value;          /* corrected for the number of tests */
	/* the most conspicuous functions, the most significant first */
	struct spike_function functions[SPIKE_FUNCTIONS];
	size_t function_count;
};

struct spikes {
	VEC(struct spike) at; /* by significance; they do not overlap */
	uint64_t test_count;  /* number of comparisons, for which p values are corrected */
	bool is_limited;      /* there are more than LIMIT_SPIKES spikes */
};

void spikes_find(struct spikes *spikes, const struct function_series *series,
		 const struct spike_options *options);
void spikes_deinit(struct spikes *spikes);

#endif
