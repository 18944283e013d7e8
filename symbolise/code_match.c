/* SPDX-License-Identifier: MIT */
#include "symbolise/code_match.h"

#include "object/return_site.h"

/*
 * The number of return addresses of a DSO against which a file is checked. 1024 addresses are
 * enough to measure shares of 1%. kiln reads the 2 kB before each address.
 */
#define LIMIT_RETURN_SITES 1024u
/*
 * The number of return addresses of the other files that were mapped from a DSO's path. 128
 * addresses are enough to find out whether nearly all of them follow a call.
 */
#define LIMIT_RIVAL_SITES 128u
/*
 * Maximum number of files that were mapped from one path. If there are more files, the code
 * identifies none of them.
 */
#define LIMIT_RIVALS 256u

/* With fewer return addresses, the result is undecided. */
#define SITES_MIN               8
#define SITES_MIN_WITHOUT_FRAME 16

/*
 * Percentage of return addresses that follow a call, measured on x86-64:
 *
 *                                                       the right file   another file   another build
 *     callchains of code with frame pointers (node)        99, 100            0          0 to 70
 *     callchains of code without (cc1, glibc)               44 to 75         0 to 2
 *     words of stack dumps (cc1, libpython, glibc)         87 to 100         0 to 1
 */
#define PROVED_PERCENT                98
#define REFUTED_PERCENT               90
#define REFUTED_PERCENT_WITHOUT_FRAME 15
#define PROVED_PERCENT_OF_WORDS       75
#define REFUTED_PERCENT_OF_WORDS      50

/*
 * Even in the right file, signal frames can put two return addresses after other instructions than
 * calls.
 */
#define STRAYS_MAX 2

/* Most functions begin at most this far before any return address in them. */
#define PROLOGUE_BYTES 2048

/* push %rbp; mov %rsp,%rbp in both encodings of the mov, and without REX prefix for i386. */
static bool is_prologue(const unsigned char *at)
{
	return (at[0] == 0x55 && at[1] == 0x48 && at[2] == 0x89 && at[3] == 0xe5) ||
	       (at[0] == 0x55 && at[1] == 0x48 && at[2] == 0x8b && at[3] == 0xec) ||
	       (at[0] == 0x55 && at[1] == 0x89 && at[2] == 0xe5);
}

static bool has_prologue_before(const struct elf_file *elf, uint64_t offset)
{
	unsigned char bytes[PROLOGUE_BYTES];
	size_t size = offset < sizeof(bytes) ? (size_t)offset : sizeof(bytes);
	size_t got = elf_read(elf, offset - size, bytes, size);

	for (size_t i = 0; i + 4 <= got; i++)
		if (is_prologue(bytes + i))
			return true;
	return false;
}

/* Counts over the return addresses of a module, or of several. */
struct site_counts {
	uint32_t site_max;
	bool counts_prologues; /* count prologues, which are needed to refute a file */
	uint32_t site_count, call_count, prologue_count;
};

static void count_site(struct site_counts *counts, const struct elf_file *elf, uint64_t offset)
{
	if (counts->site_count == counts->site_max)
		return;
	counts->site_count++;
	counts->call_count += return_site_is_at(elf, offset);
	counts->prologue_count += counts->counts_prologues && has_prologue_before(elf, offset);
}

static enum code_match_status conclude(const struct site_counts *counts)
{
	uint32_t percent = counts->site_count ? counts->call_count * 100 / counts->site_count : 0;
	bool has_frames = counts->prologue_count >= counts->site_count / 2;

	if (counts->site_count < SITES_MIN)
		return CODE_UNDECIDED;
	if (percent >= PROVED_PERCENT)
		return CODE_PROVED;
	if (has_frames ? percent < REFUTED_PERCENT &&
				 counts->site_count - counts->call_count > STRAYS_MAX
		       : percent < REFUTED_PERCENT_WITHOUT_FRAME &&
				 counts->site_count >= SITES_MIN_WITHOUT_FRAME)
		return CODE_REFUTED;
	return CODE_UNDECIDED;
}

