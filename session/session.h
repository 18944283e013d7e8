/* SPDX-License-Identifier: MIT */
/*
 * One capture, from its file to a finished profile. The only place where the stages meet:
 *
 *     open ─▶ state ─▶ samples (parallel) ─▶ resolve (parallel) ─▶ symbolise ─▶ build
 *     libparse       profile/ingest          profile/resolve        symbolise    profile/build
 *
 * A session that was opened is closed, whether what came between succeeded or not.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "libparse/formats.h"
#include "profile/tree/build.h"
#include "profile/ingest.h"
#include "profile/location.h"
#include "offcpu/offcpu.h"
#include "profile/profile.h"
#include "profile/resolve.h"
#include "profile/selection/selection.h"
#include "process/process_state.h"
#include "session/unwinding.h"
#include "symbolise/symbolise.h"

struct session_options {
	unsigned thread_count; /* 0: as many as there are processors */
	const char *const *symbol_paths;
	size_t symbol_path_count;
	const char *
		debuginfod; /* servers to ask for files, "": those of the environment; NULL: none */
	bool trusts_paths;  /* files name frames though something says that they are others */
	bool ignores_host;  /* this machine's files name nothing */
	bool trusts_owners; /* perf maps of other users are used too */
	bool uses_perf_names; /* name frames by perf's rules, for comparison with it */
	bool keeps_mangled_names;
	bool keeps_suffixes;
	const struct selection *selection; /* NULL: everything */
	const struct grouping *grouping;   /* NULL: by comm */
	const char *event_pattern;         /* NULL: that of the first sample */
	struct wall_clock clock; /* in the place of the capture's own, where it is known */
	bool wants_wall_clock;   /* what time of day it was has to be known */
	bool wants_trace; /* samples that are visited come with the text of their tracepoint */
	const struct weighing *weighing;       /* NULL: by period */
	const struct pairing_options *pairing; /* for session_build_offcpu */
	bool ignores_inlines;                  /* of functions that were inlined nothing is shown */
	const char *table_cache; /* a folder to keep what debug information said in; NULL: none */
	bool reads_lines;        /* of source files, whether or not frames show them */
	struct frame_naming naming; /* is_literal follows uses_perf_names */
	bool has_branch_history;    /* stacks end in the branches that were recorded */
	bool joins_keys;            /* of tables each key is one frame: profile/join_keys.h */
	bool is_reversed;           /* stacks begin with the innermost frame */
	bool keeps_sample_counts; /* how many samples each stack stands for, beside what they weigh */
	bool wants_time_bins; /* split the weights of stacks by time bin, if samples have times */
	bool touches_all_modules; /* files are looked for that no frame is in, too */
	const struct collector
		*collector;       /* who is shown the files that name frames; NULL: nobody */
	bool wants_module_shares; /* before anything is named */
	/* What the input is to be read as, and how; NULL: what is detected. */
	const struct input_format *format;
	const void *format_options;
	/* Samples are read once, to build a profile, and nothing else of the input ever again. */
	bool is_read_once;
	/* Called now and then, by any thread, while samples are read, total_bytes 0 where that is not known;
	 * NULL: not wanted. */
	void (*on_progress)(void *context, uint64_t done_bytes, uint64_t total_bytes);
	/* The same, while a file is fetched from a server; name is that of the file. */
	void (*on_download)(void *context, const char *name, uint64_t done_bytes,
			    uint64_t total_bytes);
	/* The same for modules that are named and files that are packed. */
	void (*on_step)(void *context, const char *what, uint64_t done_count, uint64_t total_count);
	void *progress_context;
};

/* Seconds each stage took, for --stats. */
enum session_stage {
	STAGE_OPEN,
	STAGE_STATE,
	STAGE_SAMPLES,
	STAGE_RESOLVE,
	STAGE_SYMBOLISE,
	STAGE_BUILD,
	STAGE_COUNT,
};

struct session {
	struct session_options options;
	struct selection selection; /* that of the options, with its times of this capture */
	struct capture capture;
	struct selection_tally tally; /* of the samples that were read last */
	bool has_visited;             /* samples were visited: so many that are selected */
	uint64_t visited_count;
	struct profile profile;
	struct process_state state;
	struct resolve_modules resolve_modules; /* the first rows of profile.modules */
	VEC(struct sample_row) rows; /* in order of time; only with session_index_samples */
	struct locations locations;
	struct time_bins time_bins; /* with wants_time_bins */
	struct offcpu offcpu;       /* for session/off_cpu.h */
	struct jit_dumps jit_dumps;
	struct dwarf_helper helper;      /* reads debug information */
	struct prefetch *prefetch;       /* of it; NULL: there are none */
	struct file_index symbol_files;  /* what the user offers, and what came with the capture */
	struct bundle_manifest manifest; /* of the bundle the capture came in, if it did */
	struct debuginfod *debuginfod;   /* NULL: servers are not asked */
	struct text_samples text;        /* what the samples of a text are made of */
	bool is_same_host;           /* the capture was made on this very machine and kernel */
	char build_id_cache[4096];   /* a folder; empty: none */
	struct return_words return_words;
	struct unwinding *unwinding; /* NULL: no sample has a stack to be followed */
	VEC(double) module_shares;   /* by module, where they are wanted: session/module_shares.h */
	double stage_seconds[STAGE_COUNT];
};

/* Opens path and reads all state. On failure the error names the file, and nothing stays open. */
bool session_open(struct session *session, const char *path, const struct session_options *options,
		  struct error *err) WARN_UNUSED;
void session_close(struct session *session);

/* Takes the profile out of the session, which can only be closed afterwards. */
struct profile session_take_profile(struct session *session);

/* Reads the samples and finishes session->profile. */
bool session_build_profile(struct session *session, struct error *err) WARN_UNUSED;

/* Reads the samples, names all locations in them, and lists the samples in order of time. */
bool session_index_samples(struct session *session, struct error *err) WARN_UNUSED;

/* How this session reads samples, and a resolver as it uses them; for session/visit. */
struct ingest_options session_ingest_options(const struct session *session, bool one_by_one);
void session_init_resolver(const struct session *session, struct locations *locations,
			   struct resolver *resolver);

/* Symbolises locations from the files of this session. Counts in the modules are of these locations then. */
void session_symbolise(struct session *session, struct locations *locations);

/* Whether the frames of the capture are text, which names them. */
static inline bool session_is_text(const struct session *session)
{
	return session->capture.format->read_frame;
}

/* The name of a stage, for --stats. */
const char *session_stage_name(enum session_stage stage);

#endif
