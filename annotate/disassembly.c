/* SPDX-License-Identifier: MIT */
#include "annotate/disassembly.h"

#ifdef HAVE_CAPSTONE

#include <capstone/capstone.h>
#include <stdio.h>

#include "base/library.h"

/* Mnemonics are padded to this width. */
#define MNEMONIC_WIDTH 7
/* The longest instruction of x86. */
#define INSTRUCTION_BYTES_MAX 15

#define VALUE_TEXT(value) #value
#define TEXT_OF(macro)    VALUE_TEXT(macro)
#define LIBRARY           "libcapstone.so." TEXT_OF(CS_API_MAJOR)

#define CAPSTONE_FUNCTIONS(_) \
	_(cs_open)            \
	_(cs_close)           \
	_(cs_option)          \
	_(cs_malloc)          \
	_(cs_free)            \
	_(cs_disasm_iter)

/*
 * capstone is loaded at first use, because its tables would take a third of kiln's start-up time.
 */
struct capstone {
	CAPSTONE_FUNCTIONS(LIBRARY_MEMBER)
};

static bool load(struct capstone *ret)
{
	return LIBRARY_LOAD(LIBRARY, CAPSTONE_FUNCTIONS, ret);
}

struct machine_mode {
	cs_arch arch;
	cs_mode mode;
	uint32_t unit_bytes; /* addresses and sizes of instructions are multiples of this */
};

static const struct machine_mode modes[] = {
	[DISASSEMBLY_X86_64] = { CS_ARCH_X86, CS_MODE_64, 1 },
	[DISASSEMBLY_I386] = { CS_ARCH_X86, CS_MODE_32, 1 },
	[DISASSEMBLY_AARCH64] = { CS_ARCH_ARM64, CS_MODE_ARM, 4 },
	[DISASSEMBLY_S390X] = { CS_ARCH_SYSZ, CS_MODE_BIG_ENDIAN, 2 },
};

bool disassembly_load(void)
{
	struct capstone ignored;

	return load(&ignored);
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

/*
 * capstone 4 does not assign calls on s390x and aarch64 to a group, or assigns them to the jumps.
 */
static bool is_call(cs_arch arch, const cs_insn *insn)
{
	if (is_in_group(insn, CS_GRP_CALL))
		return true;
	if (arch == CS_ARCH_ARM64)
		return insn->id == ARM64_INS_BL || insn->id == ARM64_INS_BLR;
	return arch == CS_ARCH_SYSZ && (insn->id == SYSZ_INS_BRAS || insn->id == SYSZ_INS_BRASL ||
					insn->id == SYSZ_INS_BASR);
}

/* capstone 4 does not assign conditional jumps on s390x, such as je and cgrjlh, to a group. */
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
	char list[INSTRUCTION_BYTES_MAX * sizeof(", 0x00")] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < size_bytes && used + sizeof(", 0x00") <= sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s0x%02x",
					 i ? ", " : "", bytes[i]);
	return write_text(buffer, buffer_bytes, ".byte", list);
}

/*
 * The size of the operand bytes that follow an x86 opcode, without immediate values.
 */
static size_t operand_bytes(const uint8_t *bytes, size_t size_bytes)
{
	uint8_t mode, base;

	if (!size_bytes)
		return 1;
	mode = bytes[0] >> 6;
	base = bytes[0] & 7;
	if (mode == 3)
		return 1;
	if (base == 4 && size_bytes > 1 && mode == 0 && (bytes[1] & 7) == 5)
		return 6;
	return 1 + (base == 4) + (mode == 1 ? 1 : mode == 2 || base == 5 ? 4 : 0);
}

/*
 * The size of an AVX instruction. capstone 4 lacks many AVX-512 instructions, which string
 * functions of libc use. Returns 0 for other instructions. Source: Intel SDM, volume 2, sections
 * 2.3 and 2.7.
 */
static size_t vector_bytes(const uint8_t *bytes, size_t size_bytes)
{
	size_t prefix_bytes = bytes[0] == 0x62   ? 4
			      : bytes[0] == 0xc4 ? 3
			      : bytes[0] == 0xc5 ? 2
						 : 0;
	uint8_t map, opcode;
	size_t ret;

	if (!prefix_bytes || size_bytes < prefix_bytes + 2)
		return 0;
	map = prefix_bytes == 2 ? 1 : bytes[1] & (prefix_bytes == 4 ? 7 : 31);
	opcode = bytes[prefix_bytes];
	ret = prefix_bytes + 1 +
	      operand_bytes(bytes + prefix_bytes + 1, size_bytes - prefix_bytes - 1);
	if (map == 3 || (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
				      (opcode >= 0xc4 && opcode <= 0xc6))))
		ret++;
	return ret <= size_bytes && ret <= INSTRUCTION_BYTES_MAX ? ret : 0;
}

