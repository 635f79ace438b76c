/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <string.h>

#include "report/table.h"
#include "report/template.h"

static void check_template(const char *name, const char *text, bool is_tag)
{
	struct buf literal = { 0 };
	enum template_step step;
	struct template_slot slot;

	while ((step = template_next(&text, &literal, &slot)) == TEMPLATE_SLOT) {
		if (slot.field >= 12)
			fail_msg("%s: field %u, there are at most 12", name, slot.field);
		if (is_tag && slot.escape != 0)
			fail_msg("%s: a tag escapes in its own way", name);
	}
	if (step == TEMPLATE_BAD)
		fail_msg("%s: malformed before \"%s\"", name, text);
	if (is_tag && literal.size > 0 &&
	    (strpbrk(literal.data, "\r\\") != NULL || literal.data[literal.size - 1] == '\n'))
		fail_msg("%s: a tag is whole lines, without the newline of the last", name);
	buf_done(&literal);
}

static void every_event_has_well_formed_templates(void **state)
{
	(void)state;
	for (unsigned i = 0; i < EV_COUNT; ++i) {
		const struct event_row *row = &event_table[i];

		if (row->tag != NULL)
			check_template(row->name, row->tag, true);
		if (row->text != NULL)
			check_template(row->name, row->text, false);
	}
}

static void every_event_says_something_where_its_level_lets_it(void **state)
{
	(void)state;
	for (unsigned i = 0; i < EV_COUNT; ++i) {
		const struct event_row *row = &event_table[i];

		if (row->tag == NULL && row->text == NULL)
			fail_msg("%s: neither tag nor text", row->name);
		if (row->level == REPORT_LOG && (row->tag == NULL || row->text != NULL))
			fail_msg("%s: an event of the log has a tag and no text", row->name);
		if (row->level != REPORT_LOG && row->level != REPORT_EXPECTED && row->level != REPORT_ERROR &&
		    row->text == NULL)
			fail_msg("%s: no text for the screen", row->name);
	}
}

static void texts_have_no_control_bytes_and_end_in_one_empty_line_at_most(void **state)
{
	(void)state;
	for (unsigned i = 0; i < EV_COUNT; ++i) {
		const struct event_row *row = &event_table[i];
		const char *text = row->text;

		if (text == NULL || text[0] == '\0')
			continue;
		if (strlen(text) > 1 && strcmp(text + strlen(text) - 2, "\n\n") == 0)
			fail_msg("%s: newlines at the end", row->name);
		for (; *text != '\0'; ++text)
			if (iscntrl((unsigned char)*text) && *text != '\n' && *text != '\t')
				fail_msg("%s: control byte in the text", row->name);
	}
}

static void tags_begin_with_a_name_of_lower_case(void **state)
{
	(void)state;
	for (unsigned i = 0; i < EV_COUNT; ++i) {
		const char *tag = event_table[i].tag;

		/* CONF_PARITY and its like begin with the name of a level. */
		if (tag == NULL || tag[0] == '{')
			continue;
		if (strspn(tag, "abcdefghijklmnopqrstuvwxyz_0123456789:") == 0)
			fail_msg("%s: tag \"%s\"", event_table[i].name, tag);
	}
}

static void malformed_templates_are_found(void **state)
{
	static const char *const bad[] = {
		"{", "{}", "{a}", "{0", "{0:", "{0:}", "{0:x}", "{0:e8}", "{0:8e}", "{0 }", "a {0} {",
	};

	(void)state;
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
		const char *at = bad[i];
		struct buf literal = { 0 };
		struct template_slot slot;
		enum template_step step;

		while ((step = template_next(&at, &literal, &slot)) == TEMPLATE_SLOT)
			;
		if (step != TEMPLATE_BAD)
			fail_msg("\"%s\" is taken as good", bad[i]);
		buf_done(&literal);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_has_well_formed_templates),
		cmocka_unit_test(every_event_says_something_where_its_level_lets_it),
		cmocka_unit_test(texts_have_no_control_bytes_and_end_in_one_empty_line_at_most),
		cmocka_unit_test(tags_begin_with_a_name_of_lower_case),
		cmocka_unit_test(malformed_templates_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
