/* SPDX-License-Identifier: MIT */
/* Names the kernel by symbol lists: this machine's kallsyms, copies of it, System.map. */
#include <unistd.h>

#include "object/file.h"
#include "object/host_kernel.h"
#include "process/module_kind.h"
#include "symbolise/kernel/host_list.h"
#include "symbolise/kernel/kallsyms.h"
#include "symbolise/kernel/kernel.h"
#include "symbolise/sampled_addresses.h"
#include "symbolise/source.h"

/* An open symbol list. */
struct list_file {
	const char *path;
	struct file_bytes bytes;
	struct kallsyms list;
	address_list addresses;  /* of all modules, as in the list; ascending */
	enum match_status match; /* match status of the names from this list */
	struct text reason;
	bool is_of_build; /* the list is known to belong to the captured build */
	bool is_host;     /* the running kernel's list */
};

/* Conversion context: the KASLR offset between the capture and the list. */
static bool convert_shifted(const void *context, uint64_t address, uint64_t *ret)
{
	*ret = address - *(const uint64_t *)context;
	return true;
}

static uint64_t shift_of(const struct kernel *kernel, const struct kallsyms *list)
{
	return list->has_reference && kernel->module->reference_address
		       ? kernel->module->reference_address - list->reference_address
		       : 0;
}

/* A module that was reloaded may come from a different build. */
static bool is_other_build(const struct naming *naming, const struct list_file *file)
{
	struct build_id host;

	return file->is_host && naming->module->kind == MODULE_KERNEL_MODULE &&
	       naming->module->build_id.size_bytes &&
	       host_module_build_id("/sys", module_kernel_module_name(naming->path), &host) &&
	       !build_id_equal(&host, &naming->module->build_id);
}

/*
 * Returns why the list cannot name this module. Returns an empty text if the list can name the
 * module.
 */
static struct text module_refusal(struct kernel *kernel, const struct naming *naming,
				  const struct list_file *file, uint32_t owner)
{
	const struct module *module = naming->module;

	if (shift_of(kernel, &file->list))
		return text_of("is from a different boot, in which modules had different "
			       "addresses");
	if (owner == KALLSYMS_NO_OWNER)
		return text_of("contains no symbols of this module");
	if (module->end && !kallsyms_has_module_in(&file->list, owner, module->start, module->end))
		return text_of("lists this module at a different address, because the module was "
			       "reloaded");
	if (is_other_build(naming, file))
		return text_of("lists a different build of this module, which was loaded after the "
			       "capture");
	return text_of("");
}

static void name_one(struct kernel *kernel, struct naming *naming, const struct list_file *file)
{
	bool is_kernel = naming->module->kind == MODULE_KERNEL;
	uint64_t shift = shift_of(kernel, &file->list);
	uint32_t owner =
		is_kernel ? KALLSYMS_KERNEL : kallsyms_find_module(&file->list, naming->path);
	struct text refusal = text_of("");

	if (!is_kernel)
		refusal = module_refusal(kernel, naming, file, owner);
	if (refusal.length) {
		naming_add_path(kernel->job, naming, file->path, MATCH_NO_SYMBOLS, refusal);
		naming_conclude(kernel->job, naming, MATCH_NO_SYMBOLS, NULL,
				naming_text(kernel->job, "%s %s", file->path, refusal.at));
		return;
	}
	naming_apply(kernel->job, naming,
		     &(struct naming_table){
			     .symbols = &file->list.symbols,
			     .convert = convert_shifted,
			     .convert_context = &shift,
			     .owner = owner,
		     });
	naming_add_path(kernel->job, naming, file->path, file->match, file->reason);
	naming_conclude(kernel->job, naming, file->match, file->path,
			file->reason.length
				? naming_text(kernel->job, "%s %s", file->path, file->reason.at)
				: file->reason);
}

/* A symbol list that is reduced for a slim bundle. */
struct slim_kallsyms {
	struct text text;
	const struct kallsyms *known; /* the symbols parsed from text; NULL if not parsed */
	const address_list *addresses;
};

static bool are_same(const struct kallsyms *whole, const struct kallsyms *slim,
		     const struct symbol *a, const struct symbol *b)
{
	if (!a || !b)
		return a == b;
	if (!a->owner != !b->owner ||
	    (a->owner && !text_equal(whole->modules.at[a->owner - 1].name,
				     slim->modules.at[b->owner - 1].name)))
		return false;
	return text_equal(a->name, b->name) && a->start == b->start && a->is_whole == b->is_whole;
}

