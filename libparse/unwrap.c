/* SPDX-License-Identifier: MIT */
#include "libparse/unwrap.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/sink.h"

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#include "libparse/expansion.h"
#include "libparse/gunzip.h"
#include "libparse/perf/file.h"

#define CHUNK_BYTES ((size_t)256 << 10)

/* A file of an archive that is part of a capture that is a folder, if there is one beside it. */
struct beside {
	char *name;
	struct input spool;
};

struct unwrapping {
	const struct input *input;
	enum wrapping wrapping;
	struct gunzip *gunzip; /* NULL: the bytes of the input are libarchive's */
	uint64_t offset;       /* what libarchive was given of them */
	struct archive *archive;
	unsigned char *given;       /* to libarchive */
	const unsigned char *block; /* what it gave, and where that is in the member */
	size_t block_bytes;
	uint64_t block_offset;
	struct input spool;     /* the capture */
	uint64_t spooled_bytes; /* of all that was kept */
	struct error *damage;
	bool is_partial;
	/* Of an archive: what is a capture in it, and what would be if it were unwrapped. */
	uint64_t capture_count;
	struct sink captures, wrapped;
	char *capture_name;
	VEC(struct beside) beside;
	struct error *err;
};

static void note_damage(struct unwrapping *unwrapping, const char *what)
{
	if (unwrapping->is_partial)
		return;
	unwrapping->is_partial = true;
	error_set(unwrapping->damage, ERROR_DAMAGED,
		  "the %s data are damaged or cut, and unwrapped as far as they go: %s",
		  wrapping_name(unwrapping->wrapping), what);
}

static la_ssize_t give(struct archive *archive, void *context, const void **bytes)
{
	struct unwrapping *unwrapping = context;
	struct error err;
	size_t got = 0;
	bool good;

	*bytes = unwrapping->given;
	if (unwrapping->gunzip)
		good = gunzip_read(unwrapping->gunzip, unwrapping->given, CHUNK_BYTES, &got, &err);
	else
		good = input_read(unwrapping->input, unwrapping->offset, unwrapping->given,
				  CHUNK_BYTES, &got, &err);
	unwrapping->offset += got;
	if (good)
		return (la_ssize_t)got;
	if (err.code == ERROR_DAMAGED) {
		/* To libarchive it is the end. */
		note_damage(unwrapping, err.text);
		return (la_ssize_t)got;
	}
	archive_set_error(archive, EIO, "%s", err.text);
	return ARCHIVE_FATAL;
}

/* Over the bytes of an archive's file, when they need not be decompressed to get behind them. */
static la_int64_t skip(struct archive *archive, void *context, la_int64_t request_bytes)
{
	struct unwrapping *unwrapping = context;
	uint64_t left = unwrapping->input->size_bytes - unwrapping->offset;

	(void)archive;
	if (unwrapping->gunzip || unwrapping->offset > unwrapping->input->size_bytes)
		return 0;
	if ((uint64_t)request_bytes > left)
		request_bytes = (la_int64_t)left;
	unwrapping->offset += (uint64_t)request_bytes;
	return request_bytes;
}

/* Whether more came out than a capture has in it. */
static bool is_too_much(struct unwrapping *unwrapping)
{
	uint64_t in =
		unwrapping->gunzip ? gunzip_taken_bytes(unwrapping->gunzip) : unwrapping->offset;
	uint64_t out = (uint64_t)archive_filter_bytes(unwrapping->archive, 0);

	/* Holes in a file of an archive come out of nothing. */
	if (out < unwrapping->spooled_bytes)
		out = unwrapping->spooled_bytes;
	if (!expansion_is_excessive(in, out))
		return false;
	error_set(unwrapping->err, ERROR_LIMIT,
		  "more comes out of the %s data than any capture holds: over %llu bytes from %llu",
		  wrapping_name(unwrapping->wrapping), (unsigned long long)out,
		  (unsigned long long)in);
	return true;
}

static const char *reason_of(const struct unwrapping *unwrapping)
{
	const char *reason = archive_error_string(unwrapping->archive);

	return reason ? reason : "no reason is known";
}

static bool fail(struct unwrapping *unwrapping, const char *what)
{
	return error_set(unwrapping->err, ERROR_DAMAGED, "%s: %s", what,
			 unwrapping->is_partial ? unwrapping->damage->text : reason_of(unwrapping));
}

