/* SPDX-License-Identifier: MIT */
#include "symbolise/bundle_manifest.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/scan.h"
#include "object/file.h"

/*
 * Maximum size of the manifest of a bundle, which has about 200 bytes for each file in the bundle.
 */
#define LIMIT_MANIFEST_BYTES (64u << 20)

#define FORMAT_VERSION 1
#define FIELDS_MAX     8

static const char first_word[] = CONTENTS_MANIFEST_NAME;

static const char *const match_words[] = {
	[MATCH_NOT_NEEDED] = "untouched",  [MATCH_VERIFIED] = "verified",
	[MATCH_LATE_BUILD_ID] = "listed",  [MATCH_SAME_FILE] = "same-file",
	[MATCH_UNVERIFIED] = "unverified", [MATCH_MISMATCHED] = "mismatch",
	[MATCH_MISSING] = "missing",       [MATCH_NO_SYMBOLS] = "no-symbols",
	[MATCH_CORRUPT] = "corrupt",       [MATCH_NO_FILE] = "none-needed",
};

static const char *const proof_words[PROOF_COUNT] = {
	[PROOF_NONE] = "-",
	[PROOF_INODE] = "inode",
	[PROOF_CODE] = "code",
	[PROOF_OTHER_INODE] = "other-inode",
	[PROOF_OTHER_CODE] = "other-code",
	[PROOF_REWRITTEN] = "rewritten",
};

static void write_field(struct sink *sink, struct text text)
{
	sink_char(sink, '\t');
	if (!text.length)
		sink_char(sink, '-');
	for (uint32_t i = 0; i < text.length; i++) {
		unsigned char c = (unsigned char)text.at[i];

		if (c <= ' ' || c == '\\' || c == 0x7f || text_is(text, "-"))
			sink_printf(sink, "\\x%02x", c);
		else
			sink_char(sink, (char)c);
	}
}

static void write_build_id(struct sink *sink, const struct build_id *id)
{
	char hex[BUILD_ID_TEXT_BYTES];

	write_field(sink, text_of(build_id_hex(id, hex)));
}

void bundle_manifest_write_head(struct sink *sink)
{
	sink_printf(sink, "%s\t%d\nmade-by\tkiln %s\n", first_word, FORMAT_VERSION, VERSION);
}

void bundle_manifest_write_file(struct sink *sink, const struct bundle_manifest_file *file)
{
	sink_puts(sink, "file");
	write_field(sink, text_of(file->name));
	write_field(sink, text_of(file->kind));
	write_build_id(sink, file->build_id);
	sink_printf(sink, "\t%016" PRIx64 "\t%" PRIu64 "\t%s\n", file->checksum, file->size_bytes,
		    file->is_slim ? "slim" : "whole");
}

/* MAJOR:MINOR INODE GENERATION */
static void write_inode(struct sink *sink, const struct module *module)
{
	sink_printf(sink, "\t%" PRIu32 ":%" PRIu32 "\t%" PRIu64 "\t%" PRIu64, module->device_major,
		    module->device_minor, module->inode, module->inode_generation);
}

void bundle_manifest_write_for(struct sink *sink, const struct module *module, struct text path,
			       enum match_status match)
{
	static const struct build_id none;

	sink_printf(sink, "for\t%s", match_words[match]);
	/* Omit a build-id that belongs to a different file. */
	write_build_id(sink, module_has_other_build_id(module) ? &none : &module->build_id);
	write_inode(sink, module);
	sink_printf(sink, "\t%" PRIu32, module->pid);
	write_field(sink, path);
	sink_char(sink, '\n');
}

void bundle_manifest_write_identity(struct sink *sink, const struct module *module,
				    struct text path)
{
	enum build_id_proof proof = module->build_id_proof;

	if (proof == PROOF_NONE)
		return;
	sink_printf(sink, "identity\t%s", proof_words[proof]);
	write_build_id(sink, &module->build_id);
	write_inode(sink, module);
	write_field(sink, path);
	sink_char(sink, '\n');
}

void bundle_manifest_write_missing(struct sink *sink, const struct module *module, struct text path,
				   struct text reason)
{
	sink_printf(sink, "missing\t%s", match_words[module->match]);
	write_build_id(sink, &module->build_id);
	write_field(sink, path);
	write_field(sink, reason);
	sink_char(sink, '\n');
}

