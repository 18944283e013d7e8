/* SPDX-License-Identifier: MIT */
#include "compress/extract.h"

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#include "compress/expansion.h"
#include "compress/gunzip.h"
#include "base/limits.h"
#include "base/memory.h"

#define CHUNK_BYTES ((size_t)256 << 10)

struct extracting {
	const struct input *input;
	const struct extract_taker *taker;
	struct extracted *result;
	struct gunzip *gunzip; /* NULL: the bytes of the input are libarchive's */
	uint64_t offset;       /* what libarchive was given of them */
	struct archive *archive;
	unsigned char *given;       /* to libarchive */
	const unsigned char *block; /* what it gave, and where that is in the file */
	size_t block_bytes;
	uint64_t block_offset;
	uint64_t kept_bytes; /* of all files */
	struct error *err;
};

static const char *kind(const struct extracting *extracting)
{
	return wrapping_name(extracting->result->wrapping);
}

static void note_damage(struct extracting *extracting, const char *what)
{
	if (extracting->result->is_partial)
		return;
	extracting->result->is_partial = true;
	error_set(&extracting->result->damage, ERROR_DAMAGED,
		  "the %s data are damaged or cut, and unwrapped as far as they go: %s",
		  kind(extracting), what);
}

static la_ssize_t give(struct archive *archive, void *context, const void **bytes)
{
	struct extracting *extracting = context;
	struct error err;
	size_t got = 0;
	bool good;

	*bytes = extracting->given;
	if (extracting->gunzip)
		good = gunzip_read(extracting->gunzip, extracting->given, CHUNK_BYTES, &got, &err);
	else
		good = input_read(extracting->input, extracting->offset, extracting->given,
				  CHUNK_BYTES, &got, &err);
	extracting->offset += got;
	if (good)
		return (la_ssize_t)got;
	if (err.code == ERROR_DAMAGED) {
		/* To libarchive it is the end. */
		note_damage(extracting, err.text);
		return (la_ssize_t)got;
	}
	archive_set_error(archive, EIO, "%s", err.text);
	return ARCHIVE_FATAL;
}

/* Over the bytes of an archive's file, when they need not be decompressed to get behind them. */
static la_int64_t skip(struct archive *archive, void *context, la_int64_t request_bytes)
{
	struct extracting *extracting = context;
	uint64_t left = extracting->input->size_bytes - extracting->offset;

	(void)archive;
	if (extracting->gunzip || extracting->offset > extracting->input->size_bytes)
		return 0;
	if ((uint64_t)request_bytes > left)
		request_bytes = (la_int64_t)left;
	extracting->offset += (uint64_t)request_bytes;
	return request_bytes;
}

/* Whether more came out than there can be in it. */
static bool is_too_much(struct extracting *extracting)
{
	uint64_t in =
		extracting->gunzip ? gunzip_taken_bytes(extracting->gunzip) : extracting->offset;
	uint64_t out = (uint64_t)archive_filter_bytes(extracting->archive, 0);

	/* Holes in a file of an archive come out of nothing. */
	if (out < extracting->kept_bytes)
		out = extracting->kept_bytes;
	if (!expansion_is_excessive(in, out))
		return false;
	error_set(extracting->err, ERROR_LIMIT,
		  "more comes out of the %s data than any capture or program holds: over %llu "
		  "bytes from %llu",
		  kind(extracting), (unsigned long long)out, (unsigned long long)in);
	return true;
}

static const char *reason_of(const struct extracting *extracting)
{
	const char *reason = archive_error_string(extracting->archive);

	return reason ? reason : "no reason is known";
}

static bool fail(struct extracting *extracting)
{
	const struct extracted *result = extracting->result;

	return error_set(extracting->err, ERROR_DAMAGED, "nothing comes out: %s",
			 result->is_partial ? result->damage.text : reason_of(extracting));
}

static bool open_archive(struct extracting *extracting)
{
	struct archive *archive = extracting->archive;
	enum wrapping wrapping = extracting->result->wrapping;
	int status = ARCHIVE_OK;

	if (wrapping == WRAPPING_XZ)
		status = archive_read_support_filter_xz(archive);
	else if (wrapping == WRAPPING_ZSTD)
		status = archive_read_support_filter_zstd(archive);
	else if (wrapping == WRAPPING_BZIP2)
		status = archive_read_support_filter_bzip2(archive);
	/* A warning: it would run another program. */
	if (status != ARCHIVE_OK)
		return error_set(extracting->err, ERROR_UNSUPPORTED,
				 "is compressed with %s, which libarchive here cannot read",
				 kind(extracting));
	archive_read_support_format_tar(archive);
	archive_read_support_format_raw(archive);
	archive_read_support_format_empty(archive);
	if (archive_read_open2(archive, extracting, NULL, give, skip, NULL) != ARCHIVE_OK)
		return fail(extracting);
	return true;
}

