/* SPDX-License-Identifier: MIT */
#include "offcpu/disk_requests.h"

#include "base/hash.h"

/*
 * The number of rows to look back from a wake-up, because a single interrupt can complete several
 * requests and wake several threads.
 */
#define ROWS_OF_INTERRUPT 256u

static struct disk_issue *issue_of(struct disk_requests *requests, uint64_t key)
{
	uint64_t hash = hash_u64(key);
	struct idtable_probe probe = idtable_find(&requests->table, hash);
	uint32_t id;

	while ((id = idtable_next(&requests->table, &probe)) != IDTABLE_NONE)
		if (requests->issues.at[id].key == key)
			return &requests->issues.at[id];
	idtable_add(&requests->table, hash, (uint32_t)requests->issues.count);
	vec_push(&requests->issues, (struct disk_issue){ .key = key });
	return &requests->issues.at[requests->issues.count - 1];
}

void disk_requests_init(struct disk_requests *requests, const struct pairing_row *rows,
			size_t count)
{
	*requests = (struct disk_requests){ 0 };
	idtable_init(&requests->table);
	for (size_t i = 0; i < count; i++) {
		const struct pairing_row *row = &rows[i];
		struct disk_issue *issue;

		if (row->role != PAIRING_DISK_ISSUE && row->role != PAIRING_DISK_COMPLETE)
			continue;
		issue = issue_of(requests, row->key);
		if (row->role == PAIRING_DISK_COMPLETE && issue->is_open)
			vec_push(&requests->completed, (struct disk_request){
							       .issue_ns = issue->time_ns,
							       .complete_ns = row->time_ns,
							       .row = (uint32_t)i,
						       });
		/* The kernel may issue a request again before it is completed. */
		if (!issue->is_open)
			issue->time_ns = row->time_ns;
		issue->is_open = row->role == PAIRING_DISK_ISSUE;
	}
}

void disk_requests_deinit(struct disk_requests *requests)
{
	vec_free(&requests->completed);
	vec_free(&requests->issues);
	idtable_deinit(&requests->table);
}

/* A switch on the CPU after the completion means that the interrupt had already ended. */
const struct disk_request *disk_requests_of_wake(const struct disk_requests *requests,
						 const struct pairing_row *rows, uint32_t wake)
{
	size_t next = vec_count_first(&requests->completed, request, request->row < wake);
	uint32_t back = 0;

	if (!next || !rows[wake].is_interrupt || !rows[wake].cpu)
		return NULL;
	for (uint32_t i = wake; i-- && back < ROWS_OF_INTERRUPT; back++) {
		if (rows[i].cpu != rows[wake].cpu)
			continue;
		if (rows[i].role == PAIRING_SWITCH)
			return NULL;
		if (rows[i].role != PAIRING_DISK_COMPLETE)
			continue;
		while (next && requests->completed.at[next - 1].row > i)
			next--;
		return next && requests->completed.at[next - 1].row == i
			       ? &requests->completed.at[next - 1]
			       : NULL;
	}
	return NULL;
}
