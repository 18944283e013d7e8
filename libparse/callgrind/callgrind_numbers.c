/* SPDX-License-Identifier: MIT */
#include "libparse/callgrind/callgrind_file.h"

#include "base/hash.h"
#include "base/scan.h"

void callgrind_numbers_init(struct callgrind_numbers *numbers, struct callgrind_stacks *stacks)
{
	*numbers = (struct callgrind_numbers){ .stacks = stacks };
	idtable_init(&numbers->functions.table);
	idtable_init(&numbers->modules.table);
}

void callgrind_numbers_deinit(struct callgrind_numbers *numbers)
{
	vec_free(&numbers->functions.rows);
	vec_free(&numbers->modules.rows);
	idtable_deinit(&numbers->functions.table);
	idtable_deinit(&numbers->modules.table);
}

static struct callgrind_numbered *find_number(const struct callgrind_number_table *table,
					      uint64_t number)
{
	struct idtable_probe probe = idtable_find(&table->table, hash_u64(number));
	uint32_t row;

	while ((row = idtable_next(&table->table, &probe)) != IDTABLE_NONE)
		if (table->rows.at[row].number == number)
			return &table->rows.at[row];
	return NULL;
}

static void set_number(struct callgrind_number_table *table, uint64_t number, uint32_t value)
{
	struct callgrind_numbered *known = find_number(table, number);

	if (known) {
		known->value = value;
		return;
	}
	idtable_add(&table->table, hash_u64(number), (uint32_t)table->rows.count);
	vec_push(&table->rows, (struct callgrind_numbered){ number, value });
}

/* "(12)" */
static bool scan_number_of_name(struct text *rest, uint64_t *ret)
{
	struct text left = *rest;

	if (!scan_char(&left, '(') || !scan_u64(&left, ret) || !scan_char(&left, ')'))
		return false;
	*rest = left;
	return true;
}

/* Reads "(3)'2'(1)" of --compress-mangled. Each part must be the number of a single function. */
static bool read_numbers(struct callgrind_numbers *numbers, struct text name)
{
	struct callgrind_contexts *contexts = &numbers->stacks->contexts;
	size_t first = contexts->parts.count;
	uint64_t number;

	do {
		const struct callgrind_numbered *known;

		if (!scan_number_of_name(&name, &number)) {
			/* Reads the recursion level. */
			if (contexts->parts.count != first + 1 || !scan_u64(&name, &number))
				return false;
			continue;
		}
		known = find_number(&numbers->functions, number);
		if (!known || known->value == CALLGRIND_NONE ||
		    contexts->rows.at[known->value].part_count)
			return false;
		vec_push(&contexts->parts, contexts->rows.at[known->value].text);
	} while (scan_char(&name, '\''));
	return !name.length;
}

static uint32_t add_numbers(struct callgrind_numbers *numbers, struct text name)
{
	struct callgrind_contexts *contexts = &numbers->stacks->contexts;
	size_t first = contexts->parts.count;

	if (contexts->rows.count >= LIMIT_CALLGRIND_NODES || first > UINT32_MAX - name.length ||
	    !read_numbers(numbers, name)) {
		contexts->parts.count = first;
		return CALLGRIND_NONE;
	}
	return callgrind_contexts_add_parts(contexts, (uint32_t)first);
}

static uint32_t add_function(struct callgrind_numbers *numbers, struct text name)
{
	struct callgrind_stacks *stacks = numbers->stacks;
	struct text rest = name;
	uint64_t number;
	uint32_t context = scan_number_of_name(&rest, &number) ? add_numbers(numbers, name)
							       : callgrind_stacks_add(stacks, name);

	numbers->is_too_large |= stacks->contexts.rows.count >= LIMIT_CALLGRIND_NODES;
	return context;
}

uint32_t callgrind_numbers_function(struct callgrind_numbers *numbers, struct text rest)
{
	const struct callgrind_numbered *known;
	uint64_t number;
	uint32_t context;

	rest = text_trim(rest);
	if (!scan_number_of_name(&rest, &number))
		return add_function(numbers, rest);
	rest = text_trim(rest);
	if (!rest.length) {
		known = find_number(&numbers->functions, number);
		return known ? known->value : CALLGRIND_NONE;
	}
	context = add_function(numbers, rest);
	set_number(&numbers->functions, number, context);
	return context;
}

bool callgrind_numbers_module(struct callgrind_numbers *numbers, struct text rest, str_id *ret)
{
	const struct callgrind_numbered *known;
	uint64_t number;
	bool has_number;

	rest = text_trim(rest);
	has_number = scan_number_of_name(&rest, &number);
	rest = text_trim(rest);
	if (has_number && !rest.length) {
		known = find_number(&numbers->modules, number);
		if (known)
			*ret = (str_id){ known->value };
		return known != NULL;
	}
	*ret = strings_intern(&numbers->stacks->strings, rest.at, rest.length);
	if (has_number)
		set_number(&numbers->modules, number, ret->i);
	return true;
}
