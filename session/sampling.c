/* SPDX-License-Identifier: MIT */
#include "session/sampling.h"

#include "base/workers.h"
#include "libparse/text_stream.h"
#include "profile/tree/resolve_texts.h"
#include "session/unwinding.h"

/*
 * The number of slices per worker and round. A round has more slices if they contain few samples,
 * as with stack dumps, and up to ROUND_GROWTH times as many unless callchains hardly repeat, so that
 * less is merged. In a shorter first round, most callchains would be new even if they repeat later.
 */
#define ROUND_SLICES  16
#define SLICE_SAMPLES ((uint64_t)1 << 12)
#define ROUND_GROWTH  4

/*
 * If callchains hardly repeat, rounds are 1 + OWN_ROUNDS / workers times as long, because little is
 * merged after them.
 */
#define OWN_ROUNDS 4

/*
 * Callchains hardly repeat if more than this share of the samples has new ones. In recorded captures
 * of short-lived processes, 0.64 or more were expected; in others, where merging is faster, 0.51 or
 * less.
 */
#define NEW_SHARE 0.55

/*
 * Merged callchains are resolved when their number or their memory reaches these limits, or these
 * shares of the memory that kiln may use.
 */
#define CALLCHAINS_KEPT       ((size_t)1 << 19)
#define CALLCHAINS_KEPT_BYTES ((size_t)128 << 20)
#define CALLCHAINS_SHARE      32
/* About how much memory a callchain takes with its addresses. */
#define CALLCHAIN_BYTES 256

/*
 * Resolved stacks are merged after a round in which their memory has reached this limit, or this
 * share.
 */
#define STACKS_KEPT_BYTES ((size_t)256 << 20)
#define STACKS_SHARE      16

/*
 * For streams: the number of bytes per worker and round, and the maximum number of bytes per round.
 */
#define STREAM_BYTES     ((size_t)8 << 20)
#define STREAM_BYTES_MAX ((size_t)64 << 20)

/*
 * Whether stacks can be kept as tries. This requires that the reader knows the frames shared with
 * the previous stack, root first.
 */
static bool can_keep_tries(const struct session *session)
{
	return session->capture.format->has_shared_frames && !session->options.timeline &&
	       !session->offcpu.has_intervals && view_keeps_stacks(&session->view);
}

static void init_sampler(struct sampler *sampler, const struct session *session,
			 struct ingest_options options)
{
	const struct pairing_options *pairing = session->options.pairing;

	sampler->session = session;
	sampler->unwinding = unwinding_worker_create(session->unwinding);
	options.unwinder = unwinding_hook(sampler->unwinding);
	if (session->options.timeline) {
		timeline_init(&sampler->timeline, session->options.timeline, &session->profile);
		options.observer = (struct ingest_observer){
			.context = &sampler->timeline,
			.on_sample = timeline_on_sample,
		};
	}
	if (pairing && pairing->has_singles) {
		single_intervals_init(&sampler->singles, pairing->list_max);
		options.chooser = (struct ingest_chooser){
			.context = &sampler->singles,
			.choose = single_intervals_choose,
		};
	}
	ingest_init(&sampler->ingest, &session->state, &session->profile, &session->view, &options);
	resolved_init(&sampler->resolved);
}

static size_t count_workers(const struct session *session, bool keeps_tries)
{
	size_t slice_count = session->capture.slices.count;
	size_t count = session->options.thread_count;

	if (count > slice_count && !session->capture.stream)
		count = slice_count ? slice_count : 1;
	/* Tries are not merged until the stack tree is built. */
	return keeps_tries && count > TRIES_MAX ? TRIES_MAX : count;
}

static void init_samplers(struct sampling *sampling, const struct session *session,
			  const struct ingest_options *options)
{
	sampling->at = memory_zalloc(sampling->count, sizeof(*sampling->at));
	for (size_t i = 0; i < sampling->count; i++) {
		init_sampler(&sampling->at[i], session, *options);
		stack_merger_set_worker(&sampling->merger, i, &sampling->at[i].resolved);
	}
	if (sampling->count == 1)
		callchains_use_one_table(&sampling->at[0].ingest.chains);
}

