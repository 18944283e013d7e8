/* SPDX-License-Identifier: MIT */
#include "symbolise/demangle/demangle.h"

#include <criterion/criterion.h>

#include "symbolise/demangle/display_name.h"

#ifdef HAVE_LIBIBERTY
#define WITH(demangled, mangled) demangled
#else
#define WITH(demangled, mangled) mangled
#endif

static const struct {
	const char *name;
	const char *folded; /* as shown by default */
	const char *kept;   /* with suffixes kept; NULL: the same */
	const char *perfs;  /* by perf's rules; NULL: as in the file */
} rows[] = {
	{ "main", "main", NULL, NULL },
	{ "_ZN3net4pollEv", WITH("net::poll", "_ZN3net4pollEv"), NULL,
	  WITH("net::poll", "_ZN3net4pollEv") },
	{ "_ZN3net4pollEv.part.0", WITH("net::poll", "_ZN3net4pollEv"),
	  WITH("net::poll.part.0", "_ZN3net4pollEv.part.0"),
	  WITH("net::poll", "_ZN3net4pollEv.part.0") },
	{ "_ZNSt6thread4joinEv@@GLIBCXX_3.4.11", WITH("std::thread::join", "_ZNSt6thread4joinEv"),
	  NULL, WITH("std::thread::join", "_ZNSt6thread4joinEv@@GLIBCXX_3.4.11") },
	{ "_ZN4core3fmt5write17h0123456789abcdefE",
	  WITH("core::fmt::write", "_ZN4core3fmt5write17h0123456789abcdefE"),
	  WITH("core::fmt::write::h0123456789abcdef", "_ZN4core3fmt5write17h0123456789abcdefE"),
	  WITH("core::fmt::write", "_ZN4core3fmt5write17h0123456789abcdefE") },
	{ "_RNvC6_123foo3bar", WITH("123foo::bar", "_RNvC6_123foo3bar"), NULL,
	  WITH("123foo::bar", "_RNvC6_123foo3bar") },
	/* C names, and names that only look mangled */
	{ "cfree@GLIBC_2.2.5", "cfree", NULL, NULL },
	{ "memcpy@@GLIBC_2.14", "memcpy", NULL, NULL },
	{ "@plt", "@plt", NULL, NULL },
	{ "_Z", "_Z", NULL, NULL },
	{ "_Znonsense", "_Znonsense", NULL, NULL },
	{ "_Random", "_Random", NULL, NULL },
	/* Suffixes */
	{ "f.cold", "f", "f.cold", NULL },
	{ "f.cold.3", "f", "f.cold.3", NULL },
	{ "f.isra.0", "f", "f.isra.0", NULL },
	{ "f.constprop.0.isra.1.cold", "f", "f.constprop.0.isra.1.cold", NULL },
	{ "f.lto_priv.17", "f", "f.lto_priv.17", NULL },
	{ "f.llvm.1234567890123", "f", "f.llvm.1234567890123", NULL },
	{ "f.llvm.4199A6D5", "f", "f.llvm.4199A6D5", NULL },
	{ "f.part", "f.part", NULL, NULL },
	{ "f.part.face", "f.part.face", NULL, NULL },
	{ "f.cold.bed", "f.cold.bed", NULL, NULL },
	{ "f.0", "f.0", NULL, NULL },
	{ "f.coldness", "f.coldness", NULL, NULL },
	{ "runtime.morestack.abi0", "runtime.morestack", "runtime.morestack.abi0", NULL },
	{ "f.__uniq.1234.llvm.5", "f", "f.__uniq.1234.llvm.5", NULL },
	{ "f.clone.2", "f", "f.clone.2", NULL },
	{ "f.__part.13", "f", "f.__part.13", NULL },
	{ "f.__part", "f.__part", NULL, NULL },
	{ "_D8demangle4testFaZv.part.0", WITH("demangle.test", "_D8demangle4testFaZv"),
	  WITH("demangle.test.part.0", "_D8demangle4testFaZv.part.0"), NULL },
	{ "f.abi0.1", "f.abi0.1", NULL, NULL },
	{ ".cold", ".cold", NULL, NULL },
	{ ".part.0", ".part.0", NULL, NULL },
};

