/* SPDX-License-Identifier: MIT */
#include "tools/alignment.h"

#include <errno.h>

#include "session/demangle_name.h"

/* What a line of the file says; false: no such line. */
static bool add_line(struct diff_renames *renames, struct text line,
		     const struct diff_alignment *how)
{
	const char *tab = memchr(line.at, '\t', line.length);
	struct text from, to;

	if (!line.length || text_has_prefix(line, "# "))
		return true;
	if (!tab)
		return false;
	from = (struct text){ line.at, (uint32_t)(tab - line.at) };
	to = (struct text){ tab + 1, line.length - from.length - 1 };
	if (!from.length || !to.length || memchr(to.at, '\t', to.length))
		return false;
	diff_renames_add(renames, from, to, how);
	return true;
}

static bool read_lines(struct diff_renames *renames, FILE *file, const char *path,
		       const struct diff_alignment *how, struct error *err)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	bool good = true;

	for (unsigned number = 1; good && (length = getline(&line, &room, file)) >= 0; number++) {
		while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
			length--;
		good = (uint64_t)length < UINT32_MAX &&
		       add_line(renames, (struct text){ line, (uint32_t)length }, how);
		if (!good)
			error_set(err, ERROR_FORMAT,
				  "%s:%u: a name before, a tab and a name after are wanted", path,
				  number);
	}
	if (good && ferror(file))
		good = error_set(err, ERROR_IO, "%s: %s", path, strerror(errno));
	free(line);
	return good;
}

static bool read_renames(struct alignment *alignment, const char *path,
			 const struct diff_alignment *how, struct error *err)
{
	FILE *file = fopen(path, "re");
	bool good;

	if (!file)
		return error_set(err, ERROR_IO, "%s: %s", path, strerror(errno));
	diff_renames_init(&alignment->renames);
	alignment->has_renames = true;
	good = read_lines(&alignment->renames, file, path, how, err);
	fclose(file);
	return good;
}

static bool finds_renames(const struct diff_settings *own)
{
	return own->renames && strcmp(own->renames, "auto") == 0;
}

static bool compile(struct alignment *alignment, const char *expression, struct error *err)
{
	char why[256];
	int problem = regcomp(&alignment->ignored, expression, REG_EXTENDED | REG_NOSUB);

	if (problem) {
		regerror(problem, &alignment->ignored, why, sizeof(why));
		return error_set(err, ERROR_USAGE, "--ignore-path %s: %s", expression, why);
	}
	alignment->has_ignored = true;
	return true;
}

/* What is done beyond equal names. difffolded.pl does none of it. */
static void set_matching(const struct settings *settings, struct diff_alignment *ret)
{
	const struct diff_settings *own = &settings->diff;

	if (ret->naming != DIFF_NAMING_ALIGNED && !own->keeps_names)
		return;
	ret->mends = !own->keeps_mismatches;
	/* Numbers of threads and CPUs, and events, have no roles. */
	ret->pairs_roots = !own->keeps_roots && settings->grouping.by[0] == GROUP_COMM;
	ret->applies_renames = finds_renames(own);
	ret->finds_renames = ret->applies_renames || !own->renames;
}

bool alignment_open(struct alignment *alignment, const struct settings *settings,
		    struct diff_alignment *ret, struct error *err)
{
	const struct diff_settings *own = &settings->diff;

	*alignment = (struct alignment){ 0 };
	ret->demangle = settings->keeps_mangled_names ? NULL : demangle_name;
	if ((own->ignored && !compile(alignment, own->ignored, err)) ||
	    (own->renames && !finds_renames(own) &&
	     !read_renames(alignment, own->renames, ret, err))) {
		alignment_close(alignment);
		return false;
	}
	set_matching(settings, ret);
	ret->ignored = alignment->has_ignored ? &alignment->ignored : NULL;
	ret->renames = alignment->has_renames ? &alignment->renames : NULL;
	return true;
}

void alignment_close(struct alignment *alignment)
{
	if (alignment->has_ignored)
		regfree(&alignment->ignored);
	if (alignment->has_renames)
		diff_renames_deinit(&alignment->renames);
}
