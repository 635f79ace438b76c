/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Include and exclude rules. behaviour.md 3.6 and 3.7 (with the sane column where versions differ:
 * "**" and inner slashes as newest; escapes, POSIX brackets and directory rules ending in "*" as 12.2).
 *
 * Matching is pure and thread safe once the filter is made. */
#ifndef CONFIG_FILTER_H
#define CONFIG_FILTER_H

#include "base/types.h"

struct filter;

struct filter *filter_new(void);
void filter_free(struct filter *filter);		/* NULL is fine */

/* Add a rule at the end. false: not a valid pattern (empty, an empty or all-dots component, a trailing
 * backslash); nothing is added. A bracket that is not closed is an ordinary byte, as in POSIX. */
bool filter_add(struct filter *filter, bool include, const char *pattern);
/* The same for a path in which only slashes are special: what people give to -f is often the plain name of a file,
 * brackets and all. */
bool filter_add_literal(struct filter *filter, bool include, const char *path);
const char *filter_why_not(const char *pattern);	/* NULL: it is valid; else "it has an empty part" */
unsigned filter_count(const struct filter *filter);
const char *filter_rule(const struct filter *filter, unsigned i);	/* "exclude *.tmp" */

enum filter_verdict {
	FILTER_NONE,		/* no rule applies */
	FILTER_INCLUDE,
	FILTER_EXCLUDE,
};

/* The first rule that applies to `path` (relative to the disk root) decides. If `rule` is not NULL it gets
 * the text of that rule ("exclude *.tmp"), or NULL. A rule of a directory applies to all that is below it.
 * Rules that exclude a directory on the way are the walk's to obey: it asks filter_wants_dir as it goes down. */
enum filter_verdict filter_match(const struct filter *filter, const char *path, bool is_dir,
				 const char **rule);

/* Is the file part of the array? No rule applies: the opposite of the last rule; no rules: yes. */
bool filter_wants_file(const struct filter *filter, const char *path, const char **rule);
/* May the walk go down into it? Only an applying exclude rule says no. */
bool filter_wants_dir(const struct filter *filter, const char *path, const char **rule);

/* The rules of one .snapraidignore: excludes only, anchored at its directory. */
struct ignore;
/* `text` is the whole file. A bad line is reported through `bad` (line number, text) and skipped; the
 * others still count. */
struct ignore *ignore_parse(const char *text, size_t size,
			    void (*bad)(void *argument, unsigned line, const char *pattern), void *argument);
void ignore_free(struct ignore *ignore);
/* `path` relative to the directory of the ignore file. */
bool ignore_excludes(const struct ignore *ignore, const char *path, bool is_dir);

/* A glob on a whole name, for -d: "*" and "?" and brackets. */
bool filter_glob_name(const char *pattern, const char *name);

#endif
