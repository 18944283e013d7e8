/* SPDX-License-Identifier: MIT */
#include "object/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

/* Maximum size of a file from a debuginfod server. Debug files of browsers are almost this large.
 * DEBUGINFOD_MAXSIZE overrides this limit. */
#define LIMIT_DOWNLOAD_BYTES ((uint64_t)4 << 30)
/*
 * Maximum duration of a download, in seconds: enough for 4 GiB at 5 MB/s. DEBUGINFOD_MAXTIME
 * overrides this limit.
 */
#define LIMIT_DOWNLOAD_SECONDS 900u
/*
 * Maximum duration of each 100 kB of a download, in seconds. DEBUGINFOD_TIMEOUT overrides this
 * limit.
 */
#define LIMIT_DOWNLOAD_IDLE_SECONDS 30u
/* The number of consecutive failed downloads after which kiln does not send more requests. Each
 * download may take up to LIMIT_DOWNLOAD_SECONDS. */
#define LIMIT_DOWNLOAD_FAILURES 3u

#define LIBRARY          "libdebuginfod.so.1"
#define URLS_VARIABLE    "DEBUGINFOD_URLS"
#define SIZE_VARIABLE    "DEBUGINFOD_MAXSIZE"
#define TIME_VARIABLE    "DEBUGINFOD_MAXTIME"
#define TIMEOUT_VARIABLE "DEBUGINFOD_TIMEOUT"

struct debuginfod_client; /* a type of the library */

/* A result other than 0 ends the download. */
typedef int progress_callback(struct debuginfod_client *client, long done, long total);

struct debuginfod {
	void *library; /* NULL if not installed */
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *);
	int (*find[2])(struct debuginfod_client *, const unsigned char *id, int id_bytes,
		       char **path);
	const char *(*get_url)(struct debuginfod_client *); /* NULL before elfutils 0.179 */
	void (*set_progress)(struct debuginfod_client *, progress_callback *);
	debuginfod_on_progress *on_progress;
	void *context;
	uint64_t size_bytes_max, seconds_max, idle_seconds_max;
	atomic_uint failure_count; /* failed downloads since a server last answered */
	bool has_urls;
};

struct download {
	const struct debuginfod *debuginfod;
	const char *name;
	time_t begin_s;
	bool is_too_large, is_too_slow;
};

#ifdef HAVE_DLOPEN
#define NO_LIBRARY LIBRARY " is not installed; only files downloaded earlier are used"

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
	*(void **)&debuginfod->set_progress = dlsym(library, "debuginfod_set_progressfn");
	if (debuginfod->begin && debuginfod->end && debuginfod->find[0] && debuginfod->find[1] &&
	    debuginfod->set_progress) {
		debuginfod->library = library;
		return true;
	}
	dlclose(library);
	return false;
}
#else
#define NO_LIBRARY \
	"this build of kiln cannot download files; only files downloaded earlier are used"

/* A static program cannot load a library. */
static bool load(struct debuginfod *debuginfod)
{
	debuginfod->library = NULL;
	return false;
}
#endif

/*
 * Returns the number in an environment variable. If the variable does not contain a valid number,
 * sets the variable to the default, because the library also reads the variable.
 */
static uint64_t limit_of(const char *variable, uint64_t otherwise)
{
	const char *known = getenv(variable);
	char text[32];
	char *end;
	unsigned long long number;

	if (known && *known) {
		number = strtoull(known, &end, 10);
		if (!*end && number && *known != '-')
			return number;
	}
	snprintf(text, sizeof(text), "%" PRIu64, otherwise);
	setenv(variable, text, 1);
	return otherwise;
}

struct debuginfod *debuginfod_create(const char *urls, debuginfod_on_progress *on_progress,
				     void *context)
{
	struct debuginfod *debuginfod = memory_zalloc(1, sizeof(*debuginfod));
	const char *known;

	if (*urls)
		setenv(URLS_VARIABLE, urls, 1);
	known = getenv(URLS_VARIABLE);
	debuginfod->has_urls = known && *known;
	debuginfod->size_bytes_max = limit_of(SIZE_VARIABLE, LIMIT_DOWNLOAD_BYTES);
	debuginfod->seconds_max = limit_of(TIME_VARIABLE, LIMIT_DOWNLOAD_SECONDS);
	debuginfod->idle_seconds_max = limit_of(TIMEOUT_VARIABLE, LIMIT_DOWNLOAD_IDLE_SECONDS);
	debuginfod->on_progress = on_progress;
	debuginfod->context = context;
	atomic_init(&debuginfod->failure_count, 0);
	load(debuginfod);
	return debuginfod;
}

/* Never unloads the library, because its dependencies (curl, TLS) would leak. */
void debuginfod_destroy(struct debuginfod *debuginfod)
{
	memory_free(debuginfod);
}

const char *debuginfod_problem(const struct debuginfod *debuginfod)
{
	if (!debuginfod->library)
		return NO_LIBRARY;
	if (!debuginfod->has_urls)
		return "no debuginfod server is given, and $" URLS_VARIABLE
		       " is not set; only files downloaded earlier are used";
	return NULL;
}

