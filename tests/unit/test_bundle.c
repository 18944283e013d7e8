/* SPDX-License-Identifier: MIT */
#include "session/bundle.h"

#include <criterion/criterion.h>

#ifdef HAVE_LIBARCHIVE
#include <elf.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "libparse/perf/abi.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/perf_writer.h"
#include "tests/support/scratch.h"

#define TEXT_OFFSET  0x600
#define TEXT_ADDRESS 0x401000
#define MAPPED_AT    0x7f0000000000

static const struct elf_writer_symbol ours[] = {
	{ "ours", TEXT_ADDRESS, 0x100, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
};
static const struct elf_writer_symbol theirs[] = {
	{ "theirs", TEXT_ADDRESS, 0x100, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
};

/* Writes a program without a build-id to the test's directory. */
static void write_program(const struct scratch *scratch, const struct elf_writer_symbol *symbols)
{
	/* A section that is loaded, but contains no symbols. */
	static const struct elf_writer_section data = {
		.name = ".rodata",
		.type = SHT_PROGBITS,
		.flags = SHF_ALLOC,
		.bytes = "bytes of the program",
		.size_bytes = sizeof("bytes of the program"),
	};
	struct elf_writer elf = {
		.more = &data,
		.more_count = 1,
		.text_address = TEXT_ADDRESS,
		.text_offset = TEXT_OFFSET,
		.text_bytes = 0x100,
		.symbols = symbols,
		.symbol_count = 1,
	};
	size_t size_bytes;
	unsigned char *bytes = elf_writer_write(&elf, &size_bytes);

	scratch_write(scratch, "program", bytes, size_bytes);
	memory_free(bytes);
}

static void put_process(struct perf_writer *writer, uint32_t pid, const char *path,
			const struct stat *status, uint64_t inode)
{
	perf_writer_mmap2(writer, 1,
			  &(struct writer_mmap){
				  .pid = pid,
				  .tid = pid,
				  .address = MAPPED_AT,
				  .length = 0x1000,
				  .path = path,
				  .device_major = major(status->st_dev),
				  .device_minor = minor(status->st_dev),
				  .inode = inode,
				  .protection = 5,
			  });
	perf_writer_sample(writer, &(struct writer_sample){ .misc = CPU_MODE_USER,
							    .ip = MAPPED_AT + TEXT_OFFSET + 8,
							    .pid = pid,
							    .tid = pid,
							    .time_ns = 2,
							    .period = 1 });
}

/*
 * Makes a capture of this machine, with the program, identified by its inode, and with another
 * program of the same path.
 */
static void make_capture(struct perf_writer *writer, const char *path)
{
	static const struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_PERIOD,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};
	struct utsname host;
	struct stat status;

	cr_assert(stat(path, &status) == 0 && uname(&host) == 0);
	perf_writer_init(writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(writer, "cpu-clock", &attr, NULL, 0);
	put_process(writer, 7, path, &status, (uint64_t)status.st_ino);
	put_process(writer, 8, path, &status, (uint64_t)status.st_ino + 1000000);
	perf_writer_feature_string(writer, FEATURE_HOSTNAME, host.nodename);
	perf_writer_feature_string(writer, FEATURE_OSRELEASE, host.release);
	perf_writer_feature_event_desc(writer);
	perf_writer_finish(writer);
}

static void bundle_as(const struct bundle_options *how, const void *bytes, size_t size_bytes,
		      struct bundle_report *report, struct sink *sink)
{
	struct session_options options = { .thread_count = 1 };
	struct memory_file file;
	struct session session;
	struct error err;

	memory_file_open(&file, bytes, size_bytes);
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	sink_init_memory(sink);
	cr_assert(bundle_write(&session, how, "x.tar", sink, report, &err), "%s", err.text);
	session_close(&session);
	memory_file_close(&file);
}

static void bundle(const void *bytes, size_t size_bytes, struct bundle_report *report,
		   struct sink *sink)
{
	bundle_as(&(struct bundle_options){ .is_full = false }, bytes, size_bytes, report, sink);
}

/*
 * Checks the name and the match status of the program's sample in a bundle. The other program's
 * sample has no name.
 */
static void check_name(const struct sink *packed, const char *name, enum match_status match)
{
	struct session_options options = { .thread_count = 1 };
	const struct module *programs[2] = { NULL, NULL };
	size_t count = 0;
	struct memory_file file;
	struct session session;
	struct error err;

	memory_file_open(&file, packed->buffer, packed->used);
	cr_assert(session_open(&session, file.path, &options, &err), "%s", err.text);
	cr_expect(session.manifest.is_there);
	cr_expect_not(session.is_same_host);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	for (size_t i = 0; i < session.profile.modules->rows.count; i++)
		if (session.profile.modules->rows.at[i].kind == MODULE_FILE)
			programs[count++ % 2] = &session.profile.modules->rows.at[i];
	cr_assert_eq(count, 2);
	cr_expect_eq(programs[0]->match, match, "%d: %s", programs[0]->match,
		     strings_text(session.profile.strings, programs[0]->reason));
	cr_expect_eq(programs[1]->match, MATCH_MISSING, "%d: %s", programs[1]->match,
		     strings_text(session.profile.strings, programs[1]->reason));
	for (size_t i = 0; i < session.locations.rows.count; i++) {
		const struct location *location = &session.locations.rows.at[i];
		const struct module *module =
			modules_get(session.profile.modules, location->module);

		cr_expect_str_eq(strings_text(session.profile.strings, location->name),
				 module == programs[0] ? name : "");
	}
	session_close(&session);
	memory_file_close(&file);
}

static unsigned char *find_bytes(const struct sink *packed, const char *text)
{
	unsigned char *found = memmem(packed->buffer, packed->used, text, strlen(text));

	cr_assert_not_null(found);
	return found;
}

/* A file without a build-id is verified by its inode. On another machine the manifest replaces the inode, for
 * bundled files only. */
Test(bundle, what_the_inode_proved_stays_proven)
{
	struct bundle_report report;
	struct perf_writer writer;
	struct scratch scratch;
	struct sink packed, again;

	scratch_open(&scratch);
	write_program(&scratch, ours);
	make_capture(&writer, scratch_path(&scratch, "program"));
	bundle(writer.file.at, writer.file.count, &report, &packed);
	cr_expect_eq(report.file_count, 1);
	cr_expect_eq(report.module_count, 2);
	cr_expect_eq(report.missing_count, 1);

	/* The path may now lead to another file. */
	write_program(&scratch, theirs);
	check_name(&packed, "ours", MATCH_SAME_FILE);
	unlink(scratch_path(&scratch, "program"));
	check_name(&packed, "ours", MATCH_SAME_FILE);

	/* A bundle made from the bundle gives the same result. */
	bundle(packed.buffer, packed.used, &report, &again);
	cr_expect_eq(report.file_count, 1);
	check_name(&again, "ours", MATCH_SAME_FILE);

	/* A different file under the name of the bundled one is refused. */
	memcpy(find_bytes(&packed, "ours"), "hers", 4);
	check_name(&packed, "", MATCH_CORRUPT);
	sink_deinit(&packed);
	sink_deinit(&again);
	perf_writer_deinit(&writer);
	scratch_close(&scratch);
	assert_no_leaks();
}

/* The program's bytes, which symbolisation does not need, are only in a full bundle. */
Test(bundle, only_a_full_one_has_the_program)
{
	static const struct bundle_options full = { .is_full = true };
	static const char bytes[] = "bytes of the program";
	struct bundle_report report;
	struct perf_writer writer;
	struct scratch scratch;
	struct sink slim, whole;

	scratch_open(&scratch);
	write_program(&scratch, ours);
	make_capture(&writer, scratch_path(&scratch, "program"));
	bundle(writer.file.at, writer.file.count, &report, &slim);
	bundle_as(&full, writer.file.at, writer.file.count, &report, &whole);
	cr_expect_null(memmem(slim.buffer, slim.used, bytes, sizeof(bytes)));
	cr_expect_not_null(memmem(whole.buffer, whole.used, bytes, sizeof(bytes)));
	cr_expect_not_null(memmem(slim.buffer, slim.used, ".kiln.slim", 10));
	cr_expect_null(memmem(whole.buffer, whole.used, ".kiln.slim", 10));
	check_name(&slim, "ours", MATCH_SAME_FILE);
	check_name(&whole, "ours", MATCH_SAME_FILE);
	sink_deinit(&slim);
	sink_deinit(&whole);
	perf_writer_deinit(&writer);
	scratch_close(&scratch);
	assert_no_leaks();
}

Test(bundle, what_is_refused_is_left_out)
{
	struct bundle_report report;
	struct perf_writer writer;
	struct scratch scratch;
	struct sink packed;
	char kept[512];

	scratch_open(&scratch);
	write_program(&scratch, ours);
	make_capture(&writer, scratch_path(&scratch, "program"));
	/* The new file of this name has another inode, since the old file still exists. */
	snprintf(kept, sizeof(kept), "%s", scratch_path(&scratch, "kept"));
	cr_assert_eq(rename(scratch_path(&scratch, "program"), kept), 0);
	write_program(&scratch, theirs);
	bundle(writer.file.at, writer.file.count, &report, &packed);
	cr_expect_eq(report.file_count, 0);
	cr_expect_eq(report.missing_count, 2);
	cr_expect_null(memmem(packed.buffer, packed.used, "theirs", strlen("theirs")));
	check_name(&packed, "", MATCH_MISSING);
	sink_deinit(&packed);
	perf_writer_deinit(&writer);
	scratch_close(&scratch);
	assert_no_leaks();
}
#endif
