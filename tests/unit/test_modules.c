/* SPDX-License-Identifier: MIT */
#include "profile/module.h"

#include <criterion/criterion.h>

static const struct module base = {
	.path = { 5 },
	.kind = MODULE_FILE,
	.build_id = { .bytes = { 1, 2, 3, 4 }, .size_bytes = 4 },
	.device_major = 8,
	.device_minor = 1,
	.inode = 77,
	.reference_symbol = { 6 },
	.reference_address = 0x1000,
	.start = 0x2000,
	.end = 0x3000,
};

/* Each of these differs from the base in one thing, and is another module by it. */
static void change(struct module *module, unsigned what)
{
	switch (what) {
	case 0:
		module->path.i++;
		break;
	case 1:
		module->kind = MODULE_VDSO;
		break;
	case 2:
		module->pid = 9;
		break;
	case 3:
		module->build_id.bytes[3]++;
		break;
	case 4:
		module->build_id.size_bytes = 3;
		break;
	case 5:
		module->device_major++;
		break;
	case 6:
		module->device_minor++;
		break;
	case 7:
		module->inode++;
		break;
	case 8:
		module->reference_symbol.i++;
		break;
	case 9:
		module->reference_address++;
		break;
	case 10:
		module->start++;
		break;
	case 11:
		module->end++;
		break;
	}
}

#define CHANGE_COUNT 12

Test(modules, identity)
{
	struct modules modules;

	modules_init(&modules);
	cr_assert_eq(modules_intern(&modules, &base).i, 0);
	for (unsigned i = 0; i < CHANGE_COUNT; i++) {
		struct module other = base;

		change(&other, i);
		cr_expect_eq(modules_intern(&modules, &other).i, i + 1, "change %u", i);
		cr_expect_eq(modules_intern(&modules, &other).i, i + 1, "change %u, again", i);
	}
	cr_expect_eq(modules.rows.count, CHANGE_COUNT + 1);
	modules_deinit(&modules);
}

/* What symbolise finds out belongs to no identity. */
Test(modules, verdicts_do_not_tell_modules_apart)
{
	struct modules modules;
	struct module other = base;

	other.verdict = VERDICT_MISSING;
	other.reason = (str_id){ 3 };
	other.named_count = 1;
	modules_init(&modules);
	modules_intern(&modules, &base);
	cr_expect_eq(modules_intern(&modules, &other).i, 0);
	cr_expect_eq(modules_get(&modules, (module_id){ 0 })->verdict, VERDICT_UNTOUCHED);
	modules_deinit(&modules);
}

Test(modules, many)
{
	struct modules modules;

	modules_init(&modules);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 5000; i++) {
			struct module module = { .path = { i / 4 }, .pid = i % 4 };

			cr_assert_eq(modules_intern(&modules, &module).i, i);
		}
	cr_expect_eq(modules.rows.count, 5000);
	modules_deinit(&modules);
}
