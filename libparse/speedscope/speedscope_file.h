/* SPDX-License-Identifier: MIT */
/*
 * The names and profiles in a file of speedscope, whose file-format-spec.ts describes the format.
 * py-spy, rbspy, dotnet-trace and other tools also write this format. Each profile is a thread, or
 * another unit that the writer keeps separate: samples with weights, or events that open and close
 * frames.
 *
 *     {"$schema":"https://www.speedscope.app/file-format-schema.json",
 *      "shared":{"frames":[{"name":"main"},{"name":"read","file":"/lib/libc.so.6"}]},
 *      "profiles":[
 *       {"type":"sampled","name":"one","unit":"seconds","samples":[[0],[0,1]],"weights":[0.5,2]},
 *       {"type":"evented","name":"two","unit":"none","events":[{"type":"O","frame":0,"at":3},...]}]}
 *
 * Members may be in any order, so this module only locates the arrays of a profile. The arrays are
 * read when all names are known.
 */
#ifndef LIBPARSE_SPEEDSCOPE_SPEEDSCOPE_FILE_H
#define LIBPARSE_SPEEDSCOPE_SPEEDSCOPE_FILE_H

#include "base/vec.h"
#include "libparse/event.h"

struct speedscope_frame {
	str_id name, file;
};

/* The name of a thread, from sample number `first` on. */
struct speedscope_comm {
	uint64_t first;
	str_id comm;
};

struct speedscope_profile {
	size_t index; /* index of the profile in the file */
	str_id comm, event;
	size_t comm_begin, comm_count; /* range in the file's list of comms */
	enum weight_unit unit;
	unsigned decimals; /* weights are in units of 10^-decimals of the unit in the file */
	bool has_unit;
	bool has_tid;
	uint32_t pid, tid;
	/* texts from the opening bracket on; .at is NULL if the array is missing */
	struct text samples, weights, events;
};

struct speedscope_file {
	struct text text; /* text of the whole file */
	struct strings strings;
	VEC(struct speedscope_frame) frames;
	VEC(struct speedscope_profile) profiles;
	size_t profile_count; /* number of profiles in the file */
	VEC(struct speedscope_comm) comms;
	str_id name; /* name of the whole file */
	/* index in `profiles` of the profile that is shown first, or profiles.count */
	uint64_t active;
	uint64_t corrupt_count; /* profiles without samples or events */
};

void speedscope_file_init(struct speedscope_file *file);
void speedscope_file_deinit(struct speedscope_file *file);

/*
 * Reads file->text, which must remain valid as long as file. If the text is truncated or corrupt,
 * *failed_at becomes the position of the fault, and everything before the fault is kept. Otherwise,
 * *failed_at becomes NULL. Returns false if there are too many profiles.
 */
bool speedscope_file_read(struct speedscope_file *file, const char **failed_at,
			  struct error *err) WARN_UNUSED;

#endif
