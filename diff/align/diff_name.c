/* SPDX-License-Identifier: MIT */
#include "diff/align/diff_name.h"

#include "base/scan.h"
#include "base/vec.h"

/* A hexadecimal number with fewer digits does not count as an address or id. */
#define ID_DIGITS_MIN 8
/* The hash at the end of a Rust name: ::h and 16 digits. */
#define RUST_HASH_DIGITS 16

static uint32_t digits_at(struct text text, uint32_t at)
{
	return scan_digits_length(text_from(text, at));
}

static uint32_t hex_at(struct text text, uint32_t at)
{
	uint32_t count = 0;

	while (at + count < text.length && is_hex_digit(text.at[at + count]))
		count++;
	return count;
}

static bool has_at(struct text text, uint32_t at, const char *part)
{
	return text_has_prefix((struct text){ text.at + at, text.length - at }, part);
}

static bool ends_word(struct text text, uint32_t at)
{
	return at == text.length || !is_alphanumeric(text.at[at]);
}

/*
 * Suffixes that compilers append: parse.isra.0, parse.cold. Includes all that kiln itself removes
 * from the names of symbols (symbolise/demangle/display_name.c), because texts from other tools
 * have them. Without its number, a suffix can be a method: java/lang/String.split, Object.clone.
 */
static const struct {
	const char *text;
	bool needs_number;
} suffixes[] = {
	{ ".isra", true },        { ".constprop", true },    { ".part", true },
	{ ".llvm", true },        { ".lto_priv", true },     { ".split", true },
	{ ".clone", true },       { ".__uniq", true },       { ".__part", true },
	{ ".specialized", true }, { ".cold", false },        { ".warm", false },
	{ ".localalias", false }, { ".local_alias", false }, { ".abi0", false },
};

/* Length of the name without the hash that LLVM appends: parse.llvm.3F9A0B12. */
static uint32_t before_hash(struct text name)
{
	static const char suffix[] = ".llvm.";
	uint32_t end = name.length;

	while (end && is_hex_digit(name.at[end - 1]))
		end--;
	return end < name.length && end > strlen(suffix) &&
			       text_has_suffix((struct text){ name.at, end }, suffix)
		       ? end - (uint32_t)strlen(suffix)
		       : name.length;
}

