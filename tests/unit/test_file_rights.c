/* SPDX-License-Identifier: MIT */
/* Which files a command line may still open after the lock, and that it can open no others. */
#include "cli/file_rights.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/lockdown.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"

/* A command line, of at most three arguments after the name. */
struct line {
	char *argv[6];
	struct settings settings;
};

static void fill(struct line *line, const char *input, const char *output)
{
	memset(line, 0, sizeof(*line));
	line->argv[0] = (char *)(uintptr_t) "kiln";
	line->argv[1] = (char *)(uintptr_t) "fold";
	line->argv[2] = (char *)(uintptr_t)input;
	line->argv[3] = (char *)(uintptr_t)output;
	line->settings.command_line = line->argv;
	vec_push(&line->settings.inputs, input);
	line->settings.output = output;
}

static void make_files(struct scratch *scratch)
{
	static const char data[] = "PERFILE2\0\0\0\0\0\0\0\0";

	scratch_open(scratch);
	scratch_write(scratch, "a.folded", "a;b 1\n", 6);
	scratch_write(scratch, "perf.data", data, sizeof(data));
	scratch_write(scratch, "secret", "secret\n", 7);
	scratch_write(scratch, "out/old.svg", "<svg/>\n", 7);
}

Test(file_rights, of_commands)
{
	static const struct {
		const char *input;
		bool ignores_host, downloads, has_symbols;
		enum confinement_reach reach;
		const char *output;
	} rows[] = {
		/* With each of these outputs, "/" is never among the allowed files. */
		{ "a.folded", false, false, false, CONFINEMENT_NAMED_FILES, "/dev/null" },
		{ "a.folded", false, false, false, CONFINEMENT_NAMED_FILES, "/" },
		{ "a.folded", false, false, false, CONFINEMENT_NAMED_FILES, NULL },
		{ "perf.data", false, false, false, CONFINEMENT_NAMED_OUTPUT, NULL },
		{ "perf.data", true, false, false, CONFINEMENT_NAMED_OUTPUT, NULL },
		{ "perf.data", true, true, false, CONFINEMENT_ALL_FILES, NULL },
		{ "a.folded", false, true, false, CONFINEMENT_ALL_FILES, NULL },
		{ "a.folded", false, false, true, CONFINEMENT_NAMED_OUTPUT, NULL },
		{ "missing", false, false, false, CONFINEMENT_NAMED_OUTPUT, NULL },
		{ "out", false, false, false, CONFINEMENT_NAMED_OUTPUT, NULL },
	};
	struct scratch scratch;

	make_files(&scratch);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct confinement_plan plan;
		struct line line;

		fill(&line, scratch_path(&scratch, rows[i].input), rows[i].output);
		line.settings.ignores_host = rows[i].ignores_host;
		line.settings.debuginfod = rows[i].downloads ? "" : NULL;
		if (rows[i].has_symbols)
			vec_push(&line.settings.symbol_paths, scratch.path);
		file_rights_of_command(&line.settings, &plan);
		cr_expect_eq(plan.reach, rows[i].reach, "%zu", i);
		for (size_t k = 0; k < plan.paths.count; k++)
			cr_expect_str_neq(plan.paths.at[k].path, "/", "%zu", i);
		confinement_plan_deinit(&plan);
		vec_free(&line.settings.inputs);
		vec_free(&line.settings.symbol_paths);
	}
	scratch_close(&scratch);
	assert_no_leaks();
}

static bool can_open(const struct scratch *scratch, const char *name, int flags)
{
	int fd = open(scratch_path(scratch, name), flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

enum {
	READS_INPUT = 1,
	READS_OTHERS = 2,
	WRITES_INPUT = 4,
	WRITES_OUTPUT = 8,
	CREATES_OUTSIDE = 16,
};

/* What a process can do after the lock for `kiln fold INPUT -o OUTPUT`. */
static int try_locked(const struct scratch *scratch, const char *input, bool downloads)
{
	char *output =
		memory_duplicate(scratch_path(scratch, "link.svg"), strlen(scratch->path) + 9);
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct confinement confinement;
		struct confinement_plan plan;
		struct line line;

		fill(&line, scratch_path(scratch, input), output);
		line.settings.debuginfod = downloads ? "" : NULL;
		file_rights_of_command(&line.settings, &plan);
		confinement_begin(&confinement, &plan);
		_exit(can_open(scratch, input, O_RDONLY) * READS_INPUT |
		      can_open(scratch, "secret", O_RDONLY) * READS_OTHERS |
		      can_open(scratch, input, O_WRONLY) * WRITES_INPUT |
		      can_open(scratch, "out/new.svg", O_WRONLY | O_CREAT) * WRITES_OUTPUT |
		      can_open(scratch, "new", O_WRONLY | O_CREAT) * CREATES_OUTSIDE);
	}
	waitpid(pid, &status, 0);
	memory_free(output);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The output is a link to a file in out/. */
Test(file_rights, after_the_lock)
{
	const int all = READS_INPUT | READS_OTHERS | WRITES_INPUT | WRITES_OUTPUT | CREATES_OUTSIDE;
	bool has_landlock = lockdown_probe().landlock_abi > 0 && confinement_locks_kiln();
	struct scratch scratch;

	make_files(&scratch);
	/* Temporary files go elsewhere. */
	setenv("TMPDIR", "/dev/shm", 1);
	scratch_link(&scratch, "link.svg", "out/old.svg");
	cr_expect_eq(try_locked(&scratch, "a.folded", false),
		     has_landlock ? READS_INPUT | WRITES_OUTPUT : all);
	cr_expect_eq(try_locked(&scratch, "perf.data", false),
		     has_landlock ? READS_INPUT | READS_OTHERS | WRITES_OUTPUT : all);
	cr_expect_eq(try_locked(&scratch, "perf.data", true), all);
	scratch_close(&scratch);
}
