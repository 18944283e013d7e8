/* SPDX-License-Identifier: MIT */
#include "session/symbol_path.h"

#include <string.h>

#include "base/scan.h"

struct symbol_path symbol_path_parse(const char *text)
{
	static const char container[] = "container=";
	size_t length = strcspn(text, "=");
	struct symbol_path path = { .path = text };

	if (strncmp(text, container, sizeof(container) - 1) == 0) {
		path.is_container = true;
		path.path = text + sizeof(container) - 1;
	} else if (text[length] == '=' &&
		   text_to_u32((struct text){ text, (uint32_t)length }, &path.pid) && path.pid) {
		path.path = text + length + 1;
	}
	return path;
}