/* Length of the name without its last suffix. */
static uint32_t before_suffix(struct text name)
{
	uint32_t end = before_hash(name);

	if (end < name.length)
		return end;
	if (end && name.at[end - 1] == ']') {
		const char *clone = memmem(name.at, end, " [clone .", 9);

		return clone && clone > name.at ? (uint32_t)(clone - name.at) : end;
	}
	for (;;) {
		uint32_t at = end;

		while (at && is_digit(name.at[at - 1]))
			at--;
		if (at == end || !at || name.at[at - 1] != '.')
			break;
		end = at - 1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (text_has_suffix((struct text){ name.at, end }, suffixes[i].text) &&
		    end > strlen(suffixes[i].text) &&
		    (end < name.length || !suffixes[i].needs_number))
			return end - (uint32_t)strlen(suffixes[i].text);
	return name.length;
}

/*
 * Annotations of folded stacks: _[k] kernel, _[i] inlined, _[j] JIT, and async-profiler's _[0] and
 * _[1].
 */
static struct text without_annotation(struct text name)
{
	const char *end = name.at + name.length;

	if (name.length > 4 && end[-4] == '_' && end[-3] == '[' && memchr("kij01", end[-2], 5) &&
	    end[-1] == ']')
		name.length -= 4;
	return name;
}

static bool is_of_version(char c)
{
	return is_alphanumeric(c) || c == '_' || c == '.' || c == '-';
}

/*
 * Removes symbol versions: clock_nanosleep@GLIBC_2.2.5, clock_gettime@@GLIBC_2.17. Keeps write@plt.
 */
static struct text without_version(struct text name)
{
	uint32_t at = name.length;
	bool has_digit = false;
	struct text version;

	while (at && is_of_version(name.at[at - 1]))
		has_digit |= is_digit(name.at[--at]);
	version = (struct text){ name.at + at, name.length - at };
	if (at < 2 || !version.length || name.at[at - 1] != '@' || is_digit(version.at[0]) ||
	    !has_digit)
		return name;
	at--;
	at -= at > 1 && name.at[at - 1] == '@';
	name.length = at;
	return name;
}

/*
 * Removes the hash of a legacy Rust symbol and the E after it:
 * _ZN4core3fmt5write17h0123456789abcdefE.
 */
static struct text without_mangled_hash(struct text name)
{
	uint32_t at = name.length - RUST_HASH_DIGITS - 4;

	if (text_has_prefix(name, "_ZN") && name.length > RUST_HASH_DIGITS + 8 &&
	    has_at(name, at, "17h") && hex_at(name, at + 3) == RUST_HASH_DIGITS + 1 &&
	    name.at[name.length - 1] == 'E')
		name.length = at;
	return name;
}

static struct text without_suffixes(struct text name)
{
	name = without_version(without_annotation(name));
	for (;;) {
		uint32_t length = before_suffix(name);

		if (length == name.length)
			break;
		name.length = length;
	}
	name = without_mangled_hash(name);
	/* The hash of a demangled legacy Rust name. */
	if (name.length > RUST_HASH_DIGITS + 3) {
		uint32_t at = name.length - RUST_HASH_DIGITS - 3;

		if (has_at(name, at, "::h") && hex_at(name, at + 3) == RUST_HASH_DIGITS)
			name.length = at;
	}
	return name;
}

/*
 * Length of the crate disambiguator after a C in Rust's v0 mangling,
 * _RNvCs15kBYyAo9fc_7mycrate3run; or 0.
 */
static uint32_t mangled_crate_id_at(struct text name, uint32_t at)
{
	uint32_t end = at + 1;

	if (name.at[at] != 's' || name.at[at - 1] != 'C')
		return 0;
	while (end < name.length && is_alphanumeric(name.at[end]))
		end++;
	/* The crate's name follows, with its length first. */
	return end + 1 < name.length && name.at[end] == '_' &&
			       (is_digit(name.at[end + 1]) || name.at[end + 1] == 'u')
		       ? end + 1 - at
		       : 0;
}

/* Length of a hexadecimal id that begins at a word boundary, or 0. */
static uint32_t id_at(struct text name, uint32_t at)
{
	uint32_t count;
	bool has_digit = false;

	if (at && is_alphanumeric(name.at[at - 1]))
		return 0;
	count = hex_at(name, at);
	for (uint32_t i = 0; i < count; i++)
		has_digit |= is_digit(name.at[at + i]);
	return count >= ID_DIGITS_MIN && has_digit && ends_word(name, at + count) ? count : 0;
}

/* Length of a bracketed crate id, core[1f3c5a7b]::fmt, or 0. */
static uint32_t crate_id_at(struct text name, uint32_t at)
{
	uint32_t count;

	if (name.at[at] != '[' || !at || !is_alphanumeric(name.at[at - 1]))
		return 0;
	count = hex_at(name, at + 1);
	return count >= ID_DIGITS_MIN && has_at(name, at + 1 + count, "]::") ? count + 2 : 0;
}

static const char anonymous[] = "(anonymous namespace)";

/*
 * Whether the name has a Go receiver, as in net/http.(*Client).Do. The receiver is part of the
 * name.
 */
static bool has_receiver(struct text name)
{
	const char *begin = name.length ? memmem(name.at, name.length, ".(", 2) : NULL;
	const char *end = name.at + name.length;

	return begin && memmem(begin, (size_t)(end - begin), ").", 2);
}

/*
 * Returns where stackcollapse-perf.pl truncates the name: at the first parenthesis that does not
 * begin "(anonymous namespace)". Returns the length of the name if there is none.
 */
static uint32_t find_cut(struct text name)
{
	uint32_t at = 0;

	if (has_receiver(name))
		return name.length;
	while (at < name.length && (name.at[at] != '(' || has_at(name, at, anonymous)))
		at++;
	return at;
}

static struct text cut_name(struct text name)
{
	uint32_t at = find_cut(name);

	while (at && name.at[at - 1] == ' ')
		at--;
	if (at)
		name.length = at;
	return name;
}

/*
 * Length of the name of an operator whose symbol could be mistaken for brackets, such as operator<;
 * or 0.
 */
static uint32_t operator_at(struct text name, uint32_t at)
{
	uint32_t length = 8;

	if (name.at[at] != 'o' || !has_at(name, at, "operator") ||
	    (at && (is_alphanumeric(name.at[at - 1]) || name.at[at - 1] == '_')))
		return 0;
	while (at + length < name.length && memchr("<>=-[]", name.at[at + length], 6))
		length++;
	return length;
}

bool diff_name_is_cut(struct text name)
{
	struct text cut = cut_name(without_annotation(name));
	uint32_t depth = 0;
	uint32_t length;
	bool ends_in_operator = false;

	/* The name has a parenthesis, so it was not truncated. */
	if (find_cut(name) < name.length)
		return false;
	if (!cut.length || !memmem(cut.at, cut.length, "::", 2))
		return false;
	for (uint32_t at = 0; at < cut.length; at += length) {
		char c = cut.at[at];

		length = operator_at(cut, at);
		ends_in_operator = length == 8 && at + length == cut.length;
		length += !length;
		if (length == 1 && (c == '<' || c == '{'))
			depth++;
		if (length == 1 && (c == '>' || c == '}') && depth)
			depth--;
	}
	return depth || ends_in_operator;
}

bool diff_name_is_dropped(struct text name)
{
	return name.length && name.at[0] == '(';
}

struct name_writer {
	struct sink *sink;
	struct text name;
	const char *lambda; /* Java's lambda$main$0; NULL if none */
	bool is_mangled;    /* by Rust v0 */
};

/* A number after one of these is only a counter of lambdas or closures. */
static const char *const counted[] = {
	"#", "$_", "lambda", "Lambda$", "closure_env$", ".func", ".gowrap", ".deferwrap",
};

static bool ends_in_counted(const struct name_writer *writer, uint32_t at)
{
	struct text before = { writer->name.at, at };

	for (size_t i = 0; i < ARRAY_SIZE(counted); i++)
		if (text_has_suffix(before, counted[i]))
			return true;
	return writer->lambda && writer->lambda < before.at + at && text_has_suffix(before, "$");
}

/* Length of the numbers of Go's nested closures: ".2.1" in func1.2.1. */
static uint32_t nested_at(struct text name, uint32_t at)
{
	uint32_t end = at;
	uint32_t count;

	while (end < name.length && name.at[end] == '.' && (count = digits_at(name, end + 1)) &&
	       ends_word(name, end + 1 + count))
		end += 1 + count;
	return end - at;
}

/* Writes the next part of the name; returns the length of that part. */
static uint32_t write_at(const struct name_writer *writer, uint32_t at, enum diff_naming naming)
{
	struct sink *sink = writer->sink;
	struct text name = writer->name;
	uint32_t count;

	if (has_at(name, at, "0x") && (count = hex_at(name, at + 2))) {
		sink_puts(sink, "0x...");
		return 2 + count;
	}
	if (naming >= DIFF_NAMING_ALIGNED) {
		if ((count = id_at(name, at))) {
			sink_puts(sink, "...");
			return count;
		}
		if ((count = crate_id_at(name, at)))
			return count;
		if (writer->is_mangled && at && (count = mangled_crate_id_at(name, at)))
			return count;
		count = at ? digits_at(name, at) : 0;
		if (count && ends_word(name, at + count) && ends_in_counted(writer, at))
			return count + nested_at(name, at + count);
		/*
		 * Write all zeros at once, to avoid quadratic time. The last zero is not included,
		 * because "0x" can begin there.
		 */
		if (count > 1) {
			sink_bytes(sink, name.at + at, count - 1);
			return count - 1;
		}
	}
	sink_char(sink, name.at[at]);
	return 1;
}

void diff_name_write(struct sink *sink, struct text name, enum diff_naming naming)
{
	struct name_writer writer = { .sink = sink };

	if (naming == DIFF_NAMING_WHOLE) {
		sink_text(sink, name);
		return;
	}
	if (naming >= DIFF_NAMING_ALIGNED)
		name = without_suffixes(name);
	if (naming == DIFF_NAMING_CUT)
		name = cut_name(name);
	writer.name = name;
	writer.is_mangled = text_has_prefix(name, "_R");
	writer.lambda = name.length ? memmem(name.at, name.length, "lambda$", 7) : NULL;
	for (uint32_t at = 0; at < name.length;)
		at += write_at(&writer, at, naming);
}

void diff_name_write_readable(struct sink *sink, struct text name, enum diff_naming naming,
			      diff_name_demangler *demangle)
{
	struct sink readable;

	if (!demangle || naming < DIFF_NAMING_ALIGNED || !name.length || name.at[0] != '_') {
		diff_name_write(sink, name, naming);
		return;
	}
	sink_init_memory(&readable);
	if (demangle(&readable, without_annotation(name)))
		name = sink_memory(&readable);
	diff_name_write(sink, name, naming);
	sink_deinit(&readable);
}
