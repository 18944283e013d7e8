/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_rows.h"

void cpu_switches_deinit(struct cpu_switches *switches)
{
	vec_free(&switches->rows);
}

const struct cpu_switch *cpu_switches_find(const struct cpu_switches *switches, uint16_t cpu)
{
	bool is_known = cpu && cpu < switches->rows.count;

	return is_known ? &switches->rows.at[cpu] : NULL;
}

static void note(struct cpu_switches *switches, const struct pairing_row *row, uint32_t next)
{
	if (!row->cpu)
		return;
	while (switches->rows.count <= row->cpu)
		vec_push(&switches->rows, (struct cpu_switch){ 0 });
	switches->rows.at[row->cpu] = (struct cpu_switch){ row->time_ns, next };
}

void cpu_switches_note(struct cpu_switches *switches, const struct pairing_row *row)
{
	note(switches, row, row->next);
}

void cpu_switches_note_record(struct cpu_switches *switches, const struct pairing_row *row)
{
	bool is_in = row->role != PAIRING_SWITCH_OUT && row->tid != EVENT_NO_TID;

	note(switches, row, is_in ? row->tid : 0);
}

/* Sets the start of a loss to the last switch on its CPU. */
static void note_loss(const struct cpu_switches *switches, struct loss_span *loss)
{
	uint16_t cpu = pairing_row_cpu(loss->cpu);
	const struct cpu_switch *last = cpu_switches_find(switches, cpu);

	if (cpu)
		loss->begin_ns = last ? last->time_ns : 0;
}

/* What records show about missing switches. */
struct recorded_sides {
	uint64_t out_count, in_count, missing_count;
};

/* A thread is switched in after another was switched out, and out after it was switched in. */
static void count_record(struct recorded_sides *counts, const struct cpu_switch *last,
			 const struct pairing_row *row)
{
	bool is_in = row->role == PAIRING_SWITCH_IN;

	if (!pairing_row_names_thread(row) || (!is_in && row->role != PAIRING_SWITCH_OUT))
		return;
	counts->in_count += is_in;
	counts->out_count += !is_in;
	if (last && last->time_ns)
		counts->missing_count += last->next != (is_in ? 0 : row->tid);
}

/*
 * Missing switches out of the idle task do no harm if wake-ups were recorded, because these show
 * when a CPU stopped being idle.
 */
struct cpu_survey cpu_switches_survey(const struct pairing_row *rows, size_t count,
				      struct loss_spans *losses)
{
	struct cpu_survey survey = { .has_idle = false };
	struct cpu_switches switches = { .rows = { 0 } };
	uint64_t switch_count = 0;
	uint64_t missing_count = 0;
	uint64_t missing_idle_count = 0;
	struct recorded_sides records = { 0 };
	size_t loss = 0;

	loss_spans_sort(losses);
	for (size_t i = 0; i < count; i++) {
		const struct cpu_switch *last = cpu_switches_find(&switches, rows[i].cpu);

		while (loss < losses->rows.count && losses->rows.at[loss].end_ns <= rows[i].time_ns)
			note_loss(&switches, &losses->rows.at[loss++]);
		survey.has_wakes |= rows[i].role == PAIRING_WAKE;
		if (pairing_row_is_record(&rows[i])) {
			count_record(&records, last, &rows[i]);
			cpu_switches_note_record(&switches, &rows[i]);
		}
		if (rows[i].role != PAIRING_SWITCH)
			continue;
		switch_count++;
		survey.has_idle |= !rows[i].previous;
		if (last && last->time_ns && last->next != rows[i].previous)
			*(last->next ? &missing_count : &missing_idle_count) += 1;
		cpu_switches_note(&switches, &rows[i]);
	}
	while (loss < losses->rows.count)
		note_loss(&switches, &losses->rows.at[loss++]);
	loss_spans_finish(losses);
	cpu_switches_deinit(&switches);
	if (!survey.has_wakes)
		missing_count += missing_idle_count;
	/* Without switches out, samples show these. */
	if (records.out_count) {
		switch_count += records.out_count + records.in_count;
		missing_count += records.missing_count;
	}
	survey.is_nearly_complete = missing_count <= switch_count / 100;
	return survey;
}
