/* SPDX-License-Identifier: MIT */
#include "session/symbol_path.h"

#include <string.h>

/* The number in front of "="; 0: there is none. */
static uint32_t parse_pid(const char *text, size_t length)
{
	uint32_t pid = 0;

	for (size_t i = 0; i < length; i++)
		if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(pid, 10, &pid) ||
		    __builtin_add_overflow(pid, (uint32_t)(text[i] - '0'), &pid))
			return 0;
	return pid;
}

struct symbol_path symbol_path_parse(const char *text)
{
	static const char container[] = "container=";
	size_t length = strcspn(text, "=");
	struct symbol_path path = { .path = text };

	if (strncmp(text, container, sizeof(container) - 1) == 0) {
		path.is_container = true;
		path.path = text + sizeof(container) - 1;
	} else if (text[length] == '=' && (path.pid = parse_pid(text, length)) != 0) {
		path.path = text + length + 1;
	}
	return path;
}
