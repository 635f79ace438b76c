/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "config/filter.h"

enum expected { IN, OUT, REFUSED };

/* What SnapRAID does, by running it: newest where patterns have inner slashes or "**", 12.2 for escapes,
 * brackets and directory rules ending in "*". Numbers are those of that table; 127 to 130 are no patterns. */
static const struct {
	unsigned number;
	const char *rules, *path;
	enum expected expected;
} table[] = {
	{ 1, "exclude *.tmp", "f.tmp", OUT },
	{ 2, "exclude *.tmp", "F.TMP", IN },
	{ 3, "exclude *.tmp", "file.txt", IN },
	{ 4, "exclude tmp", "z/tmp", OUT },
	{ 5, "exclude tmp", "tmp/f.txt", IN },
	{ 6, "exclude tmp", "x1/tmp/f.txt", IN },
	{ 7, "exclude tmp/", "tmp/f.txt", OUT },
	{ 8, "exclude tmp/", "tmp/sub/g.txt", OUT },
	{ 9, "exclude tmp/", "x1/tmp/f.txt", OUT },
	{ 10, "exclude tmp/", "x1/tmp/y/f.txt", OUT },
	{ 11, "exclude tmp/", "z/tmp", IN },
	{ 12, "exclude tmp/", "tmp2/f.txt", IN },
	{ 13, "exclude /tmp/", "tmp/f.txt", OUT },
	{ 14, "exclude /tmp/", "x1/tmp/f.txt", IN },
	{ 15, "exclude /tmp", "tmp/f.txt", IN },
	{ 16, "exclude /tmp", "z/tmp", IN },
	{ 17, "exclude /tmp/f.txt", "tmp/f.txt", OUT },
	{ 18, "exclude /tmp/f.txt", "x1/tmp/f.txt", IN },
	{ 19, "exclude /tmp/f.txt", "tmp2/f.txt", IN },
	{ 20, "exclude /x1/tmp/", "x1/tmp/f.txt", OUT },
	{ 21, "exclude /x1/tmp/", "x1/f.txt", IN },
	{ 22, "exclude /x1/tmp/", "tmp/f.txt", IN },
	{ 23, "exclude /tmp/*", "tmp/f.txt", OUT },
	{ 24, "exclude /tmp/*", "tmp/sub/g.txt", IN },
	{ 25, "exclude /*/f.txt", "tmp/f.txt", OUT },
	{ 26, "exclude /*/f.txt", "x1/f.txt", OUT },
	{ 27, "exclude /*/f.txt", "x1/tmp/f.txt", IN },
	{ 28, "exclude */f.txt", "tmp/f.txt", OUT },
	{ 29, "exclude */f.txt", "x1/tmp/f.txt", OUT },
	{ 30, "exclude two/f.bin", "two/f.bin", OUT },
	{ 31, "exclude two/f.bin", "one/two/f.bin", OUT },
	{ 32, "exclude one/two/", "one/two/f.bin", OUT },
	{ 33, "exclude src/**/main.js", "src/main.js", OUT },
	{ 34, "exclude src/**/main.js", "src/ui/main.js", OUT },
	{ 35, "exclude src/**/main.js", "src/ui/c/main.js", OUT },
	{ 36, "exclude src/**/main.js", "lib/src/main.js", OUT },
	{ 37, "exclude src/**/main.js", "xsrc/main.js", IN },
	{ 38, "exclude /src/**/main.js", "src/main.js", OUT },
	{ 39, "exclude /src/**/main.js", "src/ui/main.js", OUT },
	{ 40, "exclude /src/**/main.js", "src/ui/c/main.js", OUT },
	{ 41, "exclude /src/**/main.js", "lib/src/main.js", IN },
	{ 42, "exclude **/main.js", "src/main.js", OUT },
	{ 43, "exclude **/main.js", "src/ui/main.js", OUT },
	{ 44, "exclude **/main.js", "xsrc/main.js", OUT },
	{ 45, "exclude **/main.js", "lib/srcX/main.js", OUT },
	{ 46, "exclude /**/main.js", "src/main.js", OUT },
	{ 47, "exclude /**/main.js", "src/ui/c/main.js", OUT },
	{ 48, "exclude /src/**", "src/main.js", OUT },
	{ 49, "exclude /src/**", "src/ui/main.js", OUT },
	{ 50, "exclude /src/**", "src/ui/c/main.js", OUT },
	{ 51, "exclude /src/**", "lib/src/main.js", IN },
	{ 52, "exclude src**/main.js", "src/main.js", OUT },
	{ 53, "exclude src**/main.js", "src/ui/main.js", OUT },
	{ 54, "exclude src**/main.js", "lib/srcX/main.js", OUT },
	{ 55, "exclude src**/main.js", "xsrc/main.js", IN },
	{ 56, "exclude **.js", "src/main.js", OUT },
	{ 57, "exclude **.js", "src/ui/main.js", OUT },
	{ 58, "exclude /**.js", "src/main.js", IN },
	{ 59, "exclude /deep/**/d.dat", "deep/d.dat", OUT },
	{ 60, "exclude /deep/**/d.dat", "deep/a/b/c/d.dat", OUT },
	{ 61, "exclude /deep/**/", "deep/d.dat", OUT },
	{ 62, "exclude /deep/**/", "deep/a/b/c/d.dat", OUT },
	{ 63, "exclude **/tmp/", "tmp/f.txt", OUT },
	{ 64, "exclude **/tmp/", "x1/tmp/y/f.txt", OUT },
	{ 65, "exclude **/tmp/", "z/tmp", IN },
	{ 66, "exclude a?b", "aXb", OUT },
	{ 67, "exclude a?b", "a*b", OUT },
	{ 68, "exclude a?b", "a?b", OUT },
	{ 69, "exclude a?b", "ab", IN },
	{ 70, "exclude a?b", "aXYb", IN },
	{ 71, "exclude a*b", "ab", OUT },
	{ 72, "exclude a*b", "aXb", OUT },
	{ 73, "exclude a*b", "aXYb", OUT },
	{ 74, "exclude a*b", "a*b", OUT },
	{ 75, "exclude a*b", "a\\b", OUT },
	{ 76, "exclude a\\*b", "a*b", OUT },
	{ 77, "exclude a\\*b", "aXb", IN },
	{ 78, "exclude a\\*b", "a\\Xb", IN },
	{ 79, "exclude a\\*b", "a\\b", IN },
	{ 80, "exclude a\\?b", "a?b", OUT },
	{ 81, "exclude a\\?b", "aXb", IN },
	{ 82, "exclude a\\?b", "a\\Xb", IN },
	{ 83, "exclude \\[x\\]", "[x]", OUT },
	{ 84, "exclude \\[x\\]", "x", IN },
	{ 85, "exclude [x]", "x", OUT },
	{ 86, "exclude [x]", "[x]", IN },
	{ 87, "exclude [[]x]", "[x]", OUT },
	{ 88, "exclude [[]x]", "x", IN },
	{ 89, "exclude b[0-9]", "b1", OUT },
	{ 90, "exclude b[0-9]", "b9", OUT },
	{ 91, "exclude b[0-9]", "bx", IN },
	{ 92, "exclude b[0-9]", "b-", IN },
	{ 93, "exclude b[!0-9]", "b1", IN },
	{ 94, "exclude b[!0-9]", "bx", OUT },
	{ 95, "exclude b[!0-9]", "b-", OUT },
	{ 96, "exclude b[!0-9]", "b]", OUT },
	{ 97, "exclude b[^0-9]", "b1", IN },
	{ 98, "exclude b[^0-9]", "bx", OUT },
	{ 99, "exclude b[12]", "b1", OUT },
	{ 100, "exclude b[12]", "b2", OUT },
	{ 101, "exclude b[12]", "b9", IN },
	{ 102, "exclude b[]-]", "b]", OUT },
	{ 103, "exclude b[]-]", "b-", OUT },
	{ 104, "exclude b[]-]", "b1", IN },
	{ 105, "exclude b[1-]", "b1", OUT },
	{ 106, "exclude b[1-]", "b-", OUT },
	{ 107, "exclude b[1-]", "bx", IN },
	{ 108, "exclude b[1", "b1", IN },
	{ 109, "exclude b[1", "b2", IN },
	{ 110, "exclude b[[:digit:]]", "b1", OUT },
	{ 111, "exclude b[[:digit:]]", "bx", IN },
	{ 112, "exclude *", "file.txt", OUT },
	{ 113, "exclude *", "src/main.js", OUT },
	{ 114, "exclude *", ".hid", OUT },
	{ 115, "exclude */", "file.txt", IN },
	{ 116, "exclude */", "src/main.js", OUT },
	{ 117, "exclude */", ".hdir/f.txt", OUT },
	{ 118, "exclude /*/", "file.txt", IN },
	{ 119, "exclude /*/", "src/main.js", OUT },
	{ 120, "exclude /*/", "src/ui/main.js", OUT },
	{ 121, "exclude .*", ".hid", OUT },
	{ 122, "exclude .*", ".hdir/f.txt", IN },
	{ 123, "exclude .*", "...x/f", IN },
	{ 124, "exclude .*/", ".hid", IN },
	{ 125, "exclude .*/", ".hdir/f.txt", OUT },
	{ 126, "exclude .*/", "...x/f", OUT },
	{ 131, "exclude ...x/", "...x/f", OUT },
	{ 132, "exclude ...", "file.txt", REFUSED },
	{ 133, "exclude ./file.txt", "file.txt", REFUSED },
	{ 134, "exclude ../file.txt", "file.txt", REFUSED },
	{ 135, "exclude /", "file.txt", IN },
	{ 136, "exclude //x", "x", REFUSED },
	{ 137, "exclude sp ace/", "sp ace/f x.txt", OUT },
	{ 138, "exclude f x.txt", "sp ace/f x.txt", OUT },
	{ 139, "exclude *.d/", "f.d/g.txt", OUT },
	{ 140, "exclude link.txt", "link.txt", OUT },
	{ 141, "exclude link.txt", "file.txt", IN },
	{ 142, "exclude srclink", "srclink", OUT },
	{ 143, "exclude srclink", "src/main.js", IN },
	{ 144, "exclude srclink/", "srclink", IN },
	{ 145, "include *.txt", "file.txt", IN },
	{ 146, "include *.txt", "tmp/f.txt", IN },
	{ 147, "include *.txt", "f.tmp", OUT },
	{ 148, "include *.txt", "src/main.js", OUT },
	{ 149, "include *.txt", "link.txt", IN },
	{ 150, "include /src/", "src/main.js", IN },
	{ 151, "include /src/", "src/ui/c/main.js", IN },
	{ 152, "include /src/", "file.txt", OUT },
	{ 153, "include /src/", "lib/src/main.js", OUT },
	{ 154, "include src/", "src/main.js", IN },
	{ 155, "include src/", "lib/src/main.js", IN },
	{ 156, "include src/", "file.txt", OUT },
	{ 157, "include s*/", "src/main.js", IN },
	{ 158, "include s*/", "src/ui/main.js", IN },
	{ 159, "include s*/", "file.txt", OUT },
	{ 160, "include */", "src/main.js", IN },
	{ 161, "include */", "src/ui/main.js", IN },
	{ 162, "include */", "file.txt", OUT },
	{ 163, "include /x1/*/", "x1/tmp/f.txt", IN },
	{ 164, "include /x1/*/", "x1/tmp/y/f.txt", IN },
	{ 165, "include /x1/*/", "x1/f.txt", OUT },
	{ 166, "include /x1/t*/", "x1/tmp/f.txt", IN },
	{ 167, "include /x1/t*/", "x1/tmp/y/f.txt", IN },
	{ 168, "include /x1/t*/", "x1/f.txt", OUT },
	{ 169, "include /x1/t?p/", "x1/tmp/f.txt", IN },
	{ 170, "include /x1/t?p/", "x1/tmp/y/f.txt", IN },
	{ 171, "include /x1/t?p/", "x1/f.txt", OUT },
	{ 172, "exclude *.txt ; include /tmp/", "tmp/f.txt", OUT },
	{ 173, "exclude *.txt ; include /tmp/", "tmp/sub/g.txt", OUT },
	{ 174, "exclude *.txt ; include /tmp/", "file.txt", OUT },
	{ 175, "exclude *.txt ; include /tmp/", "f.tmp", OUT },
	{ 176, "include /tmp/ ; exclude *.txt", "tmp/f.txt", IN },
	{ 177, "include /tmp/ ; exclude *.txt", "tmp/sub/g.txt", IN },
	{ 178, "include /tmp/ ; exclude *.txt", "file.txt", OUT },
	{ 179, "include /tmp/ ; exclude *.txt", "f.tmp", IN },
	{ 180, "include /tmp/ ; exclude *.txt", "x1/f.txt", OUT },
	{ 181, "include /tmp/f.txt ; exclude /tmp/", "tmp/f.txt", OUT },
	{ 182, "include /tmp/f.txt ; exclude /tmp/", "tmp/sub/g.txt", OUT },
	{ 183, "include /tmp/f.txt ; exclude /tmp/", "file.txt", IN },
	{ 184, "exclude /tmp/ ; include /tmp/f.txt", "tmp/f.txt", OUT },
	{ 185, "exclude /tmp/ ; include /tmp/f.txt", "tmp/sub/g.txt", OUT },
	{ 186, "exclude /tmp/ ; include /tmp/f.txt", "file.txt", OUT },
	{ 187, "include *.txt ; exclude tmp/", "tmp/f.txt", OUT },
	{ 188, "include *.txt ; exclude tmp/", "tmp/sub/g.txt", OUT },
	{ 189, "include *.txt ; exclude tmp/", "f.tmp", IN },
	{ 190, "include *.txt ; exclude tmp/", "file.txt", IN },
	{ 191, "exclude *.unrecoverable", "q/r.unrecoverable", OUT },
	{ 192, "exclude FILE.TXT", "file.txt", IN },
};

