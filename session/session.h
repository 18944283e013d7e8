/* SPDX-License-Identifier: MIT */
/*
 * One capture, from its file to a finished profile. No other directory uses all stages:
 *
 *     open ─▶ state ─▶ samples (parallel) ─▶ resolve (parallel) ─▶ symbolise ─▶ build
 *     libparse       profile/ingest          profile/resolve        symbolise    profile/tree/build
 *
 * Each opened session must be closed, even after a failure.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "annotate/annotation.h"
#include "eventlog/log_stats.h"
#include "libparse/formats.h"
#include "profile/tree/build.h"
#include "profile/ingest.h"
#include "profile/location.h"
#include "offcpu/early_switches.h"
#include "offcpu/offcpu.h"
#include "offcpu/task_stats.h"
#include "annotate/branch_stats.h"
#include "annotate/memory_stats.h"
#include "profile/profile.h"
#include "profile/selection/marks.h"
#include "profile/resolve.h"
#include "profile/view.h"
#include "process/process_state.h"
#include "session/unwinding.h"
#include "symbolise/root_service.h"
#include "symbolise/symbolise.h"
#include "syscalls/syscall_stats.h"
#include "timeline/lanes.h"
#include "timeline/timeline.h"
#include "timeline/tracks.h"

struct session_options {
	const struct view *view; /* NULL means the default. Copied; its lists are borrowed */
	unsigned thread_count;   /* 0 means the number of CPUs */
	const char *const *symbol_paths;
	size_t symbol_path_count;
	const char *debuginfod;  /* servers; "" means those in the environment; NULL if none */
	bool trusts_paths;       /* use symbol files even if they are known not to match */
	bool ignores_host;       /* do not use files of this machine */
	bool trusts_owners;      /* also use perf maps of other users */
	struct wall_clock clock; /* if known, replaces the clock of the capture */
	bool wants_wall_clock;   /* fail if the wall-clock time is unknown */
	bool wants_trace;        /* visited samples include the text of their tracepoint */
	bool shows_recorded;     /* visited samples have their callchains as recorded */
	const struct pairing_options *pairing; /* for session_build_offcpu */
	/*
	 * readers of debug information, lent to a locked session; if NULL, the session starts its
	 * own readers
	 */
	const struct service *readers;
	const char *table_cache; /* directory for cached debug information; NULL if none */
	bool reads_lines;        /* read source lines, even if frames do not show them */
	const struct timeline_options *timeline;     /* for session_build_timeline */
	const struct lanes_options *lanes;           /* for session/lane_reader.h */
	const struct annotation_options *annotation; /* for session_build_annotation */
	bool reads_tasks; /* this field and the next are for session/task_reader.h */
	enum task_by tasks_by;
	bool reads_memory; /* this field and the next are for session/memory_reader.h */
	enum memory_by memory_by;
	const struct syscall_options *syscalls; /* for session/syscall_reader.h */
	const struct log_stats_options *log;    /* for session/log_session.h */
	uint32_t chart_lane_max;  /* for session/flame_chart.h; 0 means all samples in one order */
	bool touches_all_modules; /* also look for files of modules without frames */
	const struct collector *collector; /* receives each file used for symbols; NULL if none */
	bool wants_module_shares;          /* compute session.module_shares before symbolisation */
	/* If folded stacks have two counts, show the second, and its difference from the first. */
	bool shows_difference;
	/* The input format and its options; if NULL, the format is detected. */
	const struct input_format *format;
	const void *format_options;
	/* Samples are read only once, to build a profile, and nothing is read later. */
	bool is_read_once;
	size_t callchains_kept;     /* resolve callchains at this number; 0 means the default */
	size_t stacks_kept_bytes;   /* merge stacks at this size; 0 means the default */
	uint64_t memory_bytes;      /* maximum memory to use; 0 means half of the machine's */
	uint64_t spool_limit_bytes; /* for all temporary files; 0 means half of the free space */
	/*
	 * Progress of reading samples; called from any thread. total_bytes is 0 if unknown. NULL:
	 * none.
	 */
	void (*on_progress)(void *context, uint64_t done_bytes, uint64_t total_bytes);
	/* Progress of the download of a file. */
	void (*on_download)(void *context, const char *name, uint64_t done_bytes,
			    uint64_t total_bytes);
	/* Progress in symbolised modules or decompressed files. */
	void (*on_step)(void *context, const char *what, uint64_t done_count, uint64_t total_count);
	void *progress_context;
};

