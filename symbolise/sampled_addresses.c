/* SPDX-License-Identifier: MIT */
#include "symbolise/sampled_addresses.h"

static void add_one(uint64_t address, naming_convert *convert, const void *context,
		    address_list *list)
{
	if (!convert || convert(context, address, &address))
		vec_push(list, address);
}

static void add(const struct location *location, naming_convert *convert, const void *context,
		address_list *list)
{
	uint64_t address = location->address;

	add_one(address - (address > 0), convert, context, list);
	add_one(address, convert, context, list);
	add_one(address + (address < UINT64_MAX), convert, context, list);
}

/*
 * Whether two modules are the same file, so that equal offsets mean the same code. The first must
 * be a file with a build-id.
 */
static bool is_same_file(const struct module *module, const struct module *other)
{
	return module != other && module->kind == other->kind &&
	       build_id_equal(&module->build_id, &other->build_id);
}

static bool has_sibling(const struct naming_context *context, const struct module *module)
{
	if (module->kind != MODULE_FILE || !module->build_id.size_bytes)
		return false;
	for (size_t i = 0; i < context->modules->rows.count; i++)
		if (is_same_file(module, &context->modules->rows.at[i]))
			return true;
	return false;
}

static int compare_addresses(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

void sampled_addresses_sort(address_list *list)
{
	size_t kept = 0;

	if (!list->count)
		return;
	qsort(list->at, list->count, sizeof(*list->at), compare_addresses);
	for (size_t i = 0; i < list->count; i++)
		if (!kept || list->at[kept - 1] != list->at[i])
			list->at[kept++] = list->at[i];
	list->count = kept;
}

void sampled_addresses_add(const struct naming_job *job, const struct naming *naming,
			   naming_convert *convert, const void *context, address_list *list)
{
	const struct locations *locations = job->context->locations;
	const struct modules *modules = job->context->modules;

	for (uint32_t i = 0; i < naming->count; i++)
		add(&locations->rows.at[naming->locations[i]], convert, context, list);
	if (has_sibling(job->context, naming->module)) {
		for (size_t i = 0; i < locations->rows.count; i++) {
			const struct location *location = &locations->rows.at[i];

			if (is_same_file(naming->module, &modules->rows.at[location->module.i]))
				add(location, convert, context, list);
		}
	}
}