/* The number of bytes to write as data. */
static uint32_t data_bytes(const struct machine_mode *mode, const uint8_t *bytes, size_t size_bytes)
{
	size_t ret = mode->arch == CS_ARCH_X86 ? vector_bytes(bytes, size_bytes) : 0;

	if (!ret)
		ret = mode->unit_bytes;
	return (uint32_t)(ret < size_bytes ? ret : size_bytes);
}

static bool begin_machine(const struct capstone *capstone, const struct machine_mode *mode,
			  csh *ret)
{
	if (capstone->cs_open(mode->arch, mode->mode, ret) != CS_ERR_OK)
		return false;
	(void)capstone->cs_option(*ret, CS_OPT_DETAIL, CS_OPT_ON);
	/* The syntax that perf and objdump print. */
	if (mode->arch == CS_ARCH_X86)
		(void)capstone->cs_option(*ret, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	return true;
}

/* The state while one function is disassembled. */
struct decoder {
	const struct disassembly_code *code;
	const struct machine_mode *mode;
	struct capstone capstone;
	csh handle;
	cs_insn *insn;
	const uint8_t *at;
	uint64_t address;
	size_t left_bytes;
	size_t next_start; /* the first start after the address */
	bool is_cut;       /* the last bytes began an instruction that extends past a start */
	char text[256];
};

/* The number of bytes before the next start. */
static size_t bytes_to_start(struct decoder *decoder)
{
	const struct disassembly_code *code = decoder->code;
	uint64_t distance;

	while (decoder->next_start < code->start_count &&
	       code->starts[decoder->next_start] <= decoder->address)
		decoder->next_start++;
	if (decoder->next_start == code->start_count)
		return decoder->left_bytes;
	distance = code->starts[decoder->next_start] - decoder->address;
	return distance < decoder->left_bytes ? (size_t)distance : decoder->left_bytes;
}

/* Whether an instruction begins here, regardless of the starts. */
static bool is_instruction(const struct decoder *decoder)
{
	const uint8_t *at = decoder->at;
	uint64_t address = decoder->address;
	size_t left_bytes = decoder->left_bytes;

	return decoder->capstone.cs_disasm_iter(decoder->handle, &at, &left_bytes, &address,
						decoder->insn);
}

static void decode(struct decoder *decoder, struct disassembled *ret)
{
	size_t part_bytes = bytes_to_start(decoder);
	size_t left_bytes = part_bytes;
	bool was_cut = decoder->is_cut;
	const uint8_t *at = decoder->at;
	uint64_t address = decoder->address;

	*ret = (struct disassembled){
		.address = decoder->address,
		.is_inside = was_cut && decoder->next_start &&
			     decoder->code->starts[decoder->next_start - 1] == decoder->address,
		.text = { .at = decoder->text },
	};
	if (decoder->capstone.cs_disasm_iter(decoder->handle, &at, &left_bytes, &address,
					     decoder->insn)) {
		ret->size_bytes = decoder->insn->size;
		describe(decoder->mode->arch, decoder->insn, ret);
		ret->text.length = write_text(decoder->text, sizeof(decoder->text),
					      decoder->insn->mnemonic, decoder->insn->op_str);
		decoder->is_cut = false;
	} else {
		ret->size_bytes = data_bytes(decoder->mode, decoder->at, part_bytes);
		ret->text.length = write_bytes(decoder->text, sizeof(decoder->text), decoder->at,
					       ret->size_bytes);
		decoder->is_cut = part_bytes < decoder->left_bytes &&
				  ((was_cut && !ret->is_inside) || is_instruction(decoder));
	}
	decoder->at += ret->size_bytes;
	decoder->address += ret->size_bytes;
	decoder->left_bytes -= ret->size_bytes;
}

bool disassemble(const struct disassembly_code *code,
		 void (*on_instruction)(void *context, const struct disassembled *instruction),
		 void *context)
{
	struct decoder decoder = {
		.code = code,
		.mode = &modes[code->machine],
		.at = code->bytes,
		.address = code->address,
		.left_bytes = code->size_bytes,
	};

	if (code->machine == DISASSEMBLY_NONE || !load(&decoder.capstone) ||
	    !begin_machine(&decoder.capstone, decoder.mode, &decoder.handle))
		return false;
	decoder.insn = decoder.capstone.cs_malloc(decoder.handle);
	while (decoder.insn && decoder.left_bytes) {
		struct disassembled instruction;

		decode(&decoder, &instruction);
		on_instruction(context, &instruction);
	}
	if (decoder.insn)
		decoder.capstone.cs_free(decoder.insn, 1);
	decoder.capstone.cs_close(&decoder.handle);
	return decoder.insn != NULL;
}

#else

bool disassembly_load(void)
{
	return false;
}

bool disassemble(const struct disassembly_code *code,
		 void (*on_instruction)(void *context, const struct disassembled *instruction),
		 void *context)
{
	(void)code;
	(void)on_instruction;
	(void)context;
	return false;
}

#endif
