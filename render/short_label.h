/* SPDX-License-Identifier: MIT */
/*
 * Shortens a name to the width of its frame. Parts of the name are left out in this order:
 * arguments, template arguments, leading scopes and directories, and finally the end:
 *
 *     v8::internal::Runtime_KeyedStore(int, unsigned long*)     all of it
 *     v8::internal::Runtime_KeyedStore(…)
 *     …internal::Runtime_KeyedStore(…)
 *     …Runtime_KeyedStore(…)
 *     …Runtime_Keye…
 *
 * render/svg/viewer/labels.js does the same.
 */
#ifndef RENDER_SHORT_LABEL_H
#define RENDER_SHORT_LABEL_H

#include "base/sink.h"

/* Writes the name, not escaped, in at most this many cells. */
void short_label_write(struct text name, size_t cells, struct sink *sink);

/* Writes a text, not escaped. If the text does not fit, its end is cut off. */
void short_label_cut(struct text text, size_t cells, struct sink *sink);

/*
 * The number of terminal cells that a text takes. Wide characters, such as Chinese characters, take
 * two cells.
 */
size_t short_label_cells(struct text text);

#endif
