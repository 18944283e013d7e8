/* SPDX-License-Identifier: MIT */
/*
 * Growable array of a type: `VEC(struct mapping) mappings = { 0 };` then vec_push(&mappings, m),
 * mappings.at[i], mappings.count, vec_free(&mappings). Elements move when the array grows, so
 * callers should keep indexes, not pointers.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

#include "base/memory.h"

#define VEC(type)                \
	struct {                 \
		type *at;        \
		size_t count;    \
		size_t capacity; \
	}

#define vec_reserve(vec, wanted)                                                                  \
	do {                                                                                      \
		if ((vec)->capacity < (wanted)) {                                                 \
			size_t vec_capacity_ = (vec)->capacity ? (vec)->capacity * 2 : 16;        \
			if (vec_capacity_ < (wanted))                                             \
				vec_capacity_ = (wanted);                                         \
			(vec)->at = memory_realloc((vec)->at, vec_capacity_, sizeof(*(vec)->at)); \
			(vec)->capacity = vec_capacity_;                                          \
		}                                                                                 \
	} while (0)

#define vec_push(vec, ...)                               \
	do {                                             \
		vec_reserve(vec, (vec)->count + 1);      \
		(vec)->at[(vec)->count++] = __VA_ARGS__; \
	} while (0)

/*
 * Counts the leading elements of vec that satisfy the condition, in which `element` points to the
 * element. No later element may satisfy the condition.
 *
 *     vec_count_first(&rows, row, row->address <= address)
 */
#define vec_count_first(vec, element, condition)                                     \
	({                                                                           \
		size_t low_ = 0;                                                     \
		size_t high_ = (vec)->count;                                         \
		while (low_ < high_) {                                               \
			size_t middle_ = low_ + (high_ - low_) / 2;                  \
			const __typeof__(*(vec)->at) *element = &(vec)->at[middle_]; \
			if (condition)                                               \
				low_ = middle_ + 1;                                  \
			else                                                         \
				high_ = middle_;                                     \
		}                                                                    \
		low_;                                                                \
	})

#define vec_free(vec)                               \
	do {                                        \
		memory_free((vec)->at);             \
		(vec)->at = NULL;                   \
		(vec)->count = (vec)->capacity = 0; \
	} while (0)

typedef VEC(unsigned char) byte_list;

#endif
