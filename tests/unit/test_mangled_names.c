/* SPDX-License-Identifier: MIT */
#include "symbolise/mangled_names.h"

#include <criterion/criterion.h>

#include "sandbox/lockdown.h"
#include "symbolise/demangle/demangle_service.h"
#include "symbolise/symbolise.h"

static const char *const names[] = {
	"_ZN3net4pollEv",
	"_ZN3net4pollEv.part.0",
	"_ZN4core3fmt5write17h0123456789abcdefE",
	"_ZN4core3fmt5write17h0123456789abcdefE.llvm.123",
	"_RNvC6_123foo3bar",
	"_D3std5stdio7writelnFZv",
	"_Z",
	"_ZN3net4pollEv",
};

struct made {
	struct arena arena;
	struct mangled_names names[2];
	struct text given[ARRAY_SIZE(names)];
};

/* The names go to two jobs in turn. Every second name has a text after it. */
static void make(struct made *made, const struct symbolise_options *options)
{
	arena_init(&made->arena);
	for (size_t i = 0; i < ARRAY_SIZE(made->names); i++)
		mangled_names_init(&made->names[i]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct display_parts parts = display_parts_of(text_of(names[i]), false, options);

		cr_assert(parts.is_mangled, "%s", names[i]);
		made->given[i] = mangled_names_add(&made->names[i % 2], &made->arena, &parts,
						   text_of(i % 2 ? "@plt" : ""));
	}
}

static void drop(struct made *made)
{
	for (size_t i = 0; i < ARRAY_SIZE(made->names); i++)
		mangled_names_deinit(&made->names[i]);
	arena_deinit(&made->arena);
}

static size_t demangle_made(struct made *made, const struct service *service, struct error *err)
{
	struct mangled_names *jobs[] = { &made->names[0], &made->names[1] };

	return mangled_names_demangle(jobs, ARRAY_SIZE(jobs), service, 2, &made->arena, err);
}

Test(mangled_names, a_worker_shows_what_this_process_would)
{
	const struct lockdown_kernel kernel = lockdown_probe();

	for (int folds = 0; folds < 2; folds++) {
		struct symbolise_options options = { .demangle = true, .fold_suffixes = folds };
		struct service service;
		struct error err;
		struct made made;

		make(&made, &options);
		service_start(&service, symbolise_service_kinds, &kernel);
		cr_expect(demangle_made(&made, &service, &err) == 0);
		service_stop(&service);
		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			char buffer[DISPLAY_NAME_BYTES], expected[DISPLAY_NAME_BYTES];
			struct text shown = mangled_names_shown(&made.names[i % 2], made.given[i]);
			struct text own = display_name(text_of(names[i]), false, &options, buffer);

			snprintf(expected, sizeof(expected), "%.*s%s", (int)own.length, own.at,
				 i % 2 ? "@plt" : "");
			cr_expect(text_is(shown, expected), "%s", shown.at);
		}
		drop(&made);
	}
}

Test(mangled_names, stay_as_they_are_without_a_worker)
{
	const struct symbolise_options options = { .demangle = true };
	const struct service service = { .socket = -1 };
	struct error err;
	struct made made;

	make(&made, &options);
	/* The eight names have five different stems. */
	cr_expect(demangle_made(&made, &service, &err) == 5);
	cr_expect(strstr(err.text, "demangling names"), "%s", err.text);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		cr_expect(mangled_names_shown(&made.names[i % 2], made.given[i]).at ==
			  made.given[i].at);
	drop(&made);
}

Test(mangled_names, of_other_texts_nothing_is_changed)
{
	const struct symbolise_options options = { .demangle = true };
	struct text other = text_of("_ZN3net4pollEv");
	struct made made;

	make(&made, &options);
	cr_expect(mangled_names_shown(&made.names[0], other).at == other.at);
	cr_expect(mangled_names_shown(&made.names[0], text_of("")).length == 0);
	drop(&made);
}

/* Reads an answer for two names. */
static bool reads(const void *bytes, size_t size_bytes, struct demangle_request requests[2],
		  struct arena *arena)
{
	requests[0] = requests[1] = (struct demangle_request){ .name = text_of("_Z1fv") };
	return demangle_read_answer(span_of(bytes, size_bytes, 0, false), requests, 2, arena);
}

Test(mangled_names, an_answer_may_be_hostile)
{
	const struct {
		uint32_t first;
		char text[4];
		uint32_t second;
	} __attribute__((packed)) good = { 4, "main", 0 }, beyond = { 4, "main", 1 },
				  huge = { 4, "main", DEMANGLED_BYTES_MAX + 1 };
	struct demangle_request requests[2];
	struct arena arena;

	arena_init(&arena);
	cr_expect(reads(&good, sizeof(good), requests, &arena));
	cr_expect(text_is(requests[0].shown, "main") && !requests[1].shown.at);
	for (size_t i = 0; i < sizeof(good); i++) {
		cr_expect(!reads(&good, i, requests, &arena));
		cr_expect(!requests[0].shown.at && !requests[1].shown.at);
	}
	cr_expect(!reads(&beyond, sizeof(beyond), requests, &arena));
	cr_expect(!reads(&huge, sizeof(huge), requests, &arena));
	arena_deinit(&arena);
}