/* Seconds per stage, for --stats. */
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
	struct view view; /* a copy of options.view, with its own times_ns on the capture's clock */
	struct temporary_space space; /* for temporary files of the capture and its symbol files */
	struct capture capture;
	struct early_switches *early_switches; /* with options.reads_tasks */
	struct selection_tally tally;          /* counts for the samples read last */
	struct placed_marks around;            /* with view.selection.around */
	bool has_visited;                      /* samples were visited */
	uint64_t visited_count;                /* visited samples that are selected */
	struct profile profile;
	struct process_state state;
	struct resolve_modules resolve_modules; /* the first rows of profile.modules */
	VEC(struct sample_row) rows; /* in time order; only after session_index_samples */
	struct locations locations;
	struct time_bins time_bins;               /* with view.has_time_bins */
	struct timeline timeline;                 /* after session_build_timeline */
	struct timeline_options timeline_options; /* the options, with windows */
	struct lanes lanes;                       /* after session_build_lanes */
	struct tracks tracks;                     /* after session_build_tracks */
	struct task_stats tasks;                  /* after session_build_tasks */
	struct syscall_stats syscalls;            /* after session_build_syscalls */
	struct log_stats log;                     /* after session_build_log */
	struct annotation annotation;             /* after session_build_annotation */
	struct branch_stats branches;             /* after session_build_branches */
	struct memory_stats memory;               /* after session_build_memory */
	struct locations data_locations;          /* of memory: the data that was accessed */
	struct time_windows lane_windows;         /* of lanes, tasks and system calls */
	struct offcpu offcpu;                     /* for session/off_cpu.h */
	struct pairing_options thread_time; /* options.pairing, as session/off_cpu.h changed it */
	struct jit_dumps jit_dumps;
	struct service service;          /* its workers read debug information */
	struct host_roots roots;         /* with options.readers */
	struct prefetch *prefetch;       /* prefetch debug information; NULL if none */
	struct host_list *host_list;     /* kernel symbols that are being read; NULL if none */
	struct file_index symbol_files;  /* from --symbols and from the capture's archive */
	struct bundle_manifest manifest; /* manifest of the bundle with the capture, if any */
	struct debuginfod *debuginfod;   /* NULL if there are no servers */
	struct text_samples text;        /* distinct texts of the samples of a text format */
	bool is_same_host; /* the capture was made on this machine, with its running kernel */
	char build_id_cache[4096]; /* directory; empty: none */
	struct return_words return_words;
	struct unwinding *unwinding; /* NULL if there are no stack dumps */
	VEC(double) module_shares;   /* by module, with wants_module_shares */
	/* by module: the sum over all modules with its build-id, which are of the same file */
	VEC(double) file_shares;
	double stage_seconds[STAGE_COUNT];
};

/*
 * Opens path and reads all records except samples. On failure, the error names the file, and
 * nothing remains open.
 */
bool session_open(struct session *session, const char *path, const struct session_options *options,
		  struct error *err) WARN_UNUSED;
void session_close(struct session *session);

/* Moves the profile out of the session. After this, the session can only be closed. */
struct profile session_take_profile(struct session *session);

/* Reads the samples and completes session->profile. */
bool session_build_profile(struct session *session, struct error *err) WARN_UNUSED;

/* Reads the samples into session->timeline instead of a profile, and chooses the event to show. */
bool session_build_timeline(struct session *session, struct error *err) WARN_UNUSED;

/*
 * Fills session->annotation with the samples of the functions that view.selection.symbols matches.
 */
bool session_build_annotation(struct session *session, struct error *err) WARN_UNUSED;

/* Reads the samples, symbolises their locations, and lists them in time order. */
bool session_index_samples(struct session *session, struct error *err) WARN_UNUSED;

/*
 * For session/visit: returns options for reading samples, and creates a resolver for about this
 * many callchains.
 */
struct ingest_options session_ingest_options(const struct session *session, bool one_by_one);
void session_init_resolver(const struct session *session, struct places *places,
			   size_t callchain_count, struct resolver *resolver);

/* Symbolises the locations. Resets the statistics of modules, which then count these locations. */
void session_symbolise(struct session *session, struct locations *locations);

/* Like session_symbolise, for data locations. */
void session_symbolise_data(struct session *session, struct locations *locations);

/* Whether the capture has a text format, which contains frame names. */
static inline bool session_is_text(const struct session *session)
{
	return session->capture.format->read_frame;
}

/* The name of a stage, for --stats. */
const char *session_stage_name(enum session_stage stage);

#endif
