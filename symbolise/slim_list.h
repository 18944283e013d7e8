/* SPDX-License-Identifier: MIT */
/* The kernel's list of symbols as a slim bundle has it: the lines around the addresses that samples touch. */
#ifndef SYMBOLISE_SLIM_LIST_H
#define SYMBOLISE_SLIM_LIST_H

#include "symbolise/kernel/kallsyms.h"
#include "symbolise/kernel/kernel.h"

struct slim_list {
	struct text text;
	const struct kallsyms
		*known; /* what was read of the text by the job's rules; NULL: nothing was */
	uint64_t shift; /* how far the kernel ran from where the list says */
};

/* Writes them into sink. The text stays whole where fewer lines would name an address otherwise. */
void slim_list_write(const struct kernel *kernel, const struct slim_list *list, struct sink *sink);

#endif
