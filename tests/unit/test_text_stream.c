/* SPDX-License-Identifier: MIT */
#include "libparse/text.h"
#include "libparse/text_stream.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/attributes.h"
#include "compat/collapse.h"
#include "render/text/folded.h"
#include "session/session.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/random.h"

/* Far more than kiln keeps of a pipe in memory. */
#define LONG_INPUT_BYTES ((size_t)96 << 20)

/* Several times more than one worker gets at a time. */
#define INPUT_BYTES ((size_t)11 << 20)

/* A process that writes bytes into a pipe, several times over. */
struct writer {
	pid_t pid;
	int fd;
	char path[32];
};

static void write_all(int fd, struct text bytes)
{
	while (bytes.length) {
		/* The bytes are not written in the sizes in which kiln reads them. */
		ssize_t done = write(fd, bytes.at, bytes.length < 9999 ? bytes.length : 9999);

		if (done <= 0)
			_exit(1);
		bytes.at += done;
		bytes.length -= (uint32_t)done;
	}
}

static void writer_start(struct writer *writer, struct text bytes, size_t times)
{
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	writer->pid = fork();
	if (writer->pid == 0) {
		signal(SIGPIPE, SIG_IGN);
		close(ends[0]);
		while (times--)
			write_all(ends[1], bytes);
		_exit(0);
	}
	close(ends[1]);
	writer->fd = ends[0];
	snprintf(writer->path, sizeof(writer->path), "/dev/fd/%d", ends[0]);
}

static void writer_end(struct writer *writer)
{
	close(writer->fd);
	waitpid(writer->pid, NULL, 0);
}

/* The result of reading an input. */
struct result {
	struct sink folded;
	uint64_t skipped_count, first_skipped_line;
	bool has_passed;
};

static void read_path(const char *path, const struct input_format *format, unsigned threads,
		      struct result *ret)
{
	static const struct collapse_options no_options = { .with_pid = false };
	struct session_options options = {
		.format = format,
		.format_options = &no_options,
		.thread_count = threads,
		.ignores_host = true,
		.is_read_once = true,
	};
	struct session session;
	struct error err;

	cr_assert(session_open(&session, path, &options, &err), "%s", err.text);
	cr_assert(session_build_profile(&session, &err), "%s", err.text);
	sink_init_memory(&ret->folded);
	folded_write(&session.profile, &ret->folded);
	sink_char(&ret->folded, '\0');
	ret->skipped_count = session.profile.losses[LOSS_SKIPPED_LINES] +
			     session.profile.losses[LOSS_LONG_LINES];
	ret->first_skipped_line = session.profile.first_skipped_line;
	ret->has_passed = session.capture.stream != NULL;
	session_close(&session);
}

/* Reads the same bytes from a file and from a pipe, with the same result; format NULL: detected. */
static void compare_as(const struct input_format *format, const struct sink *bytes, bool may_pass,
		       const char *what)
{
	struct memory_file file;
	struct result expected;

	memory_file_open(&file, bytes->buffer, bytes->used);
	read_path(file.path, format, 1, &expected);
	cr_assert_not(expected.has_passed);
	for (unsigned threads = 1; threads <= 3; threads += 2) {
		struct writer writer;
		struct result result;

		writer_start(&writer, sink_memory(bytes), 1);
		read_path(writer.path, format, threads, &result);
		writer_end(&writer);
		cr_assert_eq(result.has_passed, may_pass, "%s", what);
		cr_assert_str_eq(result.folded.buffer, expected.folded.buffer, "%s", what);
		cr_assert_eq(result.skipped_count, expected.skipped_count, "%s", what);
		cr_assert_eq(result.first_skipped_line, expected.first_skipped_line, "%s", what);
		sink_deinit(&result.folded);
	}
	sink_deinit(&expected.folded);
	memory_file_close(&file);
}

static void compare(const struct sink *bytes, bool may_pass, const char *what)
{
	compare_as(NULL, bytes, may_pass, what);
}

