/* SPDX-License-Identifier: MIT */
/*
 * Samples by instruction: the requested functions, their code and source lines, and the number of
 * samples of each event at each instruction.
 *
 *     functions      parse ───────────┐            skip ────┐
 *     instructions   | 1139 | 113c | 1140 | ...    | 2010 | ...
 *     counts         |  0   |  12  |  3   |        one for each instruction and event
 *     lines          parse.c:40  parse.c:41        a text for each line, if the source was found
 *
 * All counts are self counts: a sample belongs to the interrupted instruction. session/annotating.c
 * fills annotations, and render/text/annotation_text.h reads them.
 */
#ifndef ANNOTATE_ANNOTATION_H
#define ANNOTATE_ANNOTATION_H

#include "base/arena.h"
#include "process/module.h"
#include "profile/location.h"

/* Maximum number of events shown side by side: more columns do not fit on a screen. */
#define ANNOTATION_EVENTS_MAX 8u

#define ANNOTATION_NONE UINT32_MAX

struct annotation_options {
	uint32_t function_max; /* maximum number of functions: the hottest of those requested */
	const char *const *source_directories; /* see struct source_directories */
	size_t source_directory_count;
};

struct annotation_count {
	uint64_t sample_count, weight;
};

struct annotated_instruction {
	uint64_t address; /* in the function's file */
	uint32_t size_bytes;
	struct text text;                   /* .at is NULL if not disassembled; in the arena */
	bool is_jump, ends_flow, is_inside; /* see struct disassembled */
	bool has_target;                    /* for a jump or call */
	uint64_t target;
	uint32_t target_row;    /* for jumps: the target in the same function; or ANNOTATION_NONE */
	str_id target_name;     /* the called function; empty if unknown */
	uint64_t target_offset; /* offset in that function */
	struct source_line at;  /* line is 0 if not known */
	str_id inlined;         /* the innermost inlined function; empty if there is none */
};

struct annotated_function {
	str_id name;
	module_id module;
	uint64_t start;   /* like symbol_start of struct location */
	uint64_t address; /* of the first byte in the file; equal to start if the file is missing */
	uint64_t size_bytes;
	uint32_t instruction_first, instruction_count;
	struct annotation_count counts[ANNOTATION_EVENTS_MAX];
	uint64_t between_count;   /* samples at addresses inside an instruction */
	struct text code_problem; /* why the function was not disassembled; empty if it was */
	struct text line_problem; /* why source lines are missing; empty if they are known */
};

/* A source line of the functions. */
struct annotation_line {
	struct source_line at;
	struct text text; /* without the line's end; .at is NULL if not found */
};

struct annotation {
	struct arena arena;
	uint32_t event_count;
	uint32_t events[ANNOTATION_EVENTS_MAX];                /* rows of profile.events */
	struct annotation_count totals[ANNOTATION_EVENTS_MAX]; /* of all selected samples */
	VEC(struct annotated_function) functions;              /* hottest first */
	VEC(struct annotated_instruction) instructions;
	VEC(struct annotation_count) counts;     /* event_count for each instruction */
	VEC(struct annotation_line) lines;       /* sorted by file, then line */
	uint32_t matched_count;                  /* requested functions that have samples */
	uint32_t missing_file_count, file_count; /* source files */
	str_id missing_file;                     /* one of them */
};

void annotation_init(struct annotation *annotation);
void annotation_deinit(struct annotation *annotation);

/* The counts of an instruction, by event. */
static inline struct annotation_count *annotation_counts(const struct annotation *annotation,
							 size_t instruction)
{
	return &annotation->counts.at[instruction * annotation->event_count];
}

/* Adds an instruction without samples to the last function. */
void annotation_add_instruction(struct annotation *annotation,
				const struct annotated_instruction *instruction);

/*
 * Adds samples at an address of a function. If the address is inside an instruction, the samples
 * are added to that instruction.
 */
void annotation_add_samples(struct annotation *annotation, struct annotated_function *function,
			    uint64_t address, uint32_t event, struct annotation_count count);

/* Finds the target instructions of a function's jumps. */
void annotation_link_jumps(struct annotation *annotation,
			   const struct annotated_function *function);

/* The text of a source line; .at is NULL if not found. */
struct text annotation_line_text(const struct annotation *annotation, struct source_line at);

#endif