/* Rules separated by " ; ". NULL: one is refused. */
static struct filter *make_filter(const char *rules)
{
	struct filter *filter = filter_new();
	char *copy = mem_strdup(rules);
	char *rule = copy;

	while (rule != NULL) {
		char *next = strstr(rule, " ; ");

		if (next != NULL) {
			*next = '\0';
			next += 3;
		}
		if (!filter_add(filter, strncmp(rule, "include ", 8) == 0, rule + 8)) {
			filter_free(filter);
			filter = NULL;
			break;
		}
		rule = next;
	}
	free(copy);
	return filter;
}

/* As a walk finds it: no directory on the way is excluded, and the file is wanted. */
static bool is_reached(const struct filter *filter, const char *path)
{
	char dir[256];

	for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		size_t length = (size_t)(slash - path);

		memcpy(dir, path, length);
		dir[length] = '\0';
		if (!filter_wants_dir(filter, dir, NULL))
			return false;
	}
	return filter_wants_file(filter, path, NULL);
}

static bool is_in(const char *rules, const char *path)
{
	struct filter *filter = make_filter(rules);
	bool in;

	assert_non_null(filter);
	in = is_reached(filter, path);
	filter_free(filter);
	return in;
}

static void rules_select_what_the_truth_table_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
		struct filter *filter = make_filter(table[i].rules);
		enum expected is = filter == NULL ? REFUSED : is_reached(filter, table[i].path) ? IN : OUT;

		if (is != table[i].expected)
			fail_msg("row %u: '%s' on '%s' is %d, not %d", table[i].number, table[i].rules,
				 table[i].path, (int)is, (int)table[i].expected);
		filter_free(filter);
	}
}

