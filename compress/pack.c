/* SPDX-License-Identifier: MIT */
#include "compress/pack.h"

#include "base/memory.h"
#include "compress/codec.h"
#include "compress/libarchive.h"

#ifdef HAVE_LIBARCHIVE

#define CHUNK_BYTES ((size_t)1 << 20)

struct pack {
	struct libarchive_writing lib;
	struct archive *archive;
	struct sink *sink;
	char *chunk;
};

/* Suffixes that mean a codec other than zstd. */
static const struct {
	const char *suffix;
	enum codec codec;
} forms[] = {
	{ ".tar", CODEC_NONE },   { ".tar.gz", CODEC_GZIP }, { ".tgz", CODEC_GZIP },
	{ ".tar.xz", CODEC_XZ },  { ".txz", CODEC_XZ },      { ".tar.bz2", CODEC_BZIP2 },
	{ ".tbz2", CODEC_BZIP2 },
};

static la_ssize_t write_chunk(struct archive *archive, void *context, const void *bytes,
			      size_t size_bytes)
{
	struct pack *pack = context;

	(void)archive;
	/* The owner of the sink checks the sink for errors. */
	sink_bytes(pack->sink, bytes, size_bytes);
	return (la_ssize_t)size_bytes;
}

static bool fail(const struct pack *pack, struct error *err)
{
	const char *reason = pack->lib.archive_error_string(pack->archive);

	return error_set(err, ERROR_IO, "cannot be written to the archive: %s",
			 reason ? reason : "unknown reason");
}

static int add_codec(const struct pack *pack, enum codec codec)
{
	switch (codec) {
	case CODEC_NONE:
		return pack->lib.archive_write_add_filter_none(pack->archive);
	case CODEC_GZIP:
		return pack->lib.archive_write_add_filter_gzip(pack->archive);
	case CODEC_XZ:
		return pack->lib.archive_write_add_filter_xz(pack->archive);
	case CODEC_BZIP2:
		return pack->lib.archive_write_add_filter_bzip2(pack->archive);
	default:
		return pack->lib.archive_write_add_filter_zstd(pack->archive);
	}
}

static bool add_filter(const struct pack *pack, const char *name, struct error *err)
{
	enum codec codec = CODEC_ZSTD;

	for (size_t i = 0; name && i < ARRAY_SIZE(forms); i++)
		if (text_has_suffix(text_of(name), forms[i].suffix))
			codec = forms[i].codec;
	/* A warning means that libarchive would run another program. */
	if (add_codec(pack, codec) != ARCHIVE_OK)
		return error_set(
			err, ERROR_UNSUPPORTED,
			"has a suffix for a compression that this build of libarchive cannot "
			"write; choose another suffix");
	/* The gzip header would contain the time. Other filters have no such option. */
	pack->lib.archive_write_set_filter_option(pack->archive, "gzip", "timestamp", NULL);
	pack->lib.archive_clear_error(pack->archive);
	return true;
}

struct pack *pack_create(const char *name, struct sink *sink, struct error *err)
{
	struct libarchive_writing lib;
	struct pack *pack;

	if (!LIBRARY_LOAD(LIBARCHIVE_SONAME, LIBARCHIVE_WRITING, &lib)) {
		error_set(err, ERROR_UNSUPPORTED, "cannot be written; install libarchive (%s)",
			  LIBARCHIVE_SONAME);
		return NULL;
	}
	pack = memory_zalloc(1, sizeof(*pack));
	pack->lib = lib;
	pack->sink = sink;
	pack->chunk = memory_alloc(CHUNK_BYTES, 1);
	pack->archive = lib.archive_write_new();
	if (!pack->archive)
		memory_exhausted(CHUNK_BYTES);
	if (!add_filter(pack, name, err)) {
		pack_destroy(pack);
		return NULL;
	}
	pack->lib.archive_write_set_bytes_in_last_block(pack->archive, 1);
	if (pack->lib.archive_write_set_format_pax_restricted(pack->archive) == ARCHIVE_OK &&
	    pack->lib.archive_write_open(pack->archive, pack, NULL, write_chunk, NULL) ==
		    ARCHIVE_OK)
		return pack;
	fail(pack, err);
	pack_destroy(pack);
	return NULL;
}

static bool write_header(struct pack *pack, const char *name, uint64_t size_bytes,
			 struct error *err)
{
	struct archive_entry *entry = pack->lib.archive_entry_new();
	int status;

	if (!entry)
		memory_exhausted(CHUNK_BYTES);
	pack->lib.archive_entry_set_pathname(entry, name);
	pack->lib.archive_entry_set_filetype(entry, AE_IFREG);
	pack->lib.archive_entry_set_perm(entry, 0644);
	pack->lib.archive_entry_set_size(entry, (la_int64_t)size_bytes);
	pack->lib.archive_entry_set_mtime(entry, 0, 0);
	status = pack->lib.archive_write_header(pack->archive, entry);
	pack->lib.archive_entry_free(entry);
	return status == ARCHIVE_OK || fail(pack, err);
}

static bool write_data(struct pack *pack, const void *bytes, size_t size_bytes, struct error *err)
{
	return pack->lib.archive_write_data(pack->archive, bytes, size_bytes) ==
		       (la_ssize_t)size_bytes ||
	       fail(pack, err);
}

bool pack_bytes(struct pack *pack, const char *name, const void *bytes, size_t size_bytes,
		struct error *err)
{
	return write_header(pack, name, size_bytes, err) &&
	       write_data(pack, bytes, size_bytes, err);
}

bool pack_input(struct pack *pack, const char *name, const struct input *input, uint64_t begin,
		uint64_t size_bytes, struct error *err)
{
	if (!write_header(pack, name, size_bytes, err))
		return false;
	while (size_bytes) {
		size_t wanted = size_bytes < CHUNK_BYTES ? (size_t)size_bytes : CHUNK_BYTES;
		size_t got;

		if (!input_read(input, begin, pack->chunk, wanted, &got, err))
			return false;
		if (got < wanted)
			return error_set(err, ERROR_IO, "became shorter while it was being read");
		if (!write_data(pack, pack->chunk, got, err))
			return false;
		begin += got;
		size_bytes -= got;
	}
	return true;
}

bool pack_finish(struct pack *pack, struct error *err)
{
	bool good = pack->lib.archive_write_close(pack->archive) == ARCHIVE_OK || fail(pack, err);

	pack_destroy(pack);
	return good;
}

void pack_destroy(struct pack *pack)
{
	pack->lib.archive_write_free(pack->archive);
	memory_free(pack->chunk);
	memory_free(pack);
}

#else

struct pack *pack_create(const char *name, struct sink *sink, struct error *err)
{
	(void)name;
	(void)sink;
	error_set(err, ERROR_UNSUPPORTED,
		  "cannot be written, because kiln was built without libarchive");
	return NULL;
}

bool pack_bytes(struct pack *pack, const char *name, const void *bytes, size_t size_bytes,
		struct error *err)
{
	(void)pack;
	(void)name;
	(void)bytes;
	(void)size_bytes;
	(void)err;
	return false;
}

bool pack_input(struct pack *pack, const char *name, const struct input *input, uint64_t begin,
		uint64_t size_bytes, struct error *err)
{
	(void)pack;
	(void)name;
	(void)input;
	(void)begin;
	(void)size_bytes;
	(void)err;
	return false;
}

bool pack_finish(struct pack *pack, struct error *err)
{
	(void)pack;
	(void)err;
	return false;
}

void pack_destroy(struct pack *pack)
{
	(void)pack;
}

#endif
