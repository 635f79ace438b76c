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

size_t path_character(const char *text, uint32_t *code)
{
	static const struct {
		unsigned char mask, head;
		uint32_t least;
	} form[] = { { 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };
	const unsigned char *byte = (const unsigned char *)text;
	size_t size = 1;

	while (size <= 4 && (byte[0] & form[size - 1].mask) != form[size - 1].head)
		++size;
	if (size > 4)
		return 0;
	*code = byte[0] & (unsigned char)~form[size - 1].mask;
	for (size_t i = 1; i < size; ++i) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (byte[i] & 0x3f);
	}
	return *code < form[size - 1].least || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff) ? 0 : size;
}

/* Control characters have the codes below 0x20, DEL and those of C1. */
static bool is_printable(uint32_t code)
{
	return code >= 0x20 && (code < 0x7f || code >= 0xa0);
}

void path_escape_terminal(struct buf *out, const char *text)
{
	while (*text != '\0') {
		uint32_t code;
		size_t size = path_character(text, &code);

		if (size > 0 && is_printable(code)) {
			buf_add(out, text, size);
			text += size;
		} else {
			buf_printf(out, "\\x%02x", (unsigned char)*text);
			++text;
		}
	}
}
