/* SPDX-License-Identifier: MIT */
#include "offcpu/text_threads.h"

#include <criterion/criterion.h>

#include "libparse/event.h"
#include "tests/support/leaks.h"

static void expect(struct text_threads *threads, uint32_t tid, uint32_t pid, const char *comm)
{
	const struct text_thread *thread = text_threads_find(threads, tid);

	cr_assert(thread != NULL, "%u", tid);
	cr_expect_eq(thread->pid, pid, "%u", tid);
	cr_expect(text_is(strings_get(&threads->strings, thread->comm), comm), "%u", tid);
}

/* The last name counts, and an unknown process or name does not replace a known one. */
Test(text_threads, parts_of_a_text)
{
	struct text_threads *threads = text_threads_create();
	struct text_threads *later = text_threads_create();

	text_threads_note(threads, 5, 7, text_of("old"));
	text_threads_note(threads, EVENT_NO_TID, 8, text_of("b"));
	text_threads_note(threads, EVENT_NO_TID, 7, text_of(""));
	expect(threads, 7, 5, "old");
	expect(threads, 8, EVENT_NO_TID, "b");
	text_threads_note(later, 9, 8, text_of(""));
	text_threads_note(later, 5, 7, text_of("new"));
	text_threads_note(later, 3, 3, text_of("c"));
	text_threads_add(threads, later);
	expect(threads, 7, 5, "new");
	expect(threads, 8, 9, "b");
	expect(threads, 3, 3, "c");
	cr_expect(!text_threads_find(threads, 4));
	text_threads_destroy(later);
	text_threads_destroy(threads);
	text_threads_destroy(NULL);
	assert_no_leaks();
}

/* ftrace and perf script print "<...>" and ":7" if they do not know the name. */
Test(text_threads, placeholders)
{
	struct text_threads *threads = text_threads_create();

	text_threads_note(threads, 7, 7, text_of(":7"));
	expect(threads, 7, 7, ":7");
	text_threads_note(threads, 7, 7, text_of("a"));
	text_threads_note(threads, 7, 7, text_of(":7"));
	text_threads_note(threads, 7, 7, text_of("<...>"));
	expect(threads, 7, 7, "a");
	text_threads_note(threads, 7, 7, text_of(":8"));
	expect(threads, 7, 7, ":8");
	text_threads_destroy(threads);
	assert_no_leaks();
}
