/* SPDX-License-Identifier: MIT */
#include "profile/selection.h"

#include <errno.h>

void selection_deinit(struct selection *selection)
{
	vec_free(&selection->comms);
	vec_free(&selection->pids);
	vec_free(&selection->tids);
	vec_free(&selection->cpus);
	vec_free(&selection->times_ns);
	vec_free(&selection->time_shares);
	vec_free(&selection->dsos);
	vec_free(&selection->symbols);
	vec_free(&selection->bases);
}

/* The next piece of a list up to a comma; false at its end. */
static bool next_piece(const char **text, struct text *ret)
{
	size_t length = strcspn(*text, ",");

	if (!**text)
		return false;
	*ret = (struct text){ *text, (uint32_t)length };
	*text += length;
	if (**text)
		(*text)++;
	return true;
}

void selection_parse_names(const char *text, selection_names *ret)
{
	struct text piece;

	while (next_piece(&text, &piece))
		vec_push(ret, piece);
}

static bool parse_number(const char **at, uint64_t *ret)
{
	char *end;

	/* strtoull would take a sign and blanks. */
	if (**at < '0' || **at > '9')
		return false;
	errno = 0;
	*ret = strtoull(*at, &end, 10);
	*at = end;
	return errno == 0;
}

bool selection_parse_numbers(const char *option, const char *text, selection_ranges *ret,
			     struct error *err)
{
	const char *at = text;

	for (;;) {
		struct selection_range range;

		if (!parse_number(&at, &range.first))
			break;
		range.last = range.first;
		if (*at == '-' && (at++, !parse_number(&at, &range.last)))
			break;
		if (range.last < range.first)
			break;
		vec_push(ret, range);
		if (!*at)
			return true;
		if (*at++ != ',')
			break;
	}
	return error_set(err, ERROR_USAGE, "--%s wants numbers such as 3 or 0-3,7, not \"%s\"",
			 option, text);
}

bool selection_is_empty(const struct selection *selection)
{
	return !selection->comms.count && !selection->pids.count && !selection->tids.count &&
	       !selection->cpus.count && !selection->times_ns.count &&
	       !selection->time_shares.count && !selection->dsos.count &&
	       !selection->symbols.count && !selection->user_only && !selection->kernel_only &&
	       !selection->no_idle;
}

bool selection_has_shares(const struct selection *selection)
{
	return selection && selection->time_shares.count;
}

bool selection_asks_of_frames(const struct selection *selection)
{
	return selection &&
	       (selection->bases.count || selection->dsos.count || selection->symbols.count ||
		selection->user_only || selection->kernel_only || selection->depth_max);
}

bool selection_has_name(const selection_names *names, struct text name)
{
	for (size_t i = 0; i < names->count; i++)
		if (text_equal(names->at[i], name))
			return true;
	return names->count == 0;
}

bool selection_has_number(const selection_ranges *ranges, uint64_t number)
{
	for (size_t i = 0; i < ranges->count; i++)
		if (number >= ranges->at[i].first && number <= ranges->at[i].last)
			return true;
	return ranges->count == 0;
}

bool selection_takes_mode(const struct selection *selection, enum cpu_mode mode)
{
	bool is_kernel;
	bool is_user;

	if (!selection)
		return true;
	is_kernel = mode == CPU_MODE_KERNEL || mode == CPU_MODE_GUEST_KERNEL ||
		    mode == CPU_MODE_HYPERVISOR;
	is_user = mode == CPU_MODE_USER || mode == CPU_MODE_GUEST_USER;
	return !(selection->user_only && is_kernel) && !(selection->kernel_only && is_user);
}

/* A dso is known by its path and by the last part of it. */
static bool has_dso(const struct selection *selection, struct text path)
{
	return selection_has_name(&selection->dsos, path) ||
	       selection_has_name(&selection->dsos, text_basename(path));
}

bool selection_takes_leaf(const struct selection *selection, const struct profile *profile,
			  const struct locations *locations, location_id leaf)
{
	const struct location *location;

	if (!selection)
		return true;
	if (leaf.i == LOCATION_NONE.i)
		return !selection->user_only && !selection->kernel_only && !selection->dsos.count &&
		       !selection->symbols.count;
	location = &locations->rows.at[leaf.i];
	return has_dso(selection,
		       strings_get(profile->strings,
				   modules_get(profile->modules, location->module)->path)) &&
	       (selection_has_name(&selection->symbols,
				   strings_get(profile->strings, location->name)) ||
		selection_has_name(
			&selection->symbols,
			strings_get(profile->strings, locations_innermost_name(locations, leaf))));
}

bool selection_takes(const struct selection *selection, const struct event *event, struct text comm)
{
	const struct event_sample *sample = &event->sample;

	if (!selection)
		return true;
	if (selection->no_idle && sample->pid == 0 && sample->tid == 0)
		return false;
	return selection_has_number(&selection->pids, sample->pid) &&
	       selection_has_number(&selection->tids, sample->tid) &&
	       selection_has_number(&selection->cpus, sample->cpu) &&
	       selection_has_number(&selection->times_ns, event->time_ns) &&
	       selection_has_name(&selection->comms, comm);
}