void bundle_manifest_write_left_out(struct sink *sink, const struct module *module,
				    struct text path, double share)
{
	sink_printf(sink, "left-out\t%.4f%%", 100 * share);
	write_build_id(sink, &module->build_id);
	write_field(sink, path);
	sink_char(sink, '\n');
}

void bundle_manifest_write_source(struct sink *sink, const struct bundle_manifest_source *source)
{
	sink_puts(sink, "source");
	write_field(sink, text_of(source->name));
	sink_printf(sink, "\t%" PRIu32 "\t%016" PRIx64 "\t%" PRIu64, source->line_count,
		    source->checksum, source->size_bytes);
	write_field(sink, text_of(source->age));
	write_field(sink, source->path);
	sink_char(sink, '\n');
}

void bundle_manifest_write_no_source(struct sink *sink, struct text path, const char *reason)
{
	sink_puts(sink, "no-source");
	write_field(sink, text_of(reason));
	write_field(sink, path);
	sink_char(sink, '\n');
}

void bundle_manifest_write_source_head(struct sink *sink, struct text path)
{
	sink_printf(sink, "%s\t%d", CONTENTS_SOURCE_NAME, FORMAT_VERSION);
	write_field(sink, path);
	sink_char(sink, '\n');
}

/* State of the reader: the fields of the current line, and the last file line. */
struct manifest_reader {
	struct bundle_manifest *manifest;
	const struct contents *contents;
	const char *archive;
	struct text fields[FIELDS_MAX];
	size_t count;
	/* member named by the last file line; NULL if not in the archive */
	const struct contents_member *member;
	uint64_t checksum;
};

/* Returns the unescaped field, in the arena. */
static struct text unescape(struct manifest_reader *reader, struct text field)
{
	char *text = arena_alloc(&reader->manifest->arena, field.length + 1, 1);
	uint32_t length = 0;

	if (text_is(field, "-"))
		field.length = 0;
	for (uint32_t i = 0; i < field.length; i++) {
		const char *at = field.at + i;
		int high = field.length - i > 3 && at[0] == '\\' ? hex_value(at[2]) : -1;
		int low = high >= 0 ? hex_value(at[3]) : -1;

		text[length++] = low >= 0 ? (char)(high << 4 | low) : *at;
		i += low >= 0 ? 3 : 0;
	}
	text[length] = '\0';
	return (struct text){ text, length };
}

/* Reads a decimal number that ends the field or precedes a colon. */
static bool parse_number(struct text *field, uint64_t maximum, uint64_t *ret)
{
	uint64_t value;

	if (!scan_u64(field, &value) || value > maximum)
		return false;
	*ret = value;
	return !field->length || scan_char(field, ':');
}

/* file NAME KIND BUILD-ID XXH64 SIZE */
static void read_file(struct manifest_reader *reader)
{
	struct text *fields = reader->fields;
	uint64_t size_bytes;

	reader->member = NULL;
	if (reader->count < 6 || text_is(fields[2], BUNDLE_MANIFEST_SPLIT) ||
	    !scan_hex(&fields[4], &reader->checksum) ||
	    !parse_number(&fields[5], UINT64_MAX, &size_bytes))
		return;
	reader->member = contents_find(reader->contents, unescape(reader, fields[1]));
	if (reader->member && reader->member->size_bytes != size_bytes)
		reader->member = NULL;
}

static struct text path_of(struct manifest_reader *reader)
{
	const char *name = reader->member->name.at;
	size_t length = strlen(reader->archive) + 1 + strlen(name);
	char *path = arena_alloc(&reader->manifest->arena, length + 1, 1);

	snprintf(path, length + 1, "%s/%s", reader->archive, name);
	return (struct text){ path, (uint32_t)length };
}

/* for STATUS BUILD-ID MAJOR:MINOR INODE GENERATION PID PATH */
static void read_for(struct manifest_reader *reader)
{
	struct text *fields = reader->fields;
	struct bundle_manifest_row row = { .checksum = reader->checksum };
	uint64_t major, minor;

	/* Modules with a build-id do not need the manifest. */
	if (!reader->member || reader->count < 8 || !text_is(fields[2], "-") ||
	    !parse_number(&fields[3], UINT32_MAX, &major) ||
	    !parse_number(&fields[3], UINT32_MAX, &minor) ||
	    !parse_number(&fields[4], UINT64_MAX, &row.inode) ||
	    !parse_number(&fields[5], UINT64_MAX, &row.inode_generation))
		return;
	row.device_major = (uint32_t)major;
	row.device_minor = (uint32_t)minor;
	row.path = unescape(reader, fields[7]);
	row.is_same_file = text_is(fields[1], match_words[MATCH_SAME_FILE]) ||
			   text_is(fields[1], match_words[MATCH_VERIFIED]);
	row.file = (struct index_file){
		.kind = INDEX_ELF,
		.path = path_of(reader),
		.contents = reader->contents,
		.begin = reader->member->begin,
		.size_bytes = reader->member->size_bytes,
	};
	vec_push(&reader->manifest->rows, row);
}

