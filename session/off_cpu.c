/* SPDX-License-Identifier: MIT */
#include "session/off_cpu.h"

#include "session/unwinding.h"

static void *create_unwinder(void *context, struct ingest_unwinder *ret)
{
	struct session *session = context;
	struct unwinding_worker *worker = unwinding_worker_create(session->unwinding);

	*ret = unwinding_hook(worker);
	return worker;
}

static void destroy_unwinder(void *unwinder)
{
	unwinding_worker_destroy(unwinder);
}

static void init_resolver(void *context, struct locations *locations, size_t callchain_count,
			  struct resolver *resolver)
{
	session_init_resolver(context, locations, callchain_count, resolver);
}

static void name_locations(void *context, struct locations *locations)
{
	session_symbolise(context, locations);
}

static struct offcpu_source source_of(struct session *session)
{
	return (struct offcpu_source){
		.capture = &session->capture,
		.state = &session->state,
		.profile = &session->profile,
		.modules = &session->resolve_modules,
		.view = &session->view,
		.thread_count = session->options.thread_count,
		.ingest = session_ingest_options(session, false),
		.context = session,
		.create_unwinder = create_unwinder,
		.destroy_unwinder = destroy_unwinder,
		.init_resolver = init_resolver,
		.name_locations = name_locations,
	};
}

void session_count_pairs(struct session *session)
{
	struct offcpu_source source = source_of(session);

	offcpu_count_pairs(&session->offcpu, &source);
}

static bool prepare(struct session *session, struct error *err)
{
	struct offcpu_source source = source_of(session);
	struct offcpu *offcpu = &session->offcpu;

	if (session->view.event_pattern && !session->capture.format->sum_name)
		return error_set(err, ERROR_USAGE,
				 "--event has no effect here: off-CPU time is measured with "
				 "context switches, or with the events given by --span");
	return offcpu_prepare(offcpu, &source, session->options.pairing, err) ||
	       error_prefix(err, "%s", session->capture.input.name);
}

bool session_build_offcpu(struct session *session, struct error *err)
{
	return prepare(session, err) && session_build_profile(session, err);
}

bool session_build_wait_timeline(struct session *session, struct error *err)
{
	struct offcpu *offcpu = &session->offcpu;

	if (session->capture.format->sum_name)
		return error_set(err, ERROR_UNSUPPORTED,
				 "%s: contains sums of waits, without the time of each; record "
				 "single waits with perf record -e sched:sched_switch -a -g",
				 session->capture.input.name);
	if (!prepare(session, err))
		return false;
	/* Single waits are requested, even without windows. */
	offcpu->has_measured_waits = !offcpu->has_intervals;
	offcpu->requires_callchains = false;
	return session_build_timeline(session, err);
}
