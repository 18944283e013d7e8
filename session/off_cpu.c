/* SPDX-License-Identifier: MIT */
#include "session/off_cpu.h"

#include "offcpu/pairing_plan.h"
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

static void init_resolver(void *context, struct places *places, size_t callchain_count,
			  struct resolver *resolver)
{
	session_init_resolver(context, places, callchain_count, resolver);
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
	if (!prepare(session, err))
		return false;
	if (session_build_profile(session, err))
		return true;
	/* A text has only the events of its intervals. */
	if (!session->profile.events.count && session->offcpu.windows.is_limited)
		error_set(err, ERROR_NO_MATCH, "%s: no thread was off-CPU in the selected time",
			  session->capture.input.name);
	return false;
}

/* Whether the capture contains the events that the options require. */
static bool is_possible(const struct session *session, const struct pairing_options *options)
{
	struct pairing_plan plan;
	struct error ignored;
	bool is_good = pairing_plan_make(&session->profile, options, &plan, &ignored);

	if (is_good)
		pairing_plan_free(&plan);
	return is_good;
}

bool session_build_thread_time(struct session *session, struct error *err)
{
	struct pairing_options *pairing = &session->thread_time;

	if (session_is_text(session))
		return error_set(err, ERROR_UNSUPPORTED,
				 "%s: a page of a text capture shows either samples (kiln page) or "
				 "off-CPU time (kiln offcpu --format=html)",
				 session->capture.input.name);
	if (!pairing_has_switches(&session->profile))
		return session_build_profile(session, err);
	*pairing = *session->options.pairing;
	session->options.pairing = pairing;
	pairing->is_wall = true;
	pairing->has_run_queue = true;
	if (!is_possible(session, pairing))
		pairing->has_run_queue = false;
	if (!is_possible(session, pairing))
		pairing->is_wall = false;
	return session_build_offcpu(session, err);
}

bool session_build_wait_timeline(struct session *session, struct error *err)
{
	struct offcpu *offcpu = &session->offcpu;

	if (session->capture.format->sum_name)
		return error_set(
			err, ERROR_UNSUPPORTED,
			"%s: the input contains only sums of waits, not the time of each wait; "
			"record individual waits with perf record -e sched:sched_switch -a -g",
			session->capture.input.name);
	if (!prepare(session, err))
		return false;
	/* Count each sample as a wait, even without windows. */
	offcpu->has_measured_waits = !offcpu->has_intervals;
	offcpu->requires_callchains = false;
	return session_build_timeline(session, err);
}
