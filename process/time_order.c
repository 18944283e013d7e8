/* SPDX-License-Identifier: MIT */
#include "process/time_order.h"

#include "base/hash.h"

/* Maximum number of threads whose times are checked; a thread counts once for each CPU on which it
 * ran. Only a hostile capture has more threads, such as one for each sample. */
#define LIMIT_ORDERED_THREADS ((size_t)1 << 18)

void time_order_init(struct time_order *order)
{
	*order = (struct time_order){ 0 };
	idtable_init(&order->table);
}

void time_order_deinit(struct time_order *order)
{
	vec_free(&order->rows);
	idtable_deinit(&order->table);
}

static bool is_row(const struct time_order *order, size_t row, uint32_t cpu, uint32_t tid)
{
	return row < order->rows.count && order->rows.at[row].cpu == cpu &&
	       order->rows.at[row].tid == tid;
}

/* Sets last_row to the row of a thread on a CPU. Returns false if the row is new, or if there are
 * too many rows. */
static bool find_or_add(struct time_order *order, const struct time_order_row *row)
{
	uint64_t key = (uint64_t)row->cpu << 32 | row->tid;
	uint64_t hash = hash_bytes(&key, sizeof(key), 0);
	struct idtable_probe probe = idtable_find(&order->table, hash);
	uint32_t id;

	while ((id = idtable_next(&order->table, &probe)) != IDTABLE_NONE)
		if (is_row(order, id, row->cpu, row->tid)) {
			order->last_row = id;
			return true;
		}
	if (order->rows.count == LIMIT_ORDERED_THREADS) {
		order->faults.is_limited = true;
		return false;
	}
	order->last_row = order->rows.count;
	idtable_add(&order->table, hash, (uint32_t)order->rows.count);
	vec_push(&order->rows, *row);
	return false;
}

static void note(struct time_faults *faults, uint64_t before_ns, uint64_t time_ns)
{
	if (time_ns >= before_ns)
		return;
	faults->backward_count++;
	if (before_ns - time_ns > faults->backward_max_ns)
		faults->backward_max_ns = before_ns - time_ns;
}

/* Adds samples of one thread on one CPU, which follow all samples added earlier. */
static void add(struct time_order *order, const struct time_order_row *next)
{
	struct time_order_row *row;

	if (!is_row(order, order->last_row, next->cpu, next->tid) && !find_or_add(order, next))
		return;
	row = &order->rows.at[order->last_row];
	note(&order->faults, row->last_ns, next->first_ns);
	row->last_ns = next->last_ns;
}

void time_order_add_alone(struct time_order *order, uint64_t time_ns)
{
	order->faults.zero_count += time_ns == 0;
}

void time_order_add(struct time_order *order, uint32_t cpu, uint32_t tid, uint64_t time_ns)
{
	time_order_add_alone(order, time_ns);
	if (time_ns)
		add(order, &(struct time_order_row){ cpu, tid, time_ns, time_ns });
}

void time_order_join(struct time_order *order, struct time_order *next)
{
	struct time_faults *faults = &order->faults;

	for (size_t i = 0; i < next->rows.count; i++)
		add(order, &next->rows.at[i]);
	faults->is_limited |= next->faults.is_limited;
	faults->zero_count += next->faults.zero_count;
	faults->backward_count += next->faults.backward_count;
	if (next->faults.backward_max_ns > faults->backward_max_ns)
		faults->backward_max_ns = next->faults.backward_max_ns;
	time_order_deinit(next);
	time_order_init(next);
}