static bool are_alike(const struct kallsyms *whole, const struct kallsyms *slim,
		      const address_list *addresses)
{
	struct symbol_cursor in_whole = { .table = &whole->symbols };
	struct symbol_cursor in_slim = { .table = &slim->symbols };
	bool good = whole->has_reference == slim->has_reference &&
		    whole->text_end == slim->text_end && whole->data_end == slim->data_end &&
		    whole->has_address == slim->has_address;

	for (size_t i = 0; i < addresses->count && good; i++)
		good = are_same(whole, slim, symbol_cursor_find(&in_whole, addresses->at[i]),
				symbol_cursor_find(&in_slim, addresses->at[i]));
	return good;
}

static bool names_are_same(const struct kernel *kernel, const struct slim_kallsyms *list,
			   struct text slim_text, enum symbol_rules rules)
{
	const address_list *addresses = list->addresses;
	bool is_known = list->known && rules == naming_rules(kernel->job);
	struct kallsyms whole, slim;
	bool good;

	if (!is_known) {
		kallsyms_init(&whole, list->text, kernel->reference, rules);
		kallsyms_choose(&whole, addresses->at, addresses->count);
	}
	kallsyms_init(&slim, slim_text, kernel->reference, rules);
	kallsyms_choose(&slim, addresses->at, addresses->count);
	good = are_alike(is_known ? list->known : &whole, &slim, addresses);
	if (!is_known)
		kallsyms_deinit(&whole);
	kallsyms_deinit(&slim);
	return good;
}

/*
 * Writes the lines around sampled addresses, for a slim bundle. If any address would get a
 * different name from these lines alone, writes the whole list.
 */
static void slim_kallsyms_write(const struct kernel *kernel, const struct slim_kallsyms *list,
				struct sink *sink)
{
	kallsyms_write_around(list->text, kernel->reference, list->addresses->at,
			      list->addresses->count, sink);
	if (!names_are_same(kernel, list, sink_memory(sink), SYMBOL_RULES_NEAREST) ||
	    !names_are_same(kernel, list, sink_memory(sink), SYMBOL_RULES_PERF)) {
		sink->used = 0;
		sink_text(sink, list->text);
	}
}

static void show_text(const struct kernel *kernel, const struct list_file *file, struct text text)
{
	struct build_id unknown = { .size_bytes = 0 };
	const struct collector *collector = kernel->job->context->options->collector;

	naming_collect(kernel->job,
		       &(struct collected_file){
			       .kind = COLLECTED_KALLSYMS,
			       .module = kernel->module,
			       .match = file->match,
			       .is_slim = collector && collector->is_slim,
			       .build_id = file->is_of_build ? kernel->build_id : unknown,
			       .path = file->path,
			       .fd = -1,
			       .bytes = text.at,
			       .size_bytes = text.length,
		       });
}

static void collect_text(const struct kernel *kernel, const struct list_file *file,
			 struct text text, const struct kallsyms *known)
{
	const struct collector *collector = kernel->job->context->options->collector;
	struct sink sink;

	if (!collector || !collector->is_slim) {
		show_text(kernel, file, text);
		return;
	}
	sink_init_memory(&sink);
	slim_kallsyms_write(kernel, &(struct slim_kallsyms){ text, known, &file->addresses },
			    &sink);
	show_text(kernel, file, sink_memory(&sink));
	sink_deinit(&sink);
}

/*
 * Only this host knows which modules were reloaded. A bundle therefore does not contain the lines
 * of these modules.
 */
static void collect(const struct kernel *kernel, const struct list_file *file)
{
	struct text text = { file->bytes.at, (uint32_t)file->bytes.size_bytes };
	VEC(uint32_t) owners = { .at = NULL };
	struct sink sink;

	for (size_t i = 0; i < kernel->job->count && kernel->job->context->options->collector; i++)
		if (is_other_build(&kernel->job->namings[i], file))
			vec_push(&owners,
				 kallsyms_find_module(&file->list, kernel->job->namings[i].path));
	if (owners.count) {
		sink_init_memory(&sink);
		kallsyms_write_without(&file->list, text, owners.at, owners.count, &sink);
		collect_text(kernel, file, sink_memory(&sink), NULL);
		sink_deinit(&sink);
	} else {
		collect_text(kernel, file, text, &file->list);
	}
	vec_free(&owners);
}

