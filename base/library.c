/* SPDX-License-Identifier: MIT */
#include "base/library.h"

#include <string.h>

#ifdef HAVE_DLOPEN
#include <dlfcn.h>

bool library_load(const char *soname, const char *const *names, void *ret)
{
	void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	char *at = ret;

	if (!library)
		return false;
	for (; *names; names++, at += sizeof(void *)) {
		void *function = dlsym(library, *names);

		if (!function)
			break;
		memcpy(at, &function, sizeof(function));
	}
	dlclose(library);
	return !*names;
}
#else
bool library_load(const char *soname, const char *const *names, void *ret)
{
	(void)soname;
	(void)names;
	(void)ret;
	return false;
}
#endif