Test(demangle, display_names)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *expected[] = {
			rows[i].folded,
			rows[i].kept ? rows[i].kept : rows[i].folded,
			rows[i].perfs ? rows[i].perfs : rows[i].name,
		};
		struct symbolise_options options[] = {
			{ .demangle = true, .fold_suffixes = true },
			{ .demangle = true },
			{ .demangle = true, .fold_suffixes = true, .perf_names = true },
		};

		for (size_t k = 0; k < ARRAY_SIZE(options); k++) {
			char buffer[DISPLAY_NAME_BYTES];
			struct text shown =
				display_name(text_of(rows[i].name), false, &options[k], buffer);

			cr_expect(text_is(shown, expected[k]), "row %zu, way %zu: %.*s", i, k,
				  (int)shown.length, shown.at);
		}
	}
}

Test(demangle, whole_names_have_nothing_appended)
{
	static const char *const whole[] = { "main.(*T).cold", "cache.warm", "RegExp:@", "f@g",
					     "f.part.0" };
	struct symbolise_options options = { .demangle = true, .fold_suffixes = true };
	char buffer[DISPLAY_NAME_BYTES];

	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		cr_expect(
			text_is(display_name(text_of(whole[i]), true, &options, buffer), whole[i]),
			"%s", whole[i]);
	cr_expect(text_is(display_name(text_of("_ZN3net4pollEv"), true, &options, buffer),
			  WITH("net::poll", "_ZN3net4pollEv")));
}

Test(demangle, not_when_not_asked)
{
	struct symbolise_options options = { .fold_suffixes = true };
	char buffer[DISPLAY_NAME_BYTES];

	cr_expect(text_is(display_name(text_of("_ZN3net4pollEv.cold"), false, &options, buffer),
			  "_ZN3net4pollEv"));
}

/*
 * Writes a number as the mangling schemes do, in base 36 or 62: nothing for 0, "0" for 1, and so
 * on.
 */
static void put_number(char *text, unsigned value, unsigned base)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char upper[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char reversed[16];
	size_t length = 0;

	if (value > 0) {
		value--;
		do {
			reversed[length++] =
				base == 36 ? upper[value % base] : digits[value % base];
			value /= base;
		} while (value);
	}
	while (length)
		*text++ = reversed[--length];
	*text++ = '_';
	*text = '\0';
}

/* Each parameter is a pair of the one before, so that each level doubles the output. */
static void write_doubling_cplusplus(char *name, unsigned levels)
{
	size_t length = (size_t)snprintf(name, 32, "_Z1fI1aIiiE");

	for (unsigned i = 0; i < levels; i++) {
		char pair[16];

		put_number(pair, i + 2, 36);
		length += (size_t)snprintf(name + length, 32, "S0_IS%sS%sE", pair, pair);
	}
	snprintf(name + length, 8, "EvT_");
}

static void write_doubling_rust(char *name, unsigned levels)
{
	size_t length = (size_t)snprintf(name, 32, "_RINvC1c1f");
	unsigned before = (unsigned)length - 2;

	length += (size_t)snprintf(name + length, 32, "TmmE");
	for (unsigned i = 0; i < levels; i++) {
		char pair[16];
		unsigned at = (unsigned)length - 2;

		put_number(pair, before, 62);
		length += (size_t)snprintf(name + length, 32, "TB%sB%sE", pair, pair);
		before = at;
	}
	snprintf(name + length, 8, "E");
}

