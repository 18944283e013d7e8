/* SPDX-License-Identifier: MIT */
/*
 * Checks whether the instruction before an address is a call. In the file that was recorded, a call
 * precedes each return address of a callchain. In a different file, calls rarely precede these
 * addresses.
 *
 *     401136  e8 e5 fe ff ff   call  work
 *     40113b  48 89 c3         mov   %rax,%rbx     <- a return address
 */
#ifndef OBJECT_RETURN_SITE_H
#define OBJECT_RETURN_SITE_H

#include "object/elf.h"

/* Whether the file contains code, and is for a supported architecture. */
bool return_site_is_known(const struct elf_file *elf);

/* Whether a call can return to this file offset. Requires return_site_is_known. */
bool return_site_is_at(const struct elf_file *elf, uint64_t offset);

#endif
