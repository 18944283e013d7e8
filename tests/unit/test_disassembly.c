/* SPDX-License-Identifier: MIT */
#include "annotate/disassembly.h"

#include <criterion/criterion.h>

#include "base/vec.h"

#define START        0x1000u
#define EXPECTED_MAX 8

enum flow {
	NEXT = 1, /* continues */
	JUMP = 2,
	CALL = 4,
	END = 8,
	DATA = 16, /* is no instruction */
	INSIDE = 32,
	ANY = 64, /* is an instruction, or data if capstone does not know it */
};

struct expected {
	uint32_t size_bytes;
	unsigned flow;
	uint64_t target; /* 0: none */
};

static const struct row {
	const char *name;
	enum disassembly_machine machine;
	const char *bytes;
	size_t size_bytes;
	struct expected expected[EXPECTED_MAX];
	uint64_t starts[2];
	size_t start_count;
} rows[] = {
	{ "x86-64",
	  DISASSEMBLY_X86_64,
	  "\x31\xc0\xe8\x05\0\0\0\x74\xf7\xc3\x06\xeb\xfd\xff\xe0",
	  15,
	  { { 2, NEXT, 0 },
	    { 5, CALL | NEXT, START + 12 },
	    { 2, JUMP | NEXT, START },
	    { 1, END, 0 },
	    { 1, DATA | NEXT, 0 },
	    { 2, JUMP | END, START + 10 },
	    { 2, JUMP | END, 0 } },
	  { 0 },
	  0 },
	/* kmovd, vpternlogd with an immediate value, vpminub, vptestnmb and ret. */
	{ "AVX-512",
	  DISASSEMBLY_X86_64,
	  "\xc5\xfb\x93\xc0\x62\xb3\x6d\x20\x25\xdb\xff\x62\xb1\x6d\x20\xda\x5c\x24\x01"
	  "\x62\xb2\x66\x20\x26\xc3\xc3",
	  26,
	  { { 4, ANY, 0 }, { 7, ANY, 0 }, { 8, ANY, 0 }, { 6, ANY, 0 }, { 1, END, 0 } },
	  { 0 },
	  0 },
	/* The bytes of a mov, but a sample is at the third one, which is a nop. */
	{ "sample inside",
	  DISASSEMBLY_X86_64,
	  "\x90\xb8\x31\x90\x90\x90\xc3",
	  7,
	  { { 1, NEXT, 0 },
	    { 1, DATA | NEXT, 0 },
	    { 1, DATA | NEXT, 0 },
	    { 1, INSIDE | NEXT, 0 },
	    { 1, NEXT, 0 },
	    { 1, NEXT, 0 },
	    { 1, END, 0 } },
	  { START, START + 3 },
	  2 },
	{ "i386",
	  DISASSEMBLY_I386,
	  "\x06\x40\xe8\xf9\xff\xff\xff\xe9\xf4\xff\xff\xff",
	  12,
	  { { 1, NEXT, 0 }, { 1, NEXT, 0 }, { 5, CALL | NEXT, START }, { 5, JUMP | END, START } },
	  { 0 },
	  0 },
	{ "aarch64",
	  DISASSEMBLY_AARCH64,
	  "\x1f\x20\x03\xd5\x02\x00\x00\x94\xc0\xff\xff\x54\xa0\xff\xff\xb4"
	  "\xc0\x03\x5f\xd6\xff\xff\xff\x17\xff\xff\xff\xff\x1f\x20",
	  30,
	  { { 4, NEXT, 0 },
	    { 4, CALL | NEXT, START + 12 },
	    { 4, JUMP | NEXT, START },
	    { 4, JUMP | NEXT, START },
	    { 4, END, 0 },
	    { 4, JUMP | END, START + 16 },
	    { 4, DATA | NEXT, 0 },
	    { 2, DATA | NEXT, 0 } },
	  { 0 },
	  0 },
	{ "s390x",
	  DISASSEMBLY_S390X,
	  "\xb9\x04\x00\x12\xc0\xe5\x00\x00\x00\x03\xa7\x84\xff\xfb\x07\xfe\xa7\xf4\xff\xf8\0\0",
	  22,
	  { { 4, NEXT, 0 },
	    { 6, CALL | NEXT, START + 10 },
	    { 4, JUMP | NEXT, START },
	    { 2, END, 0 },
	    { 4, JUMP | END, START },
	    { 2, DATA | NEXT, 0 } },
	  { 0 },
	  0 },
};

