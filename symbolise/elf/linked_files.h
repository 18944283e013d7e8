/* SPDX-License-Identifier: MIT */
/*
 * Steps of a search that begin at a file already found: it says itself where the symbols went that
 * it was stripped of, and where dwz put what it had in common with others.
 */
#ifndef SYMBOLISE_ELF_LINKED_FILES_H
#define SYMBOLISE_ELF_LINKED_FILES_H

#include "symbolise/search.h"

/*
 * The separate debug file that the code's .gnu_debuglink names, taken when its build-id is that of the
 * code, or where one of them has none, when the CRC is right.
 */
void linked_files_find_symbols(struct search *search);

/* The file that .gnu_debugaltlink of the symbols' file names, taken when its build-id is right. */
void linked_files_find_supplement(struct search *search);

#endif
