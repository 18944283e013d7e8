/* SPDX-License-Identifier: MIT */
/*
 * Readers of debug information that begin before it is known what to ask them. Whoever follows stacks has
 * the files of modules open that some place will be in; while the places are worked out, what is most of
 * their debug information is unpacked.
 *
 *     samples    offer, offer, offer      the largest are kept
 *     resolve    start                    a process each
 *     symbolise           take            what nobody takes ends with early_readers_destroy
 */
#ifndef SYMBOLISE_EARLY_READERS_H
#define SYMBOLISE_EARLY_READERS_H

#include "symbolise/elf/elf_names.h"
#include "symbolise/symbolise.h"

/* NULL, which all of these may be given: they would be of no use. */
struct early_readers *early_readers_create(const struct symbolise_options *options);
void early_readers_destroy(struct early_readers *readers);

/* A module's files, which may be closed then. By one thread at a time, and before early_readers_start. */
void early_readers_offer(struct early_readers *readers, module_id module,
			 const struct elf_pair *pair);

/* Once, when all samples are read. */
void early_readers_start(struct early_readers *readers);

/* The reader that has the module's file, which is the caller's then; false: there is none. By any number
 * of threads, each for modules of its own. */
bool early_readers_take(struct early_readers *readers, module_id module, struct dwarf_reading *ret);

#endif
