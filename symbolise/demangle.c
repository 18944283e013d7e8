/* SPDX-License-Identifier: MIT */
#include "symbolise/demangle.h"

#ifdef HAVE_LIBIBERTY

#include <libiberty/demangle.h>
#include <setjmp.h>

struct output {
	char *buffer;
	size_t used, size_bytes;
	jmp_buf full;
};

static void take(const char *piece, size_t length, void *context)
{
	struct output *output = context;

	if (length > output->size_bytes - output->used)
		longjmp(output->full, 1);
	memcpy(output->buffer + output->used, piece, length);
	output->used += length;
}

typedef int demangler_function(const char *, int, demangle_callbackref, void *);

/* Neither demangler allocates memory when it is given a callback, so leaving it loses nothing. */
static bool run(demangler_function *demangler, const char *name, struct output *output)
{
	output->used = 0;
	if (setjmp(output->full) != 0)
		return false;
	return demangler(name, DMGL_NO_OPTS, take, output) && output->used > 0;
}

bool demangle(struct text name, char *buffer, size_t size_bytes, size_t *length_ret)
{
	struct output output = { .buffer = buffer, .size_bytes = size_bytes };
	char terminated[LIMIT_MANGLED_BYTES + 1];

	if (!is_mangled(name) || name.length > LIMIT_MANGLED_BYTES)
		return false;
	memcpy(terminated, name.at, name.length);
	terminated[name.length] = '\0';
	/* Rust first: its older names are C++ names too, of a namespace ending in a hash. */
	if (!run(rust_demangle_callback, terminated, &output) &&
	    !run(cplus_demangle_v3_callback, terminated, &output))
		return false;
	*length_ret = output.used;
	return true;
}

#else

bool demangle(struct text name, char *buffer, size_t size_bytes, size_t *length_ret)
{
	(void)name;
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

bool is_mangled(struct text name)
{
	return (text_has_prefix(name, "_Z") || text_has_prefix(name, "_R") ||
		text_has_prefix(name, "_GLOBAL_")) &&
	       is_printable(name);
}