struct check {
	const struct row *row;
	size_t count;
	uint64_t address;
};

static void on_instruction(void *context, const struct disassembled *got)
{
	struct check *check = context;
	const struct expected *expected = &check->row->expected[check->count];
	const char *name = check->row->name;
	unsigned at = (unsigned)check->count;

	cr_assert_lt(check->count, EXPECTED_MAX);
	cr_expect_eq(got->address, check->address, "%s %u", name, at);
	cr_expect_eq(got->size_bytes, expected->size_bytes, "%s %u: %u bytes", name, at,
		     (unsigned)got->size_bytes);
	cr_expect_eq(got->is_call, !!(expected->flow & CALL), "%s %u: call", name, at);
	cr_expect_eq(got->ends_flow, !!(expected->flow & END), "%s %u: end", name, at);
	/* Machines and versions of capstone differ in which indirect branches are jumps. */
	if (expected->target || expected->flow & NEXT)
		cr_expect_eq(got->is_jump, !!(expected->flow & JUMP), "%s %u: jump", name, at);
	cr_expect_eq(got->has_target ? got->target : 0, expected->target, "%s %u: target %x", name,
		     at, (unsigned)got->target);
	if (!(expected->flow & ANY))
		cr_expect_eq(text_has_prefix(got->text, ".byte"), !!(expected->flow & DATA),
			     "%s %u: %.*s", name, at, (int)got->text.length, got->text.at);
	cr_expect_eq(got->is_inside, !!(expected->flow & INSIDE), "%s %u: inside", name, at);
	cr_expect(got->text.length);
	check->address += got->size_bytes;
	check->count++;
}

Test(disassembly, machines)
{
	if (!disassembly_load())
		return;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct check check = { .row = &rows[i], .address = START };

		cr_assert(disassemble(
				  &(struct disassembly_code){
					  .machine = rows[i].machine,
					  .bytes = (const unsigned char *)rows[i].bytes,
					  .size_bytes = rows[i].size_bytes,
					  .address = START,
					  .starts = rows[i].starts,
					  .start_count = rows[i].start_count,
				  },
				  on_instruction, &check),
			  "%s", rows[i].name);
		cr_expect_eq(check.address, START + rows[i].size_bytes, "%s", rows[i].name);
	}
}

static void count_bytes(void *context, const struct disassembled *got)
{
	*(uint64_t *)context += got->size_bytes;
}

/* Whatever the bytes are, each belongs to one instruction. */
Test(disassembly, any_bytes)
{
	unsigned char bytes[3000];
	static const uint64_t starts[] = { 0, 7, 9, 1000, 1000, 1001, UINT64_MAX };
	uint32_t state = 1;

	if (!disassembly_load())
		return;
	for (size_t i = 0; i < sizeof(bytes); i++) {
		state = state * 1664525u + 1013904223u;
		bytes[i] = (unsigned char)(state >> 24);
	}
	for (int machine = DISASSEMBLY_X86_64; machine <= DISASSEMBLY_S390X; machine++)
		for (size_t skipped = 0; skipped < 8; skipped++) {
			uint64_t sum = 0;

			cr_assert(disassemble(
				&(struct disassembly_code){
					.machine = (enum disassembly_machine)machine,
					.bytes = bytes + skipped,
					.size_bytes = sizeof(bytes) - skipped,
					.address = UINT64_MAX - 100,
					.starts = starts,
					.start_count = ARRAY_SIZE(starts),
				},
				count_bytes, &sum));
			cr_expect_eq(sum, sizeof(bytes) - skipped, "machine %d", machine);
		}
}

Test(disassembly, unknown_machine)
{
	uint64_t sum = 0;

	cr_expect_not(disassemble(
		&(struct disassembly_code){
			.bytes = (const unsigned char *)"\xc3",
			.size_bytes = 1,
		},
		count_bytes, &sum));
	cr_expect_eq(sum, 0);
}
