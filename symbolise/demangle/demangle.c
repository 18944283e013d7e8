/* SPDX-License-Identifier: MIT */
#include "symbolise/demangle/demangle.h"

/*
 * Maximum number of conversions to template parameters in one C++ name. Each conversion doubles
 * libiberty's time.
 */
#define LIMIT_CPLUSPLUS_TRIALS 8u
/*
 * Maximum number of substitutions in one C++ name that expands packs. Each substitution doubles
 * libiberty's time.
 */
#define LIMIT_CPLUSPLUS_REFERENCES 16u

#ifdef HAVE_LIBIBERTY

#include <libiberty/demangle.h>
#include <setjmp.h>

#include "base/memory.h"

struct demangle_buffer {
	char *buffer;
	size_t used, size_bytes;
	jmp_buf full;
};

static void append(const char *piece, size_t length, void *context)
{
	struct demangle_buffer *output = context;

	if (length > output->size_bytes - output->used)
		longjmp(output->full, 1);
	/* memcpy does not accept NULL, which an empty piece may contain. */
	if (!length)
		return;
	memcpy(output->buffer + output->used, piece, length);
	output->used += length;
}

typedef int demangler_function(const char *, int, demangle_callbackref, void *);

/*
 * longjmp out of the C++ demangler leaks no memory. With a callback, the C++ demangler does not
 * allocate. The Rust demangler allocates memory for non-ASCII identifiers. An overflow then leaks
 * one identifier.
 */
static bool run(demangler_function *demangler, const char *name, int options,
		struct demangle_buffer *output)
{
	output->used = 0;
	if (setjmp(output->full) != 0)
		return false;
	return demangler(name, options, append, output) && output->used > 0;
}

static bool run_d(const char *name, struct demangle_buffer *output)
{
	char *text = d_name_is_bounded(text_of(name)) ? dlang_demangle(name, DMGL_NO_OPTS) : NULL;
	size_t length = text ? d_name_drop_parameters(text, strlen(text)) : 0;
	bool fits = length > 0 && length <= output->size_bytes;

	if (fits)
		memcpy(output->buffer, text, length);
	output->used = length;
	memory_free(text);
	return fits;
}

static bool run_any(const char *name, enum demangle_hashes hashes, struct demangle_buffer *output)
{
	/* In v0 names (_R), verbose output adds crate hashes in the middle instead. */
	bool has_hash = hashes == DEMANGLE_WITH_HASHES && name[1] == 'Z';
	int options = has_hash ? DMGL_VERBOSE : DMGL_NO_OPTS;

	if (name[1] == 'D')
		return run_d(name, output);
	if (name[1] == 'R')
		return rust_name_is_bounded(text_of(name)) &&
		       run(rust_demangle_callback, name, options, output);
	/*
	 * Try Rust first. Legacy Rust names are also valid C++ names, in a namespace that ends in a
	 * hash.
	 */
	return run(rust_demangle_callback, name, options, output) ||
	       (cplusplus_name_is_bounded(text_of(name)) &&
		run(cplus_demangle_v3_callback, name, DMGL_NO_OPTS, output));
}

bool demangle(struct text name, enum demangle_hashes hashes, char *buffer, size_t size_bytes,
	      size_t *length_ret)
{
	struct demangle_buffer output = { .buffer = buffer, .size_bytes = size_bytes };
	char terminated[LIMIT_MANGLED_BYTES + 1];

	if (!is_mangled(name) || name.length > LIMIT_MANGLED_BYTES)
		return false;
	memcpy(terminated, name.at, name.length);
	terminated[name.length] = '\0';
	if (!run_any(terminated, hashes, &output))
		return false;
	*length_ret = output.used;
	return true;
}

#else

bool demangle(struct text name, enum demangle_hashes hashes, char *buffer, size_t size_bytes,
	      size_t *length_ret)
{
	(void)name;
	(void)hashes;
	(void)buffer;
	(void)size_bytes;
	(void)length_ret;
	return false;
}

#endif

static bool is_printable(struct text name)
{
	for (uint32_t i = 0; i < name.length; i++)
		if (name.at[i] < '!' || name.at[i] > '~')
			return false;
	return true;
}

/* In a D name, a digit follows _D. In a C name that begins with _D, no digit follows _D. */
static bool is_d(struct text name)
{
	return text_has_prefix(name, "_D") && name.length > 2 && name.at[2] >= '0' &&
	       name.at[2] <= '9';
}

bool is_mangled(struct text name)
{
	return (text_has_prefix(name, "_Z") || text_has_prefix(name, "_R") ||
		text_has_prefix(name, "_GLOBAL_") || is_d(name)) &&
	       is_printable(name);
}

static bool contains(struct text name, const char *part)
{
	return memmem(name.at, name.length, part, strlen(part)) != NULL;
}

static bool is_index_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
}

/*
 * Counts references: kind, an optional index, then suffix, as in S_ and S1A_, T_I and T0_I. Also
 * counts matches inside identifiers, because the ends of identifiers are unknown without
 * demangling.
 */
static uint32_t count_references(struct text name, char kind, const char *suffix)
{
	uint32_t count = 0;
	size_t length = strlen(suffix);

	for (uint32_t i = 0; i < name.length; i++) {
		uint32_t end = i + 1;

		if (name.at[i] != kind)
			continue;
		while (end < name.length && is_index_digit(name.at[end]))
			end++;
		count += name.length - end >= length && memcmp(name.at + end, suffix, length) == 0;
	}
	return count;
}

bool cplusplus_name_is_bounded(struct text mangled)
{
	bool has_conversion = contains(mangled, "cv");
	/* Pack expansions, and both forms of sizeof... */
	bool has_pack =
		contains(mangled, "Dp") || contains(mangled, "sZ") || contains(mangled, "sP");

	return (!has_conversion ||
		count_references(mangled, 'T', "_I") <= LIMIT_CPLUSPLUS_TRIALS) &&
	       (!has_pack || count_references(mangled, 'S', "_") <= LIMIT_CPLUSPLUS_REFERENCES);
}