static bool open_archive(struct unwrapping *unwrapping)
{
	struct archive *archive = unwrapping->archive;
	int status = ARCHIVE_OK;

	if (unwrapping->wrapping == WRAPPING_XZ)
		status = archive_read_support_filter_xz(archive);
	else if (unwrapping->wrapping == WRAPPING_ZSTD)
		status = archive_read_support_filter_zstd(archive);
	else if (unwrapping->wrapping == WRAPPING_BZIP2)
		status = archive_read_support_filter_bzip2(archive);
	/* A warning: it would run another program. */
	if (status != ARCHIVE_OK)
		return error_set(unwrapping->err, ERROR_UNSUPPORTED,
				 "is compressed with %s, which libarchive here cannot read",
				 wrapping_name(unwrapping->wrapping));
	archive_read_support_format_tar(archive);
	archive_read_support_format_raw(archive);
	archive_read_support_format_empty(archive);
	if (archive_read_open2(archive, unwrapping, NULL, give, skip, NULL) != ARCHIVE_OK)
		return fail(unwrapping, "nothing comes out");
	return true;
}

/* The next bytes of this member. False at its end, and when no more of it can be had. */
static bool next_block(struct unwrapping *unwrapping)
{
	const void *bytes;
	la_int64_t offset;
	int status;

	do {
		status = archive_read_data_block(unwrapping->archive, &bytes,
						 &unwrapping->block_bytes, &offset);
	} while (status == ARCHIVE_RETRY);
	if (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
		unwrapping->block = bytes;
		unwrapping->block_offset = (uint64_t)offset;
		return true;
	}
	unwrapping->block_bytes = 0;
	if (status != ARCHIVE_EOF)
		note_damage(unwrapping, reason_of(unwrapping));
	return false;
}

/* To the end of this member, for the way there is paid for by what is decompressed. */
static bool pass_over(struct unwrapping *unwrapping)
{
	if (unwrapping->wrapping == WRAPPING_TAR)
		return true;
	do {
		if (is_too_much(unwrapping))
			return false;
	} while (next_block(unwrapping));
	return true;
}

/* The first bytes of a member; what else there is of their block stays there. */
static size_t take_head(struct unwrapping *unwrapping, unsigned char head[UNWRAP_HEAD_BYTES])
{
	size_t got = 0;

	while (got < UNWRAP_HEAD_BYTES && next_block(unwrapping)) {
		size_t wanted = UNWRAP_HEAD_BYTES - got;

		/* No capture begins with a hole. */
		if (unwrapping->block_offset != got)
			break;
		if (wanted > unwrapping->block_bytes)
			wanted = unwrapping->block_bytes;
		memcpy(head + got, unwrapping->block, wanted);
		got += wanted;
		unwrapping->block += wanted;
		unwrapping->block_bytes -= wanted;
		unwrapping->block_offset += wanted;
	}
	return got;
}

static bool append(struct unwrapping *unwrapping, struct input *spool, const void *bytes,
		   size_t size_bytes)
{
	unwrapping->spooled_bytes += size_bytes;
	return input_append_spool(spool, bytes, size_bytes, unwrapping->err) &&
	       !is_too_much(unwrapping);
}

/* Archives leave out blocks of zeros. */
static bool fill_hole(struct unwrapping *unwrapping, struct input *spool, uint64_t end)
{
	static const unsigned char zeros[65536];

	while (spool->size_bytes < end) {
		uint64_t left = end - spool->size_bytes;

		if (!append(unwrapping, spool, zeros, left < sizeof(zeros) ? left : sizeof(zeros)))
			return false;
	}
	return true;
}

/* The head, what is left of its block, and all that follow. */
static bool spool_member(struct unwrapping *unwrapping, struct input *spool, struct span head)
{
	if (!append(unwrapping, spool, head.at, span_left(&head)))
		return false;
	do {
		if (unwrapping->block_bytes &&
		    (!fill_hole(unwrapping, spool, unwrapping->block_offset) ||
		     !append(unwrapping, spool, unwrapping->block, unwrapping->block_bytes)))
			return false;
	} while (next_block(unwrapping));
	return true;
}

static void list(struct sink *names, const char *name)
{
	/* As many as an error's text can hold, and more. */
	if (names->used > sizeof(((struct error *)0)->text))
		return;
	sink_printf(names, "%s%s", names->used ? ", " : "", name);
}

