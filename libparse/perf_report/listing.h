/* SPDX-License-Identifier: MIT */
/*
 * A report of `perf report --stdio` in memory. The report has a section for each event; a section
 * has entries with call graphs below them.
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
 * With -g flat and -g folded, each node is a whole stack. All texts point into the loaded text, so
 * they are valid as long as the report.
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

/* The number that stands for 100% in a listing_value of percentages. */
#define LISTING_WHOLE 10000u

/* perf's default threshold, in hundredths of a percent. */
#define LISTING_THRESHOLD 50u

/* Which call graphs perf printed. */
enum listing_style {
	LISTING_STYLE_NONE,
	LISTING_STYLE_GRAPH, /* trees; also used for -g fractal */
	LISTING_STYLE_FLAT,
	LISTING_STYLE_FOLDED,
};

/* The order of the functions in the stacks of a section. */
enum listing_order {
	LISTING_ORDER_CALLEE, /* the leaf first */
	LISTING_ORDER_CALLER, /* the outermost function first */
};

struct listing_frame {
	uint32_t begin, length; /* byte range in the text of the report */
};

struct listing_node {
	uint32_t parent; /* or LISTING_NO_NODE */
	uint32_t frame_first, frame_count;
	/* LISTING_VALUE_NONE if the node has the whole value of its entry */
	struct listing_value value;
	/* The analysis sets the fields below. */
	uint32_t child_count;
	/* number of frames from the root node to the last frame of this node */
	uint32_t path_count;
	uint64_t weight; /* sum of `own` and `below` */
	uint64_t below;  /* weight of the children */
	uint64_t own;    /* weight of the samples whose stack ends here */
	bool is_cut; /* `own` belongs to stacks that continue, but perf did not print the rest */
	/* with the column Children, the stack begins at the entry's function */
	bool is_below_entry;
};

struct listing_entry {
	struct listing_row row;
	enum listing_style style;
	uint64_t offset; /* offset of the row in the text */
	uint32_t node_first, node_count;
	uint64_t weight; /* with the column Children, the weight of Self */
	uint64_t own;    /* weight of samples that are not in any node */
	bool is_cut; /* if set, `own` belongs to stacks that continue, as in struct listing_node */
};

struct listing_section {
	struct text event; /* .at is NULL if unknown */
	uint64_t event_count, sample_count;
	bool has_event_count, has_sample_count;
	/* if false, sample_count is the largest number that perf abbreviates so, as in "1K" */
	bool is_sample_count_exact;
	/* guessed from the first row if the report has no heading */
	struct listing_heading heading;
	enum listing_style style;
	uint32_t entry_first, entry_count;
	/* The analysis sets the fields below. */
	bool has_children; /* the rows have the columns Children and Self */
	bool omits_nodes;  /* perf may have omitted nodes below its threshold */
	enum listing_order order;
	enum weight_unit unit;
	bool is_approximate; /* weights are computed from percentages */
	uint64_t total;      /* the weight of 100% */
};

/* What the rows show about a function. */
struct listing_function {
	/* DSO of the function; .at is NULL if unknown or if there are several */
	struct text object;
	bool is_kernel, is_user;
};

struct listing {
	struct text text;                       /* owned */
	struct strings names;                   /* functions of rows */
	VEC(struct listing_function) functions; /* indexed by the id of the function's name */
	VEC(struct listing_section) sections;
	VEC(struct listing_entry) entries;
	VEC(struct listing_node) nodes;
	VEC(struct listing_frame) frames;
	struct text_skips skips;
	uint64_t lost_count;
	bool has_rest;       /* "[...]", as -g fractal prints */
	bool ends_in_graph;  /* no blank line follows the last call graph */
	const char *refusal; /* why the text cannot be read; NULL if it can be read */
	uint64_t refused_at; /* offset of the line that cannot be read */
	struct text facts[FACT_COUNT];
};

void listing_init(struct listing *listing);
void listing_deinit(struct listing *listing);

/*
 * Parses listing->text. All other fields of the report must be empty. Fails if a line between the
 * rows is not understood.
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

/* The largest losses of any section, in hundredths of a percent. */
struct listing_losses {
	uint64_t cut;      /* share of incomplete stacks */
	uint64_t unlisted; /* share of samples that are not in any row */
};

/*
 * Finds out how to read the stacks, and computes the weights. Fails if the report does not have
 * each sample exactly once, or has no call graphs.
 */
bool listing_analyse(struct listing *listing, struct listing_losses *losses,
		     struct error *err) WARN_UNUSED;

/*
 * Whether perf may have omitted nodes: perf may have, if no printed node is below perf's threshold.
 */
bool listing_omits_nodes(const struct listing *listing, const struct listing_section *section);

/*
 * Marks the stacks of a section that perf did not print completely. Fails if these stacks cannot be
 * distinguished from complete stacks.
 */
bool listing_find_losses(struct listing *listing, const struct listing_section *section,
			 struct listing_losses *losses, struct error *err) WARN_UNUSED;

/*
 * With the column Children, keeps only the own weights of stacks that belong to Self. Fails if
 * these stacks cannot be distinguished from others.
 */
bool listing_keep_self(struct listing *listing, const struct listing_section *section,
		       struct error *err) WARN_UNUSED;

/*
 * The largest weight that rounding can take from a node and its children. Larger differences are
 * real weights.
 */
uint64_t listing_noise_of(const struct listing_section *section, uint32_t child_count);

/*
 * Arranges the stacks of -g flat as a tree. The printed value of a stack includes the values of
 * longer stacks.
 */
void listing_nest_stacks(struct listing *listing, const struct listing_entry *entry);

static inline struct text listing_frame_text(const struct listing *listing, size_t index)
{
	const struct listing_frame *frame = &listing->frames.at[index];

	return (struct text){ listing->text.at + frame->begin, frame->length };
}

/* Returns the first or the last frame of a node, or an empty text if the node has no frames. */
static inline struct text listing_end_of(const struct listing *listing,
					 const struct listing_node *node, bool is_last)
{
	if (!node->frame_count)
		return text_of("");
	return listing_frame_text(listing,
				  node->frame_first + (is_last ? node->frame_count - 1 : 0));
}

/* The command that prints a report which kiln can read exactly. Errors suggest this command. */
#define LISTING_READABLE                                                                   \
	"print it with `perf report --stdio --no-inline --no-children -n -s comm,dso,sym " \
	"-g graph,0,caller,function,count`"

/*
 * Whether a frame is the function of a row. Two addresses match if only the start of their mapping
 * differs.
 */
bool listing_is_same(struct text frame, struct text symbol);

#endif
