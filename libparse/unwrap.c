/* SPDX-License-Identifier: MIT */
#include "libparse/unwrap.h"

#include "base/memory.h"
#include "base/sink.h"
#include "libparse/detect.h"
#include "libparse/perf/perf_file.h"

/*
 * The best text in an archive without a perf.data file: the file whose format is detected with the
 * highest confidence.
 */
struct archived_text {
	enum confidence confidence; /* best confidence so far */
	uint64_t count;             /* number of files with this confidence */
	struct sink names;          /* names of these files, comma-separated */
	struct input spool;         /* content of the first */
};

static void archived_text_init(struct archived_text *text)
{
	*text = (struct archived_text){ .spool = { .fd = -1 } };
	sink_init_memory(&text->names);
}

static void archived_text_deinit(struct archived_text *text)
{
	sink_deinit(&text->names);
	input_close(&text->spool);
}

static void archived_text_list(struct sink *names, struct text name)
{
	/* More names would not fit into an error message. */
	if (names->used > sizeof(((struct error *)0)->text))
		return;
	sink_puts(names, names->used ? ", " : "");
	sink_text(names, name);
}

static bool archived_text_offer(struct archived_text *text, struct temporary_space *space,
				struct text name, struct span head, struct input **ret,
				struct error *err)
{
	struct evidence evidence = evidence_none();
	struct error ignored;

	*ret = NULL;
	if (!detect(head, &evidence, &ignored) || evidence.confidence < text->confidence)
		return true;
	if (evidence.confidence == text->confidence) {
		text->count++;
		archived_text_list(&text->names, name);
		return true;
	}
	input_close(&text->spool);
	text->confidence = evidence.confidence;
	text->count = 1;
	text->names.used = 0;
	archived_text_list(&text->names, name);
	if (!input_create_spool(&text->spool, space, err))
		return false;
	*ret = &text->spool;
	return true;
}

/* A record file (data.N) next to the capture. A capture with record files is a directory. */
struct beside {
	char *name;
	struct input spool;
};

struct unwrapping {
	struct input spool; /* contents of the capture */
	struct contents *contents;
	/* In an archive: the number of captures, and of compressed files that may contain one. */
	uint64_t capture_count;
	struct sink captures, wrapped;
	struct archived_text text; /* best text of the archive, used if there is no perf.data */
	char *capture_name;
	VEC(struct beside) beside;
};

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Keeps a file that is named like a record file. */
static bool read_beside(struct unwrapping *unwrapping, struct text name, struct input **ret,
			struct error *err)
{
	struct beside row = { .name = NULL };

	if (!input_create_spool(&row.spool, unwrapping->spool.space, err)) {
		input_close(&row.spool);
		return false;
	}
	row.name = memory_duplicate(name.at, name.length);
	vec_push(&unwrapping->beside, row);
	*ret = &unwrapping->beside.at[unwrapping->beside.count - 1].spool;
	return true;
}

/* Keeps a symbol file, or a file that may be a capture. */
static bool read_other(struct unwrapping *unwrapping, struct text name, struct span head,
		       struct input **ret, struct error *err)
{
	return contents_add_file(unwrapping->contents, name, head, ret, err) &&
	       (*ret || archived_text_offer(&unwrapping->text, unwrapping->spool.space, name, head,
					    ret, err));
}

static bool read_file(void *context, struct text name, struct span head, struct input **ret,
		      struct error *err)
{
	struct unwrapping *unwrapping = context;
	uint32_t number;

	*ret = NULL;
	if (!name.at) {
		*ret = &unwrapping->spool;
		return true;
	}
	if (!perf_file_probe(head)) {
		if (extract_format(head))
			archived_text_list(&unwrapping->wrapped, name);
		return directory_read_number(last_part(name.at), &number)
			       ? read_beside(unwrapping, name, ret, err)
			       : read_other(unwrapping, name, head, ret, err);
	}
	archived_text_list(&unwrapping->captures, name);
	if (unwrapping->capture_count++)
		return true;
	unwrapping->capture_name = memory_duplicate(name.at, name.length);
	*ret = &unwrapping->spool;
	return true;
}

static void read_link(void *context, struct text name, struct text target, bool is_hard)
{
	struct unwrapping *unwrapping = context;

	contents_add_link(unwrapping->contents, name, target, is_hard);
}

