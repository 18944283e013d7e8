/* SPDX-License-Identifier: MIT */
#include "libparse/detect.h"

#include "libparse/banner.h"
#include "libparse/foreign.h"
#include "libparse/text.h"

/* The number of initial bytes that the error message shows. */
#define SHOWN_BYTES ((size_t)32)

/* The most confident formats. */
struct best {
	struct evidence evidence;
	const struct input_format *formats[2];
	size_t count;
};

static struct best find_best(struct span head, enum confidence least)
{
	struct best best = { .evidence.confidence = least };

	for (const struct input_format *const *at = formats_table; *at; at++) {
		struct evidence evidence = (*at)->probe(head);

		if (!evidence.confidence || evidence.confidence < best.evidence.confidence)
			continue;
		if (evidence.confidence > best.evidence.confidence || !best.count)
			best = (struct best){ .evidence = evidence };
		if (best.count < ARRAY_SIZE(best.formats))
			best.formats[best.count] = *at;
		best.count++;
	}
	return best;
}

/* The format that matches after the fewest lines; *head becomes these lines. */
static struct best find_first(struct span *head, struct best all)
{
	const unsigned char *at = head->begin;

	while ((at = memchr(at, '\n', (size_t)(head->end - at)))) {
		struct span lines;
		struct best best;

		at++;
		lines = span_of(head->begin, (size_t)(at - head->begin), 0, false);
		best = find_best(lines, all.evidence.confidence);
		if (!best.count)
			continue;
		*head = lines;
		return best;
	}
	return all;
}

static bool is_plain(unsigned char byte)
{
	return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

/*
 * Whether the head is the beginning of a single line: a very long folded stack, or a text that lost
 * its newlines.
 */
static bool is_one_line(struct span head)
{
	return span_left(&head) >= FORMAT_HEAD_BYTES && is_plain(*head.at) &&
	       !memchr(head.at, '\n', span_left(&head));
}

/* Whether the first line is a heading that bpftrace and BCC print before they record. */
static bool begins_with_banner(struct span head)
{
	const char *at = (const char *)head.at;
	struct text line;

	return text_next_line(&at, (const char *)head.end, true, &line) && banner_is(line) &&
	       (text_has_prefix(line, "Sampling at ") ||
		memmem(line.at, line.length, "...", strlen("...")));
}

static bool refuse_unknown(struct span head, struct error *err)
{
	char shown[4 * SHOWN_BYTES + 1] = "";
	size_t count = span_left(&head) < SHOWN_BYTES ? span_left(&head) : SHOWN_BYTES;
	size_t length = 0;
	size_t zero_count = 0;

	while (zero_count < span_left(&head) && !head.at[zero_count])
		zero_count++;
	for (size_t i = 0; i < count; i++)
		length += (size_t)snprintf(shown + length, sizeof(shown) - length,
					   is_plain(head.at[i]) ? "%c" : "\\x%02x", head.at[i]);
	if (foreign_refuse_table(head, err))
		return false;
	if (zero_count == span_left(&head))
		return error_set(err, ERROR_FORMAT,
				 "begins with %zu zero byte%s; the recording was not completed, or "
				 "the disk was full",
				 zero_count, zero_count == 1 ? "" : "s");
	if (begins_with_banner(head))
		return error_set(err, ERROR_FORMAT,
				 "begins with a heading of bpftrace or BCC, but no map, table or "
				 "stack with a count follows; check whether anything was recorded");
	return error_set(err, ERROR_FORMAT,
			 "is not in any known format; %s begins with \"%s\"; kiln --help lists the "
			 "formats",
			 is_one_line(head) ? "its first line, which is very long," : "it", shown);
}

static bool refuse_two(const struct best *best, struct error *err)
{
	return error_set(err, ERROR_FORMAT,
			 "may be in the format %s or %s; choose one with "
			 "--input-format",
			 best->formats[0]->name, best->formats[1]->name);
}

const struct input_format *detect(struct span head, struct evidence *ret, struct error *err)
{
	struct best best = find_best(head, CONFIDENCE_PERHAPS);
	struct best earliest;
	struct span first = head;

	if (best.evidence.confidence < CONFIDENCE_CERTAIN && foreign_refuse_magic(head, err))
		return NULL;
	earliest = best.count ? find_first(&first, best) : best;
	if (best.count > 1)
		best = earliest;
	/*
	 * Only the lines that led to this result are checked, because later lines may belong to a
	 * different capture.
	 */
	if ((!best.count || best.evidence.confidence < CONFIDENCE_LIKELY) &&
	    foreign_refuse_text(first, err))
		return NULL;
	if (best.count != 1) {
		best.count ? refuse_two(&best, err) : refuse_unknown(head, err);
		return NULL;
	}
	/*
	 * Probe again, because the evidence must refer to the whole head, not only to those lines.
	 */
	*ret = best.formats[0]->probe(head);
	return best.formats[0];
}

const struct input_format *detect_first(const struct input_format *const *formats, struct span head,
					struct evidence *ret)
{
	/* Texts do not contain zero bytes. */
	if (memchr(head.at, '\0', span_left(&head)))
		return NULL;
	for (const struct input_format *const *at = formats; at && *at; at++) {
		*ret = (*at)->probe(head);
		if (ret->confidence)
			return *at;
	}
	return NULL;
}
