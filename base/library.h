/* SPDX-License-Identifier: MIT */
/*
 * Loads shared libraries at first use, so that commands that need no such library start faster. A
 * module lists the functions that it calls, and loads them into a struct:
 *
 *     #define CAPSTONE_FUNCTIONS(_) _(cs_open) _(cs_close)
 *     struct capstone { CAPSTONE_FUNCTIONS(LIBRARY_MEMBER) };
 *     ...
 *     struct capstone lib;
 *     if (LIBRARY_LOAD("libcapstone.so.4", CAPSTONE_FUNCTIONS, &lib))
 *             lib.cs_open(...);
 *
 * A build without HAVE_DLOPEN links the library. The calling code is the same in both builds.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stdbool.h>

#define LIBRARY_MEMBER(function)  typeof(function) *function;
#define LIBRARY_NAME(function)    #function,
#define LIBRARY_ADDRESS(function) .function = function,

/*
 * Loads the functions into *ret, a struct of LIBRARY_MEMBERs. Returns false if a function is
 * missing.
 */
#ifdef HAVE_DLOPEN
#define LIBRARY_LOAD(soname, functions, ret) \
	library_load(soname, (const char *const[]){ functions(LIBRARY_NAME) NULL }, ret)
#else
#define LIBRARY_LOAD(soname, functions, ret) \
	((void)(soname), *(ret) = (typeof(*(ret))){ functions(LIBRARY_ADDRESS) }, true)
#endif

/*
 * Loads a library, and stores the addresses of the functions one after the other at ret. The list
 * of names ends with NULL. Returns false if the library or a function is missing. The library stays
 * loaded, so later calls take little time.
 */
bool library_load(const char *soname, const char *const *names, void *ret);

#endif
