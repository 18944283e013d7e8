/* SPDX-License-Identifier: MIT */
#include "symbolise/kernel/host_list.h"

#include <criterion/criterion.h>

#include <unistd.h>

#include "object/host_kernel.h"
#include "tests/support/leaks.h"
#include "tests/support/scratch.h"

struct fixture {
	struct build_id host;
	struct strings strings;
	struct modules modules;
	struct module *kernel;
	struct symbolise_options options;
};

/* A capture of this machine's kernel, which needs the list. */
static void begin(struct fixture *fixture)
{
	struct module kernel = { .kind = MODULE_KERNEL };

	if (!host_kernel_build_id(&kernel.build_id))
		cr_skip_test("this system does not tell its kernel's build-id");
	*fixture = (struct fixture){
		.host = kernel.build_id,
		.options = { .use_host_files = true, .thread_count = 2 },
	};
	strings_init(&fixture->strings);
	modules_init(&fixture->modules);
	kernel.path = strings_intern_text(&fixture->strings, "[kernel.kallsyms]");
	fixture->kernel =
		modules_get(&fixture->modules, modules_intern(&fixture->modules, &kernel));
}

static void end(struct fixture *fixture)
{
	modules_deinit(&fixture->modules);
	strings_deinit(&fixture->strings);
	assert_no_leaks();
}

static bool is_read(const struct fixture *fixture)
{
	struct host_list *list = host_list_begin(&fixture->modules, &fixture->options);
	bool is_read = list;

	host_list_destroy(list);
	return is_read;
}

Test(host_list, is_taken_once)
{
	struct file_bytes bytes;
	struct fixture fixture;
	struct host_list *list;
	bool is_there = access(HOST_KERNEL_LIST, R_OK) == 0;

	begin(&fixture);
	list = host_list_begin(&fixture.modules, &fixture.options);
	cr_assert(list);
	cr_assert_eq(host_list_take(list, &bytes), is_there);
	if (is_there) {
		cr_expect(host_kernel_has_list(
			(struct text){ bytes.at, (uint32_t)bytes.size_bytes }));
		cr_expect_not(host_list_take(list, &bytes));
		file_bytes_deinit(&bytes);
	}
	host_list_destroy(list);
	end(&fixture);
}

Test(host_list, is_read_only_if_needed)
{
	char hex[BUILD_ID_TEXT_BYTES], path[BUILD_ID_TEXT_BYTES + 32];
	struct fixture fixture;
	struct scratch scratch;

	begin(&fixture);
	cr_expect(is_read(&fixture));
	fixture.options.thread_count = 1;
	cr_expect_not(is_read(&fixture), "no thread is to spare");
	fixture.options.thread_count = 2;
	fixture.options.use_host_files = false;
	cr_expect_not(is_read(&fixture), "another machine's capture");
	fixture.options.use_host_files = true;
	fixture.kernel->build_id.bytes[0] ^= 1;
	cr_expect_not(is_read(&fixture), "another kernel");
	fixture.kernel->build_id.size_bytes = 0;
	cr_expect(is_read(&fixture), "a kernel without a build-id");
	fixture.kernel->build_id = fixture.host;
	fixture.kernel->kind = MODULE_FILE;
	cr_expect_not(is_read(&fixture), "no kernel");
	fixture.kernel->kind = MODULE_KERNEL;

	scratch_open(&scratch);
	fixture.options.build_id_cache = scratch.path;
	cr_expect(is_read(&fixture), "an empty cache");
	build_id_hex(&fixture.host, hex);
	snprintf(path, sizeof(path), ".build-id/%.2s/%s/kallsyms", hex, hex + 2);
	scratch_write(&scratch, path, "", 0);
	cr_expect_not(is_read(&fixture), "perf's cache has the list");
	scratch_close(&scratch);
	end(&fixture);
}

Test(host_list, none)
{
	struct file_bytes bytes;

	cr_expect_not(host_list_take(NULL, &bytes));
	host_list_destroy(NULL);
}
