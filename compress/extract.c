/* SPDX-License-Identifier: MIT */
#include "compress/extract.h"

#include <errno.h>

#include "base/memory.h"
#include "compress/libarchive.h"

/* Maximum number of files in an archive: enough for a whole sysroot beside a capture. */
#define LIMIT_ARCHIVE_MEMBERS (1u << 20)

#define TAR_CHECKSUM_AT    148
#define TAR_CHECKSUM_BYTES 8

/*
 * The checksum is the sum of all header bytes, in octal. The bytes of the checksum itself count as
 * blanks.
 */
static bool is_tar(struct span head)
{
	const unsigned char *field = head.at + TAR_CHECKSUM_AT;
	uint32_t claimed = 0;
	uint32_t sum = 0;
	unsigned i = 0;

	if (span_left(&head) < EXTRACT_HEAD_BYTES || !head.at[0])
		return false;
	while (i < TAR_CHECKSUM_BYTES && field[i] == ' ')
		i++;
	for (; i < TAR_CHECKSUM_BYTES && field[i] >= '0' && field[i] <= '7'; i++)
		claimed = claimed * 8 + (field[i] - '0');
	for (unsigned k = 0; k < EXTRACT_HEAD_BYTES; k++)
		sum += k - TAR_CHECKSUM_AT < TAR_CHECKSUM_BYTES ? ' ' : head.at[k];
	return sum == claimed;
}

const char *extract_format(struct span head)
{
	enum codec codec = codec_of_file(head);

	return codec != CODEC_NONE ? codec_name(codec) : is_tar(head) ? "tar" : NULL;
}

/* Finds the codec of the input, and stores the name of the format in ret. */
static bool find_codec(const struct input *input, struct extracted *ret, enum codec *codec_ret,
		       struct error *err)
{
	unsigned char bytes[EXTRACT_HEAD_BYTES];
	struct span head;
	size_t got;

	*ret = (struct extracted){ .is_archive = false };
	if (!input_read(input, 0, bytes, sizeof(bytes), &got, err))
		return false;
	head = span_of(bytes, got, 0, false);
	ret->format = extract_format(head);
	*codec_ret = codec_of_file(head);
	return true;
}

#ifdef HAVE_LIBARCHIVE

#define CHUNK_BYTES ((size_t)256 << 10)

struct extracting {
	struct libarchive_reading lib;
	const struct input *input;
	const struct extract_visitor *visitor;
	struct extracted *result;
	enum codec codec;
	struct codec_reader *gzip; /* if NULL, libarchive reads the bytes of the input */
	uint64_t offset;           /* offset up to which libarchive has read */
	struct archive *archive;
	unsigned char *chunk;       /* the bytes that libarchive reads next */
	const unsigned char *block; /* bytes from libarchive, and their position in the file */
	size_t block_bytes;
	uint64_t block_offset;
	uint64_t kept_bytes; /* total size of the files kept */
	struct error *err;
};

static void note_damage(struct extracting *extracting, const char *what)
{
	if (extracting->result->is_partial)
		return;
	extracting->result->is_partial = true;
	error_set(&extracting->result->damage, ERROR_CORRUPT,
		  "the %s data is corrupt or truncated, and was read only up to the error: %s",
		  extracting->result->format, what);
}

static la_ssize_t read_chunk(struct archive *archive, void *context, const void **bytes)
{
	struct extracting *extracting = context;
	struct error err;
	size_t got = 0;
	bool good;

	(void)archive;
	*bytes = extracting->chunk;
	if (extracting->gzip)
		good = codec_reader_read(extracting->gzip, extracting->chunk, CHUNK_BYTES, &got,
					 &err);
	else
		good = input_read(extracting->input, extracting->offset, extracting->chunk,
				  CHUNK_BYTES, &got, &err);
	extracting->offset += got;
	if (good)
		return (la_ssize_t)got;
	/*
	 * Store the error here, because libarchive would report a failed read of a compressed
	 * archive as a truncated archive.
	 */
	note_damage(extracting, err.text);
	/* Let libarchive see the end of the file where the corrupt data begins. */
	return err.code == ERROR_CORRUPT ? (la_ssize_t)got : ARCHIVE_FATAL;
}

