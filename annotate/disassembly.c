/* SPDX-License-Identifier: MIT */
#include "annotate/disassembly.h"

#ifdef HAVE_CAPSTONE

#include <capstone/capstone.h>
#include <stdio.h>

/* Mnemonics are padded to this width. */
#define MNEMONIC_WIDTH 7

struct machine_mode {
	cs_arch arch;
	cs_mode mode;
	uint32_t unit_bytes; /* instructions are multiples of it */
};

static const struct machine_mode modes[] = {
	[DISASSEMBLY_X86_64] = { CS_ARCH_X86, CS_MODE_64, 1 },
	[DISASSEMBLY_I386] = { CS_ARCH_X86, CS_MODE_32, 1 },
	[DISASSEMBLY_AARCH64] = { CS_ARCH_ARM64, CS_MODE_ARM, 4 },
	[DISASSEMBLY_S390X] = { CS_ARCH_SYSZ, CS_MODE_BIG_ENDIAN, 2 },
};

bool disassembly_is_built_in(void)
{
	return true;
}

static bool is_in_group(const cs_insn *insn, uint8_t group)
{
	for (uint8_t i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

/* Gets the last operand if it is a number. */
static bool last_number(cs_arch arch, const cs_detail *detail, uint64_t *ret)
{
	uint8_t count;

	if (arch == CS_ARCH_X86) {
		count = detail->x86.op_count;
		if (!count || detail->x86.operands[count - 1].type != X86_OP_IMM)
			return false;
		*ret = (uint64_t)detail->x86.operands[count - 1].imm;
	} else if (arch == CS_ARCH_ARM64) {
		count = detail->arm64.op_count;
		if (!count || detail->arm64.operands[count - 1].type != ARM64_OP_IMM)
			return false;
		*ret = (uint64_t)detail->arm64.operands[count - 1].imm;
	} else {
		count = detail->sysz.op_count;
		if (!count || detail->sysz.operands[count - 1].type != SYSZ_OP_IMM)
			return false;
		*ret = (uint64_t)detail->sysz.operands[count - 1].imm;
	}
	return true;
}

/* capstone 4 puts the calls of s390x and aarch64 in no group, or in that of jumps. */
static bool is_call(cs_arch arch, const cs_insn *insn)
{
	if (is_in_group(insn, CS_GRP_CALL))
		return true;
	if (arch == CS_ARCH_ARM64)
		return insn->id == ARM64_INS_BL || insn->id == ARM64_INS_BLR;
	return arch == CS_ARCH_SYSZ && (insn->id == SYSZ_INS_BRAS || insn->id == SYSZ_INS_BRASL ||
					insn->id == SYSZ_INS_BASR);
}

/* capstone 4 puts conditional jumps of s390x, such as je and cgrjlh, in no group. */
static bool is_jump(cs_arch arch, const cs_insn *insn)
{
	const char *name = insn->mnemonic;

	if (is_in_group(insn, CS_GRP_JUMP))
		return true;
	return arch == CS_ARCH_SYSZ &&
	       (*name == 'j' || (*name == 'c' && (strstr(name, "rj") || strstr(name, "ij"))));
}

/* Whether a jump is unconditional. */
static bool always_jumps(cs_arch arch, const cs_insn *insn)
{
	if (arch == CS_ARCH_X86)
		return insn->id == X86_INS_JMP || insn->id == X86_INS_LJMP;
	if (arch == CS_ARCH_ARM64)
		return insn->id == ARM64_INS_BR ||
		       (insn->id == ARM64_INS_B && (insn->detail->arm64.cc == ARM64_CC_INVALID ||
						    insn->detail->arm64.cc == ARM64_CC_AL));
	return insn->id == SYSZ_INS_J || insn->id == SYSZ_INS_JG || insn->id == SYSZ_INS_BR;
}

static void describe(cs_arch arch, const cs_insn *insn, struct disassembled *ret)
{
	ret->is_call = is_call(arch, insn);
	ret->is_jump = !ret->is_call && is_jump(arch, insn);
	ret->ends_flow = is_in_group(insn, CS_GRP_RET) || always_jumps(arch, insn) ||
			 (arch == CS_ARCH_ARM64 && insn->id == ARM64_INS_RET);
	ret->has_target =
		(ret->is_call || ret->is_jump) && last_number(arch, insn->detail, &ret->target);
}

static uint32_t write_text(char *buffer, size_t buffer_bytes, const char *mnemonic,
			   const char *operands)
{
	int length = *operands ? snprintf(buffer, buffer_bytes, "%-*s %s", MNEMONIC_WIDTH, mnemonic,
					  operands)
			       : snprintf(buffer, buffer_bytes, "%s", mnemonic);

	return length < (int)buffer_bytes ? (uint32_t)length : (uint32_t)buffer_bytes - 1;
}

/* Writes the next bytes as data. */
static uint32_t write_bytes(char *buffer, size_t buffer_bytes, const uint8_t *bytes,
			    uint32_t size_bytes)
{
	char list[64] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < size_bytes && used + 8 < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s0x%02x",
					 i ? ", " : "", bytes[i]);
	return write_text(buffer, buffer_bytes, ".byte", list);
}

static bool begin_machine(const struct machine_mode *mode, csh *ret)
{
	if (cs_open(mode->arch, mode->mode, ret) != CS_ERR_OK)
		return false;
	(void)cs_option(*ret, CS_OPT_DETAIL, CS_OPT_ON);
	/* As perf and objdump print it. */
	if (mode->arch == CS_ARCH_X86)
		(void)cs_option(*ret, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	return true;
}

bool disassemble(enum disassembly_machine machine, const unsigned char *bytes, size_t size_bytes,
		 uint64_t address,
		 void (*on_instruction)(void *context, const struct disassembled *instruction),
		 void *context)
{
	const struct machine_mode *mode = &modes[machine];
	const uint8_t *at = bytes;
	char buffer[sizeof(((cs_insn *)NULL)->mnemonic) + sizeof(((cs_insn *)NULL)->op_str) + 16];
	cs_insn *insn;
	csh handle;

	if (machine == DISASSEMBLY_NONE || !begin_machine(mode, &handle))
		return false;
	insn = cs_malloc(handle);
	while (insn && size_bytes) {
		struct disassembled row = { .address = address, .text = { .at = buffer } };

		if (cs_disasm_iter(handle, &at, &size_bytes, &address, insn)) {
			row.size_bytes = insn->size;
			describe(mode->arch, insn, &row);
			row.text.length =
				write_text(buffer, sizeof(buffer), insn->mnemonic, insn->op_str);
		} else {
			row.size_bytes = size_bytes < mode->unit_bytes ? (uint32_t)size_bytes
								       : mode->unit_bytes;
			row.text.length = write_bytes(buffer, sizeof(buffer), at, row.size_bytes);
			at += row.size_bytes;
			size_bytes -= row.size_bytes;
			address += row.size_bytes;
		}
		on_instruction(context, &row);
	}
	if (insn)
		cs_free(insn, 1);
	cs_close(&handle);
	return insn != NULL;
}

#else

bool disassembly_is_built_in(void)
{
	return false;
}

bool disassemble(enum disassembly_machine machine, const unsigned char *bytes, size_t size_bytes,
		 uint64_t address,
		 void (*on_instruction)(void *context, const struct disassembled *instruction),
		 void *context)
{
	(void)machine;
	(void)bytes;
	(void)size_bytes;
	(void)address;
	(void)on_instruction;
	(void)context;
	return false;
}

#endif
