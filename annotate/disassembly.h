/* SPDX-License-Identifier: MIT */
/*
 * Converts machine code to text, with capstone. The bytes come from files that may be hostile: the
 * number of instructions and the length of each text are bounded.
 *
 *     31 c0 e8 05 00 00 00   ─▶   1139  xorl %eax, %eax
 *                                 113b  callq 0x1145          target 1145
 *
 * Bytes that capstone does not know become .byte. After such bytes, capstone might continue in the
 * middle of an instruction. Sample addresses correct this, because instructions begin at these
 * addresses.
 */
#ifndef ANNOTATE_DISASSEMBLY_H
#define ANNOTATE_DISASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strings.h"

enum disassembly_machine {
	DISASSEMBLY_NONE, /* a machine that kiln does not disassemble */
	DISASSEMBLY_X86_64,
	DISASSEMBLY_I386,
	DISASSEMBLY_AARCH64,
	DISASSEMBLY_S390X,
};

struct disassembly_code {
	enum disassembly_machine machine;
	const unsigned char *bytes;
	size_t size_bytes;
	uint64_t address;
	const uint64_t *starts; /* addresses where instructions begin, ascending; can be empty */
	size_t start_count;
};

struct disassembled {
	uint64_t address;
	uint32_t size_bytes;
	struct text text;
	bool is_jump, is_call;
	bool ends_flow; /* execution never continues at the next instruction */
	bool is_inside; /* begins at one of the starts, inside another instruction */
	bool has_target;
	uint64_t target; /* of a direct jump or call */
};

/*
 * Loads capstone. Call it before the process is locked, because a locked process cannot open the
 * library. Returns false if kiln was built without capstone, or capstone is not installed.
 */
bool disassembly_load(void);

/*
 * Calls on_instruction for each instruction, in address order. The text of an instruction is valid
 * during the call. Returns false if nothing can be disassembled, because capstone or its support
 * for the machine is missing.
 */
bool disassemble(const struct disassembly_code *code,
		 void (*on_instruction)(void *context, const struct disassembled *instruction),
		 void *context);

#endif
