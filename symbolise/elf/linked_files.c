/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/linked_files.h"

#include "object/debug_link.h"

static struct file_match refuse(struct text reason)
{
	return (struct file_match){ MATCH_MISMATCHED, reason };
}

static struct file_match judge_crc(const struct search *search, const struct elf_file *elf,
				   const struct debug_link *link)
{
	struct error err;
	uint32_t crc;

	if (elf->bytes)
		crc = debug_link_crc_of(elf->bytes, (size_t)elf->size_bytes);
	else if (!debug_link_crc(elf->fd, &crc, &err))
		return (struct file_match){ MATCH_CORRUPT,
					    naming_text(search->job, "%s", err.text) };
	if (crc != link->crc)
		return refuse(naming_text(search->job,
					  "has CRC %08x, and %s was stripped of one of %08x", crc,
					  search->found->runtime_path, link->crc));
	return (struct file_match){ search->found->match, text_of("") };
}

/* A CRC proves less than a build-id, and takes reading the whole file. */
static struct file_match judge_linked(const struct search *search, const struct located *located,
				      const struct elf_file *elf, const void *context)
{
	const struct build_id *ours = &search->found->runtime_file.build_id;
	char theirs_hex[BUILD_ID_TEXT_BYTES], ours_hex[BUILD_ID_TEXT_BYTES];

	(void)located;
	if (!ours->size_bytes || !elf->build_id.size_bytes)
		return judge_crc(search, elf, context);
	if (build_id_equal(ours, &elf->build_id))
		return (struct file_match){ search->found->match, text_of("") };
	return refuse(naming_text(search->job, "has build-id %s, and %s has %s",
				  build_id_hex(&elf->build_id, theirs_hex),
				  search->found->runtime_path, build_id_hex(ours, ours_hex)));
}

void linked_files_find_symbols(struct search *search)
{
	struct located_list list = { .rows = { .at = NULL } };
	struct debug_link link;
	struct locate_link query = { .from = &search->found->runtime_at,
				     .captured_path = locate_original_path(search->naming->path) };

	if (!debug_link_read(&search->found->runtime_file, &link))
		return;
	query.name = link.name;
	locate_debug_file(&search->job->context->locator, &query, &search->job->arena, &list);
	for (size_t i = 0; i < list.rows.count && !search->found->symbols_path; i++)
		search_try(search, &list.rows.at[i], judge_linked, &link);
	vec_free(&list.rows);
}

static bool try_supplement(struct search *search, const struct located *located,
			   const struct build_id *wanted)
{
	struct found_files *found = search->found;
	struct file_match match;
	struct elf_file elf;
	struct error err;
	bool is_there;

	if (!located_open(located, &elf, &is_there, &err)) {
		search_note_unread(search, located, is_there, &err);
		return false;
	}
	match = file_match_check(search->job, search->naming, wanted, located, &elf);
	if (!match_is_usable(match.status)) {
		search_note(search, located, match);
		elf_close(&elf);
		return false;
	}
	search_note(search, located,
		    (struct file_match){ found->match, text_of("has what several debug files "
							       "have in common") });
	found->supplement_file = elf;
	found->pair.supplement = &found->supplement_file;
	found->supplement_path =
		naming_text(search->job, "%s%s", located->root ? located->root : "", located->path)
			.at;
	naming_collect_elf(search->job, search->naming, &elf, found->supplement_path, found->match);
	return true;
}

void linked_files_find_supplement(struct search *search)
{
	const struct locator *locator = &search->job->context->locator;
	struct located_list list = { .rows = { .at = NULL } };
	struct debug_supplement supplement;
	struct locate_link query = { .from = &search->found->symbols_at };

	if (!debug_link_read_supplement(search->found->pair.symbols, &supplement))
		return;
	query.name = supplement.path;
	locate_objects(locator, &(struct locate_query){ .build_id = supplement.build_id },
		       &search->job->arena, &list);
	locate_supplement(locator, &query, &search->job->arena, &list);
	for (size_t i = 0; i < list.rows.count; i++)
		if (try_supplement(search, &list.rows.at[i], &supplement.build_id))
			break;
	vec_free(&list.rows);
}