/* identity PROOF BUILD-ID MAJOR:MINOR INODE GENERATION PATH */
static void read_identity(struct manifest_reader *reader)
{
	struct text *fields = reader->fields;
	struct bundle_manifest_build_id row = { .proof = PROOF_NONE };
	uint64_t major, minor;

	if (reader->count < 7 || !build_id_parse(fields[2], &row.build_id) ||
	    !parse_number(&fields[3], UINT32_MAX, &major) ||
	    !parse_number(&fields[3], UINT32_MAX, &minor) ||
	    !parse_number(&fields[4], UINT64_MAX, &row.inode) ||
	    !parse_number(&fields[5], UINT64_MAX, &row.inode_generation))
		return;
	for (int i = PROOF_NONE; i < PROOF_COUNT; i++)
		if (text_is(fields[1], proof_words[i]))
			row.proof = (enum build_id_proof)i;
	row.device_major = (uint32_t)major;
	row.device_minor = (uint32_t)minor;
	row.path = unescape(reader, fields[6]);
	vec_push(&reader->manifest->identities, row);
}

/* source NAME LINES XXH64 SIZE AGE PATH */
static void read_source(struct manifest_reader *reader)
{
	struct text *fields = reader->fields;
	const struct contents_member *member;
	struct bundle_manifest_lines row;

	if (reader->count < 7 || !scan_hex(&fields[3], &row.checksum) ||
	    !parse_number(&fields[4], UINT64_MAX, &row.size_bytes))
		return;
	member = contents_find(reader->contents, unescape(reader, fields[1]));
	if (!member || !member->is_source || member->size_bytes != row.size_bytes)
		return;
	row.begin = member->begin;
	row.path = unescape(reader, fields[6]);
	vec_push(&reader->manifest->sources, row);
}

static void split(struct manifest_reader *reader, struct text line)
{
	reader->count = 0;
	while (reader->count < FIELDS_MAX) {
		const char *tab = line.length ? memchr(line.at, '\t', line.length) : NULL;
		uint32_t length = tab ? (uint32_t)(tab - line.at) : line.length;

		reader->fields[reader->count++] = (struct text){ line.at, length };
		if (!tab)
			break;
		line = (struct text){ tab + 1, line.length - length - 1 };
	}
}

