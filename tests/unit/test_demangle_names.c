/* SPDX-License-Identifier: MIT */
/* The expected names are those of c++filt 2.40 -p; D names lack their parameter lists. */
#include <criterion/criterion.h>

#include "base/attributes.h"
#include "symbolise/demangle/demangle.h"
#include "tests/support/random.h"

static const struct {
	const char *mangled;
	const char *shown; /* NULL: as it is */
} rows[] = {
	/* C++ */
	{ "_ZNSt6vectorIiSaIiEE9push_backEOi",
	  "std::vector<int, std::allocator<int> >::push_back" },
	{ "_ZN12_GLOBAL__N_15Cache4findERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
	  "(anonymous namespace)::Cache::find" },
	{ "_ZNKSt8functionIFviEEclEi", "std::function<void (int)>::operator()" },
	{ "_ZN3FooC2Ev", "Foo::Foo" },
	{ "_ZN3FooD0Ev", "Foo::~Foo" },
	{ "_ZN3FoocvbEv", "Foo::operator bool" },
	{ "_ZN3FooplERKS_", "Foo::operator+" },
	{ "_ZN4NodeptEv", "Node::operator->" },
	{ "_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()" },
	{ "_ZZN3net4pollEvE5state", "net::poll()::state" },
	{ "_ZTV3Foo", "vtable for Foo" },
	{ "_ZThn16_N3Foo3barEv", "non-virtual thunk to Foo::bar()" },
	{ "_ZN3net4sendIJiSt4pairIicEEEEvDpT_", "net::send<int, std::pair<int, char> >" },
	{ "_ZSt4sortIN9__gnu_cxx17__normal_iteratorIPiSt6vectorIiSaIiEEEEEvT_S7_",
	  "std::sort<__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > > >" },
	{ "_ZN1AIXadL_Z3barvEEE3runEv", "A<&(bar())>::run" },
	{ "_GLOBAL__sub_I_main", NULL },
	/* Rust names, in legacy and v0 mangling */
	{ "_ZN4core3ptr85drop_in_place$LT$std..rt..lang_start$LT$$LP$$RP$$GT$..$u7b$$u7b$closure$u7d$$u7d$$GT$17h0123456789abcdefE",
	  "core::ptr::drop_in_place<std::rt::lang_start<()>::{{closure}}>" },
	{ "_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$4into17hfedcba9876543210E",
	  "<T as core::convert::Into<U>>::into" },
	{ "_RNvCs1234_7mycrate3foo", "mycrate::foo" },
	{ "_RINvNtC3std3mem8align_ofjdE", "std::mem::align_of::<usize, f64>" },
	{ "_RNvMs0_NtC4core3fmtNtB5_9Formatter3pad", "<core::fmt::Formatter>::pad" },
	{ "_RNCNvC4main4main0B3_", "main::main::{closure#0}" },
	{ "_RNvXs_C1aNtB4_1SNtB4_1T1f", "<a::S as a::T>::f" },
	{ "_RNvNtC4text5u8_Z4main", NULL },
	/* D */
	{ "_D8demangle4testFaZv", "demangle.test" },
	{ "_D3std5stdio__T7writelnTAyaZQnFQhZv", "std.stdio.writeln!(immutable(char)[]).writeln" },
	{ "_D3app3Foo3barMxFZi", "app.Foo.bar" },
	{ "_D4core6memory2GC6mallocFNaNbmkxC8TypeInfoZPv", "core.memory.GC.malloc" },
	{ "_D2rt3aaA10allocEntryFMxPSQyQx4ImplMxPvZPv", "rt.aaA.allocEntry" },
	{ "_D3std6digest3sha__T3SHAVki512Vki160ZQr7T_40_59FNaNbNiNfiKG16kkKkkkkkKkZv",
	  "std.digest.sha.SHA!(512u, 160u).SHA.T_40_59" },
	{ "_D4core4sync5mutex5Mutex6__ctorMFNbNiNeC6ObjectZCQBvQBtQBrQBo",
	  "core.sync.mutex.Mutex.this" },
	{ "_Decimal", NULL },
	{ "_D3std9algorithm9iteration__T3mapVAyaa1_61Z", NULL },
};

