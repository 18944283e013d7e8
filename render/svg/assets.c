/* SPDX-License-Identifier: MIT */
#include "render/svg/assets.h"

/* Paths are relative to where the compiler runs, the top folder. */
#define EMBED(symbol, name)                                                        \
	__asm__(".section .rodata\n"                                               \
		".global " #symbol "_begin, " #symbol "_end\n" #symbol "_begin:\n" \
		".incbin \"" ASSETS name "\"\n" #symbol "_end:\n"                  \
		".byte 0\n"                                                        \
		".previous\n");                                                    \
	extern const char symbol##_begin[], symbol##_end[]

EMBED(assets_js, "viewer.js");
EMBED(assets_css, "viewer.css");

struct text assets_viewer_js(void)
{
	return (struct text){ assets_js_begin, (uint32_t)(assets_js_end - assets_js_begin) };
}

struct text assets_viewer_css(void)
{
	return (struct text){ assets_css_begin, (uint32_t)(assets_css_end - assets_css_begin) };
}
