/* SPDX-License-Identifier: MIT */
/* The sources there are; symbolise.c has them in its table. */
#ifndef SYMBOLISE_SOURCES_H
#define SYMBOLISE_SOURCES_H

#include "symbolise/source.h"

extern const struct symbol_source kernel_source;
extern const struct symbol_source file_source;
extern const struct symbol_source perf_map_source;
extern const struct symbol_source ksymbol_source;
extern const struct symbol_source jitdump_source;

#endif
