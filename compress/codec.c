/* SPDX-License-Identifier: MIT */
#include "compress/codec_library.h"

#include <elf.h>

#include "base/memory.h"

/* Older versions of elf.h do not define this constant. */
#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

#define OUTPUT_BYTES_MIN ((size_t)64 << 10)
#define CHUNK_BYTES      ((size_t)64 << 10)

#ifdef HAVE_ZLIB
#define ZLIB &codec_zlib
#else
#define ZLIB NULL
#endif
#ifdef HAVE_LZMA
#define LZMA &codec_lzma
#else
#define LZMA NULL
#endif
#ifdef HAVE_ZSTD
#define ZSTD       &codec_zstd
#define ZSTD_EXACT zstd_exact
#else
#define ZSTD       NULL
#define ZSTD_EXACT NULL
#endif
#ifdef HAVE_LIBDEFLATE
#define ZLIB_EXACT libdeflate_exact
#else
#define ZLIB_EXACT NULL
#endif

static const struct {
	const char *name;
	const char *library_name;
	const struct codec_library *library; /* NULL if this build lacks the library */
	/* decompresses faster than the stream functions; NULL if not available */
	codec_exact *exact;
} codecs[] = {
	[CODEC_NONE] = { "nothing", NULL, NULL, NULL },
	[CODEC_GZIP] = { "gzip", "zlib", ZLIB, NULL },
	[CODEC_ZLIB] = { "zlib", "zlib", ZLIB, ZLIB_EXACT },
	[CODEC_DEFLATE] = { "deflate", "zlib", ZLIB, NULL },
	[CODEC_XZ] = { "xz", "liblzma", LZMA, NULL },
	[CODEC_ZSTD] = { "zstd", "libzstd", ZSTD, ZSTD_EXACT },
	[CODEC_BZIP2] = { "bzip2", NULL, NULL, NULL },
	[CODEC_UNKNOWN] = { "an unknown compression method", NULL, NULL, NULL },
};

const char *codec_name(enum codec codec)
{
	return codecs[codec].name;
}

bool codec_has(enum codec codec)
{
	return codec == CODEC_NONE || codecs[codec].library;
}

static bool begins_with(struct span head, const char *mark, size_t size_bytes)
{
	return span_left(&head) >= size_bytes && memcmp(head.at, mark, size_bytes) == 0;
}

enum codec codec_of_file(struct span head)
{
	if (begins_with(head, "\x1f\x8b\x08", 3))
		return CODEC_GZIP;
	if (begins_with(head, "\3757zXZ\0", 6))
		return CODEC_XZ;
	/*
	 * A zstd frame, or a skippable frame of one of the sixteen kinds. The output of pzstd
	 * begins with a skippable frame.
	 */
	if (begins_with(head, "\x28\xb5\x2f\xfd", 4) ||
	    (span_left(&head) >= 4 && (head.at[0] & 0xf0) == 0x50 &&
	     memcmp(head.at + 1, "\x2a\x4d\x18", 3) == 0))
		return CODEC_ZSTD;
	if (begins_with(head, "BZh", 3) && span_left(&head) >= 10 && head.at[3] >= '1' &&
	    head.at[3] <= '9' && memcmp(head.at + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0)
		return CODEC_BZIP2;
	return CODEC_NONE;
}

enum codec codec_of_object(struct span head)
{
	enum codec codec = codec_of_file(head);

	return codec == CODEC_BZIP2 ? CODEC_NONE : codec;
}

enum codec codec_of_section(uint32_t compression_type)
{
	switch (compression_type) {
	case ELFCOMPRESS_ZLIB:
		return CODEC_ZLIB;
	case ELFCOMPRESS_ZSTD:
		return CODEC_ZSTD;
	default:
		return CODEC_UNKNOWN;
	}
}

struct codec_stream *codec_stream_create(enum codec codec, struct error *err)
{
	struct codec_stream *stream;

