/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/sink.h"
#include "render/escape.h"

#define INTERVAL_NS ((uint64_t)200000000)
#define NANOSECONDS 1e9
#define MEGABYTE    1e6

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void progress_begin(struct progress *progress, bool is_wanted)
{
	progress->is_shown = is_wanted && isatty(STDERR_FILENO);
	progress->begin_ns = now_ns();
	/* Print nothing for work of less than a second, to avoid flicker. */
	atomic_init(&progress->next_ns, progress->begin_ns + 5 * INTERVAL_NS);
	atomic_init(&progress->has_printed, false);
}

/* Whether it is time to print. Only the thread that advances next_ns prints. */
static bool is_due(struct progress *progress, uint64_t now)
{
	uint64_t due = atomic_load(&progress->next_ns);

	if (!progress->is_shown || now < due ||
	    !atomic_compare_exchange_strong(&progress->next_ns, &due, now + INTERVAL_NS))
		return false;
	atomic_store(&progress->has_printed, true);
	return true;
}

void progress_update(void *context, uint64_t done_bytes, uint64_t total_bytes)
{
	struct progress *progress = context;
	uint64_t now = now_ns();
	double rate;

	if (!is_due(progress, now))
		return;
	rate = (double)done_bytes / ((double)(now - progress->begin_ns) / NANOSECONDS);
	if (!total_bytes) {
		fprintf(stderr, "\r%.0f MB, %.0f MB/s\033[K", (double)done_bytes / MEGABYTE,
			rate / MEGABYTE);
		return;
	}
	fprintf(stderr, "\r%.0f of %.0f MB, %.0f MB/s, %.0f s left\033[K",
		(double)done_bytes / MEGABYTE, (double)total_bytes / MEGABYTE, rate / MEGABYTE,
		(double)(total_bytes - done_bytes) / rate);
}

void progress_fetch(void *context, const char *name, uint64_t done_bytes, uint64_t total_bytes)
{
	struct sink line;

	if (!is_due(context, now_ns()))
		return;
	sink_init_memory(&line);
	escape_terminal(&line, text_of(name));
	sink_printf(&line, ": %.1f", (double)done_bytes / MEGABYTE);
	if (total_bytes)
		sink_printf(&line, " of %.1f", (double)total_bytes / MEGABYTE);
	fprintf(stderr, "\rfetching %.*s MB\033[K", (int)sink_memory(&line).length,
		sink_memory(&line).at);
	sink_deinit(&line);
}

void progress_step(void *context, const char *what, uint64_t done_count, uint64_t total_count)
{
	if (is_due(context, now_ns()))
		fprintf(stderr, "\r%s: %llu of %llu files\033[K", what,
			(unsigned long long)done_count, (unsigned long long)total_count);
}

void progress_end(struct progress *progress)
{
	if (atomic_load(&progress->has_printed))
		fprintf(stderr, "\r\033[K");
}
