/* SPDX-License-Identifier: MIT */
#include "object/host_kernel.h"
#include "session/bundle.h"

static double share_of(const struct session *session, size_t row)
{
	return row < session->module_shares.count ? session->module_shares.at[row] : 0;
}

static void add_kernel(struct bundle_denied *denied, double share)
{
	denied->is_kernel = true;
	/* Nearly every stack of a module has frames of the kernel too. */
	denied->kernel_share = share > denied->kernel_share ? share : denied->kernel_share;
}

static void add_file(struct bundle_denied *denied, const struct module *module, double share)
{
	denied->file_count++;
	if (denied->file && share <= denied->file_share)
		return;
	denied->file = module;
	denied->file_share = share;
}

struct bundle_denied bundle_denied_of(const struct session *session)
{
	const struct modules *modules = session->profile.modules;
	struct bundle_denied denied = { .kptr_restrict = -1, .paranoid = -1 };

	for (size_t i = 0; i < modules->rows.count; i++) {
		const struct module *module = &modules->rows.at[i];

		if (!module->is_denied || module->named_count || !module->location_count)
			continue;
		if (module->kind == MODULE_KERNEL || module->kind == MODULE_KERNEL_MODULE)
			add_kernel(&denied, share_of(session, i));
		else
			add_file(&denied, module, share_of(session, i));
	}
	if (denied.is_kernel) {
		denied.kptr_restrict = host_kernel_setting("kptr_restrict");
		denied.paranoid = host_kernel_setting("perf_event_paranoid");
	}
	return denied;
}