/* In the locale's characters if that can be; tar says what it is in only sometimes. */
static const char *name_of(struct archive_entry *entry)
{
	const char *name = archive_entry_pathname(entry);

	if (!name)
		name = archive_entry_pathname_utf8(entry);
	return name ? name : "?";
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Keeps a file that is named like one of the record files of a folder. */
static bool take_beside(struct unwrapping *unwrapping, const char *name, struct span head)
{
	struct beside row = { .name = NULL };
	uint32_t number;

	if (!folder_read_number(last_part(name), &number))
		return pass_over(unwrapping);
	if (!input_create_spool(&row.spool, unwrapping->err)) {
		input_close(&row.spool);
		return false;
	}
	row.name = memory_duplicate(name, strlen(name));
	vec_push(&unwrapping->beside, row);
	return spool_member(unwrapping, &unwrapping->beside.at[unwrapping->beside.count - 1].spool,
			    head);
}

static bool take_member(struct unwrapping *unwrapping, struct archive_entry *entry)
{
	unsigned char bytes[UNWRAP_HEAD_BYTES];
	const char *name = name_of(entry);
	struct span head;

	if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry))
		return pass_over(unwrapping);
	head = span_of(bytes, take_head(unwrapping, bytes), 0, false);
	if (!perf_file_probe(head)) {
		if (wrapping_find(head) != WRAPPING_NONE)
			list(&unwrapping->wrapped, name);
		return take_beside(unwrapping, name, head);
	}
	list(&unwrapping->captures, name);
	if (unwrapping->capture_count++)
		return pass_over(unwrapping);
	unwrapping->capture_name = memory_duplicate(name, strlen(name));
	return spool_member(unwrapping, &unwrapping->spool, head);
}

/* Moves what lies beside the capture to the folder. */
static void fill_folder(struct unwrapping *unwrapping, struct folder *folder)
{
	const char *capture = unwrapping->capture_name;
	size_t length = capture ? (size_t)(last_part(capture) - capture) : 0;

	if (!capture || strcmp(capture + length, FOLDER_HEADER_NAME) != 0)
		return;
	for (size_t i = 0; i < unwrapping->beside.count; i++) {
		struct beside *row = &unwrapping->beside.at[i];
		const char *last = last_part(row->name);
		uint32_t number;

		if ((size_t)(last - row->name) != length ||
		    memcmp(row->name, capture, length) != 0 || !folder_read_number(last, &number))
			continue;
		folder_add(folder, number, &row->spool);
		row->spool = (struct input){ .fd = -1 };
	}
}

/* Whether there was exactly one capture. */
static bool judge_members(struct unwrapping *unwrapping)
{
	struct error *err = unwrapping->err;

	sink_char(&unwrapping->captures, '\0');
	sink_char(&unwrapping->wrapped, '\0');
	if (unwrapping->capture_count > 1)
		return error_set(err, ERROR_FORMAT,
				 "is an archive of %llu captures, of which one has to be "
				 "unpacked: %s",
				 (unsigned long long)unwrapping->capture_count,
				 unwrapping->captures.buffer);
	if (unwrapping->capture_count)
		return true;
	if (unwrapping->is_partial)
		return fail(unwrapping, "is an archive, and no capture was found in it");
	if (unwrapping->wrapped.used > 1)
		return error_set(err, ERROR_FORMAT,
				 "is an archive without a perf.data, unless in what is wrapped "
				 "once more and has to be unpacked first: %s",
				 unwrapping->wrapped.buffer);
	return error_set(err, ERROR_FORMAT, "is an archive without a perf.data in it");
}

static bool take_members(struct unwrapping *unwrapping, struct archive_entry *entry)
{
	uint64_t count = 0;
	int status = ARCHIVE_OK;

	while (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
		if (++count > LIMIT_ARCHIVE_MEMBERS)
			return error_set(unwrapping->err, ERROR_LIMIT,
					 "is an archive of more than %u files",
					 LIMIT_ARCHIVE_MEMBERS);
		if (!take_member(unwrapping, entry))
			return false;
		do {
			status = archive_read_next_header(unwrapping->archive, &entry);
		} while (status == ARCHIVE_RETRY);
		if (is_too_much(unwrapping))
			return false;
	}
	if (status != ARCHIVE_EOF)
		note_damage(unwrapping, reason_of(unwrapping));
	return judge_members(unwrapping);
}

