/* SPDX-License-Identifier: MIT */
#include "profile/frame_name.h"

#include <inttypes.h>

#include "base/memory.h"
#include "base/strings.h"
#include "process/module_kind.h"
#include "profile/interpreter.h"

#define NAME_BYTES (LIMIT_SYMBOL_BYTES + 64)

static const char anonymous_namespace[] = "(anonymous namespace)";

static bool starts_with(const char *at, const char *end, const char *prefix)
{
	return text_has_prefix((struct text){ at, (uint32_t)(end - at) }, prefix);
}

/*
 * Whether the name is a Go method, such as net/http.(*Client).Do, whose parentheses are not an
 * argument list.
 */
static bool is_go_method(struct text name)
{
	const char *open = memmem(name.at, name.length, ".(", 2);

	return open && memmem(open + 2, name.length - (size_t)(open + 2 - name.at), ").", 2);
}

static bool opens_bracket(char c)
{
	return c == '<' || c == '{' || c == '[';
}

static bool closes_bracket(char c)
{
	return c == '>' || c == '}' || c == ']';
}

/* Finds the parenthesis that closes the one at `at` or, if there is none, the last character. */
static const char *last_of_group(const char *at, const char *end)
{
	unsigned depth = 0;

	for (; at < end - 1; at++) {
		depth += *at == '(';
		if (*at == ')' && --depth == 0)
			break;
	}
	return at;
}

/* Whether D template arguments begin here, as in writeln!(char[]). */
static bool opens_d_template(struct text name, const char *at)
{
	struct text before = { name.at, (uint32_t)(at - name.at) };

	return *at == '(' && text_has_suffix(before, "!") && !text_has_suffix(before, "operator!");
}

/* Finds the argument list: the first "(" that is not part of a name, or the end. */
static size_t arguments_at(struct text name, bool is_literal)
{
	const char *end = name.at + name.length;
	unsigned depth = 0;

	if (is_go_method(name))
		return name.length;
	for (const char *at = name.at; at < end; at++) {
		if (*at == '(' && starts_with(at, end, anonymous_namespace)) {
			at += sizeof(anonymous_namespace) - 2;
			continue;
		}
		if (!is_literal && opens_d_template(name, at)) {
			at = last_of_group(at, end);
			continue;
		}
		if (*at == '(' && (is_literal || (depth == 0 && at > name.at)))
			return (size_t)(at - name.at);
		if (is_literal)
			continue;
		/*
		 * operator(), operator< and operator-> are names, in which these characters are not
		 * brackets.
		 */
		if (starts_with(at, end, "operator")) {
			at += strlen("operator");
			if (starts_with(at, end, "()"))
				at++;
			while (at < end && strchr("<>-=!", *at))
				at++;
			at--;
			continue;
		}
		if (opens_bracket(*at))
			depth++;
		else if (closes_bracket(*at) && depth > 0)
			depth--;
	}
	return name.length;
}

/*
 * ";" separates frames, a newline separates stacks, and control characters could steer a terminal.
 */
static char folded_character(char c)
{
	if (c == ';')
		return ':';
	if (c == '\n' || c == '\r' || c == '\t')
		return ' ';
	return (unsigned char)c < ' ' || c == 0x7f ? '?' : c;
}

/* Copies a name, and replaces characters that a folded line cannot contain. Returns the length. */
static size_t copy_tidied(char *to, struct text from, const struct frame_naming *naming)
{
	size_t length = 0;

	for (uint32_t i = 0; i < from.length && length < NAME_BYTES; i++) {
		char c = from.at[i];

		if (c == '"' || c == '\'')
			continue;
		to[length++] = naming->keeps_separators ? c : folded_character(c);
	}
	return length;
}

/* Copies a name up to cut_length, or all of it if nothing would be left. Returns the length. */
static size_t copy_cut(char *to, struct text name, size_t cut_length,
		       const struct frame_naming *naming)
{
	struct text cut = { name.at, (uint32_t)cut_length };
	size_t length = copy_tidied(to, cut, naming);

	return length ? length : copy_tidied(to, name, naming);
}

static str_id tidied_up_to(struct strings *strings, struct text name, size_t cut_length,
			   const struct frame_naming *naming, bool is_java)
{
	char buffer[NAME_BYTES];
	const char *at = buffer;
	size_t length = copy_cut(buffer, name, cut_length, naming);

	if (length == 0)
		return strings_intern_text(strings, "[unknown]");
	if (is_java && *at == 'L' && memchr(at, '/', length)) {
		at++;
		length--;
	}
	return strings_intern(strings, at, length);
}

void frame_name_write(struct sink *sink, struct text name)
{
	static const struct frame_naming naming = { 0 };
	char buffer[NAME_BYTES];

	sink_bytes(sink, buffer, copy_cut(buffer, name, arguments_at(name, false), &naming));
}

static str_id tidied(struct strings *strings, struct text name, const struct frame_naming *naming,
		     bool is_java)
{
	size_t length =
		naming->keeps_arguments ? name.length : arguments_at(name, naming->uses_perf_names);

	return tidied_up_to(strings, name, length, naming, is_java);
}

/*
 * Whether parentheses in this name cannot be an argument list. In interpreted languages, a name can
 * end in a path, as in JS:~load /srv/app (copy)/main.js:1:1, or be a pattern, as in RegExp:(a|b)+.
 */
static bool has_no_arguments(const struct module *module, const struct location *location,
			     struct text name)
{
	bool is_jit = location->kind == LOCATION_JIT || module->kind == MODULE_ANONYMOUS ||
		      module->kind == MODULE_JITDUMP;

	return is_jit && interpreter_role_of(name).named_by;
}

