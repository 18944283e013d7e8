/* SPDX-License-Identifier: MIT */
#include "profile/location.h"

#include "base/hash.h"

void locations_init(struct locations *locations)
{
	*locations = (struct locations){ 0 };
	idtable_init(&locations->table);
}

void locations_deinit(struct locations *locations)
{
	idtable_deinit(&locations->table);
	vec_free(&locations->rows);
	vec_free(&locations->inlined);
}

location_id locations_intern(struct locations *locations, module_id module, uint64_t address,
			     bool is_return)
{
	uint64_t hash = hash_pair(address, (uint64_t)module.i << 1 | is_return);
	struct idtable_probe probe = idtable_find(&locations->table, hash);
	uint32_t id;

	while ((id = idtable_next(&locations->table, &probe)) != IDTABLE_NONE) {
		const struct location *row = &locations->rows.at[id];

		if (row->address == address && row->module.i == module.i &&
		    row->is_return == is_return)
			return (location_id){ id };
	}
	id = (uint32_t)locations->rows.count;
	vec_push(&locations->rows, (struct location){
					   .module = module,
					   .address = address,
					   .is_return = is_return,
				   });
	idtable_add(&locations->table, hash, id);
	return (location_id){ id };
}
