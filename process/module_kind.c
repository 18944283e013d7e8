/* SPDX-License-Identifier: MIT */
#include "process/module_kind.h"

#include "base/scan.h"

static bool matches_any(struct text path, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (text_has_prefix(path, *prefixes))
			return true;
	return false;
}

/* Prefixes of paths for memory that may contain JIT code. */
static const char *const anonymous_prefixes[] = {
	"//anon", "[anon:", "/dev/zero", "/anon_hugepage", "/SYSV", "[heap]", "[stack", NULL,
};

static const char *const special_prefixes[] = {
	"[", "anon_inode:", "//", "/dev/", "/proc/", NULL,
};

/*
 * An in-memory file (memfd) can contain JIT code. The process writes the code through one shared
 * mapping and runs it through another. A memfd can also contain a copied program, but a program has
 * private mappings.
 */
static bool is_compiled_into_file(const struct event_mmap *mmap)
{
	return text_has_prefix(mmap->path, "/memfd:") && !mmap->is_private;
}

static const char kernel_path[] = "[kernel.kallsyms]";

static enum module_kind kernel_kind(struct text path)
{
	return text_has_prefix(path, kernel_path) || !module_is_kernel_module_path(path)
		       ? MODULE_KERNEL
		       : MODULE_KERNEL_MODULE;
}

enum module_kind module_kind_of(const struct event_mmap *mmap)
{
	struct text path = mmap->path;

	if (mmap->is_guest)
		return MODULE_GUEST;
	if (mmap->is_kernel)
		return kernel_kind(path);
	if (text_has_prefix(path, "[vdso"))
		return MODULE_VDSO;
	if (path.length == 0 || matches_any(path, anonymous_prefixes) ||
	    is_compiled_into_file(mmap))
		return MODULE_ANONYMOUS;
	if (matches_any(path, special_prefixes))
		return MODULE_SPECIAL;
	return MODULE_FILE;
}

/*
 * Whether the path is a perf map. If the path is a perf map, extracts the PID, such as "4711" from
 * /tmp/perf-4711.map.
 */
static bool is_perf_map(struct text path, uint32_t *pid_ret)
{
	static const char prefix[] = "/tmp/perf-";
	const char *at = memmem(path.at, path.length, prefix, sizeof(prefix) - 1);
	struct text rest;

	if (!at || !text_has_suffix(path, ".map"))
		return false;
	rest = text_from(path, (size_t)(at - path.at) + sizeof(prefix) - 1);
	*pid_ret = 0;
	scan_u32(&rest, pid_ret);
	return scan_char(&rest, '.');
}

/*
 * Whether the path is a kernel file or a module file: vmlinux, vmlinux-6.1.0, vmlinux.debug,
 * ext4.ko, ext4.ko.xz.
 */
static bool is_kernel_file(struct text path)
{
	struct text name = text_basename(path);
	const char *suffix = memmem(name.at, name.length, ".ko", 3);

	if (text_has_prefix(name, "vmlinux"))
		return name.length == strlen("vmlinux") || strchr("-._", name.at[7]);
	return suffix && (suffix + 3 == name.at + name.length || suffix[3] == '.');
}

/* Whether a name in brackets belongs to a process. Other names, such as [ext4], are kernel
 * modules. */
static bool is_of_process(struct text path)
{
	static const char *const names[] = {
		"[vvar",     "[vsyscall]", "[vectors]", "[sigpage]", "[uprobes]",
		"[unknown]", "[heap]",     "[stack",    "[anon",     NULL,
	};

	return matches_any(path, names);
}

enum module_kind module_kind_of_text(struct text path, uint32_t *pid_ret)
{
	static const char *const bpf[] = { "bpf_prog_", "bpf_trampoline_", "bpf_dispatcher_",
					   NULL };
	struct event_mmap mmap = { .path = path };

	if (is_perf_map(path, pid_ret))
		return MODULE_ANONYMOUS;
	if (text_has_prefix(path, "[guest."))
		return MODULE_GUEST;
	if (text_has_prefix(path, "[kernel.") || text_has_prefix(path, "[kernel]"))
		return MODULE_KERNEL;
	if (matches_any(path, bpf))
		return MODULE_KSYMBOL;
	if (is_kernel_file(path))
		return text_has_prefix(text_basename(path), "vmlinux") ? MODULE_KERNEL
								       : MODULE_KERNEL_MODULE;
	if (text_has_prefix(path, "[vdso"))
		return MODULE_VDSO;
	if (text_has_prefix(path, "[") && text_has_suffix(path, "]"))
		return is_of_process(path) ? MODULE_SPECIAL : MODULE_KERNEL_MODULE;
	return module_kind_of(&mmap);
}

bool module_is_kernel_module_path(struct text path)
{
	if (text_has_prefix(path, "[kernel.") || text_has_prefix(path, "[guest.kernel."))
		return false;
	return text_has_prefix(path, "[") || memmem(path.at, path.length, ".ko", 3) != NULL;
}

struct text module_kernel_module_name(struct text path)
{
	struct text name = text_basename(path);
	const char *suffix = memmem(name.at, name.length, ".ko", 3);

	if (suffix)
		name.length = (uint32_t)(suffix - name.at);
	if (name.length > 2 && text_has_prefix(name, "[") && text_has_suffix(name, "]"))
		name = (struct text){ name.at + 1, name.length - 2 };
	return name;
}

struct text module_kernel_reference(struct text path)
{
	size_t length = sizeof(kernel_path) - 1;

	if (!text_has_prefix(path, kernel_path))
		return (struct text){ "", 0 };
	return (struct text){ path.at + length, path.length - (uint32_t)length };
}
