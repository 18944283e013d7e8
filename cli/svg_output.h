/* SPDX-License-Identifier: MIT */
/*
 * Writes the SVG of kiln flame and kiln offcpu, and reads and writes the files that its options
 * name:
 *
 *     profile ───────────────────────────▶ svg_write ─▶ SVG
 *     --nameattr FILE ─ links, tooltips ─▶
 *     --cp[=FILE] ◀─ colours of names ───▶
 */
#ifndef CLI_SVG_OUTPUT_H
#define CLI_SVG_OUTPUT_H

#include "cli/settings.h"

/* Checks before reading: an SVG is not written to a terminal, and --summary requires -o FILE. */
bool svg_output_check(const struct settings *settings, struct error *err) WARN_UNUSED;

/* Writes the SVG to the sink, and the palette map of --cp to its file. */
bool svg_output_write(const struct settings *settings, const struct profile *profile,
		      struct sink *sink, struct error *err) WARN_UNUSED;

/* The palette map of --cp. */
const char *svg_output_map_path(const struct flame_settings *flame);

/* Prints --summary on standard output. */
bool svg_output_print_summary(const struct profile *profile, struct error *err) WARN_UNUSED;

/*
 * Writes the command line, quoted for a shell and ended by NUL. Without --with-host, an absolute
 * path is reduced to its last component, and a home directory to "~". --view is omitted, because
 * the page adds the --view of the current view.
 */
void svg_output_write_command(const struct settings *settings, struct sink *sink);

#endif