static void the_first_rule_that_applies_decides_and_is_told(void **state)
{
	struct filter *filter = make_filter("exclude *.tmp ; include /a/ ; exclude *");
	const char *rule;

	(void)state;
	assert_int_equal(filter_count(filter), 3);
	assert_string_equal(filter_rule(filter, 1), "include /a/");
	assert_int_equal(filter_match(filter, "a/x.tmp", false, &rule), FILTER_EXCLUDE);
	assert_string_equal(rule, "exclude *.tmp");
	assert_int_equal(filter_match(filter, "a/b/x", false, &rule), FILTER_INCLUDE);
	assert_string_equal(rule, "include /a/");
	assert_int_equal(filter_match(filter, "b", false, &rule), FILTER_EXCLUDE);
	assert_int_equal(filter_match(filter, "b", true, &rule), FILTER_NONE);
	assert_null(rule);
	filter_free(filter);
}

static void no_rules_keep_everything(void **state)
{
	struct filter *filter = filter_new();

	(void)state;
	assert_true(filter_wants_file(filter, "a/b", NULL));
	assert_true(filter_wants_dir(filter, "a", NULL));
	filter_free(filter);
	filter_free(NULL);
}

static void a_rule_of_a_directory_applies_to_it_and_to_all_below(void **state)
{
	struct filter *filter = make_filter("include /a/b*/");

	(void)state;
	assert_int_equal(filter_match(filter, "a/bx", true, NULL), FILTER_INCLUDE);
	assert_int_equal(filter_match(filter, "a/bx/c", true, NULL), FILTER_INCLUDE);
	assert_int_equal(filter_match(filter, "a/bx/c/d", false, NULL), FILTER_INCLUDE);
	assert_int_equal(filter_match(filter, "a/bx", false, NULL), FILTER_NONE);
	assert_int_equal(filter_match(filter, "a", true, NULL), FILTER_NONE);
	/* the walk must go down to reach what is included */
	assert_true(filter_wants_dir(filter, "a", NULL));
	assert_false(filter_wants_file(filter, "a/c", NULL));
	filter_free(filter);
}

