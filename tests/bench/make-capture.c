/* SPDX-License-Identifier: MIT */
/*
 * make-capture SAMPLES STACKS FUNCTIONS THREADS SECONDS FILE: writes a perf.data file of one
 * simulated process, and its names as DIRECTORY/perf-1000.map in the directory of FILE. The same
 * arguments give the same bytes. As in a real program, a thread has its own callers near the root,
 * and each stack is frequent for a while: nine of ten samples are of the stacks of their second,
 * which are a tenth of all.
 *
 *     make-capture 10000000 250000 3000 64 60 /tmp/large.data
 *     kiln page --symbols /tmp /tmp/large.data -o large.html
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "libparse/perf/abi.h"
#include "tests/support/perf_writer.h"
#include "tests/support/random.h"

#define PID           1000u
#define CODE          0x400000ull /* address of the first function */
#define FUNCTION_SIZE 256u
#define DEPTH_MIN     8u
#define DEPTH_SPREAD  32u
/* A stack shares its callers with an earlier one, up to this many frames from its leaf. */
#define OWN_FRAMES_MAX 6u
#define NS_PER_S       1000000000ull

struct made_stack {
	uint64_t ips[1 + DEPTH_MIN + DEPTH_SPREAD + OWN_FRAMES_MAX]; /* marker, then leaf first */
	uint32_t count, thread;
};

static uint64_t address_of(struct random *random, uint32_t function_count)
{
	/* The smaller of two random numbers, so that low numbers are more frequent. */
	uint32_t a = random_below(random, function_count);
	uint32_t b = random_below(random, function_count);

	return CODE + (uint64_t)(a < b ? a : b) * FUNCTION_SIZE + 16;
}

/* Makes a stack that shares all but its last frames with an earlier one. */
static void make_stack(struct made_stack *stacks, uint32_t index, uint32_t function_count,
		       uint32_t thread_count, struct random *random)
{
	struct made_stack *stack = &stacks[index];
	uint64_t path[DEPTH_MIN + DEPTH_SPREAD + OWN_FRAMES_MAX]; /* root first */
	uint32_t depth = DEPTH_MIN + random_below(random, DEPTH_SPREAD);
	uint32_t shared = 0;

	stack->thread = index;
	if (index >= thread_count) {
		const struct made_stack *other = &stacks[random_below(random, index)];

		stack->thread = other->thread;
		shared = other->count - 1 < depth ? other->count - 1 : depth - 1;
		shared -= random_below(random, shared < OWN_FRAMES_MAX ? shared : OWN_FRAMES_MAX);
		for (uint32_t i = 0; i < shared; i++)
			path[i] = other->ips[other->count - 1 - i];
	}
	if (depth > shared + OWN_FRAMES_MAX)
		depth = shared + OWN_FRAMES_MAX;
	for (uint32_t i = shared; i < depth; i++)
		path[i] = address_of(random, function_count);
	stack->count = depth + 1;
	stack->ips[0] = (uint64_t)-512; /* PERF_CONTEXT_USER */
	for (uint32_t i = 0; i < depth; i++)
		stack->ips[1 + i] = path[depth - 1 - i];
}

static void write_names(const char *path, uint32_t function_count)
{
	char *copy = strdup(path);
	char name[4096];
	FILE *map;

	snprintf(name, sizeof(name), "%s/perf-%u.map", dirname(copy), PID);
	free(copy);
	map = fopen(name, "w");
	for (uint32_t i = 0; map && i < function_count; i++)
		fprintf(map, "%llx %x module_%u::function_%u\n",
			CODE + (unsigned long long)i * FUNCTION_SIZE, FUNCTION_SIZE, i % 40, i);
	if (!map || fclose(map) != 0) {
		perror(name);
		exit(1);
	}
}

static void write_file(const char *path, const struct perf_writer *writer)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(writer->file.at, 1, writer->file.count, file) != writer->file.count ||
	    fclose(file) != 0) {
		perror(path);
		exit(1);
	}
}

static void write_state(struct perf_writer *writer, uint32_t thread_count)
{
	char comm[16];

	for (uint32_t i = 0; i < thread_count; i++) {
		snprintf(comm, sizeof(comm), "worker-%u", i % 8);
		perf_writer_comm(writer, 1, PID, PID + i, comm, 0);
	}
	perf_writer_mmap(writer, 1,
			 &(struct writer_mmap){ .pid = PID,
						.tid = PID,
						.address = CODE,
						.length = 1 << 24,
						.path = "//anon" });
}

/* Chooses the stack of a sample in this second. */
static uint32_t choose_stack(uint64_t second, uint32_t stack_count, struct random *random)
{
	struct random phase = { .state = second + 1 };
	uint32_t a = random_below(random, stack_count);
	uint32_t b = random_below(random, stack_count);
	uint32_t lower = a < b ? a : b; /* low numbers are more frequent */

	if (random_below(random, 10) == 0)
		return lower;
	random_u64(&phase);
	return (uint32_t)((random_below(&phase, stack_count) + (uint64_t)lower / 10) % stack_count);
}

int main(int argc, char **argv)
{
	struct perf_attr attr = { .type = 1,
				  .sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
						 SAMPLE_CALLCHAIN | SAMPLE_PERIOD,
				  .sample_period = 1000000,
				  .flags = ATTR_FLAG_SAMPLE_ID_ALL };
	uint64_t id = 1;
	struct random random = { .state = 20261123 };
	struct perf_writer writer;
	struct made_stack *stacks;
	uint64_t sample_count, span_ns;
	uint32_t stack_count, function_count, thread_count;

	if (argc != 7) {
		fprintf(stderr,
			"usage: make-capture SAMPLES STACKS FUNCTIONS THREADS SECONDS FILE\n");
		return 2;
	}
	sample_count = strtoull(argv[1], NULL, 10);
	stack_count = (uint32_t)strtoul(argv[2], NULL, 10);
	function_count = (uint32_t)strtoul(argv[3], NULL, 10);
	thread_count = (uint32_t)strtoul(argv[4], NULL, 10);
	span_ns = strtoull(argv[5], NULL, 10) * NS_PER_S;
	if (!sample_count || !stack_count || !function_count || !thread_count || !span_ns)
		return 2;
	stacks = memory_alloc(stack_count, sizeof(*stacks));
	for (uint32_t i = 0; i < stack_count; i++)
		make_stack(stacks, i, function_count, thread_count, &random);
	perf_writer_init(&writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(&writer, "cpu-clock", &attr, &id, 1);
	write_state(&writer, thread_count);
	for (uint64_t i = 0; i < sample_count; i++) {
		uint64_t time_ns =
			NS_PER_S + (uint64_t)((double)i / (double)sample_count * (double)span_ns);
		uint32_t index = choose_stack(time_ns / NS_PER_S, stack_count, &random);

		perf_writer_sample(&writer, &(struct writer_sample){
						    .misc = 2,
						    .pid = PID,
						    .tid = PID + stacks[index].thread,
						    .time_ns = time_ns,
						    .ip = stacks[index].ips[1],
						    .period = 1000000,
						    .ips = stacks[index].ips,
						    .ip_count = stacks[index].count,
					    });
	}
	perf_writer_finish(&writer);
	write_file(argv[6], &writer);
	write_names(argv[6], function_count);
	perf_writer_deinit(&writer);
	memory_free(stacks);
	return 0;
}
