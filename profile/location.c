/* SPDX-License-Identifier: MIT */
#include "profile/location.h"

void locations_init(struct locations *locations)
{
	*locations = (struct locations){ 0 };
	places_init(&locations->places);
}

void locations_deinit(struct locations *locations)
{
	places_deinit(&locations->places);
	vec_free(&locations->rows);
	vec_free(&locations->inlined);
}

struct places *locations_places(struct locations *locations)
{
	for (size_t i = locations->places.rows.count; i < locations->rows.count; i++) {
		const struct location *row = &locations->rows.at[i];

		places_intern(&locations->places, &(struct place){
							  .module = row->module,
							  .is_return = row->is_return,
							  .address = row->address,
						  });
	}
	return &locations->places;
}

void locations_extend(struct locations *locations)
{
	while (locations->rows.count < locations->places.rows.count) {
		const struct place *place = &locations->places.rows.at[locations->rows.count];

		vec_push(&locations->rows, (struct location){
						   .module = place->module,
						   .address = place->address,
						   .is_return = place->is_return,
					   });
	}
}

location_id locations_intern(struct locations *locations, module_id module, uint64_t address,
			     bool is_return)
{
	struct place place = { .module = module, .is_return = is_return, .address = address };
	uint32_t number = places_intern(locations_places(locations), &place);

	locations_extend(locations);
	return (location_id){ number };
}
