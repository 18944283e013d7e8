/* SPDX-License-Identifier: MIT */
#include "cli/file_rights.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/output.h"
#include "cli/svg_output.h"

/* The number of bytes of a file that are read to find out whether it is text. */
#define HEAD_BYTES 512

/* perf.data and compressed files begin with bytes that do not occur in texts. */
static bool is_text(const char *path)
{
	char head[HEAD_BYTES] = "";
	struct stat status;
	ssize_t got = -1;
	int fd;

	/* Opening a FIFO would block. */
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0) {
		got = read(fd, head, sizeof(head));
		close(fd);
	}
	for (ssize_t i = 0; i < got; i++)
		if ((unsigned char)head[i] < ' ' && !strchr("\t\n\r\f\033", head[i]))
			return false;
	return got > 0 && memcmp(head, "PERFILE2", 8) != 0 && memcmp(head, "2ELIFREP", 8) != 0;
}

/* Adds a file. A directory is not added, because everything below it could then be opened. */
static bool add_file(const char *path, struct confinement_plan *plan)
{
	struct stat status;

	if (!*path || stat(path, &status) != 0)
		return false;
	if (!S_ISDIR(status.st_mode))
		confinement_plan_add(plan, path, false);
	return true;
}

/* The path can end in a colon and a value, as for --around. */
static void add_if_there(const char *path, struct confinement_plan *plan)
{
	const char *colon = strrchr(path, ':');
	char *front = memory_duplicate(path, colon ? (size_t)(colon - path) : strlen(path));

	if (!add_file(path, plan) && colon)
		(void)add_file(front, plan);
	memory_free(front);
}

/* The arguments, and the parts after "=", are possible paths. */
static void add_named(char **argv, struct confinement_plan *plan)
{
	for (; *argv; argv++)
		for (const char *at = *argv; at; at = strchr(at, '=')) {
			at += *at == '=';
			add_if_there(at, plan);
		}
}

/*
 * Whether all files in the plan are text files. A device, such as /dev/null for the output, does
 * not count.
 */
static bool are_texts(const struct confinement_plan *plan)
{
	for (size_t i = 0; i < plan->paths.count; i++) {
		struct stat status;

		if (stat(plan->paths.at[i].path, &status) == 0 && S_ISREG(status.st_mode) &&
		    !is_text(plan->paths.at[i].path))
			return false;
	}
	return true;
}

/*
 * Whether only named files are read. If all inputs are texts, no other files are read, because
 * texts contain function names.
 */
static bool needs_named_files_only(const struct settings *settings,
				   const struct confinement_plan *plan)
{
	if (!settings->inputs.count || settings->symbol_paths.count || settings->debuginfod)
		return false;
	for (size_t i = 0; i < settings->inputs.count; i++)
		if (!is_text(settings->inputs.at[i]))
			return false;
	return are_texts(plan);
}

static void add_output(const char *path, struct confinement_plan *plan)
{
	struct stat status;
	char *written = NULL;

	/* A directory cannot be the output file. */
	if (path && (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)))
		written = output_written_path(path);
	if (written)
		confinement_plan_add(plan, written, true);
	memory_free(written);
}

/*
 * Creates the directory of the cache now, so that kiln does not need the right to write to the
 * parent directory. If it cannot be created, the first write reports the error.
 */
static void add_cache(const char *directory, struct confinement_plan *plan)
{
	if (mkdir(directory, 0777) == 0 || errno == EEXIST)
		confinement_plan_add(plan, directory, true);
}

void file_rights_of_command(const struct settings *settings, struct confinement_plan *plan)
{
	*plan = (struct confinement_plan){ .needs_network = settings->debuginfod != NULL };
	add_named(settings->command_line + 1, plan);
	if (needs_named_files_only(settings, plan))
		plan->reach = CONFINEMENT_NAMED_FILES;
	else if (!settings->debuginfod)
		plan->reach = CONFINEMENT_NAMED_OUTPUT;
	plan->needs_roots = plan->reach != CONFINEMENT_NAMED_FILES && !settings->ignores_host;
	add_output(settings->output, plan);
	if (settings->flame.palette_map)
		add_output(svg_output_map_path(&settings->flame), plan);
	if (settings->table_cache)
		add_cache(settings->table_cache, plan);
	if (settings->listed_cache)
		confinement_plan_add(plan, settings->listed_cache, true);
}

void file_rights_of_dropin(char **argv, struct confinement_plan *plan)
{
	*plan = (struct confinement_plan){ .reach = CONFINEMENT_NAMED_FILES };
	for (char **at = argv; *at; at++)
		if (strncmp(*at, "--cp", 4) == 0 || strcmp(*at, "-cp") == 0)
			add_output(
				svg_output_map_path(&(struct flame_settings){ .palette_map = "" }),
				plan);
	add_named(argv + 1, plan);
}
