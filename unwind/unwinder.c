/* SPDX-License-Identifier: MIT */
#include "unwind/unwinder.h"

#include "base/hash.h"
#include "unwind/step.h"

/*
 * The number of entries of each cache. Even in cc1plus, only a few thousand addresses are frequent.
 */
#define SLOT_COUNT 8192

struct unwinder_slot {
	uint64_t address;
	uint32_t where; /* number of the space or of the image */
	rule_id rule;
};

static struct unwinder_slot *slot_of(struct unwinder_slot *slots, uint32_t where, uint64_t address)
{
	return &slots[(address ^ address >> 13 ^ where) % SLOT_COUNT];
}

static bool is_for(const struct unwinder_slot *slot, uint32_t where, uint64_t address)
{
	return LIKELY(slot->address == address && slot->where == where);
}

void unwinder_init(struct unwinder *unwinder, const struct code *code, bool is_as_perf)
{
	*unwinder = (struct unwinder){ .code = *code, .is_as_perf = is_as_perf };
	rules_init(&unwinder->rules);
	unwinder->by_space = memory_alloc(SLOT_COUNT, sizeof(*unwinder->by_space));
	unwinder->by_image = memory_alloc(SLOT_COUNT, sizeof(*unwinder->by_image));
}

/* Empties the caches if the machine changes, because all cached rules belong to one machine. */
static void set_machine(struct unwinder *unwinder, const struct machine *machine, uint64_t mask)
{
	bool is_same = unwinder->layout.machine == machine;

	if (LIKELY(is_same && unwinder->layout.mask == mask))
		return;
	register_layout_init(&unwinder->layout, machine, mask);
	if (is_same)
		return;
	/* UINT64_MAX marks an empty slot, because no code has this address. */
	for (size_t i = 0; i < SLOT_COUNT; i++)
		unwinder->by_space[i].address = unwinder->by_image[i].address = UINT64_MAX;
}

void unwinder_deinit(struct unwinder *unwinder)
{
	for (size_t i = 0; i < unwinder->images.count; i++) {
		if (!unwinder->images.at[i])
			continue;
		image_rows_deinit(unwinder->images.at[i]);
		memory_free(unwinder->images.at[i]);
	}
	vec_free(&unwinder->images);
	rules_deinit(&unwinder->rules);
	memory_free(unwinder->by_space);
	memory_free(unwinder->by_image);
}

static struct image_rows *rows_of(struct unwinder *unwinder, const struct code_location *location)
{
	struct image_rows **rows;

	while (unwinder->images.count <= location->number)
		vec_push(&unwinder->images, NULL);
	rows = &unwinder->images.at[location->number];
	if (!*rows) {
		*rows = memory_alloc(1, sizeof(**rows));
		image_rows_init(*rows, location->image);
	}
	return *rows;
}

/*
 * Uses the second cache, which is indexed by address in the image. Processes map a library at
 * different addresses.
 */
static rule_id find_in_image(struct unwinder *unwinder, const struct code_location *location)
{
	struct unwinder_slot *slot =
		slot_of(unwinder->by_image, location->number, location->address);

	if (!is_for(slot, location->number, location->address))
		*slot = (struct unwinder_slot){
			.address = location->address,
			.where = location->number,
			.rule = image_rows_find(rows_of(unwinder, location),
						unwinder->layout.machine, &unwinder->rules,
						location->address),
		};
	return slot->rule;
}

static rule_id find_rule(struct unwinder *unwinder, uint32_t space, uint64_t address)
{
	const struct machine *machine = unwinder->layout.machine;
	struct code_location location = { 0 };
	rule_id rule = RULE_ID_NO_CFI;

	switch (unwinder->code.find(unwinder->code.context, space, address, &location)) {
	case CODE_NONE:
		return RULE_ID_OF_KIND(RULE_NO_CODE);
	case CODE_NO_FILE:
		rule = RULE_ID_OF_KIND(RULE_NO_FILE);
		break;
	case CODE_NO_CFI:
		break;
	case CODE_IMAGE:
		if (location.image->elf_machine == machine->elf_machine)
			rule = find_in_image(unwinder, &location);
		break;
	}
	/*
	 * The vdso of i386 and aarch64 may lack call frame information for its signal trampoline.
	 */
	if (location.is_vdso && machine->find_signal_layout &&
	    unwinder->rules.rows.at[rule.i].kind > RULE_OUTERMOST)
		return RULE_ID_OF_KIND(RULE_FROM_SIGNAL);
	return rule;
}

static const struct rule *rule_at(struct unwinder *unwinder, uint32_t space, uint64_t address)
{
	struct unwinder_slot *slot = slot_of(unwinder->by_space, space, address);

	if (!is_for(slot, space, address))
		*slot = (struct unwinder_slot){
			.address = address,
			.where = space,
			.rule = find_rule(unwinder, space, address),
		};
	return &unwinder->rules.rows.at[slot->rule.i];
}

