/* SPDX-License-Identifier: MIT */
#include "libparse/perf/attr.h"

#include "libparse/perf/abi.h"

#define ATTR_BYTES_KNOWN ATTR_BYTES_VER9
#define ATTR_SIZE_OFFSET 4

static uint64_t reverse_bits(uint64_t value)
{
	value = (value >> 1 & 0x5555555555555555ull) | (value & 0x5555555555555555ull) << 1;
	value = (value >> 2 & 0x3333333333333333ull) | (value & 0x3333333333333333ull) << 2;
	value = (value >> 4 & 0x0f0f0f0f0f0f0f0full) | (value & 0x0f0f0f0f0f0f0f0full) << 4;
	return __builtin_bswap64(value);
}

/*
 * The flags are C bit-fields. A big-endian compiler puts the first flag at the most significant
 * bit. Reversing the word also reverses precise_ip, which has two bits, so precise_ip is reversed
 * back.
 */
static uint64_t flags_of_big_endian(uint64_t word)
{
	uint64_t flags = reverse_bits(word);
	uint64_t precision = flags >> ATTR_FLAG_PRECISE_IP_SHIFT & ATTR_FLAG_PRECISE_IP_MASK;

	if (precision == 1 || precision == 2)
		flags ^= (uint64_t)ATTR_FLAG_PRECISE_IP_MASK << ATTR_FLAG_PRECISE_IP_SHIFT;
	return flags;
}

/* Reads all fields. The span must contain ATTR_BYTES_KNOWN bytes. */
static void read_fields(struct span *span, struct perf_attr *ret)
{
	uint32_t size, reserved_u32;
	uint16_t reserved_u16;

	span_u32(span, &ret->type);
	span_u32(span, &size);
	span_u64(span, &ret->config);
	span_u64(span, &ret->sample_period);
	span_u64(span, &ret->sample_type);
	span_u64(span, &ret->read_format);
	span_u64(span, &ret->flags);
	span_u32(span, &ret->wakeup_events);
	span_u32(span, &ret->breakpoint_type);
	span_u64(span, &ret->config1);
	span_u64(span, &ret->config2);
	span_u64(span, &ret->branch_sample_type);
	span_u64(span, &ret->sample_regs_user);
	span_u32(span, &ret->sample_stack_user);
	span_u32(span, (uint32_t *)&ret->clockid);
	span_u64(span, &ret->sample_regs_intr);
	span_u32(span, &ret->aux_watermark);
	span_u16(span, &ret->sample_max_stack);
	span_u16(span, &reserved_u16);
	span_u32(span, &ret->aux_sample_size);
	span_u32(span, &reserved_u32);
	span_u64(span, &ret->sig_data);
	span_u64(span, &ret->config3);
	span_u64(span, &ret->config4);
}

bool perf_attr_read(struct span bytes, struct perf_attr *ret, struct error *err)
{
	unsigned char padded[ATTR_BYTES_KNOWN] = { 0 };
	size_t size_bytes = span_left(&bytes);
	uint32_t stated;
	struct span span;

	*ret = (struct perf_attr){ 0 };
	if (size_bytes < ATTR_BYTES_VER0)
		return error_set_at(err, ERROR_CORRUPT, span_offset(&bytes),
				    "an event attribute has %zu bytes; the minimum is %d",
				    size_bytes, ATTR_BYTES_VER0);
	stated = span_load_u32(bytes.at + ATTR_SIZE_OFFSET, bytes.swapped);
	/* The first versions of perf left the size at 0. */
	if (stated == 0)
		stated = ATTR_BYTES_VER0;
	if (stated < ATTR_BYTES_VER0)
		return error_set_at(err, ERROR_CORRUPT, span_offset(&bytes) + ATTR_SIZE_OFFSET,
				    "an event attribute states a size of %u; the minimum is %d",
				    stated, ATTR_BYTES_VER0);
	if (size_bytes > stated)
		size_bytes = stated;
	if (size_bytes > sizeof(padded))
		size_bytes = sizeof(padded);
	memcpy(padded, bytes.at, size_bytes);

	span = span_of(padded, sizeof(padded), span_offset(&bytes), bytes.swapped);
	read_fields(&span, ret);
	ret->size = stated;
	if (span_is_big_endian(&bytes))
		ret->flags = flags_of_big_endian(ret->flags);
	return true;
}

unsigned perf_attr_precision(const struct perf_attr *attr)
{
	return (unsigned)(attr->flags >> ATTR_FLAG_PRECISE_IP_SHIFT) & ATTR_FLAG_PRECISE_IP_MASK;
}
