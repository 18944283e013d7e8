/* SPDX-License-Identifier: MIT */
/*
 * Compiler attributes for all sources, and a ban on library functions that read or write without a
 * bound.
 */
#ifndef BASE_ATTRIBUTES_H
#define BASE_ATTRIBUTES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARN_UNUSED              __attribute__((warn_unused_result))
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#define NORETURN                 __attribute__((noreturn))
#define LIKELY(x)                __builtin_expect(!!(x), 1)
#define UNLIKELY(x)              __builtin_expect(!!(x), 0)
#define ARRAY_SIZE(a)            (sizeof(a) / sizeof((a)[0]))

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
/* 1 if memory comes from the address sanitizer, not from the C library. */
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#else
#define HAS_ADDRESS_SANITIZER 0
#endif

/*
 * With clang and _FORTIFY_SOURCE, sprintf and vsprintf are macros, and macros cannot be poisoned.
 */
#undef sprintf
#undef vsprintf

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi atol gets

#endif