	if (!codecs[codec].library) {
		error_set(err, ERROR_UNSUPPORTED,
			  codecs[codec].library_name
				  ? "is compressed with %s, but kiln was built without %s"
				  : "is compressed with %s, which kiln cannot decompress",
			  codecs[codec].name, codecs[codec].library_name);
		return NULL;
	}
	stream = codecs[codec].library->create(codec);
	stream->library = codecs[codec].library;
	stream->codec = codec;
	return stream;
}

void codec_stream_destroy(struct codec_stream *stream)
{
	if (stream)
		stream->library->destroy(stream);
}

void codec_stream_reset(struct codec_stream *stream)
{
	stream->library->reset(stream);
}

enum codec_status codec_stream_step(struct codec_stream *stream, struct span *in,
				    struct codec_output *out)
{
	return stream->library->step(stream, in, out);
}

const char *codec_stream_reason(const struct codec_stream *stream)
{
	return stream->reason ? stream->reason : "its content does not match its header";
}

/*
 * Whether a further member or frame begins here, as opposed to other bytes after a gzip file, such
 * as padding.
 */
static bool continues(const struct codec_stream *stream, const struct span *in)
{
	switch (stream->codec) {
	case CODEC_GZIP:
		return begins_with(*in, "\x1f\x8b", 2);
	case CODEC_ZSTD:
	case CODEC_DEFLATE:
		return span_left(in) > 0;
	default:
		return false;
	}
}

/*
 * Doubles the memory if all of it is in use. Returns false if the memory has already reached
 * limit_bytes.
 */
static bool grow(struct codec_output *out, size_t limit_bytes)
{
	size_t wanted = out->size_bytes < OUTPUT_BYTES_MIN ? OUTPUT_BYTES_MIN : out->size_bytes * 2;

	if (out->used_bytes < out->size_bytes)
		return true;
	if (out->size_bytes == limit_bytes)
		return false;
	out->size_bytes = wanted < limit_bytes ? wanted : limit_bytes;
	out->at = memory_realloc(out->at, out->size_bytes, 1);
	return true;
}

static bool decompress_all(struct codec_stream *stream, struct span *in, size_t limit_bytes,
			   struct codec_output *out, struct error *err)
{
	const char *name = codecs[stream->codec].name;

	for (;;) {
		const unsigned char *at = in->at;
		size_t used_bytes = out->used_bytes;

		if (!grow(out, limit_bytes))
			return error_set(err, ERROR_LIMIT,
					 "the %s data decompresses to more than the limit of %zu "
					 "bytes",
					 name, limit_bytes);
		switch (codec_stream_step(stream, in, out)) {
		case CODEC_CORRUPT:
			return error_set(err, ERROR_CORRUPT, "the %s data is corrupt: %s", name,
					 codec_stream_reason(stream));
		case CODEC_END:
			if (!continues(stream, in))
				return true;
			codec_stream_reset(stream);
			break;
		case CODEC_MORE:
			if (in->at == at && out->used_bytes == used_bytes)
				return error_set(err, ERROR_CORRUPT, "the %s data is truncated",
						 name);
			break;
		}
	}
}

bool codec_decompress(enum codec codec, struct span compressed, size_t limit_bytes,
		      unsigned char **memory_ret, size_t *size_ret, struct error *err)
{
	struct codec_stream *stream = codec_stream_create(codec, err);
	struct codec_output out = { .at = NULL };
	bool good = stream && decompress_all(stream, &compressed, limit_bytes, &out, err);

	codec_stream_destroy(stream);
	if (!good) {
		memory_free(out.at);
		return false;
	}
	*memory_ret = out.at;
	*size_ret = out.used_bytes;
	return true;
}

/*
 * Decompresses with the streaming interface. The input must be one stream that exactly fills the
 * buffer.
 */
static bool decompress_steps(enum codec codec, struct span compressed, struct codec_output *out)
{
	struct error ignored;
	struct codec_stream *stream = codec_stream_create(codec, &ignored);
	enum codec_status status = CODEC_MORE;
	const unsigned char *at;
	size_t used_bytes;

	if (!stream)
		return false;
	do {
		at = compressed.at;
		used_bytes = out->used_bytes;
		status = codec_stream_step(stream, &compressed, out);
	} while (status == CODEC_MORE && (compressed.at != at || out->used_bytes != used_bytes));
	codec_stream_destroy(stream);
	return status == CODEC_END && out->used_bytes == out->size_bytes;
}

bool codec_decompress_exact(enum codec codec, struct span compressed, unsigned char *to,
			    size_t size_bytes)
{
	struct codec_output out = { .at = to, .size_bytes = size_bytes };

	if (codec == CODEC_NONE && span_left(&compressed) == size_bytes) {
		if (size_bytes)
			memcpy(to, compressed.at, size_bytes);
		return true;
	}
	if (codecs[codec].exact)
		return codecs[codec].exact(compressed, to, size_bytes);
	return decompress_steps(codec, compressed, &out);
}

struct codec_reader {
	const struct input *input;
	struct codec_stream *stream;
	uint64_t offset;  /* input offset of the next chunk */
	struct span left; /* the unread bytes of the chunk */
	bool is_inside;   /* a member has begun and not ended */
	unsigned char chunk[CHUNK_BYTES];
};

struct codec_reader *codec_reader_create(const struct input *input, struct error *err)
{
	struct codec_stream *stream = codec_stream_create(CODEC_GZIP, err);
	struct codec_reader *reader = stream ? memory_zalloc(1, sizeof(*reader)) : NULL;

