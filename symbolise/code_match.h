/* SPDX-License-Identifier: MIT */
/*
 * Checks whether a file contains the code that ran. In such a file, a call precedes each recorded
 * return address. The check needs no build-id. The check can show that a recorded build-id belongs
 * to a different file.
 *
 *     right file      nearly all; fewer for code without frame pointers, where callchains are often wrong
 *     another build   all before the first difference, hardly any after it
 *     another file    a few per cent, by chance
 */
#ifndef SYMBOLISE_CODE_MATCH_H
#define SYMBOLISE_CODE_MATCH_H

#include "object/elf.h"
#include "symbolise/source.h"

enum code_match_status {
	CODE_UNDECIDED, /* too few return addresses, or an unsupported architecture */
	CODE_PROVED,
	CODE_REFUTED,
};

struct code_match {
	enum code_match_status proof;
	/* number of return addresses, and how many of these follow a call */
	uint32_t site_count, call_count;
};

/* Checks the return addresses of the naming's module. */
struct code_match code_match_check(const struct naming_job *job, const struct naming *naming,
				   const struct elf_file *elf);

/* Whether the file may instead belong to a different module that was mapped from the same path. */
bool code_match_may_be_rival(const struct naming_job *job, const struct naming *naming,
			     const struct elf_file *elf);

#endif
