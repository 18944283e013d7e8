/* SPDX-License-Identifier: MIT */
/*
 * Starts reading debug information before it is known which addresses are needed. Symbolisation
 * will probably need the files that unwinding opens. Helper processes decompress the debug sections
 * of these files while callchains are resolved. Decompression takes most of the time.
 *
 *     samples      offer, offer, offer    keeps the largest files
 *     resolve      start                  one helper process per file
 *     symbolise    take                   prefetch_destroy ends the processes that were not taken
 */
#ifndef SYMBOLISE_PREFETCH_H
#define SYMBOLISE_PREFETCH_H

#include "symbolise/elf/elf_names.h"
#include "symbolise/symbolise.h"

/* Returns NULL if prefetching would not help. All functions here accept NULL. */
struct prefetch *prefetch_create(const struct symbolise_options *options);
void prefetch_destroy(struct prefetch *prefetch);

/*
 * Offers a module's files. The caller may close the files afterwards. Only one thread at a time may
 * call this function, before prefetch_start.
 */
void prefetch_offer(struct prefetch *prefetch, module_id module, const struct elf_pair *pair);

/* Must be called once, after all samples have been read. */
void prefetch_start(struct prefetch *prefetch);

/*
 * Moves the running reader of the module's file to the caller. Returns false if no reader is
 * running for this file. This function is thread-safe for different modules.
 */
bool prefetch_take(struct prefetch *prefetch, module_id module, struct dwarf_reading *ret);

#endif
