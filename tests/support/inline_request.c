/* SPDX-License-Identifier: MIT */
#include "tests/support/inline_request.h"

#include "object/file.h"
#include "sandbox/lockdown.h"
#include "symbolise/symbolise.h"
#include "tests/support/memory_file.h"

#ifdef HAVE_LIBDW

void inline_request_start(struct service *service)
{
	const struct lockdown_kernel kernel = lockdown_probe();

	service_start(service, symbolise_service_kinds, &kernel);
}

static int open_place(void *context, const char *offer, const char *path)
{
	struct error ignored;

	(void)context;
	return *offer == 'R' ? file_open_beneath(offer + 1, path, &ignored)
			     : file_open(offer + 1, &ignored);
}

bool inline_request_send(const struct service *helper, const struct dwarf_files *files,
			 const struct dwarf_request *request, struct inline_table *table,
			 byte_list *split_files, struct error *err)
{
	const struct dwarf_opener opener = { open_place, NULL };
	struct dwarf_reading reading;

	if (!dwarf_helper_begin(helper, files, &reading, err))
		return false;
	dwarf_reading_send(&reading, request);
	return dwarf_reading_receive(&reading, &opener, table, split_files, err);
}

bool inline_request_addresses(const struct service *helper, const void *file, size_t size_bytes,
			      const uint64_t *addresses, size_t count, struct inline_table *table)
{
	struct dwarf_files files = { .shared_fd = -1 };
	struct dwarf_request request = {
		.addresses = addresses,
		.address_count = count,
		.places = { "", 0 },
	};
	struct memory_file memory;
	struct error err = { .text = "" };
	bool good;

	memory_file_open(&memory, file, size_bytes);
	files.fd = memory.fd;
	inline_table_init(table);
	good = inline_request_send(helper, &files, &request, table, NULL, &err);
	/* Fuzz targets are linked with this file, but not with Criterion. */
	if (good != !*err.text)
		abort();
	memory_file_close(&memory);
	return good;
}

const char *inline_names_at(const struct inline_table *table, uint64_t address)
{
	static char text[500];
	uint32_t node = inline_table_find(table, address);

	*text = '\0';
	for (; node != INLINE_NONE; node = table->nodes.at[node].parent)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", *text ? "<" : "",
			 inline_table_text(table, table->nodes.at[node].name).at);
	return text;
}

#endif
