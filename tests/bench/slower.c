/* SPDX-License-Identifier: MIT */
/*
 * slower ROUNDS PERCENT: a program of which one function, encode, can be made slower by so many
 * percent and does not change otherwise. Between reading its table and writing its result it goes
 * through the same rounds, which enter the kernel by page faults, files and pipes.
 *
 *     main ─▶ load_table
 *         └─▶ run_round ─▶ read_input ─▶ parse ─▶ hash_words ─▶ encode ─▶ sort_keys ─▶ write_output
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOIPA        __attribute__((noipa))
#define INPUT_BYTES  (1u << 20)
#define KEYS         4096
#define ENCODE_STEPS 4600

static uint32_t table[1u << 16];
static uint32_t keys[KEYS];
static uint8_t *input;
static volatile uint32_t result;
static int pipes[2];
static int output;

static inline __attribute__((always_inline)) uint32_t mix(uint32_t value)
{
	value ^= value << 13;
	value ^= value >> 17;
	return value ^ value << 5;
}

NOIPA static void load_table(uint32_t rounds)
{
	uint32_t value = 1;

	for (uint32_t k = 0; k < rounds; k++)
		for (uint32_t i = 0; i < sizeof(table) / sizeof(*table); i++)
			table[i] = value = mix(value + i);
}

NOIPA static void read_input(uint32_t round)
{
	input = mmap(NULL, INPUT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (input == MAP_FAILED)
		abort();
	for (uint32_t i = 0; i < INPUT_BYTES; i += 4096)
		input[i] = (uint8_t)table[(i / 4096 + round) & 0xffff];
}

NOIPA static void parse(void)
{
	uint32_t words = 0;

	for (uint32_t i = 0; i < INPUT_BYTES / 4; i++)
		words += input[i] > 32 ? 1 : words >> 9;
	result = words;
}

NOIPA static void hash_words(uint32_t steps)
{
	uint32_t hash = result;

	for (uint32_t i = 0; i < steps; i++)
		hash = (hash ^ input[(i * 61) & (INPUT_BYTES - 1)]) * 16777619u;
	result = hash;
}

NOIPA static void encode(uint32_t steps)
{
	uint32_t value = result | 1;

	for (uint32_t i = 0; i < steps; i++)
		for (uint32_t k = 0; k < 64; k++)
			value = mix(value + k);
	result = value;
}

NOIPA static int compare_keys(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

NOIPA static void sort_keys(uint32_t round)
{
	for (uint32_t i = 0; i < KEYS; i++)
		keys[i] = table[(i * 7 + round) & 0xffff];
	qsort(keys, KEYS, sizeof(*keys), compare_keys);
}

NOIPA static void write_output(uint32_t round)
{
	char buffer[4096];

	for (int i = 0; i < 24; i++)
		if (write(pipes[1], keys, sizeof(buffer)) < 0 ||
		    read(pipes[0], buffer, sizeof(buffer)) < 0)
			abort();
	if (round % 64 == 0 && lseek(output, 0, SEEK_SET) < 0)
		abort();
	for (int i = 0; i < 4; i++)
		if (write(output, input + i * 65536, 65536) < 0)
			abort();
	munmap(input, INPUT_BYTES);
}

NOIPA static void run_round(uint32_t round, uint32_t percent)
{
	read_input(round);
	parse();
	hash_words(180000);
	encode(ENCODE_STEPS + ENCODE_STEPS * percent / 100);
	sort_keys(round);
	write_output(round);
}

int main(int count, char **arguments)
{
	uint32_t rounds = count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 100;
	uint32_t percent = count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 0;

	output = open("slower.output", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (output < 0 || pipe(pipes) != 0)
		return 1;
	unlink("slower.output");
	load_table(rounds / 6);
	for (uint32_t round = 0; round < rounds; round++)
		run_round(round, percent);
	return 0;
}