/* Skips bytes if the archive is not compressed. */
static la_int64_t skip_chunk(struct archive *archive, void *context, la_int64_t request_bytes)
{
	struct extracting *extracting = context;
	uint64_t left = extracting->input->size_bytes - extracting->offset;

	(void)archive;
	if (extracting->gzip || extracting->offset > extracting->input->size_bytes)
		return 0;
	if ((uint64_t)request_bytes > left)
		request_bytes = (la_int64_t)left;
	extracting->offset += (uint64_t)request_bytes;
	return request_bytes;
}

static bool is_bomb(struct extracting *extracting)
{
	uint64_t in = extracting->gzip ? codec_reader_consumed_bytes(extracting->gzip)
				       : extracting->offset;
	uint64_t out = (uint64_t)extracting->lib.archive_filter_bytes(extracting->archive, 0);

	/* A hole in an archived file takes no input, but counts as output. */
	if (out < extracting->kept_bytes)
		out = extracting->kept_bytes;
	if (!codec_is_bomb(in, out))
		return false;
	error_set(extracting->err, ERROR_LIMIT,
		  "the %s data decompresses to over %llu bytes from only %llu compressed bytes, "
		  "and is refused as a decompression bomb",
		  extracting->result->format, (unsigned long long)out, (unsigned long long)in);
	return true;
}

static const char *reason_of(const struct extracting *extracting)
{
	const char *reason = extracting->lib.archive_error_string(extracting->archive);

	return reason ? reason : "unknown reason";
}

static bool fail(struct extracting *extracting)
{
	const struct extracted *result = extracting->result;

	return error_set(extracting->err, ERROR_CORRUPT, "the archive cannot be extracted: %s",
			 result->is_partial ? result->damage.text : reason_of(extracting));
}

static bool open_archive(struct extracting *extracting)
{
	struct archive *archive = extracting->archive;
	int status = ARCHIVE_OK;

	if (extracting->codec == CODEC_XZ)
		status = extracting->lib.archive_read_support_filter_xz(archive);
	else if (extracting->codec == CODEC_ZSTD)
		status = extracting->lib.archive_read_support_filter_zstd(archive);
	else if (extracting->codec == CODEC_BZIP2)
		status = extracting->lib.archive_read_support_filter_bzip2(archive);
	/* A warning means that libarchive would run another program. */
	if (status != ARCHIVE_OK)
		return error_set(
			extracting->err, ERROR_UNSUPPORTED,
			"is compressed with %s, which this build of libarchive cannot read",
			extracting->result->format);
	extracting->lib.archive_read_support_format_tar(archive);
	extracting->lib.archive_read_support_format_raw(archive);
	extracting->lib.archive_read_support_format_empty(archive);
	if (extracting->lib.archive_read_open2(archive, extracting, NULL, read_chunk, skip_chunk,
					       NULL) != ARCHIVE_OK)
		return fail(extracting);
	return true;
}

/*
 * Reads the next bytes of this file. Returns false at the end of the file, or if the file is
 * corrupt.
 */
static bool next_block(struct extracting *extracting)
{
	const void *bytes;
	la_int64_t offset;
	int status;

	do {
		status = extracting->lib.archive_read_data_block(extracting->archive, &bytes,
								 &extracting->block_bytes, &offset);
	} while (status == ARCHIVE_RETRY);
	if (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
		extracting->block = bytes;
		extracting->block_offset = (uint64_t)offset;
		return true;
	}
	extracting->block_bytes = 0;
	if (status != ARCHIVE_EOF)
		note_damage(extracting, reason_of(extracting));
	return false;
}

/* Skips to the end of this file. While skipping, decompressed bytes count against the limit. */
static bool skip_file(struct extracting *extracting)
{
	if (extracting->codec == CODEC_NONE)
		return true;
	do {
		if (is_bomb(extracting))
			return false;
	} while (next_block(extracting));
	return true;
}