static void write_folded_lines(struct sink *sink, size_t size_bytes)
{
	struct random random = { 3 };
	size_t end = sink->used + size_bytes;

	while (sink->used < end) {
		sink_puts(sink, "app");
		for (uint32_t depth = random_below(&random, 40); depth--;)
			sink_printf(sink, ";function_%u", random_below(&random, 9));
		sink_printf(sink, " %u\n", random_below(&random, 9));
	}
}

static void write_samples(struct sink *sink, size_t size_bytes)
{
	struct random random = { 5 };
	size_t end = sink->used + size_bytes;

	while (sink->used < end) {
		sink_printf(sink, "app %u [000] 1.%06u: 250000 cpu-clock: \n",
			    random_below(&random, 9), random_below(&random, 1000000));
		for (uint32_t depth = 1 + random_below(&random, 40); depth--;)
			sink_printf(sink, "\t    %x function_%u+0x1 (/bin/app)\n",
				    4096 + random_below(&random, 4096), random_below(&random, 9));
		sink_puts(sink, "\n");
	}
}

/* Writes a line of more than size_bytes bytes. */
static void write_long_line(struct sink *sink, size_t size_bytes)
{
	static char part[1 << 20];

	memset(part, 'x', sizeof(part));
	sink_puts(sink, "app;");
	for (size_t i = 0; i <= size_bytes / sizeof(part); i++)
		sink_bytes(sink, part, sizeof(part));
	sink_puts(sink, " 3\n");
}

Test(text_stream, reads_what_a_file_would_hold)
{
	static const struct {
		const char *what;
		void (*write)(struct sink *sink, size_t size_bytes);
		bool has_noise, has_long_line, is_cut;
	} rows[] = {
		{ "folded", write_folded_lines, false, false, false },
		{ "folded, with lines that are none, cut", write_folded_lines, true, false, true },
		{ "folded, with a line too long", write_folded_lines, true, true, false },
		{ "samples", write_samples, false, false, false },
		{ "samples, with lines that are none, cut", write_samples, true, false, true },
		{ "samples, with a line too long", write_samples, true, true, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		rows[i].write(&sink, INPUT_BYTES / 2);
		if (rows[i].has_long_line)
			write_long_line(&sink, LIMIT_TEXT_RECORD_BYTES);
		if (rows[i].has_noise)
			sink_puts(&sink, "noise of another stream\n");
		rows[i].write(&sink, INPUT_BYTES / 2);
		sink.used -= rows[i].is_cut ? 7 : 0;
		compare(&sink, true, rows[i].what);
		sink_deinit(&sink);
	}
	assert_no_leaks();
}

/*
 * Writes a sample whose frames continue after the kept part of the record, and after another
 * truncation.
 */
static void write_long_sample(struct sink *sink)
{
	size_t end = sink->used + 3 * LIMIT_TEXT_RECORD_BYTES;

	sink_puts(sink, "app 1 [000] 1.5: 250000 cpu-clock: \n");
	while (sink->used < end)
		sink_puts(sink, "\t    1000 long+0x1 (/bin/app)\n");
	sink_puts(sink, "\n");
}

Test(text_stream, makes_no_sample_of_the_end_of_one_too_long)
{
	static const struct input_format *const formats[] = { &inferno_format, &perl_format };
	struct sink sink;

	sink_init_memory(&sink);
	write_samples(&sink, INPUT_BYTES / 2);
	write_long_sample(&sink);
	write_samples(&sink, INPUT_BYTES / 2);
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		compare_as(formats[i], &sink, true, formats[i]->name);
	sink_deinit(&sink);
	assert_no_leaks();
}

Test(text_stream, makes_no_sample_of_what_is_behind_a_line_too_long)
{
	/* The long line is in the place of a frame, or of an event line. */
	static const char *const beginnings[] = {
		"app 1 [000] 1.5: 3 cpu-clock: \n\t    1000 before+0x1 (/bin/app)\n", ""
	};

	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++) {
		struct memory_file file;
		struct result result;
		struct sink sink;

		sink_init_memory(&sink);
		sink_puts(&sink, beginnings[i]);
		write_long_line(&sink, LIMIT_TEXT_RECORD_BYTES);
		sink_puts(&sink,
			  "\t    1000 behind+0x1 (/bin/app)\n\t    1000 main+0x1 (/bin/app)\n\n"
			  "app 1 [000] 1.6: 4 cpu-clock: \n\t    1000 next+0x1 (/bin/app)\n\n");
		memory_file_open(&file, sink.buffer, sink.used);
		read_path(file.path, &inferno_format, 1, &result);
		cr_assert_str_eq(result.folded.buffer, "[unknown];app;next 4\n");
		cr_assert_gt(result.skipped_count, 0);
		sink_deinit(&result.folded);
		memory_file_close(&file);
		sink_deinit(&sink);
	}
}

