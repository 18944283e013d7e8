/* SPDX-License-Identifier: MIT */
#include "render/text/caveats.h"

#include "render/text/info_advice.h"
#include "render/number.h"

static int compare(const void *a, const void *b)
{
	const struct caveat *left = a;
	const struct caveat *right = b;

	if (left->share != right->share)
		return left->share > right->share ? -1 : 1;
	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	return left->kind == CAVEAT_LOSS ? (int)left->loss - (int)right->loss
					 : (int)left->problem - (int)right->problem;
}

static void add_names(double share_min, struct caveats *caveats)
{
	for (int i = 0; i < NAME_PROBLEM_COUNT; i++) {
		double share = name_shares_part(&caveats->names, caveats->names.problems[i].weight);

		if (share > 0 && share >= share_min)
			caveats->at[caveats->count++] = (struct caveat){
				.share = share,
				.kind = CAVEAT_NAMES,
				.problem = (enum name_problem)i,
			};
	}
}

static void add_losses(const struct profile *profile, double share_min, struct caveats *caveats)
{
	for (int i = 0; i < LOSS_KIND_COUNT; i++) {
		enum loss_kind kind = (enum loss_kind)i;
		double share = loss_share(kind, profile->losses[kind], profile->sample_count);

		if (!profile->losses[i] || !loss_text_of(kind)->is_warning ||
		    (share >= 0 && share < share_min))
			continue;
		caveats->at[caveats->count++] = (struct caveat){
			.share = share,
			.kind = CAVEAT_LOSS,
			.loss = kind,
		};
	}
}

struct caveats caveats_of(const struct profile *profile, double share_min)
{
	return caveats_of_total(profile, profile->stacks.count ? profile->stacks.at[0].total : 0,
				share_min);
}

struct caveats caveats_of_total(const struct profile *profile, uint64_t total, double share_min)
{
	struct caveats caveats = { .names = name_shares_of(profile) };

	caveats.names.total = total;
	add_names(share_min, &caveats);
	add_losses(profile, share_min, &caveats);
	qsort(caveats.at, caveats.count, sizeof(*caveats.at), compare);
	return caveats;
}

const struct module *caveats_worst_module(const struct profile *profile,
					  const struct caveats *caveats, size_t i)
{
	return modules_get(profile->modules, caveats->names.problems[caveats->at[i].problem].worst);
}

/* "47%", "3.2%" */
static void write_share(double share, struct sink *sink)
{
	sink_printf(sink,
		    share >= 0.1    ? "%.0f%%"
		    : share >= 0.01 ? "%.1f%%"
				    : "%.2g%%",
		    share * 100);
}

/*
 * Returns the name of the perf map that would name the module's frames. For a process in a
 * container, uses its PID outside the container.
 */
static struct text map_name(const struct profile *profile, const struct module *module,
			    char buffer[static INFO_MAP_PATH_BYTES])
{
	if (!module->has_other_pid)
		return text_basename(info_advice_map_path(profile, module, buffer));
	snprintf(buffer, INFO_MAP_PATH_BYTES, "perf-%u.map", (unsigned)module->pid);
	return text_of(buffer);
}

static void write_module(const struct profile *profile, const struct module *module,
			 struct sink *sink)
{
	struct text path = strings_get(profile->strings, module->path);
	struct text name = text_basename(path);
	char buffer[INFO_MAP_PATH_BYTES];

	if (module->kind == MODULE_NONE)
		name = text_of("addresses outside all mappings");
	else if (module->kind == MODULE_ANONYMOUS)
		name = map_name(profile, module, buffer);
	sink_text(sink, name.length ? name : path);
}

static void write_names(const struct profile *profile, const struct caveats *caveats, size_t i,
			struct sink *sink)
{
	static const char *const words[NAME_PROBLEM_COUNT] = {
		[NAME_UNKNOWN] = "has frames without a name",
		[NAME_UNVERIFIED] = "has names from unverified files",
		[NAME_NO_INLINES] =
			"lacks inlined functions, because debug information could not be read",
	};
	const struct caveat *caveat = &caveats->at[i];
	const struct name_share *share = &caveats->names.problems[caveat->problem];
	const struct module *module = caveats_worst_module(profile, caveats, i);
	const char *preposition = module->kind == MODULE_NONE ? "at" : "in";
	bool is_only = share->module_count == 1;
	bool is_most = share->worst_weight >= share->weight / 2;

	write_share(caveat->share, sink);
	sink_printf(sink, " of the profile %s, ", words[caveat->problem]);
	if (!is_only)
		sink_puts(sink, is_most ? "mostly " : "especially ");
	if (is_only || !is_most)
		sink_printf(sink, "%s ", preposition);
	write_module(profile, module, sink);
	if (is_only)
		return;
	sink_puts(sink, " (");
	write_share(name_shares_part(&caveats->names, share->worst_weight), sink);
	sink_char(sink, ')');
}

/*
 * The samples that were lost may be of any event, thread and time. If few samples are selected, the
 * caveat's share is therefore an upper bound, and the share of all samples in the capture is shown.
 */
static double shown_share(const struct profile *profile, const struct caveat *caveat)
{
	bool is_of_capture = caveat->loss == LOSS_RECORDS || caveat->loss == LOSS_SAMPLES;
	uint64_t sample_count = profile->sample_count;

	for (size_t i = 0; i < profile->records.count && is_of_capture; i++) {
		const struct event_record_count *row = &profile->records.at[i];

		if (text_is(row->name, "SAMPLE") && row->count > sample_count)
			sample_count = row->count;
	}
	return is_of_capture ? loss_share(caveat->loss, profile->losses[caveat->loss], sample_count)
			     : caveat->share;
}

void caveats_write(const struct profile *profile, const struct caveats *caveats, size_t i,
		   struct sink *sink)
{
	const struct caveat *caveat = &caveats->at[i];
	uint64_t count;

	if (caveat->kind == CAVEAT_NAMES) {
		write_names(profile, caveats, i, sink);
		return;
	}
	count = profile->losses[caveat->loss];
	number_grouped(sink, count);
	sink_printf(sink, " %s", loss_words(caveat->loss, count));
	if (caveat->share < 0)
		return;
	sink_puts(sink, " (");
	write_share(shown_share(profile, caveat), sink);
	sink_char(sink, ')');
}
