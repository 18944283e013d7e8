/* SPDX-License-Identifier: MIT */
/*
 * Which files a command line needs, for session/confinement.h:
 *
 *     kiln flame a.folded -o a.svg          reads a.folded, writes to the directory of a.svg
 *     kiln flame perf.data                  reads all, writes to $TMPDIR
 *     kiln flame --debuginfod perf.data     downloads files and stores them: no limit
 */
#ifndef CLI_FILE_RIGHTS_H
#define CLI_FILE_RIGHTS_H

#include "cli/settings.h"

/* The plan for a command. Free it with confinement_plan_deinit. */
void file_rights_of_command(const struct settings *settings, struct confinement_plan *plan);

/*
 * The plan for a drop-in, which reads only the files that its arguments name and, with --cp,
 * palette.map. argv ends with NULL.
 */
void file_rights_of_dropin(char **argv, struct confinement_plan *plan);

#endif
