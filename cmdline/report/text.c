/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include <string.h>

#include "base/path.h"
#include "report/template.h"

static struct {
	enum report_names names;
	const char *(*dir_of)(const void *argument, const char *disk);
	const void *argument;
} naming = { .names = NAMES_IN_DISK };

void text_name_files(enum report_names names, const char *(*dir_of)(const void *argument, const char *disk),
		     const void *argument)
{
	naming.names = names;
	naming.dir_of = dir_of;
	naming.argument = argument;
}

/* What goes before the path of a file on that disk. */
static void add_disk(struct buf *out, const char *disk)
{
	const char *dir;

	if (naming.names == NAMES_WITH_DISK) {
		buf_printf(out, "%s:", disk);
	} else if (naming.names == NAMES_FULL) {
		dir = naming.dir_of(naming.argument, disk);
		buf_str(out, dir == NULL ? "" : dir);
	}
}

static void escape_line_ends(struct buf *out, const char *name)
{
	for (; *name != '\0'; ++name) {
		if (*name == '\n')
			buf_str(out, "\\n");
		else if (*name == '\r')
			buf_str(out, "\\r");
		else
			buf_char(out, *name);
	}
}

static void escape_control(struct buf *out, const char *name)
{
	for (; *name != '\0'; ++name) {
		unsigned char c = (unsigned char)*name;

		if (c < 0x20 || c == 0x7f)
			buf_printf(out, "\\x%02x", c);
		else
			buf_char(out, *name);
	}
}

/* The name as the slot wants it, for a reader that takes bytes as they are. */
static void render_name(struct buf *out, const struct template_slot *slot, const char *name)
{
	switch (slot->escape) {
	case 'e':
		path_escape_shell(out, name);
		break;
	case 'q':
		buf_char(out, '\'');
		escape_control(out, name);
		buf_char(out, '\'');
		break;
	default:
		buf_str(out, name);
		break;
	}
}

static void render_string(struct buf *out, const struct template_slot *slot, enum text_for target, const char *name)
{
	struct buf plain = { 0 };
	size_t pad;

	/* Most names are of this kind: a reader of a pipe takes them byte by byte, in any width. */
	if (target == TEXT_PIPE && slot->width == 0) {
		render_name(out, slot, name);
		return;
	}
	/* Nobody pastes a name of the log into a shell. */
	if (target == TEXT_LOG && slot->escape == 'e')
		buf_str(&plain, name);
	else
		render_name(&plain, slot, name);
	for (pad = plain.size; pad < slot->width; ++pad)
		buf_char(out, ' ');
	if (plain.size == 0)
		;
	else if (target == TEXT_TERMINAL)
		path_escape_terminal(out, plain.data);
	else if (target == TEXT_LOG)
		escape_line_ends(out, plain.data);
	else
		buf_add(out, plain.data, plain.size);
	buf_done(&plain);
}

static void render_file(struct buf *out, const struct template_slot *slot, enum text_for target, unsigned count,
			const struct field *fields)
{
	const struct field *field = template_field(slot, count, fields);
	const char *name = field->s == NULL ? "" : field->s;
	struct template_slot disk = { .field = (unsigned)slot->disk };
	struct buf full = { 0 };

	if (slot->disk < 0 || naming.names == NAMES_IN_DISK) {
		render_string(out, slot, target, name);
		return;
	}
	add_disk(&full, template_field(&disk, count, fields)->s);
	buf_str(&full, name);
	render_string(out, slot, target, full.data);
	buf_done(&full);
}

void text_render(struct buf *out, const char *text, enum text_for target, unsigned count,
		 const struct field *fields)
{
	struct template_slot slot;

	while (template_next(&text, out, &slot) == TEMPLATE_SLOT) {
		const struct field *field = template_field(&slot, count, fields);

		if (field->kind == FIELD_STRING)
			render_file(out, &slot, target, count, fields);
		else
			template_number(out, &slot, field);
	}
}

const char *text_line(const char *from, size_t *size)
{
	if (from == NULL)
		return NULL;
	from += strspn(from, "\n");
	*size = strcspn(from, "\n");
	return *size > 0 ? from : NULL;
}
