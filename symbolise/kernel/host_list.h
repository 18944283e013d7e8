/* SPDX-License-Identifier: MIT */
/*
 * Reads this machine's list of kernel symbols on a thread of its own while samples are read,
 * because the kernel takes a long time to print the list, and only one thread can read it.
 *
 *     samples      host_list_begin    the thread reads /proc/kallsyms
 *     resolve
 *     symbolise    host_list_take     waits for the thread
 */
#ifndef SYMBOLISE_KERNEL_HOST_LIST_H
#define SYMBOLISE_KERNEL_HOST_LIST_H

#include "object/file.h"
#include "symbolise/symbolise.h"

/*
 * Returns NULL if symbolisation will not need the list, or if no thread is to spare. The other
 * functions accept NULL.
 */
struct host_list *host_list_begin(const struct modules *modules,
				  const struct symbolise_options *options);
void host_list_destroy(struct host_list *list);

/*
 * Moves the content of the list to the caller. Returns false if the list was not read, could not be
 * read, or was taken before.
 */
bool host_list_take(struct host_list *list, struct file_bytes *ret);

#endif