static void double_stars_inside_a_path_take_in_any_depth(void **state)
{
	(void)state;
	assert_false(is_in("exclude /a/**/b/**/c", "a/b/c"));
	assert_false(is_in("exclude /a/**/b/**/c", "a/x/b/y/b/z/c"));
	assert_true(is_in("exclude /a/**/b/**/c", "a/x/c"));
	assert_false(is_in("exclude /a/**b", "a/x/yb"));
	assert_false(is_in("exclude /**", "a/b"));
	assert_false(is_in("exclude **", "a/b"));
	assert_true(is_in("exclude /a**b", "a/b"));
	assert_false(is_in("exclude /a/***/b", "a/x/y/b"));
	assert_true(is_in("exclude /a/*/b", "a/x/y/b"));
	assert_false(is_in("exclude **/x*/y*z", "x1/q/x2/yaz"));
}

static void bytes_are_bytes(void **state)
{
	(void)state;
	assert_false(is_in("exclude \xff*", "\xff\n"));
	assert_false(is_in("exclude a?b", "a\nb"));
	assert_false(is_in("exclude [\xc3\xa9]x", "\xc3x"));
	assert_false(is_in("exclude [\x80-\xff]", "\xe9"));
	assert_true(is_in("exclude [!a]", "a"));
	assert_true(is_in("exclude /x[!a]y", "x/y"));
	assert_true(is_in("exclude /x[.-0]y", "x/y"));
	assert_true(is_in("exclude /x?y", "x/y"));
	assert_false(is_in("exclude [\\]]", "]"));
	assert_false(is_in("exclude [a\\-c]", "-"));
	assert_true(is_in("exclude [a\\-c]", "b"));
}

