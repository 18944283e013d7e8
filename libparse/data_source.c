/* SPDX-License-Identifier: MIT */
#include "libparse/data_source.h"

/* Bits from `shift` on. */
struct bit_range {
	unsigned shift, width;
};

static const struct bit_range operation = { 0, 5 };
static const struct bit_range level = { 5, 14 };
static const struct bit_range snoop = { 19, 5 };
static const struct bit_range lock = { 24, 2 };
static const struct bit_range tlb = { 26, 7 };
static const struct bit_range level_number = { 33, 4 };
static const struct bit_range remote = { 37, 1 };
static const struct bit_range more_snoop = { 38, 2 };
static const struct bit_range hops = { 43, 3 };

enum {
	OPERATION_LOAD = 1 << 1,
	OPERATION_STORE = 1 << 2,
	LOCK_LOCKED = 1 << 1,
	SNOOP_MODIFIED = 1 << 4,
	MORE_SNOOP_PEER = 1 << 1,
	/* Bits of the level and of the TLB. */
	NOT_AVAILABLE = 1 << 0,
	HIT = 1 << 1,
	MISS = 1 << 2,
	LEVEL_L1 = 1 << 3,
	LEVEL_LFB = 1 << 4,
	LEVEL_L2 = 1 << 5,
	LEVEL_L3 = 1 << 6,
	LEVEL_RAM = 1 << 7,
	LEVEL_REMOTE = 0xf << 8, /* RAM and caches, one or two hops away */
	NUMBER_LFB = 12,
	NUMBER_RAM = 13,
	NUMBER_NOT_AVAILABLE = 15,
};

/* Indexed by bit; NULL if the bit does not stand for a level. */
static const char *const level_names[] = {
	NULL,
	NULL,
	NULL,
	"L1",
	"LFB",
	"L2",
	"L3",
	"local RAM",
	"remote RAM (1 hop)",
	"remote RAM (2 hops)",
	"remote cache (1 hop)",
	"remote cache (2 hops)",
	"I/O",
	"uncached",
};

/* Indexed by level number. */
static const char *const number_names[] = {
	NULL, "L1",  "L2",  "L3",        "L4",  NULL,  NULL,   NULL,
	NULL, "CXL", "I/O", "any cache", "LFB", "RAM", "PMEM", NULL,
};

static const char *const snoop_names[] = { NULL, "None", "Hit", "Miss", "HitM" };
static const char *const more_snoop_names[] = { "Fwd", "Peer" };
static const char *const tlb_names[] = { NULL, NULL, NULL, "L1", "L2", "Walker", "Fault" };

/* Indexed by number of hops. */
static const char *const hop_names[] = {
	NULL, "core, same node", "node, same socket", "socket, same board", "board",
};

static uint64_t value_of(uint64_t source, struct bit_range field)
{
	return source >> field.shift & ((1ull << field.width) - 1);
}

static uint64_t mask_of(struct bit_range field)
{
	return ((1ull << field.width) - 1) << field.shift;
}

bool data_source_is_load(uint64_t source)
{
	return value_of(source, operation) & OPERATION_LOAD;
}

bool data_source_is_store(uint64_t source)
{
	return value_of(source, operation) & OPERATION_STORE;
}

bool data_source_is_locked(uint64_t source)
{
	return value_of(source, lock) & LOCK_LOCKED;
}

bool data_source_misses_tlb(uint64_t source)
{
	return value_of(source, tlb) & MISS;
}

bool data_source_is_shared(uint64_t source)
{
	return value_of(source, snoop) & SNOOP_MODIFIED ||
	       value_of(source, more_snoop) & MORE_SNOOP_PEER;
}

bool data_source_is_remote(uint64_t source)
{
	return value_of(source, remote) || value_of(source, hops) > 1 ||
	       value_of(source, level) & LEVEL_REMOTE;
}

static bool has_number(uint64_t source)
{
	uint64_t number = value_of(source, level_number);

	return number && number != NUMBER_NOT_AVAILABLE && number_names[number];
}

enum data_level data_source_level(uint64_t source)
{
	uint64_t bits = value_of(source, level);

