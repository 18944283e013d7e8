/* SPDX-License-Identifier: MIT */
/*
 * Replaces Criterion on machines to which it was not ported, such as s390x, and where it is slow,
 * as with sanitizers. It has the part of Criterion that the tests use, under the same names. Tests
 * run in processes that begin as copies of the runner (run_tests.c).
 *
 *     Test(suite, name, .init = ..., .fini = ...) { cr_assert_eq(a, b, "row %zu", i); }
 */
#ifndef TESTS_STAND_IN_CRITERION_CRITERION_H
#define TESTS_STAND_IN_CRITERION_CRITERION_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stand_in_options {
	void (*init)(void);
	void (*fini)(void);
	double timeout; /* in seconds; ignored, because emulated machines are slow */
};

struct stand_in_test {
	const char *suite, *name;
	void (*run)(void);
	struct stand_in_options options;
	struct stand_in_test *next;
};

void stand_in_register(struct stand_in_test *test);

/* If the condition does not hold, counts a failure, and ends the test if is_fatal. */
void stand_in_judge(bool holds, bool is_fatal, const char *file, int line, const char *expression,
		    ... /* format and its arguments, or NULL */);

_Noreturn void stand_in_skip(const char *format, ...);

#define Test(Suite, Name, ...)                                                          \
	static void criterion_##Suite##_##Name##_body(void);                            \
	static struct stand_in_test Suite##_##Name##_test = {                           \
		.suite = #Suite,                                                        \
		.name = #Name,                                                          \
		.run = criterion_##Suite##_##Name##_body,                               \
		.options = { __VA_ARGS__ },                                             \
	};                                                                              \
	__attribute__((constructor)) static void criterion_##Suite##_##Name##_add(void) \
	{                                                                               \
		stand_in_register(&Suite##_##Name##_test);                              \
	}                                                                               \
	static void criterion_##Suite##_##Name##_body(void)

#define STAND_IN(holds, is_fatal, text, ...) \
	stand_in_judge((holds), is_fatal, __FILE__, __LINE__, text, ##__VA_ARGS__, NULL)
#define STAND_IN_ASSERT(holds, ...) STAND_IN(holds, true, #holds, ##__VA_ARGS__)
#define STAND_IN_EXPECT(holds, ...) STAND_IN(holds, false, #holds, ##__VA_ARGS__)
#define STAND_IN_SAME(a, b)         (strcmp(a, b) == 0)
#define STAND_IN_NEAR(a, b, by)     ((a) - (b) <= (by) && (b) - (a) <= (by))

#define cr_assert(holds, ...)             STAND_IN_ASSERT(holds, ##__VA_ARGS__)
#define cr_assert_not(holds, ...)         STAND_IN_ASSERT(!(holds), ##__VA_ARGS__)
#define cr_assert_eq(a, b, ...)           STAND_IN_ASSERT((a) == (b), ##__VA_ARGS__)
#define cr_assert_neq(a, b, ...)          STAND_IN_ASSERT((a) != (b), ##__VA_ARGS__)
#define cr_assert_lt(a, b, ...)           STAND_IN_ASSERT((a) < (b), ##__VA_ARGS__)
#define cr_assert_leq(a, b, ...)          STAND_IN_ASSERT((a) <= (b), ##__VA_ARGS__)
#define cr_assert_gt(a, b, ...)           STAND_IN_ASSERT((a) > (b), ##__VA_ARGS__)
#define cr_assert_geq(a, b, ...)          STAND_IN_ASSERT((a) >= (b), ##__VA_ARGS__)
#define cr_assert_null(a, ...)            STAND_IN_ASSERT((a) == NULL, ##__VA_ARGS__)
#define cr_assert_not_null(a, ...)        STAND_IN_ASSERT((a) != NULL, ##__VA_ARGS__)
#define cr_assert_str_eq(a, b, ...)       STAND_IN_ASSERT(STAND_IN_SAME(a, b), ##__VA_ARGS__)
#define cr_assert_str_neq(a, b, ...)      STAND_IN_ASSERT(!STAND_IN_SAME(a, b), ##__VA_ARGS__)
#define cr_expect(holds, ...)             STAND_IN_EXPECT(holds, ##__VA_ARGS__)
#define cr_expect_not(holds, ...)         STAND_IN_EXPECT(!(holds), ##__VA_ARGS__)
#define cr_expect_eq(a, b, ...)           STAND_IN_EXPECT((a) == (b), ##__VA_ARGS__)
#define cr_expect_neq(a, b, ...)          STAND_IN_EXPECT((a) != (b), ##__VA_ARGS__)
#define cr_expect_lt(a, b, ...)           STAND_IN_EXPECT((a) < (b), ##__VA_ARGS__)
#define cr_expect_leq(a, b, ...)          STAND_IN_EXPECT((a) <= (b), ##__VA_ARGS__)
#define cr_expect_gt(a, b, ...)           STAND_IN_EXPECT((a) > (b), ##__VA_ARGS__)
#define cr_expect_geq(a, b, ...)          STAND_IN_EXPECT((a) >= (b), ##__VA_ARGS__)
#define cr_expect_null(a, ...)            STAND_IN_EXPECT((a) == NULL, ##__VA_ARGS__)
#define cr_expect_not_null(a, ...)        STAND_IN_EXPECT((a) != NULL, ##__VA_ARGS__)
#define cr_expect_str_eq(a, b, ...)       STAND_IN_EXPECT(STAND_IN_SAME(a, b), ##__VA_ARGS__)
#define cr_expect_str_neq(a, b, ...)      STAND_IN_EXPECT(!STAND_IN_SAME(a, b), ##__VA_ARGS__)
#define cr_expect_float_eq(a, b, by, ...) STAND_IN_EXPECT(STAND_IN_NEAR(a, b, by), ##__VA_ARGS__)
#define cr_skip_test(...)                 stand_in_skip(__VA_ARGS__)

#endif
