/* SPDX-License-Identifier: MIT */
/*
 * The functions of libarchive that kiln calls. The library is loaded at first use, because loading
 * it and its dependencies, such as libxml2 and ICU, would take half of kiln's start-up time.
 */
#ifndef COMPRESS_LIBARCHIVE_H
#define COMPRESS_LIBARCHIVE_H

#ifdef HAVE_LIBARCHIVE

#include <archive.h>
#include <archive_entry.h>

#include "base/library.h"

#define LIBARCHIVE_READING(_)                \
	_(archive_error_string)              \
	_(archive_filter_bytes)              \
	_(archive_filter_count)              \
	_(archive_format)                    \
	_(archive_read_data_block)           \
	_(archive_read_free)                 \
	_(archive_read_new)                  \
	_(archive_read_next_header)          \
	_(archive_read_open2)                \
	_(archive_read_support_filter_bzip2) \
	_(archive_read_support_filter_xz)    \
	_(archive_read_support_filter_zstd)  \
	_(archive_read_support_format_empty) \
	_(archive_read_support_format_raw)   \
	_(archive_read_support_format_tar)   \
	_(archive_entry_filetype)            \
	_(archive_entry_hardlink)            \
	_(archive_entry_hardlink_utf8)       \
	_(archive_entry_pathname)            \
	_(archive_entry_pathname_utf8)       \
	_(archive_entry_symlink)             \
	_(archive_entry_symlink_utf8)

#define LIBARCHIVE_WRITING(_)                      \
	_(archive_clear_error)                     \
	_(archive_error_string)                    \
	_(archive_write_add_filter_bzip2)          \
	_(archive_write_add_filter_gzip)           \
	_(archive_write_add_filter_none)           \
	_(archive_write_add_filter_xz)             \
	_(archive_write_add_filter_zstd)           \
	_(archive_write_close)                     \
	_(archive_write_data)                      \
	_(archive_write_free)                      \
	_(archive_write_header)                    \
	_(archive_write_new)                       \
	_(archive_write_open)                      \
	_(archive_write_set_bytes_in_last_block)   \
	_(archive_write_set_filter_option)         \
	_(archive_write_set_format_pax_restricted) \
	_(archive_entry_free)                      \
	_(archive_entry_new)                       \
	_(archive_entry_set_filetype)              \
	_(archive_entry_set_mtime)                 \
	_(archive_entry_set_pathname)              \
	_(archive_entry_set_perm)                  \
	_(archive_entry_set_size)

struct libarchive_reading {
	LIBARCHIVE_READING(LIBRARY_MEMBER)
};

struct libarchive_writing {
	LIBARCHIVE_WRITING(LIBRARY_MEMBER)
};

#endif

#endif