/* The limit, or less if kiln may use little memory. */
static size_t kept_bytes(const struct session *session, size_t limit_bytes, uint64_t share)
{
	uint64_t most = session->state.memory_bytes_max / share;

	return most < limit_bytes ? (size_t)most : limit_bytes;
}

/* A small limit merges more often, which takes time, but does not change the result. */
static void set_limits(struct sampling *sampling, const struct session *session)
{
	const struct session_options *options = &session->options;
	size_t most;

	sampling->callchains_kept_bytes =
		kept_bytes(session, CALLCHAINS_KEPT_BYTES, CALLCHAINS_SHARE);
	most = sampling->callchains_kept_bytes / CALLCHAIN_BYTES;
	sampling->callchains_kept = most < CALLCHAINS_KEPT ? most : CALLCHAINS_KEPT;
	if (options->callchains_kept)
		sampling->callchains_kept = options->callchains_kept;
	sampling->stacks_kept_bytes =
		options->stacks_kept_bytes ? options->stacks_kept_bytes
					   : kept_bytes(session, STACKS_KEPT_BYTES, STACKS_SHARE);
}

void sampling_init(struct sampling *sampling, const struct session *session, bool keeps_rows)
{
	struct ingest_options options = session_ingest_options(session, keeps_rows);
	size_t count;

	options.keeps_trie = !keeps_rows && can_keep_tries(session);
	count = count_workers(session, options.keeps_trie);
	sampling->keeps_tries = options.keeps_trie;
	atomic_init(&sampling->done_bytes, 0);
	sampling->first_skipped_offset = UINT64_MAX;
	sampling->filled = NULL;
	sampling->fill_failed = false;
	callchains_init(&sampling->chains);
	stack_merger_init(&sampling->merger, count, session->options.thread_count);
	time_order_init(&sampling->order);
	strings_init(&sampling->values);
	sampling->count = count;
	sampling->keeps_rows = keeps_rows;
	set_limits(sampling, session);
	sampling->resolves_rounds = false;
	sampling->round_growth = 1;
	sampling->merged_count = 0;
	init_samplers(sampling, session, &options);
}

/* Frees the memory that only the resolving of callchains needs. */
static void end_resolver(struct sampler *sampler)
{
	if (sampler->has_resolver)
		stack_resolver_deinit(&sampler->stacks);
	sampler->has_resolver = false;
}

void sampling_deinit(struct sampling *sampling)
{
	for (size_t i = 0; i < sampling->count; i++) {
		unwinding_worker_destroy(sampling->at[i].unwinding);
		ingest_deinit(&sampling->at[i].ingest);
		timeline_deinit(&sampling->at[i].timeline);
		single_intervals_deinit(&sampling->at[i].singles);
		end_resolver(&sampling->at[i]);
		resolved_deinit(&sampling->at[i].resolved);
	}
	stack_merger_deinit(&sampling->merger);
	callchains_deinit(&sampling->chains);
	time_order_deinit(&sampling->order);
	strings_deinit(&sampling->values);
	memory_free(sampling->at);
}

static void report_progress(struct sampling *sampling, const struct session *session,
			    struct slice slice)
{
	uint64_t done_bytes = atomic_fetch_add(&sampling->done_bytes, slice.end - slice.begin);

	if (session->options.on_progress)
		session->options.on_progress(
			session->options.progress_context, done_bytes,
			session->capture.stream ? 0 : session->capture.input.size_bytes);
}

/*
 * The number of slices, from `begin` on, to read before callchains are merged or resolved: at least
 * `least`, and more if they contain few samples.
 */
static size_t slices_of_round(const struct capture *capture, size_t begin, size_t end, size_t least)
{
	uint64_t sample_count = 0;
	size_t length = 0;

	while (begin + length < end) {
		bool is_uncounted = sample_count == 0;

		if (length >= least && (is_uncounted || sample_count >= least * SLICE_SAMPLES))
			break;
		sample_count += capture->slices.at[begin + length].sample_count;
		length++;
	}
	return length;
}

/* Group values have different numbers in each worker. */
static void renumber_values(struct ingest *ingest, size_t table)
{
	if (ingest->values.level_count)
		callchain_table_renumber_values(&ingest->chains.tables[table],
						ingest->values.of_all.at);
}

