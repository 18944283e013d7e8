/* SPDX-License-Identifier: MIT */
/*
 * Decompression, with one interface for all libraries. Output never exceeds the caller's limit.
 *
 *     codec     mark                used for                                      library
 *     gzip      1f 8b 08            captures, ext4.ko.gz                          zlib
 *     zlib      none                SHF_COMPRESSED, .zdebug_info                  zlib, libdeflate
 *     deflate   none                the profile embedded in a flame graph         zlib
 *     xz        fd 37 7a 58 5a 00   captures, .gnu_debugdata, ext4.ko.xz          liblzma
 *     zstd      28 b5 2f fd         captures, SHF_COMPRESSED, perf record -z      libzstd
 *     bzip2     "BZh", a digit      captures; read by compress/extract.c          libarchive
 *
 * Each library is used by one file, which fills a struct codec_library (compress/codec_library.h).
 */
#ifndef COMPRESS_CODEC_H
#define COMPRESS_CODEC_H

#include "base/error.h"
#include "base/input.h"
#include "base/sink.h"
#include "base/span.h"

/*
 * Maximum number of decompressed bytes for each compressed byte. gzip reaches at most 1032;
 * captures full of identical stack dumps reach several hundred.
 */
#define LIMIT_UNWRAP_RATIO 1024u
/* An output of at most this size is allowed at any ratio, because it does no harm. */
#define LIMIT_UNWRAP_FREE_BYTES (256u << 20)

enum codec {
	CODEC_NONE, /* not compressed */
	CODEC_GZIP,
	CODEC_ZLIB,
	CODEC_DEFLATE,
	CODEC_XZ,
	CODEC_ZSTD,
	CODEC_BZIP2,
	CODEC_UNKNOWN, /* compressed in a way that kiln cannot read */
};

/* The length of the longest mark that codec_of_object recognises. */
#define CODEC_MARK_BYTES 6

/*
 * The codec of a file, by the mark at its beginning. codec_of_object only finds codecs that
 * codec_decompress supports.
 */
enum codec codec_of_file(struct span head);
enum codec codec_of_object(struct span head);

/* The codec for a ch_type in Elf32_Chdr or Elf64_Chdr (ELF gABI, "Section Compression"). */
enum codec codec_of_section(uint32_t compression_type);

const char *codec_name(enum codec codec);

/*
 * Decompresses a whole buffer to at most limit_bytes. The caller frees the memory with memory_free.
 * Reads consecutive gzip members, deflate streams or zstd frames. ERROR_LIMIT: the output would be
 * larger. ERROR_UNSUPPORTED: no library for the codec.
 */
bool codec_decompress(enum codec codec, struct span compressed, size_t limit_bytes,
		      unsigned char **memory_ret, size_t *size_ret, struct error *err) WARN_UNUSED;

/*
 * Decompresses exactly size_bytes to `to`. Returns false if the output has a different size, or if
 * there is no library. CODEC_NONE copies the bytes.
 */
bool codec_decompress_exact(enum codec codec, struct span compressed, unsigned char *to,
			    size_t size_bytes) WARN_UNUSED;

/* One decompression whose input is provided piece by piece. */
struct codec_stream;

struct codec_output {
	unsigned char *at;
	size_t used_bytes, size_bytes;
};

enum codec_status {
	CODEC_MORE, /* the stream needs more input, or more room for output */
	CODEC_END,  /* the stream, member or frame has ended */
	CODEC_CORRUPT,
};

/* NULL with ERROR_UNSUPPORTED: this build has no library for the codec. */
struct codec_stream *codec_stream_create(enum codec codec, struct error *err) WARN_UNUSED;
void codec_stream_destroy(struct codec_stream *stream);

/* Drops the rest of the stream, and begins a new stream. */
void codec_stream_reset(struct codec_stream *stream);

/*
 * Decompresses bytes of *in, and appends them to *out. After CODEC_CORRUPT, codec_stream_reason
 * returns the reason.
 */
enum codec_status codec_stream_step(struct codec_stream *stream, struct span *in,
				    struct codec_output *out) WARN_UNUSED;
const char *codec_stream_reason(const struct codec_stream *stream);

/*
 * Decompresses a gzip file from beginning to end. If the file is truncated, all available bytes are
 * decompressed. Bytes after the last member are ignored, as in gzip(1). The input is borrowed.
 */
struct codec_reader;

struct codec_reader *codec_reader_create(const struct input *input, struct error *err) WARN_UNUSED;
void codec_reader_destroy(struct codec_reader *reader);

/*
 * Reads the next bytes; *got is 0 at the end. On failure, the *got bytes are valid. ERROR_CORRUPT:
 * the file is corrupt.
 */
bool codec_reader_read(struct codec_reader *reader, void *buffer, size_t size_bytes, size_t *got,
		       struct error *err) WARN_UNUSED;

/* The number of input bytes that have been consumed so far. */
uint64_t codec_reader_consumed_bytes(const struct codec_reader *reader);

/*
 * Appends the bytes, compressed with CODEC_DEFLATE. The same libraries always write the same output
 * for the same bytes. Returns false if this build has no zlib. Compression stops soon after the
 * output exceeds limit_bytes, so such output can be incomplete. Input of at most 16 * limit_bytes
 * may be compressed to the end even if the output exceeds the limit.
 */
bool codec_write_deflate(struct sink *sink, struct text bytes, size_t limit_bytes) WARN_UNUSED;

/* Bytes from this size on are compressed by a faster method, whose output is up to 10% larger. */
#define CODEC_LARGE_BYTES (1u << 20)

/*
 * Text from this size on can be compressed in blocks. libdeflate's blocks are about as small as one
 * stream of zlib, and take a quarter of the time.
 */
#ifdef HAVE_LIBDEFLATE
#define CODEC_BLOCKS_BYTES (1u << 17)
#else
#define CODEC_BLOCKS_BYTES CODEC_LARGE_BYTES
#endif

/*
 * Appends a block of a large text, compressed as one complete stream of CODEC_DEFLATE, by the
 * method for large texts. False if this build has no zlib.
 */
bool codec_write_deflate_block(struct sink *sink, struct text bytes) WARN_UNUSED;

/*
 * Appends the bytes as a gzip file. codec_write_gzip is otherwise like codec_write_deflate, but has
 * no limit.
 */
bool codec_write_gzip(struct sink *sink, struct text bytes) WARN_UNUSED;

/*
 * Appends the bytes as one zstd frame. The same version of the library always writes the same
 * output for the same bytes. Returns false if this build has no zstd.
 */
bool codec_write_zstd(struct sink *sink, struct text bytes) WARN_UNUSED;

/* Whether this build can read the codec. */
bool codec_has(enum codec codec);

/* Whether this ratio of output to input bytes indicates a decompression bomb. */
static inline bool codec_is_bomb(uint64_t in_bytes, uint64_t out_bytes)
{
	return out_bytes > LIMIT_UNWRAP_FREE_BYTES &&
	       (out_bytes / LIMIT_UNWRAP_RATIO > in_bytes || out_bytes > LIMIT_SPOOL_BYTES);
}

#endif
