/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/units.h"

#include <string.h>

static unsigned digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

/* The digits at the start of `text`, at least one. Returns what follows them; NULL if there is none, or on
 * overflow. strtoull() would take signs, blanks and, in new C libraries, more prefixes. */
static const char *parse_digits(const char *text, unsigned base, uint64_t *number)
{
	const char *at = text;

	*number = 0;
	for (; digit_value(*at) < base; ++at)
		if (__builtin_mul_overflow(*number, base, number) ||
		    __builtin_add_overflow(*number, digit_value(*at), number))
			return NULL;
	return at > text ? at : NULL;
}

bool units_parse_size(const char *text, uint64_t *bytes)
{
	static const struct {
		char letter[3];
		uint64_t factor;
	} unit[] = {
		{ "kK", 1000 },
		{ "mM", 1000000 },
		{ "gG", 1000000000 },
		{ "tT", 1000000000000 },
	};
	uint64_t factor = 1, number;
	const char *rest = parse_digits(text, 10, &number);

	if (rest == NULL)
		return false;
	for (unsigned i = 0; i < sizeof(unit) / sizeof(unit[0]) && *rest != '\0'; ++i) {
		if (strchr(unit[i].letter, *rest) != NULL) {
			factor = unit[i].factor;
			++rest;
			break;
		}
	}
	if (*rest != '\0' || __builtin_mul_overflow(number, factor, &number))
		return false;
	*bytes = number;
	return true;
}

static bool parse_whole(const char *text, unsigned base, uint64_t *number)
{
	uint64_t value;
	const char *rest = parse_digits(text, base, &value);

	if (rest == NULL || *rest != '\0')
		return false;
	*number = value;
	return true;
}

bool units_parse_number(const char *text, uint64_t *number)
{
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return parse_whole(text + 2, 16, number);
	return parse_whole(text, text[0] == '0' ? 8 : 10, number);
}

bool units_parse_decimal(const char *text, uint64_t *number)
{
	return parse_whole(text, 10, number);
}
