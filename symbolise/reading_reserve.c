/* SPDX-License-Identifier: MIT */
#include "symbolise/reading_reserve.h"

void reading_reserve_init(struct reading_reserve *reserve, size_t job_count)
{
	*reserve = (struct reading_reserve){ .left_steps = LIMIT_DWARF_RESERVE_STEPS };
	pthread_mutex_init(&reserve->lock, NULL);
	pthread_cond_init(&reserve->has_passed, NULL);
	for (size_t i = 0; i < job_count; i++)
		vec_push(&reserve->passed, false);
}

void reading_reserve_deinit(struct reading_reserve *reserve)
{
	pthread_cond_destroy(&reserve->has_passed);
	pthread_mutex_destroy(&reserve->lock);
	vec_free(&reserve->passed);
}

uint64_t reading_reserve_left(struct reading_reserve *reserve)
{
	uint64_t left;

	pthread_mutex_lock(&reserve->lock);
	left = reserve->left_steps;
	pthread_mutex_unlock(&reserve->lock);
	return left;
}

bool reading_reserve_draw(struct reading_reserve *reserve, size_t job, uint64_t steps)
{
	bool good;

	if (!steps)
		return true;
	pthread_mutex_lock(&reserve->lock);
	while (reserve->next_job < job)
		pthread_cond_wait(&reserve->has_passed, &reserve->lock);
	good = steps <= reserve->left_steps;
	reserve->left_steps = good ? reserve->left_steps - steps : 0;
	pthread_mutex_unlock(&reserve->lock);
	return good;
}

void reading_reserve_pass(struct reading_reserve *reserve, size_t job)
{
	pthread_mutex_lock(&reserve->lock);
	reserve->passed.at[job] = true;
	while (reserve->next_job < reserve->passed.count && reserve->passed.at[reserve->next_job])
		reserve->next_job++;
	pthread_cond_broadcast(&reserve->has_passed);
	pthread_mutex_unlock(&reserve->lock);
}

void reading_reserve_fail(struct reading_reserve *reserve)
{
	pthread_mutex_lock(&reserve->lock);
	reserve->failure_count++;
	pthread_mutex_unlock(&reserve->lock);
}

bool reading_reserve_allows(struct reading_reserve *reserve)
{
	bool allows;

	pthread_mutex_lock(&reserve->lock);
	allows = reserve->failure_count < LIMIT_DWARF_FAILURES;
	pthread_mutex_unlock(&reserve->lock);
	return allows;
}
