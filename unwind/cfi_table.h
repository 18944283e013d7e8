/* SPDX-License-Identifier: MIT */
/*
 * The table by which a running program finds its own call frame information: .eh_frame_hdr, which the
 * linker sorts. Taken over when it is whole, an index of it need not be made from the entries themselves.
 *
 *     version, encodings | .eh_frame | count | (beginning of a function, its entry) ...
 *
 * Source: Linux Standard Base Core, "Exception Frames", .eh_frame_hdr.
 */
#ifndef UNWIND_CFI_TABLE_H
#define UNWIND_CFI_TABLE_H

#include "unwind/cfi.h"

/*
 * Makes the index of cfi, which is empty, from the table. False, with an index that is of no use, unless
 * it is in the form all linkers write, and each row above the one before: of two functions that
 * begin at one address an index must choose.
 */
bool cfi_table_read(struct span table, struct cfi *cfi) WARN_UNUSED;

#endif
