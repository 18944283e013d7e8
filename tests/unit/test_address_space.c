/* SPDX-License-Identifier: MIT */
#include "process/address_space.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/random.h"

/* The naive model: for each page, its mapping and its offset in the file. */
#define PAGES  200
#define STEPS  3000
#define STATES 60

struct page {
	uint32_t module; /* 0: none */
	uint64_t file_offset;
};

struct model {
	struct page pages[PAGES];
};

static void model_set(struct model *model, uint64_t start, uint64_t end, uint32_t module,
		      uint64_t file_offset)
{
	for (uint64_t i = start; i < end; i++)
		model->pages[i] = (struct page){ module, module ? file_offset + (i - start) : 0 };
}

/* Compares the state with the model, page by page. */
static void expect_model(const struct address_spaces *spaces, space_id space,
			 const struct model *model, const char *what, unsigned step)
{
	for (uint64_t i = 0; i < PAGES; i++) {
		const struct mapping *found = address_spaces_find(spaces, space, i);
		const struct page *page = &model->pages[i];

		if (!page->module) {
			cr_assert_null(found, "%s, step %u: page %u is mapped", what, step,
				       (unsigned)i);
			continue;
		}
		cr_assert_not_null(found, "%s, step %u: page %u is not mapped", what, step,
				   (unsigned)i);
		cr_assert(found->start <= i && i < found->end);
		cr_assert_eq(found->module.i, page->module, "%s, step %u: page %u", what, step,
			     (unsigned)i);
		cr_assert_eq(i - found->start + found->file_offset, page->file_offset,
			     "%s, step %u: page %u", what, step, (unsigned)i);
	}
}

/* The nearest mapping at or below an address, found by going down page by page. */
static void expect_below(const struct address_spaces *spaces, space_id space, uint64_t address)
{
	const struct mapping *below = address_spaces_find_below(spaces, space, address);
	const struct mapping *found = NULL;

	for (uint64_t i = address + 1; !found && i-- > 0;)
		found = address_spaces_find(spaces, space, i);
	cr_assert_eq(below, found, "below %u", (unsigned)address);
}

/* Ordered, apart, and balanced. Returns the height. */
static uint32_t check_tree(const struct address_spaces *spaces, uint32_t id, uint64_t low,
			   uint64_t high)
{
	const struct space_node *node = &spaces->nodes.at[id];
	const struct mapping *mapping = &spaces->mappings.at[node->mapping];
	uint32_t left, right;

	if (!id)
		return 0;
	cr_assert(low <= mapping->start && mapping->start < mapping->end && mapping->end <= high);
	left = check_tree(spaces, node->left, low, mapping->start);
	right = check_tree(spaces, node->right, mapping->end, high);
	cr_assert_leq(left > right ? left - right : right - left, 1u, "unbalanced");
	cr_assert_eq(node->height, 1 + (left > right ? left : right));
	return node->height;
}

static space_id random_step(struct random *random, struct address_spaces *spaces, space_id space,
			    struct model *model)
{
	uint64_t start = random_below(random, PAGES);
	uint64_t longest = random_below(random, 10) ? 12 : PAGES;
	uint64_t end = start + random_below(random, (uint32_t)longest);
	struct mapping mapping;

	if (end > PAGES)
		end = PAGES;
	if (random_below(random, 4) == 0) {
		model_set(model, start, end, 0, 0);
		return address_spaces_unmap(spaces, space, MAPPING_SOLID, start, end);
	}
	mapping = (struct mapping){
		.start = start,
		.end = end,
		.file_offset = random_below(random, 1000),
		.module = { 1 + random_below(random, 1000) },
	};
	model_set(model, start, end, mapping.module.i, mapping.file_offset);
	return address_spaces_map(spaces, space, &mapping);
}

/*
 * Each step begins at any earlier state, as after a fork, and must leave all other states
 * unchanged.
 */
Test(address_space, behaves_as_an_array_of_pages_does)
{
	static struct model models[STATES];
	space_id states[STATES] = { SPACE_EMPTY };
	struct random random = { 20240601 };
	struct address_spaces spaces;

	address_spaces_init(&spaces);
	for (unsigned step = 0; step < STEPS; step++) {
		unsigned from = random_below(&random, STATES);
		unsigned to = random_below(&random, STATES);
		struct model next = models[from];

		states[to] = random_step(&random, &spaces, states[from], &next);
		models[to] = next;
		expect_model(&spaces, states[to], &models[to], "new state", step);
		check_tree(&spaces, states[to].i, 0, PAGES);
		for (int i = 0; i < 4; i++)
			expect_below(&spaces, states[to], random_below(&random, PAGES));
		if (step % 100 == 0)
			for (unsigned i = 0; i < STATES; i++)
				expect_model(&spaces, states[i], &models[i], "old state", step);
	}
	address_spaces_deinit(&spaces);
	assert_no_leaks();
}