static void start_resolver(const struct sampling *sampling, struct sampler *sampler,
			   size_t callchain_count)
{
	struct resolver resolver;

	if (sampler->has_resolver)
		return;
	/* A rough estimate: other rounds add more. */
	if (sampling->resolves_rounds)
		callchain_count *= 1 + sampler->session->capture.slices.count / sampling->count;
	session_init_resolver(sampler->session, &sampler->resolved.places, callchain_count,
			      &resolver);
	/* A visit of the samples must find the locations of all their addresses. */
	resolver.merges_unmapped = !sampling->keeps_rows;
	stack_resolver_init(&sampler->stacks, &resolver, &sampler->resolved, callchain_count);
	sampler->has_resolver = true;
}

/* Replaces the callchains of a worker with their stacks. */
static void resolve_own(void *context, size_t index)
{
	struct sampling *sampling = context;
	struct sampler *sampler = &sampling->at[index];
	struct callchains *chains = &sampler->ingest.chains;
	struct callchain_callers_place *places;
	size_t count;

	callchains_flush(chains);
	if (!callchains_count(chains))
		return;
	start_resolver(sampling, sampler, callchains_count(chains));
	for (size_t i = 0; i < CALLCHAINS_TABLE_COUNT; i++) {
		renumber_values(&sampler->ingest, i);
		callchain_table_gather(&chains->tables[i]);
	}
	places = callchains_order(chains, &count);
	stack_resolver_add_callers(&sampler->stacks, chains, places, count);
	memory_free(places);
	callchains_clear(chains);
}

/* Workers that resolve early count stacks instead of callchains. */
static void choose_counts(const struct sampling *sampling, struct sampler *sampler)
{
	sampler->ingest.stacks = NULL;
	if (!sampling->resolves_early)
		return;
	start_resolver(sampling, sampler, SLICE_SAMPLES);
	sampler->ingest.stacks = &sampler->stacks;
}

static struct callchain_counts count_callchains(struct callchains *chains)
{
	callchains_flush(chains);
	return (struct callchain_counts){ callchains_count(chains), chains->added_count };
}

static void read_samples(void *context, size_t index)
{
	struct sampling *sampling = context;
	struct sampler *sampler = &sampling->at[index];
	const struct capture *capture = &sampler->session->capture;
	struct event_sink sink = { .context = &sampler->ingest, .on_event = ingest_on_event };
	size_t half = (sampler->slice_end - sampler->slice_begin) / 2;

	sampler->halfway = (struct callchain_counts){ 0 };
	choose_counts(sampling, sampler);
	for (size_t i = sampler->slice_begin; i < sampler->slice_end && !sampler->failed; i++) {
		struct slice slice = capture->slices.at[i];

		if (i == sampler->slice_begin + half)
			sampler->halfway = count_callchains(&sampler->ingest.chains);
		sampler->failed = !capture_read_samples(capture, slice, &sink, &sampler->err);
		report_progress(sampling, sampler->session, slice);
	}
	callchains_flush(&sampler->ingest.chains);
	trie_flush(&sampler->ingest.trie);
	if (sampler->ingest.stacks)
		stack_resolver_flush(&sampler->stacks);
}

static void merge_table(void *context, size_t index)
{
	struct sampling *sampling = context;

	for (size_t i = 0; i < sampling->count; i++) {
		struct ingest *ingest = &sampling->at[i].ingest;

		renumber_values(ingest, index);
		callchain_table_merge(&sampling->chains.tables[index],
				      &ingest->chains.tables[index]);
	}
}

static void merge_texts(struct sampling *sampling)
{
	for (size_t i = 0; i < sampling->count; i++)
		text_samples_merge(sampling->texts, &sampling->at[i].ingest.text);
}

/* The texts are first, because they take longer than any table. */
static void merge_texts_or_table(void *context, size_t index)
{
	if (index == 0)
		merge_texts(context);
	else
		merge_table(context, index - 1);
}

static void gather_table(void *context, size_t index)
{
	struct sampling *sampling = context;

	callchain_table_gather(&sampling->chains.tables[index]);
	callchain_table_end(&sampling->chains.tables[index]);
}

