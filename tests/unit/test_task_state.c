/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/task_state.h"

#include <criterion/criterion.h>

/* Print formats of kernels, reduced to the states. */
static const char linux_2_6_32[] =
	"\"prev_state=%s\", REC->prev_state ? __print_flags(REC->prev_state, \"|\", { 1, \"S\"} , { 2, "
	"\"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, \"X\" }, { 64, \"x\" }, { 128, \"W\" "
	"}) : \"R\"";
static const char linux_3_10[] =
	"\"prev_state=%s%s\", REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & (1024-1), "
	"\"|\", { 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, \"X\" }, { "
	"64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }) : \"R\", REC->prev_state & 1024 ? "
	"\"+\" : \"\"";
static const char linux_6_1[] =
	"(REC->prev_state & ((((0x0000 | 0x0001 | 0x0002) + 1) << 1) - 1)) ? "
	"__print_flags(REC->prev_state & ((((0x0000 | 0x0001) + 1) << 1) - 1), \"|\", { 0x0001, \"S\" "
	"}, { 0x0002, \"D\" }, { 0x0004, \"T\" }, { 0x0008, \"t\" }, { 0x0010, \"X\" }, { 0x0020, \"Z\" "
	"}, { 0x0040, \"P\" }, { 0x0080, \"I\" }) : \"R\", REC->prev_state & 0x100 ? \"+\" : \"\"";

struct row {
	const char *print_format; /* NULL: of the release */
	const char *release;
	uint64_t value;
	char letter;
	bool is_preempted, is_dead, is_blocked;
};

static const struct row rows[] = {
	{ linux_2_6_32, "", 0, 'R', false, false, false },
	{ linux_2_6_32, "", 16, 'Z', false, true, false },
	{ linux_2_6_32, "", 1, 'S', false, false, true },
	{ linux_3_10, "", 1, 'S', false, false, true },
	{ linux_3_10, "", 1024, 'R', true, false, false },
	{ linux_3_10, "", 1025, 'S', true, false, false },
	{ linux_3_10, "", 32, 'X', false, true, false },
	{ linux_3_10, "", 64, 'x', false, true, false },
	{ linux_3_10, "", 128 | 2, 'D', false, false, true },
	{ linux_6_1, "", 0, 'R', false, false, false },
	{ linux_6_1, "", 0x100, 'R', true, false, false },
	{ linux_6_1, "", 2, 'D', false, false, true },
	{ linux_6_1, "", 0x10, 'X', false, true, false },
	{ linux_6_1, "", 0x20, 'Z', false, true, false },
	{ linux_6_1, "", 0x40, 'P', false, false, true },
	{ linux_6_1, "", 0x80, 'I', false, false, true },
	{ NULL, "4.13.16", 16, 'Z', false, true, false },
	{ NULL, "4.14.0", 16, 'X', false, true, false },
	{ NULL, "3.10.0-1160.el7", 512, 'P', false, false, true },
	{ NULL, "5.4.0-42-generic", 0x100, 'R', true, false, false },
	{ NULL, "", 0x80, 'I', false, false, true },
	{ NULL, "hostile", 2, 'D', false, false, true },
};

Test(task_state, letters_of_every_kernel)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct task_states states;
		struct task_state state;

		if (row->print_format)
			cr_assert(task_states_read(text_of(row->print_format), &states));
		else
			task_states_guess(text_of(row->release), &states);
		state = task_state_of(&states, row->value);
		cr_expect_eq(state.letter, row->letter, "row %zu: %c", i, state.letter);
		cr_expect_eq(state.is_preempted, row->is_preempted, "row %zu", i);
		cr_expect_eq(task_state_is_dead(state), row->is_dead, "row %zu", i);
		cr_expect_eq(task_state_is_blocked(state), row->is_blocked, "row %zu", i);
	}
}

Test(task_state, formats_that_name_none)
{
	static const char *const formats[] = {
		"",
		"{",
		"{ 1",
		"{ 1, \"",
		"{ 1, \"S",
		"{ 3, \"S\" }",
		"{ 0, \"R\" }",
		"{ 0x10000000000000001, \"S\" }",
		"{ 65536, \"S\" }",
		"{ 1, \"SS\" }",
		"{ 0x, \"S\" }",
		"{ 1, \"1\" }",
	};
	struct task_states states;

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		cr_expect_not(task_states_read(text_of(formats[i]), &states), "%s", formats[i]);
}
