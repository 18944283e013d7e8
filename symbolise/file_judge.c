/* SPDX-License-Identifier: MIT */
#include "symbolise/file_judge.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "object/elf_layout.h"

/* Of the addresses of an unproven file's module one in this many may lie outside its code. */
#define STRAY_ADDRESSES 16

/* What is judged. */
struct candidate {
	struct naming_job *job;
	const struct naming *naming;
	const struct located *located;
	const struct elf_file *elf;
};

static struct judgement refuse(struct text reason)
{
	return (struct judgement){ VERDICT_MISMATCH, reason };
}

/* Whether what was mapped, and the captured addresses, lie in this file's code: those of another
 * file rarely do. */
static bool fits(const struct candidate *candidate)
{
	const struct naming *naming = candidate->naming;
	const struct module *module = naming->module;
	uint32_t outside = 0;

	if (module->mapped_bytes &&
	    !elf_layout_may_map(candidate->elf, module->mapped_offset, module->mapped_bytes))
		return false;

	for (uint32_t i = 0; i < naming->count; i++) {
		uint64_t address = naming_lookup_address(candidate->job, naming, i);

		outside += !elf_address_of_offset(candidate->elf, address, &address);
	}
	return outside <= naming->count / STRAY_ADDRESSES;
}

/* A file offered by name, for a module of which nothing but the name is known. */
static struct judgement judge_unproven(const struct candidate *candidate, const char *reason)
{
	if (!fits(candidate))
		return refuse(text_of(
			"has no code at the captured addresses, and the capture no build-id"));
	return (struct judgement){ VERDICT_UNVERIFIED, text_of(reason) };
}

/*
 * File systems use an inode again for the next file; its generation, where the capture has one, tells
 * the two apart. A file written over in place keeps both, but not its time of change.
 * perf inject --jit gives every file it makes the generation 1.
 */
static bool has_other_generation(const struct candidate *candidate)
{
	const struct module *module = candidate->naming->module;
	long generation = 0; /* declared as long, written as int */

	return module->inode_generation > 1 &&
	       ioctl(candidate->elf->fd, FS_IOC_GETVERSION, &generation) == 0 &&
	       (uint32_t)generation != (uint32_t)module->inode_generation;
}

static bool is_changed(const struct candidate *candidate, const struct statx *status)
{
	int64_t capture_time_s = candidate->job->context->options->capture_time_s;

	return capture_time_s && status->stx_ctime.tv_sec > capture_time_s;
}

/* perf record keeps files by linking to them, which is a change too: so the next capture would cost this
 * one its names. Files are seldom written over so that their own time says nothing of it. */
static bool is_only_linked(const struct candidate *candidate, const struct statx *status)
{
	int64_t capture_time_s = candidate->job->context->options->capture_time_s;

	return candidate->naming->module->inode && status->stx_nlink > 1 &&
	       status->stx_mask & STATX_BTIME && status->stx_btime.tv_sec <= capture_time_s &&
	       status->stx_mtime.tv_sec <= capture_time_s;
}

static struct judgement judge_live(const struct candidate *candidate)
{
	const struct module *module = candidate->naming->module;
	struct statx status;

	if (statx(candidate->elf->fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME,
		  &status) != 0)
		return refuse(text_of("cannot be looked at"));
	if (module->inode && module->inode != (uint64_t)status.stx_ino)
		return refuse(naming_text(
			candidate->job, "was replaced: it is inode %llu, the capture has %llu",
			(unsigned long long)status.stx_ino, (unsigned long long)module->inode));
	if (has_other_generation(candidate) ||
	    (is_changed(candidate, &status) && !is_only_linked(candidate, &status)))
		return refuse(text_of("has changed since the capture was made"));
	if (is_changed(candidate, &status))
		return judge_unproven(
			candidate, "is unproven: it was linked to since the capture was made, as "
				   "perf does, but not written");
	if (!module->inode)
		return judge_unproven(candidate,
				      "is unproven: the capture has neither build-id nor inode");
	/* btrfs and overlayfs tell stat another device than they tell the kernel's maps. */
	if (module->device_major != status.stx_dev_major ||
	    module->device_minor != status.stx_dev_minor)
		return judge_unproven(candidate, "is unproven: the capture has no build-id; the "
						 "inode is the same, the device is not");
	return (struct judgement){ VERDICT_SAME_FILE, text_of("") };
}

static struct judgement judge_build_id(const struct candidate *candidate,
				       const struct build_id *wanted)
{
	const struct elf_file *elf = candidate->elf;
	char theirs[BUILD_ID_TEXT_BYTES], ours[BUILD_ID_TEXT_BYTES];

	if (build_id_equal(wanted, &elf->build_id))
		return (struct judgement){ VERDICT_VERIFIED, text_of("") };
	build_id_hex(&elf->build_id, theirs);
	build_id_hex(wanted, ours);
	return refuse(naming_text(candidate->job, "has %s%s, the capture has %s",
				  *theirs ? "build-id " : "no build-id", theirs, ours));
}

struct judgement file_judge(struct naming_job *job, const struct naming *naming,
			    const struct build_id *wanted, const struct located *located,
			    const struct elf_file *elf)
{
	struct candidate candidate = { job, naming, located, elf };

	if (wanted->size_bytes)
		return judge_build_id(&candidate, wanted);
	if (located->how == LOCATED_LIVE)
		return judge_live(&candidate);
	return judge_unproven(&candidate, "has the same name, and the capture no build-id");
}

bool verdict_is_usable(enum module_verdict verdict)
{
	return verdict == VERDICT_VERIFIED || verdict == VERDICT_SAME_FILE ||
	       verdict == VERDICT_UNVERIFIED;
}