Test(demangle_names, as_cplusplusfilt_has_them)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char buffer[DEMANGLED_BYTES_MAX];
		size_t length;
		bool good = demangle(text_of(rows[i].mangled), DEMANGLE_WITHOUT_HASHES, buffer,
				     sizeof(buffer), &length);
		struct text shown =
			good ? (struct text){ buffer, (uint32_t)length } : text_of(rows[i].mangled);
#ifdef HAVE_LIBIBERTY
		const char *expected = rows[i].shown ? rows[i].shown : rows[i].mangled;
#else
		const char *expected = rows[i].mangled;
#endif

		cr_expect(text_is(shown, expected), "%s: %.*s", rows[i].mangled, (int)shown.length,
			  shown.at);
	}
}

static const struct {
	const char *name, *shown;
} parameters[] = {
	{ "app.f(int)", "app.f" },
	{ "app.f(int, void(char)).g(char) const", "app.f.g" },
	{ "app.f!(int, void(char)).f(int).g", "app.f!(int, void(char)).f.g" },
	{ "app.f!(int).f", "app.f!(int).f" },
	{ "ModuleInfo for app", "ModuleInfo for app" },
	{ "app.f(int", "app.f" },
	{ "(int)", "(int)" },
	{ "f)(", "f)" },
};

Test(demangle_names, parameters_of_d)
{
	for (size_t i = 0; i < ARRAY_SIZE(parameters); i++) {
		char name[64];
		size_t length = strlen(parameters[i].name);

		memcpy(name, parameters[i].name, length);
		length = d_name_drop_parameters(name, length);
		cr_expect(text_is((struct text){ name, (uint32_t)length }, parameters[i].shown),
			  "row %zu: %.*s", i, (int)length, name);
	}
}

static void append(char *name, const char *piece, unsigned count)
{
	size_t length = strlen(name);

	for (unsigned i = 0; i < count; i++)
		length += (size_t)snprintf(name + length, LIMIT_MANGLED_BYTES + 1 - length, "%s",
					   piece);
}

/* Each level doubles the time or the length of the output. */
Test(demangle_names, exponential_names_of_d_are_left_alone)
{
	char name[LIMIT_MANGLED_BYTES + 1], buffer[DEMANGLED_BYTES_MAX];
	size_t length;

	for (unsigned levels = 1; levels <= 60; levels++) {
		*name = '\0';
		append(name, "_D1a", 1);
		append(name, "1bFS", levels);
		append(name, "1cZv", 1);
		demangle(text_of(name), DEMANGLE_WITHOUT_HASHES, buffer, sizeof(buffer), &length);
		cr_expect_eq(d_name_is_bounded(text_of(name)), levels <= LIMIT_D_FUNCTIONS);
		/* Associative arrays, whose types are earlier parts of the name. */
		*name = '\0';
		append(name, "_D1a1fFHii", 1);
		append(name, "HQdQf", levels);
		append(name, "Zv", 1);
		demangle(text_of(name), DEMANGLE_WITHOUT_HASHES, buffer, sizeof(buffer), &length);
		if (levels > 30)
			cr_expect_not(d_name_is_bounded(text_of(name)));
	}
}

/* Pieces of all manglings in any order: no combination takes long. */
Test(demangle_names, any_order_of_pieces)
{
	static const char *const pieces[] = { "S_",  "S0_",  "T_", "I",   "E",      "J",  "DpT_",
					      "N",   "F",    "v",  "i",   "1a",     "B_", "Bk_",
					      "C1a", "X",    "Y",  "M",   "__T1bT", "Z",  "Qb",
					      "Qd",  "FS1a", "V",  "HQc", "_0",     "St", "P",
					      "U",   "R",    "W" };
	static const char *const beginnings[] = { "_Z1fI", "_RINvC1a1f", "_D1a1b" };
	struct random random = { 20261121 };

	for (unsigned round = 0; round < 20000; round++) {
		char name[LIMIT_MANGLED_BYTES + 1], buffer[DEMANGLED_BYTES_MAX];
		size_t length;

		*name = '\0';
		append(name, beginnings[round % 3], 1);
		for (unsigned i = random_below(&random, 150); i > 0; i--)
			append(name, pieces[random_below(&random, ARRAY_SIZE(pieces))], 1);
		if (demangle(text_of(name), DEMANGLE_WITHOUT_HASHES, buffer, sizeof(buffer),
			     &length))
			cr_expect(length > 0 && length <= sizeof(buffer));
	}
}

