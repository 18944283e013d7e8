/* SPDX-License-Identifier: MIT */
/*
 * Parses a frame as BCC's tools and libbpf-tools print it, with any of their options:
 *
 *     vfs_read    vfs_read+0x91    read+0xe [libc.so.6]    0x7f195de8e24a read+0xe [libc.so.6]
 *     ffffffff81415af0 vfs_read    #3 0x7f195de8e24a read+0xe (/lib/libc.so.6+0x2724a)
 *     3 [<00007f195de8e24a>] read+0xe [libc.so.6]    b'read+0xe [libc.so.6]'
 */
#ifndef LIBPARSE_BCC_BCC_FRAME_H
#define LIBPARSE_BCC_BCC_FRAME_H

#include "libparse/event.h"

/*
 * Removes the quotes from b'read' and b"read". Some versions of BCC print names so with Python 3,
 * because the names are bytes there.
 */
struct text bcc_unquoted(struct text name);

/*
 * Parses the function and its module as printed. bcc_block.c uses the result to find where a kernel
 * stack ends.
 */
void bcc_frame_parse(struct text line, struct event_frame *ret);

/*
 * Parses a marked frame; see input_format.read_frame. A kernel frame includes its newline. A word
 * that is not a frame includes the blank before it.
 */
void bcc_read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		    void *context);

#endif
