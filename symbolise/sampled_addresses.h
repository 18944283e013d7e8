/* SPDX-License-Identifier: MIT */
/*
 * Lists the sampled addresses of a file, from all modules of the capture that were mapped from this
 * file. For example, a library that is mapped under two names in two containers is one file, but
 * two modules. The list includes the byte before and after each address, because some rules look up
 * the call before a return address.
 */
#ifndef SYMBOLISE_SAMPLED_ADDRESSES_H
#define SYMBOLISE_SAMPLED_ADDRESSES_H

#include "symbolise/source.h"

typedef VEC(uint64_t) address_list;

/* Appends the addresses of one module. convert: see struct naming_table. */
void sampled_addresses_add(const struct naming_job *job, const struct naming *naming,
			   naming_convert *convert, const void *context, address_list *list);

/* Sorts the list and removes duplicates. */
void sampled_addresses_sort(address_list *list);

#endif