/* The state of unwinding one sample. */
struct unwind_walk {
	struct unwinder *unwinder;
	struct step_context step;
	struct registers registers;
	uint32_t space;
	uint32_t frame_max; /* 0 if there is no maximum */
	bool is_exact;      /* pc is not a return address */
	bool is_guess;      /* the last step was a guess */
	bool lacks_a_file;  /* the file of some frame is missing */
	/* a signal interrupted code on a different stack, which is not in the dump */
	bool has_left;
};

/*
 * Whether the frame has no caller. Either its rule says so, or a chain of frame pointers ends with
 * 0.
 */
static bool is_outermost(const struct unwind_walk *walk, const struct rule *rule)
{
	const struct machine *machine = walk->step.machine;

	if (rule->kind == RULE_OUTERMOST)
		return true;
	return walk->is_guess && (rule->kind == RULE_NO_CFI || rule->kind == RULE_NO_FILE) &&
	       walk->registers.value[machine->frame_pointer] == 0;
}

static enum step_result take_step(struct unwind_walk *walk, const struct rule *rule)
{
	const struct rules *rules = &walk->unwinder->rules;

	walk->is_guess = false;
	switch ((enum rule_kind)rule->kind) {
	case RULE_FRAME:
		return step_by_rule(&walk->step, rule, walk->is_exact, &walk->registers);
	case RULE_ROW:
		return step_by_row(&walk->step, &rules->complex.at[rule->cfa_offset],
				   walk->is_exact, &walk->registers);
	case RULE_FROM_SIGNAL:
		if (!walk->is_exact)
			return step_from_signal(&walk->step, &walk->registers);
		if (step_from_system_call(&walk->step, &walk->registers)) {
			walk->is_guess = true;
			return STEP_TAKEN;
		}
		break;
	case RULE_NO_FILE:
		walk->lacks_a_file = true;
		break;
	case RULE_NO_CODE:
		return STEP_IMPOSSIBLE;
	case RULE_OUTERMOST:
	case RULE_NO_CFI:
		break;
	}
	walk->is_guess = true;
	return step_by_frame_pointer(&walk->step, &walk->registers);
}

/*
 * A signal handler may run on an alternate stack. The dump then contains only the alternate stack.
 */
static bool is_in_dump(const struct unwind_walk *walk)
{
	uint64_t sp = walk->registers.value[walk->step.machine->stack_pointer];

	return sp - walk->step.copy->base <= walk->step.copy->size_bytes;
}

static enum unwind_end walk_frames(struct unwind_walk *walk, struct unwind_frames *frames)
{
	while (frames->count < LIMIT_UNWIND_FRAMES) {
		uint64_t address = walk->registers.pc - !walk->is_exact;
		const struct rule *rule = rule_at(walk->unwinder, walk->space, address);

		/* The result of the guess is not code, so the guess was wrong. */
		if (walk->is_guess && rule->kind == RULE_NO_CODE)
			return UNWIND_LOST;
		if (rule->is_signal && !walk->unwinder->is_as_perf)
			frames->at[frames->count++] = walk->registers.pc;
		else
			frames->at[frames->count++] = address;
		if (is_outermost(walk, rule) || frames->count == walk->frame_max)
			return UNWIND_COMPLETE;
		switch (take_step(walk, rule)) {
		case STEP_TAKEN:
			break;
		case STEP_BEYOND_DUMP:
			return UNWIND_TRUNCATED;
		case STEP_IMPOSSIBLE:
			return walk->has_left ? UNWIND_TRUNCATED : UNWIND_LOST;
		}
		if (rule->is_signal && !is_in_dump(walk))
			walk->has_left = true;
		if (!walk->registers.pc)
			return UNWIND_COMPLETE;
		walk->is_exact = rule->is_signal && !walk->is_guess;
	}
	return UNWIND_LOST;
}

enum unwind_end unwinder_walk(struct unwinder *unwinder, const struct unwind_sample *sample,
			      struct unwind_frames *frames)
{
	const struct machine *machine = sample->machine;
	struct stack_dump copy = {
		.bytes = sample->stack.at,
		.size_bytes = span_left(&sample->stack),
		.swapped = sample->stack.swapped,
		.is_whole = sample->is_whole,
	};
	struct registers start;
	enum unwind_end end;
	struct unwind_walk walk;

	frames->count = 0;
	if (!machine)
		return UNWIND_NO_REGISTERS;
	set_machine(unwinder, machine, sample->register_mask);
	if (!registers_read(&unwinder->layout, sample->register_words, &walk.registers))
		return UNWIND_NO_REGISTERS;
	copy.base = walk.registers.value[machine->stack_pointer];
	copy.word_bytes = machine->word_bytes;
	if (machine->strip)
		start = walk.registers;
	walk.step = (struct step_context){ machine, &copy, &start };
	walk.unwinder = unwinder;
	walk.space = sample->space;
	walk.frame_max = sample->frame_max;
	walk.is_exact = true;
	walk.is_guess = walk.lacks_a_file = walk.has_left = false;
	end = walk_frames(&walk, frames);
	return walk.lacks_a_file ? UNWIND_NO_FILE : end;
}