/* Returns a name that a tool has already cleaned up, in which only separators are replaced. */
static str_id exact(struct strings *strings, struct text name, const struct frame_naming *naming)
{
	char *copy;
	str_id id;

	/* Names are NUL-terminated and contain no NUL. */
	if (naming->keeps_separators || !strpbrk(name.at, ";\n\r"))
		return strings_intern(strings, name.at, name.length);
	copy = memory_duplicate(name.at, name.length);
	for (uint32_t i = 0; i < name.length; i++)
		if (strchr(";\n\r", copy[i]))
			copy[i] = folded_character(copy[i]);
	id = strings_intern(strings, copy, name.length);
	memory_free(copy);
	return id;
}

str_id frame_name_of_module(struct strings *strings, const struct module *module)
{
	struct text path = strings_get(strings, module->path);
	char buffer[LIMIT_NAME_BYTES];

	switch (module->kind) {
	case MODULE_NONE:
		return strings_intern_text(strings, "[unknown]");
	case MODULE_ANONYMOUS:
		/* In texts, only the path of a perf map contains the PID. */
		if (!module->pid && path.length)
			return module->path;
		snprintf(buffer, sizeof(buffer), "/tmp/perf-%u.map", module->pid);
		return strings_intern_text(strings, buffer);
	case MODULE_KERNEL_MODULE:
		if (path.length && path.at[0] != '[') {
			struct text name = module_kernel_module_name(path);

			snprintf(buffer, sizeof(buffer), "[%.*s]", (int)name.length, name.at);
			return strings_intern_text(strings, buffer);
		}
		return module->path;
	default:
		return module->path;
	}
}

static struct text basename_of_module(struct strings *strings, const struct module *module)
{
	return text_basename(strings_get(strings, frame_name_of_module(strings, module)));
}

/* Returns the offset of a location in its module as perf script -F dsoff prints it. */
static uint64_t offset_in_module(const struct module *module, const struct location *location)
{
	bool is_relative = module->kind == MODULE_KERNEL || module->kind == MODULE_KERNEL_MODULE ||
			   module->kind == MODULE_KSYMBOL;

	if (is_relative && module->start && module->start <= location->address)
		return location->address - module->start;
	return location->address;
}

static str_id unnamed(struct strings *strings, const struct module *module,
		      const struct location *location, const struct frame_naming *naming)
{
	struct text name = basename_of_module(strings, module);
	bool is_bracketed = name.length > 0 && name.at[0] == '[';
	bool adds_brackets = !is_bracketed || naming->uses_perf_names;
	char buffer[NAME_BYTES + 32];
	size_t length = 0;

	if (module->kind == MODULE_NONE)
		return strings_intern_text(strings, "[unknown]");
	if (adds_brackets)
		buffer[length++] = '[';
	length += copy_tidied(buffer + length, name, naming);
	if (naming->shows_offsets) {
		/* The offset goes inside brackets. */
		length -= !adds_brackets && buffer[length - 1] == ']';
		length += (size_t)snprintf(buffer + length, sizeof(buffer) - length - 1,
					   "+0x%" PRIx64 "%s", offset_in_module(module, location),
					   adds_brackets ? "" : "]");
	}
	if (adds_brackets)
		buffer[length++] = ']';
	return strings_intern(strings, buffer, length);
}

str_id frame_name_of(struct strings *strings, const struct modules *modules,
		     const struct location *location, const struct frame_naming *naming,
		     bool is_java)
{
	const struct module *module = modules_get(modules, location->module);
	struct text name = strings_get(strings, location->name);

	if (location->is_exact)
		return exact(strings, name, naming);
	if (!location->is_named)
		return unnamed(strings, module, location, naming);
	if (!naming->uses_perf_names && has_no_arguments(module, location, name))
		return tidied_up_to(strings, name, name.length, naming, is_java);
	return tidied(strings, name, naming, is_java);
}

str_id frame_name_of_dso(struct strings *strings, const struct module *module)
{
	return frame_name_of_value(strings, basename_of_module(strings, module));
}

str_id frame_name_innermost(struct strings *strings, const struct modules *modules,
			    const struct locations *locations, location_id id,
			    const struct frame_naming *naming)
{
	const struct location *row = &locations->rows.at[id.i];

	return row->inlined_count ? locations_innermost_name(locations, id)
				  : frame_name_of(strings, modules, row, naming, false);
}

str_id frame_name_of_inlined(struct strings *strings, const struct inlined *inlined,
			     const struct frame_naming *naming, bool is_java)
{
	return tidied(strings, strings_get(strings, inlined->name), naming, is_java);
}

str_id frame_name_of_value(struct strings *strings, struct text value)
{
	char buffer[NAME_BYTES];
	size_t length = 0;

	for (uint32_t i = 0; i < value.length && length < sizeof(buffer); i++)
		buffer[length++] = folded_character(value.at[i]);
	if (length == 0)
		return strings_intern_text(strings, "[unknown]");
	return strings_intern(strings, buffer, length);
}

str_id frame_name_of_comm(struct strings *strings, struct text comm,
			  const struct frame_naming *naming)
{
	char buffer[NAME_BYTES];
	size_t length = 0;

	if (naming->has_exact_comms && comm.length)
		return exact(strings, comm, naming);
	for (uint32_t i = 0; i < comm.length && length < sizeof(buffer); i++) {
		char c = comm.at[i];

		if (!naming->keeps_separators)
			c = folded_character(c);
		buffer[length++] = c == ' ' && naming->folds_comms ? '_' : c;
	}
	/* A comm may be empty. */
	if (length == 0)
		return strings_intern_text(strings, "[unknown]");
	return strings_intern(strings, buffer, length);
}