static void name_all(struct kernel *kernel, struct list_file *file)
{
	uint64_t shift = shift_of(kernel, &file->list);

	for (size_t i = 0; i < kernel->job->count; i++)
		sampled_addresses_add(kernel->job, &kernel->job->namings[i], convert_shifted,
				      &shift, &file->addresses);
	sampled_addresses_sort(&file->addresses);
	kallsyms_choose(&file->list, file->addresses.at, file->addresses.count);
	collect(kernel, file);
	for (size_t i = 0; i < kernel->job->count; i++)
		name_one(kernel, &kernel->job->namings[i], file);
}

/* Two builds of a kernel rarely have the same size. */
static bool is_of_other_size(const struct kernel *kernel, const struct kallsyms *list)
{
	uint64_t end = kernel_captured_end(kernel);

	if (!end || !list->has_reference || (!list->text_end && !list->data_end))
		return false;
	end -= shift_of(kernel, list);
	return end != list->text_end && end != list->data_end;
}

/*
 * Whether the list is a copy of the running kernel's list, and the capture is from a different
 * kernel.
 */
static bool is_of_running_kernel(const struct kernel *kernel, const struct file_bytes *bytes)
{
	struct build_id host;

	return kernel->build_id.size_bytes && host_kernel_build_id(&host) &&
	       !build_id_equal(&host, &kernel->build_id) &&
	       host_kernel_has_list((struct text){ bytes->at, (uint32_t)bytes->size_bytes });
}

/*
 * Returns why the content excludes the list. Returns an empty text if the list may belong to this
 * kernel.
 */
static struct text content_refusal(const struct kernel *kernel, const struct list_file *file,
				   enum match_status *match)
{
	const struct kallsyms *list = &file->list;

	*match = MATCH_CORRUPT;
	if (!list->line_count)
		return text_of("is not a list of kernel symbols");
	*match = MATCH_NO_SYMBOLS;
	if (!list->has_address)
		return text_of("contains only zero addresses, because kernel.kptr_restrict or "
			       "kernel.perf_event_paranoid hid them from the user who copied it");
	*match = MATCH_MISMATCHED;
	/*
	 * The capture contains the address of one symbol. A list without this symbol belongs to a
	 * different kernel.
	 */
	if (kernel->module->reference_address && !list->has_reference)
		return text_of("does not contain the symbol that the capture refers to");
	if (is_of_other_size(kernel, list))
		return text_of("belongs to a kernel of a different size");
	if (is_of_running_kernel(kernel, &file->bytes))
		return text_of(
			"is a copy of the running kernel's list, but the capture has a different "
			"build-id");
	return text_of("");
}

static void close_list(struct list_file *file)
{
	vec_free(&file->addresses);
	kallsyms_deinit(&file->list);
	file_bytes_deinit(&file->bytes);
}

/* Reads the list at path. file: the file from --symbols with this path, or NULL. */
static bool read_list(struct kernel *kernel, const char *path, const struct index_file *file,
		      struct file_bytes *ret)
{
	struct error err;
	bool good;
	int fd;

	if (!file && strcmp(path, HOST_KERNEL_LIST) == 0 &&
	    host_list_take(kernel->job->context->options->host_list, ret))
		return true;
	fd = file ? index_file_open(file, &err) : file_open(path, &err);
	if (fd < 0) {
		kernel_note(kernel, path, MATCH_MISSING, text_of(""));
		return false;
	}
	good = file_read(fd, LIMIT_SYMBOL_TEXT_BYTES, ret, &err);
	close(fd);
	if (!good)
		kernel_note(kernel, path, MATCH_CORRUPT, naming_text(kernel->job, "%s", err.text));
	return good;
}

/* The kernel hides addresses from unprivileged users. */
static void note_denied(struct kernel *kernel)
{
	for (size_t i = 0; i < kernel->job->count; i++)
		kernel->job->namings[i].is_denied = true;
}

/*
 * Opens and parses the list at path. If the list cannot belong to this kernel, returns false and
 * records the reason.
 */
static bool open_list(struct kernel *kernel, const char *path, const struct index_file *offered,
		      enum match_status match, struct text reason, struct list_file *ret)
{
	enum match_status refused;
	struct text refusal;

