/* SPDX-License-Identifier: MIT */
#include "profile/module.h"

#include "base/hash.h"

void modules_init(struct modules *modules)
{
	*modules = (struct modules){ 0 };
	idtable_init(&modules->table);
}

void modules_deinit(struct modules *modules)
{
	idtable_deinit(&modules->table);
	vec_free(&modules->rows);
}

static bool is_same(const struct module *a, const struct module *b)
{
	return a->path.i == b->path.i && a->kind == b->kind && a->pid == b->pid &&
	       a->build_id.size_bytes == b->build_id.size_bytes &&
	       memcmp(a->build_id.bytes, b->build_id.bytes, a->build_id.size_bytes) == 0 &&
	       a->device_major == b->device_major && a->device_minor == b->device_minor &&
	       a->inode == b->inode && a->inode_generation == b->inode_generation &&
	       a->reference_symbol.i == b->reference_symbol.i &&
	       a->reference_address == b->reference_address && a->start == b->start &&
	       a->end == b->end;
}

module_id modules_intern(struct modules *modules, const struct module *module)
{
	/* Whatever else tells two modules apart, few share a path: the rest is compared. */
	uint64_t hash = hash_pair(module->path.i, module->pid ^ module->start);
	struct idtable_probe probe = idtable_find(&modules->table, hash);
	uint32_t id;

	while ((id = idtable_next(&modules->table, &probe)) != IDTABLE_NONE)
		if (is_same(&modules->rows.at[id], module))
			return (module_id){ id };
	id = (uint32_t)modules->rows.count;
	vec_push(&modules->rows, *module);
	idtable_add(&modules->table, hash, id);
	return (module_id){ id };
}
