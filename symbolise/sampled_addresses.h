/* SPDX-License-Identifier: MIT */
/*
 * The addresses of a file that any sample touches, whichever module of the capture has them: a library that
 * was mapped under two names, in two containers, is one file. The bytes before and behind each are
 * touched too, as rules of looking up calls differ by one.
 */
#ifndef SYMBOLISE_SAMPLED_ADDRESSES_H
#define SYMBOLISE_SAMPLED_ADDRESSES_H

#include "symbolise/source.h"

typedef VEC(uint64_t) address_list;

/* Adds them to a list, which ascends afterwards; convert as naming_table has it. */
void sampled_addresses_list(const struct naming_job *job, const struct naming *naming,
			    naming_convert *convert, const void *context, address_list *ret);

#endif
