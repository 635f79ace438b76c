/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manuals against the tables: nothing is missing in them, and the log has no tag that is not written any more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "config/option_table.h"
#include "report/table.h"
/* The table of directives is its own business; this makes it ours. */
#include "config/keyword.c"

#define LINE_MAX	2000
#define SLOT		'@'	/* a field, of a template or of the manual */

struct page {
	char *line[LINE_MAX];	/* without the marks of roff */
	size_t count;
};

/* Bold and roman by turns, quotes and escapes are for the eye. */
static char *plain(const char *text)
{
	struct buf out = { 0 };

	for (; *text != '\0' && *text != '\n'; ++text) {
		if (strncmp(text, "\\f", 2) == 0 && text[2] != '\0')
			text += 2;
		else if (*text != '\\' && *text != '"')
			buf_char(&out, *text);
	}
	buf_char(&out, '\0');
	return out.data;
}

/* The lines that name what is explained below them: those after .TP and .TQ. */
static void page_read(struct page *page, const char *name)
{
	const char *srcdir = getenv("srcdir");
	char *path = mem_printf("%s/doc/%s", srcdir != NULL ? srcdir : ".", name);
	FILE *file = fopen(path, "r");
	char line[4096];
	bool named = false;

	if (file == NULL)
		fail_msg("cannot read %s", path);
	page->count = 0;
	while (fgets(line, sizeof line, file) != NULL) {
		if (named) {
			assert_true(page->count < LINE_MAX);
			page->line[page->count++] = plain(line);
		}
		named = strncmp(line, ".TP", 3) == 0 || strncmp(line, ".TQ", 3) == 0;
	}
	fclose(file);
	free(path);
}

static void page_done(struct page *page)
{
	while (page->count > 0)
		free(page->line[--page->count]);
}

static bool is_word(int c)
{
	return isalnum(c) || c == '-' || c == '_';
}

/* The line that has `word` with no letter before or after it; NULL: none. */
static const char *page_find(const struct page *page, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i < page->count; ++i) {
		for (const char *at = page->line[i]; (at = strstr(at, word)) != NULL; ++at)
			if ((at == page->line[i] || !is_word((unsigned char)at[-1])) &&
			    !is_word((unsigned char)at[length]))
				return page->line[i];
	}
	return NULL;
}

static void every_command_and_option_is_in_the_manual(void **state)
{
	struct page page;
	char word[64];

	(void)state;
	page_read(&page, "snapraid.1");
	for (size_t i = 0; i < command_count; ++i)
		if (command_names[i].help != NULL && page_find(&page, command_names[i].name) == NULL)
			fail_msg("snapraid.1 does not explain the command '%s'", command_names[i].name);
	for (size_t i = 0; i < option_count; ++i) {
		const struct option_row *row = &option_table[i];
		const char *line;

		if (row->help == NULL)
			continue;
		snprintf(word, sizeof word, "--%s", row->name);
		line = page_find(&page, word);
		if (line == NULL)
			fail_msg("snapraid.1 does not explain the option '%s'", word);
		if (row->letter == 0)
			continue;
		snprintf(word, sizeof word, "-%c", row->letter);
		if (page_find(&page, word) != line)
			fail_msg("snapraid.1 does not explain '%s' where it explains '--%s'", word, row->name);
	}
	page_done(&page);
}

static void every_directive_is_in_the_manual(void **state)
{
	struct page page;

	(void)state;
	page_read(&page, "snapraid.conf.5");
	for (size_t i = 0; i < sizeof keyword_table / sizeof keyword_table[0]; ++i)
		if (page_find(&page, keyword_table[i].name) == NULL)
			fail_msg("snapraid.conf.5 does not explain the directive '%s'", keyword_table[i].name);
	page_done(&page);
}

/* A template or a line of the manual in one form: a slot for each field, and what is for people cut off. */
static char *shape(const char *text, bool is_template)
{
	struct buf out = { 0 };

	while (*text != '\0' && strncmp(text, ": ", 2) != 0) {
		if (is_template && *text == '{') {
			text = strchr(text, '}') + 1;
			buf_char(&out, SLOT);
		} else if (!is_template && isupper((unsigned char)*text)) {
			while (isupper((unsigned char)*text))
				++text;
			buf_char(&out, SLOT);
		} else {
			buf_char(&out, *text++);
		}
	}
	if (*text != '\0')
		buf_add(&out, ": ", 2);
	buf_char(&out, '\0');
	return out.data;
}

/* Does the line of the manual tell of the template? Its fields may stand for fixed words too, but not its tag. */
static bool tells(const char *manual, const char *tag)
{
	bool first = true;

	while (*manual != '\0' || *tag != '\0') {
		if (*manual == SLOT && !first) {
			const char end[] = { ':', *++manual, '\0' };

			tag += strcspn(tag, end);
			continue;
		}
		if (*manual != *tag)
			return false;
		if (*tag == ':')
			first = false;
		++manual;
		++tag;
	}
	return true;
}

static bool is_tag_line(const char *line)
{
	return strncmp(line, ".B ", 3) == 0;
}

/* Call `see` with each line of each tag. */
static void each_tag(void (*see)(void *argument, const char *event, const char *tag), void *argument)
{
	for (unsigned i = 0; i < EV_COUNT; ++i) {
		const char *rest = event_table[i].tag;

		while (rest != NULL && *rest != '\0') {
			size_t length = strcspn(rest, "\n");
			char *line = mem_printf("%.*s", (int)length, rest);
			char *tag = shape(line, true);

			see(argument, event_table[i].name, tag);
			free(tag);
			free(line);
			rest += length + (rest[length] == '\n');
		}
	}
}

static void must_be_told(void *argument, const char *event, const char *tag)
{
	const struct page *page = argument;

	for (size_t i = 0; i < page->count; ++i)
		if (is_tag_line(page->line[i]) && tells(page->line[i] + 3, tag))
			return;
	fail_msg("snapraid-log.5 does not explain '%s' of %s", tag, event);
}

static void page_shape(struct page *page)
{
	for (size_t i = 0; i < page->count; ++i) {
		char *old = page->line[i];

		if (!is_tag_line(old))
			continue;
		page->line[i] = shape(old + 3, false);
		free(old);
		old = page->line[i];
		page->line[i] = mem_printf(".B %s", old);
		free(old);
	}
}

static void every_tag_is_in_the_manual_of_the_log(void **state)
{
	struct page page;

	(void)state;
	page_read(&page, "snapraid-log.5");
	page_shape(&page);
	each_tag(must_be_told, &page);
	page_done(&page);
}

struct told {
	const char *line;
	bool found;
};

static void may_be_told(void *argument, const char *event, const char *tag)
{
	struct told *told = argument;

	(void)event;
	told->found |= tells(told->line, tag);
}

static void the_manual_of_the_log_has_no_tag_that_is_not_written(void **state)
{
	struct page page;

	(void)state;
	page_read(&page, "snapraid-log.5");
	page_shape(&page);
	for (size_t i = 0; i < page.count; ++i) {
		struct told told = { page.line[i] + 3, false };

		if (!is_tag_line(page.line[i]) || strcmp(told.line, "msg:@: ") == 0)
			continue;
		each_tag(may_be_told, &told);
		if (!told.found)
			fail_msg("snapraid-log.5 explains '%s', which nothing writes", told.line);
	}
	page_done(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_and_option_is_in_the_manual),
		cmocka_unit_test(every_directive_is_in_the_manual),
		cmocka_unit_test(every_tag_is_in_the_manual_of_the_log),
		cmocka_unit_test(the_manual_of_the_log_has_no_tag_that_is_not_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
