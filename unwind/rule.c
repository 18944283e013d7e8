/* SPDX-License-Identifier: MIT */
#include "unwind/rule.h"

#include "base/hash.h"

/*
 * Maximum number of distinct unwind rules used by one thread. 19 programs and libraries together
 * have 958.
 */
#define LIMIT_UNWIND_RULES (1u << 18)
/*
 * Maximum number of rows of call frame information that one thread stores completely, at about 2 kB
 * each. libc has 10 such rows.
 */
#define LIMIT_UNWIND_COMPLEX_ROWS (1u << 14)

void rules_init(struct rules *rules)
{
	*rules = (struct rules){ 0 };
	idtable_init(&rules->table);
	for (unsigned kind = RULE_OUTERMOST; kind <= RULE_FROM_SIGNAL; kind++)
		vec_push(&rules->rows, (struct rule){
					       .kind = (uint8_t)kind,
					       .is_signal = kind == RULE_FROM_SIGNAL,
				       });
}

void rules_deinit(struct rules *rules)
{
	vec_free(&rules->rows);
	vec_free(&rules->complex);
	idtable_deinit(&rules->table);
}

/* Adds the place where a register was saved. Returns false if a rule cannot express this place. */
static bool add_saved(const struct machine *machine, unsigned number,
		      const struct register_rule *saved, struct rule *rule)
{
	int64_t words = saved->offset / machine->word_bytes;
	bool is_preserved = machine->preserved & MACHINE_REGISTER_BIT(number);

	switch (saved->kind) {
	case REGISTER_UNSPECIFIED:
		return true;
	case REGISTER_SAME:
		return is_preserved || number == machine->return_column;
	case REGISTER_UNDEFINED:
		return !is_preserved;
	case REGISTER_AT_OFFSET:
		if (rule->saved_count == RULE_SAVED_MAX || words != (int16_t)words ||
		    words * machine->word_bytes != saved->offset)
			return false;
		rule->saved_words[rule->saved_count] = (int16_t)words;
		rule->saved[rule->saved_count++] = (uint8_t)number;
		rule->saved_bits |= MACHINE_REGISTER_BIT(number);
		return true;
	default:
		return false;
	}
}

/*
 * Pads the list of saved registers and finds the range of their offsets. The registers can then be
 * read together.
 */
static void finish_saved(struct rule *rule)
{
	for (unsigned i = rule->saved_count; i < RULE_SAVED_MAX; i++) {
		rule->saved_words[i] = rule->saved_words[0];
		rule->saved[i] = rule->saved[0];
	}
	rule->lowest_word = rule->highest_word = rule->saved_words[0];
	for (unsigned i = 1; i < rule->saved_count; i++) {
		if (rule->saved_words[i] < rule->lowest_word)
			rule->lowest_word = rule->saved_words[i];
		if (rule->saved_words[i] > rule->highest_word)
			rule->highest_word = rule->saved_words[i];
	}
}

static bool make_rule(const struct machine *machine, const struct cfi_row *row, struct rule *rule)
{
	*rule = (struct rule){
		.kind = RULE_FRAME,
		.is_signal = row->is_signal,
		.cfa_register = (uint8_t)row->cfa_register,
		.cfa_offset = (int32_t)row->cfa_offset,
	};
	if (row->has_cfa_expression || row->cfa_offset != rule->cfa_offset)
		return false;
	for (unsigned i = 0; i < machine->register_count; i++)
		if (!add_saved(machine, i, &row->registers[i], rule))
			return false;
	finish_saved(rule);
	return true;
}

static rule_id intern(struct rules *rules, const struct rule *rule)
{
	uint64_t hash = hash_bytes(rule, sizeof(*rule), 0);
	struct idtable_probe probe = idtable_find(&rules->table, hash);
	uint32_t id;

	while ((id = idtable_next(&rules->table, &probe)) != IDTABLE_NONE)
		if (memcmp(&rules->rows.at[id], rule, sizeof(*rule)) == 0)
			return (rule_id){ id };
	if (rules->rows.count >= LIMIT_UNWIND_RULES)
		return RULE_ID_NO_CFI;
	id = (uint32_t)rules->rows.count;
	vec_push(&rules->rows, *rule);
	idtable_add(&rules->table, hash, id);
	return (rule_id){ id };
}

rule_id rules_intern(struct rules *rules, const struct machine *machine, const struct cfi_row *row,
		     bool *is_complex_ret)
{
	struct rule rule;

	*is_complex_ret = false;
	if (row->registers[machine->return_column].kind == REGISTER_UNDEFINED)
		return RULE_ID_OF_KIND(RULE_OUTERMOST);
	if (!row->has_cfa_expression && row->cfa_register >= machine->register_count)
		return RULE_ID_NO_CFI;
	if (make_rule(machine, row, &rule))
		return intern(rules, &rule);
	if (rules->rows.count >= LIMIT_UNWIND_RULES ||
	    rules->complex.count >= LIMIT_UNWIND_COMPLEX_ROWS)
		return RULE_ID_NO_CFI;
	*is_complex_ret = true;
	vec_push(&rules->rows, (struct rule){
				       .kind = RULE_ROW,
				       .is_signal = row->is_signal,
				       .cfa_offset = (int32_t)rules->complex.count,
			       });
	vec_push(&rules->complex, *row);
	return (rule_id){ (uint32_t)rules->rows.count - 1 };
}