/* Moves the record files next to the capture to the directory. */
static void fill_directory(struct unwrapping *unwrapping, struct directory *directory)
{
	const char *capture = unwrapping->capture_name;
	size_t length = capture ? (size_t)(last_part(capture) - capture) : 0;

	if (!capture || strcmp(capture + length, DIRECTORY_HEADER_NAME) != 0)
		return;
	for (size_t i = 0; i < unwrapping->beside.count; i++) {
		struct beside *row = &unwrapping->beside.at[i];
		const char *last = last_part(row->name);
		uint32_t number;

		if ((size_t)(last - row->name) != length ||
		    memcmp(row->name, capture, length) != 0 ||
		    !directory_read_number(last, &number))
			continue;
		directory_add(directory, number, &row->spool);
		row->spool = (struct input){ .fd = -1 };
	}
}

/* Replaces the input with the text file of an archive that contains no perf.data. */
static bool use_text(struct unwrapping *unwrapping, struct error *err)
{
	struct archived_text *text = &unwrapping->text;
	struct input empty = unwrapping->spool;

	sink_char(&text->names, '\0');
	if (text->count > 1)
		return error_set(err, ERROR_FORMAT,
				 "is an archive of %llu text files; extract the one to use: %s",
				 (unsigned long long)text->count, text->names.buffer);
	unwrapping->spool = text->spool;
	text->spool = empty;
	return true;
}

/* Whether there was exactly one capture. */
static bool check_captures(struct unwrapping *unwrapping, const struct extracted *extracted,
			   struct error *err)
{
	sink_char(&unwrapping->captures, '\0');
	sink_char(&unwrapping->wrapped, '\0');
	if (!extracted->is_archive || unwrapping->capture_count == 1)
		return true;
	if (unwrapping->capture_count)
		return error_set(err, ERROR_FORMAT,
				 "is an archive of %llu captures; extract the one to use: %s",
				 (unsigned long long)unwrapping->capture_count,
				 unwrapping->captures.buffer);
	if (unwrapping->text.count)
		return use_text(unwrapping, err);
	if (extracted->is_partial)
		return error_set(err, ERROR_CORRUPT,
				 "is an incomplete archive without a capture: %s",
				 extracted->damage.text);
	if (unwrapping->wrapped.used > 1)
		return error_set(
			err, ERROR_FORMAT,
			"is an archive without a perf.data file; extract and decompress one of "
			"these files first: %s",
			unwrapping->wrapped.buffer);
	return error_set(err, ERROR_FORMAT, "is an archive without a capture");
}

static void deinit(struct unwrapping *unwrapping)
{
	archived_text_deinit(&unwrapping->text);
	sink_deinit(&unwrapping->captures);
	sink_deinit(&unwrapping->wrapped);
	memory_free(unwrapping->capture_name);
	for (size_t i = 0; i < unwrapping->beside.count; i++) {
		memory_free(unwrapping->beside.at[i].name);
		input_close(&unwrapping->beside.at[i].spool);
	}
	vec_free(&unwrapping->beside);
}

/* Replaces the input with the spool, but keeps its name and time. */
static void replace(struct input *input, struct input *spool)
{
	struct input old = *input;

	*input = *spool;
	input->name = old.name;
	input->written_time_ns = old.written_time_ns;
	old.name = spool->name;
	input_close(&old);
}

bool unwrap(struct input *input, struct directory *directory, struct contents *contents,
	    struct extracted *ret, struct error *err)
{
	struct unwrapping unwrapping = { .contents = contents };
	struct extract_visitor visitor = { &unwrapping, read_file, read_link };
	bool good;

	contents->space = input->space;
	if (!input_create_spool(&unwrapping.spool, input->space, err)) {
		input_close(&unwrapping.spool);
		return false;
	}
	archived_text_init(&unwrapping.text);
	sink_init_memory(&unwrapping.captures);
	sink_init_memory(&unwrapping.wrapped);
	good = extract(input, &visitor, ret, err) && check_captures(&unwrapping, ret, err);
	if (good)
		fill_directory(&unwrapping, directory);
	deinit(&unwrapping);
	contents_finish(contents);
	if (!good) {
		input_close(&unwrapping.spool);
		return false;
	}
	replace(input, &unwrapping.spool);
	return true;
}
