/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patterns, compiled. behaviour.md 3.6.
 *
 *	?  *  [a-z] [!a-z] [[:digit:]]	one byte, a run, one of a set: never a slash
 *	\c				the byte c itself
 *	/DIR/ at the start		anchored, else it may start below any directory
 *	DIR/ at the end			a directory, and all below; else files only
 *	**  beside a slash		a run with slashes; as a whole part of the path, also none
 *
 * A bracket that is not closed is an ordinary byte, as in POSIX.
 *
 * Pure and thread safe once compiled. The time to match has no exponent: at most the square of the path. */
#ifndef CONFIG_GLOB_H
#define CONFIG_GLOB_H

#include "base/types.h"

struct glob;

enum glob_syntax {
	GLOB_PATTERN,
	GLOB_LITERAL,	/* slashes as above, every other byte is itself */
	GLOB_NAME,	/* of things with no directories: slashes are not special; "" and a bad escape are refused */
};

/* NULL: not a valid pattern, and `*why` says it ("it has an empty part"). `why` may be NULL. */
struct glob *glob_compile(const char *pattern, enum glob_syntax syntax, const char **why);
void glob_free(struct glob *glob);		/* NULL is fine */

/* Does it apply to `path`, relative to the place where it is anchored? */
bool glob_match(const struct glob *glob, const char *path, bool is_dir);

#endif
