/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "config/glob.h"

struct rule {
	struct glob *glob;
	bool include;
	char *text;		/* "exclude *.tmp" */
};

struct filter {
	struct rule *rule;
	size_t count, room;
};

struct filter *filter_new(void)
{
	return mem_zalloc(sizeof(struct filter));
}

void filter_free(struct filter *filter)
{
	if (filter == NULL)
		return;
	for (size_t i = 0; i < filter->count; ++i) {
		glob_free(filter->rule[i].glob);
		free(filter->rule[i].text);
	}
	free(filter->rule);
	free(filter);
}

static bool add(struct filter *filter, bool include, const char *pattern, enum glob_syntax syntax)
{
	struct glob *glob = glob_compile(pattern, syntax, NULL);

	if (glob == NULL)
		return false;
	mem_grow(&filter->rule, filter->count, &filter->room, sizeof *filter->rule);
	filter->rule[filter->count++] = (struct rule){
		.glob = glob,
		.include = include,
		.text = mem_printf("%s %s", include ? "include" : "exclude", pattern),
	};
	return true;
}

bool filter_add(struct filter *filter, bool include, const char *pattern)
{
	return add(filter, include, pattern, GLOB_PATTERN);
}

bool filter_add_literal(struct filter *filter, bool include, const char *path)
{
	return add(filter, include, path, GLOB_LITERAL);
}

const char *filter_why_not(const char *pattern)
{
	const char *why = NULL;

	glob_free(glob_compile(pattern, GLOB_PATTERN, &why));
	return why;
}

unsigned filter_count(const struct filter *filter)
{
	return (unsigned)filter->count;
}

const char *filter_rule(const struct filter *filter, unsigned i)
{
	return filter->rule[i].text;
}

enum filter_verdict filter_match(const struct filter *filter, const char *path, bool is_dir,
				 const char **rule)
{
	for (size_t i = 0; i < filter->count; ++i) {
		if (glob_match(filter->rule[i].glob, path, is_dir)) {
			if (rule != NULL)
				*rule = filter->rule[i].text;
			return filter->rule[i].include ? FILTER_INCLUDE : FILTER_EXCLUDE;
		}
	}
	if (rule != NULL)
		*rule = NULL;
	return FILTER_NONE;
}

bool filter_wants_file(const struct filter *filter, const char *path, const char **rule)
{
	enum filter_verdict verdict = filter_match(filter, path, false, rule);

	if (verdict == FILTER_NONE)
		return filter->count == 0 || !filter->rule[filter->count - 1].include;
	return verdict == FILTER_INCLUDE;
}

bool filter_wants_dir(const struct filter *filter, const char *path, const char **rule)
{
	return filter_match(filter, path, true, rule) != FILTER_EXCLUDE;
}

bool filter_glob_name(const char *pattern, const char *name)
{
	struct glob *glob;
	bool matches;

	if (strcmp(pattern, name) == 0)
		return true;
	glob = glob_compile(pattern, GLOB_NAME, NULL);
	matches = glob != NULL && glob_match(glob, name, false);
	glob_free(glob);
	return matches;
}
