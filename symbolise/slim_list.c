/* SPDX-License-Identifier: MIT */
#include "symbolise/slim_list.h"

#include "symbolise/touched.h"

static bool convert_shifted(const void *context, uint64_t address, uint64_t *ret)
{
	*ret = address - *(const uint64_t *)context;
	return true;
}

/* Of all modules in one, ascending. */
static void list_addresses(const struct kernel *kernel, uint64_t shift, address_list *ret)
{
	for (size_t i = 0; i < kernel->job->count; i++)
		touched_list(kernel->job, &kernel->job->namings[i], convert_shifted, &shift, ret);
}

static bool are_same(const struct kallsyms *whole, const struct kallsyms *slim,
		     const struct symbol *a, const struct symbol *b)
{
	if (!a || !b)
		return a == b;
	if (!a->owner != !b->owner ||
	    (a->owner && !text_equal(whole->modules.at[a->owner - 1].name,
				     slim->modules.at[b->owner - 1].name)))
		return false;
	return text_equal(a->name, b->name) && a->start == b->start && a->is_whole == b->is_whole;
}

static bool are_alike(const struct kallsyms *whole, const struct kallsyms *slim,
		      const address_list *addresses)
{
	struct symbol_cursor in_whole = { .table = &whole->symbols };
	struct symbol_cursor in_slim = { .table = &slim->symbols };
	bool good = whole->has_reference == slim->has_reference &&
		    whole->text_end == slim->text_end && whole->data_end == slim->data_end &&
		    whole->has_address == slim->has_address;

	for (size_t i = 0; i < addresses->count && good; i++)
		good = are_same(whole, slim, symbol_cursor_find(&in_whole, addresses->at[i]),
				symbol_cursor_find(&in_slim, addresses->at[i]));
	return good;
}

static bool name_alike(const struct kernel *kernel, const struct slim_list *list,
		       struct text slim_text, const address_list *addresses,
		       enum symbol_rules rules)
{
	bool is_known = list->known && rules == naming_rules(kernel->job);
	struct kallsyms whole, slim;
	bool good;

	if (!is_known)
		kallsyms_init(&whole, list->text, kernel->reference, rules);
	kallsyms_init(&slim, slim_text, kernel->reference, rules);
	good = are_alike(is_known ? list->known : &whole, &slim, addresses);
	if (!is_known)
		kallsyms_deinit(&whole);
	kallsyms_deinit(&slim);
	return good;
}

void slim_list_write(const struct kernel *kernel, const struct slim_list *list, struct sink *sink)
{
	address_list addresses = { .at = NULL };

	list_addresses(kernel, list->shift, &addresses);
	kallsyms_write_around(list->text, kernel->reference, addresses.at, addresses.count, sink);
	if (!name_alike(kernel, list, sink_memory(sink), &addresses, SYMBOL_RULES_NEAREST) ||
	    !name_alike(kernel, list, sink_memory(sink), &addresses, SYMBOL_RULES_PERF)) {
		sink->used = 0;
		sink_text(sink, list->text);
	}
	vec_free(&addresses);
}