/* The cache directory, by the library's rules. */
static const char *cache_directory(struct arena *arena)
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
	const char *directory = cache_directory(arena);
	struct stat status;
	char *path;

	if (!directory)
		return NULL;
	path = arena_format(arena, "%s/%s/%s", directory, hex, names[kind]);
	/* An empty file in the cache means that no server has the file. */
	return stat(path, &status) == 0 && status.st_size > 0 ? path : NULL;
}

static time_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/*
 * The download of this thread. The callback gets only the client, and a client can store user data
 * only since elfutils 0.179.
 */
static _Thread_local struct download *current_download;

/*
 * Enforces the limits on size and time. The library checks the size only if the server sends the
 * size.
 */
static int watch_download(struct debuginfod_client *client, long done, long total)
{
	struct download *download = current_download;
	const struct debuginfod *debuginfod = download->debuginfod;
	uint64_t done_bytes = done > 0 ? (uint64_t)done : 0;
	uint64_t total_bytes = total > 0 ? (uint64_t)total : 0;

	(void)client;
	if (done_bytes > debuginfod->size_bytes_max || total_bytes > debuginfod->size_bytes_max)
		download->is_too_large = true;
	if (now_s() - download->begin_s > (time_t)debuginfod->seconds_max)
		download->is_too_slow = true;
	if (debuginfod->on_progress)
		debuginfod->on_progress(debuginfod->context, download->name, done_bytes,
					total_bytes);
	return download->is_too_large || download->is_too_slow;
}

static void set_failure(const struct download *download, int code, struct error *err)
{
	const struct debuginfod *debuginfod = download->debuginfod;

	if (download->is_too_large || code == EFBIG)
		error_set(err, ERROR_LIMIT,
			  "is larger than the limit of %" PRIu64 " bytes; $" SIZE_VARIABLE
			  " changes the limit",
			  debuginfod->size_bytes_max);
	else if (download->is_too_slow || code == ETIME)
		error_set(err, ERROR_LIMIT,
			  "was not downloaded within %" PRIu64 " s, or less than 100 kB arrived in "
			  "%" PRIu64 " s; $" TIME_VARIABLE " and $" TIMEOUT_VARIABLE
			  " change these limits",
			  debuginfod->seconds_max, debuginfod->idle_seconds_max);
	else if (code == ENOENT)
		error_set(err, ERROR_IO, "was not found on any server");
	else
		error_set(err, ERROR_IO, "%s", strerror(code));
}

static int find(const struct debuginfod *debuginfod, struct debuginfod_client *client,
		const struct debuginfod_query *query, struct download *download, char **path)
{
	int fd;

	current_download = download;
	debuginfod->set_progress(client, watch_download);
	fd = debuginfod->find[query->kind](client, query->build_id.bytes,
					   query->build_id.size_bytes, path);
	current_download = NULL;
	return fd;
}

static const char *fetch(struct debuginfod *debuginfod, const struct debuginfod_query *query,
			 struct arena *arena, const char **source_ret, struct error *err)
{
	struct debuginfod_client *client = debuginfod->begin();
	struct download download = { debuginfod, query->name, now_s(), false, false };
	char *found = NULL;
	const char *path = NULL;
	const char *url;
	int fd;

	if (!client) {
		error_set(err, ERROR_IO, "libdebuginfod could not be initialised");
		return NULL;
	}
	fd = find(debuginfod, client, query, &download, &found);
	if (fd >= 0) {
		url = debuginfod->get_url ? debuginfod->get_url(client) : NULL;
		path = arena_text(arena, found, strlen(found));
		if (url)
			*source_ret = arena_format(arena, "was downloaded from %s", url);
		close(fd);
		memory_free(found);
	} else {
		set_failure(&download, -fd, err);
	}
	if (fd >= 0 || fd == -ENOENT || download.is_too_large || fd == -EFBIG)
		atomic_store(&debuginfod->failure_count, 0);
	else
		atomic_fetch_add(&debuginfod->failure_count, 1);
	debuginfod->end(client);
	return path;
}

const char *debuginfod_find(struct debuginfod *debuginfod, const struct debuginfod_query *query,
			    struct arena *arena, const char **source_ret, struct error *err)
{
	char hex[BUILD_ID_TEXT_BYTES];
	const char *path;

	build_id_hex(&query->build_id, hex);
	*source_ret = "";
	path = find_cached(hex, query->kind, arena);
	if (path)
		return path;
	if (!debuginfod->library || !debuginfod->has_urls)
		error_set(err, ERROR_IO, "is not in the cache of earlier downloads");
	else if (atomic_load(&debuginfod->failure_count) >= LIMIT_DOWNLOAD_FAILURES)
		error_set(err, ERROR_IO, "was not requested, because %u downloads in a row failed",
			  LIMIT_DOWNLOAD_FAILURES);
	else
		return fetch(debuginfod, query, arena, source_ret, err);
	return NULL;
}