/* The next bytes of this file. False at its end, and when no more of it can be had. */
static bool next_block(struct extracting *extracting)
{
	const void *bytes;
	la_int64_t offset;
	int status;

	do {
		status = archive_read_data_block(extracting->archive, &bytes,
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

/* To the end of this file, for the way there is paid for by what is decompressed. */
static bool pass_over(struct extracting *extracting)
{
	if (extracting->result->wrapping == WRAPPING_TAR)
		return true;
	do {
		if (is_too_much(extracting))
			return false;
	} while (next_block(extracting));
	return true;
}

/* The first bytes of a file; what else there is of their block stays there. */
static size_t take_head(struct extracting *extracting, unsigned char head[WRAPPING_HEAD_BYTES])
{
	size_t got = 0;

	while (got < WRAPPING_HEAD_BYTES && next_block(extracting)) {
		size_t wanted = WRAPPING_HEAD_BYTES - got;

		/* Nothing that is wanted begins with a hole. */
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
	       !is_too_much(extracting);
}

/* Archives leave out blocks of zeros. */
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

/* The head, what is left of its block, and all that follow. */
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

/* In the locale's characters if that can be; tar says what it is in only sometimes. */
static struct text either(const char *name, const char *name_in_utf8)
{
	return text_of(name ? name : name_in_utf8 ? name_in_utf8 : "?");
}

static void take_link(struct extracting *extracting, struct archive_entry *entry, struct text name)
{
	const char *hard = archive_entry_hardlink(entry);
	const char *hard_utf8 = archive_entry_hardlink_utf8(entry);
	bool is_hard = hard || hard_utf8;
	struct text target =
		is_hard ? either(hard, hard_utf8)
			: either(archive_entry_symlink(entry), archive_entry_symlink_utf8(entry));

	if (extracting->taker->link)
		extracting->taker->link(extracting->taker->context, name, target, is_hard);
}

static bool take_entry(struct extracting *extracting, struct archive_entry *entry)
{
	struct text name =
		either(archive_entry_pathname(entry), archive_entry_pathname_utf8(entry));
	unsigned char bytes[WRAPPING_HEAD_BYTES];
	struct input *spool = NULL;
	struct span head;
	bool is_link = archive_entry_hardlink(entry) || archive_entry_hardlink_utf8(entry) ||
		       archive_entry_filetype(entry) == AE_IFLNK;

	if (is_link)
		take_link(extracting, entry, name);
	if (is_link || archive_entry_filetype(entry) != AE_IFREG)
		return pass_over(extracting);
	head = span_of(bytes, take_head(extracting, bytes), 0, false);
	if (!extracting->taker->file(extracting->taker->context, name, head, &spool,
				     extracting->err))
		return false;
	return spool ? keep_file(extracting, spool, head) : pass_over(extracting);
}

static bool take_entries(struct extracting *extracting, struct archive_entry *entry)
{
	uint64_t count = 0;
	int status = ARCHIVE_OK;

	extracting->result->is_archive = true;
	while (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
		if (++count > LIMIT_ARCHIVE_MEMBERS)
			return error_set(extracting->err, ERROR_LIMIT,
					 "is an archive of more than %u files",
					 LIMIT_ARCHIVE_MEMBERS);
		if (!take_entry(extracting, entry))
			return false;
		do {
			status = archive_read_next_header(extracting->archive, &entry);
		} while (status == ARCHIVE_RETRY);
		if (is_too_much(extracting))
			return false;
	}
	if (status != ARCHIVE_EOF)
		note_damage(extracting, reason_of(extracting));
	return true;
}

static bool take_whole(struct extracting *extracting)
{
	unsigned char bytes[WRAPPING_HEAD_BYTES];
	struct text none = { .at = NULL };
	size_t got = take_head(extracting, bytes);
	struct span head = span_of(bytes, got, 0, false);
	enum wrapping inner = wrapping_find(head);
	struct input *spool = NULL;

	if (inner != WRAPPING_NONE)
		return error_set(extracting->err, ERROR_FORMAT,
				 "is compressed twice: what comes out of the %s data is %s again",
				 kind(extracting), wrapping_name(inner));
	if (!got && extracting->result->is_partial)
		return fail(extracting);
	if (!extracting->taker->file(extracting->taker->context, none, head, &spool,
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
	/* libarchive finds one compression inside the other as long as it knows both. */
	status = archive_read_next_header(extracting->archive, &entry);
	if (archive_filter_count(extracting->archive) > 2)
		return error_set(extracting->err, ERROR_FORMAT,
				 "is compressed more than once with %s", kind(extracting));
	if (status == ARCHIVE_EOF && !extracting->result->is_partial)
		return error_set(extracting->err, ERROR_FORMAT, "has nothing in it");
	if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
		return fail(extracting);
	if (archive_format(extracting->archive) == ARCHIVE_FORMAT_RAW)
		return take_whole(extracting);
	return take_entries(extracting, entry);
}

bool extract(const struct input *input, const struct extract_taker *taker, struct extracted *ret,
	     struct error *err)
{
	struct extracting extracting = {
		.input = input, .taker = taker, .result = ret, .err = err
	};
	unsigned char head[WRAPPING_HEAD_BYTES];
	size_t got;
	bool good;

	*ret = (struct extracted){ .is_archive = false };
	if (!input_read(input, 0, head, sizeof(head), &got, err))
		return false;
	ret->wrapping = wrapping_find(span_of(head, got, 0, false));
	if (ret->wrapping == WRAPPING_GZIP)
		extracting.gunzip = gunzip_create(input);
	extracting.archive = archive_read_new();
	if (!extracting.archive)
		memory_exhausted(CHUNK_BYTES);
	extracting.given = memory_alloc(CHUNK_BYTES, 1);
	good = run(&extracting);
	archive_read_free(extracting.archive);
	gunzip_destroy(extracting.gunzip);
	memory_free(extracting.given);
	return good;
}

#else

bool extract(const struct input *input, const struct extract_taker *taker, struct extracted *ret,
	     struct error *err)
{
	unsigned char head[WRAPPING_HEAD_BYTES];
	size_t got;

	(void)taker;
	*ret = (struct extracted){ .is_archive = false };
	if (!input_read(input, 0, head, sizeof(head), &got, err))
		return false;
	ret->wrapping = wrapping_find(span_of(head, got, 0, false));
	return error_set(err, ERROR_UNSUPPORTED,
			 "is wrapped in %s, and this kiln was built without libarchive",
			 wrapping_name(ret->wrapping));
}

#endif
