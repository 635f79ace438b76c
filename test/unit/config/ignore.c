/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "config/filter.h"

static const char *const tree[] = {
	"out.bin",   "p/out.bin",   "p/s/out.bin", "p/build/x",    "p/s/build/x",
	"build/x",   "p/a.tmp",     "p/s/a.tmp",   "a.tmp",        "p/build.txt",
	"p/a/b.txt", "p/z/a/b.txt", "p/neg",       "p/keep/k.txt", "p/!neg",
};

/* Rows of the table of what SnapRAID does; the sane outcome for a directory rule ending in "*" (i11) and
 * after a bad line (i17). `place` has the file; `excluded` is what it excludes of the tree. */
static const struct {
	const char *name, *place, *text, *excluded;
	unsigned bad_line;	/* 0: none */
} table[] = {
	{ "i1", "p/", "/out.bin\n", "p/out.bin ", 0 },
	{ "i2", "p/", "out.bin\n", "p/out.bin p/s/out.bin ", 0 },
	{ "i3", "p/", "build/\n", "p/build/x p/s/build/x ", 0 },
	{ "i4", "p/", "/build/\n", "p/build/x ", 0 },
	{ "i5", "p/", "*.tmp\n", "p/a.tmp p/s/a.tmp ", 0 },
	{ "i6", "p/", "a/b.txt\n", "p/a/b.txt p/z/a/b.txt ", 0 },
	{ "i7", "p/", "/a/b.txt\n", "p/a/b.txt ", 0 },
	{ "i8", "p/", "**/b.txt\n", "p/a/b.txt p/z/a/b.txt ", 0 },
	{ "i9", "p/", "/s/**\n", "p/s/out.bin p/s/build/x p/s/a.tmp ", 0 },
	{ "i10", "p/", "*\n",
	  "p/out.bin p/s/out.bin p/build/x p/s/build/x p/a.tmp p/s/a.tmp p/build.txt p/a/b.txt p/z/a/b.txt "
	  "p/neg "
	  "p/keep/k.txt p/!neg ",
	  0 },
	{ "i11", "p/", "*/\n",
	  "p/s/out.bin p/build/x p/s/build/x p/s/a.tmp p/a/b.txt p/z/a/b.txt p/keep/k.txt ", 0 },
	{ "i12", "p/", "p/\n", "", 0 },
	{ "i13", "p/", "/p/out.bin\n", "", 0 },
	{ "i14", "p/", "!neg\n", "p/!neg ", 0 },
	{ "i15", "p/", "   *.tmp   \n", "", 0 },
	{ "i15, leading", "p/", " \t*.tmp\n", "p/a.tmp p/s/a.tmp ", 0 },
	{ "i16", "p/", "*.tmp # c\n", "", 0 },
	{ "i17", "p/", "../out.bin\n*.tmp\n", "p/a.tmp p/s/a.tmp ", 1 },
	{ "i18", "p/", "*.tmp", "p/a.tmp p/s/a.tmp ", 0 },
	{ "i19", "p/", "*.tmp\r\n", "p/a.tmp p/s/a.tmp ", 0 },
	{ "i20", "", "build/\n", "p/build/x p/s/build/x build/x ", 0 },
	{ "i25", "p/s/", "*.tmp\n", "p/s/a.tmp ", 0 },
	{ "i26", "build/", "*\n", "build/x ", 0 },
	{ "comments", "p/", "# *.bin\n\n \n\r\n  #x\n*.tmp\n", "p/a.tmp p/s/a.tmp ", 0 },
	{ "bad in the middle", "p/", "*.tmp\na//b\nout.bin\n", "p/out.bin p/s/out.bin p/a.tmp p/s/a.tmp ",
	  2 },
	{ "empty", "p/", "", "", 0 },
};

static unsigned bad_line;

static void note_bad(void *argument, unsigned line, const char *pattern)
{
	(void)argument;
	(void)pattern;
	bad_line = line;
}

static void rules_exclude_what_the_truth_table_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
		struct ignore *ignore;
		char excluded[512] = "";
		size_t place_length = strlen(table[i].place);

		bad_line = 0;
		ignore = ignore_parse(table[i].text, strlen(table[i].text), note_bad, NULL);
		for (size_t f = 0; f < sizeof tree / sizeof tree[0]; ++f) {
			if (strncmp(tree[f], table[i].place, place_length) != 0)
				continue;
			if (ignore_excludes(ignore, tree[f] + place_length, false)) {
				strcat(excluded, tree[f]);
				strcat(excluded, " ");
			}
		}
		if (strcmp(excluded, table[i].excluded) != 0)
			fail_msg("%s excludes '%s', not '%s'", table[i].name, excluded, table[i].excluded);
		if (bad_line != table[i].bad_line)
			fail_msg("%s: line %u is bad, not %u", table[i].name, bad_line, table[i].bad_line);
		ignore_free(ignore);
	}
}

static void a_nul_byte_makes_its_line_bad_and_no_other(void **state)
{
	struct ignore *ignore;

	(void)state;
	bad_line = 0;
	ignore = ignore_parse("*.a\nb\0c\n*.d", 11, note_bad, NULL);
	assert_int_equal(bad_line, 2);
	assert_true(ignore_excludes(ignore, "x.a", false));
	assert_true(ignore_excludes(ignore, "x.d", false));
	assert_false(ignore_excludes(ignore, "b", false));
	ignore_free(ignore);
	ignore_free(NULL);
}

static void a_directory_is_excluded_by_rules_of_directories_only(void **state)
{
	struct ignore *ignore = ignore_parse("a\nb/\n", 5, note_bad, NULL);

	(void)state;
	assert_false(ignore_excludes(ignore, "a", true));
	assert_true(ignore_excludes(ignore, "b", true));
	assert_true(ignore_excludes(ignore, "b/c", true));
	assert_false(ignore_excludes(ignore, "b", false));
	ignore_free(ignore);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_exclude_what_the_truth_table_says),
		cmocka_unit_test(a_nul_byte_makes_its_line_bad_and_no_other),
		cmocka_unit_test(a_directory_is_excluded_by_rules_of_directories_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
