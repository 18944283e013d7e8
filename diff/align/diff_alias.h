/* SPDX-License-Identifier: MIT */
/*
 * Spellings of one function by different symbol tables, demanglers and tools, written as one key:
 *
 *     __memcpy_avx512_unaligned_erms, __memmove_evex_unaligned_erms     memmove
 *     __libc_malloc, __GI___libc_malloc                                 malloc
 *     (anonymous namespace)::f, _GLOBAL__N_1::f                         {anonymous}::f
 *     mix<long int>, mix<long>                                          mix<long>
 *     std::vector<int, std::allocator<int> >, std::vector<int>          std::vector<int>
 *     run(int)::{lambda(int)#}, run(int)::<lambda(int)>                 run(int)::{lambda}
 *     f[abi:cxx11], std::__1::f, std::__cxx11::f                        f, std::f
 *
 * A key is only for finding what belongs together: a name that both sides have stays as it is.
 */
#ifndef DIFF_ALIGN_DIFF_ALIAS_H
#define DIFF_ALIGN_DIFF_ALIAS_H

#include "base/sink.h"
#include "base/strings.h"

/* Appends the key of a name, which is aligned (diff/align/diff_name.h) and not empty. */
void diff_alias_write(struct sink *sink, struct text name);

/* Appends the name without template arguments, and without parameters; whether it had any. */
bool diff_alias_write_bare(struct sink *sink, struct text name);

#endif
