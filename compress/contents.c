/* SPDX-License-Identifier: MIT */
#include "compress/contents.h"

#include "base/scan.h"
#include "base/strings.h"

/*
 * Maximum number of lookups for following the links of one archive. A link in a sysroot needs about
 * five lookups, and more if its path is long.
 */
#define LIMIT_LINK_STEPS ((size_t)1 << 23)

/* Files begin at multiples of 64 bytes, as ELF structures require. */
#define ALIGN_BYTES 64

/* The kernel follows at most 40 links, and then fails with ELOOP. */
#define LINKS_MAX 40

/* The number of bytes of a path that count as one of LIMIT_LINK_STEPS. */
#define STEP_BYTES 64

#define NONE_OPEN SIZE_MAX

void contents_init(struct contents *contents)
{
	*contents = (struct contents){
		.spool = { .fd = -1 },
		.open = NONE_OPEN,
		.steps_left = LIMIT_LINK_STEPS,
	};
	arena_init(&contents->arena);
}

void contents_deinit(struct contents *contents)
{
	arena_deinit(&contents->arena);
	input_close(&contents->spool);
	vec_free(&contents->members);
}

/*
 * A normalised path from the root of the archive: no empty or "." parts, and ".." stops at the
 * root.
 */
struct path {
	char at[LIMIT_NAME_BYTES + 1];
	size_t length;
};

static void drop_component(struct path *path)
{
	while (path->length && path->at[path->length - 1] != '/')
		path->length--;
	if (path->length)
		path->length--;
}

static bool add_component(struct path *path, struct text component)
{
	if (component.length == 0 || text_is(component, "."))
		return true;
	if (text_is(component, "..")) {
		drop_component(path);
		return true;
	}
	if (path->length + component.length + 1 > LIMIT_NAME_BYTES)
		return false;
	if (path->length)
		path->at[path->length++] = '/';
	memcpy(path->at + path->length, component.at, component.length);
	path->length += component.length;
	return true;
}

/* Appends to a path. Returns false if the path would become too long. */
static bool add_path(struct path *path, struct text text)
{
	for (uint32_t begin = 0; begin < text.length;) {
		const char *slash = memchr(text.at + begin, '/', text.length - begin);
		uint32_t end = slash ? (uint32_t)(slash - text.at) : text.length;

		if (!add_component(path, (struct text){ text.at + begin, end - begin }))
			return false;
		begin = end + 1;
	}
	return true;
}

static struct text path_text(const struct path *path)
{
	return (struct text){ path->at, (uint32_t)path->length };
}

/* Symbol lists begin with a hexadecimal number and a blank. */
static bool looks_like_symbols(struct text head)
{
	uint64_t ignored;

	return scan_hex(&head, &ignored) && head.length && *head.at == ' ';
}

/*
 * Whether the file is a compressed kernel module, for example from perf's cache, or a compressed
 * file of a symbol store (object/store.h).
 */
static bool is_compressed_object(struct text base, struct span head)
{
	static const char *const prefixes[] = { "elf.", "debug.", "executable.", "debuginfo." };

	if (!extract_format(head))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_has_prefix(base, prefixes[i]))
			return true;
	return memmem(base.at, base.length, ".ko.", 4) ||
	       memmem(base.at, base.length, ".debug.", 7) || text_is(base, "elf") ||
	       text_is(base, "debug");
}

static bool is_source(struct span head)
{
	return text_has_prefix((struct text){ (const char *)head.at, (uint32_t)span_left(&head) },
			       CONTENTS_SOURCE_NAME "\t");
}

static bool names_frames(struct text name, struct span head)
{
	struct text start = { (const char *)head.at, (uint32_t)span_left(&head) };
	struct text base = text_basename(name);

	return is_compressed_object(base, head) || text_has_prefix(start, "\177ELF") ||
	       text_has_prefix(start, "DTiJ") || text_has_prefix(start, "JiTD") ||
	       looks_like_symbols(start) || text_has_prefix(base, "kallsyms") ||
	       text_has_prefix(base, "System.map") ||
	       (text_has_prefix(base, "perf-") && text_has_suffix(base, ".map")) ||
	       text_is(name, CONTENTS_MANIFEST_NAME);
}

static struct contents_member *add_member(struct contents *contents, const struct path *path)
{
	size_t order = contents->members.count;

	vec_push(&contents->members,
		 (struct contents_member){
			 .name = { arena_text(&contents->arena, path->at, path->length),
				   (uint32_t)path->length },
			 .begin = contents->spool.size_bytes,
			 .order = order,
		 });
	return &contents->members.at[order];
}

/* Ends the last file, so that bytes added later do not belong to it. */
static void end_file(struct contents *contents)
{
	struct contents_member *member;

	if (contents->open == NONE_OPEN)
		return;
	member = &contents->members.at[contents->open];
	member->size_bytes = contents->spool.size_bytes - member->begin;
	contents->open = NONE_OPEN;
}

static bool align(struct input *spool, struct error *err)
{
	static const char zeros[ALIGN_BYTES];
	size_t padding = (size_t)(-spool->size_bytes % ALIGN_BYTES);

	return !padding || input_append_spool(spool, zeros, padding, err);
}