Test(address_space, a_new_mapping_cuts_what_it_overlaps)
{
	static const struct {
		uint64_t start, end;
		struct mapping expected[3]; /* ascending; was one mapping of [100, 200) */
	} rows[] = {
		{ 120,
		  150,
		  { { 100, 120, 1000, { 1 }, 0 },
		    { 120, 150, 0, { 2 }, 0 },
		    { 150, 200, 1050, { 1 }, 0 } } },
		{ 100, 200, { { 100, 200, 0, { 2 }, 0 } } },
		{ 50, 250, { { 50, 250, 0, { 2 }, 0 } } },
		{ 50, 150, { { 50, 150, 0, { 2 }, 0 }, { 150, 200, 1050, { 1 }, 0 } } },
		{ 150, 250, { { 100, 150, 1000, { 1 }, 0 }, { 150, 250, 0, { 2 }, 0 } } },
		{ 50, 100, { { 50, 100, 0, { 2 }, 0 }, { 100, 200, 1000, { 1 }, 0 } } },
		{ 200, 250, { { 100, 200, 1000, { 1 }, 0 }, { 200, 250, 0, { 2 }, 0 } } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct mapping old = { 100, 200, 1000, { 1 }, MAPPING_SOLID };
		struct mapping new = { rows[i].start, rows[i].end, 0, { 2 }, MAPPING_SOLID };
		struct address_spaces spaces;
		space_id space;

		address_spaces_init(&spaces);
		space = address_spaces_map(&spaces, SPACE_EMPTY, &old);
		space = address_spaces_map(&spaces, space, &new);
		for (size_t k = 0; k < 3 && rows[i].expected[k].end; k++) {
			const struct mapping *want = &rows[i].expected[k];
			const struct mapping *got =
				address_spaces_find(&spaces, space, want->end - 1);

			cr_assert_not_null(got, "row %zu, part %zu", i, k);
			cr_expect(got->start == want->start && got->end == want->end &&
					  got->file_offset == want->file_offset &&
					  got->module.i == want->module.i,
				  "row %zu, part %zu", i, k);
		}
		cr_expect_null(address_spaces_find(
			&spaces, space, rows[i].start - 1 < 100 ? rows[i].start - 1 : 99));
		address_spaces_deinit(&spaces);
	}
}

Test(address_space, what_is_empty_changes_nothing)
{
	struct mapping mapping = { 10, 20, 0, { 1 }, MAPPING_SOLID };
	struct mapping backwards = { 20, 10, 0, { 2 }, MAPPING_SOLID };
	struct mapping empty = { 15, 15, 0, { 2 }, MAPPING_SOLID };
	struct address_spaces spaces;
	space_id space;

	address_spaces_init(&spaces);
	space = address_spaces_map(&spaces, SPACE_EMPTY, &mapping);
	cr_expect_eq(address_spaces_map(&spaces, space, &empty).i, space.i);
	cr_expect_eq(address_spaces_map(&spaces, space, &backwards).i, space.i);
	cr_expect_eq(address_spaces_unmap(&spaces, space, MAPPING_SOLID, 15, 15).i, space.i);
	cr_expect_eq(address_spaces_unmap(&spaces, space, MAPPING_SOLID, 16, 15).i, space.i);
	/* Unmapping a range without mappings leaves the very same state. */
	cr_expect_eq(address_spaces_unmap(&spaces, space, MAPPING_SOLID, 0, 10).i, space.i);
	cr_expect_eq(address_spaces_unmap(&spaces, space, MAPPING_SOLID, 20, UINT64_MAX).i,
		     space.i);
	cr_expect_eq(address_spaces_unmap(&spaces, space, MAPPING_ABOVE, 0, UINT64_MAX).i, space.i);
	cr_expect_eq(address_spaces_unmap(&spaces, space, MAPPING_SOLID, 0, UINT64_MAX).i,
		     SPACE_EMPTY.i);
	address_spaces_deinit(&spaces);
}

/* The kernel's half of the address space, up to its last byte. */
Test(address_space, the_highest_addresses)
{
	struct mapping low = { 0, 1, 5, { 1 }, MAPPING_SOLID };
	struct mapping high = { 0xffffffff81000000, UINT64_MAX, 0, { 2 }, MAPPING_SOLID };
	struct mapping middle = { 0xffffffffc0000000, 0xffffffffc0001000, 0, { 3 }, MAPPING_SOLID };
	struct address_spaces spaces;
	space_id space;

	address_spaces_init(&spaces);
	space = address_spaces_map(&spaces, SPACE_EMPTY, &low);
	space = address_spaces_map(&spaces, space, &high);
	space = address_spaces_map(&spaces, space, &middle);
	cr_expect_eq(address_spaces_find(&spaces, space, 0)->module.i, 1);
	cr_expect_null(address_spaces_find(&spaces, space, 1));
	cr_expect_eq(address_spaces_find(&spaces, space, UINT64_MAX - 1)->module.i, 2);
	cr_expect_eq(address_spaces_find(&spaces, space, UINT64_MAX - 1)->file_offset,
		     0xffffffffc0001000 - 0xffffffff81000000);
	cr_expect_eq(address_spaces_find(&spaces, space, 0xffffffffc0000fff)->module.i, 3);
	cr_expect_null(address_spaces_find(&spaces, space, UINT64_MAX));
	cr_expect_eq(address_spaces_find_below(&spaces, space, UINT64_MAX)->module.i, 2);
	address_spaces_deinit(&spaces);
}

/*
 * Mappings in order of address, as perf reports those of running processes: the worst case for a
 * tree that is not balanced.
 */
Test(address_space, many_mappings_in_order_stay_flat)
{
	enum {
		COUNT = 20000
	};
	struct address_spaces spaces;
	space_id space = SPACE_EMPTY;

	address_spaces_init(&spaces);
	for (uint32_t i = 0; i < COUNT; i++) {
		struct mapping mapping = { i * 2ull, i * 2ull + 1, 0, { i + 1 }, MAPPING_SOLID };

		space = address_spaces_map(&spaces, space, &mapping);
	}
	cr_expect_leq(check_tree(&spaces, space.i, 0, UINT64_MAX), 21u);
	for (uint32_t i = 0; i < COUNT; i++) {
		cr_assert_eq(address_spaces_find(&spaces, space, i * 2ull)->module.i, i + 1);
		cr_assert_null(address_spaces_find(&spaces, space, i * 2ull + 1));
	}
	/* Each mapping adds the nodes on its path from the root, at most twice. */
	cr_expect_leq(spaces.nodes.count, (size_t)COUNT * 64);
	address_spaces_deinit(&spaces);
}

static void model_forget(struct model *model, uint64_t start, uint64_t end)
{
	model_set(model, start, end, 0, 0);
}

/* Code mappings lie above memory mappings. Applies a random step to the models of both layers. */
static space_id random_layer_step(struct random *random, struct address_spaces *spaces,
				  space_id space, struct model *above, struct model *below)
{
	uint64_t start = random_below(random, PAGES);
	uint64_t end = start + random_below(random, 12);
	struct mapping mapping;

	if (end > PAGES)
		end = PAGES;
	mapping = (struct mapping){
		.start = start,
		.end = end,
		.file_offset = random_below(random, 1000),
		.module = { 1 + random_below(random, 1000) },
		.layer = (enum mapping_layer)random_below(random, 3),
	};
	if (random_below(random, 3) == 0) {
		if (mapping.layer != MAPPING_BELOW)
			model_forget(above, start, end);
		if (mapping.layer != MAPPING_ABOVE)
			model_forget(below, start, end);
		return address_spaces_unmap(spaces, space, mapping.layer, start, end);
	}
	if (mapping.layer == MAPPING_SOLID)
		model_forget(above, start, end);
	model_set(mapping.layer == MAPPING_ABOVE ? above : below, start, end, mapping.module.i,
		  mapping.file_offset);
	return address_spaces_map(spaces, space, &mapping);
}

Test(address_space, behaves_as_two_arrays_with_code_above_memory)
{
	static struct model above[STATES], below[STATES];
	space_id states[STATES] = { SPACE_EMPTY };
	struct random random = { 20261121 };
	struct address_spaces spaces;

	address_spaces_init(&spaces);
	for (unsigned step = 0; step < STEPS; step++) {
		unsigned from = random_below(&random, STATES);
		unsigned to = random_below(&random, STATES);
		struct model seen;

		above[to] = above[from];
		below[to] = below[from];
		states[to] =
			random_layer_step(&random, &spaces, states[from], &above[to], &below[to]);
		seen = below[to];
		for (size_t i = 0; i < PAGES; i++)
			if (above[to].pages[i].module)
				seen.pages[i] = above[to].pages[i];
		expect_model(&spaces, states[to], &seen, "layers", step);
	}
	address_spaces_deinit(&spaces);
	assert_no_leaks();
}
