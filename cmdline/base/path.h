/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths are bytes: any byte but NUL and '/' in a name. Results are the caller's to free(). */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/buf.h"

char *path_join(const char *dir, const char *name);	/* one slash between; "" as dir gives name */
char *path_add_suffix(const char *path, const char *suffix);
char *path_parent(const char *path);			/* "a/b" -> "a", "a" -> "", "/a" -> "/" */
char *path_dir(const char *path);			/* the same, to be opened: "a" -> "." */
const char *path_name(const char *path);		/* last component, inside `path` */
char *path_with_slash(const char *dir);			/* exactly one slash at the end */
/* Relative, not empty, no empty, "." or ".." component, no NUL inside `size`: safe to join to a disk root. */
bool path_is_safe(const char *path, size_t size);

/* Bytes of the UTF-8 character at `text`, in its shortest form, and what it is; 0: there is none. A NUL ends it. */
size_t path_character(const char *text, uint32_t *code);

/* interface.md 6.2: \ -> \\, : -> \d, LF -> \n, CR -> \r. */
void path_escape_tag(struct buf *out, const char *text);
/* interface.md 4: a backslash before each byte that a shell takes specially. */
void path_escape_shell(struct buf *out, const char *text);
/* For a terminal: control bytes and invalid UTF-8 as \xNN, so that a name cannot move the cursor. */
void path_escape_terminal(struct buf *out, const char *text);

#endif