	*ret = (struct list_file){
		.path = path,
		.match = match,
		.reason = reason,
		.is_of_build = match == MATCH_VERIFIED,
	};
	if (!read_list(kernel, path, offered, &ret->bytes))
		return false;
	kallsyms_init(&ret->list, (struct text){ ret->bytes.at, (uint32_t)ret->bytes.size_bytes },
		      kernel->reference, naming_rules(kernel->job));
	refusal = content_refusal(kernel, ret, &refused);
	if (refusal.length) {
		if (ret->list.line_count && !ret->list.has_address &&
		    strcmp(path, HOST_KERNEL_LIST) == 0)
			note_denied(kernel);
		kernel_note(kernel, path, refused, refusal);
		close_list(ret);
		return false;
	}
	/*
	 * KASLR moves the kernel at each boot. Without a reference symbol, the offset is unknown.
	 */
	if (match == MATCH_VERIFIED &&
	    !(ret->list.has_reference && kernel->module->reference_address)) {
		ret->match = MATCH_UNVERIFIED;
		ret->reason = text_of("belongs to this build, but possibly to a different boot");
	}
	return true;
}

static bool name_by_offered(struct kernel *kernel, const struct index_file *offered,
			    enum match_status match)
{
	struct list_file file;

	if (!open_list(kernel, offered->path.at, offered, match, text_of(""), &file))
		return false;
	file.is_host = offered->is_host;
	name_all(kernel, &file);
	close_list(&file);
	return true;
}

/* Names all modules by the list at path, if the list can be used. */
static bool name_by_list(struct kernel *kernel, const char *path, enum match_status match,
			 struct text reason, bool is_host)
{
	struct list_file file;

	if (!path || !open_list(kernel, path, NULL, match, reason, &file))
		return false;
	file.is_host = is_host;
	name_all(kernel, &file);
	close_list(&file);
	return true;
}

static bool try_host_list(struct kernel *kernel)
{
	struct build_id host;
	char theirs[BUILD_ID_TEXT_BYTES], ours[BUILD_ID_TEXT_BYTES];

	if (!kernel->job->context->options->use_host_files)
		return false;
	if (!kernel->build_id.size_bytes)
		return name_by_list(
			kernel, HOST_KERNEL_LIST, MATCH_UNVERIFIED,
			text_of("belongs to the same host and kernel release, but the capture does "
				"not contain the build-id of the kernel"),
			true);
	if (host_kernel_build_id(&host) && build_id_equal(&host, &kernel->build_id))
		return name_by_list(kernel, HOST_KERNEL_LIST, MATCH_VERIFIED, text_of(""), true);
	build_id_hex(&host, theirs);
	build_id_hex(&kernel->build_id, ours);
	kernel_note(
		kernel, HOST_KERNEL_LIST, MATCH_MISMATCHED,
		naming_text(kernel->job,
			    "belongs to the running kernel with build-id %s, but the capture has "
			    "%s",
			    *theirs ? theirs : "unknown", ours));
	return false;
}

bool kernel_lists_try_verified(struct kernel *kernel)
{
	/*
	 * In perf's cache, the list is BUILD-ID/kallsyms. Before perf 4.8, the list was a file
	 * named BUILD-ID.
	 */
	static const char *const cached[] = { "kallsyms", "" };
	const struct locator *locator = &kernel->job->context->locator;
	struct text none = text_of("");

	for (size_t i = 0; i < locator->index->files.count; i++) {
		const struct index_file *file = &locator->index->files.at[i];

		if (file->kind == INDEX_KALLSYMS &&
		    build_id_equal(&file->build_id, &kernel->build_id) &&
		    name_by_offered(kernel, file, MATCH_VERIFIED))
			return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(cached); i++)
		if (name_by_list(kernel,
				 locate_in_cache(locator, &kernel->build_id, cached[i],
						 &kernel->job->arena),
				 MATCH_VERIFIED, none, false))
			return true;
	return try_host_list(kernel);
}

/*
 * Whether the file name contains a different release: System.map-6.1.0-18-amd64 belongs only to
 * 6.1.0-18-amd64.
 */
static bool is_of_other_release(const struct kernel *kernel, const struct index_file *file)
{
	const char *release = kernel_release(kernel);
	struct text name = text_basename(file->path);

	return release && text_has_prefix(name, "System.map-") && !text_has_suffix(name, release);
}

/*
 * Whether an unverified list is plausible: the user named it, its name ends in the captured
 * release, or it is the only list.
 */
static bool is_plausible(const struct kernel *kernel, const struct index_file *file,
			 size_t list_count)
{
	const char *release = kernel_release(kernel);

	return file->is_explicit || list_count == 1 ||
	       (release && text_has_suffix(file->path, release));
}

