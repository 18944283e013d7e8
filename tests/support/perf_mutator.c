/* SPDX-License-Identifier: MIT */
#include "tests/support/perf_mutator.h"

#include "base/vec.h"
#include "libparse/perf/abi.h"
#include "libparse/perf/perf_file.h"
#include "tests/support/random.h"

#define HEADER_BYTES        104
#define HEADER_BYTES_PIPE   16
#define RECORD_HEADER_BYTES 8
#define SECTION_BYTES       16
#define RECORD_BYTES_MAX    65528u

/* Offsets in the header. */
enum {
	AT_SIZE = 8,
	AT_ENTRY_BYTES = 16,
	AT_ATTRS = 24,
	AT_DATA = 40,
	AT_EVENT_TYPES = 56,
	AT_FEATURES = 72,
};

enum kind {
	KIND_ATTR,
	KIND_IDS,     /* of the preceding attr */
	KIND_RECORD,  /* with its header */
	KIND_BEHIND,  /* bytes that follow a record, outside its size */
	KIND_FEATURE, /* of a number */
	KIND_EVENT_TYPES,
};

struct piece {
	enum kind kind;
	uint32_t number;
	byte_list bytes;
};

struct parts {
	bool is_big_endian, is_pipe;
	uint64_t attr_bytes;
	VEC(struct piece) pieces;
};

static uint64_t load(const struct parts *parts, const uint8_t *bytes, unsigned width)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < width; i++)
		value |= (uint64_t)bytes[parts->is_big_endian ? width - 1 - i : i] << 8 * i;
	return value;
}