static void invalid_patterns_are_refused_with_a_reason_and_add_nothing(void **state)
{
	static const char *const bad[] = { "",   "//",     "a//b", "a//", "//a", ".",    "..",
					   "./", "a/../b", "a/.",  "/..", "a\\", "a\\/b" };
	struct filter *filter = filter_new();

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
		if (filter_add(filter, false, bad[i]) || filter_why_not(bad[i]) == NULL)
			fail_msg("'%s' is accepted", bad[i]);
	}
	assert_int_equal(filter_count(filter), 0);
	assert_null(filter_why_not("a[b/c"));
	filter_free(filter);
}

static void a_literal_path_is_itself_and_nothing_else(void **state)
{
	struct filter *filter = filter_new();

	(void)state;
	assert_true(filter_add_literal(filter, true, "/TV/Show [1080p]*.mkv"));
	assert_true(filter_add_literal(filter, true, "x\\"));
	assert_true(filter_add_literal(filter, true, "d[1]/"));
	assert_false(filter_add_literal(filter, true, "a//b"));
	assert_true(filter_wants_file(filter, "TV/Show [1080p]*.mkv", NULL));
	assert_false(filter_wants_file(filter, "TV/Show 1.mkv", NULL));
	assert_false(filter_wants_file(filter, "x/TV/Show [1080p]*.mkv", NULL));
	assert_true(filter_wants_file(filter, "y/x\\", NULL));
	assert_true(filter_wants_file(filter, "y/d[1]/z", NULL));
	assert_false(filter_wants_file(filter, "y/d1/z", NULL));
	filter_free(filter);
}