/* Returns why an unverified list cannot be used. Returns an empty text if the list can be used. */
static struct text list_refusal(const struct kernel *kernel, const struct index_file *file,
				size_t list_count)
{
	char theirs[BUILD_ID_TEXT_BYTES], ours[BUILD_ID_TEXT_BYTES];

	if (is_of_other_release(kernel, file))
		return naming_text(kernel->job,
				   "belongs to a different kernel release; the capture has %s",
				   kernel_release(kernel));
	if (file->build_id.size_bytes && kernel->build_id.size_bytes)
		return naming_text(kernel->job, "belongs to build-id %s, but the capture has %s",
				   build_id_hex(&file->build_id, theirs),
				   build_id_hex(&kernel->build_id, ours));
	if (!is_plausible(kernel, file, list_count))
		return text_of(
			"is one of several lists, and none of them is known to belong to the "
			"captured kernel");
	return text_of("");
}

static bool is_same(const struct file_bytes *a, const struct file_bytes *b)
{
	return a->size_bytes == b->size_bytes && memcmp(a->at, b->at, a->size_bytes) == 0;
}

/* The lists to consider: those that the user named, or those found in directories. */
struct offer {
	size_t list_count; /* named by the user, or found in directories */
	bool is_explicit;
};

static bool may_be_used(const struct kernel *kernel, const struct index_file *file,
			const struct offer *offer)
{
	return file->kind == INDEX_KALLSYMS && file->is_explicit == offer->is_explicit &&
	       !list_refusal(kernel, file, offer->list_count).length;
}

/*
 * Whether another usable list has different content. If another list differs, records both lists as
 * refused.
 */
static bool is_contradicted(struct kernel *kernel, const struct list_file *chosen,
			    const struct offer *offer, size_t first)
{
	const struct file_index *index = kernel->job->context->locator.index;

	for (size_t i = first; i < index->files.count; i++) {
		const struct index_file *file = &index->files.at[i];
		struct list_file other;
		bool is_other;

		if (!may_be_used(kernel, file, offer) ||
		    !open_list(kernel, file->path.at, file, chosen->match, chosen->reason, &other))
			continue;
		is_other = !is_same(&chosen->bytes, &other.bytes);
		close_list(&other);
		if (!is_other)
			continue;
		kernel_note(
			kernel, chosen->path, MATCH_MISMATCHED,
			naming_text(kernel->job,
				    "and %s differ, and neither is known to belong to the captured "
				    "kernel",
				    file->path.at));
		kernel_note(kernel, file->path.at, MATCH_MISMATCHED,
			    naming_text(kernel->job, "differs from %s", chosen->path));
		return true;
	}
	return false;
}

/* Returns true if a list was used, or if several lists contradict each other. */
static bool try_offer(struct kernel *kernel, const struct offer *offer)
{
	const struct file_index *index = kernel->job->context->locator.index;

	for (size_t i = 0; i < index->files.count; i++) {
		const struct index_file *file = &index->files.at[i];
		struct list_file list;

		if (!may_be_used(kernel, file, offer) ||
		    !open_list(kernel, file->path.at, file, MATCH_UNVERIFIED,
			       text_of("has no build-id to compare"), &list))
			continue;
		list.is_host = file->is_host;
		if (!is_contradicted(kernel, &list, offer, i + 1))
			name_all(kernel, &list);
		close_list(&list);
		return true;
	}
	return false;
}

static void note_refused(struct kernel *kernel, size_t list_count)
{
	const struct file_index *index = kernel->job->context->locator.index;

	for (size_t i = 0; i < index->files.count; i++) {
		const struct index_file *file = &index->files.at[i];
		struct text refusal;

		if (file->kind != INDEX_KALLSYMS)
			continue;
		refusal = list_refusal(kernel, file, list_count);
		if (refusal.length)
			kernel_note(kernel, file->path.at, MATCH_MISMATCHED, refusal);
	}
}

void kernel_lists_try_unproven(struct kernel *kernel)
{
	const struct file_index *index = kernel->job->context->locator.index;
	struct offer offer = { .is_explicit = true };

	for (size_t i = 0; i < index->files.count; i++)
		offer.list_count += index->files.at[i].kind == INDEX_KALLSYMS;
	note_refused(kernel, offer.list_count);
	if (try_offer(kernel, &offer))
		return;
	offer.is_explicit = false;
	try_offer(kernel, &offer);
}
