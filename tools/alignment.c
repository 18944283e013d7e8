/* SPDX-License-Identifier: MIT */
#include "tools/alignment.h"

#include "session/symbol_files.h"
#include "cli/text_file.h"

/* Adds a line of the file. False: it is malformed. */
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

static bool read_lines(struct diff_renames *renames, struct text file, const char *path,
		       const struct diff_alignment *how, struct error *err)
{
	const char *end = file.at + file.length;
	const char *next = file.at;

	for (unsigned number = 1; next < end; number++) {
		const char *line = next;
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		stop = stop ? stop : end;
		next = stop + 1;
		while (stop > line && stop[-1] == '\r')
			stop--;
		if (!add_line(renames, (struct text){ line, (uint32_t)(stop - line) }, how))
			return error_set(err, ERROR_FORMAT,
					 "%s:%u: expected OLD-NAME, a tab and NEW-NAME", path,
					 number);
	}
	return true;
}

static bool read_renames(struct alignment *alignment, const char *path,
			 const struct diff_alignment *how, struct error *err)
{
	struct sink file;
	bool good;

	diff_renames_init(&alignment->renames);
	alignment->has_renames = true;
	sink_init_memory(&file);
	good = text_file_read(path, &file, err) &&
	       read_lines(&alignment->renames, sink_memory(&file), path, how, err);
	sink_deinit(&file);
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

/* Matching beyond equal names. difffolded.pl does none of it. */
static void set_matching(const struct settings *settings, struct diff_alignment *ret)
{
	const struct diff_settings *own = &settings->diff;

	if (ret->naming != DIFF_NAMING_ALIGNED && !own->keeps_names)
		return;
	ret->mends = !own->keeps_mismatches;
	/* Only roots that are comms can be paired by role. */
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
