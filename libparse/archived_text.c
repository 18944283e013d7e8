/* SPDX-License-Identifier: MIT */
#include "libparse/archived_text.h"

#include "libparse/detect.h"

void archived_text_init(struct archived_text *text)
{
	*text = (struct archived_text){ .spool = { .fd = -1 } };
	sink_init_memory(&text->names);
}

void archived_text_deinit(struct archived_text *text)
{
	sink_deinit(&text->names);
	input_close(&text->spool);
}

void archived_text_list(struct sink *names, struct text name)
{
	/* As many as an error's text can hold, and more. */
	if (names->used > sizeof(((struct error *)0)->text))
		return;
	sink_puts(names, names->used ? ", " : "");
	sink_text(names, name);
}

bool archived_text_take(struct archived_text *text, struct text name, struct span head,
			struct input **ret, struct error *err)
{
	struct evidence evidence = evidence_none();
	struct error ignored;

	*ret = NULL;
	if (!detect(head, &evidence, &ignored) || evidence.confidence < text->confidence)
		return true;
	if (evidence.confidence == text->confidence) {
		text->count++;
		archived_text_list(&text->names, name);
		return true;
	}
	input_close(&text->spool);
	text->confidence = evidence.confidence;
	text->count = 1;
	text->names.used = 0;
	archived_text_list(&text->names, name);
	if (!input_create_spool(&text->spool, err))
		return false;
	*ret = &text->spool;
	return true;
}