static enum code_match_status conclude_of_words(const struct site_counts *counts)
{
	uint32_t percent = counts->site_count ? counts->call_count * 100 / counts->site_count : 0;

	if (counts->site_count < SITES_MIN)
		return CODE_UNDECIDED;
	return percent >= PROVED_PERCENT_OF_WORDS   ? CODE_PROVED
	       : percent < REFUTED_PERCENT_OF_WORDS ? CODE_REFUTED
						    : CODE_UNDECIDED;
}

static void count_list(struct site_counts *counts, const return_word_list *words, module_id module,
		       const struct elf_file *elf)
{
	size_t count;
	size_t first = return_words_find(words, module, &count);

	for (size_t i = 0; i < count; i++)
		count_site(counts, elf, words->at[first + i].offset);
}

/* Counts the return addresses of stacks that have not been resolved. */
static void count_words(struct site_counts *chains, struct site_counts *dumps,
			const struct naming_job *job, module_id module, const struct elf_file *elf)
{
	const struct return_words *words = job->context->options->return_words;

	if (!words)
		return;
	count_list(chains, &words->of_callchains, module, elf);
	count_list(dumps, &words->of_dumps, module, elf);
}

/* Decides by stack dumps if possible, because stack dumps are better evidence than callchains. */
static struct code_match decide(const struct site_counts *chains, const struct site_counts *dumps)
{
	if (dumps->site_count >= SITES_MIN)
		return (struct code_match){ conclude_of_words(dumps), dumps->site_count,
					    dumps->call_count };
	return (struct code_match){ conclude(chains), chains->site_count, chains->call_count };
}

struct code_match code_match_check(const struct naming_job *job, const struct naming *naming,
				   const struct elf_file *elf)
{
	struct site_counts chains = { .site_max = LIMIT_RETURN_SITES, .counts_prologues = true };
	struct site_counts dumps = { .site_max = LIMIT_RETURN_SITES };

	if (!return_site_is_known(elf))
		return (struct code_match){ .proof = CODE_UNDECIDED };
	for (uint32_t i = 0; i < naming->count; i++) {
		const struct location *location =
			&job->context->locations->rows.at[naming->locations[i]];

		if (location->is_return)
			count_site(&chains, elf, location->address);
	}
	count_words(&chains, &dumps, job, naming_module(job, naming), elf);
	return decide(&chains, &dumps);
}

static void count_locations(struct site_counts *counts, const struct naming_context *context,
			    module_id module, const struct elf_file *elf)
{
	if (!context->first_of_module)
		return;
	for (uint32_t i = context->first_of_module[module.i];
	     i < context->first_of_module[module.i + 1]; i++) {
		const struct location *location =
			&context->locations->rows.at[context->by_module[i]];

		if (location->is_return)
			count_site(counts, elf, location->address);
	}
}

static bool is_rival(const struct module *module, const struct module *other)
{
	return other->kind == module->kind && (other->inode != module->inode ||
					       other->inode_generation != module->inode_generation);
}

bool code_match_may_be_rival(const struct naming_job *job, const struct naming *naming,
			     const struct elf_file *elf)
{
	const struct naming_context *context = job->context;
	const struct module *modules = context->modules->rows.at;
	struct site_counts chains = { .site_max = LIMIT_RIVAL_SITES };
	struct site_counts dumps = { .site_max = LIMIT_RIVAL_SITES };
	struct code_match evidence;
	uint32_t rival_count = 0;

	for (module_id at = naming->module->next_rival; &modules[at.i] != naming->module;
	     at = modules[at.i].next_rival) {
		if (++rival_count > LIMIT_RIVALS)
			return true;
		if (!is_rival(naming->module, &modules[at.i]))
			continue;
		count_locations(&chains, context, at, elf);
		count_words(&chains, &dumps, job, at, elf);
	}
	evidence = decide(&chains, &dumps);
	return evidence.proof == CODE_PROVED ||
	       (evidence.site_count && evidence.call_count == evidence.site_count);
}