static bool take_whole(struct unwrapping *unwrapping)
{
	unsigned char head[UNWRAP_HEAD_BYTES];
	size_t got = take_head(unwrapping, head);
	const char *name = unwrap_probe(span_of(head, got, 0, false));

	if (name)
		return error_set(unwrapping->err, ERROR_FORMAT,
				 "is compressed twice: what comes out of the %s data is %s again",
				 wrapping_name(unwrapping->wrapping), name);
	if (!got && unwrapping->is_partial)
		return fail(unwrapping, "nothing comes out");
	return spool_member(unwrapping, &unwrapping->spool, span_of(head, got, 0, false));
}

static bool run(struct unwrapping *unwrapping)
{
	struct archive_entry *entry;
	int status;

	if (!open_archive(unwrapping))
		return false;
	/* libarchive finds one compression inside the other as long as it knows both. */
	status = archive_read_next_header(unwrapping->archive, &entry);
	if (archive_filter_count(unwrapping->archive) > 2)
		return error_set(unwrapping->err, ERROR_FORMAT,
				 "is compressed more than once with %s",
				 wrapping_name(unwrapping->wrapping));
	if (status == ARCHIVE_EOF && !unwrapping->is_partial)
		return error_set(unwrapping->err, ERROR_FORMAT, "has nothing in it");
	if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
		return fail(unwrapping, "nothing comes out");
	if (archive_format(unwrapping->archive) == ARCHIVE_FORMAT_RAW)
		return take_whole(unwrapping);
	return take_members(unwrapping, entry);
}

static void deinit(struct unwrapping *unwrapping)
{
	archive_read_free(unwrapping->archive);
	gunzip_destroy(unwrapping->gunzip);
	memory_free(unwrapping->given);
	sink_deinit(&unwrapping->captures);
	sink_deinit(&unwrapping->wrapped);
	memory_free(unwrapping->capture_name);
	for (size_t i = 0; i < unwrapping->beside.count; i++) {
		memory_free(unwrapping->beside.at[i].name);
		input_close(&unwrapping->beside.at[i].spool);
	}
	vec_free(&unwrapping->beside);
}

/* The bytes of the spool under the name and the time of the input. */
static void replace(struct input *input, struct input *spool)
{
	struct input old = *input;

	*input = *spool;
	input->name = old.name;
	input->written_time_s = old.written_time_s;
	old.name = spool->name;
	input_close(&old);
}

bool unwrap(struct input *input, struct folder *folder, bool *is_partial, struct error *damage,
	    struct error *err)
{
	struct unwrapping unwrapping = { .input = input, .damage = damage, .err = err };
	unsigned char head[UNWRAP_HEAD_BYTES];
	size_t got;
	bool good;

	if (!input_read(input, 0, head, sizeof(head), &got, err))
		return false;
	if (!input_create_spool(&unwrapping.spool, err)) {
		input_close(&unwrapping.spool);
		return false;
	}
	unwrapping.wrapping = wrapping_find(span_of(head, got, 0, false));
	if (unwrapping.wrapping == WRAPPING_GZIP)
		unwrapping.gunzip = gunzip_create(input);
	unwrapping.archive = archive_read_new();
	if (!unwrapping.archive)
		memory_exhausted(CHUNK_BYTES);
	unwrapping.given = memory_alloc(CHUNK_BYTES, 1);
	sink_init_memory(&unwrapping.captures);
	sink_init_memory(&unwrapping.wrapped);
	good = run(&unwrapping);
	if (good)
		fill_folder(&unwrapping, folder);
	deinit(&unwrapping);
	if (!good) {
		input_close(&unwrapping.spool);
		return false;
	}
	*is_partial = unwrapping.is_partial;
	replace(input, &unwrapping.spool);
	return true;
}

#else

bool unwrap(struct input *input, struct folder *folder, bool *is_partial, struct error *damage,
	    struct error *err)
{
	unsigned char head[UNWRAP_HEAD_BYTES];
	size_t got;

	(void)folder;
	(void)is_partial;
	(void)damage;
	if (!input_read(input, 0, head, sizeof(head), &got, err))
		return false;
	return error_set(err, ERROR_UNSUPPORTED,
			 "is wrapped in %s, and this kiln was built without libarchive",
			 unwrap_probe(span_of(head, got, 0, false)));
}

#endif
