/* SPDX-License-Identifier: MIT */
#include "symbolise/file_search.h"

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/limits.h"
#include "object/elf_layout.h"
#include "object/xz.h"

/* Of the addresses of an unproven file's module one in this many may lie outside its code. */
#define STRAY_ADDRESSES 16

struct search {
	struct naming_job *job;
	const struct naming *naming;
	struct found_files *found;
	struct build_id wanted; /* the capture's, or that of the file taken without one */
	/* What was found and not taken, the first of it. */
	enum module_verdict refusal;
	struct text refusal_reason;
};

static const char *full_path(struct naming_job *job, const struct located *located)
{
	if (!located->root)
		return located->path;
	return naming_text(job, "%s%s", located->root, located->path).at;
}

static void refuse(struct search *search, enum module_verdict verdict, struct text reason)
{
	if (search->refusal != VERDICT_MISSING)
		return;
	search->refusal = verdict;
	search->refusal_reason = reason;
}

static void refuse_other_id(struct search *search, const struct located *located,
			    const struct elf_file *elf)
{
	char theirs[BUILD_ID_TEXT_BYTES], ours[BUILD_ID_TEXT_BYTES];

	build_id_hex(&elf->build_id, theirs);
	build_id_hex(&search->wanted, ours);
	refuse(search, VERDICT_MISMATCH,
	       naming_text(search->job, "%s has %s%s, the capture has %s",
			   full_path(search->job, located), *theirs ? "build-id " : "no build-id",
			   theirs, ours));
}

/* Whether what was mapped, and the captured addresses, lie in this file's code: those of another
 * file rarely do. */
static bool fits(const struct search *search, const struct elf_file *elf)
{
	const struct naming *naming = search->naming;
	const struct module *module = naming->module;
	uint32_t outside = 0;

	if (module->mapped_bytes &&
	    !elf_layout_may_map(elf, module->mapped_offset, module->mapped_bytes))
		return false;

	for (uint32_t i = 0; i < naming->count; i++) {
		uint64_t address = naming_lookup_address(search->job, naming, i);

		outside += !elf_address_of_offset(elf, address, &address);
	}
	return outside <= naming->count / STRAY_ADDRESSES;
}

/* A file offered by name, for a module of which nothing but the name is known. */
static bool judge_unproven(struct search *search, const struct located *located,
			   const struct elf_file *elf)
{
	const char *path = full_path(search->job, located);

	if (!fits(search, elf)) {
		refuse(search, VERDICT_MISMATCH,
		       naming_text(search->job,
				   "%s has no code at the captured addresses, and the capture no "
				   "build-id",
				   path));
		return false;
	}
	search->found->verdict = VERDICT_UNVERIFIED;
	search->found->reason =
		naming_text(search->job, "the capture has no build-id; %s has the same name", path);
	return true;
}

/*
 * File systems use an inode again for the next file; its generation, where the capture has one, tells
 * the two apart. A file written over in place keeps both, but not its time of change.
 */
static bool is_changed(const struct search *search, int fd, const struct stat *status)
{
	const struct module *module = search->naming->module;
	int64_t capture_time_s = search->job->context->options->capture_time_s;
	long generation = 0; /* declared as long, written as int */

	if (module->inode_generation && ioctl(fd, FS_IOC_GETVERSION, &generation) == 0 &&
	    (uint32_t)generation != (uint32_t)module->inode_generation)
		return true;
	return capture_time_s && status->st_ctim.tv_sec > capture_time_s;
}

static bool judge_live(struct search *search, const struct located *located,
		       const struct elf_file *elf)
{
	const struct module *module = search->naming->module;
	struct found_files *found = search->found;
	struct stat status;

	if (fstat(elf->fd, &status) != 0)
		return false;
	if (module->inode && module->inode != (uint64_t)status.st_ino) {
		refuse(search, VERDICT_MISMATCH,
		       naming_text(search->job,
				   "%s was replaced: it is inode %llu, the capture has %llu",
				   located->path, (unsigned long long)status.st_ino,
				   (unsigned long long)module->inode));
		return false;
	}
	if (is_changed(search, elf->fd, &status)) {
		refuse(search, VERDICT_MISMATCH,
		       naming_text(search->job, "%s has changed since the capture was made",
				   located->path));
		return false;
	}
	if (!module->inode) {
		if (!judge_unproven(search, located, elf))
			return false;
		found->reason =
			naming_text(search->job, "the capture has neither build-id nor inode");
		return true;
	}
	/* btrfs and overlayfs tell stat another device than they tell the kernel's maps. */
	if (module->device_major != major(status.st_dev) ||
	    module->device_minor != minor(status.st_dev)) {
		if (!judge_unproven(search, located, elf))
			return false;
		found->reason =
			naming_text(search->job, "the capture has no build-id; the inode is "
						 "the same, the device is not");
		return true;
	}
	found->verdict = VERDICT_SAME_FILE;
	return true;
}

