/* SPDX-License-Identifier: MIT */
/*
 * A steady load of requests of varying size, and, every PERIOD_MS, a spike: WIDTH_MS in a function that runs at no
 * other time. tests/bench/spikes records it.
 *
 *     planted SECONDS PERIOD_MS WIDTH_MS      PERIOD_MS 0: no spikes
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static volatile uint64_t sink;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#define WORK(name, factor)                                         \
	__attribute__((noinline)) static void name(unsigned count) \
	{                                                          \
		uint64_t x = sink + factor;                        \
		for (unsigned i = 0; i < count; i++)               \
			x = x * factor + i;                        \
		sink = x;                                          \
	}
WORK(parse_request, 6364136223846793005u)
WORK(look_up_user, 2862933555777941757u)
WORK(render_reply, 3202034522624059733u)
WORK(checksum, 1181783497276652981u)
WORK(compact_table, 4768777513237032717u)

/* Requests of equal size could keep in step with the sampling. */
static unsigned vary(unsigned count)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return count / 2 + (unsigned)(state % count);
}

__attribute__((noinline)) static void serve(void)
{
	parse_request(vary(20000));
	look_up_user(vary(30000));
	render_reply(vary(40000));
	checksum(vary(10000));
}

__attribute__((noinline)) static void maintain(uint64_t until_ns)
{
	while (now_ns() < until_ns)
		compact_table(10000);
}

int main(int argc, char **argv)
{
	uint64_t seconds = argc > 1 ? strtoull(argv[1], NULL, 10) : 30;
	uint64_t period_ns = (argc > 2 ? strtoull(argv[2], NULL, 10) : 500) * 1000000u;
	uint64_t width_ns = (argc > 3 ? strtoull(argv[3], NULL, 10) : 20) * 1000000u;
	uint64_t start = now_ns(), next = start + period_ns;

	for (uint64_t now = start; now < start + seconds * 1000000000u; now = now_ns()) {
		if (period_ns && now >= next) {
			maintain(now + width_ns);
			next += period_ns;
		} else {
			serve();
		}
	}
	return 0;
}
