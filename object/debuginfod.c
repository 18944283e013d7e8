/* SPDX-License-Identifier: MIT */
#include "object/debuginfod.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

#define LIBRARY       "libdebuginfod.so.1"
#define URLS_VARIABLE "DEBUGINFOD_URLS"

struct debuginfod_client; /* the library's */

struct debuginfod {
	void *library; /* NULL: it is not installed */
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *);
	int (*find[2])(struct debuginfod_client *, const unsigned char *id, int id_bytes,
		       char **path);
	const char *(*get_url)(struct debuginfod_client *); /* NULL before elfutils 0.179 */
	bool has_urls;
};

static bool load(struct debuginfod *debuginfod)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return false;
	*(void **)&debuginfod->begin = dlsym(library, "debuginfod_begin");
	*(void **)&debuginfod->end = dlsym(library, "debuginfod_end");
	*(void **)&debuginfod->find[DEBUGINFOD_EXECUTABLE] =
		dlsym(library, "debuginfod_find_executable");
	*(void **)&debuginfod->find[DEBUGINFOD_DEBUGINFO] =
		dlsym(library, "debuginfod_find_debuginfo");
	*(void **)&debuginfod->get_url = dlsym(library, "debuginfod_get_url");
	if (debuginfod->begin && debuginfod->end && debuginfod->find[0] && debuginfod->find[1]) {
		debuginfod->library = library;
		return true;
	}
	dlclose(library);
	return false;
}

struct debuginfod *debuginfod_create(const char *urls)
{
	struct debuginfod *debuginfod = memory_zalloc(1, sizeof(*debuginfod));
	const char *known;

	if (*urls)
		setenv(URLS_VARIABLE, urls, 1);
	known = getenv(URLS_VARIABLE);
	debuginfod->has_urls = known && *known;
	load(debuginfod);
	return debuginfod;
}

/* The library stays loaded: those it needs (curl, its TLS) lose what they have allocated otherwise. */
void debuginfod_destroy(struct debuginfod *debuginfod)
{
	memory_free(debuginfod);
}

const char *debuginfod_problem(const struct debuginfod *debuginfod)
{
	if (!debuginfod->library)
		return LIBRARY " is not installed: only what was fetched before is used";
	if (!debuginfod->has_urls)
		return "no server is given, and none in $" URLS_VARIABLE
		       ": only what was fetched before is used";
	return NULL;
}

/* The folder of the library's, by its own rules. */
static const char *cache_folder(struct arena *arena)
{
	const char *own = getenv("DEBUGINFOD_CACHE_PATH");
	const char *all = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (own && *own)
		return own;
	if (all && *all)
		return arena_format(arena, "%s/debuginfod_client", all);
	return home && *home ? arena_format(arena, "%s/.cache/debuginfod_client", home) : NULL;
}

static const char *find_cached(const char *hex, enum debuginfod_kind kind, struct arena *arena)
{
	static const char *const names[] = {
		[DEBUGINFOD_EXECUTABLE] = "executable", [DEBUGINFOD_DEBUGINFO] = "debuginfo"
	};
	const char *folder = cache_folder(arena);
	struct stat status;
	char *path;

	if (!folder)
		return NULL;
	path = arena_format(arena, "%s/%s/%s", folder, hex, names[kind]);
	/* Of what servers do not have it keeps an empty file. */
	return stat(path, &status) == 0 && status.st_size > 0 ? path : NULL;
}

static const char *fetch(const struct debuginfod *debuginfod, const struct build_id *id,
			 enum debuginfod_kind kind, struct arena *arena, const char **source_ret,
			 struct error *err)
{
	struct debuginfod_client *client = debuginfod->begin();
	char *found = NULL;
	const char *path = NULL;
	const char *url;
	int fd;

	if (!client) {
		error_set(err, ERROR_IO, "libdebuginfod cannot begin");
		return NULL;
	}
	fd = debuginfod->find[kind](client, id->bytes, id->size_bytes, &found);
	if (fd >= 0) {
		url = debuginfod->get_url ? debuginfod->get_url(client) : NULL;
		path = arena_text(arena, found, strlen(found));
		if (url)
			*source_ret = arena_format(arena, "was fetched from %s", url);
		close(fd);
		memory_free(found);
	} else {
		error_set(err, ERROR_IO, "%s", strerror(-fd));
	}
	debuginfod->end(client);
	return path;
}

const char *debuginfod_find(const struct debuginfod *debuginfod, const struct build_id *id,
			    enum debuginfod_kind kind, struct arena *arena, const char **source_ret,
			    struct error *err)
{
	char hex[BUILD_ID_TEXT_BYTES];
	const char *path;

	build_id_hex(id, hex);
	*source_ret = "";
	path = find_cached(hex, kind, arena);
	if (path)
		return path;
	if (debuginfod->library && debuginfod->has_urls)
		return fetch(debuginfod, id, kind, arena, source_ret, err);
	error_set(err, ERROR_IO, "was not fetched before");
	return NULL;
}