static void store(const struct parts *parts, uint8_t *bytes, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++)
		bytes[parts->is_big_endian ? width - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

static void append(byte_list *list, const void *bytes, size_t size_bytes)
{
	vec_reserve(list, list->count + size_bytes);
	if (size_bytes)
		memcpy(list->at + list->count, bytes, size_bytes);
	list->count += size_bytes;
}

static void add_piece(struct parts *parts, enum kind kind, uint32_t number, const uint8_t *bytes,
		      size_t size_bytes)
{
	struct piece piece = { .kind = kind, .number = number };

	append(&piece.bytes, bytes, size_bytes);
	vec_push(&parts->pieces, piece);
}

static void free_parts(struct parts *parts)
{
	for (size_t i = 0; i < parts->pieces.count; i++)
		vec_free(&parts->pieces.at[i].bytes);
	vec_free(&parts->pieces);
}

/* A section, limited to the part that is in the file. */
static struct perf_section section_at(const struct parts *parts, const uint8_t *bytes,
				      size_t size_bytes, size_t at)
{
	struct perf_section section = { 0 };

	if (at + SECTION_BYTES > size_bytes)
		return section;
	section.offset = load(parts, bytes + at, 8);
	section.size_bytes = load(parts, bytes + at + 8, 8);
	if (section.offset > size_bytes)
		section.offset = size_bytes;
	if (section.size_bytes > size_bytes - section.offset)
		section.size_bytes = size_bytes - section.offset;
	return section;
}

static void take_records(struct parts *parts, const uint8_t *bytes, size_t size_bytes)
{
	while (size_bytes >= RECORD_HEADER_BYTES) {
		uint32_t type = (uint32_t)load(parts, bytes, 4);
		size_t record = (size_t)load(parts, bytes + 6, 2);
		uint64_t behind = 0;

		if (record < RECORD_HEADER_BYTES || record > size_bytes)
			return;
		if (type == RECORD_AUXTRACE && record >= 16)
			behind = load(parts, bytes + 8, 8);
		if (type == RECORD_HEADER_TRACING_DATA && record >= 12)
			behind = load(parts, bytes + 8, 4);
		if (behind > size_bytes - record)
			behind = size_bytes - record;
		add_piece(parts, KIND_RECORD, type, bytes, record);
		if (behind)
			add_piece(parts, KIND_BEHIND, type, bytes + record, (size_t)behind);
		bytes += record + behind;
		size_bytes -= record + (size_t)behind;
	}
}

static void take_attrs(struct parts *parts, const uint8_t *bytes, size_t size_bytes,
		       struct perf_section attrs)
{
	uint64_t entry = parts->attr_bytes + SECTION_BYTES;

	for (; attrs.size_bytes >= entry; attrs.offset += entry, attrs.size_bytes -= entry) {
		struct perf_section ids =
			section_at(parts, bytes, size_bytes, attrs.offset + parts->attr_bytes);

		add_piece(parts, KIND_ATTR, 0, bytes + attrs.offset, parts->attr_bytes);
		add_piece(parts, KIND_IDS, 0, bytes + ids.offset, ids.size_bytes);
	}
}

static void take_features(struct parts *parts, const uint8_t *bytes, size_t size_bytes, size_t at)
{
	for (uint32_t i = 0; i < PERF_FEATURE_BITS; i++) {
		struct perf_section section;

		if (!(load(parts, bytes + AT_FEATURES + i / 64 * 8, 8) >> i % 64 & 1))
			continue;
		section = section_at(parts, bytes, size_bytes, at);
		add_piece(parts, KIND_FEATURE, i, bytes + section.offset, section.size_bytes);
		at += SECTION_BYTES;
	}
}

static bool take_apart(struct parts *parts, const uint8_t *bytes, size_t size_bytes)
{
	struct perf_section data;
	struct perf_section types;

	*parts = (struct parts){ 0 };
	if (size_bytes < HEADER_BYTES_PIPE)
		return false;
	parts->is_big_endian = memcmp(bytes, "2ELIFREP", 8) == 0;
	if (!parts->is_big_endian && memcmp(bytes, "PERFILE2", 8) != 0)
		return false;
	parts->is_pipe = load(parts, bytes + AT_SIZE, 8) == HEADER_BYTES_PIPE;
	if (parts->is_pipe) {
		take_records(parts, bytes + HEADER_BYTES_PIPE, size_bytes - HEADER_BYTES_PIPE);
		return true;
	}
	if (size_bytes < HEADER_BYTES)
		return false;
	parts->attr_bytes = load(parts, bytes + AT_ENTRY_BYTES, 8) - SECTION_BYTES;
	if (parts->attr_bytes < ATTR_BYTES_VER0 || parts->attr_bytes > 4096)
		return false;
	take_attrs(parts, bytes, size_bytes, section_at(parts, bytes, size_bytes, AT_ATTRS));
	types = section_at(parts, bytes, size_bytes, AT_EVENT_TYPES);
	if (types.size_bytes)
		add_piece(parts, KIND_EVENT_TYPES, 0, bytes + types.offset, types.size_bytes);
	data = section_at(parts, bytes, size_bytes, AT_DATA);
	take_records(parts, bytes + data.offset, data.size_bytes);
	take_features(parts, bytes, size_bytes, data.offset + data.size_bytes);
	return true;
}

static size_t total_of(const struct parts *parts, enum kind kind)
{
	size_t total = 0;

	for (size_t i = 0; i < parts->pieces.count; i++)
		if (parts->pieces.at[i].kind == kind)
			total += parts->pieces.at[i].bytes.count;
	return total;
}

/* Appends all pieces of a kind, and returns the section that contains them. */
static struct perf_section put_kind(const struct parts *parts, enum kind kind, byte_list *out)
{
	struct perf_section section = { out->count, total_of(parts, kind) };

	for (size_t i = 0; i < parts->pieces.count; i++)
		if (parts->pieces.at[i].kind == kind)
			append(out, parts->pieces.at[i].bytes.at, parts->pieces.at[i].bytes.count);
	return section;
}

static void put_section(const struct parts *parts, byte_list *out, size_t at,
			struct perf_section section)
{
	store(parts, out->at + at, 8, section.offset);
	store(parts, out->at + at + 8, 8, section.size_bytes);
}

static void put_zeros(byte_list *out, size_t count)
{
	vec_reserve(out, out->count + count);
	memset(out->at + out->count, 0, count);
	out->count += count;
}

/* Puts the attrs, each with the section of its ids; the ids of all attrs begin at ids.offset. */
static struct perf_section put_attrs(const struct parts *parts, struct perf_section ids,
				     byte_list *out)
{
	struct perf_section attrs = { out->count, 0 };

	for (size_t i = 0; i < parts->pieces.count; i++) {
		const struct piece *piece = &parts->pieces.at[i];

		if (piece->kind == KIND_ATTR) {
			append(out, piece->bytes.at, piece->bytes.count);
			put_zeros(out, SECTION_BYTES);
		} else if (piece->kind == KIND_IDS) {
			ids.size_bytes = piece->bytes.count;
			if (out->count > attrs.offset)
				put_section(parts, out, out->count - SECTION_BYTES, ids);
			ids.offset += ids.size_bytes;
		}
	}
	attrs.size_bytes = out->count - attrs.offset;
	return attrs;
}

/* Puts a record, and after it the bytes of behind, which its size does not include; NULL: none. */
static void put_record(const struct parts *parts, const struct piece *record,
		       const struct piece *behind, byte_list *out)
{
	uint32_t type = (uint32_t)load(parts, record->bytes.at, 4);
	size_t begin = out->count;

	append(out, record->bytes.at, record->bytes.count);
	if (type == RECORD_AUXTRACE && record->bytes.count >= 16)
		store(parts, out->at + begin + 8, 8, behind ? behind->bytes.count : 0);
	else if (type == RECORD_HEADER_TRACING_DATA && record->bytes.count >= 12)
		store(parts, out->at + begin + 8, 4, behind ? behind->bytes.count : 0);
	else
		return;
	if (behind)
		append(out, behind->bytes.at, behind->bytes.count);
}

static struct perf_section put_records(const struct parts *parts, byte_list *out)
{
	struct perf_section data = { out->count, 0 };

	for (size_t i = 0; i < parts->pieces.count; i++) {
		const struct piece *next =
			i + 1 < parts->pieces.count ? &parts->pieces.at[i + 1] : NULL;

		if (parts->pieces.at[i].kind == KIND_RECORD && parts->pieces.at[i].bytes.count)
			put_record(parts, &parts->pieces.at[i],
				   next && next->kind == KIND_BEHIND ? next : NULL, out);
	}
	data.size_bytes = out->count - data.offset;
	return data;
}

/* Puts the features in the order of their numbers; of several with one number, the first. */
static void put_features(const struct parts *parts, byte_list *out)
{
	const struct piece *chosen[PERF_FEATURE_BITS] = { NULL };
	size_t table = out->count;
	size_t count = 0;

	for (size_t i = parts->pieces.count; i-- > 0;)
		if (parts->pieces.at[i].kind == KIND_FEATURE)
			chosen[parts->pieces.at[i].number] = &parts->pieces.at[i];
	for (size_t i = 0; i < PERF_FEATURE_BITS; i++)
		count += chosen[i] != NULL;
	put_zeros(out, count * SECTION_BYTES);
	for (size_t i = 0; i < PERF_FEATURE_BITS; i++) {
		uint8_t *word = out->at + AT_FEATURES + i / 64 * 8;

		if (!chosen[i])
			continue;
		store(parts, word, 8, load(parts, word, 8) | 1ull << i % 64);
		put_section(parts, out, table,
			    (struct perf_section){ out->count, chosen[i]->bytes.count });
		append(out, chosen[i]->bytes.at, chosen[i]->bytes.count);
		table += SECTION_BYTES;
	}
}

static void put_together(const struct parts *parts, byte_list *out)
{
	struct perf_section ids;

	out->count = 0;
	append(out, parts->is_big_endian ? "2ELIFREP" : "PERFILE2", 8);
	put_zeros(out, (parts->is_pipe ? HEADER_BYTES_PIPE : HEADER_BYTES) - out->count);
	store(parts, out->at + AT_SIZE, 8, out->count);
	if (parts->is_pipe) {
		put_records(parts, out);
		return;
	}
	store(parts, out->at + AT_ENTRY_BYTES, 8, parts->attr_bytes + SECTION_BYTES);
	ids = put_kind(parts, KIND_IDS, out);
	put_section(parts, out, AT_EVENT_TYPES, put_kind(parts, KIND_EVENT_TYPES, out));
	put_section(parts, out, AT_ATTRS, put_attrs(parts, ids, out));
	put_section(parts, out, AT_DATA, put_records(parts, out));
	put_features(parts, out);
}

/* Drops records from the end until the capture fits. Returns its size; 0: it cannot fit. */
static size_t write_out(struct parts *parts, uint8_t *ret, size_t capacity_bytes)
{
	byte_list out = { 0 };
	size_t size_bytes;

	put_together(parts, &out);
	for (size_t i = parts->pieces.count; i-- > 0 && out.count > capacity_bytes;) {
		struct piece *piece = &parts->pieces.at[i];

		if (piece->kind != KIND_RECORD && piece->kind != KIND_BEHIND)
			continue;
		out.count -= piece->bytes.count;
		piece->bytes.count = 0;
	}
	put_together(parts, &out);
	size_bytes = out.count <= capacity_bytes ? out.count : 0;
	memcpy(ret, out.at, size_bytes);
	vec_free(&out);
	return size_bytes;
}

static struct piece *pick(struct parts *parts, struct random *random)
{
	return &parts->pieces.at[random_below(random, (uint32_t)parts->pieces.count)];
}

/* Inserts a copy before a random piece of the same group, so that ids stay after an attr. */
static void insert_copy(struct parts *parts, const struct piece *from, struct random *random)
{
	struct piece copy = { .kind = from->kind, .number = from->number };
	size_t at = random_below(random, (uint32_t)parts->pieces.count + 1);

	append(&copy.bytes, from->bytes.at, from->bytes.count);
	if (copy.kind == KIND_ATTR)
		copy.bytes.count = (size_t)parts->attr_bytes < copy.bytes.count
					   ? (size_t)parts->attr_bytes
					   : copy.bytes.count;
	if (copy.kind == KIND_ATTR && copy.bytes.count < parts->attr_bytes)
		put_zeros(&copy.bytes, (size_t)parts->attr_bytes - copy.bytes.count);
	vec_push(&parts->pieces, copy);
	memmove(&parts->pieces.at[at + 1], &parts->pieces.at[at],
		(parts->pieces.count - 1 - at) * sizeof(copy));
	parts->pieces.at[at] = copy;
}

static void remove_piece(struct parts *parts, struct piece *piece)
{
	size_t at = (size_t)(piece - parts->pieces.at);

	vec_free(&piece->bytes);
	memmove(piece, piece + 1, (parts->pieces.count - 1 - at) * sizeof(*piece));
	parts->pieces.count--;
}

static uint32_t random_type(struct random *random)
{
	return random_below(random, 3)
		       ? 1 + random_below(random, RECORD_KERNEL_END)
		       : RECORD_USER_BEGIN +
				 random_below(random, RECORD_USER_END - RECORD_USER_BEGIN + 1);
}

/*
 * Copies a word from another place, because ids, times, addresses and lengths occur in several
 * places.
 */
static void copy_word(struct parts *parts, struct piece *to, struct random *random)
{
	const struct piece *from = pick(parts, random);
	size_t width = random_below(random, 2) ? 8 : 4;
	size_t head = to->kind == KIND_RECORD ? RECORD_HEADER_BYTES : 0;
	size_t words = from->bytes.count / width;

	if (!words || to->bytes.count < head + width)
		return;
	memcpy(to->bytes.at + head +
		       random_below(random, (uint32_t)((to->bytes.count - head) / width)) * width,
	       from->bytes.at + random_below(random, (uint32_t)words) * width, width);
}

/* Calls mutate to change the content of a piece, and corrects the size of a record. */
static void change_bytes(struct parts *parts, struct piece *piece, struct random *random,
			 perf_mutator_bytes *mutate)
{
	size_t head = piece->kind == KIND_RECORD ? RECORD_HEADER_BYTES : 0;
	size_t size = piece->bytes.count - head;
	size_t most = piece->kind == KIND_ATTR ? size : size + 64;

	if (head + most > RECORD_BYTES_MAX)
		most = size;
	vec_reserve(&piece->bytes, head + most + 8);
	if (mutate && most)
		size = mutate(piece->bytes.at + head, size, most);
	else if (size)
		piece->bytes.at[head + random_below(random, (uint32_t)size)] ^=
			(uint8_t)(1u << random_below(random, 8));
	piece->bytes.count = head + size;
	if (piece->kind == KIND_ATTR)
		put_zeros(&piece->bytes, (size_t)parts->attr_bytes - size);
	else if (piece->kind != KIND_BEHIND && piece->kind != KIND_EVENT_TYPES)
		put_zeros(&piece->bytes, -piece->bytes.count % 8);
	if (piece->kind == KIND_RECORD)
		store(parts, piece->bytes.at + 6, 2, piece->bytes.count);
}

static void change_record(struct parts *parts, struct piece *piece, struct random *random)
{
	if (piece->kind == KIND_FEATURE)
		piece->number = random_below(random, 4)
					? 1 + random_below(random, FEATURE_CLN_SIZE)
					: FEATURE_SIMPLEPERF_FILE + random_below(random, 5);
	if (piece->kind != KIND_RECORD)
		return;
	if (random_below(random, 2))
		store(parts, piece->bytes.at, 4, random_type(random));
	else
		store(parts, piece->bytes.at + 4, 2, 1u << random_below(random, 16));
}

static void change(struct parts *parts, struct random *random, perf_mutator_bytes *mutate)
{
	struct piece *piece = pick(parts, random);
	struct piece *other = pick(parts, random);
	byte_list swap = piece->bytes;

	switch (random_below(random, 8)) {
	case 0:
		if (parts->pieces.count > 2 && piece->kind != KIND_IDS)
			remove_piece(parts, piece);
		return;
	case 1:
		insert_copy(parts, piece, random);
		return;
	case 2:
		if (piece->kind != other->kind)
			return;
		piece->bytes = other->bytes;
		other->bytes = swap;
		return;
	case 3:
		change_record(parts, piece, random);
		return;
	case 4:
	case 5:
		copy_word(parts, piece, random);
		return;
	default:
		change_bytes(parts, piece, random, mutate);
	}
}

size_t perf_mutator_mutate(uint8_t *bytes, size_t size_bytes, size_t capacity_bytes, uint32_t seed,
			   perf_mutator_bytes *mutate)
{
	struct random random = { 0x9e3779b97f4a7c15u ^ seed };
	struct parts parts;
	uint32_t changes = 1 + random_below(&random, 4);
	size_t ret = 0;

	if (take_apart(&parts, bytes, size_bytes) && parts.pieces.count) {
		while (changes--)
			change(&parts, &random, mutate);
		ret = write_out(&parts, bytes, capacity_bytes);
	}
	free_parts(&parts);
	return ret;
}

size_t perf_mutator_cross(const uint8_t *bytes, size_t size_bytes, const uint8_t *other,
			  size_t other_bytes, uint8_t *ret, size_t capacity_bytes, uint32_t seed)
{
	struct random random = { 0x9e3779b97f4a7c15u ^ seed };
	struct parts parts = { 0 };
	struct parts from = { 0 };
	size_t made = 0;

	if (take_apart(&parts, bytes, size_bytes) && take_apart(&from, other, other_bytes) &&
	    parts.pieces.count && from.pieces.count && parts.is_big_endian == from.is_big_endian) {
		for (uint32_t i = 1 + random_below(&random, 8); i-- > 0;) {
			const struct piece *piece = pick(&from, &random);

			/* A pipe has records only. */
			if (!parts.is_pipe || piece->kind == KIND_RECORD)
				insert_copy(&parts, piece, &random);
		}
		made = write_out(&parts, ret, capacity_bytes);
	}
	free_parts(&parts);
	free_parts(&from);
	return made;
}
