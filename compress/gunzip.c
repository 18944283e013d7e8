/* SPDX-License-Identifier: MIT */
#include "compress/gunzip.h"

#ifdef HAVE_LIBARCHIVE
#include <zlib.h>

#include "base/memory.h"

#define CHUNK_BYTES 65536u
/* zlib's largest window, and its code for "with a gzip header and nothing else". */
#define WINDOW_BITS_GZIP (15 + 16)

struct gunzip {
	const struct input *input;
	uint64_t offset; /* of the next chunk */
	z_stream stream;
	bool is_inside; /* a member has begun and not ended */
	unsigned char chunk[CHUNK_BYTES];
};

struct gunzip *gunzip_create(const struct input *input)
{
	struct gunzip *gunzip = memory_zalloc(1, sizeof(*gunzip));

	gunzip->input = input;
	gunzip->stream.next_in = gunzip->chunk;
	/* The only other ways for it to fail are a wrong argument and another version. */
	if (inflateInit2(&gunzip->stream, WINDOW_BITS_GZIP) != Z_OK)
		memory_exhausted(CHUNK_BYTES);
	return gunzip;
}

void gunzip_destroy(struct gunzip *gunzip)
{
	if (!gunzip)
		return;
	inflateEnd(&gunzip->stream);
	memory_free(gunzip);
}

uint64_t gunzip_taken_bytes(const struct gunzip *gunzip)
{
	return gunzip->offset - gunzip->stream.avail_in;
}

/* Moves what is left of the chunk to its front and fills it up. */
static bool refill(struct gunzip *gunzip, struct error *err)
{
	z_stream *stream = &gunzip->stream;
	size_t got;

	memmove(gunzip->chunk, stream->next_in, stream->avail_in);
	stream->next_in = gunzip->chunk;
	if (!input_read(gunzip->input, gunzip->offset, gunzip->chunk + stream->avail_in,
			CHUNK_BYTES - stream->avail_in, &got, err))
		return false;
	gunzip->offset += got;
	stream->avail_in += (unsigned)got;
	return true;
}

/* Whether another member begins here; both bytes of its mark must be in the chunk. */
static bool begin_member(struct gunzip *gunzip, struct error *err)
{
	z_stream *stream = &gunzip->stream;

	*err = (struct error){ 0 };
	if (stream->avail_in < 2 && !refill(gunzip, err))
		return false;
	if (stream->avail_in < 2 || stream->next_in[0] != 0x1f || stream->next_in[1] != 0x8b)
		return false;
	gunzip->is_inside = true;
	return inflateReset(stream) == Z_OK;
}

static bool fail(const struct gunzip *gunzip, int status, struct error *err)
{
	const z_stream *stream = &gunzip->stream;

	if (status == Z_MEM_ERROR)
		memory_exhausted(CHUNK_BYTES);
	return error_set_at(err, ERROR_DAMAGED, gunzip_taken_bytes(gunzip), "%s",
			    stream->msg ? stream->msg : "not compressed as it says");
}

bool gunzip_read(struct gunzip *gunzip, void *buffer, size_t size_bytes, size_t *got,
		 struct error *err)
{
	z_stream *stream = &gunzip->stream;

	*got = 0;
	while (*got < size_bytes) {
		int status;

		if (!gunzip->is_inside && !begin_member(gunzip, err))
			return err->code == ERROR_NONE;
		if (!stream->avail_in) {
			if (!refill(gunzip, err))
				return false;
			if (!stream->avail_in)
				return error_set_at(err, ERROR_DAMAGED, gunzip->offset, "cut");
		}
		stream->next_out = (unsigned char *)buffer + *got;
		stream->avail_out = (unsigned)(size_bytes - *got);
		status = inflate(stream, Z_NO_FLUSH);
		*got = size_bytes - stream->avail_out;
		if (status == Z_STREAM_END)
			gunzip->is_inside = false;
		else if (status != Z_OK && status != Z_BUF_ERROR)
			return fail(gunzip, status, err);
	}
	return true;
}

#endif