/* Input that is small, has to be read twice, or is not a text with samples goes to a temporary file. */
Test(text_stream, leaves_others_to_the_spool)
{
	struct sink sink;

	sink_init_memory(&sink);
	write_samples(&sink, 1000);
	compare(&sink, false, "small");
	sink.used = 0;
	for (uint32_t i = 0; sink.used < INPUT_HEAD_BYTES + 9; i++)
		sink_printf(&sink, "app;f%u 3 4\n", i % 9);
	compare(&sink, false, "two counts");
	sink.used = 0;
	sink_puts(&sink, "\xef\xbb\xbf");
	write_folded_lines(&sink, 2 * INPUT_HEAD_BYTES);
	compare(&sink, false, "with a byte order mark");
	sink.used = 0;
	sink_puts(&sink, "@[\n    f\n]: 3\n");
	while (sink.used < INPUT_HEAD_BYTES + 9)
		sink_puts(&sink, "@[\n    g\n    main\n]: 1\n");
	compare(&sink, false, "of bpftrace");
	sink_deinit(&sink);
}

static size_t peak_kib(void)
{
	struct rusage usage;

	cr_assert_eq(getrusage(RUSAGE_SELF, &usage), 0);
	return (size_t)usage.ru_maxrss;
}

Test(text_stream, takes_no_more_memory_for_more_of_the_same)
{
	struct writer writer;
	struct result result;
	struct sink sink;
	size_t before;
	size_t times;

	sink_init_memory(&sink);
	write_samples(&sink, 1 << 20);
	times = LONG_INPUT_BYTES / sink.used;
	before = peak_kib();
	writer_start(&writer, sink_memory(&sink), times);
	read_path(writer.path, NULL, 1, &result);
	writer_end(&writer);
	cr_assert(result.has_passed);
	/* A sanitizer keeps freed memory. */
	if (!HAS_ADDRESS_SANITIZER)
		cr_assert_lt((peak_kib() - before) << 10, LONG_INPUT_BYTES / 2);
	sink_deinit(&result.folded);
	sink_deinit(&sink);
}

/* Each line is longer than everything that is kept in memory. */
Test(text_stream, takes_no_more_memory_for_more_long_lines)
{
	struct writer writer;
	struct result result;
	struct sink sink;
	size_t before;

	sink_init_memory(&sink);
	write_folded_lines(&sink, 2 * INPUT_HEAD_BYTES);
	write_long_line(&sink, 8 * LIMIT_TEXT_RECORD_BYTES);
	before = peak_kib();
	writer_start(&writer, sink_memory(&sink), 3);
	read_path(writer.path, NULL, 1, &result);
	writer_end(&writer);
	cr_assert(result.has_passed);
	cr_assert_eq(result.skipped_count, 3);
	if (!HAS_ADDRESS_SANITIZER)
		cr_assert_lt((peak_kib() - before) << 10, 2 * LONG_INPUT_BYTES);
	sink_deinit(&result.folded);
	sink_deinit(&sink);
}
