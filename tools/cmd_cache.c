/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <time.h>

#include "base/scan.h"
#include "cli/command.h"
#include "dwarf/table_cache.h"

#define SECONDS_PER_DAY 86400

static bool parse_days(const char *text, int64_t *ret, struct error *err)
{
	uint32_t days;

	if (!text_to_u32(text_of(text), &days) || days > 36500)
		return error_set(err, ERROR_USAGE, "--prune requires a number of days, not \"%s\"",
				 text);
	*ret = days;
	return true;
}

static int64_t days_since(int64_t time_s, int64_t now_s)
{
	return now_s > time_s ? (now_s - time_s) / SECONDS_PER_DAY : 0;
}

/* Prints the columns that all lists have. */
static void print_size_and_days(const struct table_cache_entry *entry, int64_t now_s)
{
	printf("%10" PRIu64 "  %5" PRId64 "  ", entry->size_bytes,
	       days_since(entry->used_time_s, now_s));
}

/* Lists the files with their states. Returns false if a file is corrupt or cannot be read. */
static bool list_states(const char *directory, const table_cache_entries *entries)
{
	static const char *const names[] = {
		[TABLE_CACHE_VALID] = "valid",
		[TABLE_CACHE_TEMPORARY] = "temporary",
		[TABLE_CACHE_OTHER_FORMAT] = "other version",
		[TABLE_CACHE_CORRUPT] = "corrupt",
		[TABLE_CACHE_UNREADABLE] = "unreadable",
	};
	int64_t now_s = time(NULL);
	size_t bad_count = 0;

	printf("     bytes   days  state         file\n");
	for (size_t i = 0; i < entries->count; i++) {
		const struct table_cache_entry *entry = &entries->at[i];
		enum table_cache_state state = table_cache_verify(directory, entry);

		bad_count += state == TABLE_CACHE_CORRUPT || state == TABLE_CACHE_UNREADABLE;
		print_size_and_days(entry, now_s);
		printf("%-13s %s\n", names[state], entry->name);
	}
	printf("corrupt or unreadable: %zu of %zu\n", bad_count, entries->count);
	return !bad_count;
}

/*
 * Lists the files, and removes those that have not been used for max_days or more. If max_days is
 * negative, removes no files.
 */
static bool list_and_prune(const char *directory, const table_cache_entries *entries,
			   int64_t max_days, struct error *err)
{
	int64_t now_s = time(NULL);
	uint64_t total_bytes = 0;
	size_t removed = 0;

	printf("     bytes   days  file\n");
	for (size_t i = 0; i < entries->count; i++) {
		const struct table_cache_entry *entry = &entries->at[i];

		if (max_days >= 0 &&
		    (max_days == 0 || days_since(entry->used_time_s, now_s) >= max_days)) {
			if (!table_cache_remove(directory, entry, err))
				return false;
			removed++;
			continue;
		}
		print_size_and_days(entry, now_s);
		printf("%s\n", entry->name);
		total_bytes += entry->size_bytes;
	}
	printf("%10" PRIu64 "  in %zu file%s", total_bytes, entries->count - removed,
	       entries->count - removed == 1 ? "" : "s");
	if (max_days >= 0)
		printf(", %zu removed", removed);
	printf("\n");
	return true;
}

static bool check(const struct settings *settings, struct error *err)
{
	if (settings->inputs.count)
		return error_set(err, ERROR_USAGE,
				 "kiln cache accepts no input, but got %s; use --symbol-cache DIR "
				 "to select the cache",
				 settings->inputs.at[0]);
	if (settings->prune && settings->verifies_cache)
		return error_set(err, ERROR_USAGE, "--prune and --verify cannot be combined");
	return settings->listed_cache ||
	       error_set(err, ERROR_USAGE, "kiln cache requires --symbol-cache DIR");
}

static enum exit_code run(struct settings *settings)
{
	table_cache_entries entries = { .at = NULL };
	enum exit_code code = EXIT_DONE;
	int64_t max_days = -1;
	struct error err;
	bool good;

	good = check(settings, &err) &&
	       (!settings->prune || parse_days(settings->prune, &max_days, &err)) &&
	       table_cache_list(settings->listed_cache, &entries, &err);
	if (good && settings->verifies_cache)
		code = list_states(settings->listed_cache, &entries) ? EXIT_DONE : EXIT_PARTIAL;
	else
		good = good && list_and_prune(settings->listed_cache, &entries, max_days, &err);
	vec_free(&entries);
	return good ? code : command_fail(&err);
}

static const struct option_group *const groups[] = {
	&settings_cache,
	&settings_help,
	NULL,
};

static const char *const common[] = {
	"symbol-cache", "prune", "verify", "help", "version", NULL,
};

const struct command command_cache = {
	.name = "cache",
	.topic = TOPIC_EXPLAIN,
	.summary = "list or verify the files in a symbol cache, and remove old ones",
	.description = "Lists the files in a symbol cache: size, days since the last use, and "
		       "build-id. With --verify, reads all files, and shows whether each is valid.",
	.arguments = "--symbol-cache DIR [--prune DAYS | --verify]",
	.examples = { "kiln cache --symbol-cache ~/.cache/kiln",
		      "kiln cache --symbol-cache ~/.cache/kiln --prune 30" },
	.common = common,
	.groups = groups,
	.run = run,
};
