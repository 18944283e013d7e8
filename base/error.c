/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>

static void set(struct error *err, enum error_code code, const char *format, va_list args)
{
	err->code = code;
	err->has_offset = false;
	err->offset = 0;
	vsnprintf(err->text, sizeof(err->text), format, args);
}

bool error_set(struct error *err, enum error_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, code, format, args);
	va_end(args);
	return false;
}

bool error_set_at(struct error *err, enum error_code code, uint64_t offset, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, code, format, args);
	va_end(args);
	err->has_offset = true;
	err->offset = offset;
	return false;
}

static enum error_code code_of(int number)
{
	switch (number) {
	case EACCES:
		return ERROR_DENIED;
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case ENOSPC:
	case EDQUOT:
		return ERROR_RESOURCE;
	default:
		return ERROR_IO;
	}
}

bool error_set_errno(struct error *err, const char *format, ...)
{
	int saved = errno;
	va_list args;
	size_t length;

	va_start(args, format);
	set(err, code_of(saved), format, args);
	va_end(args);
	length = strlen(err->text);
	snprintf(err->text + length, sizeof(err->text) - length, ": %s", strerror(saved));
	return false;
}

bool error_prefix(struct error *err, const char *format, ...)
{
	char rest[sizeof(err->text)];
	va_list args;
	size_t length;

	memcpy(rest, err->text, sizeof(rest));
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	length = strlen(err->text);
	snprintf(err->text + length, sizeof(err->text) - length, ": %s", rest);
	return false;
}

const char *error_text(const struct error *err, char *buffer, size_t size)
{
	if (err->has_offset)
		snprintf(buffer, size, "%s (at byte %" PRIu64 ")", err->text, err->offset);
	else
		snprintf(buffer, size, "%s", err->text);
	return buffer;
}
