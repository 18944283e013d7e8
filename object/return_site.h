/* SPDX-License-Identifier: MIT */
/*
 * Whether the instruction before an address is a call. Return addresses of a callchain have one there, in the
 * file that ran; at the same offsets of another file there is rarely one.
 *
 *     401136  e8 e5 fe ff ff   call  work
 *     40113b  48 89 c3         mov   %rax,%rbx     <- a return address
 */
#ifndef OBJECT_RETURN_SITE_H
#define OBJECT_RETURN_SITE_H

#include "object/elf.h"

/* Whether the file has its code, and the call instructions of its architecture are known. */
bool return_site_is_known(const struct elf_file *elf);

/* Whether a call may return to this offset of the file, which return_site_is_known. */
bool return_site_is_at(const struct elf_file *elf, uint64_t offset);

#endif