static const struct {
	const char *mangled;
	bool is_bounded;
} rust_rows[] = {
	/* Every kind of path, type, argument and constant */
	{ "_RNvC1a1b", true },
	{ "_RNvMs_C1aNtB4_1S1f", true },
	{ "_RNvXC1aNtB2_1SNtB2_1T1f", true },
	{ "_RNvYNtC1a1SNtB4_1T1f", true },
	{ "_RINvC1a1fRmQL_mPmOmAmj4_SmTmmEuE", true },
	{ "_RINvC1a1fFG_UKCRL0_mEuFK9fast_callEzE", true },
	{ "_RINvC1a1fDG_NtC1b1TINtB2_1UL0_Kj1f_Eu6Outputp3OutjEL_E", false },
	{ "_RINvC1a1fDG_NtC1b1TINtB2_1UL0_Kj1f_Ep3OutjEL_E", true },
	{ "_RINvC1a1fDG_NtC1b1TINtBa_1UL0_Kj1f_Ep3OutjEL_E", true },
	{ "_RINvC1a1fKhff_Kin1_Kb1_Kc41_KpE", true },
	{ "_RNvC1a1bC5crate", true },
	{ "_RNvC1a1b.llvm.1234", true },
	/* Lifetimes: as many as the limit, and one more; in parts of a name that are shown or
	 * not */
	{ "_RINvC1a1fFGgu_EuE", true },
	{ "_RINvC1a1fFGgv_EuE", false },
	{ "_RNvC1a1bINvC1a1bFGzzzzzz_EuE", false },
	{ "_RNvMINvC1a1bFGzzzzzzzzzzzzzzzzzzzz_EuEm1f", false },
	/* A separator inside an identifier is not a separator */
	{ "_RNvMB8_m20INvC1a1bFGzzzzzz_EuE", false },
	{ "_RNvNvC1a19MINvC1aFGzzzz_EuEmB7_", false },
	/* Corrupt */
	{ "_R", false },
	{ "_RN", false },
	{ "_RNv", false },
	{ "_RNvC1a", false },
	{ "_RNvC1a9b", false },
	{ "_RNvC1a99999999999999999999b", false },
	{ "_RNvC1a1bx", false },
	{ "_RNvB0_1b", false },
	{ "_RNvB99999999999_1b", false },
	{ "_RINvC1a1fT", false },
	{ "_RINvC1a1fKj", false },
	{ "_RINvC1a1fL", false },
	{ "_RINvC1a1fDE", false },
	{ "Nv", false },
};

Test(demangle_names, rust_is_read_before)
{
	for (size_t i = 0; i < ARRAY_SIZE(rust_rows); i++)
		cr_expect_eq(rust_name_is_bounded(text_of(rust_rows[i].mangled)),
			     rust_rows[i].is_bounded, "%s", rust_rows[i].mangled);
}

Test(demangle_names, rust_that_is_deep)
{
	char name[LIMIT_MANGLED_BYTES + 1];

	for (unsigned depth = 1; depth < 900; depth++) {
		size_t length = (size_t)snprintf(name, sizeof(name), "_RINvC1a1b");

		memset(name + length, 'P', depth);
		snprintf(name + length + depth, sizeof(name) - length - depth, "mE");
		/* The path and the innermost type add two levels */
		cr_expect_eq(rust_name_is_bounded(text_of(name)), depth + 2 <= LIMIT_RUST_DEPTH,
			     "%u", depth);
	}
}
