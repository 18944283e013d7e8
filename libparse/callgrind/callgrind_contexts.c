/* SPDX-License-Identifier: MIT */
#include "libparse/callgrind/callgrind_contexts.h"

#include "base/hash.h"
#include "libparse/callgrind/callgrind_name.h"

void callgrind_contexts_init(struct callgrind_contexts *contexts)
{
	*contexts = (struct callgrind_contexts){ .has_numbers = false };
	idtable_init(&contexts->table);
}

void callgrind_contexts_deinit(struct callgrind_contexts *contexts)
{
	idtable_deinit(&contexts->table);
	vec_free(&contexts->rows);
	vec_free(&contexts->parts);
	vec_free(&contexts->functions);
}

static uint32_t add(struct callgrind_contexts *contexts, struct callgrind_context context)
{
	context.caller = context.node = CALLGRIND_NONE;
	vec_push(&contexts->rows, context);
	return (uint32_t)contexts->rows.count - 1;
}

uint32_t callgrind_contexts_add(struct callgrind_contexts *contexts, str_id text)
{
	uint64_t hash = hash_u64(text.i);
	struct idtable_probe probe = idtable_find(&contexts->table, hash);
	uint32_t found;

	while ((found = idtable_next(&contexts->table, &probe)) != IDTABLE_NONE)
		if (contexts->rows.at[found].text.i == text.i)
			return found;
	idtable_add(&contexts->table, hash, (uint32_t)contexts->rows.count);
	return add(contexts, (struct callgrind_context){ .text = text });
}

uint32_t callgrind_contexts_add_parts(struct callgrind_contexts *contexts, uint32_t first_part)
{
	contexts->has_numbers = true;
	return add(contexts, (struct callgrind_context){
				     .first_part = first_part,
				     .part_count = (uint32_t)contexts->parts.count - first_part,
			     });
}

/* Hashes texts from their end, so that one pass over a text hashes each of its suffixes. */
static uint64_t extend_hash(uint64_t hash, char byte)
{
	return hash_pair(hash, (uint8_t)byte);
}

/* Returns the context with this hash and length. The caller compares the text. */
static uint32_t find(const struct callgrind_contexts *contexts, const struct strings *strings,
		     uint64_t hash, uint32_t length)
{
	struct idtable_probe probe = idtable_find(&contexts->table, hash);
	uint32_t found;

	while ((found = idtable_next(&contexts->table, &probe)) != IDTABLE_NONE) {
		const struct callgrind_context *row = &contexts->rows.at[found];

		if (row->hash == hash && strings_get(strings, row->text).length == length)
			return found;
	}
	return CALLGRIND_NONE;
}

/*
 * Finds the caller by comparing hashes. Comparing the text at each apostrophe would take quadratic
 * time.
 */
static void find_caller(struct callgrind_contexts *contexts, const struct strings *strings,
			struct callgrind_context *context)
{
	struct text text = strings_get(strings, context->text);
	struct text caller;
	uint64_t hash = 0;

	for (uint32_t at = text.length; at--;) {
		uint32_t length = text.length - at - 1;
		uint32_t found = CALLGRIND_NONE;

		if (text.at[at] == '\'' && length && at)
			found = find(contexts, strings, hash, length);
		if (found != CALLGRIND_NONE) {
			context->caller = found;
			context->callee_length = at;
		}
		hash = extend_hash(hash, text.at[at]);
	}
	if (context->caller == CALLGRIND_NONE)
		return;
	caller = strings_get(strings, contexts->rows.at[context->caller].text);
	if (!text_equal(text_from(text, context->callee_length + 1), caller))
		context->caller = CALLGRIND_NONE;
}

/* Interns the function before a known caller, if it has no apostrophe and is therefore certain. */
static void add_function(const struct callgrind_context *context, struct strings *strings)
{
	struct text text = strings_get(strings, context->text);
	struct callgrind_name parts;
	struct text part;

	text.length = context->callee_length;
	parts = callgrind_name_of_one(text);
	if (context->caller != CALLGRIND_NONE && callgrind_name_next(&parts, &part) &&
	    !memchr(part.at, '\'', part.length))
		strings_intern(strings, part.at, part.length);
}

void callgrind_contexts_find_callers(struct callgrind_contexts *contexts, struct strings *strings)
{
	if (contexts->has_numbers)
		return;
	idtable_clear(&contexts->table);
	for (size_t i = 0; i < contexts->rows.count; i++) {
		struct callgrind_context *row = &contexts->rows.at[i];
		struct text text = strings_get(strings, row->text);

		for (uint32_t at = text.length; at--;)
			row->hash = extend_hash(row->hash, text.at[at]);
		idtable_add(&contexts->table, row->hash, (uint32_t)i);
	}
	for (size_t i = 0; i < contexts->rows.count; i++) {
		find_caller(contexts, strings, &contexts->rows.at[i]);
		add_function(&contexts->rows.at[i], strings);
	}
}

/*
 * Returns the functions before a known caller. There are several functions if one of them has no
 * costs, and therefore no name of its own. Such a function has costs in another stack. Otherwise,
 * the apostrophe is part of a name.
 */
static struct callgrind_name name_of_callee(struct text text, const struct strings *strings)
{
	struct callgrind_name parts = callgrind_name_of_callee(text);
	struct text part;

	for (uint32_t i = 0; callgrind_name_next(&parts, &part); i++)
		if (i && !strings_find(strings, part).i)
			return callgrind_name_of_one(text);
	return callgrind_name_of_callee(text);
}

void callgrind_contexts_list(struct callgrind_contexts *contexts,
			     const struct callgrind_context *context, struct strings *strings)
{
	struct text text = strings_get(strings, context->text);
	struct callgrind_name parts = callgrind_name_of(text);
	struct text part;

	contexts->functions.count = 0;
	for (uint32_t i = 0; i < context->part_count; i++)
		vec_push(&contexts->functions, contexts->parts.at[context->first_part + i]);
	if (contexts->has_numbers) {
		if (!context->part_count)
			vec_push(&contexts->functions, context->text);
		return;
	}
	if (context->caller != CALLGRIND_NONE)
		parts = name_of_callee((struct text){ text.at, context->callee_length }, strings);
	while (callgrind_name_next(&parts, &part))
		vec_push(&contexts->functions, strings_intern(strings, part.at, part.length));
}
