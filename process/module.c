/* SPDX-License-Identifier: MIT */
#include "process/module.h"

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
	vec_free(&modules->searched_paths);
	vec_free(&modules->notes);
}

static bool is_same(const struct module *a, const struct module *b)
{
	return a->path.i == b->path.i && a->kind == b->kind && a->pid == b->pid &&
	       a->build_id.size_bytes == b->build_id.size_bytes &&
	       memcmp(a->build_id.bytes, b->build_id.bytes, a->build_id.size_bytes) == 0 &&
	       a->device_major == b->device_major && a->device_minor == b->device_minor &&
	       a->inode == b->inode && a->inode_generation == b->inode_generation &&
	       a->is_32_bit == b->is_32_bit && a->reference_symbol.i == b->reference_symbol.i &&
	       a->reference_address == b->reference_address && a->start == b->start &&
	       a->end == b->end;
}

/*
 * Hashes every field that a hostile capture could vary to create many modules with the same path.
 */
static uint64_t hash_of(const struct module *module)
{
	uint64_t file = hash_bytes(module->build_id.bytes, module->build_id.size_bytes,
				   hash_pair(module->inode, module->inode_generation));
	uint64_t device = (uint64_t)module->device_major << 32 | module->device_minor;
	uint64_t location = hash_pair(module->start ^ module->pid, module->end);

	return hash_pair(hash_pair(file, device),
			 hash_pair(location, (uint64_t)module->path.i << 32 | module->kind) ^
				 module->reference_address);
}

void modules_index(struct modules *modules)
{
	idtable_deinit(&modules->table);
	idtable_init(&modules->table);
	for (uint32_t i = 0; i < modules->rows.count; i++)
		idtable_add(&modules->table, hash_of(&modules->rows.at[i]), i);
}

module_id modules_intern(struct modules *modules, const struct module *module)
{
	uint64_t hash = hash_of(module);
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
