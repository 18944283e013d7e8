/* SPDX-License-Identifier: MIT */
/*
 * Compiler attributes the whole tree uses, and the library calls nobody may use: each of
 * them writes or reads without a bound.
 */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARN_UNUSED              __attribute__((warn_unused_result))
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#define NORETURN                 __attribute__((noreturn))
#define LIKELY(x)                __builtin_expect(!!(x), 1)
#define UNLIKELY(x)              __builtin_expect(!!(x), 0)
#define ARRAY_SIZE(a)            (sizeof(a) / sizeof((a)[0]))

/* Macros with clang and _FORTIFY_SOURCE; a macro cannot be poisoned. */
#undef sprintf
#undef vsprintf

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi atol gets

#endif