static void resolve_range(void *context, size_t index)
{
	struct sampling *sampling = context;
	struct sampler *sampler = &sampling->at[index];

	start_resolver(sampling, sampler, callchains_count(&sampling->chains) / sampling->count);
	stack_resolver_add_callers(&sampler->stacks, &sampling->chains,
				   sampling->callers + sampler->callers_begin,
				   sampler->callers_end - sampler->callers_begin);
}

/* Merges the stacks of all workers if they take much memory. */
static void merge_stacks(struct sampling *sampling)
{
	if (!stack_merger_merge(&sampling->merger, sampling->stacks_kept_bytes))
		return;
	for (size_t i = 0; i < sampling->count; i++)
		if (sampling->at[i].has_resolver)
			stack_resolver_forget(&sampling->at[i].stacks);
}

/* Replaces the merged callchains with their stacks, which used most of the memory. */
static void resolve_merged(struct sampling *sampling, const struct session *session)
{
	size_t count = sampling->count;
	size_t callers_count;

	workers_run(session->options.thread_count, CALLCHAINS_TABLE_COUNT, gather_table, sampling);
	sampling->callers = callchains_order(&sampling->chains, &callers_count);
	for (size_t i = 0; i < count; i++) {
		sampling->at[i].callers_begin = callers_count * i / count;
		sampling->at[i].callers_end = callers_count * (i + 1) / count;
	}
	workers_run(session->options.thread_count, count, resolve_range, sampling);
	memory_free(sampling->callers);
	sampling->callers = NULL;
	callchains_deinit(&sampling->chains);
	callchains_init(&sampling->chains);
	sampling->merged_count = 0;
}

/* A single worker adds to the merged callchains, because there is nothing to merge. */
static void return_callchains(struct sampling *sampling)
{
	struct ingest *ingest = &sampling->at[0].ingest;
	struct callchain_table swap;

	/* In merged callchains, group values have their final numbers, so only callchains without
	 * group values can be moved back. */
	for (size_t i = 0; i < CALLCHAINS_TABLE_COUNT && !ingest->values.level_count; i++) {
		swap = ingest->chains.tables[i];
		ingest->chains.tables[i] = sampling->chains.tables[i];
		sampling->chains.tables[i] = swap;
	}
}

/* From now on, the callchains of workers are not merged. */
static void begin_resolving_rounds(struct sampling *sampling)
{
	sampling->round_growth = 1 + OWN_ROUNDS / sampling->count;
	for (size_t i = 0; i < sampling->count; i++)
		callchains_use_one_table(&sampling->at[i].ingest.chains);
}

