/* SPDX-License-Identifier: MIT */
#include "base/strings.h"
#include "profile/frame_name.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

struct row {
	const char *name, *expected, *literal; /* literal NULL: as expected */
};

static const struct row named[] = {
	{ "main", "main", NULL },
	{ "read@plt", "read@plt", NULL },
	/* The argument list is removed; parentheses that are part of the name are kept. */
	{ "f(int, char const*)", "f", NULL },
	{ "std::vector<int>::push_back(int&&)", "std::vector<int>::push_back", NULL },
	{ "C::f() const", "C::f", NULL },
	{ "f(int (*)(char))", "f", NULL },
	{ "(anonymous namespace)::f(int)", "(anonymous namespace)::f", NULL },
	{ "a::(anonymous namespace)::B::f()", "a::(anonymous namespace)::B::f", NULL },
	{ "Box<int (*)(char)>::get()", "Box<int (*)(char)>::get", "Box<int " },
	{ "f()::{lambda(int)#1}::operator()(int) const", "f", NULL },
	{ "run<f()::{lambda(int)#1}>(int)", "run<f()::{lambda(int)#1}>", "run<f" },
	{ "<T as core::ops::Fn(A)>::call", "<T as core::ops::Fn(A)>::call", "<T as core::ops::Fn" },
	/* D's templates */
	{ "app.f!(int, void(char)).f(int)", "app.f!(int, void(char)).f", "app.f!" },
	{ "app.f!(int", "app.f!(int", "app.f!" },
	/* Operators are names, not brackets. */
	{ "C::operator()(int)", "C::operator()", "C::operator" },
	{ "C::operator<(C const&)", "C::operator<", NULL },
	{ "C::operator<<(int)", "C::operator<<", NULL },
	{ "C::operator<=>(C const&)", "C::operator<=>", NULL },
	{ "C::operator->()", "C::operator->", NULL },
	{ "C::operator>>=(int)", "C::operator>>=", NULL },
	{ "C::operator==(C const&) const", "C::operator==", NULL },
	{ "C::operator!()", "C::operator!", NULL },
	{ "C::operator bool() const", "C::operator bool", NULL },
	{ "operator new(unsigned long)", "operator new", NULL },
	{ "C::operator[](int)", "C::operator[]", NULL },
	{ "run<&(C::operator->()), 1>(int)", "run<&(C::operator->()), 1>", "run<&" },
	{ "bool operator< <int>(A<int> const&)", "bool operator< <int>", NULL },
	/* Go's methods have parentheses of their own. */
	{ "net/http.(*Client).Do", "net/http.(*Client).Do", NULL },
	{ "main.(*T).run.func1", "main.(*T).run.func1", NULL },
	{ "main.(T).run(int)", "main.(T).run(int)", NULL },
	/* Characters that would break a folded line, or that perf's text cannot contain. */
	{ "LazyCompile:~f;g \"x.js\"", "LazyCompile:~f:g x.js", NULL },
	{ "it's", "its", NULL },
	{ "two\nlines\rhere", "two lines here", NULL },
	{ "a b 12", "a b 12", NULL },
	{ "tab\there", "tab here", NULL },
	{ "\x1b[31mred\x7f\x01", "?[31mred??", NULL },
	/* If simplifying leaves nothing of a name, something must still be shown. */
	{ "(int)", "(int)", NULL },
	{ "()", "()", NULL },
	{ "\"\"", "[unknown]", NULL },
	{ "\xff\xfe", "\xff\xfe", NULL },
	{ "> f(int)", "> f", NULL },
	{ "f>(int)", "f>", NULL },
	{ "f<(int)", "f<(int)", "f<" },
};

static const struct frame_naming plain;
static const struct frame_naming literal_naming = { .uses_perf_names = true };
static const struct frame_naming report_naming = {
	.uses_perf_names = true,
	.keeps_arguments = true,
};