static bool judge(struct search *search, const struct located *located, const struct elf_file *elf)
{
	if (search->wanted.size_bytes) {
		if (!build_id_equal(&search->wanted, &elf->build_id)) {
			refuse_other_id(search, located, elf);
			return false;
		}
		/* A file that was taken unproven stays so, whatever belongs to it. */
		if (search->naming->module->build_id.size_bytes)
			search->found->verdict = VERDICT_VERIFIED;
		return true;
	}
	if (located->how == LOCATED_LIVE)
		return judge_live(search, located, elf);
	return judge_unproven(search, located, elf);
}

/* Keeps what the file is good for; false when it is good for nothing new. */
static bool keep(struct search *search, const struct located *located, struct elf_file *elf)
{
	struct found_files *found = search->found;
	struct elf_symbols symbols;
	bool has_static =
		!found->symbols_path && elf_symbols_open(elf, ELF_SYMBOLS_STATIC, &symbols);
	bool has_code = !found->runtime_path && elf_has_code(elf);
	const char *path = full_path(search->job, located);

	if (has_code) {
		found->runtime_file = *elf;
		found->pair.runtime = &found->runtime_file;
		found->runtime_path = path;
	}
	if (has_static) {
		found->symbols_path = path;
		found->pair.symbols = &found->runtime_file;
		if (!has_code) {
			found->symbols_file = *elf;
			found->pair.symbols = &found->symbols_file;
		}
	}
	return has_code || has_static;
}

static void consider(struct search *search, const struct located *located)
{
	struct elf_file elf;
	struct error err;
	int fd = located_open(located, &err);

	if (fd < 0)
		return;
	if (!elf_open_fd(&elf, fd, &err)) {
		refuse(search, VERDICT_DAMAGED,
		       naming_text(search->job, "%s: %s", full_path(search->job, located),
				   err.text));
		return;
	}
	if (!judge(search, located, &elf) || !keep(search, located, &elf))
		elf_close(&elf);
}

static bool is_complete(const struct found_files *found)
{
	return found->runtime_path && found->symbols_path;
}

static void consider_all(struct search *search, struct text path)
{
	const struct locator *locator = &search->job->context->locator;
	struct locate_query query = { .path = path, .build_id = search->wanted };
	struct located_list list = { .rows = { .at = NULL } };

	locate_objects(locator, &query, &search->job->arena, &list);
	for (size_t i = 0; i < list.rows.count && !is_complete(search->found); i++)
		/* Of files without proof one is taken, and no other is mixed with it. */
		if (search->wanted.size_bytes || !search->found->runtime_path)
			consider(search, &list.rows.at[i]);
	vec_free(&list.rows);
}

/*
 * A stripped file may hold the symbols of its functions in packed form, as an ELF file of its own
 * (MiniDebugInfo). They are its own, so there is nothing to prove.
 */
static void unpack_symbols(struct search *search)
{
	struct found_files *found = search->found;
	const struct elf_section *section =
		elf_find_section(&found->runtime_file, ".gnu_debugdata");
	struct error err;
	size_t size_bytes;

	if (!section)
		return;
	if (!xz_unpack(elf_section_bytes(&found->runtime_file, section), LIMIT_DEBUGDATA_BYTES,
		       &found->unpacked, &size_bytes, &err) ||
	    !elf_open_memory(&found->symbols_file, found->unpacked, size_bytes, &err)) {
		found->reason = naming_text(search->job, "%s: .gnu_debugdata: %s",
					    found->runtime_path, err.text);
		return;
	}
	found->pair.symbols = &found->symbols_file;
	found->symbols_path = found->runtime_path;
}

static void say_missing(struct search *search)
{
	struct found_files *found = search->found;
	char hex[BUILD_ID_TEXT_BYTES];

	found->verdict = search->refusal;
	found->reason = search->refusal_reason;
	if (search->refusal != VERDICT_MISSING)
		return;
	build_id_hex(&search->wanted, hex);
	found->reason =
		*hex ? naming_text(search->job, "no file with build-id %s was found", hex)
		     : naming_text(search->job, "not found, and the capture has no build-id");
}

static void run(struct naming_job *job, const struct naming *naming, struct text path,
		struct found_files *found)
{
	struct search search = {
		.job = job,
		.naming = naming,
		.found = found,
		.wanted = naming->module->build_id,
		.refusal = VERDICT_MISSING,
	};

	*found = (struct found_files){
		.runtime_file = { .fd = -1 },
		.symbols_file = { .fd = -1 },
	};
	consider_all(&search, path);
	/* What was taken without proof may have its symbols in a file of its own build-id. */
	if (found->runtime_path && !search.wanted.size_bytes &&
	    found->runtime_file.build_id.size_bytes) {
		search.wanted = found->runtime_file.build_id;
		consider_all(&search, (struct text){ "", 0 });
	}
	if (found->runtime_path && !found->symbols_path)
		unpack_symbols(&search);
	if (!found->runtime_path && !found->symbols_path)
		say_missing(&search);
}

void file_search(struct naming_job *job, const struct naming *naming, struct found_files *found)
{
	run(job, naming, naming->path, found);
}

void file_search_by_build_id(struct naming_job *job, const struct naming *naming,
			     struct found_files *found)
{
	run(job, naming, (struct text){ "", 0 }, found);
}

void found_files_close(struct found_files *found)
{
	elf_close(&found->runtime_file);
	elf_close(&found->symbols_file);
	memory_free(found->unpacked);
}
