/* SPDX-License-Identifier: MIT */
#include "symbolise/file_match.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "object/elf_layout.h"
#include "symbolise/code_match.h"
#include "symbolise/host_file.h"
#include "symbolise/build_id_proof.h"

/* In an unproven file, one in 16 sampled addresses may be outside the file's code. */
#define STRAY_ADDRESSES 16

/* The file to check, and the module for which it is checked. */
struct checked_file {
	struct naming_job *job;
	const struct naming *naming;
	const struct located *located;
	const struct elf_file *elf;
};

static struct file_match refuse(struct text reason)
{
	return (struct file_match){ MATCH_MISMATCHED, reason };
}

/*
 * Whether the mapped range and nearly all sampled addresses lie in this file's code. In a different
 * file, such a fit is rare.
 */
static bool fits(const struct checked_file *candidate)
{
	const struct naming *naming = candidate->naming;
	const struct module *module = naming->module;
	const struct location *locations = candidate->job->context->locations->rows.at;
	naming_convert *convert = naming_file_convert(candidate->job);
	uint32_t outside = 0;
	uint32_t count = 0;

	if (module->mapped_bytes &&
	    !elf_layout_may_map(candidate->elf, module->mapped_offset, module->mapped_bytes))
		return false;

	for (uint32_t i = 0; i < naming->count; i++) {
		uint64_t address = naming_lookup_address(candidate->job, naming, i);

		if (locations[naming->locations[i]].is_guess)
			continue;
		count++;
		outside += !convert(candidate->elf, address, &address);
	}
	return outside <= count / STRAY_ADDRESSES;
}

/*
 * Whether only the code can identify the file. The name proves nothing if several files were mapped
 * from the path, or if the build-id in the capture belongs to a different file.
 */
static bool needs_code(const struct checked_file *candidate)
{
	return !candidate->job->context->options->trusts_paths &&
	       (candidate->naming->module->has_rivals ||
		build_id_is_contradicted(candidate->naming));
}

/*
 * Returns why the code does not identify the file. If the code does identify the file, .at of the
 * text is NULL.
 */
static struct text find_doubt(const struct checked_file *candidate, enum code_match_status proof)
{
	const struct naming *naming = candidate->naming;

	if (build_id_equal(&naming->module->build_id, &candidate->elf->build_id))
		return naming->proof_reason;
	if (proof != CODE_PROVED)
		return text_of(
			naming->module->has_rivals
				? "may be a different file: several files were mapped from this "
				  "path, and there are too few return addresses to identify it"
				: "may be a different file: there are too few return addresses to "
				  "identify it");
	if (naming->module->has_rivals &&
	    code_match_may_be_rival(candidate->job, naming, candidate->elf))
		return text_of(
			"may be a different file: several files were mapped from this path, and "
			"the code of this file matches more than one of them");
	return (struct text){ .at = NULL };
}

/* Matches a file with the right name or inode, and no other evidence. */
static struct file_match match_code(const struct checked_file *candidate, const char *reason,
				    bool is_code_needed)
{
	struct code_match evidence =
		code_match_check(candidate->job, candidate->naming, candidate->elf);
	struct text doubt = { .at = NULL };

	if (evidence.proof == CODE_REFUTED)
		return refuse(naming_text(candidate->job,
					  "is a different file: only %" PRIu32 " of %" PRIu32 " "
					  "captured return addresses in it follow a call",
					  evidence.call_count, evidence.site_count));
	if (is_code_needed)
		doubt = find_doubt(candidate, evidence.proof);
	if (doubt.at)
		return refuse(doubt);
	if (evidence.proof == CODE_PROVED)
		return (struct file_match){ MATCH_VERIFIED, text_of("") };
	return (struct file_match){ MATCH_UNVERIFIED, text_of(reason) };
}

/*
 * Matches a file that only its name identifies, because the module has no build-id and the inode
 * proves nothing.
 */
static struct file_match match_unproven(const struct checked_file *candidate, const char *reason,
					bool is_code_needed)
{
	if (!fits(candidate))
		return refuse(text_of(
			candidate->job->context->options->wants_data
				? "has no data at the captured addresses, and the capture has no "
				  "build-id"
				: "has no code at the captured addresses, and the capture has no "
				  "build-id"));
	return match_code(candidate, reason, is_code_needed);
}

/*
 * Matches a file that has the inode of the mapping, and has not changed since the capture was made.
 */
