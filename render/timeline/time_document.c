/* SPDX-License-Identifier: MIT */
#include "render/timeline/time_document.h"

static void write_nothing(const void *context, struct sink *sink)
{
	(void)context;
	(void)sink;
}

void time_document_init(struct time_document *document, const struct time_document_options *options)
{
	document->weights =
		(struct svg_weights){ .profile = options->profile, .unit = options->unit };
	document->line = (struct svg_line){ .text = options->facts };
	document->overrides = (struct svg_overrides){
		.write_hottest = write_nothing,
		.lines = &document->line,
		.line_count = 1,
	};
	svg_options_init(&document->options);
	document->options.title = options->title;
	document->options.width = options->width;
	document->options.command = options->command;
	document->options.is_metadata_stripped = options->is_metadata_stripped;
	document->options.overrides = &document->overrides;
	document->header = (struct svg_header){
		.profile = options->profile,
		.weights = &document->weights,
		.options = &document->options,
		.caveats = caveats_of_total(options->profile, options->weight, CAVEAT_SHARE_MIN),
		.width = options->width,
	};
}

void time_document_write_script(struct text script, struct sink *sink)
{
	sink_puts(sink, "<script><![CDATA[\n");
	sink_text(sink, script);
	sink_puts(sink, "]]></script>\n");
}
