/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/path.h"

#include <string.h>

#include "base/mem.h"

/* Length without the slashes at the end; those of the root itself stay away too, so "/" has 0. */
static size_t length_without_slash(const char *path, size_t size)
{
	while (size > 0 && path[size - 1] == '/')
		--size;
	return size;
}

char *path_join(const char *dir, const char *name)
{
	if (dir[0] == '\0')
		return mem_strdup(name);
	while (*name == '/')
		++name;
	return mem_printf("%.*s/%s", (int)length_without_slash(dir, strlen(dir)), dir, name);
}

char *path_add_suffix(const char *path, const char *suffix)
{
	return mem_printf("%s%s", path, suffix);
}

char *path_parent(const char *path)
{
	size_t size = length_without_slash(path, (size_t)(path_name(path) - path));

	if (size == 0)
		return mem_strdup(path[0] == '/' ? "/" : "");
	return mem_printf("%.*s", (int)size, path);
}

char *path_dir(const char *path)
{
	return path_name(path) == path ? mem_strdup(".") : path_parent(path);
}

const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

char *path_with_slash(const char *dir)
{
	return mem_printf("%.*s/", (int)length_without_slash(dir, strlen(dir)), dir);
}

bool path_is_safe(const char *path, size_t size)
{
	const char *end = path + size;

	if (size == 0 || memchr(path, '\0', size) != NULL)
		return false;
	for (;;) {
		const char *slash = memchr(path, '/', (size_t)(end - path));
		size_t length = (size_t)((slash != NULL ? slash : end) - path);

		if (length == 0 || (length == 1 && path[0] == '.') ||
		    (length == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		if (slash == NULL)
			return true;
		path = slash + 1;
	}
}

void path_escape_tag(struct buf *out, const char *text)
{
	for (; *text != '\0'; ++text) {
		switch (*text) {
		case '\\':
			buf_str(out, "\\\\");
			break;
		case ':':
			buf_str(out, "\\d");
			break;
		case '\n':
			buf_str(out, "\\n");
			break;
		case '\r':
			buf_str(out, "\\r");
			break;
		default:
			buf_char(out, *text);
		}
	}
}

void path_escape_shell(struct buf *out, const char *text)
{
	static const bool special[256] = {
		[' '] = true, ['\t'] = true, ['\n'] = true, ['\r'] = true, ['~'] = true, ['`'] = true, ['#'] = true,
		['$'] = true, ['&'] = true, ['*'] = true, ['('] = true, [')'] = true, ['\\'] = true, ['|'] = true,
		['['] = true, [']'] = true, ['{'] = true, ['}'] = true, [';'] = true, ['\''] = true, ['"'] = true,
		['<'] = true, ['>'] = true, ['?'] = true, ['='] = true, ['!'] = true, ['\0'] = true,
	};
	const char *end;

	for (; *text != '\0'; text = end) {
		if (special[(unsigned char)*text])
			buf_char(out, '\\');
		for (end = text + 1; !special[(unsigned char)*end]; ++end)
			;
		buf_add(out, text, (size_t)(end - text));
	}
}

/* Bytes of the printable character that starts at `text`, 0 if there is none: a control character (C1 ones,
 * U+0080 to U+009F, too) or bytes that are not UTF-8 in its shortest form. */
static unsigned printable_size(const unsigned char *text)
{
	static const struct {
		unsigned char mask, head;
		uint32_t least;
	} form[] = { { 0xe0, 0xc0, 0xa0 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };

	if (text[0] < 0x80)
		return text[0] >= 0x20 && text[0] != 0x7f;
	for (unsigned more = 1; more <= 3; ++more) {
		uint32_t code = text[0] & (unsigned char)~form[more - 1].mask;

		if ((text[0] & form[more - 1].mask) != form[more - 1].head)
			continue;
		for (unsigned i = 1; i <= more; ++i) {
			if ((text[i] & 0xc0) != 0x80)	/* the NUL at the end stops here too */
				return 0;
			code = code << 6 | (text[i] & 0x3f);
		}
		if (code < form[more - 1].least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
			return 0;
		return more + 1;
	}
	return 0;
}

void path_escape_terminal(struct buf *out, const char *text)
{
	while (*text != '\0') {
		unsigned size = printable_size((const unsigned char *)text);

		if (size > 0) {
			buf_add(out, text, size);
			text += size;
		} else {
			buf_printf(out, "\\x%02x", (unsigned char)*text);
			++text;
		}
	}
}