Test(demangle, exponential_names_are_left_alone)
{
	char name[2048], buffer[DEMANGLED_BYTES_MAX];
	size_t length;

	for (unsigned levels = 1; levels <= 40; levels++) {
		write_doubling_cplusplus(name, levels);
		cr_expect_eq(demangle(text_of(name), DEMANGLE_WITHOUT_HASHES, buffer,
				      sizeof(buffer), &length),
			     WITH(levels <= 6, false), "C++, %u levels: %s", levels, name);
		write_doubling_rust(name, levels);
		cr_expect_eq(demangle(text_of(name), DEMANGLE_WITHOUT_HASHES, buffer,
				      sizeof(buffer), &length),
			     WITH(levels <= 7, false), "Rust, %u levels: %s", levels, name);
	}
}

/*
 * Writes a name whose demangling takes twice the time with each level, without writing anything
 * meanwhile.
 */
static void write_trials(char *name, unsigned levels)
{
	size_t length = (size_t)snprintf(name, 32, "_ZN1acv");

	for (unsigned i = 0; i < levels; i++)
		length += (size_t)snprintf(name + length, 32, "T_I");
	name[length++] = 'i';
	memset(name + length, 'E', levels + 1);
	name[length + levels + 1] = '\0';
}

static void write_pack(char *name, unsigned levels)
{
	size_t length = (size_t)snprintf(name, 32, "_Z1fI1bIDp1aI");

	for (unsigned i = 1; i < levels; i++)
		length += (size_t)snprintf(name + length, 32, "S0_I");
	length += (size_t)snprintf(name + length, 32, "ii");
	for (unsigned i = 0; i < levels; i++) {
		char before[16];

		put_number(before, i + 3, 36);
		length += (size_t)snprintf(name + length, 32, "ES%s", before);
	}
	snprintf(name + length, 16, "EEvT_");
}

Test(demangle, silent_work_is_bounded)
{
	char name[2048], buffer[DEMANGLED_BYTES_MAX];
	size_t length;

	for (unsigned levels = 9; levels <= 100; levels++) {
		write_trials(name, levels);
		cr_expect_not(demangle(text_of(name), DEMANGLE_WITHOUT_HASHES, buffer,
				       sizeof(buffer), &length),
			      "%s", name);
		write_pack(name, levels);
		cr_expect_not(demangle(text_of(name), DEMANGLE_WITHOUT_HASHES, buffer,
				       sizeof(buffer), &length),
			      "%s", name);
	}
}

Test(demangle, bounds)
{
	char name[2 * LIMIT_MANGLED_BYTES + 16], buffer[DEMANGLED_BYTES_MAX];
	size_t length;

	/* Deep nesting ends at libiberty's own limit, or at ours. */
	memset(name, 'P', sizeof(name));
	memcpy(name, "_Z1f", 4);
	name[LIMIT_MANGLED_BYTES] = '\0';
	demangle(text_of(name), DEMANGLE_WITHOUT_HASHES, buffer, sizeof(buffer), &length);
	name[LIMIT_MANGLED_BYTES] = 'P';
	name[LIMIT_MANGLED_BYTES + 1] = '\0';
	cr_expect_not(
		demangle(text_of(name), DEMANGLE_WITHOUT_HASHES, buffer, sizeof(buffer), &length));
	cr_expect_not(demangle((struct text){ "", 0 }, DEMANGLE_WITHOUT_HASHES, buffer,
			       sizeof(buffer), &length));
	cr_expect_not(demangle((struct text){ "_Z1f\0v", 6 }, DEMANGLE_WITHOUT_HASHES, buffer,
			       sizeof(buffer), &length));
	cr_expect_not(demangle((struct text){ "_Z1f\x80v", 6 }, DEMANGLE_WITHOUT_HASHES, buffer,
			       sizeof(buffer), &length));
	/* A buffer that is one byte too small */
	cr_expect_not(
		demangle(text_of("_ZN3net4pollEv"), DEMANGLE_WITHOUT_HASHES, buffer, 8, &length));
	cr_expect_eq(
		demangle(text_of("_ZN3net4pollEv"), DEMANGLE_WITHOUT_HASHES, buffer, 9, &length),
		WITH(true, false));
}