static void read_lines(struct manifest_reader *reader, struct text text)
{
	uint64_t version;

	for (size_t number = 0; text.length; number++) {
		const char *end = memchr(text.at, '\n', text.length);
		uint32_t length = end ? (uint32_t)(end - text.at) : text.length;

		split(reader, (struct text){ text.at, length });
		if (number == 0 && (reader->count < 2 || !text_is(reader->fields[0], first_word) ||
				    !parse_number(&reader->fields[1], FORMAT_VERSION, &version)))
			return;
		reader->manifest->is_there = true;
		if (text_is(reader->fields[0], "file"))
			read_file(reader);
		else if (text_is(reader->fields[0], "for"))
			read_for(reader);
		else if (text_is(reader->fields[0], "identity"))
			read_identity(reader);
		else if (text_is(reader->fields[0], "source"))
			read_source(reader);
		length += end ? 1 : 0;
		text = (struct text){ text.at + length, text.length - length };
	}
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Ordered by module. */
static int compare_keys(const struct bundle_manifest_row *a, const struct bundle_manifest_row *b)
{
	int order = text_compare(a->path, b->path);

	if (!order)
		order = compare_numbers(a->device_major, b->device_major);
	if (!order)
		order = compare_numbers(a->device_minor, b->device_minor);
	if (!order)
		order = compare_numbers(a->inode, b->inode);
	if (!order)
		order = compare_numbers(a->inode_generation, b->inode_generation);
	return order;
}

static int compare_rows(const void *a, const void *b)
{
	const struct bundle_manifest_row *left = a;
	const struct bundle_manifest_row *right = b;
	int order = compare_keys(left, right);

	return order ? order : compare_numbers(left->file.begin, right->file.begin);
}

static int compare_identities(const void *a, const void *b)
{
	const struct bundle_manifest_build_id *left = a;
	const struct bundle_manifest_build_id *right = b;
	int order = text_compare(left->path, right->path);

	if (!order)
		order = compare_numbers(left->device_major, right->device_major);
	if (!order)
		order = compare_numbers(left->device_minor, right->device_minor);
	if (!order)
		order = compare_numbers(left->inode, right->inode);
	if (!order)
		order = compare_numbers(left->inode_generation, right->inode_generation);
	return order;
}

static int compare_sources(const void *a, const void *b)
{
	const struct bundle_manifest_lines *left = a;
	const struct bundle_manifest_lines *right = b;
	int order = text_compare(left->path, right->path);

	return order ? order : compare_numbers(left->begin, right->begin);
}

void bundle_manifest_init(struct bundle_manifest *manifest, const char *name,
			  const struct contents *contents)
{
	const struct contents_member *member =
		contents_find(contents, text_of(CONTENTS_MANIFEST_NAME));
	struct manifest_reader reader = {
		.manifest = manifest,
		.contents = contents,
		.archive = name,
	};
	struct file_bytes bytes;
	struct error ignored;
	int fd = -1;

	*manifest = (struct bundle_manifest){ .is_there = false };
	arena_init(&manifest->arena);
	if (member && member->size_bytes <= LIMIT_MANIFEST_BYTES)
		fd = file_copy_range(contents->spool.fd, member->begin, member->size_bytes,
				     &ignored);
	if (fd < 0)
		return;
	if (file_read(fd, LIMIT_MANIFEST_BYTES, &bytes, &ignored)) {
		read_lines(&reader, (struct text){ bytes.at, (uint32_t)bytes.size_bytes });
		file_bytes_deinit(&bytes);
	}
	close(fd);
	if (manifest->rows.count)
		qsort(manifest->rows.at, manifest->rows.count, sizeof(*manifest->rows.at),
		      compare_rows);
	if (manifest->identities.count)
		qsort(manifest->identities.at, manifest->identities.count,
		      sizeof(*manifest->identities.at), compare_identities);
	if (manifest->sources.count)
		qsort(manifest->sources.at, manifest->sources.count, sizeof(*manifest->sources.at),
		      compare_sources);
}

void bundle_manifest_deinit(struct bundle_manifest *manifest)
{
	arena_deinit(&manifest->arena);
	vec_free(&manifest->rows);
	vec_free(&manifest->identities);
	vec_free(&manifest->sources);
}

enum build_id_proof bundle_manifest_proof(const struct bundle_manifest *manifest,
					  const struct module *module, struct text path)
{
	const struct bundle_manifest_build_id key = {
		.path = path,
		.device_major = module->device_major,
		.device_minor = module->device_minor,
		.inode = module->inode,
		.inode_generation = module->inode_generation,
	};
	const struct bundle_manifest_build_id *row =
		manifest->identities.count
			? bsearch(&key, manifest->identities.at, manifest->identities.count,
				  sizeof(key), compare_identities)
			: NULL;

	return row && build_id_equal(&row->build_id, &module->build_id) ? row->proof : PROOF_NONE;
}

struct bundle_manifest_run bundle_manifest_find(const struct bundle_manifest *manifest,
						const struct module *module, struct text path)
{
	const struct bundle_manifest_row key = {
		.path = path,
		.device_major = module->device_major,
		.device_minor = module->device_minor,
		.inode = module->inode,
		.inode_generation = module->inode_generation,
	};
	size_t low = vec_count_first(&manifest->rows, row, compare_keys(row, &key) < 0);
	size_t end;

	for (end = low; end < manifest->rows.count; end++)
		if (compare_keys(&manifest->rows.at[end], &key) != 0)
			break;
	return (struct bundle_manifest_run){ manifest->rows.count ? manifest->rows.at + low : NULL,
					     end - low };
}

const struct bundle_manifest_lines *
bundle_manifest_find_source(const struct bundle_manifest *manifest, struct text path)
{
	size_t row =
		vec_count_first(&manifest->sources, source, text_compare(source->path, path) < 0);

	return row < manifest->sources.count && text_equal(manifest->sources.at[row].path, path)
		       ? &manifest->sources.at[row]
		       : NULL;
}