static void many_stars_take_no_exponential_time(void **state)
{
	struct filter *filter = make_filter("exclude a/**/a/**/a/**/a/**/a/**/a/**/b");
	char path[4096];

	(void)state;
	memset(path, 'a', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	assert_true(is_in("exclude *a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", path));
	for (size_t i = 1; i < sizeof path - 1; i += 2)
		path[i] = '/';
	assert_int_equal(filter_match(filter, path, false, NULL), FILTER_NONE);
	filter_free(filter);
}

/* The meaning of patterns once more, as simple and slow as can be. `begin` is the pattern without the slash
 * that anchors it. */
static bool slow_match(const char *begin, const char *at, const char *path)
{
	size_t stars = strspn(at, "*");
	bool slash_before = at > begin && at[-1] == '/';
	bool slash_after = at[stars] == '/';
	bool is_part = (at == begin || slash_before) && (slash_after || at[stars] == '\0');

	if (*at == '\0')
		return *path == '\0';
	if (stars > 1 && is_part && slash_after) {
		if (slow_match(begin, at + stars + 1, path))
			return true;
		for (; *path != '\0'; ++path)
			if (*path == '/' && slow_match(begin, at + stars + 1, path + 1))
				return true;
		return false;
	}
	if (stars > 0) {
		bool crosses = stars > 1 && (slash_before || slash_after || is_part);

		for (;; ++path) {
			if (slow_match(begin, at + stars, path))
				return true;
			if (*path == '\0' || (*path == '/' && !crosses))
				return false;
		}
	}
	if (*path == '\0' || (*at == '?' ? *path == '/' : *at != *path))
		return false;
	return slow_match(begin, at + 1, path + 1);
}

/* A whole rule on a file: any place to start if it is not anchored, each directory above if it is of one. */
static bool slow_rule(const char *pattern, const char *path)
{
	bool anchored = pattern[0] == '/';
	bool for_dirs = pattern[strlen(pattern) - 1] == '/';
	const char *begin = pattern + anchored;
	char subject[16];

	if (strcmp(pattern, "/") == 0)
		return false;
	for (size_t end = strlen(path); end > 0; --end) {
		if (for_dirs ? path[end - 1] != '/' : path[end] != '\0')
			continue;
		memcpy(subject, path, end);
		subject[end] = '\0';
		for (size_t start = 0; start < end; ++start)
			if ((start == 0 || (!anchored && subject[start - 1] == '/')) &&
			    slow_match(begin, begin, subject + start))
				return true;
	}
	return false;
}

/* The next word over `letters`, shortest first; false after those of `length_max`. */
static bool next_word(char *word, const char *letters, size_t length_max)
{
	size_t length = strlen(word);

	for (size_t i = length; i-- > 0;) {
		const char *letter = strchr(letters, word[i]);

		if (letter[1] != '\0') {
			word[i] = letter[1];
			return true;
		}
		word[i] = letters[0];
	}
	if (length == length_max)
		return false;
	word[length] = letters[0];
	word[length + 1] = '\0';
	return true;
}

static void all_short_patterns_mean_what_a_simple_matcher_says(void **state)
{
	char pattern[8] = "";

	(void)state;
	while (next_word(pattern, "ab/*?", 5)) {
		struct filter *filter = filter_new();
		char path[8] = "";

		if (filter_add(filter, true, pattern)) {
			while (next_word(path, "ab/", 6)) {
				if (path[0] == '/' || path[strlen(path) - 1] == '/' ||
				    strstr(path, "//") != NULL)
					continue;
				if ((filter_match(filter, path, false, NULL) == FILTER_INCLUDE) !=
				    slow_rule(pattern, path))
					fail_msg("'%s' on '%s' is %d", pattern, path,
						 !slow_rule(pattern, path));
			}
		}
		filter_free(filter);
	}
}

static void names_of_disks_match_as_a_whole(void **state)
{
	(void)state;
	assert_true(filter_glob_name("d*", "d12"));
	assert_true(filter_glob_name("d?", "d1"));
	assert_false(filter_glob_name("d?", "d12"));
	assert_true(filter_glob_name("d[1-3]", "d2"));
	assert_true(filter_glob_name("d[1]", "d[1]"));
	assert_false(filter_glob_name("d", "d1"));
	assert_true(filter_glob_name("*", "2-parity"));
	assert_false(filter_glob_name("d\\", "d1"));
	assert_false(filter_glob_name("", "d1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_select_what_the_truth_table_says),
		cmocka_unit_test(the_first_rule_that_applies_decides_and_is_told),
		cmocka_unit_test(no_rules_keep_everything),
		cmocka_unit_test(a_rule_of_a_directory_applies_to_it_and_to_all_below),
		cmocka_unit_test(double_stars_inside_a_path_take_in_any_depth),
		cmocka_unit_test(bytes_are_bytes),
		cmocka_unit_test(invalid_patterns_are_refused_with_a_reason_and_add_nothing),
		cmocka_unit_test(a_literal_path_is_itself_and_nothing_else),
		cmocka_unit_test(many_stars_take_no_exponential_time),
		cmocka_unit_test(all_short_patterns_mean_what_a_simple_matcher_says),
		cmocka_unit_test(names_of_disks_match_as_a_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
