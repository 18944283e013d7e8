/* SPDX-License-Identifier: MIT */
#include "base/arithmetic.h"
#include "base/base64.h"
#include "base/memory.h"
#include "base/workers.h"
#include "compress/codec.h"
#include "render/escape.h"
#include "render/svg/embed.h"

/*
 * The compression of an element stops at this multiple of the limit, because output of this size
 * suffices for the next estimate.
 */
#define EXCESS_MAX 4
/* Blocks do not share a window, which makes the output 0.2% larger at this size. */
#define BLOCK_BYTES (256u << 10)
/* Blocks are compressed to the end, so JSON of more than this multiple of the limit has none. */
#define BLOCKS_FACTOR_MAX 64

struct blocks {
	struct text json;
	struct sink *base64; /* by block */
};

static void compress_block(void *context, size_t index)
{
	const struct blocks *blocks = context;
	struct text block = text_from(blocks->json, index * BLOCK_BYTES);
	struct sink compressed;

	if (block.length > BLOCK_BYTES)
		block.length = BLOCK_BYTES;
	sink_init_memory(&compressed);
	sink_init_memory(&blocks->base64[index]);
	(void)!codec_write_deflate_block(&compressed, block);
	base64_write(&blocks->base64[index], sink_memory(&compressed));
	sink_deinit(&compressed);
}

static void write_blocks(unsigned thread_count, struct text json, struct sink *sink)
{
	size_t count = (json.length + BLOCK_BYTES - 1) / BLOCK_BYTES;
	struct blocks blocks = { json, memory_alloc(count, sizeof(*blocks.base64)) };

	workers_run(thread_count, count, compress_block, &blocks);
	for (size_t i = 0; i < count; i++) {
		if (i)
			sink_char(sink, ',');
		sink_text(sink, sink_memory(&blocks.base64[i]));
		sink_deinit(&blocks.base64[i]);
	}
	memory_free(blocks.base64);
}

static void write_stream(struct text json, uint64_t limit_bytes, struct sink *sink)
{
	struct sink compressed;

	sink_init_memory(&compressed);
	(void)!codec_write_deflate(&compressed, json, saturate_multiply(limit_bytes, EXCESS_MAX));
	base64_write(sink, sink_memory(&compressed));
	sink_deinit(&compressed);
}

void embed_element_write(const struct embed_options *options, struct text json, struct sink *sink)
{
	bool is_compressed = !options->is_plain && codec_has(CODEC_DEFLATE);

	sink_printf(sink, "<metadata id=\"profile\" class=\"%s\">",
		    is_compressed ? "deflate" : "plain");
	if (!is_compressed)
		escape_xml(sink, json);
	else if (json.length >= CODEC_BLOCKS_BYTES &&
		 json.length / BLOCKS_FACTOR_MAX <= options->limit_bytes)
		write_blocks(options->thread_count, json, sink);
	else
		write_stream(json, options->limit_bytes, sink);
	sink_puts(sink, "</metadata>\n");
}
