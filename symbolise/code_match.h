/* SPDX-License-Identifier: MIT */
/*
 * Whether a file has the code that ran, by the return addresses of callchains: in that file a call precedes
 * each. It needs no build-id, and can contradict one that was read from another file.
 *
 *     in the right file     nearly all; fewer where code without frame pointers leads the walk astray
 *     in another build      those before the first difference, and hardly any behind it
 *     in another file       as many as calls are frequent: a few of a hundred
 */
#ifndef SYMBOLISE_CODE_MATCH_H
#define SYMBOLISE_CODE_MATCH_H

#include "object/elf.h"
#include "symbolise/source.h"

enum code_match_status {
	CODE_UNDECIDED, /* too few return addresses, or an architecture whose calls are not known */
	CODE_PROVED,
	CODE_REFUTED,
};

struct code_match {
	enum code_match_status proof;
	uint32_t site_count, call_count; /* return addresses; those of them behind a call */
};

/* By the return addresses in the naming's module. */
struct code_match code_match_check(const struct naming_job *job, const struct naming *naming,
				   const struct elf_file *elf);

/* Whether the file is as good as that for another module that was mapped from the same path. */
bool code_match_may_be_rival(const struct naming_job *job, const struct naming *naming,
			     const struct elf_file *elf);

#endif
