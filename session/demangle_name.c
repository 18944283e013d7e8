/* SPDX-License-Identifier: MIT */
#include "session/demangle_name.h"

#include "symbolise/demangle/display_name.h"

bool demangle_name(struct sink *sink, struct text name)
{
	static const struct symbolise_options options = { .demangle = true, .fold_suffixes = true };
	char buffer[DISPLAY_NAME_BYTES];
	struct text shown;

	if (!is_mangled(name))
		return false;
	shown = display_name(name, false, &options, buffer);
	/* It only looks mangled, or is damaged. */
	if (shown.at != buffer)
		return false;
	sink_text(sink, shown);
	return true;
}
