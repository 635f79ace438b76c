/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/template.h"

#include <inttypes.h>

static unsigned read_digits(const char **at)
{
	unsigned value = 0;

	while (**at >= '0' && **at <= '9' && value < 1000)
		value = value * 10 + (unsigned)(*(*at)++ - '0');
	return value;
}

/* "{0}" "{1@0}" "{0:8}" "{0:02}" "{0:.1}" "{0:e}", with `*at` behind the brace. */
static bool read_slot(const char **at, struct template_slot *slot)
{
	*slot = (struct template_slot){ .disk = -1, .precision = -1 };
	if (**at < '0' || **at > '9')
		return false;
	slot->field = read_digits(at);
	if (**at == '@') {
		++*at;
		slot->disk = (int)read_digits(at);
	}
	if (**at == ':') {
		const char *begin = ++*at;

		if (**at == 'e' || **at == 'q') {
			slot->escape = *(*at)++;
		} else {
			slot->zero_fill = **at == '0';
			slot->width = read_digits(at);
			if (**at == '.') {
				++*at;
				slot->precision = (int)read_digits(at);
			}
		}
		if (*at == begin)
			return false;
	}
	return *(*at)++ == '}';
}

enum template_step template_next(const char **at, struct buf *out, struct template_slot *slot)
{
	while (**at != '\0') {
		if (**at != '{') {
			buf_char(out, *(*at)++);
		} else if ((*at)[1] == '{') {
			buf_char(out, '{');
			*at += 2;
		} else {
			++*at;
			return read_slot(at, slot) ? TEMPLATE_SLOT : TEMPLATE_BAD;
		}
	}
	return TEMPLATE_END;
}

void template_number(struct buf *out, const struct template_slot *slot, const struct field *field)
{
	int width = (int)slot->width;
	char fill = slot->zero_fill ? '0' : ' ';

	switch (field->kind) {
	case FIELD_SIGNED:
		if (field->i >= 0)
			buf_decimal(out, (uint64_t)field->i, slot->width, fill);
		else
			buf_printf(out, slot->zero_fill ? "%0*" PRId64 : "%*" PRId64, width, field->i);
		break;
	case FIELD_UNSIGNED:
		buf_decimal(out, field->u, slot->width, fill);
		break;
	case FIELD_DOUBLE:
		if (slot->precision < 0)
			buf_printf(out, "%*g", width, field->d);
		else
			buf_printf(out, "%*.*f", width, slot->precision, field->d);
		break;
	case FIELD_STRING:
		break;
	}
}

const struct field *template_field(const struct template_slot *slot, unsigned count, const struct field *fields)
{
	static const struct field missing = { .kind = FIELD_STRING, .s = "?" };

	return slot->field < count ? &fields[slot->field] : &missing;
}
