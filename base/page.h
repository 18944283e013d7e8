/* SPDX-License-Identifier: MIT */
/*
 * The smallest page Linux maps files in. Larger ones are multiples of it, so what is rounded to it
 * is never rounded too far.
 */
#ifndef BASE_PAGE_H
#define BASE_PAGE_H

#define PAGE_BYTES 4096u

#endif
