/* SPDX-License-Identifier: MIT */
#include "unwind/expression.h"

#include <criterion/criterion.h>

#define STACK_BASE 0x7000

/* The words at STACK_BASE, in the byte order of the machine. */
static const uint64_t stack_words[] = { 0x1111111111111111, 0x2222222233333344 };

struct row {
	const char *what;
	uint8_t code[32];
	size_t length;
	bool is_good;
	uint64_t expected;
};

#define CODE(...) { __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ })

/* The initial stack is 5; rsp is STACK_BASE, rip 0x40100b, rbx 7, and rax is unknown. */
static const struct row rows[] = {
	{ "what was there", CODE(0x96), true, 5 },
	{ "a literal", CODE(0x4f), true, 31 },
	{ "constants of each size", CODE(0x08, 0xff, 0x09, 0xff, 0x22), true, 0xfe },
	{ "a negative number of any length", CODE(0x11, 0x7f), true, UINT64_MAX },
	{ "a register and an offset", CODE(0x77, 0x08), true, STACK_BASE + 8 },
	{ "the same by number", CODE(0x92, 7, 0x78), true, STACK_BASE - 8 },
	{ "what it points to", CODE(0x77, 0, 0x06), true, 0x1111111111111111 },
	{ "a byte of it", CODE(0x77, 8, 0x94, 1), true, 0x44 },
	{ "a stub of a PLT, before its push",
	  CODE(0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3c, 0x2a, 0x33, 0x24, 0x22), true, STACK_BASE + 8 },
	{ "and behind", CODE(0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22), true,
	  STACK_BASE + 16 },
	{ "dup, over, pick, swap, rot, drop",
	  CODE(0x31, 0x32, 0x12, 0x22, 0x14, 0x22, 0x15, 1, 0x16, 0x1c, 0x13, 0x33, 0x34, 0x17),
	  true, 3 },
	{ "plus, and a constant", CODE(0x31, 0x22, 0x23, 0x0a), true, 16 },
	{ "numbers below zero are divided as such", CODE(0x11, 0x76, 0x32, 0x1b), true,
	  (uint64_t)-5 },
	{ "modulo", CODE(0x47, 0x35, 0x1d), true, 3 },
	{ "times, minus, negated, absolute", CODE(0x33, 0x1e, 0x4f, 0x1c, 0x19, 0x1f), true,
	  (uint64_t)-16 },
	{ "not, or, xor", CODE(0x20, 0x31, 0x21, 0x33, 0x27), true, ~(uint64_t)5 ^ 1 ^ 3 ^ 0 },
	{ "shifts", CODE(0x34, 0x24, 0x32, 0x25), true, 20 },
	{ "a shift that keeps the sign", CODE(0x11, 0x40, 0x32, 0x26), true, (uint64_t)-16 },
	{ "shifts by more than there is", CODE(0x08, 200, 0x24), true, 0 },
	{ "less, as numbers with a sign", CODE(0x11, 0x7f, 0x30, 0x2d), true, 1 },
	{ "a branch that is taken", CODE(0x31, 0x28, 1, 0, 0x38, 0x37), true, 7 },
	{ "and one that is not", CODE(0x30, 0x28, 1, 0, 0x38), true, 8 },
	{ "a half word", CODE(0x0a, 0x34, 0x92), true, 0x9234 },
	{ "a half word with a sign", CODE(0x0b, 0xfe, 0xff), true, (uint64_t)-2 },
	{ "a word", CODE(0x0c, 1, 0, 0, 0x80), true, 0x80000001 },
	{ "a word with a sign", CODE(0x0d, 0xfd, 0xff, 0xff, 0xff), true, (uint64_t)-3 },
	{ "a number of any length", CODE(0x10, 0x80, 0x01), true, 128 },
	{ "equal", CODE(0x35, 0x29), true, 1 },
	{ "not equal", CODE(0x35, 0x2e), true, 0 },
	{ "greater", CODE(0x34, 0x2b), true, 1 },
	{ "at most", CODE(0x34, 0x2c), true, 0 },
	{ "bits of both", CODE(0x34, 0x1a), true, 4 },
	{ "bits of one", CODE(0x31, 0x27), true, 4 },
	{ "a shift to the right by more than there is", CODE(0x08, 200, 0x25), true, 0 },
	{ "the same of a number below zero", CODE(0x11, 0x7f, 0x08, 200, 0x26), true, UINT64_MAX },
	{ "a shift by nothing", CODE(0x30, 0x26), true, 5 },
	{ "an empty expression", { 0 }, 0, true, 5 },
	{ "a register that is not known", CODE(0x70, 0), false, 0 },
	{ "a register there is none of", CODE(0x92, 99, 0), false, 0 },
	{ "beyond the copy", CODE(0x77, 16, 0x06), false, 0 },
	{ "below it", CODE(0x77, 0x7f, 0x06), false, 0 },
	{ "division by nothing", CODE(0x30, 0x1b), false, 0 },
	{ "modulo nothing", CODE(0x30, 0x1d), false, 0 },
	{ "the lowest number by -1", CODE(0x31, 0x08, 63, 0x24, 0x11, 0x7f, 0x1b), false, 0 },
	{ "too little on the stack", CODE(0x22), false, 0 },
	{ "nothing left", CODE(0x13), false, 0 },
	{ "a swap of one value", CODE(0x16), false, 0 },
	{ "a rotation of two", CODE(0x31, 0x17), false, 0 },
	{ "nothing to negate", CODE(0x13, 0x1f), false, 0 },
	{ "no address", CODE(0x13, 0x94, 1), false, 0 },
	{ "no byte of it", CODE(0x77, 0, 0x94, 0), false, 0 },
	{ "more than a word of it", CODE(0x77, 0, 0x94, 9), false, 0 },
	{ "cut short", CODE(0x0e, 1, 2), false, 0 },
	{ "an operation there is none of", CODE(0xf0), false, 0 },
	{ "a loop without end", CODE(0x2f, 0xfd, 0xff), false, 0 },
	{ "a jump out", CODE(0x2f, 0xff, 0x7f), false, 0 },
	{ "a jump before the beginning", CODE(0x2f, 0xf0, 0xff), false, 0 },
};