/* Reads the first bytes of a file. The rest of the last block is read later. */
static size_t read_head(struct extracting *extracting, unsigned char head[EXTRACT_HEAD_BYTES])
{
	size_t got = 0;

	while (got < EXTRACT_HEAD_BYTES && next_block(extracting)) {
		size_t wanted = EXTRACT_HEAD_BYTES - got;

		/* Files that kiln reads never begin with a hole. */
		if (extracting->block_offset != got)
			break;
		if (wanted > extracting->block_bytes)
			wanted = extracting->block_bytes;
		memcpy(head + got, extracting->block, wanted);
		got += wanted;
		extracting->block += wanted;
		extracting->block_bytes -= wanted;
		extracting->block_offset += wanted;
	}
	return got;
}

static bool append(struct extracting *extracting, struct input *spool, const void *bytes,
		   size_t size_bytes)
{
	extracting->kept_bytes += size_bytes;
	return input_append_spool(spool, bytes, size_bytes, extracting->err) &&
	       !is_bomb(extracting);
}

/* Writes the zeros that an archive omits. */
static bool fill_hole(struct extracting *extracting, struct input *spool, uint64_t end)
{
	static const unsigned char zeros[65536];

	while (spool->size_bytes < end) {
		uint64_t left = end - spool->size_bytes;

		if (!append(extracting, spool, zeros, left < sizeof(zeros) ? left : sizeof(zeros)))
			return false;
	}
	return true;
}

/* Appends the head, the rest of its block, and all blocks that follow. */
static bool keep_file(struct extracting *extracting, struct input *spool, struct span head)
{
	uint64_t begin = spool->size_bytes;

	if (!append(extracting, spool, head.at, span_left(&head)))
		return false;
	do {
		uint64_t at;

		if (extracting->block_bytes &&
		    (__builtin_add_overflow(begin, extracting->block_offset, &at) ||
		     !fill_hole(extracting, spool, at) ||
		     !append(extracting, spool, extracting->block, extracting->block_bytes)))
			return false;
	} while (next_block(extracting));
	return true;
}

/*
 * Returns the name in the locale's encoding if possible, because tar rarely records the encoding of
 * a name.
 */
static struct text either(const char *name, const char *name_in_utf8)
{
	return text_of(name ? name : name_in_utf8 ? name_in_utf8 : "?");
}

static void visit_link(struct extracting *extracting, struct archive_entry *entry, struct text name)
{
	const char *hard = extracting->lib.archive_entry_hardlink(entry);
	const char *hard_utf8 = extracting->lib.archive_entry_hardlink_utf8(entry);
	bool is_hard = hard || hard_utf8;
	struct text target = is_hard ? either(hard, hard_utf8)
				     : either(extracting->lib.archive_entry_symlink(entry),
					      extracting->lib.archive_entry_symlink_utf8(entry));

	if (extracting->visitor->on_link)
		extracting->visitor->on_link(extracting->visitor->context, name, target, is_hard);
}

static bool visit_entry(struct extracting *extracting, struct archive_entry *entry)
{
	struct text name = either(extracting->lib.archive_entry_pathname(entry),
				  extracting->lib.archive_entry_pathname_utf8(entry));
	unsigned char bytes[EXTRACT_HEAD_BYTES];
	struct input *spool = NULL;
	struct span head;
	bool is_link = extracting->lib.archive_entry_hardlink(entry) ||
		       extracting->lib.archive_entry_hardlink_utf8(entry) ||
		       extracting->lib.archive_entry_filetype(entry) == AE_IFLNK;

	if (is_link)
		visit_link(extracting, entry, name);
	if (is_link || extracting->lib.archive_entry_filetype(entry) != AE_IFREG)
		return skip_file(extracting);
	head = span_of(bytes, read_head(extracting, bytes), 0, false);
	if (!extracting->visitor->on_file(extracting->visitor->context, name, head, &spool,
					  extracting->err))
		return false;
	return spool ? keep_file(extracting, spool, head) : skip_file(extracting);
}

