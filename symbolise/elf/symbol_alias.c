/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/symbol_table.h"

#include "symbolise/demangle/demangle.h"

static uint32_t leading_underscores(struct text name)
{
	uint32_t count = 0;

	while (count < name.length && name.at[count] == '_')
		count++;
	return count;
}

static bool has_version(struct text name)
{
	/* memchr does not accept NULL, which an empty name may contain. */
	return name.length && memchr(name.at, '@', name.length) != NULL;
}

bool symbol_alias_is_better(const struct symbol *a, const struct symbol *b)
{
	bool a_has_version = has_version(a->name);
	uint32_t a_underscores = leading_underscores(a->name);
	uint32_t b_underscores = leading_underscores(b->name);

	if ((a->end > a->start) != (b->end > b->start))
		return a->end > a->start;
	if (!a->name.length != !b->name.length)
		return a->name.length > 0;
	if (a->is_label != b->is_label)
		return b->is_label;
	if (a_has_version != has_version(b->name))
		return !a_has_version;
	if (a_underscores != b_underscores)
		return a_underscores < b_underscores;
	if (a->binding != b->binding)
		return a->binding > b->binding;
	if (a->name.length != b->name.length)
		return a->name.length < b->name.length;
	return text_compare(a->name, b->name) < 0;
}

/* perf compares demangled names. */
static struct text as_perf_sees(struct text name, char *buffer, size_t size_bytes)
{
	size_t length;

	if (name.length > 1 && name.at[0] == '_' && (name.at[1] == 'Z' || name.at[1] == 'R') &&
	    demangle(name, DEMANGLE_WITHOUT_HASHES, buffer, size_bytes, &length))
		return (struct text){ buffer, (uint32_t)length };
	return name;
}

bool symbol_alias_is_perf_choice(const struct symbol *a, const struct symbol *b)
{
	char a_buffer[DEMANGLED_BYTES_MAX], b_buffer[DEMANGLED_BYTES_MAX];
	struct text a_name, b_name;
	uint32_t a_underscores, b_underscores;

	if ((a->end > a->start) != (b->end > b->start))
		return a->end > a->start;
	if ((a->binding == SYMBOL_WEAK) != (b->binding == SYMBOL_WEAK))
		return b->binding == SYMBOL_WEAK;
	if ((a->binding == SYMBOL_GLOBAL) != (b->binding == SYMBOL_GLOBAL))
		return a->binding == SYMBOL_GLOBAL;
	a_name = as_perf_sees(a->name, a_buffer, sizeof(a_buffer));
	b_name = as_perf_sees(b->name, b_buffer, sizeof(b_buffer));
	a_underscores = leading_underscores(a_name);
	b_underscores = leading_underscores(b_name);
	if (a_underscores != b_underscores)
		return a_underscores < b_underscores;
	if (a_name.length != b_name.length)
		return a_name.length > b_name.length;
	/* On a tie, the earlier symbol wins, unless it has the old SyS prefix of a system call. */
	return b_name.length >= 3 && memcmp(b_name.at, "SyS", 3) == 0;
}