	if (!reader)
		return NULL;
	reader->input = input;
	reader->stream = stream;
	reader->left = span_of(reader->chunk, 0, 0, false);
	return reader;
}

void codec_reader_destroy(struct codec_reader *reader)
{
	if (!reader)
		return;
	codec_stream_destroy(reader->stream);
	memory_free(reader);
}

uint64_t codec_reader_consumed_bytes(const struct codec_reader *reader)
{
	return reader->offset - span_left(&reader->left);
}

/* Moves the unread bytes of the chunk to its front, and fills the rest. */
static bool refill(struct codec_reader *reader, struct error *err)
{
	size_t kept = span_left(&reader->left);
	size_t got;

	memmove(reader->chunk, reader->left.at, kept);
	reader->left = span_of(reader->chunk, kept, 0, false);
	if (!input_read(reader->input, reader->offset, reader->chunk + kept, CHUNK_BYTES - kept,
			&got, err))
		return false;
	reader->offset += got;
	reader->left = span_of(reader->chunk, kept + got, 0, false);
	return true;
}

/* Whether a further member begins here; both bytes of its mark must be in the chunk. */
static bool begin_member(struct codec_reader *reader, struct error *err)
{
	*err = (struct error){ 0 };
	if (span_left(&reader->left) < 2 && !refill(reader, err))
		return false;
	if (!continues(reader->stream, &reader->left))
		return false;
	codec_stream_reset(reader->stream);
	reader->is_inside = true;
	return true;
}

bool codec_reader_read(struct codec_reader *reader, void *buffer, size_t size_bytes, size_t *got,
		       struct error *err)
{
	struct codec_output out = { .at = buffer, .size_bytes = size_bytes };
	enum codec_status status;

	for (*got = 0; *got < size_bytes; *got = out.used_bytes) {
		if (!reader->is_inside && !begin_member(reader, err))
			return err->code == ERROR_NONE;
		if (!span_left(&reader->left)) {
			if (!refill(reader, err))
				return false;
			if (!span_left(&reader->left))
				return error_set_at(err, ERROR_CORRUPT, reader->offset,
						    "truncated");
		}
		status = codec_stream_step(reader->stream, &reader->left, &out);
		if (status == CODEC_CORRUPT) {
			*got = out.used_bytes;
			return error_set_at(err, ERROR_CORRUPT, codec_reader_consumed_bytes(reader),
					    "%s", codec_stream_reason(reader->stream));
		}
		reader->is_inside = status == CODEC_MORE;
	}
	return true;
}