static bool visit_entries(struct extracting *extracting, struct archive_entry *entry)
{
	uint64_t count = 0;
	int status = ARCHIVE_OK;

	extracting->result->is_archive = true;
	while (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
		if (++count > LIMIT_ARCHIVE_MEMBERS)
			return error_set(extracting->err, ERROR_LIMIT,
					 "is an archive with more files than the limit of %u",
					 LIMIT_ARCHIVE_MEMBERS);
		if (!visit_entry(extracting, entry))
			return false;
		do {
			status = extracting->lib.archive_read_next_header(extracting->archive,
									  &entry);
		} while (status == ARCHIVE_RETRY);
		if (is_bomb(extracting))
			return false;
	}
	if (status != ARCHIVE_EOF)
		note_damage(extracting, reason_of(extracting));
	return true;
}

static bool visit_file(struct extracting *extracting)
{
	unsigned char bytes[EXTRACT_HEAD_BYTES];
	struct text none = { .at = NULL };
	size_t got = read_head(extracting, bytes);
	struct span head = span_of(bytes, got, 0, false);
	const char *inner = extract_format(head);
	struct input *spool = NULL;

	if (inner)
		return error_set(extracting->err, ERROR_FORMAT,
				 "is compressed twice, with %s and then with %s; decompress it "
				 "once",
				 extracting->result->format, inner);
	if (!got && extracting->result->is_partial)
		return fail(extracting);
	if (!extracting->visitor->on_file(extracting->visitor->context, none, head, &spool,
					  extracting->err))
		return false;
	return !spool || keep_file(extracting, spool, head);
}

static bool run(struct extracting *extracting)
{
	struct archive_entry *entry;
	int status;

	if (!open_archive(extracting))
		return false;
	/*
	 * If data was compressed several times, libarchive decompresses it repeatedly, as far as it
	 * supports the codecs.
	 */
	status = extracting->lib.archive_read_next_header(extracting->archive, &entry);
	if (extracting->lib.archive_filter_count(extracting->archive) > 2)
		return error_set(extracting->err, ERROR_FORMAT,
				 "is compressed several times with %s; decompress it first",
				 extracting->result->format);
	if (status == ARCHIVE_EOF && !extracting->result->is_partial)
		/* libarchive regards zeros as the end of a tar archive. */
		return error_set(extracting->err, ERROR_FORMAT,
				 extracting->lib.archive_filter_bytes(extracting->archive, 0) > 0
					 ? "decompresses to zeros or an empty archive, not to a "
					   "capture"
					 : "is empty when decompressed");
	if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
		return fail(extracting);
	if (extracting->lib.archive_format(extracting->archive) == ARCHIVE_FORMAT_RAW)
		return visit_file(extracting);
	return visit_entries(extracting, entry);
}

bool extract(const struct input *input, const struct extract_visitor *visitor,
	     struct extracted *ret, struct error *err)
{
	struct extracting extracting = {
		.input = input, .visitor = visitor, .result = ret, .err = err
	};
	bool good;

	if (!find_codec(input, ret, &extracting.codec, err))
		return false;
	if (!LIBRARY_LOAD(LIBARCHIVE_SONAME, LIBARCHIVE_READING, &extracting.lib))
		return error_set(err, ERROR_UNSUPPORTED,
				 "is compressed or packed with %s; install libarchive (%s)",
				 ret->format, LIBARCHIVE_SONAME);
	if (extracting.codec == CODEC_GZIP) {
		extracting.gzip = codec_reader_create(input, err);
		if (!extracting.gzip)
			return false;
	}
	extracting.archive = extracting.lib.archive_read_new();
	if (!extracting.archive)
		memory_exhausted(CHUNK_BYTES);
	extracting.chunk = memory_alloc(CHUNK_BYTES, 1);
	good = run(&extracting);
	extracting.lib.archive_read_free(extracting.archive);
	codec_reader_destroy(extracting.gzip);
	memory_free(extracting.chunk);
	return good;
}

#else

bool extract(const struct input *input, const struct extract_visitor *visitor,
	     struct extracted *ret, struct error *err)
{
	enum codec codec;

	(void)visitor;
	return find_codec(input, ret, &codec, err) &&
	       error_set(err, ERROR_UNSUPPORTED,
			 "is compressed or packed with %s, but kiln was built without libarchive",
			 ret->format);
}

#endif
