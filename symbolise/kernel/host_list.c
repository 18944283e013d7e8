/* SPDX-License-Identifier: MIT */
#include "symbolise/kernel/host_list.h"

#include <pthread.h>
#include <unistd.h>

#include "base/memory.h"
#include "object/host_kernel.h"
#include "object/locate.h"
#include "symbolise/source.h"

struct host_list {
	pthread_t thread;
	bool is_running;
	bool is_read;
	struct file_bytes bytes; /* if is_read */
};

static const struct module *find_kernel(const struct modules *modules)
{
	for (size_t i = 0; i < modules->rows.count; i++)
		if (modules->rows.at[i].kind == MODULE_KERNEL)
			return &modules->rows.at[i];
	return NULL;
}

/* Whether perf's cache has a list for this kernel, which is preferred. */
static bool is_cached(const struct symbolise_options *options, const struct build_id *kernel)
{
	const struct locator locator = { .build_id_cache = options->build_id_cache };
	struct arena arena;
	const char *path;
	bool is_there;

	arena_init(&arena);
	path = locate_in_cache(&locator, kernel, "kallsyms", &arena);
	is_there = path && access(path, R_OK) == 0;
	arena_deinit(&arena);
	return is_there;
}

/* A capture without build-ids is also named by the list. */
static bool is_of_host(const struct build_id *kernel)
{
	struct build_id host;

	return !kernel->size_bytes ||
	       (host_kernel_build_id(&host) && build_id_equal(&host, kernel));
}

static bool is_needed(const struct modules *modules, const struct symbolise_options *options)
{
	const struct module *kernel = find_kernel(modules);

	return kernel && options->use_host_files && options->thread_count > 1 &&
	       is_of_host(&kernel->build_id) && !is_cached(options, &kernel->build_id);
}

static void *read_list(void *argument)
{
	struct host_list *list = argument;
	struct error ignored;
	int fd = file_open(HOST_KERNEL_LIST, &ignored);

	if (fd < 0)
		return NULL;
	list->is_read = file_read(fd, LIMIT_SYMBOL_TEXT_BYTES, &list->bytes, &ignored);
	close(fd);
	return NULL;
}

struct host_list *host_list_begin(const struct modules *modules,
				  const struct symbolise_options *options)
{
	struct host_list *list;

	if (!is_needed(modules, options))
		return NULL;
	list = memory_zalloc(1, sizeof(*list));
	list->is_running = pthread_create(&list->thread, NULL, read_list, list) == 0;
	return list;
}

static void wait_for_thread(struct host_list *list)
{
	if (list->is_running)
		pthread_join(list->thread, NULL);
	list->is_running = false;
}

void host_list_destroy(struct host_list *list)
{
	if (!list)
		return;
	wait_for_thread(list);
	if (list->is_read)
		file_bytes_deinit(&list->bytes);
	memory_free(list);
}

bool host_list_take(struct host_list *list, struct file_bytes *ret)
{
	if (!list)
		return false;
	wait_for_thread(list);
	if (!list->is_read)
		return false;
	*ret = list->bytes;
	list->is_read = false;
	return true;
}
