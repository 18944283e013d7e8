/* SPDX-License-Identifier: MIT */
/*
 * Archives as sources of symbols, and bundles. For any archive: every file found in it is a range
 * of the stored bytes, can be opened, and has the build-id under which it is listed. The manifest
 * leads only to such files.
 */
#include <stdint.h>
#include <unistd.h>

#include "object/elf.h"
#include "object/file.h"
#include "object/index.h"
#include "symbolise/bundle_manifest.h"
#include "symbolise/source.h"
#include "tests/support/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void check_stretch(const struct index_file *file)
{
	const struct contents *contents = file->contents;

	require(file->begin <= contents->spool.size_bytes &&
		file->size_bytes <= contents->spool.size_bytes - file->begin);
}

static void check_elf(const struct index_file *file)
{
	struct elf_file elf;
	struct error err;

	require(index_file_open_elf(file, &elf, &err));
	require(!memcmp(&elf.build_id, &file->build_id, sizeof(elf.build_id)));
	elf_close(&elf);
}

static void check_text(const struct index_file *file)
{
	struct file_bytes text;
	struct error err;
	int fd = index_file_open(file, &err);

	require(fd >= 0 && file_read(fd, LIMIT_SYMBOL_TEXT_BYTES, &text, &err));
	require(!file->contents || text.size_bytes == file->size_bytes);
	file_bytes_deinit(&text);
	close(fd);
}

static void check_manifest(const struct contents *contents)
{
	struct bundle_manifest manifest;

	bundle_manifest_init(&manifest, "x.tar", contents);
	for (size_t i = 0; i < manifest.rows.count; i++) {
		const struct bundle_manifest_row *row = &manifest.rows.at[i];
		struct module module = {
			.device_major = row->device_major,
			.device_minor = row->device_minor,
			.inode = row->inode,
			.inode_generation = row->inode_generation,
		};
		struct bundle_manifest_run run =
			bundle_manifest_find(&manifest, &module, row->path);

		check_stretch(&row->file);
		require(row >= run.at && row < run.at + run.count);
	}
	bundle_manifest_deinit(&manifest);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct memory_file file;
	struct file_index index;

	memory_file_open(&file, bytes, size);
	file_index_init(&index);
	require(file_index_add(&index, file.path));
	file_index_finish(&index);
	require(index.refusal.code == ERROR_NONE || index.refusal.text[0]);
	for (size_t i = 0; i < index.files.count; i++) {
		const struct index_file *found = &index.files.at[i];

		if (found->contents)
			check_stretch(found);
		if (found->kind == INDEX_ELF)
			check_elf(found);
		else
			check_text(found);
	}
	for (size_t i = 0; i < index.archives.count; i++)
		check_manifest(index.archives.at[i]);
	file_index_deinit(&index);
	memory_file_close(&file);
	return 0;
}
