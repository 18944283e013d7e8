/* SPDX-License-Identifier: MIT */
#include "unwind/image_rows.h"

#include "base/hash.h"

void image_rows_init(struct image_rows *rows, const struct image *image)
{
	*rows = (struct image_rows){ .image = image };
	idtable_init(&rows->table);
}

void image_rows_deinit(struct image_rows *rows)
{
	idtable_deinit(&rows->table);
	vec_free(&rows->functions);
	vec_free(&rows->rows);
}

static const struct image_function *get_function(struct image_rows *rows,
						 const struct machine *machine, struct rules *rules,
						 uint32_t cfi, uint32_t entry)
{
	uint64_t hash = hash_pair(cfi, entry);
	struct idtable_probe probe = idtable_find(&rows->table, hash);
	struct image_function function = { .cfi = cfi, .entry = entry };
	struct cfi_fde content;
	uint32_t id;

	while ((id = idtable_next(&rows->table, &probe)) != IDTABLE_NONE)
		if (rows->functions.at[id].cfi == cfi && rows->functions.at[id].entry == entry)
			return &rows->functions.at[id];
	function.row_first = rows->rows.count;
	if (cfi_read(&rows->image->cfi[cfi], entry, &content)) {
		function.begin = content.begin;
		function.end = content.end;
		program_run(&content, machine, rules, &rows->rows);
	}
	function.row_count = (uint32_t)(rows->rows.count - function.row_first);
	id = (uint32_t)rows->functions.count;
	idtable_add(&rows->table, hash, id);
	vec_push(&rows->functions, function);
	return &rows->functions.at[id];
}

/* The last row that begins at or before the address. */
static rule_id find_row(const struct image_rows *rows, const struct image_function *function,
			uint64_t address)
{
	const struct rule_row *first = rows->rows.at + function->row_first;
	uint64_t offset = address - function->begin;
	uint32_t low = 0;
	uint32_t high = function->row_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (first[middle].from <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? first[low - 1].rule : RULE_ID_NO_CFI;
}

/* A stub has the same rule as the first instruction of any function. */
static rule_id rule_of_stub(const struct machine *machine, struct rules *rules)
{
	struct cfi_row row = {
		.cfa_register = machine->stack_pointer,
		.cfa_offset = machine->word_bytes,
	};
	bool is_complex;

	row.registers[machine->return_column] =
		(struct register_rule){ .kind = REGISTER_AT_OFFSET,
					.offset = -(int64_t)machine->word_bytes };
	return rules_intern(rules, machine, &row, &is_complex);
}

rule_id image_rows_find(struct image_rows *rows, const struct machine *machine, struct rules *rules,
			uint64_t address)
{
	for (uint32_t i = 0; i < rows->image->cfi_count; i++) {
		const struct image_function *function;
		size_t entry;

		if (!cfi_find(&rows->image->cfi[i], address, &entry))
			continue;
		function = get_function(rows, machine, rules, i, (uint32_t)entry);
		if (address >= function->begin && address < function->end)
			return find_row(rows, function, address);
	}
	return image_is_in_stub(rows->image, address) ? rule_of_stub(machine, rules)
						      : RULE_ID_NO_CFI;
}
