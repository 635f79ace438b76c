/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/tag.h"

#include <string.h>

#include "base/path.h"
#include "report/template.h"
#include "report/text.h"

void tag_render(struct buf *out, const char *tag, unsigned count, const struct field *fields)
{
	struct template_slot slot;

	while (template_next(&tag, out, &slot) == TEMPLATE_SLOT) {
		const struct field *field = template_field(&slot, count, fields);

		if (field->kind != FIELD_STRING)
			template_number(out, &slot, field);
		else if (field->s != NULL)
			path_escape_tag(out, field->s);
	}
	buf_char(out, '\n');
}

void tag_render_message(struct buf *out, const char *level, const char *text, unsigned count,
			const struct field *fields)
{
	struct buf rendered = { 0 };
	const char *line;
	size_t size;

	text_render(&rendered, text, TEXT_LOG, count, fields);
	for (line = text_line(rendered.data, &size); line != NULL; line = text_line(line + size, &size)) {
		buf_printf(out, "msg:%s: ", level);
		buf_add(out, line, size);
		buf_char(out, '\n');
	}
	buf_done(&rendered);
}
