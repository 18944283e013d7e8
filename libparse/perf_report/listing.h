/* SPDX-License-Identifier: MIT */
/*
 * A report of `perf report --stdio` in memory: sections, one for each event, with entries and the
 * call graphs below them.
 *
 *     # Samples: 180  of event 'cpu-clock:u'              section
 *     # Overhead  Command    Shared Object  Symbol
 *         50.56%  quicksort  libcompare.so  [.] compare   entry
 *                 |
 *                 ---compare                              node 0, with two frames
 *                    partition
 *                    |
 *                    |--37.78%--quicksort                 node 1, its parent is node 0
 *
 * With -g flat and -g folded, each node is a whole stack. All texts are in the loaded text, so they
 * are valid as long as the report.
 */
#ifndef LIBPARSE_PERF_REPORT_LISTING_H
#define LIBPARSE_PERF_REPORT_LISTING_H

#include "base/error.h"
#include "base/span.h"
#include "base/strings.h"
#include "base/vec.h"
#include "libparse/event.h"
#include "libparse/evidence.h"
#include "libparse/perf_report/listing_row.h"
#include "libparse/text.h"

#define LISTING_NO_NODE UINT32_MAX

/* A whole, in units of listing_value.number of percentages. */
#define LISTING_WHOLE 10000u

/* perf's default threshold, in hundredths of a percent. */
#define LISTING_THRESHOLD 50u

/* Which call graphs perf printed. */
enum listing_style {
	LISTING_STYLE_NONE,
	LISTING_STYLE_GRAPH, /* trees: also -g fractal */
	LISTING_STYLE_FLAT,
	LISTING_STYLE_FOLDED,
};

/* How the stacks of a section are read. */
enum listing_order {
	LISTING_ORDER_CALLEE, /* the leaf first */
	LISTING_ORDER_CALLER, /* the outermost function first */
};

struct listing_frame {
	uint32_t begin, length; /* in the text */
};

struct listing_node {
	uint32_t parent; /* or LISTING_NO_NODE */
	uint32_t frame_first, frame_count;
	struct listing_value value; /* kind LISTING_VALUE_NONE: all of its entry */
	/* Set by the analysis. */
	uint32_t child_count;
	uint32_t path_count; /* frames from the root node to the last one of this node */
	uint64_t weight;     /* own and below */
	uint64_t below;      /* of its children */
	uint64_t own;        /* the samples that end here */
	bool is_cut;         /* own is of stacks that continue, but perf did not print how */
	bool is_below_entry; /* with Children: the stack begins at the function of the entry */
};

struct listing_entry {
	struct listing_row row;
	enum listing_style style;
	uint64_t offset; /* of the row in the text */
	uint32_t node_first, node_count;
	uint64_t weight; /* with Children: of Self */
	uint64_t own;    /* not in any node */
	bool is_cut;     /* the same as in nodes */
};

struct listing_section {
	struct text event; /* .at NULL: unknown */
	uint64_t event_count, sample_count;
	bool has_event_count, has_sample_count;
	bool is_sample_count_exact;     /* else the most that "1K" can stand for */
	struct listing_heading heading; /* guessed from the first row if the report has none */
	enum listing_style style;
	uint32_t entry_first, entry_count;
	/* Set by the analysis. */
	bool has_children; /* the rows have the columns Children and Self */
	bool omits_nodes;  /* perf may have omitted nodes below its threshold */
	enum listing_order order;
	enum weight_unit unit;
	bool is_approximate; /* computed from percentages */
	uint64_t total;      /* the weight of 100% */
};

/* A function of a row. */
struct listing_function {
	struct text object; /* its DSO; .at NULL: unknown, or several */
	bool is_kernel, is_user;
};

struct listing {
	struct text text;                       /* owned */
	struct strings names;                   /* functions of rows */
	VEC(struct listing_function) functions; /* by the id of their name */
	VEC(struct listing_section) sections;
	VEC(struct listing_entry) entries;
	VEC(struct listing_node) nodes;
	VEC(struct listing_frame) frames;
	struct text_skips skips;
	uint64_t lost_count;
	bool has_rest;       /* "[...]", as -g fractal prints */
	bool ends_in_graph;  /* no blank line follows the last call graph */
	const char *refusal; /* why the text cannot be read; NULL: it can */
	uint64_t refused_at; /* offset of the line */
	struct text facts[FACT_COUNT];
};

void listing_init(struct listing *listing);
void listing_deinit(struct listing *listing);

/*
 * Reads listing->text into the report, which has nothing else. An error if a line between the rows is
 * not understood.
 */
bool listing_parse(struct listing *listing, struct error *err) WARN_UNUSED;

/* Notes the first reason why the text cannot be read. */
static inline void listing_refuse(struct listing *listing, uint64_t offset, const char *why)
{
	if (listing->refusal)
		return;
	listing->refusal = why;
	listing->refused_at = offset;
}

/* Whether a line, or a row and the graph below it, can only be part of a report. */
struct evidence listing_probe(struct span head);

/* Shares of a section, in hundredths of a percent; the largest of all sections. */
struct listing_losses {
	uint64_t cut;      /* stacks that are not complete */
	uint64_t unlisted; /* not in any row */
};

/*
 * Finds out how the stacks are to be read, and computes the weights. An error if the report does
 * not have each sample once, or no call graphs.
 */
bool listing_analyse(struct listing *listing, struct listing_losses *losses,
		     struct error *err) WARN_UNUSED;

/* Whether perf may have omitted nodes: none of those that it printed is below its threshold. */
bool listing_omits_nodes(const struct listing *listing, const struct listing_section *section);

/*
 * Marks the stacks of a section that perf did not print completely. An error if they cannot be told
 * from complete ones.
 */
bool listing_find_losses(struct listing *listing, const struct listing_section *section,
			 struct listing_losses *losses, struct error *err) WARN_UNUSED;

/*
 * With the column Children, keeps the own weights of stacks that belong to Self. An error if they
 * cannot be told apart.
 */
bool listing_keep_self(struct listing *listing, const struct listing_section *section,
		       struct error *err) WARN_UNUSED;

/* What a node and its children may seem to lose by rounding. Larger weights are real. */
uint64_t listing_noise_of(const struct listing_section *section, uint32_t child_count);

/* Makes a tree of the stacks that -g flat printed, whose values include those of longer stacks. */
void listing_nest_stacks(struct listing *listing, const struct listing_entry *entry);

static inline struct text listing_frame_text(const struct listing *listing, size_t index)
{
	const struct listing_frame *frame = &listing->frames.at[index];

	return (struct text){ listing->text.at + frame->begin, frame->length };
}

/* The first or last frame of a node; empty if it has none. */
static inline struct text listing_end_of(const struct listing *listing,
					 const struct listing_node *node, bool is_last)
{
	if (!node->frame_count)
		return text_of("");
	return listing_frame_text(listing,
				  node->frame_first + (is_last ? node->frame_count - 1 : 0));
}

/* The command that prints a report which can be read exactly, for errors. */
#define LISTING_READABLE                                                                   \
	"print it with `perf report --stdio --no-inline --no-children -n -s comm,dso,sym " \
	"-g graph,0,caller,function,count`"

/* Whether a frame is the function of a row. Addresses differ in the start of their mapping. */
bool listing_is_same(struct text frame, struct text symbol);

#endif
