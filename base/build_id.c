/* SPDX-License-Identifier: MIT */
#include "base/build_id.h"

#include "base/scan.h"

bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	uint8_t shared = a->size_bytes < b->size_bytes ? a->size_bytes : b->size_bytes;
	const struct build_id *longer = a->size_bytes < b->size_bytes ? b : a;

	if (shared == 0 || (a->size_bytes != b->size_bytes && shared < BUILD_ID_BYTES_MIN))
		return false;
	if (memcmp(a->bytes, b->bytes, shared) != 0)
		return false;
	for (uint8_t i = shared; i < longer->size_bytes; i++)
		if (longer->bytes[i])
			return false;
	return true;
}

const char *build_id_hex(const struct build_id *id, char *buffer)
{
	static const char digits[] = "0123456789abcdef";
	size_t length = 0;

	for (uint8_t i = 0; i < id->size_bytes && i < BUILD_ID_BYTES_MAX; i++) {
		buffer[length++] = digits[id->bytes[i] >> 4];
		buffer[length++] = digits[id->bytes[i] & 15];
	}
	buffer[length] = '\0';
	return buffer;
}

bool build_id_parse(struct text hex, struct build_id *ret)
{
	struct build_id id = { .size_bytes = 0 };

	if (hex.length % 2 || hex.length > 2 * BUILD_ID_BYTES_MAX ||
	    hex.length < 2 * BUILD_ID_BYTES_MIN)
		return false;
	for (uint32_t i = 0; i < hex.length; i += 2) {
		int high = hex_value(hex.at[i]);
		int low = hex_value(hex.at[i + 1]);

		if (high < 0 || low < 0)
			return false;
		id.bytes[id.size_bytes++] = (uint8_t)(high << 4 | low);
	}
	*ret = id;
	return true;
}
