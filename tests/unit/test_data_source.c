/* SPDX-License-Identifier: MIT */
#include "libparse/data_source.h"

#include <criterion/criterion.h>

static const struct {
	uint64_t source;
	enum data_source_part part;
	const char *text;
	enum data_level level;
} rows[] = {
	/* Levels by bits, as kernels before 4.14 record them. */
	{ 2 | 0x0aull << 5, DATA_SOURCE_LEVEL, "L1 hit", DATA_LEVEL_L1 },
	{ 2 | 0x12ull << 5, DATA_SOURCE_LEVEL, "LFB hit", DATA_LEVEL_LFB },
	{ 2 | 0x44ull << 5, DATA_SOURCE_LEVEL, "L3 miss", DATA_LEVEL_L3 },
	{ 2 | 0x82ull << 5, DATA_SOURCE_LEVEL, "local RAM hit", DATA_LEVEL_RAM },
	{ 2 | 0x402ull << 5, DATA_SOURCE_LEVEL, "remote cache (1 hop) hit", DATA_LEVEL_REMOTE },
	{ 2 | 0x1002ull << 5, DATA_SOURCE_LEVEL, "I/O hit", DATA_LEVEL_OTHER },
	{ 2 | 1ull << 5, DATA_SOURCE_LEVEL, "N/A", DATA_LEVEL_NONE },
	/* If there is a level number, the bits do not name the level again. */
	{ 2 | 0x0aull << 5 | 1ull << 33, DATA_SOURCE_LEVEL, "L1 hit", DATA_LEVEL_L1 },
	{ 2 | 0x02ull << 5 | 0xdull << 33, DATA_SOURCE_LEVEL, "RAM hit", DATA_LEVEL_RAM },
	{ 2 | 0x82ull << 5 | 0xdull << 33, DATA_SOURCE_LEVEL, "local RAM hit", DATA_LEVEL_RAM },
	{ 2 | 0x202ull << 5 | 0xdull << 33 | 1ull << 37, DATA_SOURCE_LEVEL, "remote RAM hit",
	  DATA_LEVEL_REMOTE },
	{ 2 | 0x02ull << 5 | 0xbull << 33 | 1ull << 37 | 1ull << 43, DATA_SOURCE_LEVEL,
	  "remote core, same node, any cache hit", DATA_LEVEL_REMOTE },
	{ 2 | 0x02ull << 5 | 0xeull << 33, DATA_SOURCE_LEVEL, "PMEM hit", DATA_LEVEL_OTHER },
	/* Numbers without a meaning are not used. */
	{ 2 | 0x0aull << 5 | 0xfull << 33, DATA_SOURCE_LEVEL, "L1 hit", DATA_LEVEL_L1 },
	{ 2 | 0x0aull << 5 | 5ull << 33, DATA_SOURCE_LEVEL, "L1 hit", DATA_LEVEL_L1 },
	{ 2 | 1ull << 19, DATA_SOURCE_SNOOP, "N/A", DATA_LEVEL_NONE },
	{ 2 | 0x10ull << 19, DATA_SOURCE_SNOOP, "HitM", DATA_LEVEL_NONE },
	{ 2 | 4ull << 19 | 3ull << 38, DATA_SOURCE_SNOOP, "Hit or Fwd or Peer", DATA_LEVEL_NONE },
	{ 2 | 0x1aull << 26, DATA_SOURCE_TLB, "L1 or L2 hit", DATA_LEVEL_NONE },
	{ 2 | 0x24ull << 26, DATA_SOURCE_TLB, "Walker miss", DATA_LEVEL_NONE },
	{ 2, DATA_SOURCE_TLB, "N/A", DATA_LEVEL_NONE },
};

Test(data_source, texts_and_levels)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		data_source_write(rows[i].source, rows[i].part, &sink);
		sink_char(&sink, '\0');
		cr_expect_str_eq(sink.buffer, rows[i].text, "row %zu: %s", i, sink.buffer);
		cr_expect_eq(data_source_level(rows[i].source), rows[i].level, "row %zu", i);
		sink_deinit(&sink);
	}
}

Test(data_source, bits_of_a_part_decide_its_text)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t others = ~data_source_bits(UINT64_MAX, rows[i].part);

		cr_expect_eq(data_source_bits(rows[i].source | others, rows[i].part),
			     data_source_bits(rows[i].source, rows[i].part));
	}
}

Test(data_source, who_had_the_line)
{
	cr_expect(data_source_is_shared(0x10ull << 19));
	cr_expect(data_source_is_shared(2ull << 38));
	cr_expect_not(data_source_is_shared(4ull << 19 | 1ull << 38));
	cr_expect(data_source_is_remote(0x400ull << 5));
	cr_expect(data_source_is_remote(1ull << 37));
	/* A hop to another core of the same node is not remote, but a hop to another node is. */
	cr_expect_not(data_source_is_remote(1ull << 43));
	cr_expect(data_source_is_remote(2ull << 43));
	cr_expect(data_source_is_load(2));
	cr_expect(data_source_is_store(4));
	cr_expect(data_source_is_locked(2ull << 24));
	cr_expect(data_source_misses_tlb(4ull << 26));
}
