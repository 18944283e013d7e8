/* SPDX-License-Identifier: MIT */
#include "symbolise/build_id_proof.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "symbolise/code_match.h"
#include "symbolise/host_file.h"

#define READ_AFTERWARDS "build-id read by perf after recording"

bool build_id_is_late(const struct module *module)
{
	return module->kind == MODULE_FILE && module->build_id.size_bytes &&
	       module->build_id_source == BUILD_ID_BY_RECORDER;
}

static bool ask_bundle(struct naming_job *job, struct naming *naming)
{
	const struct bundle_manifest *manifest = job->context->options->manifest;

	if (manifest)
		naming->proof = bundle_manifest_proof(manifest, naming->module, naming->path);
	if (naming->proof == PROOF_OTHER_INODE)
		naming->proof_reason = text_of(
			READ_AFTERWARDS " belongs to a different file: when the bundle was made, "
					"the file did not have the inode of the mapping");
	if (naming->proof == PROOF_OTHER_CODE)
		naming->proof_reason =
			text_of(READ_AFTERWARDS " belongs to a different file: when the "
						"bundle was made, the code of the file did not "
						"match");
	if (naming->proof == PROOF_REWRITTEN)
		naming->proof_reason =
			text_of(READ_AFTERWARDS " may belong to a different file: the file was "
						"written after it was mapped");
	return naming->proof != PROOF_NONE;
}

/* Opens a candidate if the candidate has the module's build-id. */
static bool open_file(const struct naming_job *job, const struct naming *naming,
		      const struct located *located, struct elf_file *elf)
{
	struct error ignored;
	bool is_there;

	if (!located_open(&job->context->locator, located, elf, &is_there, &ignored))
		return false;
	if (build_id_equal(&elf->build_id, &naming->module->build_id))
		return true;
	elf_close(elf);
	return false;
}

/* Weak evidence from this host. The code of the file can contradict this evidence. */
struct host_answer {
	bool is_linked;        /* same inode, but the file later got a hard link or was rewritten */
	const char *rewritten; /* path of a rewritten file with the mapped inode; or NULL */
};

/*
 * The mapped inode has the build-id now. Before the file was rewritten, this inode may have had a
 * different build-id.
 */
static void judge_same(struct naming *naming, const struct located *located,
		       const struct statx *status, struct host_answer *ret)
{
	switch (host_file_change_since_mapping(status, naming->module)) {
	case HOST_FILE_UNCHANGED:
		naming->proof = PROOF_INODE;
		break;
	case HOST_FILE_LINKED:
		ret->is_linked = true;
		break;
	case HOST_FILE_TOUCHED:
		break;
	case HOST_FILE_WRITTEN:
		ret->rewritten = located->path;
		break;
	}
}

/*
 * Checks the file from which perf read the build-id, if it has not changed. A newer file proves
 * nothing, because the program may have been rebuilt.
 */
static void ask_host(struct naming_job *job, struct naming *naming, const struct located *located,
		     struct host_answer *ret)
{
	int64_t capture_time_s = job->context->options->capture_time_s;
	const struct module *module = naming->module;
	enum host_file_match match = HOST_FILE_UNKNOWN;
	struct elf_file elf;
	struct statx status;

	if (!open_file(job, naming, located, &elf))
		return;
	if (host_file_look_at(elf.fd, &status) &&
	    (!host_file_is_changed(&status, capture_time_s) ||
	     host_file_is_only_linked(&status, capture_time_s)))
		match = host_file_compare(elf.fd, &status, module);
	elf_close(&elf);
	if (match == HOST_FILE_SAME)
		judge_same(naming, located, &status, ret);
	if (match != HOST_FILE_OTHER)
		return;
	naming->proof = PROOF_OTHER_INODE;
	naming->proof_reason =
		naming_text(job,
			    READ_AFTERWARDS " belongs to a different file: the mapping has inode "
					    "%" PRIu64 ", but %s has inode %llu",
			    module->inode, located->path, (unsigned long long)status.stx_ino);
}

/* Uses the first file with the build-id that contains enough of the return addresses. */
static void check_code(struct naming_job *job, struct naming *naming, const struct located *located)
{
	struct code_match evidence;
	struct elf_file elf;

	if (!open_file(job, naming, located, &elf))
		return;
	evidence = elf_has_code(&elf) ? code_match_check(job, naming, &elf)
				      : (struct code_match){ .proof = CODE_UNDECIDED };
	elf_close(&elf);
	if (evidence.proof == CODE_PROVED)
		naming->proof = PROOF_CODE;
	if (evidence.proof != CODE_REFUTED)
		return;
	naming->proof = PROOF_OTHER_CODE;
	naming->proof_reason = naming_text(
		job,
		READ_AFTERWARDS
		" belongs to a different file: in the file with this build-id, only %" PRIu32 " of "
		"%" PRIu32 " return addresses follow a call",
		evidence.call_count, evidence.site_count);
}

void build_id_proof_find(struct naming_job *job, struct naming *naming)
{
	const struct locator *locator = &job->context->locator;
	struct locate_query query = { .path = naming->path,
				      .build_id = naming->module->build_id,
				      .is_recorded = true };
	struct located_list list = { .rows = { .at = NULL } };
	struct host_answer answer = { .rewritten = NULL };

	if (!build_id_is_late(naming->module))
		return;
	if (ask_bundle(job, naming))
		return;
	locate_objects(locator, &query, &job->arena, &list);
	for (size_t i = 0; i < list.rows.count && naming->proof == PROOF_NONE; i++)
		if (list.rows.at[i].how == LOCATED_LIVE)
			ask_host(job, naming, &list.rows.at[i], &answer);
	for (size_t i = 0; i < list.rows.count && naming->proof == PROOF_NONE; i++)
		check_code(job, naming, &list.rows.at[i]);
	vec_free(&list.rows);
	if (naming->proof == PROOF_NONE && answer.is_linked)
		naming->proof = PROOF_INODE;
	if (naming->proof != PROOF_NONE || !answer.rewritten)
		return;
	naming->proof = PROOF_REWRITTEN;
	naming->proof_reason = naming_text(
		job,
		READ_AFTERWARDS " may belong to a different file: %s was written after it was "
				"mapped",
		answer.rewritten);
}
