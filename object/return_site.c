/* SPDX-License-Identifier: MIT */
#include "object/return_site.h"

#include <elf.h>
#include <string.h>

/*
 * The length of the longest supported call: FF /2 of x86 with a SIB byte and a 32-bit displacement.
 */
#define CALL_BYTES_MAX 7

/* The bytes before a return address. Bytes before the start of the file are 0. */
struct return_site {
	const struct elf_file *elf;
	uint64_t offset;
	bool is_odd;                          /* the recorded address is odd: ARM T32 code */
	unsigned char before[CALL_BYTES_MAX]; /* the last byte is just before the address */
};

/* Returns the byte that is `distance` bytes before the address. `distance` is at least 1. */
static unsigned char back(const struct return_site *site, unsigned distance)
{
	return site->before[CALL_BYTES_MAX - distance];
}

static uint32_t little_16(const struct return_site *site, unsigned distance)
{
	return (uint32_t)back(site, distance) | (uint32_t)back(site, distance - 1) << 8;
}

static uint32_t little_32(const struct return_site *site, unsigned distance)
{
	return little_16(site, distance) | little_16(site, distance - 2) << 16;
}

static bool is_executable_address(const struct elf_file *elf, uint64_t address)
{
	for (size_t i = 0; i < elf->segments.count; i++) {
		const struct elf_segment *segment = &elf->segments.at[i];

		if (segment->is_executable && address >= segment->address &&
		    address - segment->address < segment->memory_bytes)
			return true;
	}
	return elf->segments.count == 0;
}

/* E8: the target must be code in the same file. In random bytes, such a call is rare. */
static bool is_x86_direct_call(const struct return_site *site)
{
	uint64_t address;

	if (back(site, 5) != 0xe8 || site->offset == 0 ||
	    !elf_address_of_offset(site->elf, site->offset - 1, &address))
		return false;
	address += 1 + (uint64_t)(int64_t)(int32_t)little_32(site, 4);
	if (!site->elf->is_64_bit)
		address &= UINT32_MAX;
	return is_executable_address(site->elf, address);
}

/* The length of FF /2, according to its ModRM and SIB bytes; 0 for other instructions. */
static unsigned x86_indirect_call_bytes(unsigned char modrm, unsigned char sib)
{
	unsigned mode = modrm >> 6;
	unsigned has_sib = mode != 3 && (modrm & 7) == 4;
	bool has_no_base = has_sib ? (sib & 7) == 5 : (modrm & 7) == 5;

	if ((modrm >> 3 & 7) != 2)
		return 0;
	return 2 + has_sib + (mode == 1 ? 1 : mode == 2 || (mode == 0 && has_no_base) ? 4 : 0);
}

static bool is_x86_call(const struct return_site *site)
{
	if (is_x86_direct_call(site))
		return true;
	for (unsigned bytes = 2; bytes <= CALL_BYTES_MAX; bytes++)
		if (back(site, bytes) == 0xff &&
		    x86_indirect_call_bytes(back(site, bytes - 1),
					    bytes > 2 ? back(site, bytes - 2) : 0) == bytes)
			return true;
	return false;
}

/* BL; BLR; BLRAA, BLRAB, and their forms without a modifier (BLRAAZ, BLRABZ). */
static bool is_aarch64_call(const struct return_site *site)
{
	uint32_t word = little_32(site, 4);

	return (word & 0xfc000000) == 0x94000000 || (word & 0xfffffc1f) == 0xd63f0000 ||
	       (word & 0xfefff800) == 0xd63f0800;
}

/* A32: BL, BLX. T32: BL and BLX of two halfwords, BLX of one halfword. */
static bool is_arm_call(const struct return_site *site)
{
	uint32_t word = little_32(site, 4);
	uint32_t last = little_16(site, 2);

	if (site->is_odd)
		return ((word & 0xf800) == 0xf000 && (last & 0xc000) == 0xc000) ||
		       (last & 0xff87) == 0x4780;
	return (word & 0x0f000000) == 0x0b000000 || (word & 0xfe000000) == 0xfa000000 ||
	       (word & 0x0ffffff0) == 0x012fff30;
}

/* BRASL; BRAS, BAS; BASR. */
static bool is_s390_call(const struct return_site *site)
{
	return (back(site, 6) == 0xc0 && (back(site, 5) & 15) == 5) ||
	       (back(site, 4) == 0xa7 && (back(site, 3) & 15) == 5) || back(site, 4) == 0x4d ||
	       (back(site, 2) == 0x0d && (back(site, 1) & 15) != 0);
}

static const struct {
	uint16_t machine;
	bool (*is_call)(const struct return_site *site);
	uint64_t alignment; /* alignment of instructions; lower bits of an address are ignored */
} machines[] = {
	{ EM_X86_64, is_x86_call, 1 },      { EM_386, is_x86_call, 1 },
	{ EM_AARCH64, is_aarch64_call, 4 }, { EM_ARM, is_arm_call, 2 },
	{ EM_S390, is_s390_call, 2 },
};

static size_t row_of(const struct elf_file *elf)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(machines) && machines[i].machine != elf->machine)
		i++;
	return i;
}

bool return_site_is_known(const struct elf_file *elf)
{
	return !elf->is_slim && row_of(elf) < ARRAY_SIZE(machines);
}

bool return_site_is_at(const struct elf_file *elf, uint64_t offset)
{
	size_t row = row_of(elf);
	struct return_site site = { .elf = elf, .offset = offset, .is_odd = offset & 1 };
	uint64_t address;
	size_t bytes;

	if (row == ARRAY_SIZE(machines) || offset == 0)
		return false;
	site.offset &= ~(machines[row].alignment - 1);
	bytes = site.offset < CALL_BYTES_MAX ? (size_t)site.offset : CALL_BYTES_MAX;
	return bytes > 0 && elf_address_of_offset(elf, site.offset - 1, &address) &&
	       elf_read(elf, site.offset - bytes, site.before + CALL_BYTES_MAX - bytes, bytes) ==
		       bytes &&
	       machines[row].is_call(&site);
}