static double share_of(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/*
 * Whether callchains will hardly repeat, by the shares of new ones among earlier and later samples.
 * At first, most callchains are new even if they repeat later, but then the share falls fast, and
 * will probably go on falling.
 */
static bool will_hardly_repeat(double before, double now)
{
	double next = now < before ? now * now / before : now;

	return next > NEW_SHARE;
}

/* Compares the halves of a round. Must be called before the callchains are merged. */
static bool halves_hardly_repeat(const struct sampling *sampling)
{
	struct callchain_counts half = { 0 }, all = { 0 };

	for (size_t i = 0; i < sampling->count; i++) {
		const struct sampler *sampler = &sampling->at[i];

		half.distinct_count += sampler->halfway.distinct_count;
		half.added_count += sampler->halfway.added_count;
		all.distinct_count += callchains_count(&sampler->ingest.chains);
		all.added_count += sampler->ingest.chains.added_count;
	}
	/* If each worker has one slice, the next round decides. */
	return half.added_count &&
	       will_hardly_repeat(share_of(half.distinct_count, half.added_count),
				  share_of(all.distinct_count - half.distinct_count,
					   all.added_count - half.added_count));
}

/*
 * Merges the texts and the callchains of all workers. Callchains are resolved immediately if they
 * hardly repeat. Merging is then useless, and workers resolve their own callchains from now on.
 */
static void merge_callchains(struct sampling *sampling, struct session *session)
{
	size_t old_count = sampling->merged_count;
	uint64_t sample_count = 0;
	bool hardly_repeat = !old_count && halves_hardly_repeat(sampling);
	double new_share;
	size_t size_bytes;

	for (size_t i = 0; i < sampling->count; i++) {
		sample_count += sampling->at[i].ingest.chains.added_count;
		sampling->at[i].ingest.chains.added_count = 0;
	}
	workers_run(session->options.thread_count, CALLCHAINS_TABLE_COUNT + 1, merge_texts_or_table,
		    sampling);
	sampling->merged_count = callchains_count(&sampling->chains);
	size_bytes = callchains_size_bytes(&sampling->chains);
	new_share = share_of(sampling->merged_count - old_count, sample_count);
	sampling->resolves_rounds =
		old_count ? will_hardly_repeat(sampling->new_share, new_share) : hardly_repeat;
	sampling->new_share = new_share;
	if (sampling->resolves_rounds || sampling->merged_count >= sampling->callchains_kept ||
	    size_bytes >= sampling->callchains_kept_bytes) {
		resolve_merged(sampling, session);
		merge_stacks(sampling);
	}
	if (sampling->resolves_rounds)
		begin_resolving_rounds(sampling);
	else if (old_count && sampling->round_growth < ROUND_GROWTH)
		sampling->round_growth++;
	if (sampling->count == 1)
		return_callchains(sampling);
}

static void merge_worker(struct sampling *sampling, struct ingest *ingest)
{
	sample_values_merge(&sampling->values, &ingest->values);
	if (ingest->first_skipped_offset < sampling->first_skipped_offset)
		sampling->first_skipped_offset = ingest->first_skipped_offset;
	time_order_join(&sampling->order, &ingest->order);
}

/* The number of slices, from `begin` on, to read before the next merge. */
static size_t slices_until_merge(const struct sampling *sampling, const struct session *session,
				 size_t begin)
{
	const struct capture *capture = &session->capture;

	/* Tries are not merged. */
	if (sampling->keeps_tries)
		return capture->slices.count - begin;
	return slices_of_round(capture, begin, capture->slices.count,
			       sampling->count * sampling->round_growth * ROUND_SLICES);
}

/* Reads the next part of a stream. */
static void fill(struct sampling *sampling)
{
	size_t size_bytes = sampling->count * STREAM_BYTES;

	sampling->fill_failed = !text_stream_fill(
		sampling->at[0].session->capture.stream, sampling->filled,
		size_bytes < STREAM_BYTES_MAX ? size_bytes : STREAM_BYTES_MAX, &sampling->fill_err);
}

static void read_or_fill(void *context, size_t index)
{
	struct sampling *sampling = context;

	if (index == sampling->count)
		fill(sampling);
	else
		read_samples(sampling, index);
}

/* Returns false if a worker or the stream failed. */
static bool run_workers(struct sampling *sampling, const struct session *session, struct error *err)
{
	bool fills = sampling->filled != NULL;

	workers_run(session->options.thread_count + fills, sampling->count + fills, read_or_fill,
		    sampling);
	for (size_t i = 0; i < sampling->count; i++) {
		if (sampling->at[i].failed) {
			*err = sampling->at[i].err;
			return false;
		}
	}
	if (sampling->fill_failed)
		*err = sampling->fill_err;
	return !sampling->fill_failed;
}

/*
 * Workers read the parts of a round in file order and are merged in that order. Therefore, the
 * texts of a capture are in the order of their first sample, regardless of the number of workers.
 */
static bool read_round(struct sampling *sampling, struct session *session, size_t begin,
		       size_t count, struct error *err)
{
	for (size_t i = 0; i < sampling->count; i++) {
		sampling->at[i].slice_begin = begin + count * i / sampling->count;
		sampling->at[i].slice_end = begin + count * (i + 1) / sampling->count;
	}
	/* The numbers of group values are known only when all workers have read their samples. */
	sampling->resolves_early =
		sampling->resolves_rounds && !sampling->at[0].ingest.values.level_count;
	if (!run_workers(sampling, session, err))
		return false;
	for (size_t i = 0; i < sampling->count; i++)
		merge_worker(sampling, &sampling->at[i].ingest);
	if (!sampling->keeps_tries && !sampling->resolves_rounds) {
		merge_callchains(sampling, session);
		return true;
	}
	merge_texts(sampling);
	if (sampling->keeps_tries)
		return true;
	if (!sampling->resolves_early)
		workers_run(session->options.thread_count, sampling->count, resolve_own, sampling);
	merge_stacks(sampling);
	return true;
}

static bool read_stream(struct sampling *sampling, struct session *session, struct error *err)
{
	struct capture *capture = &session->capture;
	bool good;

	sampling->filled = &capture->input;
	fill(sampling);
	good = !sampling->fill_failed;
	if (!good)
		*err = sampling->fill_err;
	while (good && text_stream_show(capture->stream, capture)) {
		good = read_round(sampling, session, 0, capture->slices.count, err);
		if (sampling->first_skipped_offset != UINT64_MAX && !capture->first_skipped_line)
			capture->first_skipped_line = text_stream_line_number(
				capture->stream, sampling->first_skipped_offset);
	}
	return good || error_prefix(err, "%s", capture->input.name);
}

static bool read_slices(struct sampling *sampling, struct session *session, struct error *err)
{
	size_t slice_count = session->capture.slices.count;

	for (size_t begin = 0; begin < slice_count;) {
		size_t round = slices_until_merge(sampling, session, begin);

		if (!read_round(sampling, session, begin, round, err))
			return false;
		begin += round;
	}
	return true;
}

bool sampling_read(struct sampling *sampling, struct session *session, struct error *err)
{
	bool good;

	sampling->texts = &session->text;
	good = session->capture.stream ? read_stream(sampling, session, err)
				       : read_slices(sampling, session, err);

	/* The session has all texts now. Rows of tries still refer to the texts of their worker. */
	for (size_t i = 0; i < sampling->count && !sampling->keeps_tries; i++)
		text_samples_clear(&sampling->at[i].ingest.text);
	return good;
}

void sampling_end_unwinding(struct sampling *sampling, struct session *session)
{
	for (size_t i = 0; i < sampling->count; i++) {
		unwinding_worker_destroy(sampling->at[i].unwinding);
		sampling->at[i].unwinding = NULL;
	}
	unwinding_destroy(session->unwinding);
	session->unwinding = NULL;
}

/* Group values have different numbers in each worker. */
static void renumber_roots(struct trie *trie, const struct sample_values *values)
{
	for (size_t i = 0; i < trie->roots.count && values->level_count; i++)
		trie->roots.at[i].key.values = values->of_all.at[trie->roots.at[i].key.values];
}

static void resolve_tries(struct sampling *sampling, const struct session *session)
{
	uint64_t root_count = 0;

	for (size_t i = 0; i < sampling->count; i++) {
		struct sampler *sampler = &sampling->at[i];

		trie_finish(&sampler->ingest.trie);
		renumber_roots(&sampler->ingest.trie, &sampler->ingest.values);
		resolve_trie(&sampler->resolved, &session->text, &sampler->ingest.trie,
			     &sampler->ingest.text.frames, root_count);
		root_count += sampler->ingest.trie.roots.count;
	}
}

static void resolve_worker_texts(void *context, size_t index)
{
	struct sampling *sampling = context;
	struct sampler *sampler = &sampling->at[index];

	resolve_texts(&sampler->resolved, sampling->texts, &sampler->session->view);
}

/* Resolves the last callchains, and takes all stacks. */
static void resolve_callchains(struct sampling *sampling, struct session *session)
{
	unsigned thread_count = session->options.thread_count;

	workers_run(thread_count, CALLCHAINS_TABLE_COUNT, merge_table, sampling);
	resolve_merged(sampling, session);
	for (size_t i = 0; i < sampling->count; i++)
		end_resolver(&sampling->at[i]);
	if (!session_is_text(session)) {
		stack_merger_finish(&sampling->merger, &session->locations);
		return;
	}
	workers_run(thread_count, sampling->count, resolve_worker_texts, sampling);
	stack_merger_end(&sampling->merger);
}

void sampling_resolve(struct sampling *sampling, struct session *session)
{
	if (sampling->keeps_tries)
		resolve_tries(sampling, session);
	else
		resolve_callchains(sampling, session);
	/* A later visit looks the texts up again. */
	if (sampling->keeps_tries || !sampling->keeps_rows)
		text_samples_clear(&session->text);
	memory_trim();
}
