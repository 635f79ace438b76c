/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/json.h"

#include <math.h>
#include <string.h>

#include "base/path.h"
#include "report/template.h"
#include "report/text.h"

static void add_string(struct buf *out, const char *text, size_t size)
{
	const char *end = text + size;

	buf_char(out, '"');
	while (text < end) {
		uint32_t code;
		size_t length = path_character(text, &code);

		if (length == 0)
			buf_printf(out, "\\udc%02x", (unsigned char)*text);
		else if (code < 0x20 || code == 0x7f)
			buf_printf(out, "\\u%04x", (unsigned)code);
		else if (code == '"' || code == '\\')
			buf_printf(out, "\\%c", *text);
		else
			buf_add(out, text, length);
		text += length == 0 ? 1 : length;
	}
	buf_char(out, '"');
}

/* A line on its way. */
struct line {
	struct buf *out;
	struct buf part;	/* the field, or the text, that is being put together */
	bool begun;		/* the object is open */
	bool in_text;		/* behind the fields */
	bool number;		/* the part is one number */
};

static void begin_line(struct line *line)
{
	if (!line->begun)
		buf_str(line->out, "{\"tag\":[");
	line->begun = true;
}

static void end_field(struct line *line)
{
	begin_line(line);
	if (line->number)
		buf_add(line->out, line->part.data, line->part.size);
	else
		add_string(line->out, line->part.data == NULL ? "" : line->part.data, line->part.size);
	line->number = false;
	buf_clear(&line->part);
}

static void begin_text(struct line *line)
{
	/* The comma before it was written for a field. */
	line->out->size--;
	line->in_text = true;
}

static void end_line(struct line *line)
{
	if (!line->in_text)
		end_field(line);
	buf_char(line->out, ']');
	if (line->in_text) {
		buf_str(line->out, ",\"text\":");
		add_string(line->out, line->part.data == NULL ? "" : line->part.data, line->part.size);
	}
	buf_str(line->out, "}\n");
	line->begun = line->in_text = line->number = false;
	buf_clear(&line->part);
}

static void add_literal(struct line *line, const struct buf *literal)
{
	for (size_t i = 0; i < literal->size; ++i) {
		char c = literal->data[i];

		if (c == '\n') {
			end_line(line);
		} else if (c == ':' && !line->in_text) {
			end_field(line);
			buf_char(line->out, ',');
		} else if (c == ' ' && !line->in_text && line->begun && line->part.size == 0) {
			begin_text(line);
		} else {
			line->number = false;
			buf_char(&line->part, c);
		}
	}
}

static void add_slot(struct line *line, const struct template_slot *slot, const struct field *field)
{
	if (field->kind == FIELD_STRING) {
		line->number = false;
		buf_str(&line->part, field->s == NULL ? "" : field->s);
		return;
	}
	line->number = line->part.size == 0 && !slot->zero_fill && slot->width == 0 &&
		       (field->kind != FIELD_DOUBLE || isfinite(field->d));
	template_number(&line->part, slot, field);
}

void json_render(struct buf *out, const char *tag, unsigned count, const struct field *fields)
{
	struct line line = { .out = out };
	struct buf literal = { 0 };
	enum template_step step;
	struct template_slot slot;

	do {
		buf_clear(&literal);
		step = template_next(&tag, &literal, &slot);
		add_literal(&line, &literal);
		if (step == TEMPLATE_SLOT)
			add_slot(&line, &slot, template_field(&slot, count, fields));
	} while (step == TEMPLATE_SLOT);
	end_line(&line);
	buf_done(&literal);
	buf_done(&line.part);
}

void json_render_message(struct buf *out, const char *level, const char *text, unsigned count,
			 const struct field *fields)
{
	struct buf rendered = { 0 };
	const char *line;
	size_t size;

	text_render(&rendered, text, TEXT_LOG, count, fields);
	for (line = text_line(rendered.data, &size); line != NULL; line = text_line(line + size, &size)) {
		buf_printf(out, "{\"tag\":[\"msg\",\"%s\"],\"text\":", level);
		add_string(out, line, size);
		buf_str(out, "}\n");
	}
	buf_done(&rendered);
}
