/* SPDX-License-Identifier: MIT */
#include "render/report/call_tree_text.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

/* walk calls itself, directly and through step. */
static void make(struct profile_maker *maker)
{
	profile_maker_init(maker);
	profile_maker_module(maker, MODULE_FILE, "/bin/app");
	profile_maker_stack(maker, "app;main|1;walk|1;walk|1;leaf|1", 10);
	profile_maker_stack(maker, "app;main|1;walk|1;step|1;walk|1", 20);
	profile_maker_stack(maker, "app;main|1;load|1;walk|1", 30);
	profile_maker_stack(maker, "app;main|1;load|1", 39);
	profile_maker_stack(maker, "app;main|1;rare|1", 1);
	profile_maker_build(maker, NULL);
}

static void expect_calls(enum call_tree_kind kind, const char *function,
			 struct call_tree_options options, const char *expected)
{
	struct profile_maker maker;
	name_patterns functions = { 0 };
	struct call_tree tree;
	struct error err;
	struct sink sink;

	make(&maker);
	cr_assert(!function || name_patterns_parse("callers", function, &functions, &err));
	options.kind = kind;
	call_tree_init(&tree, &maker.profile, kind, &functions);
	sink_init_memory(&sink);
	call_tree_write(&tree, &options, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected, "%s\nwanted:\n%s", sink.buffer, expected);
	sink_deinit(&sink);
	call_tree_deinit(&tree);
	name_patterns_deinit(&functions);
	profile_maker_deinit(&maker);
}

/* A frame without a connector is the only child of the one above it. */
Test(call_tree, whole)
{
	expect_calls(CALL_TREE_WHOLE, NULL, (struct call_tree_options){ .least_percent = 2 },
		     "# calls; event cycles, total 100 events\n"
		     "#  total     self  function\n"
		     " 100.00%    0.00%  app\n"
		     " 100.00%    0.00%  main\n"
		     "  69.00%   39.00%  ├ load\n"
		     "  30.00%   30.00%  │ walk\n"
		     "  30.00%    0.00%  ├ walk\n"
		     "  20.00%    0.00%  │ ├ step\n"
		     "  20.00%   20.00%  │ │ walk\n"
		     "  10.00%    0.00%  │ └ walk\n"
		     "  10.00%   10.00%  │   leaf\n"
		     "   1.00%           └ 1 more\n");
	assert_no_leaks();
}

/* A sample counts once for the function, at its outermost call. */
Test(call_tree, recursion)
{
	expect_calls(CALL_TREE_CALLEES, "walk", (struct call_tree_options){ .least_percent = 0 },
		     "# callees; event cycles, total 100 events\n"
		     "#  total     self  function\n"
		     "  60.00%   30.00%  walk\n"
		     "  20.00%    0.00%  ├ step\n"
		     "  20.00%   20.00%  │ walk\n"
		     "  10.00%    0.00%  └ walk\n"
		     "  10.00%   10.00%    leaf\n");
	expect_calls(CALL_TREE_CALLERS, "walk", (struct call_tree_options){ .least_percent = 0 },
		     "# callers; self is the self weight of the called function; event cycles, "
		     "total 100 events\n"
		     "#  total     self  function\n"
		     "  60.00%   30.00%  walk\n"
		     "  30.00%   30.00%  ├ load\n"
		     "  30.00%   30.00%  │ main\n"
		     "  30.00%   30.00%  │ app\n"
		     "  30.00%    0.00%  └ main\n"
		     "  30.00%    0.00%    app\n");
	assert_no_leaks();
}

/* The rows that a limit leaves out are counted at each level. */
Test(call_tree, limit)
{
	expect_calls(CALL_TREE_WHOLE, NULL, (struct call_tree_options){ .limit = 3 },
		     "# calls; event cycles, total 100 events\n"
		     "#  total     self  function\n"
		     " 100.00%    0.00%  app\n"
		     " 100.00%    0.00%  main\n"
		     "  69.00%   39.00%  ├ load\n"
		     "  30.00%           │ 1 more\n"
		     "  31.00%           └ 2 more\n");
	assert_no_leaks();
}

/* In machine-readable output, the numbers of rows describe the tree. */
Test(call_tree, for_programs)
{
	expect_calls(CALL_TREE_CALLEES, "load",
		     (struct call_tree_options){ .format = TABLE_FORMAT_CSV },
		     "id,parent,total_percent,self_percent,total,self,symbol,dso\n"
		     "0,,69.0000,39.0000,69,39,load,/bin/app\n"
		     "1,0,30.0000,30.0000,30,30,walk,/bin/app\n");
	assert_no_leaks();
}

/* A sample counts once for each pair of caller and callee. */
Test(call_tree, peek)
{
	static const char expected[] =
		"# callers (above) and callees (below) of each function; the self of a caller is "
		"the self weight of the called function; event cycles, total 100 events\n"
		"#  total     self  function\n"
		"  30.00%   30.00%  ┌ load\n"
		"  30.00%    0.00%  ┌ main\n"
		"  20.00%   20.00%  ┌ step\n"
		"  10.00%    0.00%  ┌ walk\n"
		"  60.00%   50.00%  walk\n"
		"  20.00%    0.00%  └ step\n"
		"  10.00%   10.00%  └ leaf\n"
		"  10.00%    0.00%  └ walk\n";
	struct call_tree_options options = { .least_percent = 0 };
	struct profile_maker maker;
	name_patterns functions = { 0 };
	struct call_tree callers, callees;
	struct error err;
	struct sink sink;

	make(&maker);
	cr_assert(name_patterns_parse("peek", "walk", &functions, &err));
	call_tree_init_direct(&callers, &maker.profile, CALL_TREE_CALLERS, &functions);
	call_tree_init_direct(&callees, &maker.profile, CALL_TREE_CALLEES, &functions);
	sink_init_memory(&sink);
	call_tree_write_peek(&callers, &callees, &options, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected, "%s\nwanted:\n%s", sink.buffer, expected);
	sink_deinit(&sink);
	call_tree_deinit(&callers);
	call_tree_deinit(&callees);
	name_patterns_deinit(&functions);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}
