/* SPDX-License-Identifier: MIT */
#include "session/symbol_files.h"

#include <sys/utsname.h>

#include "base/scan.h"
#include "object/host_kernel.h"
#include "profile/frame_name.h"
#include "symbolise/demangle/display_name.h"

#define NS_PER_SECOND ((int64_t)1000000000)

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

static bool fact_is(const struct profile *profile, enum fact fact, const char *value)
{
	struct text text = profile->facts[fact];

	return text.at && text_is(text, value);
}

/*
 * Equal host names and releases do not suffice, because cloned machines share a host name, and
 * kernels are rebuilt under the same release.
 */
static bool ran_another_kernel(const struct profile *profile)
{
	struct build_id host;

	if (!host_kernel_build_id(&host))
		return false;
	for (size_t i = 0; i < profile->modules->rows.count; i++) {
		const struct module *module = &profile->modules->rows.at[i];

		if (module->kind == MODULE_KERNEL && module->build_id.size_bytes &&
		    !build_id_equal(&module->build_id, &host))
			return true;
	}
	return false;
}

/*
 * Whether the capture was made on this machine. If it was not, the files of this machine must not
 * be used for symbols.
 */
static bool is_same_host(const struct profile *profile)
{
	struct utsname host;

	return uname(&host) == 0 && fact_is(profile, FACT_HOST, host.nodename) &&
	       fact_is(profile, FACT_OS_RELEASE, host.release) && !ran_another_kernel(profile);
}

/* Files that came with the capture take precedence. */
static void index_files(struct session *session)
{
	const struct session_options *options = &session->options;
	struct file_index *index = &session->symbol_files;

	file_index_add_contents(index, session->capture.input.name, &session->capture.contents,
				!session->manifest.is_there);
	for (size_t i = 0; i < options->symbol_path_count; i++) {
		struct symbol_path given = symbol_path_parse(options->symbol_paths[i]);

		if (given.pid || given.is_container)
			file_index_add_for(index, given.pid, given.path);
		else
			file_index_add(index, given.path);
	}
	file_index_finish(index);
}

static void find_build_id_cache(struct session *session)
{
	const char *home = getenv("HOME");

	if (home && *home && !session->options.ignores_host)
		snprintf(session->build_id_cache, sizeof(session->build_id_cache), "%s/.debug",
			 home);
}

/* A session without a lock opens the root directories of processes itself. */
static const struct host_roots *roots_of(const struct session *session)
{
	return session->options.readers ? &session->roots : NULL;
}

void symbol_files_find(struct session *session)
{
	/* A bundle contains the files of its host. Files of this machine are ignored, so that
	 * names are the same everywhere. */
	session->is_same_host = !session->options.ignores_host && !session->manifest.is_there &&
				is_same_host(&session->profile);
	find_build_id_cache(session);
	index_files(session);
	jit_dumps_find(&session->jit_dumps, &session->state,
		       &(struct jit_dumps_options){
			       .index = &session->symbol_files,
			       .uses_host = session->is_same_host,
			       .roots = roots_of(session),
		       });
}

struct symbolise_options symbol_files_options(struct session *session)
{
	const struct view *view = &session->view;

	return (struct symbolise_options){
		.index = &session->symbol_files,
		.manifest = &session->manifest,
		.build_id_cache = *session->build_id_cache ? session->build_id_cache : NULL,
		.use_host_files = session->is_same_host,
		.jit_dumps = &session->jit_dumps,
		.debuginfod = session->debuginfod,
		.roots = roots_of(session),
		.capture_time_s = session->capture.input.written_time_ns / NS_PER_SECOND,
		.os_release = session->profile.facts[FACT_OS_RELEASE].at,
		.collector = session->options.collector,
		.trusts_owners = session->options.trusts_owners,
		.trusts_paths = session->options.trusts_paths,
		.return_words = &session->return_words,
		.demangle = !view->naming.keeps_mangled_names,
		.fold_suffixes = !view->naming.keeps_suffixes,
		.perf_names = view->naming.uses_perf_names,
		.service = view->ignores_inlines ? NULL : &session->service,
		.demangler = session->options.readers,
		.prefetch = session->prefetch,
		.host_list = session->host_list,
		.wants_lines = view_has_lines(view) || session->options.reads_lines,
		.table_cache = session->options.table_cache,
		.thread_count = session->options.thread_count,
		.on_step = session->options.on_step,
		.step_context = session->options.progress_context,
	};
}

void symbol_files_touch_all(struct session *session)
{
	const struct modules *modules = session->profile.modules;

	for (uint32_t i = 0; i < modules->rows.count; i++) {
		const struct module *module = &modules->rows.at[i];

		locations_intern(&session->locations, (module_id){ i },
				 module->start ? module->start : module->mapped_offset, false);
	}
}

void session_symbolise(struct session *session, struct locations *locations)
{
	struct symbolise_options options = symbol_files_options(session);

	symbolise(session->profile.modules, locations, session->profile.strings, &options);
}

void session_symbolise_data(struct session *session, struct locations *locations)
{
	struct symbolise_options options = symbol_files_options(session);

	options.wants_data = true;
	/* Debug information is read only for code. */
	options.service = NULL;
	options.prefetch = NULL;
	symbolise(session->profile.modules, locations, session->profile.strings, &options);
}

bool demangle_name(struct sink *sink, struct text name)
{
	static const struct symbolise_options options = { .demangle = true, .fold_suffixes = true };
	char buffer[DISPLAY_NAME_BYTES];
	struct text shown;

	if (!is_mangled(name))
		return false;
	shown = display_name(name, false, &options, buffer);
	/* The name only looks mangled, or is corrupt. */
	if (shown.at != buffer)
		return false;
	frame_name_write(sink, shown);
	return true;
}