static struct strings strings;
static struct modules modules;

static const char *name_of(const struct module *module, const char *name,
			   const struct frame_naming *naming, bool is_java)
{
	struct location location = {
		.module = modules_intern(&modules, module),
		.is_named = name != NULL,
	};

	if (name)
		location.name = strings_intern_text(&strings, name);
	return strings_text(&strings,
			    frame_name_of(&strings, &modules, &location, naming, is_java));
}

static void begin(void)
{
	strings_init(&strings);
	modules_init(&modules);
}

static void end(void)
{
	strings_deinit(&strings);
	modules_deinit(&modules);
}

Test(frame_name, perf_report_keeps_parentheses, .init = begin, .fini = end)
{
	static const struct module module = { .kind = MODULE_FILE };
	static const char *const names[] = {
		"Foo::operator()",
		"virtual thunk to Foo::~Foo()",
		"each<run()::{lambda(int)#1}>",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		cr_expect_str_eq(name_of(&module, names[i], &report_naming, false), names[i]);
}

Test(frame_name, symbols, .init = begin, .fini = end)
{
	static const struct module module = { .kind = MODULE_FILE };

	for (size_t i = 0; i < ARRAY_SIZE(named); i++) {
		const struct row *row = &named[i];
		const char *literal = row->literal ? row->literal : row->expected;
		const char *got = name_of(&module, row->name, &plain, false);

		cr_expect_str_eq(got, row->expected, "%s: is %s, not %s", row->name, got,
				 row->expected);
		got = name_of(&module, row->name, &literal_naming, false);
		cr_expect_str_eq(got, literal, "%s, literally: is %s, not %s", row->name, got,
				 literal);
	}
}

Test(frame_name, java, .init = begin, .fini = end)
{
	static const struct {
		const char *name, *of_java, *of_others;
	} rows[] = {
		{ "Lorg/example/Class;::run", "org/example/Class:::run",
		  "Lorg/example/Class:::run" },
		{ "Lorg/example/Class:::run(I)V", "org/example/Class:::run",
		  "Lorg/example/Class:::run" },
		{ "Level", "Level", "Level" },
		{ "L/", "/", "L/" },
		{ "malloc/x", "malloc/x", "malloc/x" },
	};
	static const struct module module = { .kind = MODULE_ANONYMOUS, .pid = 7 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		cr_expect_str_eq(name_of(&module, rows[i].name, &plain, true), rows[i].of_java);
		cr_expect_str_eq(name_of(&module, rows[i].name, &plain, false), rows[i].of_others);
	}
}

/* As runtimes write them to perf-PID.map: parentheses may be part of a path or a pattern. */
Test(frame_name, runtimes, .init = begin, .fini = end)
{
	static const struct row rows[] = {
		{ "py::<module>:/srv/shop (copy)/main.py", "py::<module>:/srv/shop (copy)/main.py",
		  "py::<module>:/srv/shop " },
		{ "JS:~ /srv/shop (copy)/main.js:1:1", "JS:~ /srv/shop (copy)/main.js:1:1",
		  "JS:~ /srv/shop " },
		{ "LazyCompile:*total /srv/a(1).js:3:4", "LazyCompile:*total /srv/a(1).js:3:4",
		  "LazyCompile:*total /srv/a" },
		{ "InterpretedFunction:total /srv/a(1).js:3",
		  "InterpretedFunction:total /srv/a(1).js:3", "InterpretedFunction:total /srv/a" },
		{ "RegExp:(a|b);[^\"]+", "RegExp:(a|b):[^]+", "RegExp:" },
		{ "JS:wasm-function[123]-0-turbofan", "JS:wasm-function[123]-0-turbofan", NULL },
		{ "block in Cart#total@/srv/shop (copy)/cart.rb:7",
		  "block in Cart#total@/srv/shop (copy)/cart.rb:7",
		  "block in Cart#total@/srv/shop " },
		/* These are signatures. */
		{ "int shop.Cart.total(java.util.List, int)", "int shop.Cart.total", NULL },
		{ "int32 [shop] Shop.Cart::Total(int32[],int32)[OptimizedTier1]",
		  "int32 [shop] Shop.Cart::Total", NULL },
	};
	static const struct module compiled = { .kind = MODULE_ANONYMOUS, .pid = 7 };
	static const struct module dumped = { .kind = MODULE_JITDUMP, .pid = 7 };
	static const struct module linked = { .kind = MODULE_FILE };
	struct frame_naming naming = { .uses_perf_names = false };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *literal = rows[i].literal ? rows[i].literal : rows[i].expected;

		naming.uses_perf_names = false;
		cr_expect_str_eq(name_of(&compiled, rows[i].name, &naming, false),
				 rows[i].expected);
		cr_expect_str_eq(name_of(&dumped, rows[i].name, &naming, false), rows[i].expected);
		naming.uses_perf_names = true;
		cr_expect_str_eq(name_of(&compiled, rows[i].name, &naming, false), literal);
	}
	/* In a symbol file, the same name is C++. */
	naming.uses_perf_names = false;
	cr_expect_str_eq(name_of(&linked, "py::parse(int)", &naming, false), "py::parse");
}

