/* SPDX-License-Identifier: MIT */
/*
 * Names in Rust's legacy mangling that a demangler of C++ has been over: the path is one already, what C++ has
 * no characters for is not, and a hash ends it.
 *
 *     _$LT$core..fmt..Error$u20$as$u20$X$GT$::fmt::h0123456789abcdef ─▶ <core::fmt::Error as X>::fmt
 */
#ifndef COMPAT_RUST_LEGACY_H
#define COMPAT_RUST_LEGACY_H

#include "base/sink.h"

/* Writes what such a name stands for; false: it is none, and nothing is written. */
bool rust_legacy_write(struct text name, struct sink *sink);

#endif