bool contents_add_file(struct contents *contents, struct text name, struct span head,
		       struct input **ret, struct error *err)
{
	struct path path = { .length = 0 };
	struct contents_member *member;

	*ret = NULL;
	if (!add_path(&path, name) || !path.length ||
	    !(is_source(head) || names_frames(path_text(&path), head)))
		return true;
	if (contents->spool.fd < 0 && !input_create_spool(&contents->spool, contents->space, err)) {
		input_close(&contents->spool);
		return false;
	}
	end_file(contents);
	if (!align(&contents->spool, err))
		return false;
	member = add_member(contents, &path);
	member->is_source = is_source(head);
	contents->open = member->order;
	*ret = &contents->spool;
	return true;
}

void contents_add_link(struct contents *contents, struct text name, struct text target,
		       bool is_hard)
{
	struct path path = { .length = 0 };
	struct path to = { .length = 0 };

	if (!add_path(&path, name) || !path.length)
		return;
	/* The target of a relative symbolic link starts at the link's directory. */
	if (!is_hard && !text_has_prefix(target, "/")) {
		to = path;
		drop_component(&to);
	}
	if (!add_path(&to, target))
		return;
	add_member(contents, &path)->target =
		(struct text){ arena_text(&contents->arena, to.at, to.length),
			       (uint32_t)to.length };
}

static int compare_members(const void *a, const void *b)
{
	const struct contents_member *left = a;
	const struct contents_member *right = b;
	int order = text_compare(left->name, right->name);

	return order ? order : (left->order > right->order) - (left->order < right->order);
}

/*
 * Keeps only the last of several files with the same name. The order of the other files stays the
 * same.
 */
static void drop_repeated(struct contents *contents)
{
	struct contents_member *at = contents->members.at;
	size_t kept = 0;

	for (size_t i = 0; i < contents->members.count; i++)
		if (i + 1 == contents->members.count || !text_equal(at[i].name, at[i + 1].name))
			at[kept++] = at[i];
	contents->members.count = kept;
}

static const struct contents_member *find(const struct contents *contents, struct text name)
{
	size_t low = 0;
	size_t high = contents->members.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = text_compare(contents->members.at[middle].name, name);

		if (order == 0)
			return &contents->members.at[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/*
 * Whether a further name of this length may be looked up. Longer names count more, because
 * comparing them takes longer.
 */
static bool take_step(struct contents *contents, size_t length)
{
	size_t price = 1 + length / STEP_BYTES;

	if (contents->steps_left < price)
		return false;
	contents->steps_left -= price;
	return true;
}

/*
 * Returns the first link on the path, and the length of the path up to it. Returns NULL if there is
 * no link.
 */
static const struct contents_member *find_link_on(struct contents *contents,
						  const struct path *path, size_t *length_ret)
{
	for (size_t length = 1; length <= path->length; length++) {
		const struct contents_member *member;

		if (length < path->length && path->at[length] != '/')
			continue;
		if (!take_step(contents, length))
			return NULL;
		member = find(contents, (struct text){ path->at, (uint32_t)length });
		if (member && member->target.at) {
			*length_ret = length;
			return member;
		}
	}
	return NULL;
}

/* Returns the file to which a link finally leads, or NULL if it is not in the archive. */
static const struct contents_member *follow(struct contents *contents, struct text target)
{
	struct path paths[2];
	struct path *path = &paths[0];
	struct path *next = &paths[1];

	path->length = 0;
	if (!add_path(path, target))
		return NULL;
	for (int i = 0; i < LINKS_MAX && take_step(contents, path->length); i++) {
		struct path *last = path;
		size_t length;
		const struct contents_member *link = find_link_on(contents, path, &length);

		if (!link)
			return find(contents, path_text(path));
		next->length = 0;
		if (!add_path(next, link->target) ||
		    !add_path(next, (struct text){ path->at + length,
						   (uint32_t)(path->length - length) }))
			return NULL;
		path = next;
		next = last;
	}
	return NULL;
}

static void resolve_links(struct contents *contents)
{
	size_t kept = 0;

	/* First follow all links, then change them, because a link may lead through other links. */
	for (size_t i = 0; i < contents->members.count; i++) {
		struct contents_member *member = &contents->members.at[i];
		const struct contents_member *file =
			member->target.at ? follow(contents, member->target) : NULL;

		if (file) {
			member->begin = file->begin;
			member->is_source = file->is_source;
			member->size_bytes = file->size_bytes;
		} else if (member->target.at) {
			member->size_bytes = 0;
		}
	}
	for (size_t i = 0; i < contents->members.count; i++) {
		struct contents_member *member = &contents->members.at[i];

		if (member->target.at && !member->size_bytes)
			continue;
		member->target = (struct text){ .at = NULL };
		contents->members.at[kept++] = *member;
	}
	contents->members.count = kept;
}

void contents_finish(struct contents *contents)
{
	end_file(contents);
	if (contents->members.count)
		qsort(contents->members.at, contents->members.count, sizeof(*contents->members.at),
		      compare_members);
	drop_repeated(contents);
	resolve_links(contents);
}

const struct contents_member *contents_find(const struct contents *contents, struct text name)
{
	return find(contents, name);
}
