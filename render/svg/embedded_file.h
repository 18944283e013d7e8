/* SPDX-License-Identifier: MIT */
/*
 * A file that the build puts into the binary, as bytes from NAME_begin to NAME_end, followed by a
 * NUL. Paths are relative to the top directory, where the compiler runs; ASSETS is the directory of
 * the file.
 */
#ifndef RENDER_SVG_EMBEDDED_FILE_H
#define RENDER_SVG_EMBEDDED_FILE_H

#define EMBEDDED_FILE(symbol, name)                                                \
	__asm__(".section .rodata\n"                                               \
		".global " #symbol "_begin, " #symbol "_end\n" #symbol "_begin:\n" \
		".incbin \"" ASSETS name "\"\n" #symbol "_end:\n"                  \
		".byte 0\n"                                                        \
		".previous\n");                                                    \
	extern const char symbol##_begin[], symbol##_end[]

#endif