Test(frame_name, modules_stand_in_for_symbols, .init = begin, .fini = end)
{
	static const struct {
		enum module_kind kind;
		const char *path;
		uint32_t pid;
		const char *expected, *literal; /* of the frame */
		const char *module;             /* as perf script prints it */
	} rows[] = {
		{ MODULE_NONE, "", 0, "[unknown]", "[unknown]", "[unknown]" },
		{ MODULE_FILE, "/usr/lib/libc.so.6", 0, "[libc.so.6]", "[libc.so.6]",
		  "/usr/lib/libc.so.6" },
		{ MODULE_FILE, "app", 0, "[app]", "[app]", "app" },
		{ MODULE_FILE, "/srv/a;b\"c", 0, "[a:bc]", "[a:bc]", "/srv/a;b\"c" },
		{ MODULE_FILE, "/", 0, "[]", "[]", "/" },
		{ MODULE_ANONYMOUS, "//anon", 4711, "[perf-4711.map]", "[perf-4711.map]",
		  "/tmp/perf-4711.map" },
		{ MODULE_VDSO, "[vdso]", 0, "[vdso]", "[[vdso]]", "[vdso]" },
		{ MODULE_KERNEL, "[kernel.kallsyms]", 0, "[kernel.kallsyms]", "[[kernel.kallsyms]]",
		  "[kernel.kallsyms]" },
		{ MODULE_KERNEL_MODULE, "[ext4]", 0, "[ext4]", "[[ext4]]", "[ext4]" },
		{ MODULE_KERNEL_MODULE, "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz", 0, "[ext4]",
		  "[[ext4]]", "[ext4]" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct module module = {
			.kind = rows[i].kind,
			.path = strings_intern_text(&strings, rows[i].path),
			.pid = rows[i].pid,
		};
		struct frame_naming naming = { .uses_perf_names = false };

		cr_expect_str_eq(name_of(&module, NULL, &naming, false), rows[i].expected);
		naming.uses_perf_names = true;
		cr_expect_str_eq(name_of(&module, NULL, &naming, false), rows[i].literal);
		cr_expect_str_eq(strings_text(&strings, frame_name_of_module(&strings, &module)),
				 rows[i].module);
	}
}

Test(frame_name, processes, .init = begin, .fini = end)
{
	static const struct {
		const char *comm, *expected;
	} rows[] = {
		{ "app", "app" },
		{ "tokio worker 1", "tokio_worker_1" },
		{ "a;b", "a:b" },
		{ "a\nb\r", "a_b_" },
		{ "it's", "it's" },
		{ "", "[unknown]" },
		{ "\x1b]0;x\x07", "?]0:x?" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		str_id name = frame_name_of_comm(&strings, text_of(rows[i].comm),
						 &(struct frame_naming){
							 .folds_comms = true,
						 });

		cr_expect_str_eq(strings_text(&strings, name), rows[i].expected);
	}
	/* A blank stays in the name everywhere except in folded stacks. */
	cr_expect_str_eq(
		strings_text(&strings,
			     frame_name_of_comm(&strings, text_of("tokio worker 1"), &plain)),
		"tokio worker 1");
}

Test(frame_name, places_without_names, .init = begin, .fini = end)
{
	static const struct {
		enum module_kind kind;
		const char *path;
		uint64_t start, address;
		const char *expected, *literal;
	} rows[] = {
		{ MODULE_FILE, "/lib/libc.so.6", 0, 0x1f3c0, "[libc.so.6+0x1f3c0]",
		  "[libc.so.6+0x1f3c0]" },
		{ MODULE_VDSO, "[vdso]", 0, 0x6c1, "[vdso+0x6c1]", "[[vdso]+0x6c1]" },
		{ MODULE_KERNEL, "[kernel.kallsyms]", 0xffffffff81000000, 0xffffffff81000130,
		  "[kernel.kallsyms+0x130]", "[[kernel.kallsyms]+0x130]" },
		/* Its begin is unknown. */
		{ MODULE_KERNEL, "[kernel.kallsyms]", 0, 0xffffffff81000130,
		  "[kernel.kallsyms+0xffffffff81000130]",
		  "[[kernel.kallsyms]+0xffffffff81000130]" },
		{ MODULE_KERNEL_MODULE, "/lib/modules/6.1/ext4.ko", 0xffffffffc0100000,
		  0xffffffffc0100010, "[ext4+0x10]", "[[ext4]+0x10]" },
		/* Addresses outside all mappings are not shown, or each sample could have a frame
		 * of its own. */
		{ MODULE_NONE, "", 0, 0x7f00, "[unknown]", "[unknown]" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct module module = {
			.path = strings_intern_text(&strings, rows[i].path),
			.kind = rows[i].kind,
			.start = rows[i].start,
		};
		struct location location = {
			.module = modules_intern(&modules, &module),
			.address = rows[i].address,
		};
		struct frame_naming naming = { .shows_offsets = true };
		str_id name = frame_name_of(&strings, &modules, &location, &naming, false);

		cr_expect_str_eq(strings_text(&strings, name), rows[i].expected);
		naming.uses_perf_names = true;
		name = frame_name_of(&strings, &modules, &location, &naming, false);
		cr_expect_str_eq(strings_text(&strings, name), rows[i].literal);
	}
}

/* Names that are longer than any symbol or path may be are truncated. */
Test(frame_name, names_too_long_are_cut)
{
	static const enum module_kind kinds[] = { MODULE_FILE, MODULE_KERNEL_MODULE, MODULE_VDSO };
	size_t size = 3 * LIMIT_SYMBOL_BYTES;
	char *long_name = memory_alloc(size, 1);

	begin();
	memset(long_name, 'n', size - 1);
	long_name[size - 1] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct module module = { .kind = kinds[i] };
		const char *name = name_of(&module, long_name, &plain, false);

		cr_expect_lt(strlen(name), size);
		cr_expect_geq(strlen(name), LIMIT_SYMBOL_BYTES);
		module.path = strings_intern_text(&strings, long_name);
		name = name_of(&module, NULL, &literal_naming, false);
		cr_expect_lt(strlen(name), size);
		cr_expect_geq(strlen(name), LIMIT_NAME_BYTES - 4);
	}
	cr_expect_leq(
		strings_get(&strings, frame_name_of_comm(&strings, text_of(long_name), &plain))
			.length,
		size);
	end();
	memory_free(long_name);
	assert_no_leaks();
}
