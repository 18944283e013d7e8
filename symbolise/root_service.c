/* SPDX-License-Identifier: MIT */
#include "symbolise/root_service.h"

#include <string.h>

static int open_root(const void *head, size_t head_bytes)
{
	uint32_t pid;

	if (head_bytes != sizeof(pid))
		return -1;
	memcpy(&pid, head, sizeof(pid));
	return host_process_open_root(NULL, pid);
}

const struct service_kind root_service_kind = {
	.what = "opening the root directory of a process",
	.open = open_root,
};

static int ask(const void *service, uint32_t pid)
{
	return service_open(service, &root_service_kind, &pid, sizeof(pid));
}

struct host_roots root_service_roots(const struct service *service)
{
	return (struct host_roots){ .open = ask, .context = service };
}
