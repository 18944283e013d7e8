/* SPDX-License-Identifier: MIT */
/*
 * Determines why a thread is blocked, from the kernel functions on its stack:
 *
 *     schedule  futex_wait_queue  futex_wait  do_futex  ...           lock (futex)
 *     schedule  io_schedule  folio_wait_bit  filemap_fault  ...       disk
 *     schedule  some_driver_wait  ...  __x64_sys_ioctl                ioctl()
 *
 * The innermost known function determines the reason. Other waits are named after their system
 * call.
 */
#ifndef OFFCPU_WAIT_REASON_H
#define OFFCPU_WAIT_REASON_H

#include "base/strings.h"

/*
 * Returns why a thread waits in this kernel function, as a constant text; NULL if the function does
 * not determine a reason.
 */
const char *wait_reason_of(struct text function);

/*
 * Returns the system call that the function implements: "ioctl" for __x64_sys_ioctl. Empty: none.
 */
struct text wait_reason_call(struct text function);

#endif
