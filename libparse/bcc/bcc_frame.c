/* SPDX-License-Identifier: MIT */
#include "libparse/bcc/bcc_frame.h"

#include "base/scan.h"
#include "libparse/text.h"

static struct text drop_front(struct text text, uint32_t length)
{
	return text_trim((struct text){ text.at + length, text.length - length });
}

/* Removes a frame number, "#3 " or "3 ", before an address. */
static struct text drop_number(struct text line)
{
	struct text rest = line;
	struct text word;

	if (!text_next_word(&rest, &word))
		return line;
	if (word.at[0] == '#')
		word = (struct text){ word.at + 1, word.length - 1 };
	else if (!text_has_prefix(text_trim(rest), "[<"))
		return line;
	for (uint32_t i = 0; i < word.length; i++)
		if (word.at[i] < '0' || word.at[i] > '9')
			return line;
	return word.length ? text_trim(rest) : line;
}

/* An address at the start, up to a blank or the end: bare, with 0x, or as [<...>]. */
static struct text read_address(struct text line, uint64_t *ret)
{
	bool is_wrapped = text_has_prefix(line, "[<");
	bool has_prefix = text_has_prefix(line, "0x");
	struct text rest = is_wrapped ? drop_front(line, 2) : line;
	uint64_t address;
	uint32_t length;

	if (!scan_hex(&rest, &address))
		return line;
	length = (uint32_t)(rest.at - line.at);
	if (is_wrapped) {
		if (!text_has_prefix(rest, ">]"))
			return line;
		rest = (struct text){ rest.at + 2, rest.length - 2 };
	} else if (!has_prefix && length < 8) {
		return line;
	}
	if (rest.length && rest.at[0] != ' ' && rest.at[0] != '\t')
		return line;
	*ret = address;
	return text_trim(rest);
}

struct text bcc_unquoted(struct text name)
{
	char quote = name.length > 3 && name.at[0] == 'b' ? name.at[1] : '\0';

	if ((quote != '\'' && quote != '"') || name.at[name.length - 1] != quote)
		return name;
	return (struct text){ name.at + 2, name.length - 3 };
}

/* Removes "+0x1f" from the end. */
static struct text drop_offset(struct text name, uint64_t *offset_ret)
{
	const char *plus = name.length ? memrchr(name.at, '+', name.length) : NULL;
	struct text digits;
	uint64_t offset;

	if (!plus || plus == name.at)
		return name;
	digits = (struct text){ plus + 1, name.length - (uint32_t)(plus + 1 - name.at) };
	if (!text_has_prefix(digits, "0x") || !scan_hex(&digits, &offset) || digits.length)
		return name;
	*offset_ret = offset;
	name.length = (uint32_t)(plus - name.at);
	return name;
}

/* Removes " [libc.so.6]" or " (/lib/libc.so.6+0x2724a)" from the end. */
static struct text read_module(struct text line, struct text *ret)
{
	char closing = line.length ? line.at[line.length - 1] : '\0';
	char opening = closing == ']' ? '[' : '(';
	uint64_t ignored = 0;
	uint32_t begin = line.length;

	if (closing != ']' && closing != ')')
		return line;
	while (begin && line.at[begin - 1] != opening)
		begin--;
	/*
	 * Function names can also contain brackets, but only the brackets of a module follow a
	 * blank.
	 */
	if (begin < 3 || line.at[begin - 2] != ' ')
		return line;
	*ret = drop_offset((struct text){ line.at + begin, line.length - begin - 1 }, &ignored);
	return text_trim((struct text){ line.at, begin - 1 });
}

void bcc_frame_parse(struct text line, struct event_frame *ret)
{
	struct text rest = read_address(drop_number(text_trim(line)), &ret->address);

	ret->module = (struct text){ "", 0 };
	rest = read_module(bcc_unquoted(rest), &ret->module);
	if (text_is(ret->module, "unknown"))
		ret->module.length = 0;
	ret->name = drop_offset(rest, &ret->offset);
	if (text_is(ret->name, "[unknown]") || text_is(ret->name, "<null sym>"))
		ret->name.length = 0;
}

void bcc_read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		    void *context)
{
	struct event_frame frame = { .name = { "", 0 }, .module = { "", 0 } };

	(void)reader;
	if (text_is_indented(raw)) {
		frame.name = bcc_unquoted((struct text){ raw.at + 1, raw.length - 1 });
		frame.is_exact = frame.name.length > 0;
	} else {
		frame.is_kernel = raw.length && raw.at[raw.length - 1] == '\n';
		raw.length -= frame.is_kernel;
		bcc_frame_parse(raw, &frame);
	}
	if (text_is(frame.module, "kernel")) {
		frame.module.length = 0;
		frame.is_kernel = true;
	}
	/* Keep the brackets around names of kernel modules. */
	if (frame.is_kernel && frame.module.length && frame.module.at[-1] == '[' &&
	    frame.module.at[frame.module.length] == ']')
		frame.module = (struct text){ frame.module.at - 1, frame.module.length + 2 };
	if (text_has_suffix(frame.name, "_[k]") && !frame.is_exact) {
		frame.name.length -= 4;
		frame.is_kernel = true;
	}
	callback(context, &frame);
}
