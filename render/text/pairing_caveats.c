/* SPDX-License-Identifier: MIT */
#include "render/text/pairing_caveats.h"

#include <inttypes.h>
#include <stddef.h>

#include "render/number.h"

#define AT(field) offsetof(struct pairing_counts, field)

/* The reasons, as text after a number: for off-CPU intervals, and for spans. */
static const struct reason {
	size_t offset;
	const char *key; /* in JSON */
	const char *off_cpu, *span;
} reasons[] = {
	{ AT(open_counted), "open_counted",
	  "had not ended at the end of the capture (counted up to that point)",
	  "had not ended at the end of the capture (counted up to that point)" },
	{ AT(open_left_out), "open_left_out",
	  "had not ended at the end of the capture (ignored; --open include counts them)",
	  "had not ended at the end of the capture (ignored; --open include counts them)" },
	{ AT(open_at_start), "open_at_start",
	  "without a switch-out, because the thread was new or was switched out before the "
	  "capture (ignored)",
	  "began before the capture (ignored)" },
	{ AT(without_end), "without_end",
	  "without a switch-in before the next switch-out (ignored)",
	  "without an end before the next beginning (ignored)" },
	{ AT(ends_supposed), "ends_supposed", "without a switch-in before the next switch-out",
	  "without an end before the next beginning" },
	{ AT(without_begin), "without_begin",
	  "without a switch-out since the last switch-in (ignored)",
	  "without a beginning (ignored)" },
	{ AT(over_losses), "over_losses",
	  "with lost records in between, so possibly several intervals",
	  "with lost records in between, so possibly several intervals" },
	{ AT(without_stack), "without_stack",
	  "without a stack, because the thread had no earlier sample (ignored)",
	  "without a stack, because the thread had no earlier sample (ignored)" },
	{ AT(timeless), "timeless", "summed over the whole recording (ignored with --time)",
	  "summed over the whole recording (ignored with --time)" },
	/* The key in JSON output. glossary: allow */
	{ AT(corrupt), "damaged", "without a timestamp or a thread (ignored)",
	  "without a timestamp or a thread (ignored)" },
};

static uint64_t count_of(const struct pairing_counts *counts, const struct reason *reason)
{
	return *(const uint64_t *)((const char *)counts + reason->offset);
}

uint64_t pairing_caveats_count(const struct pairing_counts *counts)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		sum += count_of(counts, &reasons[i]);
	return sum;
}

uint64_t pairing_caveats_all(const struct pairing_counts *counts)
{
	/*
	 * Intervals across lost events are also counted as paired. Pre-aggregated sums are not
	 * intervals.
	 */
	return counts->paired + pairing_caveats_count(counts) - counts->over_losses;
}

static const struct reason *most_of(const struct pairing_counts *counts)
{
	const struct reason *most = reasons;

	for (size_t i = 1; i < ARRAY_SIZE(reasons); i++)
		if (count_of(counts, &reasons[i]) > count_of(counts, most))
			most = &reasons[i];
	return most;
}

static void write_reason(const struct pairing_counts *counts, const struct reason *reason,
			 bool are_spans, struct sink *sink)
{
	number_grouped(sink, count_of(counts, reason));
	sink_printf(sink, " %s", are_spans ? reason->span : reason->off_cpu);
	if (reason->offset == AT(ends_supposed))
		sink_printf(
			sink,
			" (counted with the minimum duration, in total at most %.3f ms too short)",
			(double)counts->supposed_ns / 1e6);
}

void pairing_caveats_write(const struct pairing_counts *counts, bool are_spans, struct sink *sink)
{
	uint64_t count = pairing_caveats_count(counts);
	uint64_t all = pairing_caveats_all(counts);
	const char *separator = ": ";

	number_grouped(sink, count);
	sink_puts(sink, " of ");
	number_grouped(sink, all);
	sink_printf(sink, " %s (%.2g%%) %s incomplete", are_spans ? "spans" : "off-CPU intervals",
		    all ? (double)count * 100 / (double)all : 0, count == 1 ? "is" : "are");
	if (!are_spans && count_of(counts, most_of(counts)) < count)
		separator = ", mostly: ";
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (are_spans ? !count_of(counts, &reasons[i]) : &reasons[i] != most_of(counts))
			continue;
		sink_puts(sink, separator);
		write_reason(counts, &reasons[i], are_spans, sink);
		separator = "; ";
	}
}

void pairing_caveats_list(const struct pairing_counts *counts, struct sink *sink)
{
	sink_puts(sink, "\noff-CPU intervals\n  ");
	number_grouped(sink, counts->paired);
	sink_puts(sink, counts->paired == 1 ? " is complete\n" : " are complete\n");
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!count_of(counts, &reasons[i]))
			continue;
		sink_puts(sink, "  ");
		write_reason(counts, &reasons[i], false, sink);
		sink_char(sink, '\n');
	}
}

void pairing_caveats_json(const struct pairing_counts *counts, struct json *json)
{
	json_open_object(json, "off_cpu_intervals");
	json_u64(json, "paired", counts->paired);
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		json_u64(json, reasons[i].key, count_of(counts, &reasons[i]));
	json_close_object(json);
}
