/* SPDX-License-Identifier: MIT */
#include "base/runs_sort.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

struct row {
	int key, place; /* place: before sorting */
};

static int compare(const void *a, const void *b)
{
	const struct row *left = a;
	const struct row *right = b;

	return (left->key > right->key) - (left->key < right->key);
}

/* Sorts the digits of a text as keys. Equal keys must stay in order. */
static void expect(const char *keys, const char *sorted)
{
	struct row rows[32];
	size_t count = strlen(keys);

	for (size_t i = 0; i < count; i++)
		rows[i] = (struct row){ keys[i], (int)i };
	runs_sort(rows, count, sizeof(*rows), compare);
	for (size_t i = 0; i < count; i++) {
		cr_expect_eq(rows[i].key, sorted[i], "%s: %zu", keys, i);
		cr_expect(!i || rows[i].key != rows[i - 1].key || rows[i].place > rows[i - 1].place,
			  "%s: %zu", keys, i);
	}
}

Test(runs_sort, any_number_of_runs)
{
	expect("", "");
	expect("1", "1");
	expect("1123", "1123");
	expect("149235268", "122345689");
	expect("123123123", "111222333");
	expect("987654321", "123456789");
	expect("2121212121", "1111122222");
	runs_sort(NULL, 0, sizeof(struct row), compare);
	assert_no_leaks();
}
