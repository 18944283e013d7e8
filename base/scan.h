/* SPDX-License-Identifier: MIT */
/*
 * Classifies characters, and parses numbers in texts. No function depends on the locale. A scan_
 * function reads from the beginning of *rest and removes what it read. A scan_ function that fails
 * leaves *rest unchanged.
 *
 *     struct text rest = text_of("12 0x1f");
 *
 *     scan_u64(&rest, &number);      12, rest is " 0x1f"
 *     scan_blanks(&rest);            rest is "0x1f"
 *     scan_hex(&rest, &number);      31, rest is empty
 */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include <limits.h>

#include "base/strings.h"

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool is_alphanumeric(char c)
{
	return is_digit(c) || is_lower(c) || is_upper(c);
}

/* Whether the character can be part of a C identifier. */
static inline bool is_identifier(char c)
{
	return is_alphanumeric(c) || c == '_';
}

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Like isspace() in the C locale. */
static inline bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char to_lower(char c)
{
	return is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

/* 1 + the value of each hexadecimal digit; 0 for all other characters. */
extern const unsigned char scan_hex_values[UCHAR_MAX + 1];

/*
 * The value of a hexadecimal digit in either case; -1 for any other character. In long lists of
 * addresses, branches would often be mispredicted, so there is a table.
 */
static inline int hex_value(char c)
{
	return scan_hex_values[(unsigned char)c] - 1;
}

static inline bool is_hex_digit(char c)
{
	return hex_value(c) >= 0;
}

/* The number of decimal digits at the beginning. */
static inline uint32_t scan_digits_length(struct text text)
{
	uint32_t length = 0;

	while (length < text.length && is_digit(text.at[length]))
		length++;
	return length;
}

/*
 * The index at which the trailing decimal digits begin. Returns text.length if the text does not
 * end in a digit.
 */
static inline uint32_t scan_last_digits(struct text text)
{
	uint32_t begin = text.length;

	while (begin && is_digit(text.at[begin - 1]))
		begin--;
	return begin;
}

static inline bool scan_prefix(struct text *rest, const char *prefix)
{
	if (!text_has_prefix(*rest, prefix))
		return false;
	*rest = text_from(*rest, strlen(prefix));
	return true;
}

static inline bool scan_char(struct text *rest, char c)
{
	if (!rest->length || *rest->at != c)
		return false;
	*rest = text_from(*rest, 1);
	return true;
}

static inline void scan_blanks(struct text *rest)
{
	while (rest->length && is_blank(*rest->at))
		*rest = text_from(*rest, 1);
}

/* Appends a decimal digit to *value. On overflow, returns false and sets *value to UINT64_MAX. */
static inline bool scan_append_digit(uint64_t *value, char digit)
{
	if (__builtin_mul_overflow(*value, 10u, value) ||
	    __builtin_add_overflow(*value, (unsigned)(digit - '0'), value)) {
		*value = UINT64_MAX;
		return false;
	}
	return true;
}

/*
 * Reads a decimal number without a sign. Returns false if there is no digit, or if the number is
 * 2^64 or more.
 */
static inline bool scan_u64(struct text *rest, uint64_t *ret)
{
	/* Numbers of up to 19 digits are below 2^64. */
	uint32_t safe_length = rest->length < 19 ? rest->length : 19;
	uint64_t value = 0;
	uint32_t length = 0;

	for (; length < safe_length && is_digit(rest->at[length]); length++)
		value = value * 10 + (uint64_t)(rest->at[length] - '0');
	for (; length < rest->length && is_digit(rest->at[length]); length++)
		if (!scan_append_digit(&value, rest->at[length]))
			return false;
	if (!length)
		return false;
	*rest = text_from(*rest, length);
	*ret = value;
	return true;
}

/* Like scan_u64, for numbers below 2^32. */
static inline bool scan_u32(struct text *rest, uint32_t *ret)
{
	struct text left = *rest;
	uint64_t value;

	if (!scan_u64(&left, &value) || value > UINT32_MAX)
		return false;
	*rest = left;
	*ret = (uint32_t)value;
	return true;
}

/*
 * Like scan_u64, but reads numbers of 2^64 or more as UINT64_MAX. If there is no digit, *ret is 0.
 */
bool scan_u64_saturated(struct text *rest, uint64_t *ret);

/*
 * Reads a decimal number with an optional fraction, in units of 10^-decimals: with 3 decimals "1.2"
 * is 1200. Further digits of the fraction are dropped. Returns false if there is no leading digit,
 * or on overflow.
 */
bool scan_decimal(struct text *rest, unsigned decimals, uint64_t *ret);

struct scanned_number {
	int64_t value;
	bool is_rounded; /* the number has more decimals than were requested */
};

/*
 * Reads a decimal number with an optional sign, fraction and exponent, in units of 10^-decimals:
 * with 3 decimals "-1.2e1" is -12000. Further decimals are rounded. Returns false if there is no
 * leading digit, or if the result is 2^63 or more.
 */
bool scan_number(struct text *rest, unsigned decimals, struct scanned_number *ret);

/* Reads "12:34:56", with or without a fraction of a second, as nanoseconds since midnight. */
bool scan_time_of_day(struct text *rest, uint64_t *ns_ret);

/*
 * Reads the digits after a decimal point, in units of 10^-decimals (at most 19). Further digits are
 * dropped. 0 if there are no digits.
 */
uint64_t scan_fraction(struct text *rest, unsigned decimals);

/*
 * Reads a hexadecimal number, with or without 0x. Returns false if there is no digit, or if there
 * are more than 16.
 */
static inline bool scan_hex(struct text *rest, uint64_t *ret)
{
	uint32_t begin =
		rest->length > 2 && rest->at[0] == '0' && (rest->at[1] | 32) == 'x' ? 2 : 0;
	uint32_t length = begin;
	uint64_t value = 0;

	for (; length < rest->length; length++) {
		int digit = hex_value(rest->at[length]);

		if (digit < 0)
			break;
		value = value << 4 | (uint64_t)digit;
	}
	if (length == begin || length - begin > 16)
		return false;
	*rest = text_from(*rest, length);
	*ret = value;
	return true;
}

/*
 * Parses a text that consists of a decimal number only. For any other text, or if the number is
 * 2^64 or more, returns false and leaves *ret unchanged.
 */
static inline bool text_to_u64(struct text text, uint64_t *ret)
{
	uint64_t value;

	if (!scan_u64(&text, &value) || text.length)
		return false;
	*ret = value;
	return true;
}

static inline bool text_to_u32(struct text text, uint32_t *ret)
{
	uint32_t value;

	if (!scan_u32(&text, &value) || text.length)
		return false;
	*ret = value;
	return true;
}

#endif
