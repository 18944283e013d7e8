/* SPDX-License-Identifier: MIT */
/* The kernel's list of symbols as a slim bundle has it: the lines around the addresses that samples touch. */
#ifndef SYMBOLISE_SLIM_LIST_H
#define SYMBOLISE_SLIM_LIST_H

#include "symbolise/kernel.h"

/* Writes them into sink, from the list's text; shift is how far the kernel ran from where the list says.
 * The text stays whole where fewer lines would name an address otherwise. */
void slim_list_write(const struct kernel *kernel, struct text text, uint64_t shift,
		     struct sink *sink);

#endif