static void put_word(unsigned char *bytes, uint64_t value, bool swapped)
{
	if (swapped)
		value = __builtin_bswap64(value);
	memcpy(bytes, &value, sizeof(value));
}

Test(expression, evaluates)
{
	struct registers registers = { .known = MACHINE_REGISTER_BIT(3) | MACHINE_REGISTER_BIT(7) |
						MACHINE_REGISTER_BIT(16) };
	unsigned char bytes[16];
	struct stack_dump copy = {
		.bytes = bytes,
		.base = STACK_BASE,
		.size_bytes = sizeof(bytes),
		.word_bytes = 8,
		.swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
	};
	const uint64_t first = 5;

	put_word(bytes, stack_words[0], copy.swapped);
	put_word(bytes + 8, stack_words[1], copy.swapped);
	registers.value[3] = 7;
	registers.value[7] = STACK_BASE;
	registers.value[16] = 0x40100b;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct span code = span_of(row->code, row->length, 0, copy.swapped);
		uint64_t value = 0;
		bool is_good = expression_evaluate(code, &machine_x86_64, &registers, &copy, &first,
						   &value);

		cr_expect_eq(is_good, row->is_good, "%s", row->what);
		if (is_good && row->is_good)
			cr_expect_eq(value, row->expected, "%s: %llx, not %llx", row->what,
				     (unsigned long long)value, (unsigned long long)row->expected);
	}
}

Test(expression, puts_by_no_more_than_the_limit)
{
	uint8_t code[LIMIT_EXPRESSION_STACK + 1];
	struct registers registers = { .known = 0 };
	struct stack_dump copy = { .word_bytes = 8 };
	uint64_t value;

	memset(code, 0x31, sizeof(code));
	cr_expect(expression_evaluate(span_of(code, sizeof(code) - 1, 0, false), &machine_x86_64,
				      &registers, &copy, NULL, &value));
	cr_expect_not(expression_evaluate(span_of(code, sizeof(code), 0, false), &machine_x86_64,
					  &registers, &copy, NULL, &value));
}
