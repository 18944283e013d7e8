/* SPDX-License-Identifier: MIT */
/*
 * An event sink that writes each event as one line of text, so that the expected events of a test are
 * a block of lines. Fields that are zero or absent are left out.
 *
 *     COMM time=100 pid=7 tid=7 exec comm=server
 *     MMAP time=110 pid=7 tid=7 address=0x400000 length=0x1000 path=/bin/server
 *     SAMPLE time=120 attr=0 mode=2 pid=7 tid=7 ip=0x400123 period=1 ips=[0x400123 0x400456]
 */
#ifndef TESTS_SUPPORT_EVENT_LOG_H
#define TESTS_SUPPORT_EVENT_LOG_H

#include "base/sink.h"
#include "libparse/event.h"

struct event_log {
	struct sink lines;
	size_t counts[EVENT_SAMPLE + 1]; /* by enum event_kind */
	uint64_t losses[LOSS_KIND_COUNT];
	bool with_offsets;
};

void event_log_init(struct event_log *log);
void event_log_deinit(struct event_log *log);

/* The sink; log must outlive it. */
struct event_sink event_log_sink(struct event_log *log);

/* The lines so far as a string; valid until the next event. */
const char *event_log_text(struct event_log *log);

/* Forgets everything. */
void event_log_clear(struct event_log *log);

#endif