	if (data_source_is_remote(source))
		return DATA_LEVEL_REMOTE;
	if (has_number(source))
		switch (value_of(source, level_number)) {
		case 1:
			return DATA_LEVEL_L1;
		case 2:
			return DATA_LEVEL_L2;
		case 3:
			return DATA_LEVEL_L3;
		case NUMBER_LFB:
			return DATA_LEVEL_LFB;
		case NUMBER_RAM:
			return DATA_LEVEL_RAM;
		default:
			return DATA_LEVEL_OTHER;
		}
	/*
	 * An access that misses in several levels has the bits of all these levels. The nearest
	 * level is used.
	 */
	if (bits & LEVEL_L1)
		return DATA_LEVEL_L1;
	if (bits & LEVEL_LFB)
		return DATA_LEVEL_LFB;
	if (bits & LEVEL_L2)
		return DATA_LEVEL_L2;
	if (bits & LEVEL_L3)
		return DATA_LEVEL_L3;
	if (bits & LEVEL_RAM)
		return DATA_LEVEL_RAM;
	return bits & ~(uint64_t)(NOT_AVAILABLE | HIT | MISS) ? DATA_LEVEL_OTHER : DATA_LEVEL_NONE;
}

uint64_t data_source_bits(uint64_t source, enum data_source_part part)
{
	switch (part) {
	case DATA_SOURCE_LEVEL:
		return source &
		       (mask_of(level) | mask_of(level_number) | mask_of(remote) | mask_of(hops));
	case DATA_SOURCE_SNOOP:
		return source & (mask_of(snoop) | mask_of(more_snoop));
	case DATA_SOURCE_TLB:
		break;
	}
	return source & mask_of(tlb);
}

/*
 * Writes the names of the bits that are set, with "or" between them. Returns the number of these
 * bits.
 */
static unsigned write_names(uint64_t bits, const char *const *names, size_t count, unsigned written,
			    struct sink *sink)
{
	for (size_t i = 0; i < count; i++) {
		if (!(bits >> i & 1) || !names[i])
			continue;
		if (written++)
			sink_puts(sink, " or ");
		sink_puts(sink, names[i]);
	}
	return written;
}

static void write_hit(uint64_t bits, struct sink *sink)
{
	if (bits & HIT)
		sink_puts(sink, " hit");
	if (bits & MISS)
		sink_puts(sink, " miss");
}

static void write_level(uint64_t source, struct sink *sink)
{
	uint64_t bits = value_of(source, level);
	uint64_t hop = value_of(source, hops);
	bool is_remote = value_of(source, remote);

	if (!has_number(source)) {
		if (!write_names(bits, level_names, ARRAY_SIZE(level_names), 0, sink))
			sink_puts(sink, "N/A");
		write_hit(bits, sink);
		return;
	}
	if (is_remote)
		sink_puts(sink, "remote ");
	if (hop && hop < ARRAY_SIZE(hop_names))
		sink_printf(sink, "%s, ", hop_names[hop]);
	/* The level number means RAM in general. The level bits show which RAM it was. */
	if (value_of(source, level_number) == NUMBER_RAM && !is_remote &&
	    bits & (LEVEL_RAM | LEVEL_REMOTE))
		write_names(bits & (LEVEL_RAM | LEVEL_REMOTE), level_names, ARRAY_SIZE(level_names),
			    0, sink);
	else
		sink_puts(sink, number_names[value_of(source, level_number)]);
	write_hit(bits, sink);
}

static void write_snoop(uint64_t source, struct sink *sink)
{
	unsigned written =
		write_names(value_of(source, snoop), snoop_names, ARRAY_SIZE(snoop_names), 0, sink);

	if (!write_names(value_of(source, more_snoop), more_snoop_names,
			 ARRAY_SIZE(more_snoop_names), written, sink))
		sink_puts(sink, "N/A");
}

void data_source_write(uint64_t source, enum data_source_part part, struct sink *sink)
{
	uint64_t bits = value_of(source, tlb);

	switch (part) {
	case DATA_SOURCE_LEVEL:
		write_level(source, sink);
		return;
	case DATA_SOURCE_SNOOP:
		write_snoop(source, sink);
		return;
	case DATA_SOURCE_TLB:
		break;
	}
	if (!write_names(bits, tlb_names, ARRAY_SIZE(tlb_names), 0, sink))
		sink_puts(sink, "N/A");
	write_hit(bits, sink);
}