static struct file_match match_same_inode(const struct checked_file *candidate,
					  const struct statx *status)
{
	const struct module *module = candidate->naming->module;
	struct file_match match;

	switch (host_file_change_since_mapping(status, module)) {
	case HOST_FILE_WRITTEN:
		return refuse(text_of("was written after it was mapped"));
	case HOST_FILE_TOUCHED:
		return match_unproven(
			candidate,
			"is unverified: its metadata has changed since it was mapped, but not its "
			"content",
			false);
	case HOST_FILE_LINKED:
		match = match_code(candidate, "", false);
		if (!match_is_usable(match.status))
			return match;
		break;
	case HOST_FILE_UNCHANGED:
		break;
	}
	/* On btrfs and overlayfs, stat and the kernel's maps report different devices. */
	if (module->device_major != status->stx_dev_major ||
	    module->device_minor != status->stx_dev_minor)
		return match_unproven(
			candidate,
			"is unverified: the capture has no build-id, and the inode is the same but "
			"the device differs",
			false);
	return (struct file_match){ MATCH_SAME_FILE, text_of("") };
}

static struct file_match match_live(const struct checked_file *candidate)
{
	const struct module *module = candidate->naming->module;
	int64_t capture_time_s = candidate->job->context->options->capture_time_s;
	bool is_changed, is_only_linked;
	struct statx status;

	if (!host_file_look_at(candidate->elf->fd, &status))
		return refuse(text_of("cannot be accessed"));
	if (module->inode && module->inode != (uint64_t)status.stx_ino)
		return refuse(naming_text(candidate->job,
					  "was replaced: it has inode %llu, but the capture has "
					  "inode %llu",
					  (unsigned long long)status.stx_ino,
					  (unsigned long long)module->inode));
	is_changed = host_file_is_changed(&status, capture_time_s);
	is_only_linked = module->inode && host_file_is_only_linked(&status, capture_time_s);
	if (host_file_has_other_generation(candidate->elf->fd, module) ||
	    (is_changed && !is_only_linked))
		return refuse(text_of("has changed since the capture was made"));
	if (is_changed)
		return match_unproven(
			candidate,
			"is unverified: it gained a hard link after the capture, as perf may "
			"create, but its content is unchanged",
			false);
	if (!module->inode)
		return match_unproven(candidate,
				      "is unverified: the capture has neither build-id nor inode",
				      needs_code(candidate));
	return match_same_inode(candidate, &status);
}

/* Matches a file with the wanted build-id. */
static struct file_match match_equal(const struct checked_file *candidate)
{
	const struct naming *naming = candidate->naming;

	/* The file is used only because of --trust-paths. */
	if (build_id_is_contradicted(naming))
		return (struct file_match){ MATCH_UNVERIFIED,
					    naming_text(candidate->job,
							"is used because of --trust-paths: %s",
							naming->proof_reason.at) };
	return (struct file_match){ build_id_is_late(naming->module) && naming->proof == PROOF_NONE
					    ? MATCH_LATE_BUILD_ID
					    : MATCH_VERIFIED,
				    text_of("") };
}

static struct file_match match_build_id(const struct checked_file *candidate,
					const struct build_id *wanted)
{
	const struct elf_file *elf = candidate->elf;
	char theirs[BUILD_ID_TEXT_BYTES], ours[BUILD_ID_TEXT_BYTES];

	if (build_id_equal(wanted, &elf->build_id))
		return match_equal(candidate);
	build_id_hex(&elf->build_id, theirs);
	build_id_hex(wanted, ours);
	return refuse(naming_text(candidate->job, "has %s%s, but the capture has %s",
				  *theirs ? "build-id " : "no build-id", theirs, ours));
}

struct file_match file_match_check(struct naming_job *job, const struct naming *naming,
				   const struct build_id *wanted, const struct located *located,
				   const struct elf_file *elf)
{
	struct checked_file candidate = { job, naming, located, elf };

	if (wanted->size_bytes)
		return match_build_id(&candidate, wanted);
	if (located->how == LOCATED_LIVE)
		return match_live(&candidate);
	return match_unproven(&candidate, "has the same name, but the capture has no build-id",
			      needs_code(&candidate));
}

bool match_is_usable(enum match_status match)
{
	return match == MATCH_VERIFIED || match == MATCH_LATE_BUILD_ID ||
	       match == MATCH_SAME_FILE || match == MATCH_UNVERIFIED;
}
