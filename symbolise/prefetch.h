/* SPDX-License-Identifier: MIT */
/*
 * Readers of debug information that begin before it is known what to ask them. Whoever follows stacks has
 * the files of modules open that some place will be in; while the places are worked out, what is most of
 * their debug information is unpacked.
 *
 *     samples    offer, offer, offer      the largest are kept
 *     resolve    start                    a process each
 *     symbolise           take            what nobody takes ends with prefetch_destroy
 */
#ifndef SYMBOLISE_PREFETCH_H
#define SYMBOLISE_PREFETCH_H

#include "symbolise/elf/elf_names.h"
#include "symbolise/symbolise.h"

/* NULL, which all of these may be given: they would be of no use. */
struct prefetch *prefetch_create(const struct symbolise_options *options);
void prefetch_destroy(struct prefetch *prefetch);

/* A module's files, which may be closed then. By one thread at a time, and before prefetch_start. */
void prefetch_offer(struct prefetch *prefetch, module_id module, const struct elf_pair *pair);

/* Once, when all samples are read. */
void prefetch_start(struct prefetch *prefetch);

/* The reader that has the module's file, which is the caller's then; false: there is none. By any number
 * of threads, each for modules of its own. */
bool prefetch_take(struct prefetch *prefetch, module_id module, struct dwarf_reading *ret);

#endif
